"""Figures of committed tables, drawn anew."""

from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from harness.report.figures import drawn
from harness.report.settings import View
from harness.sweep.cells import counts
from harness.sweep.spec import Sweep
from harness.sweep.table import Table

ROOT = Path(__file__).parents[2]


def table(path: Path) -> Path:
    """The committed table of a spec."""
    return ROOT / f"results/{path.stem}.parquet"


SPECS = sorted((ROOT / "experiments").glob("*.yaml"))
SHORT_OF = {Sweep(path).spec.figure.plot: path for path in sorted(SPECS, key=lambda path: -table(path).stat().st_size)}
"""Of each plot the spec with the shortest table."""

FEW = 6  # trials of a point


def pictured(name: str) -> tuple[Any, Any]:
    """A committed table, and its figure."""
    frame = Table.read(ROOT / f"results/{name}.parquet").frame()
    return frame, drawn(frame, View.of(Sweep(ROOT / f"experiments/{name}.yaml")))


def legend(figure: Any) -> list[str]:
    """What its legend says."""
    return [text.get_text().replace("\n", " ") for text in figure.legends[0].get_texts()]


def dashed(ax: Any) -> list[Any]:
    """The dashed lines of a panel."""
    return [line for line in ax.get_lines() if line.get_linestyle() == "--"]


def few_rows(path: Path) -> pd.DataFrame:
    """Of a committed table a few trials of each point; of rows that stand for many, or are pooled, all."""
    frame = Table.read(table(path)).frame()
    if (counts(frame) == 1).all() and "runs" not in frame:
        frame = frame.groupby(["cell", "mechanism"], sort=False).head(FEW)
    return frame


@cache
def sampled(path: Path) -> Figure:
    """The figure of these rows."""
    return drawn(few_rows(path), View.of(Sweep(path)))
