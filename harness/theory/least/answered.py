"""Stable queries answered: the least values of the constants of k, and of the distances that are asked for, over a range.

*Enough.* A stable query fails where its noise Lap(2λ) and the threshold's Lap(λ) take its distance d to w: under a fresh
threshold with probability at most ⅔e^{−x/2λ}, x = d − w ≥ 0. In a run it fails no more often: that an epoch goes on says that
its threshold is low, since P(⊥) rises with the threshold; so the law of the threshold given that the query is reached is
stochastically at most the fresh one. By the union bound over m queries x = 2λ ln(2m/(3β)) is enough, whatever the order, the
number of ⊥s and the k votes are; where no stable query is ⊥ there are at most T ⊥s, and no early halt.

*Over a range.* In a = ln m, t = ln T, b = ln 1/δ, e = ln 1/β and ln ε, what is asked for over λ is affine on both sides of
where δ and β/h are equal, h the constant in min(δ, β/h): c(a + t + max(b, e + ln h) + …). What is enough over λ is
2(a + b) + 2(a + e) + … + 1/λ, up to a factor, and 1/λ ∝ ε T^{−½} (ln 2/δ)^{−½} is log-convex, so convex. So where a value is
enough a convex function minus an affine one is ≤ 0, on both sides of the cut: if that holds at the corners of the cut range it
holds everywhere in it. The corners are all that is searched, and nothing is missed.

*Too little.* On m queries at just that distance P(none fails) = E[(1 − b(u))^m], u the threshold's noise: an integral.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import exp, floor, log

import numpy as np
import scipy

from harness.theory.constants import constants
from harness.theory.constants.btt18 import online_lam, online_w
from harness.theory.constants.btt18a import margin, sparse_vec_lam, stable_distance
from harness.theory.constants.btt18a_scores import ScoreTask, score_constants
from harness.theory.constants.btt18a_scores import sufficient_distance as sufficient_score_distance
from harness.theory.constants.ours import sufficient_distance
from harness.theory.factors import LEAST, PRINTED, set_named
from harness.theory.least.ranges import STANDARD, ConstantSetting, Extreme, Range
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.laplace import difference_tail, tail
from harness.theory.privacy.sparse_vector import threshold_nodes

MOST = 1e6
HALVINGS = 60  # of the range of ln c


@dataclass(frozen=True)
class StableQueriesAsked:
    """Finds which values of a constant c in a theorem's k or distance are enough, or too small, to answer all stable queries.

    over: what c asks for over what is enough, at a setting. lam, w: of the noise. distance: the least that a stable query may
    have. halved: h of min(δ, β/h), by c; 0 where there is no such minimum. least: nothing smaller may stand in its place.
    """

    over: Callable[[float, ConstantSetting], float]
    distance: Callable[[float, ConstantSetting], float]
    lam: Callable[[ConstantSetting], float]
    w: Callable[[ConstantSetting], float]
    halved: Callable[[float], float]
    least: float = LEAST
    tests: int = 1

    def enough(self, c: float, within: Range = STANDARD) -> bool:
        """Whether a value c is proved to be enough at every setting of the range."""
        return self._shortest(c, within)[0] >= 1

    def _shortest(self, c: float, within: Range) -> tuple[float, ConstantSetting]:
        cut = self.halved(c)
        corners = list(within.corners((cut,) if cut else ()))
        distances = [self.over(c, each) for each in corners]
        shortest = int(np.argmin(distances))
        return distances[shortest], corners[shortest]

    def extreme(self, within: Range = STANDARD) -> Extreme:
        """The least value that is proved to be enough everywhere in the range; where it is needed, if it is not the least of
        all.
        """
        low, high = log(self.least), log(MOST)
        if self.enough(self.least, within):
            return Extreme(self.least, None)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.enough(exp(middle), within) else (middle, high)
        return Extreme(exp(high), self._shortest(exp(low), within)[1])

    def alone(self, setting: ConstantSetting) -> float | None:
        """The least value proved to be enough at one setting; None where none is, or where the constant has no say there."""
        if self.over(self.least, setting) == self.over(MOST, setting) or self.over(MOST, setting) < 1:
            return None
        if self.over(self.least, setting) >= 1:
            return self.least
        return exp(scipy.optimize.brentq(lambda x: log(self.over(exp(x), setting)), log(self.least), log(MOST)))

    def shown(self, extreme: Extreme, within: Range = STANDARD) -> tuple[float, ConstantSetting] | None:
        """The largest value shown to be too small, at the setting that needs most, and that setting; None where none is.

        Among places that need as much it takes the smallest β and ε: there a union bound and rounding up lose least.
        """
        if extreme.setting is None:
            return None
        cut = self.halved(extreme.value)
        corners = within.corners((cut,) if cut else ())
        most = [one for one in corners if self.over(extreme.value, one) < 1 + 1e-6]
        setting = min((*most, extreme.setting), key=lambda one: (one.beta, one.eps))
        value = self.too_small(setting, extreme.value)
        return (value, setting) if value else None

    def failing(self, c: float, setting: ConstantSetting) -> float:
        """P(not all m queries are answered) at a value c and a setting, all of them at the least distance of a stable query."""
        lam, w = self.lam(setting), self.w(setting)
        chance = any_fails((self.distance(c, setting) - w) / lam, setting.m)
        return chance * (1 - float(difference_tail(w, lam))) if self.tests == 2 else chance

    def broken(self, c: float, setting: ConstantSetting) -> bool:
        """Whether stable queries are known that are not all answered with a chance above β, at a value c and a setting."""
        return self.failing(c, setting) > setting.beta

    def too_small(self, setting: ConstantSetting, below: float) -> float:
        """The largest value of c shown to be too small at a setting, at most `below`; 0 if none is."""
        low, high = log(max(self.least, below / 10)), log(below)
        if not self.broken(exp(low), setting):
            return 0.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.broken(exp(middle), setting) else (low, middle)
        return exp(low)


def any_fails(level: float, m: int) -> float:
    """P(a query among m is ⊥), all of them at distance w + level·λ: 1 − E[(1 − P(⊥ | u))^m], u the threshold's noise over λ."""
    u, weights = threshold_nodes(np.array([level]))
    bottom = tail((level - u) / 2)  # P(level + Lap(2) ≤ u)
    with np.errstate(divide="ignore"):
        return float(weights @ -np.expm1(m * np.log1p(-bottom)))


def two_thirds(distance: str, k: int) -> float:
    """The least distance to instability of a query on which 2k/3 of k votes agree. distance: the name of the distance."""
    top = -(-2 * k // 3)
    return float(DISTANCES[distance].of(np.array(2 * top - k)))


def of_labels(name: str, constant: str) -> StableQueriesAsked:
    """A `StableQueriesAsked` for the constant `constant` in the k of the set `name`, for A_binClas and A_subSamp."""
    base = set_named(name, constants())
    factor = next(each for each in base.factors if each.name == constant)
    kind = base.calibration.distance.name
    gap = {"printed": 1, "corrected": 2}[kind]
    changed = cache(lambda c: base.changed({constant: c}))

    def over(c: float, x: ConstantSetting) -> float:
        beyond = sufficient_distance(PRINTED, x.task, base.lam(x.task, x.T), base.w(x.task, x.T))
        return changed(c).k(x.task, x.T) / (3 * gap * (beyond + 1))

    return StableQueriesAsked(
        over,
        lambda c, x: two_thirds(kind, changed(c).whole_k(x.task, x.T)),
        lambda x: base.lam(x.task, x.T),
        lambda x: base.w(x.task, x.T),
        halved=_halved(name, constant),
        least=factor.least,
    )


def _halved(name: str, constant: str) -> Callable[[float], float]:
    if name.startswith("k_tight"):
        return lambda c: 0.0
    return (lambda c: c) if constant == "c_beta" else (lambda c: 2.0)


def of_distances(constant: str) -> StableQueriesAsked:
    """A `StableQueriesAsked` for a constant in the distance of BTT18a Corollary 3.9 (A_OQR) or the margin of Theorem 2.8."""
    online = constant.startswith("c_oqr")
    factor = next(each for each in (*stable_distance.factors, *margin.factors) if each.name == constant)

    def values(c: float, x: ConstantSetting) -> float:
        values = PRINTED.but({constant: c})
        return stable_distance.of(values, x.task, x.T) if online else margin.of(values, x.task, x.T)

    def lam(x: ConstantSetting) -> float:
        return online_lam(x.eps, x.delta, x.m, x.T) if online else sparse_vec_lam(x.eps, x.delta, x.T)

    def w(x: ConstantSetting) -> float:
        return online_w(x.eps, x.delta, x.m, x.T) if online else 0.0

    return StableQueriesAsked(
        lambda c, x: values(c, x) / sufficient_distance(PRINTED, x.task, lam(x), w(x)),
        values,
        lam,
        w,
        halved=lambda c: 1.0 if online else 0.0,
        least=factor.least,
    )


def of_scores(name: str, constant: str) -> StableQueriesAsked:
    """A `StableQueriesAsked` for a constant in the k of a set for scores, or in the d of BTT18a Theorem 5.6.

    Of a query's two tests one alone passes here.
    """
    base = set_named(name, score_constants())
    factor = next(each for each in base.factors if each.name == constant)
    changed = cache(lambda c: base.changed({constant: c}))

    def task(x: ConstantSetting) -> ScoreTask:
        return ScoreTask(x.m, x.T, x.eps, x.delta, x.beta)

    def over(c: float, x: ConstantSetting) -> float:
        constants = changed(c)
        beyond = sufficient_score_distance.of(PRINTED, task(x), base.lam(task(x)), base.w(task(x)))
        if constant == "c_d":
            return constants.stable(task(x)) / beyond
        return constants.chunks(task(x), base.lam(task(x)), base.w(task(x))) / (3 * (beyond + 1))

    def distance(c: float, x: ConstantSetting) -> float:
        constants = changed(c)
        return float(floor(constants.stable(task(x))) + 1) if constant == "c_d" else two_thirds("printed", constants.k(task(x)))

    return StableQueriesAsked(
        over,
        distance,
        lambda x: base.lam(task(x)),
        lambda x: base.w(task(x)),
        halved=lambda c: 0.0 if name == "k_tight" else 1.0,
        least=factor.least,
        tests=2,
    )
