"""Deciding a printed rate by its exponents, one axis at a time, on instances that stay as they are while the axis moves.

A printed Õ(m^a V^b/(εn)^c) names powers. What is seen along an axis has a slope in logarithms, and of that slope the logarithms
of the explicit fixed point have a share, which is computed (`logarithms`) and taken off. What is left is the interval of
the power: as wide as chance makes it, and on either side wider by as much as the learner's confidence and the deviation move
over the sweep. So a verdict says:

- refuted: the printed power is outside the interval.
- holds: it is inside, and every rival is outside: powers that are off by a quarter, and those of neighbouring theorems.
- undecided: the interval has room for a rival too.

An upper bound is refuted by faster growth alone, and has rivals on that side alone. Of a sweep where the term in question is
not the largest one nothing is asked: the claim's conditions say so, by numbers of the plan.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite, nan
from typing import ClassVar

import numpy as np
import pandas as pd

from harness.arrays import Reals
from harness.claims.engine.claim import Decider, Kind
from harness.claims.engine.counts import mean_interval
from harness.claims.engine.logarithms import Logarithms
from harness.claims.engine.sampled import Sampled
from harness.claims.engine.verdict import Outcome, Verdict
from harness.sweep.table.samples import Sample, Sampler

OFF = 0.25  # a power that is off by so much is a rival of every other
ROUNDING = 1e-9  # of the computer's arithmetic
LEAST_POINTS = 4
AXES = ("n", "m", "V", "eps")
LINE = ["concept", "distribution", "distribution_parameters", "learner", "constants", "mechanism", "delta", "beta", "gamma"]

Powers = Mapping[str, float]
"""Printed powers by axis, of n, m, V and eps."""


def with_sign(share: float) -> str:
    """A part of an exponent as text of two digits with a sign; what is within rounding of 0 is +0, on any processor."""
    return f"{0.0 if abs(share) <= ROUNDING else share:+.2g}"


@dataclass(frozen=True)
class Power:
    """The power that is claimed, the interval that a sweep gives for it, and the outcome that follows.

    named: those of neighbouring theorems. upper: only a larger power speaks against the claimed one. An interval that is no
    number decides nothing.
    """

    claimed: float
    low: float
    high: float
    named: tuple[float, ...] = ()
    upper: bool = False

    @property
    def rivals(self) -> list[float]:
        """The powers to be told from the claimed one: those that are off by a quarter, and named ones that differ from it."""
        claimed = self.claimed
        every = [claimed - OFF, claimed + OFF, *(each for each in self.named if abs(each - claimed) > 1e-9)]
        return [each for each in every if each > claimed or not self.upper]

    @property
    def outcome(self) -> Outcome:
        """The outcome that the interval means for the claimed power, and its rivals."""
        if not self.low <= self.high:
            return "undecided"
        if self._refuted:
            return "refuted"
        floor = -inf if self.upper else self.low
        return "undecided" if any(floor <= each <= self.high for each in self.rivals) else "holds"

    @property
    def told_apart(self) -> bool:
        """Whether the interval refutes the claimed power or its false neighbours, off by a quarter to either side.

        Of an upper bound the stronger neighbour alone, which falls by a quarter more.
        """
        neighbours = self.claimed - OFF < self.low and (self.upper or self.high < self.claimed + OFF)
        return self.low <= self.high and (neighbours or self._refuted)

    @property
    def nearest(self) -> tuple[float, float]:
        """How far the interval goes from the claimed power towards the rival that it comes nearest to, and how far off that is.

        Nearest for its distance: where no interval reaches a rival, the first number is below the second.
        """
        up, down = self.high - self.claimed, self.claimed - self.low
        towards = [(up if each > self.claimed else down, abs(each - self.claimed)) for each in self.rivals]
        return max(towards, key=lambda reach_and_room: reach_and_room[0] / reach_and_room[1])

    def verdict(
        self,
        claim: str,
        where: str,
        outcome: Outcome | None = None,
        *,
        mechanism: str | None = None,
        trials: int = 0,
        error: float = 0.0,
    ) -> Verdict:
        """The verdict on the claimed power. where: in words. outcome: where more is asked than the power."""
        reach, room = self.nearest
        return Verdict(
            claim=claim,
            outcome=outcome or self.outcome,
            mechanism=mechanism,
            where=where,
            trials=trials,
            measured=reach if isfinite(reach) else None,
            bound=room,
            error=error,
            challenged=outcome != "undecided" and self.told_apart,
        )

    @property
    def _refuted(self) -> bool:
        return self.claimed < self.low or (self.claimed > self.high and not self.upper)


class NoLogarithms:
    """The logarithms beside the powers of a rate that has none."""

    def typical(self, points: pd.DataFrame) -> Reals:
        return np.zeros(len(points))

    def surer(self, points: pd.DataFrame) -> Reals:
        return np.zeros(len(points))


@dataclass(frozen=True)
class Form:
    """A printed rate's form. powers: of its axes; one that is not named is not asked about.
    logarithms: what stands beside them.

    rivals: neighbouring forms, by their names. upper: whether the rate is only to grow no faster.
    """

    powers: Powers
    logarithms: Logarithms
    rivals: Mapping[str, Powers] = field(default_factory=dict)
    upper: bool = False

    def judge(self, claim: str, axis: str, rates: pd.DataFrame, points: pd.DataFrame, place: str) -> Verdict:
        """The verdict on one sweep by the form.

        rates: mean, low and high of the rate, by the axis. points: the parameters and the plan of each point, as
        `logarithms` reads them.
        """
        x = rates.index.to_numpy(float)
        weights, claimed = slope_weights(np.log(x)), self.powers[axis]
        middle, low, high = slope(rates)
        share = float(weights @ self.logarithms.typical(points))
        tolerance = abs(float(weights @ self.logarithms.surer(points)))
        low, high = low - share - tolerance - ROUNDING, high - share + tolerance + ROUNDING
        named = tuple(powers[axis] for powers in self.rivals.values() if axis in powers)
        power = f"power in [{low:.3g}, {high:.3g}], printed {claimed:.3g}"
        words = f"exponent {middle:.3g}, of it {with_sign(share)} by logarithms and up to {tolerance:.2g} more: {power}"
        where = f"{place}, along {axis} from {x[0]:.3g} to {x[-1]:.3g}: {words}"
        return Power(claimed, low, high, named, self.upper).verdict(claim, where)


@dataclass(frozen=True)
class Exponents(Sampled):
    """Decides whether the measured rate of misclassification above γ has a form, along n, m, V and ε."""

    kind: ClassVar[Kind] = "rate"
    trials = "answers"
    counts: ClassVar[bool] = True
    lacking: ClassVar[str] = f"no sweep along n, m, V or eps has {LEAST_POINTS} points of this form"

    form: Form

    def questions(self, rows: pd.DataFrame, sampler: Sampler = Sample.of) -> Iterator[pd.DataFrame]:
        for axis in self.form.powers:
            for _, line in rows.groupby([*LINE, *(other for other in AXES if other != axis)], sort=False):
                if line[axis].nunique() >= LEAST_POINTS:
                    yield line.assign(axis=axis)

    def decide(self, claim: str, rows: pd.DataFrame, error: float, sampler: Sampler = Sample.of) -> Verdict:
        axis, first = str(rows["axis"].iloc[0]), rows.iloc[0]
        noise = f", γ = {first['gamma']:g}" if first["gamma"] > 0 else ""
        place = f"{first['distribution']}, {first['learner']}{noise}"
        points = rows.groupby(axis).first().reset_index()
        verdict = self.form.judge(claim, axis, points_along(rows, axis, error, sampler), points, place)
        return replace(verdict, mechanism=str(first["mechanism"]), trials=sampler(rows, "misclassified").trials, error=error)


Sweep = tuple[str, str, pd.DataFrame]
"""Of rates that are computed: where, in words; the axis; and the table of the points, with mean, low and high of the rate."""


@dataclass(frozen=True)
class ComputedExponents(Decider):
    """Decides exponents of rates that are computed, where too few errors would be seen in a run. sweeps: one axis each."""

    kind: ClassVar[Kind] = "exact"

    form: Form
    sweeps: Callable[[], Iterable[Sweep]]

    def computed(self, claim: str) -> Iterator[Verdict]:
        for place, axis, points in self.sweeps():
            yield self.form.judge(claim, axis, points.set_index(axis)[["mean", "low", "high"]], points, place)


def points_along(line: pd.DataFrame, axis: str, error: float, sampler: Sampler = Sample.of) -> pd.DataFrame:
    """The mean misclassification rate above γ at each point of a sweep, with an interval that misses w.p. at most `error`.

    Columns mean, low and high, all at least 0. No point is left out by what was seen at it.
    """
    points = []
    for value, rows in line.groupby(axis):
        count, m, gamma = sampler(rows, "misclassified"), float(rows["m"].iloc[0]), float(rows["gamma"].iloc[0])
        mean = count.mean
        spread = count.variance / mean if mean > 0 and count.trials > 1 else 1.0
        low, high = mean_interval(count.total, spread, count.trials, error)
        points.append((value, *(max(0.0, each / m - gamma) for each in (mean, low, high))))
    return pd.DataFrame(points, columns=[axis, "mean", "low", "high"]).set_index(axis)


def slope(points: pd.DataFrame) -> tuple[float, float, float]:
    """The least-squares slope of ln(mean) against ln(axis) of a sweep, and its interval, at the level of those of the points.

    The points are independent, so the reaches of their intervals add up in squares, each as far as it goes on its own side (Zou
    and Donner 2008). A curve that is no line has no one slope: this is that of its least-squares line.
    """
    weights = slope_weights(np.log(points.index.to_numpy(float)))
    if not (points["mean"] > 0).all():
        return nan, -inf, inf
    with np.errstate(divide="ignore"):
        mean, low, high = (np.log(points[name].to_numpy(float)) for name in ("mean", "low", "high"))
    used = weights != 0
    below, above = mean - low, high - mean
    down = np.where(weights > 0, below, above)[used] * weights[used]
    up = np.where(weights > 0, above, below)[used] * weights[used]
    middle = float(weights @ mean)
    return middle, middle - float(np.sqrt(down @ down)), middle + float(np.sqrt(up @ up))


def slope_weights(x: Reals) -> Reals:
    """The weights of the values y whose sum is the slope of the least-squares line through (x, y), from x."""
    centred = x - x.mean()
    weights: Reals = centred / (centred @ centred)
    return weights
