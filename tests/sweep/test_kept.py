"""Trials that a run has measured are its own: none is drawn once more, and the table is that of a run which measured none."""

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from harness.sweep.errors import InputError
from harness.sweep.run import probe, work
from harness.sweep.run.batches import Serial
from harness.sweep.run.estimate import estimate
from harness.sweep.run.probe import Probe
from harness.sweep.run.run import run_sweep
from harness.sweep.run.work import Batch, Result
from tests.support.project import RUNS, Here, Quiet

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

FOREVER = 1e9
ROWS: tuple[dict[str, str], ...] = ({}, {"rows": "counted", "learner": "leftmost", "trials": "3_000"})


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, int]]:
    """How often each trial of each cell is drawn."""
    times, plain = Counter[tuple[str, int]](), work.tried

    def tried(batch: Batch, stamp: str) -> Result:
        times.update((batch.cell.identity, trial) for trial in batch.trials)
        return plain(batch, stamp)

    monkeypatch.setattr(probe, "tried", tried)
    monkeypatch.setattr(work, "tried", tried)
    return times


@pytest.mark.parametrize("changes", ROWS, ids=["each", "counted"])
@pytest.mark.usefixtures("quick_figures")
def test_no_trial_is_drawn_once_more_but_the_first_block_of_all(
    changes: dict[str, str], project: "Project", harness: "Harness", drawn: Counter[tuple[str, int]]
) -> None:
    """That one may be, to see whether its rows come out again. The table is that of a run that measures nothing."""
    spec = project.spec(**changes)
    said = harness("run", spec, "--serial")
    sweep = project.sweep(**changes)
    trials = {(cell.identity, trial) for cell in sweep.cells for trial in range(sweep.most_trials(cell))}
    assert said.code == 0 and set(drawn) == trials
    again = Counter(cell for (cell, _), times in drawn.items() if times > 1)
    assert len(again) <= 1 and max(drawn.values()) <= 2 and f"{len(trials):,} trials run, 0 rows were there" in said.out
    with_measuring = project.table().fingerprint
    project.run(sweep, fresh=True)
    assert project.table().fingerprint == with_measuring


@pytest.mark.usefixtures("quick_figures")
def test_a_fresh_run_drops_what_was_there_and_keeps_what_it_measured(
    project: "Project", harness: "Harness", drawn: Counter[tuple[str, int]]
) -> None:
    spec = project.spec(m="20")
    harness("run", spec, "--serial")
    once = dict(drawn)
    said = harness("run", spec, "--serial", "--fresh")
    assert "8 trials run, 0 rows were there" in said.out and all(drawn[trial] == 2 * times for trial, times in once.items())


@pytest.mark.parametrize("changes", ROWS, ids=["each", "counted"])
def test_what_somebody_else_has_run_meanwhile_is_not_kept_twice(changes: dict[str, str], project: "Project") -> None:
    """Between measuring and the run others may have the experiment: of some cells all is there then, of some a part."""
    sweep, fewer = project.sweep(**changes), project.sweep("fewer", **(changes | {"m": "20"}))
    store = project.store(sweep)
    found = estimate(sweep, store, Here(None), False, 1)  # type: ignore[arg-type]
    assert found is not None and found.drawn
    with store.locked():
        for cell in fewer.cells:
            batch = Batch("answers", cell, tuple(sweep.spec.mechanisms), range(2), 7, sweep.spec.merging)
            store.add(work.tried(batch, "").rows, sweep.spec.merging)
        store.flush()
    outcome = run_sweep(sweep, project.store(sweep), Serial(), Quiet(), False, FOREVER, found.costs, found.drawn)
    table = project.table().fingerprint
    assert outcome.ran == sum(map(sweep.most_trials, sweep.cells)) - 2 * len(fewer.cells)
    project.run(sweep, fresh=True)
    assert project.table().fingerprint == table


def test_rows_that_do_not_come_out_again_are_not_kept(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    (cell,) = project.sweep(n="1e12", m="1e3", learner="leftmost").cells
    plain, number = work.tried, iter(range(1_000))

    def tried(batch: Batch, stamp: str) -> Result:
        result = plain(batch, stamp)
        place = result.rows.column_names.index("misclassified")
        other = pa.array([next(number)] * result.rows.num_rows, result.rows.schema.field(place).type)
        return replace(result, rows=result.rows.set_column(place, result.rows.schema.field(place), other))

    for module in (probe, work):
        monkeypatch.setattr(module, "tried", tried)
    with Probe(None, {}) as by, pytest.raises(InputError, match="misclassified is 0 and then 1"):
        by.measure(Batch("answers", cell, ("A_binClas",), range(4), 7), 5.0)


@pytest.mark.process
def test_what_a_process_of_other_texts_has_drawn_is_not_kept(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the program is edited between the start of a run and that of the process which measures."""
    (cell,) = project.sweep(m="20", learner="leftmost").cells
    batch = Batch("answers", cell, ("majority",), range(4), 7)
    with Probe(None, {}) as by:
        kept = by.measure(batch, 5.0, apart=True)
    monkeypatch.setattr(probe, "digest", lambda modules: "other")
    with Probe(None, {}) as by:
        dropped = by.measure(batch, 5.0, apart=True)
    assert kept is not None and sum(result.rows.num_rows for result in kept.results) == 4
    assert dropped is not None and dropped.ended and dropped.results == ()


@pytest.mark.usefixtures("quick_figures")
def test_a_dry_run_keeps_nothing(project: "Project", harness: "Harness") -> None:
    assert harness("run", project.spec(), "--dry-run", "--serial").code == 0
    assert not (project.root / RUNS).exists()
