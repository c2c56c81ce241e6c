"""A figure of a table: measured means with intervals, claimed bounds, baselines, and where a bound says nothing."""

from collections.abc import Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray

from harness.report import style, words
from harness.sweep.spec import FigureSpec, Spec

Reals = NDArray[np.float64]

LEVEL = 0.95
FORMATS = ("png", "pdf")
DODGE = 1.12  # markers of different mechanisms at one x stand side by side, by this factor
FIXED = ("n", "m", "eps", "delta", "beta")


def draw(frame: pd.DataFrame, spec: Spec, stem: Path) -> list[Path]:
    """Draw a table as its spec asks, to stem.png and stem.pdf; returns the two paths."""
    style.use()
    figure_spec = spec.figure
    panels = list(_panels(frame, figure_spec))
    columns = 2 if len(panels) in (2, 4) else min(3, len(panels))
    lines = -(-len(panels) // columns)
    size = (max(5.4, 1.2 + 3.2 * columns), 1.5 + 2.6 * lines)
    figure, axes = plt.subplots(lines, columns, figsize=size, sharex=True, sharey=True, squeeze=False, layout="constrained")
    for ax in axes.flat[len(panels) :]:
        ax.remove()
    for ax, (title, rows) in zip(axes.flat, panels, strict=False):
        _panel(ax, rows, figure_spec)
        ax.set_title(title, fontsize=10)
    for ax in axes[-1]:
        ax.set_xlabel(style.SYMBOLS[figure_spec.x])
    for ax in axes[:, 0]:
        ax.set_ylabel(style.SYMBOLS[figure_spec.y])
    figure.suptitle(f"{spec.title}\n", fontsize=11, fontweight="bold")
    figure.text(0.5, 1 - 0.36 / size[1], _caption(frame, spec), ha="center", fontsize=7.5, color="#444444")
    figure.legend(handles=_legend(frame, figure_spec), loc="outside lower center", ncols=4, fontsize=8, frameon=False)
    paths = [stem.with_name(f"{stem.name}.{suffix}") for suffix in FORMATS]
    for path in paths:
        figure.savefig(path, metadata={"CreationDate": None} if path.suffix == ".pdf" else None)
    plt.close(figure)
    return paths


def _panels(frame: pd.DataFrame, spec: FigureSpec) -> Iterator[tuple[str, pd.DataFrame]]:
    """Title and rows of each panel, in the order of the table."""
    keys = ["distribution_parameters" if key == "distribution" else key for key in spec.panels]
    if "distribution" in spec.panels:
        keys.append("distribution")
    if not keys:
        yield "", frame
        return
    for _, rows in frame.groupby(keys, sort=False, dropna=False):
        yield ", ".join(words.parameter(rows.iloc[0], key) for key in spec.panels), rows


def _caption(frame: pd.DataFrame, spec: Spec) -> str:
    """What the panels share."""
    shared = [words.parameter(frame.iloc[0], key) for key in FIXED if frame[key].nunique() == 1]
    constants = ", ".join(frame["constants"].unique())
    settings = f"{', '.join(shared)}; constants as printed in {constants}"
    return f"{settings}; {spec.trials} trials a point, bars: {LEVEL:.0%} intervals of the mean"


def _mechanisms(frame: pd.DataFrame, spec: FigureSpec) -> list[str]:
    """Those with something to show: only the ones that have a cutoff T ever answer ⊥."""
    rows = frame[frame["T"].notna()] if spec.y == "bottoms" else frame
    return list(rows["mechanism"].unique())


def _panel(ax: Axes, frame: pd.DataFrame, spec: FigureSpec) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    x_column = "alpha_target" if spec.x == "alpha" else spec.x
    _shade_vacuous(ax, frame, x_column)
    shown = _mechanisms(frame, spec)
    for position, mechanism in enumerate(shown):
        look = style.style(mechanism)
        rows = frame[frame["mechanism"] == mechanism]
        points = pd.DataFrame([_point(group, spec) | {"at": x} for x, group in rows.groupby(x_column)])
        points["x"] = points["at"] * DODGE ** (position - (len(shown) - 1) / 2)
        ax.plot(points["at"], points["bound"], linestyle="--", linewidth=1.4, color=look.colour, zorder=2)
        seen = points[points["mean"] > 0]
        spread = [seen["mean"] - seen["low"], seen["high"] - seen["mean"]]
        ax.errorbar(seen["x"], seen["mean"], yerr=spread, color=look.colour, linewidth=1.1, capsize=2, zorder=3)
        for vacuous, face in ((False, look.colour), (True, "white")):
            some = seen[seen["vacuous"] == vacuous]
            ax.plot(some["x"], some["mean"], look.marker, ms=5, mfc=face, mec=look.colour, linestyle="none", zorder=4)
        none = points[points["mean"] == 0]
        ax.plot(none["x"], none["floor"], linestyle="none", marker=r"$\downarrow$", ms=7, color=look.colour, zorder=4)


def _point(group: pd.DataFrame, spec: FigureSpec) -> dict[str, float | bool]:
    """The mean over trials with a bootstrap interval, the bound, and the least mean these trials could have shown."""
    values = group[spec.y].to_numpy(float)
    first = group.iloc[0]
    mean = float(values.mean())
    low, high = mean_interval(values)
    unit = 1.0 if spec.y == "bottoms" else 1.0 / first["m"]
    bound = first["T"] if spec.y == "bottoms" else first["bound"]
    return {
        "mean": mean,
        "low": min(low, mean),  # equal values can differ from their mean by rounding
        "high": max(high, mean),
        "bound": float("nan") if first["vacuous"] else float(bound),
        "vacuous": bool(first["vacuous"]),
        "floor": unit / len(values),
    }


def mean_interval(values: Reals) -> tuple[float, float]:
    """The percentile bootstrap's interval of the mean, from 2000 resamples.

    A resample of counts is a multinomial draw over the values that occur, few of them however many the trials.
    """
    occurring, times = np.unique(values, return_counts=True)
    shares = np.random.default_rng(0).multinomial(len(values), times / len(values), size=2000) / len(values)
    low, high = np.quantile(shares @ occurring, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


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


def _legend(frame: pd.DataFrame, spec: FigureSpec) -> list[Artist]:
    handles: list[Artist] = []
    for mechanism in _mechanisms(frame, spec):
        look = style.style(mechanism)
        handles.append(Line2D([], [], color=look.colour, marker=look.marker, ms=5, label=look.label))
        bound = "cutoff T" if spec.y == "bottoms" else f"bound, {look.label}"
        handles.append(Line2D([], [], color=look.colour, linestyle="--", label=bound))
    handles.append(Line2D([], [], color="#444444", marker=r"$\downarrow$", linestyle="none", label="none seen in any trial"))
    if frame.loc[frame["T"].notna(), "vacuous"].any():
        handles.append(Patch(color=style.VACUOUS, alpha=0.45, linewidth=0, label="bound vacuous (points hollow)"))
    return handles
