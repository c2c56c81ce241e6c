"""What a figure shows, read back from it: of each mark where it is, whose it is, its value, its interval and what is claimed.

So whatever draws a plot, a user's file too, its numbers can be printed as a table, and said where a reader points.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose, isfinite, log

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon, Rectangle
from matplotlib.text import Annotation, Text

from harness.arrays import Reals
from harness.report.figures.marks import OWN
from harness.report.figures.page import Thinned
from harness.report.figures.plot import INTERVAL, Panel, Plot
from harness.report.numerals import number
from harness.report.settings import View

NO_MARKER = ("None", "none", "", " ", None)
DASHED = ("--", ":", "-.")
BESIDE = log(1.15)  # how far a mark may stand beside its place
FEW = 6  # marks that a table says as well as a figure
TWO = 2  # marks of a line, of which the same is true
COLUMN = 0.02  # of the width, that panels of a column may be apart
HOLLOW = "none"
"""What is claimed where a mark is hollow."""
BOUND = "bound"
"""What is claimed, where the legend has no name for it."""


@dataclass(frozen=True)
class SeenMark:
    """One mark as it is read back from a figure. point: where it is, as shares of the width and height from the upper left.

    what: the quantity, as the vertical axis has it. row: of a map or of settings down the side, which. x: the place along the
    horizontal axis. claimed: what is, by what the legend calls it. text: the number that is written beside it; of a map what is
    next best, and by what factor. All are as they are printed; empty where there is none. place: by which marks of a line
    follow one another.
    """

    panel: str
    what: str
    row: str
    x: str
    series: str
    value: str
    interval: str
    claimed: Mapping[str, str]
    text: str
    point: tuple[float, float]
    place: float

    @property
    def line(self) -> tuple[str, ...]:
        """Which line of marks it is one of."""
        return (self.panel, self.what, self.row, self.series)


class Reading:
    """Reads the marks of a figure by what its legend names, and by the places of its table along the horizontal axis."""

    def __init__(self, plot: Plot, frame: pd.DataFrame, view: View) -> None:
        self._plot, self._names = plot, plot.names(frame, view)
        self._handles = [each for each in plot.legend(frame, view) if str(each.get_label())]
        column = view.column(view.figure.x) if view.figure.x else ""
        values = pd.to_numeric(frame[column], errors="coerce").dropna() if column in frame else pd.Series(dtype=float)
        self._places = np.unique(values.to_numpy(float))

    def of(self, figure: Figure, panels: Sequence[Panel]) -> list[SeenMark]:
        """Every mark, panel by panel. The figure's layout has been made."""
        drawn = list(zip((ax for ax in figure.axes if ax.axison), panels, strict=True))
        titled = [(ax, panel.title) for ax, panel in drawn if panel.title]
        marks = []
        for ax, panel in drawn:
            title = panel.title or _title_above(ax, titled)
            marks += _in_order(list(self._panel(ax, replace(panel, title=title.replace("\n", ", ")))))
        return marks

    def _panel(self, ax: Axes, panel: Panel) -> Iterator[SeenMark]:
        yield from _areas(ax, panel, self._handles)
        bars, caps = _bars(ax)
        for line in ax.get_lines():
            if line.get_marker() in NO_MARKER or line in caps:
                continue
            if line.get_gid() == INTERVAL:
                yield self._interval(ax, panel, line)
                continue
            for x, y in zip(*(np.asarray(values, float) for values in line.get_data()), strict=True):
                if isfinite(x) and isfinite(y):
                    yield self._mark(ax, panel, line, (float(x), float(y)), bars)
        if self._names:
            yield from self._unmarked(ax, panel)

    def _mark(self, ax: Axes, panel: Panel, line: Line2D, point: tuple[float, float], bars: "Bars") -> SeenMark:
        tall = bool(self._names)
        along, value = (point[1], point[0]) if tall else point
        low_high = next((ends for ends in bars.get((_colour(line), along), ()) if _within(value, ends)), None)
        sign = str(line.get_marker())
        arrow = sign.startswith("$")
        beyond = "> " if "up" in sign or "triangle" in sign else ""
        shown = f"{beyond}{_number(value)}" if beyond or not arrow else "0"
        if _in_axes(ax, line):
            shown = "–"
        place = along if tall else self._place(along)
        return SeenMark(
            panel.title,
            "" if tall else panel.y_label.replace("\n", " "),
            self._row(along) if tall else "",
            "" if tall else number(place),
            self._series(line),
            shown,
            _interval(*low_high) if low_high and not arrow and low_high[0] < low_high[1] else "",
            {BOUND: HOLLOW} if not arrow and _hollow(line) else self._claimed(ax, line, place),
            "",
            _share(ax, point, _in_axes(ax, line)),
            place,
        )

    def _interval(self, ax: Axes, panel: Panel, line: Line2D) -> SeenMark:
        """Of a bar that is an interval and nothing else."""
        (low, high), (y, _) = (np.asarray(values, float) for values in line.get_data())
        text = _interval(low, high)
        return SeenMark(panel.title, "", self._row(y), "", "", "", text, {}, self._text(ax, y), _share(ax, (high, y)), abs(y))

    def _unmarked(self, ax: Axes, panel: Panel) -> Iterator[SeenMark]:
        """Rows of which a text says that there is no interval."""
        marked = {_row(y) for line in ax.get_lines() if line.get_marker() not in NO_MARKER for y in _ys(line)}
        for place, name in enumerate(self._names):
            text = "" if place in marked else self._text(ax, place)
            if text:
                y = next(_y(text) for text in ax.texts if _row(_y(text)) == place)
                yield SeenMark(panel.title, "", name, "", "", "", "", {}, text, _share(ax, (ax.get_xlim()[0], y)), place)

    def _text(self, ax: Axes, y: float) -> str:
        return next((text.get_text() for text in ax.texts if text.get_text() and _row(_y(text)) == _row(y)), "")

    def _row(self, y: float) -> str:
        return self._names[min(_row(y), len(self._names) - 1)]

    def _place(self, x: float) -> float:
        """The value of the table that a mark stands at, or near; its own where there is none."""
        near = [place for place in self._places if place == x or (place > 0 < x and abs(log(place / x)) < BESIDE)]
        return float(min(near, key=lambda place: abs(place - x))) if near else x

    @property
    def _marked(self) -> list[Line2D]:
        """What the legend says of marks."""
        return [each for each in self._handles if isinstance(each, Line2D) and each.get_marker() not in NO_MARKER]

    def _series(self, line: Line2D) -> str:
        """What the legend calls a mark: by its colour and marker, or by its colour."""
        like_it = [each for each in self._marked if _colour(each) == _colour(line)]
        exact = [each for each in like_it if each.get_marker() == line.get_marker()]
        return str((exact or like_it)[0].get_label()) if exact or like_it else ""

    def _claimed(self, ax: Axes, line: Line2D, x: float) -> dict[str, str]:
        """What is claimed at a place: by lines of the mark's own colour, and by those that all share."""
        series = {_colour(each) for each in self._marked if not str(each.get_marker()).startswith("$") and not _hollow(each)}
        dashed = [each for each in ax.get_lines() if each.get_linestyle() in DASHED and each.get_marker() in NO_MARKER]
        like_it = [each for each in dashed if _colour(each) == _colour(line)]
        shared = [each for each in dashed if _colour(each) not in series]
        heights = ((self._bound(each), _height(ax, each, x, bool(self._names))) for each in [*shared, *like_it])
        return {name: _number(y) for name, y in heights if y is not None}

    def _bound(self, line: Line2D) -> str:
        """What the legend calls a line of what is claimed: by its colour and dashes, or by its dashes."""
        dashed = [each for each in self._handles if isinstance(each, Line2D) and each.get_linestyle() == line.get_linestyle()]
        unmarked = [each for each in dashed if each.get_marker() in NO_MARKER]
        like_it = [each for each in unmarked if _colour(each) == _colour(line)]
        label = str((like_it or unmarked)[0].get_label()) if like_it or unmarked else BOUND
        return BOUND if label.startswith(OWN) else label


Bars = Mapping[tuple[str, float], Sequence[tuple[float, float]]]


def few(marks: Sequence[SeenMark]) -> bool:
    """Whether a table of marks says as much as the figure: few marks, lines of two at most, or one value everywhere."""
    lines = [mark.line for mark in marks]
    settings = {mark.row for mark in marks} - {""}
    alike = len({mark.value for mark in marks}) == 1 and marks[0].value
    return len(marks) <= FEW or bool(alike) or (not settings and max(map(lines.count, set(lines)), default=0) <= TWO)


def _title_above(ax: Axes, titled: Sequence[tuple[Axes, str]]) -> str:
    """The title of the panel over one that has none."""
    here = ax.get_position()
    above = [(place.y0, title) for other, title in titled if abs((place := other.get_position()).x0 - here.x0) < COLUMN]
    return min((each for each in above if each[0] > here.y0), default=(0, ""))[1]


def _areas(ax: Axes, panel: Panel, handles: Sequence[Artist]) -> Iterator[SeenMark]:
    """The squares of a map."""
    looks = {_look(each): str(each.get_label()) for each in handles if isinstance(each, Patch)}
    columns, rows = _named(ax.xaxis), _named(ax.yaxis)
    corners = {_below_right(each): looks.get(_look(each), "") for each in ax.patches if isinstance(each, Polygon)}
    for patch in ax.patches:
        if isinstance(patch, Rectangle) and patch.get_width() == patch.get_height() == 1:
            x, y = patch.get_x() + 0.5, patch.get_y() + 0.5
            value, _, factor = next((text.get_text() for text in ax.texts if text.get_position() == (x, y)), "").partition("\n")
            row, column, series = rows[round(y)], columns[round(x)], looks.get(_look(patch), "")
            what, after = panel.y_label.replace("\n", " "), f"{factor} {corners.get((x, y), '')}".strip()
            yield SeenMark(panel.title, what, row, column, series, value, "", {}, after, _share(ax, (x, y)), y)


def _look(area: Patch) -> tuple[str, str | None]:
    """By what areas of the same thing are known."""
    return to_hex(area.get_facecolor()), area.get_hatch()


def _below_right(corner: Polygon) -> tuple[float, float]:
    """The middle of the square that a triangle is the lower right corner of."""
    right, low = corner.get_xy()[0]
    return float(right) - 0.5, float(low) + 0.5


def _named(axis: Axis) -> Sequence[str]:
    """What stands at each place of an axis of names, also where there is no room for all."""
    names = axis.get_major_formatter()
    return names.whole if isinstance(names, Thinned) else names.format_ticks([float(each) for each in axis.get_majorticklocs()])


def _bars(ax: Axes) -> tuple[Bars, set[Line2D]]:
    """The ends of bars by their colour and where they stand, and the lines that are the caps at their ends."""
    by_place: dict[tuple[str, float], list[tuple[float, float]]] = {}
    caps: set[Line2D] = set()
    for container in ax.containers:
        if not isinstance(container, ErrorbarContainer):
            continue
        line, own_caps, bars = container.lines
        caps.update(own_caps)
        across = 0 if container.has_xerr else 1
        for low, high in (segment for bar in bars for segment in bar.get_segments() if len(segment) == TWO):
            key = (_colour(line), float(low[1 - across]))
            by_place.setdefault(key, []).append((float(low[across]), float(high[across])))
    return by_place, caps


def _height(ax: Axes, line: Line2D, x: float, tall: bool) -> float | None:
    """Where a line of what is claimed is at a place: one of its points, or anywhere on it where it is level."""
    xs, ys = (np.asarray(values, float) for values in line.get_data())
    if not len(xs):
        return None
    if tall:
        return float(xs[0]) if np.all(xs == xs[0]) else None
    if len(xs) == TWO and xs[0] == xs[1]:
        return None  # upright
    whole = line.get_transform() == ax.get_yaxis_transform()
    if np.all(ys == ys[0]) and (whole or xs.min() <= x <= xs.max()):
        return float(ys[0])
    return next((float(y) for at, y in zip(xs, ys, strict=True) if isclose(at, x, rel_tol=1e-9) and isfinite(y)), None)


def _share(ax: Axes, point: tuple[float, float], in_axes: bool = False) -> tuple[float, float]:
    """Where a mark is in the figure; of one beyond it, such as a zero on a logarithmic axis, the figure's edge."""
    x, y = (ax.get_xaxis_transform() if in_axes else ax.transData).transform(point)
    box = ax.figure.bbox
    return min(max(float(x / box.width), 0.0), 1.0), min(max(float(1 - y / box.height), 0.0), 1.0)


def _in_axes(ax: Axes, line: Line2D) -> bool:
    """Whether a mark stands at a height of the panel, and so has no value."""
    return bool(line.get_transform() == ax.get_xaxis_transform())


def _hollow(line: Line2D) -> bool:
    return to_hex(line.get_markerfacecolor()) == "#ffffff"


def _in_order(marks: Sequence[SeenMark]) -> list[SeenMark]:
    """Row after row, line after line as each first appears, and along each."""
    if any(mark.row for mark in marks):
        return sorted(marks, key=lambda mark: mark.place)
    lines = list(dict.fromkeys(mark.series for mark in marks))
    return sorted(marks, key=lambda mark: (lines.index(mark.series), mark.place))


def _interval(low: float, high: float) -> str:
    return f"[{_number(low)}, {_number(high)}]"


def _within(value: float, ends: tuple[float, float]) -> bool:
    return bool(ends[0] <= value <= ends[1])


def _row(y: float) -> int:
    """Rows are counted from above, up or down."""
    return round(abs(float(y)))


def _y(text: Text) -> float:
    return float(text.xy[1] if isinstance(text, Annotation) else text.get_position()[1])


def _ys(line: Line2D) -> Reals:
    return np.asarray(line.get_ydata(), np.float64)


def _colour(line: Line2D) -> str:
    return to_hex(line.get_color())


def _number(value: float) -> str:
    return number(float(f"{value:.3g}"))
