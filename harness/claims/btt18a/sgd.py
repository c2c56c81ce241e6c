"""BTT18a Section 5, Theorem 2: uniform stability over permutations gives on-average stability.

Where permutations leave the mean over data sets as it is, on-average stability is the mean of what uniform stability takes the
largest of. What is measured of the latter is the change of a label at the point that is asked about, which is at most the
largest; where it is known to be the largest, the theorem can be refuted, elsewhere only be seen to hold.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import pandas as pd

from harness.claims.engine import Claim, Decider, Quote, Verdict, among
from harness.claims.engine.averages import average_interval
from harness.claims.engine.claim import Kind
from harness.claims.engine.verdict import NEAR, Outcome


@dataclass(frozen=True)
class NoMoreThanUniform(Decider):
    """α of on-average stability is at most `factor` times that of uniform stability over permutations."""

    kind: ClassVar[Kind] = "rate"
    trials = "stability"
    lacking: ClassVar[str] = "no cell has both on_average and uniform"

    factor: float = 1.0

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        for _, cell in rows.groupby("cell", sort=False):
            if cell["mechanism"].nunique() == 2:
                yield cell

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        first = rows.iloc[0]
        squares = {name: own["mean_square"].to_numpy(float) for name, own in rows.groupby("mechanism")}
        mean, low, high = average_interval(squares["on_average"], error / 2)
        most, least_most, most_most = (self.factor**2 * each for each in average_interval(squares["uniform"], error / 2))
        outcome: Outcome = "holds" if high <= least_most else "undecided"
        if low > most_most and first["hardest"]:
            outcome = "refuted"
        return Verdict(
            claim=claim,
            outcome=outcome,
            cell=str(first["cell"]),
            mechanism="on_average",
            where=f"{first['learner']} on {first['distribution']}, n′ = {first['s']:,}",
            trials=len(squares["on_average"]),
            measured=sqrt(mean),
            bound=sqrt(most),
            stands=sqrt(high),
            error=error,
            challenged=low * NEAR**2 > most_most,
        )


CLAIMS = (
    Claim(
        "BTT18a:SGD",
        "BTT18a Section 5, Theorem 2",
        "Where A after a random permutation of its data is α-uniformly stable, A is α-on-average stable.",
        where=(among("mechanism", "on_average", "uniform"),),
        decider=NoMoreThanUniform(),
        quote=Quote(
            "BTT18a §5 (Theorem 2)",
            "If A(σ(·)) is α-uniformly stable, then A is α-on-average stable.",
        ),
    ),
)
