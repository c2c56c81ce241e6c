"""What takes seconds runs in the process itself; Ray, and the process that measures, are started where they are needed."""

import resource
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from harness.sweep.engines import SECONDS, Local
from harness.sweep.errors import CannotRunError
from harness.sweep.ray.cluster import Cluster
from harness.sweep.run import probe as measuring
from harness.sweep.run.batches import Batches
from harness.sweep.run.costs import Costs
from harness.sweep.run.memory import confined
from harness.sweep.run.probe import Probe, ProbedCosts, harmless
from harness.sweep.run.work import Batch
from tests.support.project import FULL, Here

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

NO_RAY = "Ray was to be started"


@pytest.fixture(autouse=True)
def no_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(cluster: Cluster) -> None:
        raise CannotRunError(NO_RAY)

    monkeypatch.setattr(Cluster, "_connect", refuse)


def taking(monkeypatch: pytest.MonkeyPatch, seconds: float, ended: bool = True) -> None:
    monkeypatch.setattr(Here, "measure", lambda self, *of, **more: ProbedCosts(seconds, 10**8, ended))


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_what_takes_seconds_runs_here_and_says_so(project: "Project", harness: "Harness") -> None:
    """And its rows are those of a run that is told to."""
    said = harness("run", project.spec())
    assert said.code == 0 and " s in this process; about " in said.out.splitlines()[0]
    harness("run", project.spec(), "--serial", "--out", "serial")
    assert project.rows().equals(project.rows(out=Path("serial")))


@pytest.mark.parametrize(
    ("trial", "ended"), [(SECONDS / 15, True), (0.001, False), (0.0, True)], ids=["long", "not ended", "unknown"]
)
def test_what_is_long_or_not_known_to_be_short_runs_on_ray(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, trial: float, ended: bool
) -> None:
    taking(monkeypatch, trial, ended)
    said = harness("run", project.spec())
    assert said.code == 4 and NO_RAY in said.err and "in this process" not in said.out


def test_so_does_what_is_told_to(project: "Project", harness: "Harness") -> None:
    said = harness("run", project.spec(), "--workers", "2")
    assert said.code == 4 and NO_RAY in said.err and "on 2 workers" in said.out


def test_several_that_are_long_together_run_on_ray(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of sixteen trials alone would take less."""
    taking(monkeypatch, SECONDS / 20)
    said = harness("run", project.spec(), project.spec("other"))
    assert said.code == 4 and NO_RAY in said.err
    assert ["in this process" in line for line in said.out.splitlines()] == [True, True, False]


def test_a_round_of_trials_until_decided_that_is_long_runs_on_ray(project: "Project") -> None:
    sweep, costs = project.sweep(m="20", learner="leftmost"), Costs()
    costs.measured((sweep.cells[0], ("A_binClas", "noisy_majority")), SECONDS)
    engine = Local()
    engine.settle(here=True)
    assert engine.workers == 1
    with pytest.raises(CannotRunError, match=NO_RAY):
        next(iter(engine.run(Batches(sweep, {sweep.cells[0].identity: 4}, {}, costs=costs))))
    assert engine.workers == Cluster().workers


def test_cells_of_which_none_was_measured_run_where_all_was_settled_to(project: "Project") -> None:
    """The others may be there already, as measuring draws whole blocks."""
    sweep = project.sweep(m="20", learner="leftmost")
    engine, batches = Local(), Batches(sweep, {sweep.cells[0].identity: 4}, {}, costs=Costs())
    engine.settle(here=True)
    assert batches.seconds_left == 0
    assert sum(len(result.batch.trials) for result in engine.run(batches)) == 4 and engine.workers == 1


def test_a_trial_here_that_takes_too_much_memory_is_refused(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the machine has given it: three times all that is free."""

    def greedy(self: object, votes: object, plan: object, task: object, rng: object) -> None:
        np.ones(3 * 10**9)

    taking(monkeypatch, 0.001)
    monkeypatch.setattr("harness.sweep.engines.for_a_worker", lambda workers: 10**9)
    monkeypatch.setattr("harness.mechanisms.answering.noisy_majority.NoisyMajority.answer", greedy)
    before = resource.getrlimit(resource.RLIMIT_DATA)
    said = harness("run", project.spec())
    assert said.code == 4 and "does not fit in a worker's memory: Unable to allocate" in said.err
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_a_process_is_confined_for_a_while() -> None:
    with confined(10**9), pytest.raises(MemoryError):
        np.ones(10**9)
    assert len(np.ones(3 * 10**8, np.int8)) == 3 * 10**8
    with confined(None):
        assert len(np.ones(3 * 10**8, np.int8)) == 3 * 10**8


def batch(project: "Project", **changes: str | None) -> Batch:
    sweep = project.sweep(learner="leftmost", m="20", **changes)
    return Batch("answers", sweep.cells[0], tuple(sweep.spec.mechanisms), (0, 1), 7)


def test_only_what_is_harmless_is_measured_without_a_process_for_it(
    project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Probe, "_start", lambda self: pytest.fail("a process was started"))
    with Probe(10**9, {}) as probe:
        found = probe.measure(batch(project), 5.0)
    assert found is not None and found.ended and found.seconds > 0 and found.memory > 0
    assert not harmless(batch(project, **FULL))
    assert not harmless(replace(batch(project), kind="sample_complexity"))  # a search draws votes by their law too, for hours
    with monkeypatch.context() as patch:
        patch.setattr(measuring, "FEW_QUERIES", -1)
        assert not harmless(batch(project))
    monkeypatch.setattr(measuring, "loaded", lambda: ("a plugin",))
    assert not harmless(batch(project))
