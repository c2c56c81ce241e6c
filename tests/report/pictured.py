"""Figures of committed tables, drawn anew."""

from pathlib import Path
from typing import Any

from harness.report.figures import drawn
from harness.report.settings import View
from harness.sweep.spec import Sweep
from harness.sweep.table import Table

ROOT = Path(__file__).parents[2]


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
