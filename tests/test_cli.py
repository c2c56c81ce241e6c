"""The command line: what each command leaves behind, says, and ends with."""

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.claims.registry import claims
from harness.report import figures
from harness.report.settings import View
from harness.sweep import engines
from harness.sweep.engines import engine_for
from harness.sweep.ray.cluster import Cluster
from harness.sweep.run.batches import Serial

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

FILES = "{0}.png, {0}.pdf, {0}.svg, {0}.tex"
RUN = {f"results/runs/small.{suffix}" for suffix in ("parquet", "png", "pdf", "svg", "tex")} | {"results/runs/.small/lock"}
T32 = "BTT18:T3.2"


def test_run_leaves_a_table_and_a_figure_and_says_where(project: "Project", harness: "Harness") -> None:
    said = harness("run", project.spec(), "--serial")
    assert (said.code, said.err, project.files()) == (0, "", RUN)
    fingerprint = project.table().fingerprint
    assert said.out.splitlines()[1:4] == [
        "small: 16 trials run, 0 rows were there; 4 cells",
        f"  table   results/runs/small.parquet (fingerprint {fingerprint})",
        "  figure  results/runs/small.png, results/runs/small.pdf, results/runs/small.svg, results/runs/small.tex",
    ]
    assert Path("results/runs/small.png").read_bytes().startswith(b"\x89PNG")
    assert Path("results/runs/small.pdf").read_bytes().startswith(b"%PDF")
    assert said.out.count(f"\n{T32}  ") == 4 and "Does Theorem 3.2 hold?" in said.out
    assert "1 printed: 1 undecided; any of these verdicts is false with probability at most 0.001" in said.out
    again = "harness check experiments/small.yaml; as a page: harness report experiments/small.yaml"
    assert said.out.splitlines()[-1] == f"tables and figures are in results/runs/; verdicts: {again}"


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_run_of_all_experiments_names_none_of_them_again(project: "Project", harness: "Harness") -> None:
    specs = [project.spec(name, m="20", trials="1", learner="leftmost") for name in ("one", "other")]
    last = harness("run", "--serial", *specs).out.splitlines()[-1]
    assert last == "tables and figures are in results/runs/; verdicts: harness check; as a page: harness report"
    elsewhere = harness("run", "--serial", *specs, "--out", "else where").out.splitlines()[-1]
    assert elsewhere.endswith("harness check --out 'else where'; as a page: harness report --out 'else where'")


@pytest.mark.usefixtures("quick_figures")
def test_a_second_run_has_nothing_to_do_and_touches_nothing(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even Ray is started: there is none to be started here."""
    harness("run", project.spec(), "--serial")
    before = {path: (Path(path).stat().st_mtime_ns, Path(path).stat().st_ino) for path in RUN if "lock" not in path}
    monkeypatch.setattr(Cluster, "_connect", lambda cluster: pytest.fail("Ray was started"))
    said = harness("run", project.spec())
    assert said.code == 0 and said.out.splitlines()[:3] == [
        "small: nothing to do, 32 rows were there; 4 cells",
        f"  table   results/runs/small.parquet (fingerprint {project.table().fingerprint})",
        "  figure  results/runs/small.png, results/runs/small.pdf, results/runs/small.svg, results/runs/small.tex",
    ]
    assert {path: (Path(path).stat().st_mtime_ns, Path(path).stat().st_ino) for path in before} == before


@pytest.mark.usefixtures("quick_figures")
def test_figures_that_were_left_out_are_drawn_when_they_are_wanted(project: "Project", harness: "Harness") -> None:
    said = harness("run", project.spec(), "--serial", "--tables-only")
    assert said.code == 0 and "  figure  " not in said.out and "\ntables are in results/runs/; " in said.out
    assert Path("results/runs/small.parquet").exists() and not list(Path("results/runs").glob("small.[pst]*[gfx]"))
    said = harness("run", project.spec(), "--serial")
    assert (
        said.out.startswith("small: nothing to do, 32 rows were there; ") and "  figure  results/runs/small.png, " in said.out
    )
    assert all(Path(f"results/runs/small.{suffix}").exists() for suffix in ("png", "pdf", "svg", "tex"))


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.at_once("svg")
@pytest.mark.parametrize("lost", ["png", "pdf", "svg", "tex"])
def test_a_lost_figure_is_drawn_again(project: "Project", harness: "Harness", lost: str) -> None:
    harness("run", project.spec(), "--serial")
    Path(f"results/runs/small.{lost}").unlink()
    said = harness("run", project.spec(), "--serial")
    assert "small: nothing to do" in said.out and project.files() == RUN


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_new_title_is_drawn_without_running_anything(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    harness("run", project.spec(), "--serial")
    titles: list[str] = []

    def note(frame: object, view: View, formats: object) -> dict[str, bytes]:
        titles.append(view.spec.title)
        return {}

    monkeypatch.setattr(figures, "rendered", note)
    assert "nothing to do" in harness("run", project.spec(), "--serial").out and titles == []
    assert "nothing to do" in harness("run", project.spec(title="Another title"), "--serial").out
    assert titles == ["Another title"]


@pytest.mark.usefixtures("quick_figures")
def test_options_take_the_place_of_the_spec(project: "Project", harness: "Harness") -> None:
    spec = project.spec()
    said = harness("run", spec, "--serial", "--trials", "2", "--set", "m=[20, 30, 40]", "--set", "eps=2", "--out", "elsewhere")
    assert said.code == 0
    rows = project.rows(out=Path("elsewhere"))
    assert (set(rows["m"]), set(rows["eps"]), set(rows["trial"])) == ({20, 30, 40}, {2.0}, {0, 1})
    assert not Path("results").exists()
    assert harness("run", spec, "--serial", "--fresh", "--set", "m=20", "--out", "elsewhere").code == 0
    assert set(project.rows(out=Path("elsewhere"))["m"]) == {20}


@pytest.mark.usefixtures("quick_figures")
def test_several_specs_are_run_one_after_the_other_and_judged_together(project: "Project", harness: "Harness") -> None:
    said = harness("run", project.spec(), project.spec("other", m="[30, 40]"), "--serial")
    assert said.code == 0
    assert [line.split(":")[0] for line in said.out.splitlines() if "trials run" in line] == ["small", "other"]
    assert said.out.count(f"\n{T32}  ") == 8 and "1 printed: " in said.out
    assert project.table("other").rows.num_rows == 32


@pytest.mark.usefixtures("quick_figures")
def test_a_run_that_is_refused_loses_nothing_and_says_what_to_do(project: "Project", harness: "Harness") -> None:
    harness("run", project.spec(), "--serial")
    before = Path("results/runs/small.parquet").read_bytes()
    for changes, what in (
        ({"trials": "2"}, "holds trials, cells or mechanisms"),
        ({"seed": "8"}, "was made with seed 7, this run has 8"),
    ):
        said = harness("run", project.spec(**changes), "--serial")
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith(f"error: results/runs/small.parquet: {what}") and said.err.count("\n") == 1
        assert "--fresh" in said.err and "--out" in said.err
        assert Path("results/runs/small.parquet").read_bytes() == before
    assert harness("run", project.spec(trials="2"), "--serial", "--fresh").code == 0


@pytest.mark.parametrize("other", [("--workers", "2"), ("--address", "auto"), ("--workers", "1", "--address", "x:1")])
def test_serial_goes_with_no_cluster(project: "Project", harness: "Harness", other: tuple[str, ...]) -> None:
    said = harness("run", project.spec(), "--serial", *other)
    assert (said.code, said.out, project.files()) == (2, "", set())
    assert said.err == "error: --serial: runs in this process: it goes with neither --address nor --workers\n"


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("run", "experiments/small.yaml", "--workers", "0"),
        ("run", "experiments/small.yaml", "--trials", "0"),
        ("run", "experiments/small.yaml", "--batch-seconds", "nan"),
        ("run", "experiments/small.yaml", "--paralel"),
        ("check", "--error", "2"),
        ("plan", "--n", "1e9"),
        ("accept",),
        ("rum",),
    ],
)
def test_a_wrong_command_is_bad_input(project: "Project", harness: "Harness", words: tuple[str, ...]) -> None:
    project.spec()
    said = harness(*words)
    assert (said.code, said.out, project.files()) == (2, "", set())
    assert "Traceback" not in said.err and len(said.err.strip()) > 20


@pytest.mark.usefixtures("quick_figures")
def test_accept_makes_the_fresh_table_the_reference_and_figures_draws_it_again(project: "Project", harness: "Harness") -> None:
    for name in ("small", "other"):
        project.run(project.sweep(name))
    said = harness("accept", "small")
    assert said.code == 0
    assert project.table(out=Path("results")).rows.equals(project.table().rows)
    assert f"results/small.parquet: 32 rows, fingerprint {project.table().fingerprint}" in said.out
    drawn = {"figures/small.png", "figures/small.pdf", "figures/small.svg", "figures/small.tex"}
    assert {path for path in project.files() if path.startswith(("figures/", "results/other"))} == drawn
    pictures = {path: Path(path).read_bytes() for path in drawn}
    for path in drawn:
        Path(path).unlink()

    said = harness("figures")

    assert (said.code, said.out) == (
        0,
        f"  figure  {FILES.format('figures/small')}\n",
    )
    assert {path: Path(path).read_bytes() for path in drawn} == pictures


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_figures_can_be_asked_for_by_name_and_drawn_elsewhere(project: "Project", harness: "Harness") -> None:
    for name in ("small", "other"):
        project.run(project.sweep(name))
    said = harness("figures", "other", "--results", "results/runs", "--out", "drawings")
    assert (said.code, said.out) == (
        0,
        f"  figure  {FILES.format('drawings/other')}\n",
    )
    assert {path for path in project.files() if path.endswith("png")} == {"drawings/other.png"}


@pytest.mark.usefixtures("quick_figures")
def test_accept_of_what_is_not_there_changes_nothing(project: "Project", harness: "Harness") -> None:
    harness("run", project.spec(), "--serial")
    before = project.files()
    said = harness("accept", "small", "other")
    assert (said.code, said.out) == (2, "")
    assert said.err == "error: results/runs/other.parquet: no such table\n" and project.files() == before


def test_figures_without_tables_could_not_run(project: "Project", harness: "Harness") -> None:
    said = harness("figures")
    assert (said.code, said.out, said.err) == (4, "", "error: there is nothing to draw: no tables in results/\n")
    project.spec()
    said = harness("figures", "small")
    assert (said.code, said.out, said.err) == (2, "", "error: results/small.parquet: no such table\n")
    said = harness("figures", "nothing")
    assert (said.code, said.out, said.err) == (2, "", "error: experiments/nothing.yaml: no such file\n")


@pytest.mark.usefixtures("quick_figures")
def test_a_trial_that_raises_is_told_with_its_cell_and_ends_with_4(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = project.spec(m="20", learner="leftmost")

    def broken(*_: object) -> None:
        raise ZeroDivisionError("the mechanism is broken")

    with monkeypatch.context() as patch:
        patch.setattr("harness.mechanisms.answering.noisy_majority.NoisyMajority.answer", broken)
        said = harness("run", spec, "--serial")
    assert said.code == 4 and said.out.startswith("small: 4 trials in 1 cell; ") and said.out.count("\n") == 1
    assert said.err.startswith("error: 4 of 4 trials raised; the others are kept, and the same command resumes.")
    assert "trial 0 of cell" in said.err and said.err.rstrip().endswith("ZeroDivisionError: the mechanism is broken")
    assert harness("run", spec, "--serial").code == 0


@pytest.mark.usefixtures("quick_figures", "theory_untold")
def test_the_claims_are_listed_with_their_verdicts(project: "Project", harness: "Harness") -> None:
    harness("run", project.spec(), "--serial")
    listed = json.loads(harness("claims", "--json").out)
    assert [claim["id"] for claim in listed] == list(claims())
    (t32,) = [claim for claim in listed if claim["id"] == T32]
    assert (t32["verdict"], t32["expected"], t32["kind"]) == ("undecided", "holds", "probability")
    assert t32["statement"] == claims()[T32].statement and t32["source"] == claims()[T32].source
    said = harness("claims", T32)
    assert said.code == 0 and claims()[T32].statement.split()[-1] in said.out
    assert "verdict: undecided, should hold" in said.out and said.out.count(f"\n{T32}  ") == 4
    tight = {"constants": "tight", "mechanisms": "[A_binClas, A_OQR]", "claims": '["BTT18:L3.3"]', "trials": "2"}
    assert "A_OQR spends more than ε" in harness("run", project.spec("tight", **tight), "--serial").out
    assert "spends more" not in harness("claims", T32).out  # a table that has no say
    assert "where: " in said.out and "others" not in said.out
    said = harness("claims", "BTT18:T32")
    assert said.code == 2 and said.err.startswith("error: claims: no claim 'BTT18:T32'; did you mean 'BTT18:T3.2'? allowed: ")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, []),
        ({"k_scale": "[1, 0.294]", "figure": "{x: m, panels: [learner, k_scale]}"}, []),
        ({"k_scale": "0.294"}, [f"{T32} will be untested: k_scale is 0.294 and BTT18 Theorem 3.2 is about k_scale = 1"]),
        (
            {"claims": '["BTT18:T3.2", "BTT18:T3.1", "BTT18:T2.5"]'},
            ["BTT18:T3.1 will be untested: trials are of kind answers and BTT18:T3.1 is about trials of kind privacy"],
        ),
        (
            {"claims": '["BTT18:C4.1"]', "m": "20"},
            ["BTT18:C4.1 will be untested: beta is 0.05, alpha is "],
        ),
    ],
)
def test_what_a_spec_cannot_test_is_said_before_it_runs(
    changes: dict[str, str | None], told: list[str], project: "Project", harness: "Harness"
) -> None:
    said = harness("run", project.spec(**changes), "--serial", "--dry-run")
    lines = [line for line in said.out.splitlines() if "untested" in line]
    assert said.code == 0 and said.out.splitlines()[: len(told)] == lines and len(lines) == len(told)
    assert all(line.startswith(f"small: {each}") for line, each in zip(lines, told, strict=True))


def test_every_command_has_help(harness: "Harness") -> None:
    said = harness("--help")
    assert said.code == 0
    for command in ("plan", "run", "check", "figures", "accept", "claims", "replay"):
        assert command in said.out and harness(command, "--help").code == 0


@pytest.mark.process
def test_the_module_and_the_script_are_the_same_command(project: "Project") -> None:
    words = ("plan", "--m", "100", "--n", "1e10")
    module = project.process(*words)
    script = project.process(*words, program=(str(Path(sys.executable).with_name("harness")),))
    assert module.code == script.code == 0 and module.out == script.out and "private examples" in module.out


@pytest.mark.process
def test_off_a_terminal_nothing_is_cut_to_its_width(project: "Project") -> None:
    question = "Is a question that is a good deal longer than the forty columns of a small terminal told to the end?"
    said = project.process("run", project.spec(question=question), "--serial", environment={"COLUMNS": "40"})
    assert (said.code, said.err) == (0, "")
    assert f"small: {question} (results/runs/small.parquet)" in said.out and "…" not in said.out
    rows = [line for line in said.out.splitlines() if line.startswith(f"{T32}  ")]
    assert len(rows) == 4 and all(line.rstrip().endswith("undecided: about 84 trials would decide") for line in rows)


@pytest.mark.usefixtures("quick_figures")
def test_brackets_and_colons_in_a_spec_are_only_text(project: "Project", harness: "Harness") -> None:
    question = "'Is [bold]this[/red] :smile: [0, 1)?'"
    said = harness("run", project.spec(question=question, title="'[/x] :tada:'"), "--serial", "--out", "runs[1]")
    assert said.code == 0 and question.strip("'") in said.out and "runs[1]/small.parquet" in said.out


def test_the_engine_is_the_one_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str | None, int | None, float | None]] = []
    of_cluster = Serial()

    def cluster(address: str | None, workers: int | None, patience: float | None) -> nullcontext[Serial]:
        asked.append((address, workers, patience))
        return nullcontext(of_cluster)

    with engine_for(False, None, None) as engine:
        assert isinstance(engine, engines.Local)
    monkeypatch.setattr(engines, "Cluster", cluster)
    with engine_for(True, None, None) as engine:
        assert isinstance(engine, Serial) and engine is not of_cluster
    options: list[tuple[str | None, int | None, float | None]] = [("auto", None, 60.0), (None, 3, None)]
    for each in options:
        with engine_for(False, *each) as engine:
            assert engine is of_cluster
    assert asked == options
