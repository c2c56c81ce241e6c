"""BTT18 Theorem 2.4: the privacy of one A_stab, decided by what is really spent at the claimed δ.

Both numbers are maximised over all pairs of neighbouring vote counts. (With the printed distance of Algorithm 2 and k even, no
ε' is enough at δ once ε > ln 2: from a tie, a gap of 2 is answered with a label that the tie never gives.)

BTT18 Theorem 2.5: the utility of one A_stab. The chance of ⊥ is a Laplace tail, and exactly β/2.

(ln(1/δ) + ln(1/β))/ε is no whole number. Read as a distance of at least so much, which is what the full version's note on
Definition 3.1 makes of k-stable, the theorem is true. Read as Definition 2.3 has it, of |D Δ D'| up to so much, it is a
distance of its integer part, which may be nearly 1 short: that is a factor of up to e^ε in the chance of ⊥.
"""

from collections.abc import Iterator
from functools import partial
from math import floor, log

import scipy

from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.privacy.stab import hockey_stick, spent


def one_stab(distance: str) -> Iterator[Number]:
    """Compares the ε that one A_stab spends at δ, k odd, with ε, and the δ' that it needs at ε, k even, with δ: votes tie."""
    for eps, delta in ((0.1, 1e-6), (1.0, 1e-6), (5.0, 1e-6), (1.0, 1e-9)):
        setting = f"ε = {eps:g}, δ = {delta:g}, {distance} distance"
        yield Number(f"ε spent at δ, k odd, {setting}", spent(distance, eps, delta, 1), eps)
        yield Number(f"δ spent at ε, k even, {setting}", hockey_stick(distance, eps, eps, delta, 0), delta)


SETTINGS = (
    *((0.1, 1e-6, 0.05), (1.0, 1e-6, 1e-3), (10.0, 1e-9, 0.5)),
    *((eps, delta, beta) for eps in (0.01, 1.0, 100.0) for delta in (1e-10, 0.2) for beta in (1e-10, 0.2)),
)
"""ε, δ and β."""


def _bottom(distance: float, eps: float, delta: float) -> float:
    """P(distance + Lap(1/ε) ≤ ln(1/δ)/ε)."""
    return float(scipy.stats.laplace.cdf(log(1 / delta) / eps - distance, scale=1 / eps))


def _bottoms() -> Iterator[Number]:
    for eps, delta, beta in SETTINGS:
        distance = (log(1 / delta) + log(1 / beta)) / eps
        yield Number(f"P(⊥) at ε = {eps:g}, δ = {delta:g}, β = {beta:g}", _bottom(distance, eps, delta), beta)


def _of_the_integer_part() -> Iterator[Number]:
    """At ε = 1 and δ = 10⁻⁶, where the distance asked for is 20.99: β = 7.66·10⁻⁴."""
    eps, delta, beta = 1.0, 1e-6, 7.66e-4
    distance = floor((log(1 / delta) + log(1 / beta)) / eps)
    yield Number(f"P(⊥) at a distance of {distance}, ε = 1, δ = 1e-06, β = {beta:g}", _bottom(distance, eps, delta), beta)


PRINTED = Quote(
    "BTT18 §2.1, p. 4 (Theorem 2.5)",
    "If the threshold Γ = log(1/δ)/ε, the distance to instability function is chosen as in Theorem 2.4, and f(D) is "
    "((log(1/δ) + log(1/β))/ε)-stable, then Algorithm 1 outputs f(D) with probability at least 1 − β.",
)


CLAIMS = (
    Claim(
        "BTT18:T2.4",
        "BTT18 Theorem 2.4",
        "With Γ = ln(1/δ)/ε and dist the largest k for which f(D) is k-stable, A_stab is (ε, δ)-DP. Decided on votes, where "
        "one changed example flips one of them.",
        decider=Computed(partial(one_stab, "true")),
        quote=Quote(
            "BTT18 §2.1, p. 4 (Theorem 2.4)",
            "If the threshold Γ = log(1/δ)/ε, and the distance to instability function dist_f(D) = arg max_k [f(D) is "
            "k-stable], then A_stab (Algorithm 1) is (ε, δ)-DP.",
        ),
    ),
    Claim(
        "BTT18:T2.5",
        "BTT18 Theorem 2.5",
        "With Γ = ln(1/δ)/ε, if f is (ln(1/δ) + ln(1/β))/ε-stable on D, then A_stab outputs f(D) with probability at "
        "least 1 − β.",
        decider=Computed(_bottoms),
        quote=PRINTED,
        check="identity",
    ),
    Claim(
        "BTT18:T2.5-integer",
        "BTT18 Theorem 2.5, with Definition 2.3 for a number that is not whole",
        "The same where f does not change on any D' with |D Δ D'| ≤ (ln(1/δ) + ln(1/β))/ε, which is a distance of the integer "
        "part of that. (The other reading is a distance of at least so much: T2.5.)",
        decider=Computed(_of_the_integer_part),
        expected="refuted",
        nature="reading",
        of="BTT18:T2.5",
        quote=PRINTED,
        why=(
            "Distances are whole numbers, and the integer part may be nearly 1 less than what is asked for: the chance of ⊥ is "
            "then nearly e^ε/2 times β, which is more than β from ε = ln 2 on."
        ),
    ),
)
