"""The claims about the private learner, BTT18 §4 and BTT18a §4: registered, and untested until an experiment trains one."""

from collections.abc import Iterable

import pandas as pd

from harness.theory.claims.claim import Claim, ClaimKind, Verdict


class Untested(Claim):
    """A statement that no kind of trial here measures yet."""

    expected = "untested"

    def __init__(self, id: str, source: str, kind: ClaimKind, statement: str) -> None:
        self.id, self.source, self.kind, self.statement = id, source, kind, statement  # type: ignore[misc]

    def questions(self, frame: pd.DataFrame) -> Iterable[pd.DataFrame]:
        return ()

    def decide(self, rows: pd.DataFrame, error: float) -> Verdict:
        return Verdict(self.id, "untested")


CLAIMS = (
    Untested(
        "BTT18:T4.2",
        "BTT18 Theorem 4.2",
        "probability",
        "Realizable: with m = O((V + ln(1/β))/α²) and n = Õ(V^(3/2)/(ε α^(3/2))), err(ĥ) ≤ 15α with probability at least "
        "1 − 3β.",
    ),
    Untested(
        "BTT18:T4.3",
        "BTT18 Theorem 4.3",
        "probability",
        "Agnostic: with n = Õ(V^(3/2)/(ε α^(5/2))), err(ĥ) ≤ 7γ + 15α with probability at least 1 − 3β.",
    ),
    Untested("BTT18:R1", "BTT18 Remark 1", "rate", "T can be set from a private estimate of γ + α on half of the data."),
    Untested("BTT18:R2", "BTT18 Remark 2", "rate", "If Θ is an ERM, m = Õ(V/α) and n = Õ(V^(3/2)/(εα)) suffice."),
    Untested("BTT18:R3", "BTT18 Remark 3", "rate", "With PAC learners only, n = Õ(V²/(εα)) suffices in the realizable case."),
)
