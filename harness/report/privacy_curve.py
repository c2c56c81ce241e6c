"""The privacy curve of an audit: at each ε the δ that is said to be enough, above, and what was seen to be needed, below."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from harness.arrays import Reals
from harness.report import style
from harness.sweep.atomic import replaced
from harness.sweep.errors import InputError
from harness.sweep.ours import MAKER, refuse_foreign
from harness.trials.audited.outcome import Audited

FORMATS: Mapping[str, dict[str, Any]] = {".png": {"Software": MAKER}, ".pdf": {"Creator": MAKER, "CreationDate": None}}
"""What their files say of themselves."""


def allowed(eps: Reals, claimed: float, delta: float) -> Reals:
    """The least δ at each ε that follows from (claimed, δ)-DP alone, (points,): that of the two laws that are furthest apart.

    Kairouz, Oh, Viswanath 2015: with chance δ the two are told apart for certain, and else by a randomised response.
    """
    most = np.maximum(0.0, (np.exp(claimed) - np.exp(np.minimum(eps, claimed))) / (1 + np.exp(claimed)))
    return np.asarray(delta + (1 - delta) * most)


def refuse(path: Path) -> None:
    """Raise InputError on another suffix than those of FORMATS, and where a file of others is at the path."""
    if path.suffix not in FORMATS:
        raise InputError(f"{path.name} is no figure; allowed: {', '.join(FORMATS)}", "--figure")
    refuse_foreign(path)


def draw(found: Audited, path: Path) -> None:
    """Write the figure, whole or not at all. Raises InputError as `refuse`, CannotRunError when it cannot be written."""
    refuse(path)
    import matplotlib.pyplot as plt  # a second to load

    with style.used():
        figure, axes = plt.subplots(figsize=(4.4, 3.2), layout="constrained")
        seen = np.array(found.curve)
        far = max(float(seen[:, 0].max()), 1.2 * found.claimed if np.isfinite(found.claimed) else 0.0)
        eps = np.linspace(0, far, 200)
        if np.isfinite(found.claimed):
            said = allowed(eps, found.claimed, found.delta)
            axes.plot(eps, said, color=style.at(0.0), label=f"said to be enough: ({found.claimed:.3g}, {found.delta:g})")
        shown = seen[seen[:, 1] > 0]
        axes.plot(shown[:, 0], shown[:, 1], color=style.at(0.5), marker=".", label=f"needed, confidence {found.confidence:.6g}")
        axes.axvline(found.lower, color=style.at(0.9), linestyle=":", label=f"measured: ε ≥ {found.lower:.3g} at that δ")
        axes.set(xlabel="ε", ylabel="δ", yscale="log", title=f"{found.mechanism}, m = {found.setting.m}")
        axes.set_ylim(top=1.5)
        axes.legend(frameon=False, fontsize="small")
        with replaced(path) as file:
            figure.savefig(file, format=path.suffix[1:], metadata=FORMATS[path.suffix])
        plt.close(figure)
