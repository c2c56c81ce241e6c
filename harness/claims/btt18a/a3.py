"""BTT18a Algorithm 3: the law of A_OQR, in closed form: how often every stable query is answered.

A bound leaves room for a mechanism that is not the printed one: with less noise, another threshold or one draw too many it may
still be kept. An exact law leaves none. The claim is two-sided, and is decided by the code's own answers at ensembles so small,
and noise so light, that a single vote shows.

A query with split votes is taken to be ⊥ for sure: it is not with probability below δ/m, so the number is off by less than
Tδ/m.
"""

from functools import cache
from math import comb, floor, log, sqrt

import numpy as np
import pandas as pd

from harness.claims.engine import ANSWERED, Claim, Condition, Law, among, shaped
from harness.theory.privacy.sparse_vector import first_bottom


@cache
def some_stable_bottom(m: int, T: int, level: float) -> float:
    """P(not all stable queries are answered) where T < m queries, at random places, are ⊥ for sure and the others stable.

    level: how far the stable queries lie above w, in units of λ. T + 1 epochs share the m − T of them: with S(l) the chance
    that an epoch's threshold lets l of them pass, and l₀ + … + l_T = m − T equally likely in all C(m, T) ways, the chance that
    all pass is the coefficient of x^{m−T} in (Σ S(l) x^l)^{T+1}, over C(m, T). Absolute error 1e-11 for m ≤ 1000.
    """
    stable = m - T
    first = first_bottom(np.full(stable, level))
    survives = np.append(1.0, 1 - np.cumsum(first[:-1]))
    passed = np.array([1.0])
    for _ in range(T + 1):
        passed = np.convolve(passed, survives)[: stable + 1]
    return 1 - float(passed[stable]) / comb(m, T)


def _failure(first: pd.Series) -> float:
    m, T, eps, delta = int(first["m"]), float(first["T"]), float(first["eps"]), float(first["delta"])
    # Written out, and not taken from the row or from `theory.parameters`: where those err, the claim must not follow.
    lam = sqrt(32 * T * log(2 / delta)) / eps
    w = 2 * lam * log(2 * m / delta)
    return some_stable_bottom(m, floor(T), (int(first["k"]) - 1 - w) / lam)


CLAIMS = (
    Claim(
        "BTT18a:A3-law",
        "not in the papers: the exact law of BTT18a Algorithm 3, and of Algorithm 4 for its distances",
        "With λ = √(32 T ln(2/δ))/ε and w = 2λ ln(2m/δ), where the k votes are unanimous on all but ⌊T⌋ of the m queries, at "
        "random places and split in half, the queries at distance d = k − 1 are all answered with probability exactly "
        "E[Π S(l_i)]: l₀ … l_⌊T⌋ are the numbers of them in the epochs, and S(l) = E[P(d + Lap(2λ) > ŵ | ŵ)^l] with ŵ = w + "
        "Lap(λ).",
        where=(
            among("mechanism", "A_binClas", "A_subSamp", "A_OQR"),
            among("concept", "ensemble"),
            among("distribution", "agreement"),
            shaped("distribution", "right", 1),
            Condition("T < m ≤ 1000", ("T", "m"), lambda first: bool(first["T"] < first["m"] <= 1000)),
        ),
        decider=Law(ANSWERED.limits, may_fail=_failure),
        nature="ours",
        check="self-check",
    ),
)
