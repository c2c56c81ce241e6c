"""Panels side by side have one axis, but for columns of sweeps that do not overlap: each would be half empty."""

import pytest

from harness.report.figures.layout import disjoint
from harness.report.figures.plot import Panel


@pytest.mark.parametrize(
    ("extents", "columns", "apart"),
    [
        ([(1, 2), (3, 4), (1, 2), (3, 4)], 2, True),
        ([(3, 4), (1, 2), (3, 4), (1, 2)], 2, True),
        ([(1, 2), (2, 4), (1, 2), (2, 4)], 2, False),
        ([(1, 2), (3, 4), (1, 3), (3, 4)], 2, False),
        ([(1, 2), (1, 2), (3, 4), (3, 4)], 2, False),
        ([(1, 2), (3, 4), (5, 6)], 3, True),
        ([(1, 2), (3, 4)], 1, False),
        ([None, None, None, None], 2, False),
    ],
)
def test_columns_are_apart_where_no_x_is_in_two(extents: list[tuple[float, float] | None], columns: int, apart: bool) -> None:
    panels = [Panel("", "", lambda ax: None, extent) for extent in extents]
    assert disjoint(panels, columns) is apart
