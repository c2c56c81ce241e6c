"""A table by its cells, against pandas' own groups."""

from math import nan

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from harness.sweep.table import cells as cells_module
from harness.sweep.table.cells import Cells
from harness.sweep.table.groups import GROUP_BY

FRAME = pd.DataFrame(
    {
        "cell": ["b", "b", "a", "b", "a", "b"],
        "mechanism": ["x", "y", "x", "x", "y", "y"],
        "trial": [0, 0, 0, 1, 0, 1],
    },
    index=[3, 1, 4, 15, 9, 2],
)


def test_each_cell_has_its_rows_in_the_order_in_which_cells_begin() -> None:
    cells = Cells(FRAME)
    groups = [rows for _, rows in FRAME.groupby(GROUP_BY, sort=False)]
    assert [cells.rows(number).equals(rows) for number, rows in enumerate(groups)] == [True] * 4
    assert [first.to_dict() for first in cells.firsts] == [rows.iloc[0].to_dict() for rows in groups]
    assert [list(FRAME.index[cells.numbers == number]) for number in range(4)] == [list(rows.index) for rows in groups]


def test_a_long_table_is_told_by_its_cells_like_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that the rows of a cell share, that they do not, with nulls, and of pandas' own types."""
    frame = FRAME.assign(
        rate=[0.5, nan, 2.0, 0.5, nan, 1.0], vacuous=[True, False] * 3, halted=pd.array([1, None] * 3, "Int64")
    )
    frame = pd.concat([frame, frame.assign(cell="c", mechanism="x")])  # whose rows are side by side
    short = Cells(frame)
    whole = [short.rows(number) for number in range(len(short.firsts))]
    monkeypatch.setattr(cells_module, "MANY", 0)
    long = Cells(frame)
    for number, rows in enumerate(whole):
        assert_frame_equal(long.rows(number), rows)


def test_first_rows_have_the_types_that_a_row_of_the_frame_has() -> None:
    frame = FRAME.assign(rate=0.5, vacuous=[True, False] * 3, halted=pd.array([1, None] * 3, "Int64"))
    cells = Cells(frame)
    for number, first in enumerate(cells.firsts):
        row = cells.rows(number).iloc[0]
        assert {name: type(value) for name, value in first.items()} == {name: type(value) for name, value in row.items()}
        assert first.astype(str).equals(row.astype(str))


def test_rows_are_taken_once_and_no_rows_have_no_cells() -> None:
    cells = Cells(FRAME)
    assert cells.rows(2) is cells.rows(2) and Cells.of(cells) is cells
    assert Cells(FRAME.head(0)).firsts == []
