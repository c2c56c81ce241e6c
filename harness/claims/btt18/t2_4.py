"""BTT18 Theorem 2.4: the privacy of one A_stab, decided by what is really spent at the claimed δ.

Both numbers are maximised over all pairs of neighbouring vote counts. (With the printed distance of Algorithm 2 and k even, no
ε' is enough at δ once ε > ln 2: from a tie, a gap of 2 is answered with a label that the tie never gives.)
"""

from collections.abc import Iterator
from functools import partial

from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.privacy.stab import hockey_stick, spent


def one_stab(distance: str) -> Iterator[Number]:
    """The ε that one A_stab spends at δ where k is odd, and the δ' that it needs at ε where k is even and votes can tie."""
    for eps, delta in ((0.1, 1e-6), (1.0, 1e-6), (5.0, 1e-6), (1.0, 1e-9)):
        given = f"ε = {eps:g}, δ = {delta:g}, {distance} distance"
        yield Number(f"ε spent at δ, k odd, {given}", spent(distance, eps, delta, 1), eps)
        yield Number(f"δ spent at ε, k even, {given}", hockey_stick(distance, eps, eps, delta, 0), delta)


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
)
