"""The errata as a note: every sign of every erratum is one that pdfLaTeX sets, and all of it is there."""

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.claims.registry import claims, errata
from harness.report.errata import Entry, entries
from harness.report.note import note, tex, texts_of
from harness.report.verdicts import judge
from tests.support.latex import compiled

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

ROOT = Path(__file__).parents[2]
REMADE = "harness claims --errata --tex note.tex; pdflatex note.tex; then note.pdf becomes results/errata.pdf"


@pytest.fixture(scope="module")
def found() -> list[Entry]:
    """Every erratum; of no table, so that what rows decide is untested."""
    names = {id for each in errata().values() for id in (*each.claims, *each.repairs)}
    return entries(judge([], names=names), [], {})


def braces_match(said: str) -> bool:
    depth = 0
    for sign in re.findall(r"\\.|[{}]", said, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


def test_every_sign_of_every_erratum_and_claim_is_set(found: list[Entry]) -> None:
    """What is left is ASCII or an accented letter of Latin-1, which inputenc knows; all groups are closed, and all formulas."""
    said = [each for erratum in errata().values() for each in (erratum.title, erratum.why, erratum.counterexample)]
    said += [each for erratum in errata().values() for quote in erratum.quotes for each in (quote.text, quote.place)]
    said += [each for erratum in errata().values() for each in (erratum.holds, erratum.answer)]
    said += [each for claim in claims().values() for each in (claim.statement, claim.why, claim.proof, claim.source)]
    for text in said:
        set_ = tex(text)
        assert {sign for sign in set_ if not (sign.isascii() or "À" <= sign <= "ÿ")} == set(), text
        assert braces_match(set_) and len(re.findall(r"(?<!\\)\$", set_)) % 2 == 0, set_
    assert not {sign for sign in note(found) if not (sign.isascii() or "À" <= sign <= "ÿ")}


def test_what_means_something_to_latex_means_itself() -> None:
    assert tex(r"50% of A_Priv & #1 {x} \ ~") == r"50\% of A\_Priv \& \#1 \{x\} \textbackslash{} \textasciitilde{}"
    assert tex("√δ ≤ ⌈3B⌉, x̂ = 10⁻⁶") == r"$\surd$$\delta$ $\le$ $\lceil$3B$\rceil$, $\hat{x}$ = 10$^{-6}$"
    assert tex("x′") == "x$'$"
    assert tex("a < b | “c”") == "a $<$ b $|$ ``c''"


def test_all_of_it_is_there_by_paper_the_worst_first(found: list[Entry]) -> None:
    said = note(found)
    for each in errata().values():
        parts = (each.title, each.severity, each.why, each.counterexample, each.holds, each.answer)
        assert [part for part in (*parts, *(quote.text for quote in each.quotes)) if tex(part) not in said] == []
        assert not each.script or tex(f"tests/errata/{each.script}.py") in said
        assert all(tex(claims()[id].proof) in said for id in each.repairs)
    titles = [each.erratum.title for each in found]
    assert [said.index(tex(title)) for title in titles] == sorted(said.index(tex(title)) for title in titles)
    assert said.count(r"\section*") == len({each.paper for each in errata().values()})


@pytest.mark.usefixtures("quick_figures")
def test_a_note_takes_the_place_of_a_note_alone(project: "Project", harness: "Harness") -> None:
    assert harness("run", project.spec(), "--serial").code == 0
    words = ("claims", "experiments/small.yaml", "--errata", "--tex", "note.tex")
    assert harness(*words).code == 0 and Path("note.tex").read_text("utf-8").startswith("% errata, as harness")
    assert harness(*words).code == 0
    Path("note.tex").write_text("mine", encoding="utf-8")
    refused = harness(*words)
    assert (refused.code, Path("note.tex").read_text("utf-8")) == (2, "mine") and "not overwritten" in refused.err
    assert harness("claims", "--tex", "other.tex").code == 2


def digests(said: bytes) -> dict[str, str]:
    """What a note, or its PDF, says that it was made from."""
    found = re.search(rb"/Source \(texts (\w+), all (\w+)\)", said)
    assert found, "no digests of its source"
    return {"texts": found[1].decode(), "all": found[2].decode()}


def test_the_pdf_that_is_kept_says_what_the_errata_say_now(found: list[Entry]) -> None:
    stored = digests((ROOT / "results/errata.pdf").read_bytes())
    assert stored["texts"] == texts_of(found) == digests(note(found).encode())["texts"], REMADE


def test_another_word_is_another_note(found: list[Entry]) -> None:
    first = found[0]
    other = [replace(first, erratum=replace(first.erratum, holds="Nothing.")), *found[1:]]
    assert texts_of(other) != texts_of(found) and digests(note(other).encode())["all"] != digests(note(found).encode())["all"]
    assert texts_of(found[::-1]) == texts_of(found)


@pytest.mark.process
def test_the_pdf_that_is_kept_is_of_the_tables_that_are_kept(
    harness: "Harness", monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Every number and verdict too: judged on the committed tables."""
    monkeypatch.chdir(ROOT)
    assert harness("claims", "--errata", "--out", str(tmp_path), "--tex", str(tmp_path / "note.tex")).code == 0
    now = digests((tmp_path / "note.tex").read_bytes())
    assert now == digests((ROOT / "results/errata.pdf").read_bytes()), REMADE


@pytest.mark.process
def test_it_compiles(found: list[Entry], tmp_path: Path) -> None:
    """Nightly, where there is a TeX."""
    said = compiled(note(found), tmp_path)
    assert digests(said) == digests(note(found).encode())
