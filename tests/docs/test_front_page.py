"""The README is short, and what it and the pages name and link is there."""

import re

from PIL import Image

from harness import docs
from harness.registry import parts
from tests.support.pages import README, ROOT, all_of_it, files, section


def test_the_readmes_findings_are_some_of_the_pages() -> None:
    """Each with its answer; the page has the figures too."""
    own = [line.removesuffix("|") for line in section("Findings").splitlines() if line.startswith("| ")]
    assert len(own) > 3 and all(line in section("What was found") for line in own)


def test_the_readme_is_one_and_a_half_screens_at_most() -> None:
    """In words that are seen, as a page of a forge is about 1,012 pixels wide, and by a figure of less than 300 pixels."""
    text = README.read_text(encoding="utf-8")
    assert len(re.sub(r"\]\([^)]*\)|\|", " ", text).split()) <= 650
    ((path, width),) = re.findall(r'<img src="([^"]+)" alt="[^"]+" width="(\d+)" align="right">', text)
    with Image.open(ROOT / path) as picture:
        wide, high = picture.size
    assert int(width) * high / wide <= 300


def test_every_mechanism_is_named_and_every_file_that_is_linked_is_there() -> None:
    named = set(re.findall(r"`([A-Za-z0-9_]+)`", all_of_it()))
    for room in ("mechanism", "online mechanism", "private learner"):
        assert set(parts(room)) <= named, room
    for path in files():
        for link in re.findall(r"\]\(([^):#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
            made = link.removesuffix(".md") in docs.names() and path != README  # notebooks too
            assert made or (path.parent / link).is_file(), (path.name, link)
