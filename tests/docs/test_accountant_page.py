"""The page on the accountant: what its blocks of Python print is what it shows, to the digit."""

from contextlib import redirect_stdout
from io import StringIO

import pytest
from markdown_it import MarkdownIt

from harness import accountant
from tests.support.pages import FOLDER

TEXT = (FOLDER / "accountant.md").read_text(encoding="utf-8")
BLOCKS = [(block.info, block.content) for block in MarkdownIt().parse(TEXT) if block.type == "fence"]


@pytest.mark.parametrize("place", range(0, len(BLOCKS), 2))
def test_what_is_printed_is_what_is_shown(place: int) -> None:
    (python, program), (shown, text) = BLOCKS[place : place + 2]
    assert (python, shown) == ("python", "")
    with redirect_stdout(StringIO()) as out:
        exec(program, {})
    assert out.getvalue() == text


def test_functions_that_the_page_names_are_there() -> None:
    assert len(BLOCKS) == 6
    for name in ("above_threshold_eps", "stable_labels_eps", "confident_gnmax_rdp"):
        assert f"`{name}`" in TEXT and callable(getattr(accountant, name))
