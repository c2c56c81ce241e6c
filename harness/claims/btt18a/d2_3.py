"""BTT18a Definition 2.3: (ε, δ)-differential privacy, as printed and as it is meant.

Printed: M is (ε, δ)-differentially private if for all neighbours D, D' and every S, "with probability at least 1 − δ over the
coin flips of M", Pr(M(D) ∈ S) ≤ e^ε Pr(M(D') ∈ S). The inequality is between two numbers, so no coin has a say in it: taken
at its word it asks for pure ε. That A_stab cannot give, as it may say a label that the neighbour never says. Taken as a
statement about the outcome, but for a chance δ no outcome is e^ε times as likely, A_stab has it; and post-processing has not
(Lemma 2.4). What all proofs use is Pr(M(D) ∈ S) ≤ e^ε Pr(M(D') ∈ S) + δ.
"""

from collections.abc import Iterator
from math import exp, log

import numpy as np

from harness.claims.btt18a.tables import own_distance, pairs, winner
from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.privacy.laplace import tail
from harness.theory.privacy.stab import hockey_stick

CASES = ((0.1, 1e-6), (1.0, 1e-6), (5.0, 1e-9), (0.1, 0.2), (100.0, 0.2), (100.0, 1e-10))
QUOTE = Quote(
    "BTT18a §2 (Definition 2.3)",
    "A (randomized) algorithm M with input domain U* and output range R is (ε, δ)-differentially private if for all pairs of "
    "datasets D, D′ ∈ U* s.t. |DΔD′| = 1, and every measurable S ⊆ R, we have with probability at least 1−δ over the coin "
    "flips of M that: Pr(M(D) ∈ S) ≤ e^ε · Pr(M(D′) ∈ S).",
)


def _beyond(share: float) -> Iterator[Number]:
    """The most by which any event's chance exceeds e^ε times that of a neighbour, against so many δ."""
    for eps, delta in CASES:
        excess = max(hockey_stick("true", eps, eps, delta, parity) for parity in (0, 1))
        yield Number(f"P(S) − e^ε Q(S) of one A_stab, ε = {eps:g}, δ = {delta:g}", excess, share * delta)


def _outcomes() -> Iterator[Number]:
    for eps, delta in CASES:
        threshold = log(1 / delta) / eps
        worst = 0.0
        for table, neighbour in pairs():
            (p, bottom), (q, other) = (_outcome_law(own_distance(each), threshold, eps) for each in (table, neighbour))
            same = winner(table) == winner(neighbour)
            bad = p if p > (exp(eps) * q if same else 0.0) * (1 + 1e-12) else 0.0
            bad += bottom if bottom > exp(eps) * other * (1 + 1e-12) else 0.0
            worst = max(worst, bad)
        yield Number(f"P(an outcome that is e^ε times as likely), ε = {eps:g}, δ = {delta:g}", worst, delta)


def _outcome_law(distance: int, threshold: float, eps: float) -> tuple[float, float]:
    """P(A_stab says the label) and P(⊥), each to a relative precision."""
    below = eps * (threshold - distance)
    label, bottom = tail(np.array([below, -below]))
    return float(label), float(bottom)


CLAIMS = (
    Claim(
        "BTT18a:D2.3",
        "BTT18a Definition 2.3, with Theorem 3.2",
        "A_stab is (ε, δ)-differentially private by the definition as printed: for every S, with probability at least 1 − δ "
        "over the coin flips, P(M(D) in S) is at most e^ε P(M(D') in S).",
        decider=Computed(lambda: _beyond(0.0)),
        expected="refuted",
        quote=QUOTE,
        why=(
            "P(M(D) in S) is a number and has no coin flips left, so the definition asks for δ = 0. A_stab answers with "
            "positive probability on one of two neighbours what it never answers on the other, so it is not private in that "
            "sense."
        ),
    ),
    Claim(
        "BTT18a:D2.3-coins",
        "BTT18a Definition 2.3, read of outcomes, with Theorem 3.2",
        "With probability at least 1 − δ over the coin flips of A_stab, what it says on D is at most e^ε times as likely as on "
        "D'. Decided on all tables of votes of 2 to 4 labels and up to 8 chunks.",
        decider=Computed(_outcomes),
        nature="reading",
        of="BTT18a:D2.3",
        quote=QUOTE,
    ),
    Claim(
        "BTT18a:D2.3-repaired",
        "BTT18a Definition 2.3, repaired, with Theorem 3.2",
        "P(A_stab(D) in S) is at most e^ε P(A_stab(D') in S) + δ for every S, every ε > 0 and δ in (0, 1).",
        decider=Computed(lambda: _beyond(1.0)),
        nature="repair",
        of="BTT18a:D2.3",
        proof=(
            "Where neighbours have the same f, both answers have chances that one changed example changes by a factor of at "
            "most e^ε, as it moves the distance by at most 1. Where they differ, both distances are 0, and each says f with "
            "probability ½e^(−ln(1/δ)) = δ/2 and ⊥ else: S with ⊥ in it has probability at most 1 on one and at least 1 − δ/2 "
            "on the other, and S without it at most δ/2."
        ),
    ),
)
