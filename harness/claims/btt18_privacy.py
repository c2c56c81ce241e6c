"""The privacy theorems, decided by what is really spent at the claimed δ.

One changed example flips one vote, so ct(top) − ct(second) moves by 2 and the printed distance ct(top) − ct(second) − 1 by 2,
where the proofs of BTT18 T3.1 and BTT18a C3.10 take 1. A single A_stab with it spends 2ε. Over a whole run the slack of
advanced composition absorbs that, for ε up to about 5.
"""

from collections.abc import Iterable
from typing import ClassVar

import pandas as pd

from harness.claims.claim import ComputedClaim, ExactClaim, Number, Outcome
from harness.theory.privacy.stab import hockey_stick, spent


class OneStab(ComputedClaim):
    """The ε that one A_stab spends at δ where k is odd, and the δ' that it needs at ε where k is even and votes can tie.

    Both are maximised over all pairs of neighbouring vote counts. (With the printed distance and k even, no ε' is enough at δ
    once ε > ln 2: from a tie, a gap of 2 is answered with a label that the tie never gives.)
    """

    distance = "true"

    def numbers(self) -> Iterable[Number]:
        for eps, delta in ((0.1, 1e-6), (1.0, 1e-6), (5.0, 1e-6), (1.0, 1e-9)):
            given = f"ε = {eps:g}, δ = {delta:g}, {self.distance} distance"
            yield Number(f"ε spent at δ, k odd, {given}", spent(self.distance, eps, delta, 1), eps)
            yield Number(f"δ spent at ε, k even, {given}", hockey_stick(self.distance, eps, eps, delta, 0), delta)


class TrueDistance(OneStab):
    """With the distance of the definition."""

    id = "BTT18:T2.4"
    source = "BTT18 Theorem 2.4"
    statement = (
        "With Γ = ln(1/δ)/ε and dist the largest k for which f(D) is k-stable, A_stab is (ε, δ)-DP. Decided on votes, where "
        "one changed example flips one of them."
    )


class PrintedDistance(OneStab):
    """With the distance that Algorithm 2 computes."""

    id = "BTT18:T3.1-dist"
    source = "BTT18 Theorem 3.1, proof; Algorithm 2 line 6"
    statement = "max{0, ct(top) − ct(second) − 1} meets T2.4's hypothesis, so one A_stab with it is (ε, δ)-DP. (It spends 2ε.)"
    expected: ClassVar[Outcome] = "refuted"
    distance = "printed"


class CorrectedDistance(OneStab):
    """With a distance of sensitivity 1."""

    id = "BTT18:T3.1-dist-repaired"
    source = "BTT18 Theorem 3.1, proof, repaired"
    statement = "max{0, ⌈(ct(top) − ct(second))/2⌉ − 1} has sensitivity 1, so one A_stab with it is (ε, δ)-DP."
    distance = "corrected"


class WholeRun(ExactClaim):
    """A certified upper bound on the ε of a run of ⌊T⌋ + 1 epochs, at the claimed δ."""

    trials = "privacy"
    quantity = "spent_upper"
    calibration: str
    largest_eps = 10.0

    def applies(self, first: pd.Series) -> bool:
        return bool(first["mechanism"] == self.calibration and first["eps"] <= self.largest_eps)

    def bound(self, first: pd.Series) -> float:
        return float(first["eps"])

    def measured(self, rows: pd.DataFrame) -> float:
        return float(rows["spent_upper"].max())


class BinClas(WholeRun):
    """As printed: sensitivity 2, λ = √(32 T ln(2/δ))/ε, T + 1 epochs."""

    id = "BTT18:T3.1"
    source = "BTT18 Theorem 3.1"
    statement = (
        "A_binClas is (ε, δ)-DP. Certified for ε up to 5, in spite of its proof; at ε = 10 and T from 1000 on the "
        "optimal accountant "
        "certifies a little more than ε, and no attack is known that spends as much."
    )
    calibration = "printed"
    largest_eps = 5.0


class SubSamp(BinClas):
    """The same noise and the same distance."""

    id = "BTT18a:C3.10"
    source = "BTT18a Corollary 3.10"
    statement = "A_subSamp is (ε, δ)-DP. Certified for ε up to 5, as BTT18:T3.1."


class BinClasRepaired(WholeRun):
    """⌈gap/2⌉ − 1 and T + 1 in place of T."""

    id = "BTT18:T3.1-repaired"
    source = "BTT18 Theorem 3.1, repaired"
    statement = "With dist = max{0, ⌈gap/2⌉ − 1} and λ, w computed for T + 1, A_binClas is (ε, δ)-DP."
    calibration = "corrected"


class SparseVec(WholeRun):
    """Sensitivity 1, λ = √(32 T ln(1/δ))/ε."""

    id = "BTT18a:T2.7"
    source = "BTT18a Theorem 2.7"
    statement = "A_sparseVec is (ε, δ)-DP for queries of sensitivity 1."
    calibration = "sparse_vec"


CLAIMS = (TrueDistance(), PrintedDistance(), CorrectedDistance(), BinClas(), SubSamp(), BinClasRepaired(), SparseVec())
