"""Marks with intervals along an axis, one line a mechanism, with what is claimed of it."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import Any, ClassVar, Literal, cast

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from harness.report import numerals, style
from harness.report.figures.joined import over
from harness.report.figures.plot import Panel, Plot, by_group, by_panel, grouped
from harness.report.settings import View

DODGE = 1.12  # marks of different mechanisms at one x stand side by side, by this factor
DASHES: tuple[Literal["--", ":", "-."], ...] = ("--", ":", "-.")  # of a first, second and third bound
FEW = 6  # so many values of an axis each get a tick of their own
TWO = 2  # points that no line joins
MANY = 4  # with more mechanisms than this, the legend does not name every bound
SIDES = (0.05, 0.25)  # beside the points, of their extent; of two points more
SAME = 0.05  # bounds this near one another are one line to the eye
BAND, PALE = 4.5, 0.3  # width and opacity of a band where a bound is beneath another's
SHORT = 0.08  # of the axis, of a bound at one of two points
ARROW = r"$\downarrow$"
OWN = "bound, "  # begins the name of a bound that is a mechanism's own, before its name
SHARED = "#444444"


@dataclass(frozen=True)
class Mark:
    """The mark of one mechanism at one point of a plot: a value with its interval.

    value with [low, high]: measured. bounds: what is claimed, by the name that the legend gives it. hollow: drawn without fill,
    as nothing is claimed there. floor: where a value of zero is shown on a logarithmic axis, by an arrow.
    """

    value: float
    low: float
    high: float
    bounds: Mapping[str, float]
    hollow: bool = False
    floor: float = 0.0


class MarkPlot(Plot):
    """A plot of marks. logarithmic: whether the vertical axis is. claimed: what the legend calls a bound that is always
    the same for all.
    """

    logarithmic: ClassVar[bool] = True
    claimed: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        if "mark" in vars(cls) and "drawn" not in vars(cls):  # its own may be made of others than those of what it is a kind of
            cls.drawn, cls.sampled = None, False

    @abstractmethod
    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        """The mark of the rows of one mechanism at one point."""

    def marked(self, rows: pd.DataFrame, view: View) -> Mark:
        """The mark of some rows, of a long table computed once."""
        if self.sampled:
            return view.kept(self.name, rows, lambda: self.mark(rows, view))
        drawn = None if self.drawn is None else (view.figure.y, *self.drawn)
        return view.once(self.name, rows, lambda all_rows: self.mark(all_rows, view), drawn)

    @abstractmethod
    def axis_label(self, view: View) -> str:
        """The label of the vertical axis."""

    def mechanisms(self, frame: pd.DataFrame, view: View) -> Sequence[str]:
        """The mechanisms with something to show, in the order of the legend."""
        return list(frame["mechanism"].unique())

    def shared_bound(self, frame: pd.DataFrame, view: View) -> str:
        """The legend's name for the one line of what is claimed alike of all; empty where each has its own."""
        return self.claimed

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        of_all = self.shared_bound(grouped(frame, view), view)
        named = None if of_all else self._named(frame, view)

        def panel(title: str, of: str, rows: pd.DataFrame) -> Panel:
            places = rows[view.column(view.figure.x)].astype(float)
            extent = (float(places.min()), float(places.max()))
            return Panel(title, self.axis_label(view), lambda ax: self._panel(ax, rows, view, named), extent, of)

        return [panel(title, of, rows) for title, of, rows in by_group(frame, view)]

    def _named(self, frame: pd.DataFrame, view: View) -> dict[str, list[str]]:
        """The names of each mechanism's bounds in all panels, in the order of their dashes."""
        frame = grouped(frame, view)
        cells = frame.groupby(["mechanism", "cell"], sort=False)
        by_mechanism: dict[str, list[str]] = {name: [] for name in self.mechanisms(frame, view)}
        for (name, _), rows in cells:
            labels = by_mechanism.get(str(name), [])
            labels.extend(label for label in _bounds([self.marked(rows, view)]) if label not in labels)
        return by_mechanism

    def _panel(self, ax: Axes, frame: pd.DataFrame, view: View, named: Mapping[str, Sequence[str]] | None) -> None:
        """named: of each mechanism's bounds; None where all have one."""
        places = sorted(frame[view.column(view.figure.x)].unique())
        spread = scaled(ax, places)
        ax.set_yscale("log" if self.logarithmic else "linear")
        drawn = self._marks(frame, view)
        for low, high in _vacuous(drawn, frame, view):
            ax.axvspan(low, high, color=style.VACUOUS, alpha=0.45, linewidth=0, zorder=0)
        beneath = _bands(drawn) if named is not None else {}
        if named is None:
            _draw_bounds(ax, _merged(drawn.values()), [""], SHARED, 2.9, "")
        for position, (mechanism, marks) in enumerate(drawn.items()):
            look = style.style(mechanism)
            if named is not None:
                # Where two bounds are one, that of the first mechanism is on top.
                tip = look.marker if len(drawn) > MANY else ""
                _draw_bounds(ax, marks, named[mechanism], look.colour, 2.9 - position / 10, tip)
                band = beneath.get(mechanism, {})
                ax.plot(list(band), list(band.values()), color=look.colour, zorder=1.9, linewidth=BAND, alpha=PALE)
            draw_marks(ax, marks, look, shifted(position, len(drawn), spread), self.logarithmic, places)

    def _marks(self, frame: pd.DataFrame, view: View) -> dict[str, dict[float, Mark]]:
        """The marks of each mechanism along the axis."""
        by = frame.groupby("mechanism", sort=False)
        column = view.column(view.figure.x)
        return {
            name: {cast(float, x): self.marked(rows, view) for x, rows in by.get_group(name).groupby(column)}
            for name in self.mechanisms(frame, view)
        }

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        """Each mechanism with its bounds, the bounds that all share, and what the other signs mean, if they occur."""
        frame = grouped(frame, view)
        handles: list[Artist] = []
        shown, of_all = self.mechanisms(frame, view), self.shared_bound(frame, view)
        shared: list[Artist] = [Line2D([], [], color=SHARED, linestyle=DASHES[0], label=of_all)] if of_all else []
        marks = {
            name: [self.marked(rows, view) for _, rows in frame[frame["mechanism"] == name].groupby("cell")] for name in shown
        }
        bounds: Mapping[str, Sequence[str]] = dict.fromkeys(shown, ()) if of_all else self._named(frame, view)
        of_mechanisms = [label.startswith(OWN) for labels in bounds.values() for label in labels]
        alike = len(of_mechanisms) > 1 and all(of_mechanisms)
        for mechanism in shown:
            look = style.style(mechanism)
            handles.append(entry(look))
            lines = [
                Line2D([], [], color=look.colour, linestyle=dashes, label=label)
                for dashes, label in zip(DASHES, bounds[mechanism], strict=False)
            ]
            if len(shown) <= MANY and not alike:
                handles.extend(lines)
            elif lines:
                shared = [Line2D([], [], color=SHARED, linestyle=DASHES[0], label="its bound")]
        if not of_all and any(_bands(self._marks(rows, view)) for _, _, rows in by_group(frame, view)):
            pale = "pale: a bound that lies on another's"
            shared.append(Line2D([], [], color=SHARED, linewidth=BAND, alpha=PALE, label=pale))
        seen = [mark for each in marks.values() for mark in each]
        if self.logarithmic and any(mark.value == 0 for mark in seen):
            shared.append(Line2D([], [], color=SHARED, marker=ARROW, linestyle="none", label="none seen in any trial"))
        return [*handles, *shared, *self._hollow(frame, view, seen)]

    def _hollow(self, frame: pd.DataFrame, view: View, marks: Sequence[Mark]) -> Iterator[Artist]:
        """What hollow points and a grey ground mean, where there are any."""
        limited = [name for name, rows in frame.groupby("mechanism") if view.has_cutoff(rows)]
        if any(list(_vacuous(self._marks(rows, view), rows, view)) for _, rows in by_panel(frame, view)):
            what = "bound vacuous (points hollow)" if len(limited) == 1 else "all bounds vacuous"
            yield Patch(color=style.VACUOUS, alpha=0.45, linewidth=0, label=what)
            if len(limited) == 1:
                return
        if any(mark.hollow and np.isfinite(mark.value) for mark in marks):
            yield hollow_entry()


def entry(look: style.Style, ms: float = 5, **more: Any) -> Line2D:
    """A legend handle that shows a mechanism's colour, marker and name. ms: how large the marker is, in points."""
    return Line2D([], [], color=look.colour, marker=look.marker, ms=ms, label=look.legend, **more)


def entries(frame: pd.DataFrame, ms: float = 5, **more: Any) -> list[Artist]:
    """The legend's handles for each mechanism, in the order of the rows."""
    return [entry(style.style(str(name)), ms, **more) for name in frame["mechanism"].unique()]


def logarithmic(ax: Axes, x: Iterable[float] = ()) -> None:
    """Makes both axes logarithmic. x: with a tick at each of these values, and room beside them, where they are few."""
    ax.set_xscale("log")
    ax.set_yscale("log")
    values = sorted(map(float, x))
    if 0 < len(values) <= FEW:
        ax.set_xticks(values, labels=[numerals.number(value) for value in values])
        ax.minorticks_off()
        ax.margins(x=SIDES[len(values) <= TWO])


def hollow_entry() -> Line2D:
    """The legend's handle for hollow points."""
    return Line2D([], [], color=SHARED, marker="o", ms=5, mfc="white", linestyle="none", label="hollow: nothing is claimed")


def _merged(lines: Iterable[Mapping[float, Mark]]) -> dict[float, Mark]:
    """Of several mechanisms, with one bound for all, a mark at each place: one with a bound where any has it."""
    merged: dict[float, Mark] = {}
    for marks in lines:
        merged |= {x: replace(mark, bounds={"": next(iter(mark.bounds.values()))}) for x, mark in marks.items() if mark.bounds}
    return dict(sorted(merged.items()))


def scaled(ax: Axes, values: Sequence[float]) -> bool:
    """Makes the horizontal axis logarithmic for rising values far apart, else linear; gives whether it is logarithmic."""
    spread = bool(values[-1] / values[0] > 5)
    ax.set_xscale("log" if spread else "linear")
    if not spread and len(values) <= FEW:
        ax.set_xticks(values, labels=[numerals.number(float(value)) for value in values])
        ax.margins(x=SIDES[len(values) <= TWO])
    return spread


def shifted(position: int, count: int, spread: bool, most: float = DODGE) -> float:
    """The factor by which the marks of one of `count` lines stand beside their place; spread: on a logarithmic axis.

    most: how far two may stand apart.
    """
    step = min(most, DODGE ** min(1.0, 2 / max(1, count - 1))) if spread else 1.0  # many take no more room than three
    return float(step ** (position - (count - 1) / 2))


def _bands(drawn: Mapping[str, Mapping[float, Mark]]) -> dict[str, dict[float, float]]:
    """By mechanism, a bound where that of an earlier one lies on it, NaN elsewhere: one would not see that there are two.

    Only of mechanisms of which that is so somewhere; with many of them the tips of their lines tell.
    """
    bands: dict[str, dict[float, float]] = {}
    if len(drawn) <= MANY:
        earlier: list[Mapping[float, Mark]] = []
        for name, marks in drawn.items():
            band = {x: _hidden(mark, [each[x] for each in earlier if x in each]) for x, mark in marks.items()}
            if len(marks) > TWO and np.isfinite(list(band.values())).any():
                bands[name] = band
            earlier.append(marks)
    return bands


def _hidden(mark: Mark, earlier: Sequence[Mark]) -> float:
    """A bound of a mark that one of an earlier mark at the same place lies on; NaN if none does."""
    others = [bound for each in earlier for bound in each.bounds.values()]
    hidden = (own for own in mark.bounds.values() if any(isclose(own, other, rel_tol=SAME) for other in others))
    return next(hidden, np.nan)


def _draw_bounds(ax: Axes, marks: Mapping[float, Mark], labels: Sequence[str], colour: str, zorder: float, marker: str) -> None:
    """Each bound as a line; of one, and of two that differ, each as a short one, as nothing was claimed between or beyond them.

    labels: of the bounds, in the order of their dashes. marker: what the ends of the line have, small, where many lines are
    told apart; none if empty.
    """
    for dashes, label in zip(DASHES, labels, strict=False):
        claimed = {x: mark.bounds.get(label, np.nan) for x, mark in marks.items()}
        finite = {x: bound for x, bound in claimed.items() if np.isfinite(bound)}
        look: Any = {"linestyle": dashes, "linewidth": 1.4, "color": colour, "zorder": zorder}
        if len(marks) == 1:  # in the middle of the axis
            for bound in finite.values():
                ax.plot([0.5 - SHORT, 0.5 + SHORT], [bound] * 2, transform=ax.get_yaxis_transform(), **look)
        elif len(marks) == TWO and len(set(finite.values())) > 1:
            for x, bound in finite.items():
                ax.plot(_around(ax, x, marks), [bound] * 2, **look)
        else:
            ax.plot(list(claimed), list(claimed.values()), **look)
        if marker:
            tip_bounds(ax, finite, marker, colour)


def _around(ax: Axes, x: float, places: Iterable[float]) -> list[float]:
    """A little to the left and to the right of one of two places, as the axis has it."""
    low, high = sorted(places)
    if ax.get_xscale() == "log":
        return [x * (high / low) ** way for way in (-SHORT, SHORT)]
    return [x + way * (high - low) for way in (-SHORT, SHORT)]


def tip_bounds(ax: Axes, bounds: Mapping[float, float], marker: str, colour: str) -> None:
    """Draws small markers at both ends of a line of bounds, so that its mechanism is recognised not by colour alone."""
    finite = {x: bound for x, bound in bounds.items() if np.isfinite(bound)}
    tips = [end(finite) for end in (min, max) if finite]
    ax.scatter(tips, [finite[x] for x in tips], s=9, marker=marker, color=colour, zorder=2.9)


def draw_marks(
    ax: Axes, marks: Mapping[float, Mark], look: style.Style, shift: float, logarithmic: bool, places: Iterable[float] = ()
) -> None:
    """Draws one mechanism's marks with their bars in a panel, at x times `shift`, so that mechanisms' marks do not overlap.

    places: all abscissae of the panel: a line joins what was seen at one and at the next. By default those of the marks.
    """
    points = pd.DataFrame([vars(mark) for mark in marks.values()])
    points["place"] = list(marks)
    points["x"] = points["place"] * shift
    seen = points[np.isfinite(points["value"]) & ((points["value"] > 0) | (not logarithmic))]
    bars = np.abs(seen[["low", "high"]].to_numpy(float).T - seen["value"].to_numpy(float))
    joined = 1.1 if len(marks) > TWO else 0.0  # between two points a line would say more than was measured
    x, value, below, above = over([*places, *marks], seen["place"], seen["value"], *bars)
    ax.errorbar(x * shift, value, [below, above], color=look.colour, linewidth=joined, elinewidth=1.1, capsize=2, zorder=3)
    for hollow, face in ((False, look.colour), (True, "white")):
        some = seen[seen["hollow"] == hollow]
        ax.plot(some["x"], some["value"], look.marker, ms=5, color=look.colour, mfc=face, linestyle="none", zorder=4)
    none = points[(points["value"] == 0) & logarithmic]
    ax.plot(none["x"], none["floor"], linestyle="none", marker=ARROW, ms=7, color=look.colour, zorder=4)


def _bounds(marks: Iterable[Mark]) -> list[str]:
    """The names of all bounds that say something, in the order in which they first appear."""
    return list(dict.fromkeys(label for mark in marks for label, bound in mark.bounds.items() if np.isfinite(bound)))


def _vacuous(marks: Mapping[str, Mapping[float, Mark]], frame: pd.DataFrame, view: View) -> Iterator[tuple[float, float]]:
    """Where the theorems of all mechanisms with a cutoff say nothing: half way to the next point where one does.

    Where they say nothing anywhere, hollow points alone tell so.
    """
    limited = [own for name, own in marks.items() if view.has_cutoff(frame[frame["mechanism"] == name])]
    places = sorted({x for own in limited for x in own})
    empty = [all(own[x].hollow for own in limited if x in own) for x in places]
    if len(places) < 2 or all(empty):
        return
    logs = np.log(np.array(places))
    middles = (logs[1:] + logs[:-1]) / 2
    edges = np.exp(np.concatenate([[logs[0] - (middles[0] - logs[0])], middles, [logs[-1] + (logs[-1] - middles[-1])]]))
    for low, high, nothing in zip(edges[:-1], edges[1:], empty, strict=True):
        if nothing:
            yield float(low), float(high)
