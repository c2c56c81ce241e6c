"""Figures of committed tables, drawn anew."""

from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pandas as pd
from matplotlib.figure import Figure

from harness.report import figures, style
from harness.report.figures import drawn, rendered
from harness.report.figures.layout import laid_out
from harness.report.settings import View
from harness.sweep.table.samples import counts
from tests.support.committed import SPECS, rows_of, sweep_of

FEW = 6  # trials of a point
SHADE = 0.04  # of lightness, that grey print shows


def pictured(name: str) -> tuple[Any, Any]:
    """A committed table, and its figure."""
    rows = rows_of(name)
    return rows, drawn(rows, View.of(sweep_of(name)))


def legend(figure: Any) -> list[str]:
    """What its legend says."""
    return [text.get_text().replace("\n", " ") for text in figure.legends[0].get_texts()]


def dashed(ax: Any) -> list[Any]:
    """The dashed lines of a panel."""
    return [line for line in ax.get_lines() if line.get_linestyle() == "--"]


def few_rows(path: Path) -> pd.DataFrame:
    """Of a committed table a few trials of each point; of rows that stand for many, or are pooled, all."""
    rows = rows_of(path.stem)
    if (counts(rows) == 1).all() and "runs" not in rows:
        rows = rows.groupby(["cell", "mechanism"], sort=False).head(FEW)
    return rows


@lru_cache(len(SPECS))
def saved(path: Path, width: str = "slide") -> tuple[Figure, bytes]:
    """The figure of these rows at a width, as it is after its SVG was saved; and that. For all tests that look at either."""
    made = list[Figure]()

    def kept(*given: Any) -> Any:
        figure, panels = laid_out(*given)
        made.append(figure)
        return figure, panels

    with style.used(), patch.object(figures, "laid_out", kept):
        svg = rendered(few_rows(path), View.of(sweep_of(path.stem)), ["svg"], width)["svg"]
        made[0].draw_without_rendering()
    return made[0], svg


def sampled(path: Path, width: str = "slide") -> Figure:
    """The figure alone."""
    return saved(path, width)[0]
