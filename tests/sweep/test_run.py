"""What a run takes over, what it runs, and what it refuses."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from harness.claims.engine import Probability
from harness.claims.registry import claims
from harness.mechanisms.answering import mechanisms
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.run import provenance
from harness.sweep.run import run as run_module
from harness.sweep.run.batches import Batches, Serial
from harness.sweep.run.work import Result
from harness.sweep.spec import Sweep
from harness.sweep.table.table import Table
from tests.support.claims import event

if TYPE_CHECKING:
    from tests.support.project import Project

pytestmark = pytest.mark.usefixtures("blocks_of_one")

KEY = ["cell", "mechanism", "trial"]


class Counting(Serial):
    """Runs in this process and remembers what."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, str, int]] = []

    def run(self, batches: Batches) -> Iterator[Result]:
        for result in super().run(batches):
            self.ran += [(row["cell"], row["mechanism"], row["trial"]) for row in result.rows.to_pylist()]
            yield result


class Dying(Serial):
    """Runs some batches, then dies of something that is nobody's fault."""

    def __init__(self, batches: int) -> None:
        self.left = batches

    def run(self, batches: Batches) -> Iterator[Result]:
        for result in super().run(batches):
            yield result
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt


def identities(frame: pd.DataFrame) -> set[tuple[Any, ...]]:
    return set(frame[KEY].itertuples(index=False, name=None))


def stamp(path: Path) -> tuple[int, int, int]:
    """What changes when a file is written again."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size


GROWN = {
    "cells": {"m": "[20, 35, 50]", "learner": "[midpoint, rightmost, leftmost]"},
    "trials": {"trials": "6"},
    "mechanisms": {"mechanisms": "[majority, noisy_majority, A_subSamp, A_binClas]"},
    "an axis": {"eps": "[1, 2]", "figure": "{x: m, panels: [learner, eps]}"},
}


@pytest.mark.at_once("resumed-cells")
@pytest.mark.parametrize("change", GROWN.values(), ids=GROWN)
@pytest.mark.parametrize("fresh", [True, False], ids=["from scratch", "resumed"])
def test_adding_to_a_spec_changes_no_other_row(project: "Project", change: dict[str, str | None], fresh: bool) -> None:
    project.run(project.sweep())
    before = project.rows().set_index(KEY)
    larger, engine = project.sweep(**change), Counting()

    project.run(larger, engine, fresh=fresh)

    after = project.rows().set_index(KEY)
    assert len(after) > len(before) == 32
    pd.testing.assert_frame_equal(after.loc[before.index], before, check_exact=True)
    made = set(engine.ran)
    assert len(made) == len(engine.ran) == len(after) - (0 if fresh else len(before))
    assert fresh or not made & identities(before.reset_index())


def test_rows_come_by_cell_then_trial_then_mechanism(project: "Project") -> None:
    sweep = project.sweep()
    project.run(sweep)
    expected = [
        (cell.identity, name, trial) for cell in sweep.cells for trial in range(4) for name in ("A_binClas", "noisy_majority")
    ]
    assert list(project.rows()[KEY].itertuples(index=False, name=None)) == expected


def test_a_resumed_table_is_the_one_that_a_fresh_run_makes(project: "Project") -> None:
    project.run(project.sweep(trials="2", mechanisms="[noisy_majority]", m="50"))
    resumed = project.run(project.sweep()).table
    fresh = project.run(project.sweep("other")).table
    assert resumed.fingerprint == fresh.fingerprint
    assert resumed.rows.drop_columns(["seconds"]).equals(fresh.rows.drop_columns(["seconds"]))


@pytest.mark.law
def test_another_order_of_mechanisms_runs_nothing_and_puts_the_table_in_that_order(project: "Project") -> None:
    project.run(project.sweep())
    turned = project.run(project.sweep(mechanisms="[noisy_majority, A_binClas]"), Counting())
    assert (turned.ran, turned.written) == (0, True)
    assert project.rows()["mechanism"].tolist() == ["noisy_majority", "A_binClas"] * 16


def test_nothing_to_do_starts_no_engine_and_leaves_the_table_alone(project: "Project") -> None:
    sweep = project.sweep()
    first = project.run(sweep)
    before = stamp(Path(str(project.store(sweep).path)))
    engine = Counting()

    again = project.run(sweep, engine)

    assert (first.ran, first.resumed, first.written) == (16, 0, True)
    assert (again.ran, again.resumed, again.written, engine.ran) == (0, 32, False, [])
    assert stamp(Path(str(project.store(sweep).path))) == before
    assert again.table.rows.equals(first.table.rows)


def test_a_run_that_is_interrupted_keeps_what_it_had(project: "Project") -> None:
    sweep = project.sweep()
    with pytest.raises(KeyboardInterrupt):
        project.run(sweep, Dying(5), batch_seconds=0)
    assert not project.store(sweep).path.exists()
    engine = Counting()

    resumed = project.run(sweep, engine, batch_seconds=0)

    assert (resumed.ran, resumed.resumed, len(engine.ran)) == (11, 10, 22)
    assert resumed.table.fingerprint == project.run(project.sweep("other")).table.fingerprint


@pytest.mark.law
def test_a_larger_run_that_is_interrupted_still_completes(project: "Project") -> None:
    """The old table is there all the time; once nothing is missing, what lies in parts must get into it."""
    project.run(project.sweep(trials="2"))
    larger = project.sweep()
    with pytest.raises(KeyboardInterrupt):
        project.run(larger, Dying(8), batch_seconds=0)  # all 8 that were missing, and then no table
    assert project.table().rows.num_rows == 16

    resumed = project.run(larger, Counting())

    assert (resumed.ran, resumed.resumed, resumed.written) == (0, 32, True)
    assert project.table().rows.num_rows == 32
    assert list(Path("results/runs/.small").glob("*.parquet")) == []


def test_a_run_that_dies_between_table_and_parts_repeats_no_row(project: "Project") -> None:
    """The table is written before the parts go: a crash in between leaves the rows in both."""
    sweep = project.sweep(trials="2")
    table = project.run(sweep).table
    table.write(Path("results/runs/.small/000000001.parquet"))

    again = project.run(sweep)
    assert (again.ran, again.resumed, again.written) == (0, 16, False)
    table.write(Path("results/runs/.small/000000001.parquet"))
    larger = project.run(project.sweep())

    assert larger.table.rows.num_rows == len(identities(larger.table.frame())) == 32


LESS = {
    "fewer trials": {"trials": "3"},
    "fewer cells": {"m": "20"},
    "fewer mechanisms": {"mechanisms": "[A_binClas]"},
    "other cells": {"eps": "2"},
}


@pytest.mark.at_once("fewer cells")
@pytest.mark.parametrize("change", LESS.values(), ids=LESS)
def test_a_spec_that_asks_for_less_is_refused_and_nothing_is_lost(project: "Project", change: dict[str, str | None]) -> None:
    project.run(project.sweep())
    before = stamp(Path("results/runs/small.parquet"))
    with pytest.raises(InputError, match=r"small\.parquet: holds .* --fresh drops them, --out writes elsewhere"):
        project.run(project.sweep(**change))
    assert stamp(Path("results/runs/small.parquet")) == before


def test_a_spec_that_asks_for_less_than_is_in_parts_is_refused(project: "Project") -> None:
    with pytest.raises(KeyboardInterrupt):
        project.run(project.sweep(), Dying(9), batch_seconds=0)
    parts = project.files()
    with pytest.raises(InputError, match="--fresh"):
        project.run(project.sweep(trials="1"))
    assert project.files() == parts


@pytest.mark.at_once("seed")
@pytest.mark.parametrize("change", ["seed", "code", "numpy", "scipy"])
def test_rows_that_this_run_would_not_make_are_refused(
    project: "Project", change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = project.run(project.sweep()).table.provenance["makes"]
    before = stamp(Path("results/runs/small.parquet"))
    now = "8" if change == "seed" else "another"
    if change == "code":
        monkeypatch.setattr(provenance, "code", lambda: now)
    monkeypatch.setattr(provenance, "version", lambda package: now if package == change else version(package))
    with pytest.raises(InputError, match=f"was made with {change} {made[change]}, this run has {now}; --fresh starts over"):
        project.run(project.sweep(seed="8" if change == "seed" else "7"))
    assert stamp(Path("results/runs/small.parquet")) == before


def test_fresh_starts_over(project: "Project") -> None:
    project.run(project.sweep())
    with pytest.raises(KeyboardInterrupt):
        project.run(project.sweep(trials="9"), Dying(3), batch_seconds=0)
    over = project.run(project.sweep(seed="8", trials="2"), Counting(), fresh=True)
    assert (over.ran, over.resumed) == (8, 0)
    assert over.table.rows.num_rows == 16 and over.table.provenance["makes"]["seed"] == 8


class Raising:
    """A noisy majority that breaks on some trials, by what it is given."""

    def __init__(self, calls: Sequence[int]) -> None:
        self.mechanism, self.calls, self.seen = mechanisms()["noisy_majority"], calls, -1

    def __getattr__(self, name: str) -> Any:
        return getattr(self.mechanism, name)

    def answer_block(self, *given: Any) -> Any:
        self.seen += 1
        if self.seen in self.calls:
            raise ZeroDivisionError("the mechanism is broken")
        return self.mechanism.answer_block(*given)


@pytest.mark.law
def test_a_trial_that_raises_is_named_and_stops_no_other(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = project.sweep(m="20", learner="leftmost", trials="5")
    with monkeypatch.context() as broken:
        broken.setattr(
            "harness.trials.answers.mechanisms", {**mechanisms(), "noisy_majority": Raising([2, 4])}.copy
        )  # 0, 0 again, 1, 2, 3
        with pytest.raises(CannotRunError) as error:
            project.run(sweep)
    message = str(error.value)
    assert message.startswith("2 of 5 trials raised; the others are kept, and the same command resumes. ")
    assert f"The first was trial 1 of cell {sweep.cells[0].identity} (Cell(" in message
    assert "m=20" in message and "ZeroDivisionError: the mechanism is broken" in message
    assert not Path("results/runs/small.parquet").exists()

    engine = Counting()
    resumed = project.run(sweep, engine)

    assert (resumed.ran, resumed.resumed) == (2, 6)
    assert {trial for _, _, trial in engine.ran} == {1, 3}
    assert (
        resumed.table.fingerprint
        == project.run(project.sweep("other", m="20", learner="leftmost", trials="5")).table.fingerprint
    )


@pytest.mark.law
def test_trials_until_decided_stop_at_a_decision_or_at_the_maximum(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """The looks are at 4, 8, 16, ... trials of each cell, and depend on the rows alone."""
    monkeypatch.setattr("harness.sweep.spec.FIRST_LOOK", 4)
    claim = claims()["BTT18:T3.2"]
    easier = Probability(event("BTT18:T3.2").limits, may_fail=lambda first: 0.9 if first["m"] == 20 else 0.1)
    monkeypatch.setattr(run_module, "parts", lambda what: {claim.id: replace(claim, decider=easier)})
    sweep = project.sweep(trials="{until: decided, max: 50}", learner="leftmost")
    outcome = project.run(sweep)
    trials = outcome.table.frame().groupby("m")["trial"].nunique()
    assert trials[20] in (8, 16, 32) and trials[50] == 50
    with pytest.raises(KeyboardInterrupt):
        project.run(sweep, Dying(10), fresh=True, batch_seconds=0)
    assert project.run(sweep).table.fingerprint == outcome.table.fingerprint
    assert project.run(sweep, Counting()).written is False
    # By another rule, as after an edit of a claim, a fresh run would end sooner than these rows do.
    monkeypatch.setattr(run_module, "decided", lambda sweep, rows: True)
    with pytest.raises(InputError, match=r"small\.parquet: holds trials, cells or mechanisms that this run does not ask for"):
        project.run(sweep)


class OtherCode(Serial):
    """A worker that somehow runs other texts from the third batch on."""

    def run(self, batches: Batches) -> Iterator[Result]:
        for number, result in enumerate(super().run(batches)):
            yield replace(result, stamp="0" * 16) if number == 2 else result


def test_rows_that_other_code_made_are_not_taken(project: "Project") -> None:
    with pytest.raises(
        CannotRunError, match=r"^a worker ran other code, .* than this run's: 0{16}, not [0-9a-f]{16}; start it anew"
    ):
        project.run(project.sweep(), OtherCode(), batch_seconds=0)
    parts = [Table.read(part).rows.num_rows for part in Path("results/runs/.small").glob("*.parquet")]
    assert sum(parts) == 2 * 2
    assert project.run(project.sweep()).resumed == 4


def test_overrides_are_remembered_with_the_table(project: "Project") -> None:
    table = project.run(Sweep(project.spec(), {"trials": "2", "m": "20"})).table
    assert table.provenance["set"] == {"trials": "2", "m": "20"}
    assert json.loads(json.dumps(table.provenance)) == table.provenance
    assert set(table.frame()["m"]) == {20} and table.rows.num_rows == 8


def test_trials_for_so_many_queries_are_fewer_where_m_is_large(project: "Project") -> None:
    sweep = project.sweep(m="[10, 30, 50]", trials="{queries: 100, max: 4}")
    assert {cell.model_dump()["m"]: sweep.most_trials(cell) for cell in sweep.cells} == {10: 4, 30: 4, 50: 2}
    project.run(sweep)
    counts = project.rows().groupby("m")["trial"].nunique()
    assert counts.to_dict() == {10: 4, 30: 4, 50: 2}
