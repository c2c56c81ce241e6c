"""A sentence that speaks for a family stands only where a verdict or a table makes it.

Such are sentences with never, always, everywhere, at every, least and needed (at least and at most are inequalities). In the
README and on the pages each stands in a paragraph or a row that names the claim, the experiment or the command that makes it,
or it is a definition or a promise of the program itself, which SAID lists with what holds it. In a spec's `see`, which stands
over the rows of one table, it says for which of them.
"""

import re
from pathlib import Path

import pytest

from harness.claims.registry import claims, errata
from tests.support.committed import SPECS, content
from tests.support.pages import ROOT, files, texts

WIDE = re.compile(r"\b(never|always|everywhere|at every|(?<!at )least|needed)\b", re.IGNORECASE)
RANGE = re.compile(r"[0-9⁰¹²³⁴⁵⁶⁷⁸⁹]|\b(here|tried|these|those|shown|swept|such)\b|\bfrom\b.*\bto\b", re.IGNORECASE)
EVIDENCE = re.compile(r"\]\((?:\.\./)*(?:figures|experiments)/([\w]+)\.(?:png|yaml)\)|`harness [a-z]+[^`]*`")
ID = re.compile(r"`((?:probe:)?[A-Za-z0-9]+:[A-Za-z0-9._-]+)`")

OF_DEFINITIONS = {"BTT18a:D2.3", "BTT18a:L2.4-coins"}
"""Claims on what a definition says, decided exactly at every δ: their reasons need no range."""

SAID: dict[str, str] = {
    "| constant | printed | provable | needed |": "a heading; the rows name their ranges",
}
"""Sentences by their first words, with what makes them: a definition, or the test that holds the promise."""


def blocks(text: str) -> list[str]:
    """Paragraphs, list items and rows of tables, without code; a figure with its caption is one."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"(?<=\.png\))\n\n(?=\*)", " ", prose)
    found: list[str] = []
    for part in re.split(r"\n\s*\n", prose):
        rows = part.split("\n") if part.lstrip().startswith("|") else re.split(r"\n(?=- )", part)
        found += [" ".join(row.split()) for row in rows if row.strip()]
    return found


def sentences(block: str) -> list[str]:
    return [each for each in re.split(r"(?<=[.:?!])\s+(?=[A-Z`*\[])", block) if WIDE.search(each)]


def made(block: str) -> bool:
    """Whether a block names what makes it: a claim that there is, an experiment that there is, or a command."""
    known = [id in claims() for id in ID.findall(block)]
    named = [not name or (ROOT / "experiments" / f"{name}.yaml").exists() for name in EVIDENCE.findall(block)]
    return any(known) or any(named)


def unmade(text: str) -> list[str]:
    """The sentences that speak for a family and that nothing makes."""
    wide = [(each, block) for block in blocks(text) for each in sentences(block)]
    return [each for each, block in wide if not made(block) and not any(each.startswith(known) for known in SAID)]


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_no_page_says_anything_for_a_family_that_nothing_makes(path: Path) -> None:
    assert unmade(path.read_text(encoding="utf-8")) == []


def test_what_is_known_to_be_made_is_still_said() -> None:
    told = [each for text in texts() for block in blocks(text) for each in sentences(block)]
    assert [known for known in SAID if not any(each.startswith(known) for each in told)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PMW is never better.", 1),
        ("PMW is never better: `BCMNUW20:L99`.", 1),
        ("It fails at every n ([figure](figures/no_such_thing.png)).", 1),
        ("At least 3 of them fail.", 0),
        ("It never fails at m = 10: `BTT18:T3.2`.", 0),
        ("| k | the least k is 7 ([figure](figures/cutoff.png)) |", 0),
        ("```\nnever\n```", 0),
    ],
)
def test_a_sentence_that_nothing_makes_is_found(text: str, found: int) -> None:
    assert len(unmade(text)) == found


@pytest.mark.parametrize("path", SPECS, ids=[path.stem for path in SPECS])
def test_a_spec_says_for_which_rows_its_sentences_are(path: Path) -> None:
    spec = content(path)
    said = [str((spec.get("figure") or {}).get("see", ""))]
    wide = [each for text in said for each in sentences(text)]
    assert [each for each in wide if not RANGE.search(each)] == []


def test_reasons_and_findings_say_for_which_settings_they_are() -> None:
    """What an erratum says is made by its script, which runs in tests/errata; what a claim states, by its verdict."""
    reasons = {name: claim.why for name, claim in claims().items() if claim.why and name not in OF_DEFINITIONS}
    specs = {path.stem: content(path)["figure"] for path in SPECS}
    says = {name: figure["finding"]["says"] for name, figure in specs.items() if "finding" in figure}
    found = {name: re.sub(r"\{.*?\}", "1", text) for name, text in says.items()}
    assert len(found) > len(SPECS) / 2
    wide = [(name, each) for name, text in {**reasons, **found}.items() for each in sentences(text)]
    assert [each for each in wide if not RANGE.search(each[1])] == []
    assert all(erratum.script for erratum in errata().values())
