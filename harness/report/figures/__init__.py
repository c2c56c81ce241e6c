"""A figure of a table: what was measured with intervals, what is claimed, and where a claim says nothing."""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal, cast

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from harness.registry import parts
from harness.report import style, words
from harness.report.figures.plot import Mark, Plot
from harness.sweep.spec import FigureSpec, Spec

FORMATS = ("png", "pdf")
DODGE = 1.12  # marks of different mechanisms at one x stand side by side, by this factor
DASHES: tuple[Literal["--", ":", "-."], ...] = ("--", ":", "-.")  # of a first, second and third bound
FEW = 6  # so many values of an axis each get a tick of their own
ARROW = r"$\downarrow$"
SHARED = "#444444"
FIXED = ("n", "m", "T_target", "eps", "delta", "beta")


@cache
def plots() -> dict[str, Plot]:
    """Every plot by name."""
    return parts("harness.report.figures", "PLOT")


def draw(frame: pd.DataFrame, spec: Spec, stem: Path) -> list[Path]:
    """Draw a table as its spec asks, to stem.png and stem.pdf; returns the two paths."""
    style.use()
    plot = plots()[spec.figure.plot]
    panels = list(_panels(frame, spec.figure))
    columns = 2 if len(panels) in (2, 4) else min(3, len(panels))
    lines = -(-len(panels) // columns)
    size = (max(5.4, 1.2 + 3.2 * columns), 1.5 + 2.6 * lines)
    figure, axes = plt.subplots(lines, columns, figsize=size, sharex=True, sharey=True, squeeze=False, layout="constrained")
    for ax in axes.flat[len(panels) :]:
        ax.remove()
    for ax, (title, rows) in zip(axes.flat, panels, strict=False):
        _panel(ax, rows, spec, plot)
        ax.set_title(title, fontsize=10)
    for ax in axes[-1]:
        ax.set_xlabel(style.symbol(spec.figure.x))
    for ax in axes[:, 0]:
        ax.set_ylabel(plot.axis_label(spec))
    caption = _caption(frame, spec, plot)
    figure.suptitle(spec.title + "\n" * (1 + caption.count("\n")), fontsize=11, fontweight="bold")
    figure.text(0.5, 1 - 0.24 / size[1], caption, ha="center", va="top", fontsize=7.5, color="#444444")
    figure.legend(
        handles=_legend(frame, spec, plot),
        loc="outside lower center",
        ncols=2 if columns == 1 else 4,
        fontsize=8,
        frameon=False,
    )
    paths = [stem.with_name(f"{stem.name}.{suffix}") for suffix in FORMATS]
    for path in paths:
        figure.savefig(path, metadata={"CreationDate": None} if path.suffix == ".pdf" else None)
    plt.close(figure)
    return paths


def _panels(frame: pd.DataFrame, spec: FigureSpec) -> Iterator[tuple[str, pd.DataFrame]]:
    """Title and rows of each panel, in the order of the table."""
    keys = ["distribution_parameters" if key == "distribution" else _column(frame, key) for key in spec.panels]
    if "distribution" in spec.panels:
        keys.append("distribution")
    if not keys:
        yield "", frame
        return
    for _, rows in frame.groupby(keys, sort=False, dropna=False):
        yield ", ".join(words.parameter(rows.iloc[0], _column(frame, key)) for key in spec.panels), rows


def _column(frame: pd.DataFrame, axis: str) -> str:
    """The column with an axis's values: a plan may differ from the α or T that was asked for, which then has its own."""
    return f"{axis}_target" if f"{axis}_target" in frame else axis


def _caption(frame: pd.DataFrame, spec: Spec, plot: Plot) -> str:
    """What the panels share."""
    same = [key for key in FIXED if key in frame and frame[key].nunique() == 1]
    shared = [words.parameter(frame.iloc[0], key) for key in same]
    if "constants" in frame:
        shared.append(f"constants: {', '.join(frame['constants'].unique())}")
    counts = frame.groupby(["cell", "mechanism"]).size()
    trials = f"{counts.min():,}" + (f" to {counts.max():,}" if counts.max() > counts.min() else "")
    separator = "\n" if len(list(_panels(frame, spec.figure))) == 1 else "; "
    measured = f"{trials} trials a point; " if counts.max() > 1 else ""
    return f"{', '.join(shared)}{separator}{measured}{plot.caption(spec)}"


def _panel(ax: Axes, frame: pd.DataFrame, spec: Spec, plot: Plot) -> None:
    x_column = _column(frame, spec.figure.x)
    spread = frame[x_column].max() / frame[x_column].min() > 5
    ax.set_xscale("log" if spread else "linear")
    if not spread and frame[x_column].nunique() <= FEW:
        ax.set_xticks(sorted(frame[x_column].unique()))
    ax.set_yscale("log" if plot.logarithmic else "linear")
    if "vacuous" in frame and not plot.shared_bound:
        _shade_vacuous(ax, frame, x_column)
    shown = plot.mechanisms(frame, spec)
    for position, mechanism in enumerate(shown):
        look = style.style(mechanism)
        by_x = frame[frame["mechanism"] == mechanism].groupby(x_column)
        marks = {cast(float, x): plot.mark(rows, spec) for x, rows in by_x}
        if not (plot.shared_bound and position):
            colour = SHARED if plot.shared_bound else look.colour
            for dashes, label in zip(DASHES, _bounds(marks.values()), strict=False):
                claimed = [mark.bounds.get(label, np.nan) for mark in marks.values()]
                # Where two bounds are one, that of the first mechanism is on top.
                ax.plot(list(marks), claimed, linestyle=dashes, linewidth=1.4, color=colour, zorder=2.9 - position / 10)
        points = pd.DataFrame([vars(mark) for mark in marks.values()])
        points["x"] = np.array(list(marks)) * (DODGE ** (position - (len(shown) - 1) / 2) if spread else 1)
        seen = points[(points["value"] > 0) | (not plot.logarithmic)]
        bars = [seen["value"] - seen["low"], seen["high"] - seen["value"]]
        ax.errorbar(seen["x"], seen["value"], yerr=bars, color=look.colour, linewidth=1.1, capsize=2, zorder=3)
        for hollow, face in ((False, look.colour), (True, "white")):
            some = seen[seen["hollow"] == hollow]
            ax.plot(some["x"], some["value"], look.marker, ms=5, mfc=face, mec=look.colour, linestyle="none", zorder=4)
        none = points[(points["value"] == 0) & plot.logarithmic]
        ax.plot(none["x"], none["floor"], linestyle="none", marker=ARROW, ms=7, color=look.colour, zorder=4)


def _bounds(marks: Iterable[Mark]) -> list[str]:
    """The names of all bounds, in the order in which they first appear."""
    return list(dict.fromkeys(label for mark in marks for label in mark.bounds))


def _shade_vacuous(ax: Axes, frame: pd.DataFrame, x_column: str) -> None:
    """Grey where the theorem of the mechanism with a cutoff says nothing: half way to the next point that has a bound."""
    rows = frame[frame["T"].notna()]
    vacuous = rows.groupby(x_column)["vacuous"].all()
    logs = np.log(vacuous.index.to_numpy(float))
    if len(logs) < 2:
        return
    middles = (logs[1:] + logs[:-1]) / 2
    edges = np.exp(np.concatenate([[logs[0] - (middles[0] - logs[0])], middles, [logs[-1] + (logs[-1] - middles[-1])]]))
    for low, high, empty in zip(edges[:-1], edges[1:], vacuous, strict=True):
        if empty:
            ax.axvspan(low, high, color=style.VACUOUS, alpha=0.45, linewidth=0, zorder=0)


def _legend(frame: pd.DataFrame, spec: Spec, plot: Plot) -> list[Artist]:
    """Each mechanism with its bounds, the bounds that all share, and what the other signs mean, if they occur."""
    handles: list[Artist] = []
    shared: list[Artist] = []
    zero = False
    for mechanism in plot.mechanisms(frame, spec):
        look = style.style(mechanism)
        handles.append(Line2D([], [], color=look.colour, marker=look.marker, ms=5, label=look.label))
        marks = [plot.mark(rows, spec) for _, rows in frame[frame["mechanism"] == mechanism].groupby("cell")]
        zero = zero or (plot.logarithmic and any(mark.value == 0 for mark in marks))
        colour = SHARED if plot.shared_bound else look.colour
        lines = [
            Line2D([], [], color=colour, linestyle=dashes, label=label)
            for dashes, label in zip(DASHES, _bounds(marks), strict=False)
        ]
        if plot.shared_bound:
            shared = list(lines)
        else:
            handles.extend(lines)
    handles += shared
    if zero:
        handles.append(Line2D([], [], color=SHARED, marker=ARROW, linestyle="none", label="none seen in any trial"))
    if "vacuous" in frame and not plot.shared_bound and frame.loc[frame["T"].notna(), "vacuous"].any():
        handles.append(Patch(color=style.VACUOUS, alpha=0.45, linewidth=0, label="bound vacuous (points hollow)"))
    return handles
