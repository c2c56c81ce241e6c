"""BTT18 Theorem 2.5: the utility of one A_stab."""

from collections.abc import Iterable
from math import log

from scipy.stats import laplace

from harness.claims.claim import ComputedClaim, Number


class StableQueryReleased(ComputedClaim):
    """The release probability is a Laplace tail, so this is exact: the chance of ⊥ is β/2."""

    id = "BTT18:T2.5"
    source = "BTT18 Theorem 2.5"
    statement = (
        "With Γ = ln(1/δ)/ε, if f is (ln(1/δ) + ln(1/β))/ε-stable on D, then A_stab outputs f(D) with probability at "
        "least 1 − β."
    )

    def numbers(self) -> Iterable[Number]:
        for eps, delta, beta in ((0.1, 1e-6, 0.05), (1.0, 1e-6, 1e-3), (10.0, 1e-9, 0.5)):
            distance, threshold = (log(1 / delta) + log(1 / beta)) / eps, log(1 / delta) / eps
            bottom = float(laplace.cdf(threshold - distance, scale=1 / eps))
            yield Number(f"P(⊥) at ε = {eps:g}, δ = {delta:g}, β = {beta:g}", bottom, beta)


CLAIMS = (StableQueryReleased(),)
