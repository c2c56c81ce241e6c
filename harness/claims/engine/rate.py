"""Deciding a rate: the ratio of what is measured to the explicit fixed point, along a sweep.

A bound that holds "up to constants and logarithms" as n, m or V grows is decided by whether measured/claimed grows: by the
slope of ln(mean/claimed) against ln(axis), with an interval, and not by raw slopes, which logarithms bend. What is claimed is
the leading term of the explicit bound at the fixed point, 3(γ+α) + 1/m: the deviation term √((γ+α) m ln(m/β)/2)/m fades as m
grows, and would make any ratio to the whole bound grow until it has. Along V, for the same reason, V/s stands in place of
α + 1/m, or √(V/s) where γ > 0, with s the chunk size at the fixed point: V hides in the α of a PAC bound until it is larger
than the logarithm of the confidence beside it. Beside the ratio stand the local exponents of the measured mean, with its
interval, and of the claimed rate.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from harness.claims.engine.claim import Decider, Kind
from harness.claims.engine.verdict import Outcome, Verdict

Reals = NDArray[np.float64]

LOGS = 0.15  # a power of a logarithm L has the local exponent 1/L, here about 1/16; so much is left to two of them
LEAST_POINTS = 4
LEAST_COUNT = 100  # errors at a point, over all its trials: with fewer, the logarithm of their mean has no normal law
AXES = ("n", "m", "V")
SETTING = ["constants", "mechanism", "eps", "delta", "beta", "gamma"]
LINE = ["concept", "distribution", "distribution_parameters", "learner", *SETTING]


@dataclass(frozen=True)
class Rate(Decider):
    """A rate of misclassification along each of the axes, where the explicit bound is not vacuous.

    What is compared is 3(γ+α) + 1/m, with α at the mechanism's own chunk size; along V, 3(γ+V/s) or 3(γ+√(V/s)). With γ > 0 it
    is not to be asked along n, where the claimed rate comes down to 3γ while the measured one may rest on γ: the ratio is
    bounded, and grows.
    """

    kind: ClassVar[Kind] = "rate"
    trials = "answers"
    lacking: ClassVar[str] = f"no sweep along n, m or V has {LEAST_POINTS} points with {LEAST_COUNT} errors at each"

    axes: Sequence[str] = AXES

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        for axis in self.axes:
            for _, line in rows.groupby([*LINE, *(other for other in AXES if other != axis)], sort=False):
                if line[axis].nunique() >= LEAST_POINTS and len(_points(line, axis)) >= LEAST_POINTS:
                    yield line.assign(axis=axis)

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        axis, first = str(rows["axis"].iloc[0]), rows.iloc[0]
        points = _points(rows, axis)
        measured = _slope(points, points["mean"], error)
        growth = _slope(points, points["mean"] / points["claimed"], error)
        claimed = _slope(points, points["claimed"], error)
        outcome: Outcome = "holds" if growth[2] <= LOGS else "refuted" if growth[1] > LOGS else "undecided"
        place = f"{first['distribution']}, {first['learner']}" + (f", γ = {first['gamma']:g}" if first["gamma"] > 0 else "")
        sweep = f"{place}, along {axis} from {points.index[0]:.3g} to {points.index[-1]:.3g}"
        exponent = f"exponent {measured[0]:.2f} in [{measured[1]:.2f}, {measured[2]:.2f}], the claimed {claimed[0]:.2f}"
        return Verdict(
            claim=claim,
            outcome=outcome,
            mechanism=str(first["mechanism"]),
            where=f"{sweep}: {exponent}",
            trials=len(rows),
            measured=growth[0],
            bound=LOGS,
            error=error,
            challenged=growth[2] - growth[1] <= 2 * LOGS,  # an exponent that is off by more would have shown
        )


def _points(line: pd.DataFrame, axis: str) -> pd.DataFrame:
    """Mean rate, its variance and the claimed rate at each point of a sweep where enough errors were seen."""
    by = line.groupby(axis)
    rates = by["misclassification_rate"]
    first = by.first()
    if axis == "V":
        share = first.index / first["s"]
        claimed = 3 * (first["gamma"] + share.where(first["gamma"] == 0, np.sqrt(share)))
    else:
        claimed = 3 * (first["gamma"] + first["alpha"]) + 1 / (line["m"].iloc[0] if axis == "n" else first.index)
    points = pd.DataFrame({"mean": rates.mean(), "variance": rates.var() / rates.count(), "claimed": claimed})
    return points[by["misclassified"].sum() >= LEAST_COUNT]


def _slope(points: pd.DataFrame, values: "pd.Series[float]", error: float) -> tuple[float, float, float]:
    """The least-squares slope of ln(value) against ln(axis) and an interval that misses it with probability `error`.

    Each point's ln has the variance of its mean by the delta method. A curve that is no line has no one slope: this is that of
    its least-squares line, which is what the interval is about.
    """
    weights, y = slope_weights(np.log(points.index.to_numpy(float))), np.log(values.to_numpy(float))
    variance = (points["variance"] / points["mean"] ** 2).to_numpy(float)
    slope = float(weights @ y)
    reach = float(norm.isf(error / 2)) * float(np.sqrt(weights**2 @ variance)) if error > 0 else float("inf")
    return (slope, slope - reach, slope + reach) if isfinite(reach) else (slope, float("-inf"), float("inf"))


def slope_weights(x: Reals) -> Reals:
    """The slope of the least-squares line through (x, y) is these weights times y."""
    centred = x - x.mean()
    weights: Reals = centred / (centred @ centred)
    return weights
