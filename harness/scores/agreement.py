"""Scores set directly, without data: how many of the k predictions agree, and where, for the theorems on stable histograms.

Positions suit bins of width 1/10, half-shifted too.
"""

from collections.abc import Iterator
from math import ceil
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from harness.arrays import Ints, Labels, Reals
from harness.refusal import Refusal
from harness.scores import TIE, Instance, Learner, Points, Sampling

EDGE, SHIFTED_EDGE, AWAY, OFF = 0.1, 0.15, 0.55, 0.01
SPLIT = (0.35, 0.75)


class AgreementScores(Learner, frozen=True):
    """A learner with fixed scores at two points: at the first, a given share of the chunks' predictions lies close together.

    Of the predictions at the first point a share `share` is around 0.15, half on either side, so that only the γ-partition has
    them in one bin; the others are at 0.55.

    rest: the second point. split: half of its predictions at 0.35, half at 0.75, so that both partitions are tied. shifted: all
    of them around 0.1, so that only the shifted partition has them in one bin, a share (1 + lean)/2 of them above 0.1.
    """

    name: ClassVar[str] = "agreement"

    share: Annotated[float, Field(ge=0.5, le=1)] = 2 / 3
    rest: Literal["split", "shifted"] = "split"
    lean: Annotated[float, Field(ge=0, le=1)] = 0.0

    def samplings(self, instance: Instance) -> tuple[Sampling, ...]:
        return ("sufficient",)

    def refuse(self, instance: Instance, s: int) -> Refusal | None:
        if len(instance.asked) == 2:
            return None
        what = f"agreement sets the scores of two points, and {len(instance.asked)} are asked about"
        return Refusal(f"{what}; allowed: {{name: atoms, masses: [0.5, 0.5], chances: [0.5, 0.5]}}", "distribution")

    def placed(self, k: int) -> tuple[tuple[Reals, Ints], tuple[Reals, Ints]]:
        """Of k predictions at each of the two points: the values that occur, ascending, and how many there are of each."""
        agreeing = ceil(self.share * k - 1e-9)
        first = (
            np.array([SHIFTED_EDGE - OFF, SHIFTED_EDGE + OFF, AWAY]),
            np.array([agreeing - agreeing // 2, agreeing // 2, k - agreeing]),
        )
        above = round((1 + self.lean) / 2 * k) if self.rest == "shifted" else k // 2
        values = [EDGE - OFF, EDGE + OFF] if self.rest == "shifted" else SPLIT
        return first, (np.array(values), np.array([k - above, above]))

    def fit(self, instance: Instance, points: Points, labels: Labels, coins: Ints) -> Reals:
        """Chunks are told apart by their place alone."""
        return np.column_stack([np.repeat(values, counts) for values, counts in self.placed(len(coins))])

    def drawn(self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int) -> Iterator[Reals]:
        yield self.fit(instance, np.empty((0, k)), np.empty((0, k), np.int8), np.zeros(k, np.int64))

    def counted(
        self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int, edges: Reals, trials: int
    ) -> Ints:
        counts = np.array(
            [
                np.bincount(np.searchsorted(own - TIE, values, side="right"), counts, edges.shape[1] + 1)
                for own, (values, counts) in zip(edges, self.placed(k), strict=True)
            ]
        ).astype(np.int64)
        return np.tile(counts, (trials, 1, 1))

    def means(self, instance: Instance, sampling: Sampling, s: int) -> Reals:
        second = EDGE + self.lean * OFF if self.rest == "shifted" else sum(SPLIT) / 2
        return np.array([self.share * SHIFTED_EDGE + (1 - self.share) * AWAY, second])


SCORES = AgreementScores
