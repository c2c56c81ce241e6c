"""(ε, δ)-DP: the least constants of λ and w that an accountant certifies, over a range.

A run has n noisy thresholds at scale λ = √(c S ln(g/δ))/ε, S = T or T + 1, and w = c_w λ ln(c_m m/δ), c_w ≤ 2. It is certified
where δ covers both the chance of a label that tells two tables apart, at most n·P(Lap(2λ) − Lap(λ) > w − d₀), and what the ⊤
and ⊥ of n epochs need at ε, by the smaller of two accountants.

*The worst m* is the least at which a run can have n thresholds: the leak falls as m grows from there on, and with fewer queries
there are fewer epochs, each leaking as much. *The worst T* is one at which n has just risen: λ grows with T, n not until then.

*The worst ε is the largest.* Multiply ε, and the reciprocal of λ, by t > 1; λε and so c stay as they are. Both accountants then
ask for more of δ. Pure composition: the number I of losses +ε₀ = 2Δ/λ is Bin(n, σ(ε₀)), which rises, and δ is the mean of
max(0, 1 − e^{ε − (2I − n)ε₀}), an integrand that rises with I and with t. Coins with known thresholds, at order 1 + r before
and 1 + r/t after: ln of a tail is concave, so ln(p/q′) for a shift of th is at least t ln(p/q) for one of h, with either sign;
(p/q′)^{r/t} is at least (p/q)^r, for ⊤ and for ⊥; so an epoch's moment rises; and what converts it into δ, −ln(1 + r) + r ln r
− r ln(1 + r), falls with r. The leak rises by e^{d₀/2λ}.

*Over T and δ.* The least λ rises with n and falls as δ rises, for the leak over δ falls: it is a multiple of
(n/m) m^{1 − c_w/2} δ^{c_w/2 − 1}, but for lower orders of the same sign. So constants are enough in a box where the λ of its
least T and largest δ is certified for its largest n, least δ, and the largest leak.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import ceil, exp, expm1, floor, inf, log, log1p, sqrt

import numpy as np
import scipy

from harness.theory.least.bounds import Box, least_enough
from harness.theory.least.ranges import STANDARD, ConstantSetting, Extreme, Range
from harness.theory.privacy.composition import pure_delta
from harness.theory.privacy.distance import DISTANCES, VALUES, Distance
from harness.theory.privacy.laplace import difference_quantile, difference_tail
from harness.theory.privacy.revealed import SHARES, epoch_moment

SLACK = 1e-4
"""T = e^{ln T} is so far at most from a whole number that is meant."""

WIDEST = 1e3
"""√c is sought between 1/WIDEST and this."""


Ends = tuple[float, float]
"""The least and the largest of something."""


@dataclass(frozen=True)
class SpendingRule:
    """How λ and w of a sparse vector follow from (ε, δ), m and T: λ = √(c S ln(g/δ))/ε and w = c_w λ ln(c_m m/δ).

    distance: what is compared with w. c, g: of λ. more: S − T. threshold, inner: c_w and c_m. tests: so many a query, each of
    which may be ⊥ and raise c by 1. loop: it runs while c ≤ loop·T.
    """

    distance: Distance
    c: float = 32.0
    g: float = 2.0
    more: int = 0
    threshold: float = 2.0
    inner: float = 2.0
    tests: int = 1
    loop: float = 1.0

    def epochs(self, T: float) -> int:
        """How many noisy thresholds a run with cutoff T can use."""
        return floor(self.loop * T + SLACK) + self.tests

    def queries(self, T: float) -> int:
        """The least m at which a run with cutoff T can use `epochs(T)` noisy thresholds."""
        return max(ceil(T), ceil(self.epochs(T) / self.tests))

    def risen(self, T: float) -> float:
        """The largest number, at most T, at which the number of epochs has just risen; of −T minus the least, at least T."""
        return floor(self.loop * T + SLACK) / self.loop

    def lam(self, c: float, T: float, eps: float, delta: float) -> float:
        """λ at a value c of its constant."""
        return sqrt(c * (T + self.more) * log(self.g / delta)) / eps

    def leak(self, lam: float, w: float) -> float:
        """An upper bound on the chance, at one threshold, of a label that the neighbour never gives."""
        return 0.0 if self.distance.unsettled is None else float(difference_tail(w - self.distance.unsettled, lam))

    def enough(self, c: float, c_w: float, T: Ends, eps: float, delta: Ends) -> bool:
        """Whether c and c_w are certified (ε, δ)-DP for all T and δ between two ends each, by the worst of every factor."""
        first, last = -self.risen(-T[0]), self.risen(T[1])
        if first > last:
            return True  # no T between them is a worst one
        lam, m = self.lam(c, first, eps, delta[1]), self.queries(last)
        w = c_w * lam * log(self.inner * m / delta[0])
        leak = self._most_each(first, last) * m * self.leak(lam, w)
        spending = self.distance.sensitivity, lam, self.epochs(last), eps
        return any(leak + needed(*spending) <= delta[0] for needed in (_by_orders, _by_pure))

    def _most_each(self, first: float, last: float) -> float:
        """No T between them has more thresholds a query."""
        falls = first >= 2 * self.tests and self.loop < self.tests  # a loop that counts all tests has as many at any whole T
        few = 0.0 if falls else self.tests
        return max(few, *(self.epochs(T) / self.queries(T) for T in (first, last)))

    def least_lam(self, T: float, eps: float, delta: float) -> float:
        """The least c of λ that is certified, at the worst m."""

        def short(log_c: float) -> float:
            return -1.0 if self.enough(exp(log_c), self.threshold, (T, T), eps, (delta, delta)) else 1.0

        reach = 2 * log(WIDEST)
        return exp(scipy.optimize.brentq(short, -reach, reach, xtol=1e-6))

    def label(self, x: ConstantSetting) -> float:
        """P(tied queries give a label that the neighbour never gives), one query in every epoch."""
        lam, n = self.lam(self.c, x.T, x.eps, x.delta), min(self.tests * x.m, self.epochs(x.T))
        return -expm1(n * log1p(-self.leak(lam, self.threshold * lam * log(self.inner * x.m / x.delta))))

    def least_w(self, T: float, eps: float, delta: float) -> float:
        """The least c_w of w that is certified at the worst m and the printed λ; infinite where none is."""
        return self._least_threshold(T, eps, delta) / log(self.inner * self.queries(T) / delta)

    def least_inner(self, T: float, eps: float, delta: float) -> float:
        """The least c_m ≥ 1 of w that is certified at the worst m and the printed λ."""
        return max(1.0, exp(min(700.0, self._least_threshold(T, eps, delta) / self.threshold)) * delta / self.queries(T))

    def _least_threshold(self, T: float, eps: float, delta: float) -> float:
        """The least w over λ, likewise."""
        n, lam = self.epochs(T), self.lam(self.c, T, eps, delta)
        left = delta - covered(self.distance.sensitivity, lam, n, eps)
        if left <= 0:
            return inf
        return (difference_quantile(left / n, lam) + (self.distance.unsettled or 0)) / lam


def covered(step: int, lam: float, n: int, eps: float) -> float:
    """The δ that n epochs of a sparse vector are certified to need at ε for their ⊤s and ⊥s. step: how far a distance moves."""
    return min(_by_pure(step, lam, n, eps), _by_orders(step, lam, n, eps))


@cache
def _by_pure(step: int, lam: float, n: int, eps: float) -> float:
    """That δ from what an epoch spends at most."""
    return pure_delta(2 * step / lam, n, eps)


@cache
def _by_orders(step: int, lam: float, n: int, eps: float) -> float:
    """That δ from Rényi divergences of an epoch whose threshold is known; infinite where these say nothing."""
    shift = step / (2 * lam)
    if shift > 50:
        return inf
    rise = SHARES / expm1(shift)
    orders = 1 + rise
    log_delta = n * epoch_moment(orders, shift) - np.log(orders) - rise * (eps - np.log(rise / orders))
    return exp(min(0.0, float(log_delta.min())))


def least_lam(run: SpendingRule, within: Range = STANDARD, tolerance: float = 0.03) -> Extreme:
    """The least c of λ that is certified (ε, δ)-DP in all of a range, up to the tolerance, and the setting that needs it."""
    eps = within.eps[1]
    return _least(run, within, lambda c, T, delta: run.enough(c, run.threshold, T, eps, delta), run.least_lam, tolerance)


def least_w(run: SpendingRule, within: Range = STANDARD, tolerance: float = 0.002) -> Extreme:
    """The least c_w of w that is certified (ε, δ)-DP in all of a range, up to the tolerance, and the setting that needs it."""
    eps = within.eps[1]
    return _least(run, within, lambda c, T, delta: run.enough(run.c, c, T, eps, delta), run.least_w, tolerance)


def least_inner(run: SpendingRule, within: Range = STANDARD, tolerance: float = 0.02) -> Extreme:
    """The least c_m ≥ 1 of w that is certified (ε, δ)-DP in all of a range, up to the tolerance, and where it is needed."""
    eps = within.eps[1]

    def enough(c: float, T: Ends, delta: Ends) -> bool:
        return replace(run, inner=c).enough(run.c, run.threshold, T, eps, delta)

    extreme = _least(run, within, enough, run.least_inner, tolerance, least=1.0)
    return extreme if extreme.value > 1 else Extreme(1.0, None)


def _least(
    run: SpendingRule,
    within: Range,
    enough: Callable[[float, Ends, Ends], bool],
    needed: Callable[[float, float, float], float],
    tolerance: float,
    least: float = 0.0,
) -> Extreme:
    eps = within.eps[1]
    box: Box = ((0.0, log(within.queries - 1)), (log(within.delta[0]), log(within.delta[1])))

    def needed_at(place: tuple[float, ...]) -> float:
        T, delta = map(exp, place)
        return needed(max(1.0, run.risen(T)), eps, delta)

    start = max(product(*box), key=needed_at)
    value, (T, delta) = least_enough(
        box, lambda c, one: enough(c, *(_between(*ends) for ends in one)), needed_at, start, tolerance, least
    )
    T = max(1.0, run.risen(exp(T)))
    return Extreme(value, ConstantSetting(run.queries(T), T, eps, exp(delta), within.beta[1]))


def _between(low: float, high: float) -> Ends:
    return exp(low), exp(high)


BINARY = SpendingRule(DISTANCES["printed"])
CORRECTED = SpendingRule(DISTANCES["corrected"], more=1)
SPARSE = SpendingRule(VALUES, g=1.0)
SCORES = SpendingRule(DISTANCES["printed"], c=64.0, inner=4.0, tests=2)
SCORES_REPAIRED = SpendingRule(DISTANCES["printed"], c=64.0, inner=4.0, tests=2, loop=2.0)
