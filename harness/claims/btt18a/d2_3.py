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

from harness.claims.engine import Claim, Computed, Number
from harness.theory.privacy.laplace import tail
from harness.theory.privacy.stab import hockey_stick
from harness.theory.privacy.tables import own_distance, pairs, winner

CASES = ((0.1, 1e-6), (1.0, 1e-6), (5.0, 1e-9))


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
            p, q = (_released(own_distance(each), threshold, eps) for each in (table, neighbour))
            same = winner(table) == winner(neighbour)
            bad = p if p > (exp(eps) * q if same else 0.0) * (1 + 1e-12) else 0.0
            bad += 1 - p if 1 - p > exp(eps) * (1 - q) * (1 + 1e-12) else 0.0
            worst = max(worst, bad)
        yield Number(f"P(an outcome that is e^ε times as likely), ε = {eps:g}, δ = {delta:g}", worst, delta)


def _released(distance: int, threshold: float, eps: float) -> float:
    """P(A_stab says the label)."""
    return float(tail(np.array(eps * (threshold - distance))))


CLAIMS = (
    Claim(
        "BTT18a:D2.3",
        "BTT18a Definition 2.3, with Theorem 3.2",
        "A_stab is (ε, δ)-differentially private by the definition as printed: for every S, with probability at least 1 − δ "
        "over the coin flips, P(M(D) in S) is at most e^ε P(M(D') in S).",
        decider=Computed(lambda: _beyond(0.0)),
        expected="refuted",
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
    ),
    Claim(
        "BTT18a:D2.3-repaired",
        "BTT18a Definition 2.3, repaired, with Theorem 3.2",
        "P(A_stab(D) in S) is at most e^ε P(A_stab(D') in S) + δ for every S.",
        decider=Computed(lambda: _beyond(1.0)),
        nature="repair",
        of="BTT18a:D2.3",
    ),
)
