"""Deciding how many times as many queries one mechanism answers as another at the same misclassification rate.

Where the rate of one goes as m^a and that of the other as m^b, but for logarithms, the factor between the numbers of queries
that they answer at a rate ρ goes as ρ^(1/a − 1/b). Its exponent is measured, and what the logarithms of both fixed points do
to it over the same sweeps is computed and taken off, as in `exponents`: the verdict is on the power that is left.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf, log
from typing import ClassVar

import numpy as np
import pandas as pd
import scipy

from harness.arrays import Reals
from harness.claims.engine.claim import Kind
from harness.claims.engine.exponents import LEAST_POINTS, LINE, Power, with_sign
from harness.claims.engine.logarithms import Paid, Regime
from harness.claims.engine.sampled import Sampled
from harness.claims.engine.verdict import Verdict
from harness.sweep.table.samples import Sample, Sampler

TARGETS = 13
LINEAR = 1.0  # a logarithm of a rate that may be off by more is no linear function of what was seen


def answered(m: Reals, rate: Reals, targets: Reals) -> Reals:
    """The largest number of queries m at each target misclassification rate, by a sweep along m; nan beyond the sweep.

    m, rate: (points,), a sweep in rising m. Between its points ln m is linear in ln rate; a rate that falls by chance counts as
    the highest before it. Points before the first mistake that was seen have no logarithm and are left out.
    """
    highest = np.maximum.accumulate(rate)
    erred = highest > 0
    if not erred.any():
        return np.full(targets.shape, np.nan)
    log_m: Reals = np.interp(np.log(targets), np.log(highest[erred]), np.log(m[erred]), left=np.nan, right=np.nan)
    return np.exp(log_m)


def common_targets(ours: Reals, baseline: Reals) -> Reals:
    """Misclassification rates, in equal ratios, that two sweeps in rising m reach after their first above 0, if any."""
    if not (ours.any() and baseline.any()):
        return np.empty(0)
    low, high = max(rate[rate > 0][0] for rate in (ours, baseline)), min(ours.max(), baseline.max())
    inside = np.geomspace(low, high, TARGETS + 2)[1:-1] if low < high else np.empty(0)
    return np.asarray(inside, np.float64)


@dataclass(frozen=True)
class Capacity(Sampled):
    """Decides by what power of the target rate the factor grows by which one mechanism answers more queries than another.

    It is taken over the rates that both mechanisms reach in the sweep. powers: of m in the rate of each, as printed, and what
    each pays for.
    """

    kind: ClassVar[Kind] = "rate"
    trials = "answers"
    counts: ClassVar[bool] = True
    lacking: ClassVar[str] = f"no two sweeps along m reach the same rates with {LEAST_POINTS} points each"

    mechanism: str
    baseline: str
    powers: tuple[float, float] = (1.0, 0.5)
    paid: tuple[Paid, Paid] = ("T", "m")

    def questions(self, rows: pd.DataFrame, sampler: Sampler = Sample.of) -> Iterator[pd.DataFrame]:
        for _, line in rows.groupby([*(key for key in LINE if key != "mechanism"), "eps", "n"], sort=False):
            sweeps = self._sweeps(line, sampler)
            if len(sweeps) == 2 and all(len(sweep) >= LEAST_POINTS for sweep in sweeps.values()):
                rates = [sweep["rate"].to_numpy(float) for sweep in sweeps.values()]
                if all((rate > 0).all() for rate in rates) and len(common_targets(*rates)):
                    yield line

    def decide(self, claim: str, rows: pd.DataFrame, error: float, sampler: Sampler = Sample.of) -> Verdict:
        first, sweeps = rows.iloc[0], self._sweeps(rows, sampler)
        claimed = 1 / self.powers[0] - 1 / self.powers[1]
        targets = common_targets(*(sweep["rate"].to_numpy(float) for sweep in sweeps.values()))
        middle, sd = _slope_with_deviation(sweeps, targets)
        fewest = min(int(sweep["trials"].min()) for sweep in sweeps.values())
        quantile = float(scipy.stats.t.isf(error / 2, fewest - 1)) if error > 0 else inf
        unsure = quantile * max(float(np.sqrt(sweep["variance"].max())) for sweep in sweeps.values())
        reach = quantile * sd if unsure <= LINEAR else inf
        share, tolerance = self._logarithms(sweeps, targets, str(first["constants"]))
        low, high = middle - reach - share - tolerance, middle + reach - share + tolerance
        factors = np.exp(_log_factors(sweeps, targets))
        place = f"{first['distribution']}, {first['learner']}, {first['constants']}, n = {first['n']:.3g}"
        span = f"×{factors[0]:.3g} at {targets[0]:.2g} to ×{factors[-1]:.3g} at {targets[-1]:.2g}"
        exponent = f"exponent {middle:.2f} in [{middle - reach:.2f}, {middle + reach:.2f}]"
        beside = f"of it {with_sign(share)} by logarithms and up to {tolerance:.2g} more"
        where = f"{place}: {span}; {exponent}, {beside}: power in [{low:.2f}, {high:.2f}], claimed {claimed:g}"
        power = Power(claimed, low, high)
        return power.verdict(
            claim, where, mechanism=self.mechanism, trials=sampler(rows, "misclassification_rate").trials, error=error
        )

    def _sweeps(self, line: pd.DataFrame, sampler: Sampler) -> dict[str, pd.DataFrame]:
        """For each mechanism its sweep along m: its points, their rates and the variances of ln rate, by the delta method."""
        sweeps = {}
        for name in (self.mechanism, self.baseline):
            by = line[line["mechanism"] == name].groupby("m")
            rates = [sampler(rows, "misclassification_rate") for _, rows in by]
            if rates and min(rate.trials for rate in rates) > 1:
                rate, trials = np.array([rate.mean for rate in rates]), np.array([rate.trials for rate in rates])
                with np.errstate(divide="ignore", invalid="ignore"):
                    variance = np.array([rate.variance for rate in rates]) / trials / rate**2
                sweeps[name] = by.first().assign(rate=rate, variance=variance, trials=trials).reset_index()
        return sweeps

    def _logarithms(self, sweeps: Mapping[str, pd.DataFrame], targets: Reals, constants: str) -> tuple[float, float]:
        """What the logarithms of both fixed points do to the exponent, for certain; and how much more they may do.

        Of sweeps that go as printed, at the level of those that were measured.
        """

        def exponent(certain: float, more: float) -> float:
            printed = {}
            for (name, sweep), power, paid in zip(sweeps.items(), self.powers, self.paid, strict=True):
                regime = Regime(1, paid, constants)
                beside = certain * regime.typical(sweep) + more * regime.surer(sweep)
                logs = power * np.log(sweep["m"].to_numpy(float)) + beside
                level = np.log(sweep["rate"].to_numpy(float)).mean() - logs.mean()
                printed[name] = sweep.assign(rate=np.exp(logs + level))
            reached = [sweep["rate"].to_numpy(float) for sweep in printed.values()]
            return _slope(printed, common_targets(*reached)) if len(common_targets(*reached)) else inf

        alone, with_logs = exponent(0, 0), exponent(1, 0)
        return with_logs - alone, abs(exponent(1, 1) - with_logs)


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
            inside = np.clip(targets, moved["rate"].iloc[0], moved["rate"].max())
            gradient = (_slope({**sweeps, name: moved}, inside) - slope) / step
            variance += gradient**2 * float(sweep["variance"].to_numpy(float)[point])
        deviation += variance**0.5
    return slope, deviation
