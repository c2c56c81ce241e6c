"""What a plot is: a way to look at a table, as panels with one legend."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from harness.report import style, words
from harness.sweep.spec import Spec


@dataclass(frozen=True)
class Panel:
    """One set of axes: its title, what its vertical axis shows, and what draws it."""

    title: str
    y_label: str
    draw: Callable[[Axes], None]


class Plot(ABC):
    """A way to look at a table.

    name: as specs spell it. shared_y: which panels have one vertical axis. stacked: how many rows the panels fill; 0 leaves it
    to their number.
    """

    name: ClassVar[str]
    shared_y: ClassVar[Literal["all", "row"]] = "all"
    stacked: ClassVar[int] = 0

    @abstractmethod
    def panels(self, frame: pd.DataFrame, spec: Spec) -> Sequence[Panel]:
        """What is drawn, row by row."""

    @abstractmethod
    def legend(self, frame: pd.DataFrame, spec: Spec) -> Sequence[Artist]:
        """What the colours, markers and lines of all panels mean."""

    @abstractmethod
    def caption(self, spec: Spec) -> str:
        """What the bars or the numbers are."""

    def x_label(self, spec: Spec) -> str:
        """What the horizontal axis shows."""
        return style.symbol(spec.figure.x)


def by_panel(frame: pd.DataFrame, spec: Spec) -> Iterator[tuple[str, pd.DataFrame]]:
    """Title and rows for each combination of the axes that the spec sets side by side, in the order of the table."""
    axes = spec.figure.panels
    # V sets the dimensions of a class: along it, or beside it, the class is its name.
    named = [key for key in axes if f"{key}_parameters" in frame and not (key == "concept" and "V" in spec.figure.axes)]
    keys = [f"{key}_parameters" if key in named else column(frame, key) for key in axes] + named
    if not keys:
        yield "", frame
        return
    for _, rows in frame.groupby(keys, sort=False, dropna=False):
        first = rows.iloc[0]
        plain = {"concept"} - set(named)
        yield ", ".join(str(first[key]) if key in plain else words.parameter(first, column(frame, key)) for key in axes), rows


def column(frame: pd.DataFrame, axis: str) -> str:
    """The column with an axis's values: a plan may differ from the α or T that was asked for, which then has its own."""
    return f"{axis}_target" if f"{axis}_target" in frame else axis
