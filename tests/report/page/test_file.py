"""The file: what is in it, without a browser, and what is said where it cannot be written."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.report.page.browser import Tags
from tests.report.page.experiments import SPECS

if TYPE_CHECKING:
    from tests.support.project import Harness, Project, Said


def test_it_says_what_it_wrote(written: "Said", file: Path) -> None:
    size = f"{file.stat().st_size / 1e6:.1f} MB"
    assert re.fullmatch(rf"results/runs/report\.html: \d+ claims, {len(SPECS)} experiments, {size}\n", written.out)


def test_the_same_tables_give_the_same_page(measured: "Project", file: Path) -> None:
    again = measured.process("report", "--html", "results/runs/again.html")
    assert again.code == 0
    assert (file.parent / "again.html").read_bytes() == file.read_bytes()


@pytest.mark.process
def test_tables_that_are_read_by_two_give_the_same_page(
    measured: "Project", file: Path, harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(measured.root)
    monkeypatch.setattr("harness.report.processes.FEW", 0)
    assert harness("report", "--html", "results/runs/two.html").code == 0
    assert (file.parent / "two.html").read_bytes() == file.read_bytes()


@pytest.mark.process
@pytest.mark.parametrize("damaged", ["first", "second"])
def test_a_damaged_table_of_either_half_is_an_error_of_one_line(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, damaged: str
) -> None:
    for name in ("first", "second"):
        project.run(project.sweep(name, trials="3"))
    Path(f"results/runs/{damaged}.parquet").write_bytes(b"PAR1")
    monkeypatch.setattr("harness.report.processes.FEW", 0)
    ended = harness("report")
    assert ended.code == 2 and ended.err.count("\n") == 1 and f"results/runs/{damaged}.parquet" in ended.err, ended.err


@pytest.mark.usefixtures("file")
def test_of_some_specs_only_their_claims(measured: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(measured.root)
    ended = harness("report", "experiments/cutoff.yaml", "--html", "some.html")
    assert ended.out.startswith("some.html: 2 claims, 1 experiments")


def test_of_an_untested_claim_it_says_why(file: Path) -> None:
    assert "<dt>Untested</dt><dd>no experiment asks for it</dd>" in file.read_text(encoding="utf-8")


def test_nothing_is_fetched_and_what_a_spec_says_is_text(file: Path) -> None:
    """Also without a browser: no address but within the file or of one beside it, one script, no handler, no hostile tag."""
    text = file.read_text(encoding="utf-8")
    tags = Tags(text).tags
    addresses = [value or "" for _, attributes in tags for key, value in attributes.items() if key in ("href", "src")]
    others = [address for address in addresses if not address.startswith(("#", "data:"))]
    assert others and all(re.fullmatch(r"(\.\./)*[\w/]+\.(parquet|pdf)", address) for address in others)
    assert [tag for tag, _ in tags].count("script") == [tag for tag, _ in tags].count("style") == 1
    assert not [key for _, attributes in tags for key in attributes if key.startswith("on") or key == "style"]
    assert "<img src=x" not in text and "window.broken" in text and "{{" in text


def test_nothing_to_report_is_an_error_of_one_line(project: "Project", harness: "Harness") -> None:
    ended = harness("report")
    assert (ended.code, ended.err) == (4, "error: there is nothing to report: no tables in results/runs/ or results/\n")
    assert project.files() == set()


@pytest.mark.usefixtures("file")
def test_a_page_that_cannot_be_written_is_an_error_of_one_line(
    measured: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(measured.root)
    places = {"experiments/small.yaml/report.html": (2, "there is no folder"), "experiments": (4, "cannot be written")}
    for where, (code, told) in places.items():  # its folder is a file; it is a folder itself
        ended = harness("report", "experiments/cutoff.yaml", "--html", where)
        assert ended.code == code and ended.err.count("\n") == 1 and told in ended.err, ended.err


@pytest.mark.usefixtures("quick_figures")
def test_a_folder_whose_name_is_no_text_is_told_and_linked(project: "Project", harness: "Harness") -> None:
    spec, out = project.spec(trials="2", m="20", learner="leftmost", figure="{x: m, panels: [learner]}"), "d/\udcff"
    assert harness("run", spec, "--serial", "--out", out).code == 0
    for where in (("--out", out), ("--out", out, "--html", "page.html")):
        assert harness("report", spec, *where).code == 0
    assert 'href="d/%FF/small.parquet"' in Path("page.html").read_text(encoding="utf-8")
