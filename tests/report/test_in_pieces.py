"""Tables of which not all is held at once: pieces by rising trials, rows of many trials, and what is told of either."""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from harness.report import pair
from harness.report.defaults import RUNS
from harness.report.stored import as_run, with_rows
from harness.sweep.table.counted import is_counted
from harness.sweep.table.long import Long

if TYPE_CHECKING:
    from tests.support.project import Project


class Pieces:
    """Rows of a place, as many at once as are given, and what was asked of them."""

    def __init__(self, *trials: Sequence[int]) -> None:
        self.frames = [pd.DataFrame({"trial": each, "wrong": [-trial for trial in each]}) for each in trials]
        self.asked = list[tuple[int, Sequence[str] | None]]()

    def pieces_of(self, number: int, names: Sequence[str] | None = None) -> Iterator[pd.DataFrame]:
        self.asked.append((number, names))
        return (frame if names is None else frame[[*names]] for frame in self.frames)


@pytest.mark.parametrize(
    ("trials", "given"),
    [
        ([[0, 1, 2], [3, 4]], [[0, 1, 2], [3, 4]]),
        ([[0], [1], [7]], [[0], [1], [7]]),
        ([[5]], [[5]]),
        ([[3, 4], [0, 1]], [[0, 1, 3, 4]]),
        ([[1, 0], [2]], [[0, 1, 2]]),
        ([[0, 1], [1, 2]], [[0, 1, 1, 2]]),
    ],
)
def test_rows_of_a_place_come_piece_by_piece_where_trials_rise_and_else_at_once_in_order(
    trials: list[list[int]], given: list[list[int]]
) -> None:
    cells: Any = Pieces(*trials)
    pieces = list(pair._in_order(cells, 7))
    assert [piece["trial"].tolist() for piece in pieces] == given
    assert all((piece["wrong"] == -piece["trial"]).all() for piece in pieces)
    assert cells.asked == [(7, ["trial"]), (7, None)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([[0, 1, 2], [3]], [[0], [1, 2, 3]]),
        ([[0, 2], [4, 6]], [[1, 2, 3], [5, 6, 7]]),
        ([[0, 1, 2, 3]], [[0], [1], [2], [3]]),
        ([[0]], [[5], [6]]),
        ([[]], [[0, 1]]),
    ],
)
def test_of_two_tables_the_rows_up_to_one_trial_come_side_by_side_and_each_once(
    one: list[list[int]], other: list[list[int]]
) -> None:
    pieces = [*pair._side_by_side(*(iter(Pieces(*each).frames) for each in (one, other)))]
    for side, trials in (("fresh", one), ("reference", other)):
        seen = [trial for both in pieces for trial in getattr(both, side)["trial"].tolist()]
        assert seen == [trial for piece in trials for trial in piece]
    common = [int(trial) for both in pieces for trial in both._common[0]]
    assert common == sorted({trial for piece in one for trial in piece} & {trial for piece in other for trial in piece})


def test_what_a_fresh_table_lacks_is_told_of_cells_then_of_mechanisms_as_they_come_and_then_of_trials() -> None:
    heads = pd.DataFrame(
        [("c1", "zeta"), ("c1", "alpha"), ("c1", "kept"), ("c2", "alpha"), ("c2", "kept"), ("c3", "kept"), ("c3", "zeta")],
        columns=["cell", "mechanism"],
    ).assign(cell=lambda rows: rows["cell"] * 8)
    there = heads[(heads["mechanism"] == "kept") & (heads["cell"] != "c3" * 8)]
    lost = [("c1", 0), ("c2", 3), ("c2", 1)]
    shared = [SimpleNamespace(cell=cell * 8, mechanism="kept", wanted=2000, lost=each) for cell, each in lost]
    both: Any = SimpleNamespace(reference=SimpleNamespace(heads=heads), fresh=SimpleNamespace(heads=there), shared=shared)
    assert list(pair.missing(both)) == [
        "fewer cells than the reference: 2 of 3, without such as c3c3c3c3",
        "fewer mechanisms than the reference: zeta is not in 1 of 3 cells",
        "fewer mechanisms than the reference: alpha is not in 2 of 3 cells",
        "fewer trials than the reference: 1,997 of 2,000 of c2c2c2c2 with kept, and fewer in 1 other places",
    ]
    both.shared, both.fresh = shared[:2], SimpleNamespace(heads=heads)
    assert list(pair.missing(both)) == ["fewer trials than the reference: 1,997 of 2,000 of c2c2c2c2 with kept"]
    both.shared = shared[:1]
    assert list(pair.missing(both)) == []


def test_a_long_table_is_told_trial_by_trial_to_who_asks_and_by_alike_rows_to_who_only_looks(
    project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    project.run(project.sweep(trials="9"))
    whole = as_run("small", RUNS)
    assert not is_counted(whole.table.rows) and whole.size == whole.table.rows.num_rows == 72
    monkeypatch.setattr("harness.sweep.run.store.MANY", 0)
    seen = as_run("small", RUNS)
    assert is_counted(seen.table.rows) and seen.table.rows.num_rows < 72 and seen.size == 72
    assert not isinstance(seen.by_trial, Long) and not is_counted(seen.by_trial.rows)
    assert seen.by_trial.rows.to_pylist() == whole.table.rows.to_pylist() == whole.by_trial.rows.to_pylist()
    places = np.array([0, 8, 9, 40, 71])
    assert (
        seen.some(places).to_pylist() == whole.some(places).to_pylist() == whole.table.rows.take(pa.array(places)).to_pylist()
    )
    for place in (0, 40, 71):
        row = whole.table.rows.slice(place, 1).to_pylist()[0]
        where = row["cell"], row["mechanism"], row["trial"]
        assert seen.trial(*where) == whole.trial(*where) == row
    assert seen.trial(row["cell"], row["mechanism"], 9) is None is whole.trial(row["cell"], "another", 0)
    assert isinstance(with_rows("small", RUNS).table, Long)
