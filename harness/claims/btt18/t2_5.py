"""BTT18 Theorem 2.5: the utility of one A_stab. The chance of ⊥ is a Laplace tail, and exactly β/2."""

from collections.abc import Iterator
from math import log

import scipy

from harness.claims.engine import Claim, Computed, Number


def _bottoms() -> Iterator[Number]:
    for eps, delta, beta in ((0.1, 1e-6, 0.05), (1.0, 1e-6, 1e-3), (10.0, 1e-9, 0.5)):
        distance, threshold = (log(1 / delta) + log(1 / beta)) / eps, log(1 / delta) / eps
        bottom = float(scipy.stats.laplace.cdf(threshold - distance, scale=1 / eps))
        yield Number(f"P(⊥) at ε = {eps:g}, δ = {delta:g}, β = {beta:g}", bottom, beta)


CLAIMS = (
    Claim(
        "BTT18:T2.5",
        "BTT18 Theorem 2.5",
        "With Γ = ln(1/δ)/ε, if f is (ln(1/δ) + ln(1/β))/ε-stable on D, then A_stab outputs f(D) with probability at "
        "least 1 − β.",
        decider=Computed(_bottoms),
        check="identity",
    ),
)
