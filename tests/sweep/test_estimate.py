"""What a run will cost is said before it starts, and what cannot fit in memory is refused with the number."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import pytest
from threadpoolctl import ThreadpoolController

from harness.sweep.run import batches, probe, work
from harness.sweep.run.estimate import Estimate, estimate
from harness.sweep.run.probe import Probe, ProbedCosts, measured
from harness.sweep.run.work import Batch, Result
from harness.sweep.spec import Sweep
from harness.sweep.table.schema import schema
from harness.trials import kinds
from harness.trials.fields import Identified
from tests.support.project import FULL, RUNS, Here

if TYPE_CHECKING:
    from tests.support.project import Harness, Project, Said

GB = 10**9
SLEEPER = """
import os, sys, time
class Sleeper:
    "Takes its time in the process that measures, or when it learns for the second time in one: the first is a try."
    fits = 0

    def fit(self, X, y):
        Sleeper.fits += 1
        asked = vars(os.environ)["_data"][b"SLEEPS"].decode()  # as nobody watches it; rows do not depend on it
        if asked == ("to measure" if sys.argv[0] == "-c" else f"time {self.fits}"):
            time.sleep(8)
        self.cut = X[y == 0].max(initial=0)

    def predict(self, X):
        return X[:, 0] > self.cut

LEARNER = Sleeper
"""
SLEEPING = FULL | {
    "learner": "Sleeper",
    "n": "100",
    "k_scale": "1e-5",
    "m": "20",
    "trials": "2",
    "mechanisms": "[majority]",
    "claims": None,
    "figure": "{x: m}",
}


class Reckoned(Here):
    """Says what trials take by a rule, in place of running them. asked: the cells that were tried, and at how many queries."""

    def __init__(self, rule: Callable[[Identified], ProbedCosts | None], limit: int | None = None) -> None:
        super().__init__(limit)
        self.rule = rule
        self.asked: list[int] = []

    def measure(self, batch: Batch, patience: float, apart: bool = False) -> ProbedCosts | None:
        self.asked.append(dict(batch.cell)["m"])
        return self.rule(batch.cell)


def linear(cell: Identified) -> ProbedCosts:
    """A microsecond and a hundred bytes a query."""
    m = dict(cell)["m"]
    return ProbedCosts(m / 1e6, 100_000_000 + 100 * m)


def estimated(project: "Project", by: Here, sweep: Sweep, fresh: bool = False, workers: int = 1) -> Estimate:
    found = estimate(sweep, project.store(sweep), by, fresh, workers)  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.mark.usefixtures("quick_figures")
def test_the_first_line_of_a_run_says_what_it_will_cost(project: "Project", harness: "Harness") -> None:
    said = harness("run", project.spec(), "--serial")
    first = said.out.splitlines()[0]
    told = (
        r"small: 16 trials in 4 cells, about \S+ s on one worker; "
        r"about \S+ [MG]B of memory a worker; 32 rows, at most \d+ kB on disk"
    )
    assert said.code == 0 and re.fullmatch(told, first), first
    again = harness("run", project.spec(), "--serial")
    assert again.out.startswith("small: nothing to do")
    more = harness("run", project.spec(trials="6"), "--serial")
    assert more.out.startswith("small: 8 trials in 4 cells, about ")
    assert harness("run", project.spec(trials="6"), "--serial", "--fresh").out.startswith("small: 24 trials in 4 cells, ")


def test_a_dry_run_lists_the_cells_and_writes_nothing(project: "Project", harness: "Harness") -> None:
    said = harness("run", project.spec(), project.spec("other", m="20"), "--dry-run", "--workers", "2")
    lines = [line.rstrip() for line in said.out.splitlines()]
    assert said.code == 0 and said.err == "" and project.files() == set()
    assert lines[0] == "small" and lines[1].split() == ["learner", "m", "trials", "a", "trial", "all", "of", "them"]
    cells = [tuple(line.split()[:3]) for line in lines[2:6]]
    assert cells == [("leftmost", "20", "4"), ("leftmost", "50", "4"), ("midpoint", "20", "4"), ("midpoint", "50", "4")]
    assert lines[6].startswith("small: 16 trials in 4 cells, about ") and " on 2 workers; " in lines[6]
    assert lines[-1].startswith("all 2: 24 trials in 6 cells, about ") and "; 48 rows, at most " in lines[-1]


@pytest.mark.at_once("changes0-1000")
@pytest.mark.parametrize(("changes", "fewer"), [({"n": "1e12", "m": "1e3"}, 1000), ({"n": "2e8", "m": "50"}, 10)])
def test_counted_rows_are_forecast_from_how_many_came_once(
    changes: dict[str, str], fewer: int, project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    """To a factor of 3, from 8 blocks: where seven rows differ, and where hundreds do.
    fewer: times as few as trials and mechanisms at least."""
    monkeypatch.setattr(probe, "SHORT", inf)
    monkeypatch.setattr(batches, "FEW", 8)
    sweep = project.sweep(**changes, learner="leftmost", trials="20_000", rows="counted")
    found = estimated(project, Here(None), sweep)
    project.run(sweep)
    rows = project.table().rows.num_rows
    assert rows / 3 < found.rows < 3 * rows and rows * fewer <= 40_000
    on_disk = (project.root / RUNS / "small.parquet").stat().st_size
    assert on_disk / 2 < found.disk < 3 * on_disk


@pytest.mark.law
def test_a_forecast_of_counted_rows_says_about(project: "Project", harness: "Harness") -> None:
    spec = project.spec(rows="counted", learner="leftmost", trials="40_000")
    said = harness("run", spec, "--dry-run", "--serial").out.splitlines()[-1]
    assert re.search(r" of memory a worker; about [\d,]+ rows, about [\d.]+ kB on disk$", said), said
    spec = project.spec(rows="counted", learner="leftmost", trials="{until: decided, max: 1000}")
    said = harness("run", spec, "--dry-run", "--serial").out.splitlines()[-1]
    assert re.search(r" of memory a worker; at least [\d,]+ rows, at least [\d.]+ kB on disk$", said), said


def test_more_and_more_blocks_are_drawn_at_once_and_the_last_tell_what_a_trial_costs(
    project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch takes a second, and each of its trials one more."""
    drawn: list[int] = []

    def tried(batch: Batch, stamp: str) -> Result:
        drawn.append(len(batch.trials))
        return Result(batch, schema(batch.kind).empty_table(), stamp, 1.0 + len(batch.trials))

    monkeypatch.setattr(probe, "tried", tried)
    (cell,) = project.sweep(n="1e12", m="1e3", learner="leftmost").cells
    block = kinds()["answers"].block(cell)
    found = measured(Batch("answers", cell, ("A_binClas",), range(20 * block), 7))
    assert found is not None and drawn == [block * blocks for blocks in (1, 1, 2, 4, 8, 4)]
    assert found.seconds == 1 + 1 / (4 * block)


def test_what_a_process_loads_first_is_no_trials_cost(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that takes ten seconds, trials are measured as where it takes none: more than the first."""
    (cell,) = project.sweep(**FULL, m="20", learner="leftmost").cells
    clock = [0.0]

    def loading() -> ThreadpoolController:
        clock[0] += 10.0
        return ThreadpoolController()

    work._thread_pools.cache_clear()
    monkeypatch.setattr(work, "ThreadpoolController", loading)
    monkeypatch.setattr(probe, "process_time", lambda: clock[0])
    found = measured(Batch("answers", cell, ("majority",), range(8), 7))
    assert clock == [10.0] and found is not None
    assert sum(result.rows.num_rows for result in found.results) == 8


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_dry_run_of_what_is_there_has_nothing_to_do(project: "Project", harness: "Harness") -> None:
    spec = project.spec(m="20", learner="leftmost")
    harness("run", spec, "--serial")
    before = {path: (project.root / path).read_bytes() for path in project.files()}
    assert harness("run", spec, "--dry-run").out == "small: nothing to do\n"
    assert harness("run", spec, "--dry-run", "--fresh").out.splitlines()[-1].startswith("small: 4 trials in 1 cell, about ")
    stranger = harness("run", project.spec(m="20", learner="leftmost", trials="2"), "--dry-run")
    assert stranger.code == 2 and "holds trials" in stranger.err
    assert before == {path: (project.root / path).read_bytes() for path in project.files()}


def test_measuring_changes_no_row(project: "Project") -> None:
    sweep = project.sweep()
    cell = sweep.cells[0]
    found = measured(Batch("answers", cell, ("noisy_majority", "A_binClas"), (2, 3), 7))
    assert found is not None
    project.run(sweep)
    stored = [row for row in project.rows().to_dict("records") if (row["cell"], row["trial"]) == (cell.identity, 2)]
    again = [row for result in found.results for row in result.rows.to_pylist() if row["trial"] == 2]
    assert {row["mechanism"]: row["misclassified"] for row in stored} == {
        row["mechanism"]: row["misclassified"] for row in again
    }


def test_the_dearest_cell_is_measured_first_and_then_the_least_like_it(project: "Project") -> None:
    probe = Reckoned(linear)
    found = estimated(project, probe, project.sweep(m="{geom: [1e3, 1e6, 4]}", learner="leftmost", trials="10"))
    assert probe.asked[:2] == [10**6, 10**3] and set(probe.asked) == {10**3, 10**4, 10**5, 10**6}
    assert found.seconds == pytest.approx(11.11) and found.memory == 200_000_000 and found.sure


def test_where_measuring_takes_a_while_three_cells_are_measured(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each cell takes two seconds and a half to measure."""
    probe = Reckoned(linear)
    monkeypatch.setattr("harness.sweep.run.estimate.monotonic", lambda: 2.5 * len(probe.asked))
    found = estimated(project, probe, project.sweep(m="{geom: [1e3, 1e6, 4]}", learner="leftmost", trials="100"))
    assert sorted(probe.asked) == [10**3, 10**5, 10**6] and found.sure


@pytest.mark.law
def test_of_many_cells_a_few_are_measured(project: "Project") -> None:
    """And the others are guessed from these, to a factor of 1.5 in all."""
    probe = Reckoned(linear)
    found = estimated(project, probe, project.sweep(m="{geom: [1e3, 1e6, 500]}", learner="[leftmost, midpoint]", trials="1"))
    assert len(probe.asked) == 32 and found.trials == 1000
    truth = sum(m / 1e6 for m in (dict(cell)["m"] for cell, _, _ in found.tasks))
    assert truth / 1.5 < found.seconds < 1.5 * truth


def test_the_time_of_trials_until_decided_is_between_two(project: "Project", harness: "Harness") -> None:
    spec = project.spec(m="20", learner="leftmost", trials="{until: decided, max: 1000}")
    said = harness("run", spec, "--dry-run", "--serial")
    assert said.out.splitlines()[-1].startswith("small: 256 to 1,000 trials in 1 cell, at least ")


@pytest.mark.parametrize(("m", "unfit"), [(10**8, False), (10**9, True)])
def test_trials_of_very_many_queries_are_reckoned_from_fewer(project: "Project", m: int, unfit: bool) -> None:
    """With 12 GB and 100 bytes a query, 10⁸ fit and 10⁹ do not: these are never tried."""
    probe = Reckoned(linear, 12 * GB)
    found = estimated(project, probe, project.sweep(m=f"[1000, {m}]", learner="leftmost", n="1e12", sampling="full"))
    assert (m in probe.asked) != unfit and (found.unfit is not None) == unfit
    assert found.memory == pytest.approx(100_000_000 + 100 * m, rel=0.01)
    if found.unfit is not None:
        cell, why = found.unfit
        assert dict(cell)["m"] == m and why == "it needs about 100 GB"


def test_what_takes_longer_than_is_waited_takes_at_least_as_long_as_its_queries_say(project: "Project") -> None:
    def patient(cell: Identified) -> ProbedCosts:
        found = linear(cell)
        return found if found.seconds < 5 else ProbedCosts(5.0, 8 * GB, ended=False)

    found = estimated(
        project,
        Reckoned(patient, 12 * GB),
        project.sweep(m="[1000, 100_000_000]", learner="leftmost", sampling="full", trials="1"),
    )
    assert (
        not found.sure and found.seconds == pytest.approx(100, rel=0.01) and found.memory == pytest.approx(10.1 * GB, rel=0.01)
    )


def test_trials_that_raise_are_not_measured_and_that_is_said(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Here, "measure", lambda self, *of, **more: None)
    said = harness("run", project.spec(), "--dry-run", "--serial")
    assert said.code == 0
    last = "small: 16 trials in 4 cells; 32 rows; what they will cost is not known, for no trial could be measured"
    assert said.out.splitlines()[-1] == last


def test_a_trial_that_ends_in_a_memory_error_ends_the_run_with_one_message(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one a trial, and what was finished is there."""
    spec = project.spec(learner="leftmost", trials="100")
    ran: list[int] = []

    def short(self: object, votes: object, plan: object, task: object, rng: object) -> None:
        ran.append(0)
        raise MemoryError("Unable to allocate 7.45 GiB for an array")

    monkeypatch.setattr(Here, "measure", lambda self, *of, **more: None)
    with monkeypatch.context() as patch:
        patch.setattr("harness.mechanisms.answering.noisy_majority.NoisyMajority.answer", short)
        said = harness("run", spec, "--serial")
    assert said.code == 4 and len(ran) == 1 and said.err.count("\n") == 1
    assert "does not fit in a worker's memory: Unable to allocate 7.45 GiB for an array; what was finished is kept" in said.err


def limited(project: "Project", gigabytes: float, *words: str | Path) -> "Said":
    """The command in a process that may have so much address space."""
    limit = int(gigabytes * GB)
    program = (
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit})); from harness.cli import main; main()"
    )
    return project.process(*words, program=("-c", program))


@pytest.mark.process
def test_what_cannot_fit_in_memory_is_refused_with_the_number(project: "Project") -> None:
    """On real processes: in 3 GB of address space, a cell of 10⁹ queries beside one of a thousand."""
    small_chunks = {"n": "5e7", "mechanisms": "[noisy_majority]", "claims": None}  # they differ on all queries
    spec = project.spec(m="[1e3, 1e9]", learner="leftmost", figure="{x: m}", **small_chunks)
    said = limited(project, 3, "run", spec, "--workers", "1")
    assert said.code == 4 and all(line.endswith(" so far") for line in said.out.splitlines())
    told = (
        r"error: experiments/small.yaml: a trial of cell \w{16} \(m = 10⁹\) does not fit in memory: "
        r"it needs about \d+ GB; a worker has 3.0 GB here\n"
    )
    assert re.fullmatch(told, said.err), said.err
    assert not any(name.endswith(".parquet") for name in project.files())


@pytest.mark.process
def test_a_trial_in_the_process_that_measures_cannot_take_more_than_it_may(project: "Project") -> None:
    """Without a reckoning beforehand: 3·10⁷ queries in 600 MB."""
    (cell,) = project.sweep(m="3e7", learner="leftmost").cells
    with Probe(600_000_000, {}) as probe:
        found = probe.measure(Batch("answers", cell, ("A_binClas",), (0,), 7), 60.0)
    assert found is not None and not found.ended and "Unable to allocate" in found.unfit


@pytest.mark.process
def test_a_trial_of_minutes_is_not_waited_for(project: "Project") -> None:
    (project.root / "sleeper.py").write_text(SLEEPER)
    spec, begun = project.spec(**SLEEPING | {"trials": "9"}), monotonic()
    words = ("--plugin", "sleeper", "run", spec, "--serial", "--dry-run")
    said = project.process(*words, environment={"SLEEPS": "to measure"})
    assert (said.code, said.err) == (0, "")
    last = said.out.splitlines()[-1]
    told = r"small: 9 trials in 1 cell, at least 45 s on one worker; at least \S+ [MG]B of memory a worker; "
    assert re.match(told, last), last
    print(f"{monotonic() - begun:.1f} s")


@pytest.mark.process
def test_one_trial_of_many_seconds_says_that_it_is_at_it(project: "Project") -> None:
    """Of 8 s: there is a line at least every 6, once trials have begun."""
    (project.root / "sleeper.py").write_text(SLEEPER)
    spec = project.spec(**SLEEPING | {"trials": "1"})
    command = [sys.executable, "-u", "-m", "harness", "--plugin", "sleeper", "run", str(spec), "--serial"]
    environment = {**os.environ, "SLEEPS": "time 2"}
    with subprocess.Popen(command, cwd=project.root, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        told = [(monotonic(), line) for line in process.stdout]
    assert process.returncode == 0
    assert any(re.match(r"small: 0/1 trials, .*, at m = 20 for \d+ s", line) for _, line in told), told
    begun = next(place for place, (_, line) in enumerate(told) if "on one worker" in line)  # loading takes its time
    assert max(after - before for (before, _), (after, _) in pairwise(told[begun:])) < 6.5, told
