"""What a plot is: a way to look at a table, as panels with one legend."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from harness.registry import parts
from harness.report import numerals
from harness.report.settings import View

PANEL = (3.2, 2.6)  # inches
INTERVAL = "interval"
"""The mark of a line whose two ends are those of an interval."""
BARS = re.compile(r"\bbars(: (?=(?:exact )?\d+% intervals))?")
MANY = 4  # so many lines or fewer are told apart by a legend, unless a plot says otherwise


@dataclass(frozen=True)
class Panel:
    """One panel of a figure: its title, what its vertical axis shows, and what draws it.

    extent: the least and the largest x of its points, where columns of panels may have axes of their own. of: the combination
    of the axes set side by side that it shows, if that is not its title.
    """

    title: str
    y_label: str
    draw: Callable[[Axes], None]
    extent: tuple[float, float] | None = None
    of: str | None = None


class Plot(ABC):
    """A way to draw a table as panels with one legend.

    name: as specs spell it. shared_x: whether all panels have one horizontal axis; if not, each says its own. shared_y: which
    have one vertical axis. stacked: how many rows the panels fill; 0 leaves it to their number. named: with more lines than
    so many, their names stand beside them. counts: whether it draws rows that stand for many trials each. narrowest: how many
    inches a panel needs at least. tall: whether a panel is as high as it asks for, however narrow. by_cell: whether it asks
    the view for what trials drew (`View.once`), and so can be given of a long table only rows that differ in what is computed.
    drawn: the columns of what trials drew that it shows beside the figure's y; None: any. sampled: whether it asks of these for
    no more than samples of a column (`View.sample`).
    """

    name: ClassVar[str]
    shared_x: ClassVar[bool] = True
    shared_y: ClassVar[Literal["all", "row"]] = "all"
    stacked: ClassVar[int] = 0
    named: ClassVar[float] = MANY
    counts: ClassVar[bool] = False
    narrowest: ClassVar[float] = 1.3
    tall: ClassVar[bool] = False
    by_cell: ClassVar[bool] = False
    drawn: ClassVar[Sequence[str] | None] = None
    sampled: ClassVar[bool] = False

    @abstractmethod
    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        """The panels of the figure, row by row."""

    @abstractmethod
    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        """The handles of the legend: the colours, markers and lines of all panels."""

    @abstractmethod
    def caption(self, view: View) -> str:
        """The text of the caption on what the bars or the numbers are."""

    def of_numbers(self, view: View) -> str:
        """The caption's text for who reads the numbers in a table, which has neither bars nor axes."""
        return BARS.sub(lambda bars: "" if bars[1] else "intervals", self.caption(view)).replace("marks:", "values:")

    def size(self, frame: pd.DataFrame, view: View) -> tuple[float, float]:
        """Width and height that a panel asks for, in inches."""
        return PANEL

    def names(self, frame: pd.DataFrame, view: View) -> Sequence[str]:
        """The names of the rows of a plot of settings down the side, from above; none of another plot."""
        return ()

    def x_label(self, view: View) -> str:
        """The label of the horizontal axis."""
        return view.heading(view.figure.x)


def plots() -> Mapping[str, Plot]:
    """Every plot by name."""
    return parts("plot")


def _said_by_class(frame: pd.DataFrame, view: View) -> bool:
    """Whether the classes that are set side by side say V too, by their dimensions or labels."""
    if not {"concept", "V"} <= set(view.figure.panels):
        return False
    classes = frame["cell"].map({cell: view.settings.value(cell, "concept") for cell in frame["cell"].unique()})
    return bool(frame.groupby(classes)["V"].nunique().max() == 1)


def chance_of_missing(view: View) -> str:
    """The chance that a search's interval misses what was searched for, as text."""
    return numerals.number(max(getattr(cell, "error", 0.0) for cell in view.settings.cells))


def by_panel(frame: pd.DataFrame, view: View) -> Iterator[tuple[str, pd.DataFrame]]:
    """The title and the rows of each combination of the axes that the spec sets side by side, in the order of the table."""
    figure, settings = view.figure, view.settings
    by_class = _said_by_class(frame, view)

    def title(cell: str) -> str:
        # V sets the dimensions of a class: along it, or beside it, the class is its name.
        bare = {"concept"} if "V" in figure.axes and not by_class else set()
        keys = (key for key in figure.panels if not (by_class and key == "V"))
        return ", ".join(settings.bare(cell, key) if key in bare else settings.shown(cell, key) for key in keys)

    for panel, rows in frame.groupby(frame["cell"].map({cell: title(cell) for cell in frame["cell"].unique()}), sort=False):
        yield str(panel), rows


def grouped(frame: pd.DataFrame, view: View) -> pd.DataFrame:
    """The rows of what the spec's groups show; all where there are none."""
    names = [name for group in view.figure.groups.values() for name in group]
    return frame[frame["mechanism"].isin(names)] if names else frame


def by_group(frame: pd.DataFrame, view: View) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Of each panel its title with that of its group, what it is of, and its rows."""
    for title, rows in by_panel(frame, view):
        for group, names in (view.figure.groups or {"": view.spec.mechanisms}).items():
            yield ", ".join(filter(None, (title, group))), title, rows[rows["mechanism"].isin(names)]


def panels_of(frame: pd.DataFrame, view: View, label: str, draw: Callable[..., None], /, **options: Any) -> list[Panel]:
    """One panel for each combination of the axes set side by side. draw: called with axes, the panel's rows and the options."""
    return [Panel(title, label, partial(draw, rows=rows, **options)) for title, rows in by_panel(frame, view)]
