"""Deciding a sample complexity: n* as measured against the n that the explicit fixed point asks for, along α, V or ε.

n = Õ(…) is decided in two steps: the explicit fixed point has that form (`forms`), and n* is no more, which is what is decided
here. Each n* comes with an interval that is right but for a stated chance (`trials.search`). Beside the verdict stand the local
exponents of n*, with an interval that follows from those of its points without any normal approximation, of the fixed point,
and as printed. They have no part in it and need not agree: n* may lie far below the fixed point, where nothing is promised. How
n* grows is decided by `growth`, where the plan at n* is not vacuous.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from harness.claims.engine.claim import Decider, Kind
from harness.claims.engine.exponents import LEAST_POINTS, LINE, slope_weights
from harness.claims.engine.verdict import NEAR, Outcome, Verdict

HARDER = {"alpha": -1, "V": 1, "eps": -1}
"""The axes, and whether learning gets harder as they rise (1) or fall (−1)."""
SETTING = [*LINE, "k_scale"]


@dataclass(frozen=True)
class Complexity(Decider):
    """Decides whether the least n of one construction, n*, is at most what its fixed point asks for, at every point of a sweep.

    This is promised of the error that its theorem claims. To reach γ + α itself takes no less, so where even that n* is small
    enough the claim holds, and where it is not nothing is promised.

    powers: as printed, of 1/α, V and 1/ε.
    """

    kind: ClassVar[Kind] = "rate"
    trials = "sample_complexity"
    lacking: ClassVar[str] = f"no sweep along alpha, V or eps has {LEAST_POINTS} points"

    powers: Mapping[str, float]

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        return sweeps(rows)

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        axis, first = str(rows["axis"].iloc[0]), rows.iloc[0]
        needed = rows["needed"].to_numpy(float)
        high = rows["n_high"].to_numpy(float, na_value=np.inf)
        low = rows["n_low"].to_numpy(float)
        outcome: Outcome = "undecided"
        if float(rows["error"].sum()) <= error:
            outcome = "holds" if (high <= needed).all() else "refuted" if (low >= needed).any() else "undecided"
        if first["target"] != "theorem" and outcome != "holds":
            outcome = "vacuous"
        ends = rows[axis].max(), rows[axis].min()
        easy, hard = ends if HARDER[axis] < 0 else ends[::-1]
        goal = "its theorem's error" if first["target"] == "theorem" else "α itself"
        place, ratio = f"{first['concept']}, {first['distribution']}, {goal}", float((high / needed).max())
        return Verdict(
            claim=claim,
            outcome=outcome,
            mechanism=str(first["mechanism"]),
            where=f"{place}, {axis} = {easy:.3g} to {hard:.3g}: {self._exponents(rows)}; exponents have no part in this",
            trials=len(rows),
            measured=ratio,
            bound=1.0,
            error=error,
            challenged=first["target"] == "theorem" and bool((low * NEAR > needed).any()),
        )

    def _exponents(self, rows: pd.DataFrame) -> str:
        """Those of n*, with their interval, of the fixed point, and as printed."""
        axis = str(rows["axis"].iloc[0])
        learning = rows[rows["n_high"].notna()]
        if learning[axis].nunique() < 2:
            return "n* was not found"
        sign, solved = HARDER[axis], slope(learning, axis, "needed")[0]
        middle, low, high = slope(learning, axis, "n_star")
        low, high = sorted((sign * low, sign * high))
        printed = sign * self.powers[axis]
        measured = f"exponent {sign * middle:.2f} in [{low:.2f}, {high:.2f}]"
        return f"{measured}, the fixed point's {sign * solved:.2f}, printed {printed:g}"


def sweeps(rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The sweeps along α, V or ε that rows have with points enough, each with its `axis`."""
    for axis in HARDER:
        for _, line in rows.groupby([*SETTING, "target", *(other for other in HARDER if other != axis)], sort=False):
            if line[axis].nunique() >= LEAST_POINTS:
                yield line.assign(axis=axis)


def slope(rows: pd.DataFrame, axis: str, column: str) -> tuple[float, float, float]:
    """The least-squares slope of ln(column) as an axis makes learning harder, and the ends that n*'s intervals give it."""
    weights = slope_weights(HARDER[axis] * np.log(rows[axis].to_numpy(float)))
    middle = float(weights @ np.log(rows[column].to_numpy(float)))
    if column != "n_star":
        return middle, middle, middle
    low, high = (np.log(rows[end].to_numpy(float).clip(1)) for end in ("n_low", "n_high"))
    rising = weights > 0
    return middle, float(weights @ np.where(rising, low, high)), float(weights @ np.where(rising, high, low))
