"""The errata as a note: all of it is there, once, on two to four pages a paper, and the PDF that is kept is of it."""

import re
import zlib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.claims.registry import claims, errata
from harness.report.errata import ErratumFound, assembled
from harness.report.mathematics import typeset
from harness.report.note import note, texts_of
from harness.report.verdicts import judge
from tests.support.latex import compiled

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

ROOT = Path(__file__).parents[2]
REMADE = "harness claims --errata --tex note.tex; pdflatex note.tex; then note.pdf becomes results/errata.pdf"


@pytest.fixture(scope="module")
def found() -> list[ErratumFound]:
    """Every erratum; of no table, so that what rows decide is untested."""
    names = {id for each in errata().values() for id in (*each.claims, *each.repairs)}
    return [*assembled(judge([], names=names), [], {}).causes]


@pytest.mark.usefixtures("theory_untold")
def test_all_of_it_is_there_by_paper_the_worst_first(found: list[ErratumFound]) -> None:
    said = note(found)
    for each in errata().values():
        parts = (each.title, each.why, each.counterexample, each.holds, each.answer, *(quote.text for quote in each.quotes))
        assert [part for part in parts if typeset(part) not in said] == []
        assert each.severity.capitalize() in said
        assert not each.script or typeset(f"Checked by tests/errata/{each.script}.py") in said
        assert all(typeset(claims()[id].statement) in said for id in each.repairs)
        assert all(typeset(claims()[id].proof) in said for id in each.repairs)
    titles = [each.erratum.title for each in found]
    assert [said.index(typeset(title)) for title in titles] == sorted(said.index(typeset(title)) for title in titles)
    assert said.count("\n\\paper{") == len({each.paper for each in errata().values()})


def test_nothing_is_said_twice_of_a_paper(found: list[ErratumFound]) -> None:
    """A quotation or a proof that stands in an entry before is referred to. Proofs that are part of another are left out."""
    for paper in {each.paper for each in errata().values()}:
        own = [each for each in found if each.erratum.paper == paper]
        said = note(own)
        for quote in {quote for each in own for quote in each.erratum.quotes}:
            assert said.count(typeset(f"“{quote.text}” ({quote.place.removeprefix(f'{paper} ')})")) == 1, quote
        proofs = {repair.claim.proof for each in own for repair in each.repairs}
        whole = [each for each in proofs if len(each) > 60 and sum(each in other for other in proofs) == 1]
        assert [each for each in whole if said.count(typeset(each)) != 1] == []


@pytest.mark.law
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


def test_the_pdf_that_is_kept_says_what_the_errata_say_now(found: list[ErratumFound]) -> None:
    stored = digests((ROOT / "results/errata.pdf").read_bytes())
    assert stored["texts"] == texts_of(found) == digests(note(found).encode())["texts"], REMADE


def test_another_word_is_another_note(found: list[ErratumFound]) -> None:
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
def test_it_compiles(found: list[ErratumFound], tmp_path: Path) -> None:
    """Nightly, where there is a TeX."""
    said = compiled(note(found), tmp_path)
    assert digests(said) == digests(note(found).encode())


def pages(pdf: bytes) -> int:
    """How many a PDF of pdfLaTeX has, by the root of its tree of pages, which may be in a compressed stream."""
    streams = [pdf]
    for start in re.finditer(rb"stream\r?\n", pdf):
        with suppress(zlib.error):
            streams.append(zlib.decompressobj().decompress(pdf[start.end() :]))
    return max(int(count) for each in streams for count in re.findall(rb"/Type\s*/Pages.*?/Count (\d+)", each, re.DOTALL))


def test_the_kept_pdf_has_two_to_four_pages_a_paper() -> None:
    papers = {each.paper for each in errata().values()}
    assert 2 * len(papers) <= pages((ROOT / "results/errata.pdf").read_bytes()) <= 4 * len(papers)


@pytest.mark.process
def test_each_paper_has_two_to_four_pages(found: list[ErratumFound], tmp_path: Path) -> None:
    """What tables say of it is in the kept PDF alone, and is a line or two of an entry."""
    for paper in sorted({each.paper for each in errata().values()}):
        pdf = compiled(note([each for each in found if each.erratum.paper == paper]), tmp_path)
        assert 2 <= pages(pdf) <= 4, paper
