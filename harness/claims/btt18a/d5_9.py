"""BTT18a Definition 5.9: the mean of a score over data sets is the same whatever the coins are.

The text says it of permutation-based SGD. A permutation of i.i.d. examples is i.i.d., so for one pass it holds, and for several
in one order too. With an order of its own for each pass it does not: whether the second has the order of the first is up to the
coins, and the mean of what is not linear in the labels depends on it. Measured is the mean over pairs of coins of the squared
difference of the two means: a trial's own gap has a variance, which is known from its chunks and taken off.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import ClassVar

import numpy as np
import pandas as pd

from harness.arrays import Reals
from harness.claims.engine import Claim, Computed, Condition, Decider, Number, Quote, Verdict, among, parameters
from harness.claims.engine.averages import average_interval
from harness.claims.engine.claim import Kind
from harness.claims.engine.verdict import Outcome

WITHIN = 0.02  # of a score: a larger difference would have shown


@dataclass(frozen=True)
class Consistent(Decider):
    """Decides whether a learner's mean scores at two values of its random coins are equal: their root-mean-square gap is 0.

    refuted: its interval is above 0. holds: all of it is below WITHIN.
    """

    kind: ClassVar[Kind] = "rate"
    trials = "stability"

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        for _, cell in rows.groupby("cell", sort=False):
            yield cell

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        first = rows.iloc[0]
        gap, gap_error = (rows[name].to_numpy(np.float64) for name in ("gap", "gap_error"))
        excess: Reals = gap**2 - gap_error**2
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
    learner = parameters(first, "learner")
    return learner.get("order") == "permuted" and learner.get("passes") == 1


def two_passes(second: tuple[int, int]) -> Fraction:
    """The mean of w after two passes of SGD over two labels, each 0 or 1 w.p. ½: first in order, then in the order `second`.

    Steps of ½ on (w − y)²/2, projected to [¼, 1], from ½.
    """
    total = Fraction(0)
    for labels in product((0, 1), repeat=2):
        w = Fraction(1, 2)
        for place in (0, 1, *second):
            w = min(max(w - (w - labels[place]) / 2, Fraction(1, 4)), Fraction(1))
        total += w / 4
    return total


def _apart(second: tuple[int, int]) -> Iterator[Number]:
    """By how much the mean differs from that of two passes in one order."""
    apart = abs(two_passes(second) - two_passes((0, 1)))
    yield Number(f"difference of mean scores, second pass in order {second}", float(apart), 0.0)


SAID = Quote(
    "BTT18a §5 (after Definition 5.9)",
    "Note that the popular permutation-based SGD is one good example of a randomized learner that has consistent "
    "randomization and satisfies on-average stable (e.g., by the results of HRS (15)).",
)

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
        quote=SAID,
    ),
    Claim(
        "BTT18a:D5.9-orders",
        "BTT18a Definition 5.9, and what is said of it, read of a new order for each pass",
        "Permutation-based SGD of two passes, each in an order of its own, has consistent randomisation. (Its sibling: several "
        "passes in one order, which has it as one pass does.)",
        decider=Computed(lambda: _apart((1, 0))),
        expected="refuted",
        nature="reading",
        of="BTT18a:D5.9",
        quote=SAID,
        why=(
            "After two passes over two labels the mean is 71/128 where the second has the order of the first, and 72/128 "
            "where it is the other way round: projected steps of ½ from ½."
        ),
    ),
)
