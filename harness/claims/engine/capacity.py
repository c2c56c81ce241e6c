"""Deciding how many times as many queries one mechanism answers as another at the same misclassification rate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from harness.claims.engine.claim import Decider, Kind
from harness.claims.engine.exponents import LEAST_POINTS, LINE
from harness.claims.engine.verdict import Outcome, Verdict

Reals = NDArray[np.float64]

TARGETS = 13
LEAST_COUNT = 100  # errors at a point


def answered(m: Reals, rate: Reals, targets: Reals) -> Reals:
    """The largest number of queries at each target misclassification rate; nan beyond the sweep.

    m, rate: (points,), a sweep in rising m. Between its points ln m is linear in ln rate; a rate that falls by chance counts as
    the highest before it.
    """
    highest = np.maximum.accumulate(rate)
    log_m: Reals = np.interp(np.log(targets), np.log(highest), np.log(m), left=np.nan, right=np.nan)
    return np.exp(log_m)


def common_targets(ours: Reals, baseline: Reals) -> Reals:
    """Rates that both sweeps reach, in equal ratios; none if they have no rate in common."""
    low, high = max(ours.min(), baseline.min()), min(ours.max(), baseline.max())
    inside = np.geomspace(low, high, TARGETS + 2)[1:-1] if low < high else np.empty(0)
    return np.asarray(inside, np.float64)


@dataclass(frozen=True)
class Capacity(Decider):
    """How many times as many queries one mechanism answers as another, as the target rate falls: the exponent of that factor.

    It is taken over the rates that both mechanisms reach in the sweep. Beside it stands the exponent of the same factor with
    the learner's error α at each mechanism's own chunk size in place of the measured rate, which is what the explicit fixed
    point says.
    """

    kind: ClassVar[Kind] = "rate"
    trials = "answers"
    lacking: ClassVar[str] = (
        f"no two sweeps along m reach the same rates with {LEAST_POINTS} points of {LEAST_COUNT} errors each"
    )

    mechanism: str
    baseline: str

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        for _, line in rows.groupby([*(key for key in LINE if key != "mechanism"), "eps", "n"], sort=False):
            sweeps = self._sweeps(line)
            if len(sweeps) == 2 and all(len(sweep) >= LEAST_POINTS for sweep in sweeps.values()):
                rates = [sweep["rate"].to_numpy(float) for sweep in sweeps.values()]
                if len(common_targets(*rates)):
                    yield line

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        first, sweeps = rows.iloc[0], self._sweeps(rows)
        targets = common_targets(*(sweep["rate"].to_numpy(float) for sweep in sweeps.values()))
        slope, sd = _slope_with_deviation(sweeps, targets)
        reach = float(norm.isf(error / 2)) * sd if error > 0 else float("inf")
        solved = {name: sweep.assign(rate=sweep["alpha"]) for name, sweep in sweeps.items()}
        own = _slope(solved, common_targets(*(sweep["rate"].to_numpy(float) for sweep in solved.values())))
        factors = np.exp(_log_factors(sweeps, targets))
        outcome: Outcome = "holds" if slope + reach < 0 else "refuted" if slope - reach >= 0 else "undecided"
        place = f"{first['distribution']}, {first['learner']}, {first['constants']}, n = {first['n']:.3g}"
        span = f"×{factors[0]:.3g} at {targets[0]:.2g} to ×{factors[-1]:.3g} at {targets[-1]:.2g}"
        exponent = (
            f"exponent {slope:.2f} in [{slope - reach:.2f}, {slope + reach:.2f}], the claimed −1, the fixed point's {own:.2f}"
        )
        return Verdict(
            claim=claim,
            outcome=outcome,
            mechanism=self.mechanism,
            where=f"{place}: {span}; {exponent}",
            trials=len(rows),
            measured=slope + reach,
            bound=0.0,
            error=error,
            challenged=bool(factors[0] > 1),
        )

    def _sweeps(self, line: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """For each mechanism its sweep along m where enough errors were seen: m, rate, alpha and the variance of ln rate.

        A point's ln has the variance of its mean by the delta method.
        """
        sweeps = {}
        for name in (self.mechanism, self.baseline):
            by = line[line["mechanism"] == name].groupby("m")
            rate = by["misclassification_rate"]
            sweep = pd.DataFrame({"rate": rate.mean(), "variance": rate.var() / rate.count() / rate.mean() ** 2})
            sweep["alpha"] = by["alpha"].first()
            sweep = sweep[(by["misclassified"].sum() >= LEAST_COUNT) & (rate.count() > 1)].reset_index()
            if len(sweep):
                sweeps[name] = sweep
        return sweeps


def _log_factors(sweeps: Mapping[str, pd.DataFrame], targets: Reals) -> Reals:
    ours, baseline = (answered(sweep["m"].to_numpy(float), sweep["rate"].to_numpy(float), targets) for sweep in sweeps.values())
    return np.asarray(np.log(ours / baseline), np.float64)


def _slope(sweeps: Mapping[str, pd.DataFrame], targets: Reals) -> float:
    x = np.log(targets)
    centred = x - x.mean()
    return float(centred @ _log_factors(sweeps, targets) / (centred @ centred))


def _slope_with_deviation(sweeps: Mapping[str, pd.DataFrame], targets: Reals) -> tuple[float, float]:
    """The slope of ln factor in ln target, and a bound on its standard deviation.

    The slope is a function of the ln of every measured rate, linearised by differences. Points of one mechanism are independent
    cells; the two mechanisms share their queries, and the sum of their deviations covers any correlation.
    """
    slope, step, deviation = _slope(sweeps, targets), log(1.001), 0.0
    for name, sweep in sweeps.items():
        variance = 0.0
        for point in range(len(sweep)):
            moved = sweep.copy()
            moved.loc[point, "rate"] *= np.exp(step)
            inside = np.clip(targets, moved["rate"].min(), moved["rate"].max())
            gradient = (_slope({**sweeps, name: moved}, inside) - slope) / step
            variance += gradient**2 * float(sweep["variance"].to_numpy(float)[point])
        deviation += variance**0.5
    return slope, deviation
