"""The privacy curve of an audit: at each ε the δ that is said to be enough, above, and what was seen to be needed, below."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.arrays import Reals
from harness.report import style
from harness.sweep.errors import InputError
from harness.sweep.files.atomic import replaced
from harness.sweep.files.ownership import MAKER, refuse_foreign
from harness.trials.audited.outcome import Audited

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS: Mapping[str, dict[str, Any]] = {".png": {"Software": MAKER}, ".pdf": {"Creator": MAKER, "CreationDate": None}}
"""What their files say of themselves."""

ROUNDING = 1e-12
"""So small a δ is nothing but rounding."""


def allowed(eps: Reals, claimed: float, delta: float) -> Reals:
    """The least δ at each ε that follows from (claimed, δ)-DP alone, (points,), by the two laws that are furthest apart.

    Kairouz, Oh, Viswanath 2015: with chance δ the two are told apart for certain, and else by a randomised response.
    """
    most = np.maximum(0.0, (np.exp(claimed) - np.exp(np.minimum(eps, claimed))) / (1 + np.exp(claimed)))
    return np.asarray(delta + (1 - delta) * most)


def refuse(path: Path) -> None:
    """Raises InputError on another suffix of a figure than those of FORMATS, and where a file of others is at the path."""
    if path.suffix not in FORMATS:
        raise InputError(f"{path.name} is no figure; allowed: {', '.join(FORMATS)}", "--figure")
    refuse_foreign(path)


def draw(audits: Audited | Sequence[Audited], path: Path) -> None:
    """Writes the figure of one audit, or of several, whole or not at all.

    Raises InputError as `refuse`, CannotRunError when it cannot be written.
    """
    refuse(path)
    import matplotlib.pyplot as plt  # a second to load

    with style.used():
        size = (4.4, 3.2) if isinstance(audits, Audited) else (5.2, 0.9 + 0.2 * len(audits))
        figure, axes = plt.subplots(figsize=size, layout="constrained")
        if isinstance(audits, Audited):
            curve(axes, audits)
        else:
            side_by_side(axes, audits)
        with replaced(path) as file:
            figure.savefig(file, format=path.suffix[1:], metadata=FORMATS[path.suffix])
        plt.close(figure)


def curve(axes: "Axes", audit: Audited) -> None:
    """Draws the privacy curve of an audit, δ by ε: what is said to be enough, and what was seen to be needed."""
    seen = np.array(audit.curve)
    far = max(float(seen[:, 0].max()), 1.2 * audit.claimed if np.isfinite(audit.claimed) else 0.0)
    eps = np.linspace(0, far, 200)
    if np.isfinite(audit.claimed):
        label = f"{audit.said} to be enough: ({audit.claimed:.3g}, {audit.delta:g})"
        axes.plot(eps, allowed(eps, audit.claimed, audit.delta), color=style.shade(0.0), label=label)
    shown = seen[seen[:, 1] > ROUNDING]
    axes.plot(shown[:, 0], shown[:, 1], color=style.shade(0.5), marker=".", label=f"needed, confidence {audit.confidence:.6g}")
    axes.axvline(audit.lower, color=style.shade(0.9), linestyle=":", label=f"measured: ε ≥ {audit.lower:.3g} at that δ")
    axes.set(xlabel="ε", ylabel="δ", yscale="log", title=f"{audit.mechanism}, m = {audit.setting.m}")
    axes.set_ylim(min([audit.delta, *shown[:, 1]]) / 10, 1.5)
    axes.legend(framealpha=0.9, edgecolor="none", fontsize="small")


def side_by_side(axes: "Axes", audits: Sequence[Audited]) -> None:
    """Draws for each audit, a row a mechanism, the ε that is said to be spent and the ε that was measured."""
    rows = np.arange(len(audits))[::-1]
    axes.barh(
        rows, [one.claimed for one in audits], height=0.7, color=style.shade(0.9), alpha=0.35, label="certified, or declared"
    )
    axes.barh(rows, [one.lower for one in audits], height=0.35, color=style.shade(0.0), label="measured, a lower end")
    axes.set_yticks(rows, labels=[one.mechanism for one in audits])
    axes.tick_params(axis="y", labelsize="small", length=0)
    setting = audits[0].setting
    axes.set(xlabel=f"ε at δ = {setting.delta:g}", title=f"m = {setting.m}, T = {setting.T:g}", ylim=(-0.8, len(audits) - 0.2))
    axes.grid(visible=False, axis="y")
    figure = axes.figure
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize="small")
