"""BTT18a Theorem 3.11, proof: k ≥ 72 ln(2m/β) chunks agree in two thirds, and what that makes of the distance.

By the binomial's own tail: 72 is Hoeffding's, (1/12)⁻² / 2, and the exponent of a coin of 3/4 at 2/3 allows about 57.6.
The step to dist ≥ k/3 forgets the 1 of Algorithm 4, and the last one, that 136 meets both conditions, needs ε not too large.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import ceil, log, sqrt

import scipy

from harness.claims.engine import Claim, Computed, Number
from harness.theory.privacy.tables import printed

CASES = ((1, 0.5), (100, 0.05), (10**4, 0.05), (10**6, 1e-3))


def agreement(constant: float) -> Iterator[Number]:
    """P(fewer than 2k/3 of k votes are x_f), each with chance 3/4, at k = ⌈constant · ln(2m/β)⌉, against β/2m."""
    for m, beta in CASES:
        k = ceil(constant * log(2 * m / beta))
        short = float(scipy.stats.binom.cdf(ceil(Fraction(2 * k, 3)) - 1, k, 0.75))
        yield Number(f"P(fewer than 2k/3 agree), k = {k}, m = {m:g}, β = {beta:g}", short, beta / (2 * m))


def _third(less: int) -> Iterator[Number]:
    """By how much k/3, less so much, exceeds the printed distance where just 2k/3 agree."""
    for k in (3, 30, 3000):
        distance = printed((2 * k // 3, k // 3))
        yield Number(f"k/3 − {less} − dist, k = {k}", max(0.0, k / 3 - less - distance), 0.0)


def _needed(m: int, T: float, eps: float, beta: float) -> Iterator[Number]:
    """What the proof asks of k over the printed k, at δ = 1e-6: dist ≥ a of Corollary 3.9 at β/2, and 72 ln(2m/β)."""
    delta = 1e-6
    common = log(4 * m * T / min(delta, beta / 2)) * sqrt(T * log(2 / delta)) / eps
    where = f"m = {m:g}, T = {T:g}, ε = {eps:g}, β = {beta:g}"
    yield Number(f"3(a + 1)/k, {where}", 3 * (32 * sqrt(2) * common + 1) / (136 * common), 1.0)
    yield Number(f"72 ln(2m/β)/k, {where}", 72 * log(2 * m / beta) / (136 * common), 1.0)


def both(epsilons: tuple[float, ...]) -> Iterator[Number]:
    """Both conditions at these ε."""
    for eps in epsilons:
        for m, T in ((1, 1.0), (100, 1.0), (10**4, 30.0)):
            yield from _needed(m, T, eps, 0.05)


CLAIMS = (
    Claim(
        "BTT18a:T3.11-72",
        "BTT18a Theorem 3.11, proof",
        "If each of k ≥ 72 ln(2m/β) votes is x_f with probability at least 3/4, then at least 2k/3 of them are with "
        "probability at least 1 − β/2m.",
        decider=Computed(partial(agreement, 72.0)),
        nature="step",
        of="BTT18a:T3.11",
    ),
    Claim(
        "BTT18a:T3.11-third",
        "BTT18a Theorem 3.11, proof",
        "Where at least 2k/3 of the votes agree, the distance of Algorithm 4 is at least k/3.",
        decider=Computed(partial(_third, 0)),
        expected="refuted",
        why=(
            "With 2k/3 votes for one answer the gap is at least k/3, and the distance is the gap less 1. The constant 136 "
            "leaves room for the 1."
        ),
        nature="step",
        of="BTT18a:T3.11",
    ),
    Claim(
        "BTT18a:T3.11-third-repaired",
        "BTT18a Theorem 3.11, proof, repaired",
        "Where at least 2k/3 of the votes agree, the distance of Algorithm 4 is at least k/3 − 1.",
        decider=Computed(partial(_third, 1)),
        nature="repair",
        of="BTT18a:T3.11-third",
    ),
    Claim(
        "BTT18a:T3.11-both",
        "BTT18a Theorem 3.11, proof",
        "k = 136 ln(4mT/min(δ, β/2)) √(T ln(2/δ)) / ε is at least 72 ln(2m/β), and k/3 − 1 at least the a that Corollary 3.9 "
        "asks for at β/2, for every ε.",
        decider=Computed(partial(both, (0.1, 1.0, 10.0))),
        expected="refuted",
        why=(
            "The second condition is k ≥ 3(a + 1); a falls like 1/ε, as the printed k does, and the 1 does not. At δ = 10⁻⁶ "
            "and m = 1 it fails from ε = 4.6 on."
        ),
        nature="step",
        of="BTT18a:T3.11",
    ),
    Claim(
        "BTT18a:T3.11-both-repaired",
        "BTT18a Theorem 3.11, proof, repaired",
        "k = 136 ln(4mT/min(δ, β/2)) √(T ln(2/δ)) / ε is at least 72 ln(2m/β), and k/3 − 1 at least the a that Corollary 3.9 "
        "asks for at β/2, for ε up to 1.",
        decider=Computed(partial(both, (0.1, 0.5, 1.0))),
        nature="repair",
        of="BTT18a:T3.11-both",
    ),
)
