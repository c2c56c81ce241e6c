"""BTT18a Definition 5.9: the mean of a score over data sets is the same whatever the coins are.

The text says it of permutation-based SGD. A permutation of i.i.d. examples is i.i.d., so for one pass it holds. Measured is the
mean over pairs of coins of the squared difference of the two means: a trial's own gap has a variance, which is known from its
chunks and taken off.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np
import pandas as pd

from harness.arrays import Reals
from harness.claims.engine import Claim, Condition, Decider, Quote, Verdict, among, parameters
from harness.claims.engine.averages import average_interval
from harness.claims.engine.claim import Kind
from harness.claims.engine.verdict import Outcome

WITHIN = 0.02  # of a score: a larger difference would have shown


@dataclass(frozen=True)
class Consistent(Decider):
    """The root-mean-square difference of mean scores under two coins is 0.

    refuted: its interval is above 0. holds: all of it is below WITHIN.
    """

    kind: ClassVar[Kind] = "rate"
    trials = "stability"

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        for _, cell in rows.groupby("cell", sort=False):
            yield cell

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        first = rows.iloc[0]
        gap, own = (rows[name].to_numpy(np.float64) for name in ("gap", "gap_error"))
        excess: Reals = gap**2 - own**2
        mean, low, high = average_interval(excess, error)
        outcome: Outcome = "refuted" if low > 0 else "holds" if high <= WITHIN**2 else "undecided"
        return Verdict(
            claim=claim,
            outcome=outcome,
            cell=str(first["cell"]),
            mechanism="coins",
            where=f"{first['learner']} on {first['distribution']}, n′ = {first['s']:,}",
            trials=len(rows),
            measured=sqrt(max(0.0, mean)),
            resolution=1e-4,
            bound=WITHIN,
            stands=sqrt(max(0.0, high)),
            error=error,
            challenged=high <= WITHIN**2,
        )


def _permuted(first: pd.Series) -> bool:
    said = parameters(first, "learner")
    return said.get("order") == "permuted" and said.get("passes") == 1


CLAIMS = (
    Claim(
        "BTT18a:D5.9",
        "BTT18a Definition 5.9, and what is said of it",
        "Permutation-based SGD, of one pass, has consistent randomisation: at every x the mean of its score over data sets is "
        "the same under any two coins, to within 0.02.",
        where=(
            among("mechanism", "coins"),
            Condition("one pass in an order of its own", ("learner_parameters",), _permuted),
        ),
        decider=Consistent(),
        quote=Quote(
            "BTT18a §5 (after Definition 5.9)",
            "Note that the popular permutation-based SGD is one good example of a randomized learner that has consistent "
            "randomization and satisfies on-average stable (e.g., by the results of HRS (15)).",
        ),
    ),
)
