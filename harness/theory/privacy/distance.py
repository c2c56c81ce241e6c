"""Distances to instability of a vote, and what one changed vote does to them.

The signed gap of a query over two labels is g = ct(1) − ct(0); over more labels it is ct(top) − ct(second) ≥ 0. One changed
vote moves it by at most 2, and over two labels its parity is that of k.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from harness.arrays import Ints
from harness.theory.factors import ConstantValues, Factor

C_GAP = Factor(
    "c_gap",
    1,
    "dist = max(0, ⌈(ct(top) − ct(second)) / c_gap⌉ − 1)",
    "BTT18 Algorithm 2, step 7; BTT18a Algorithm 4, step 5",
    only=(1, 2),
)
"""Votes that one changed vote may move a gap by, which is 2, to one step of the distance, where the texts have 1."""


@dataclass(frozen=True)
class Distance:
    """A distance to instability of a query's votes. of: the distance as a function of the signed gap, any shape.

    sensitivity: the most that one changed vote moves it. unsettled: its greatest value on a table of votes whose neighbour has
    another winner, so that an answer tells the two apart; None if no label is ever output. Winners differ only where both gaps
    are at most 2, on a tie or one vote from it.
    """

    name: str
    of: Callable[[Ints], Ints]
    sensitivity: int
    unsettled: int | None
    factors: tuple[Factor, ...] = ()

    def with_values(self, values: ConstantValues) -> "Distance":
        """The distance with these values of its constants."""
        return DISTANCES[OF_GAP[values[self.factors[0]]]] if self.factors else self


DISTANCES = {
    distance.name: distance
    for distance in (
        # How many votes can change and one more still leave the winner: g > 0 loses to a tie, g ≤ 0 only to a majority.
        Distance("true", lambda g: np.where(g > 0, (g + 1) // 2 - 1, -g // 2), sensitivity=1, unsettled=0),
        # BTT18 Algorithm 2: max(0, ct(top) − ct(second) − 1), which is 1 at a gap of 2.
        Distance("printed", lambda g: np.maximum(np.abs(g) - 1, 0), sensitivity=2, unsettled=1, factors=(C_GAP,)),
        # The repair: max(0, ⌈gap/2⌉ − 1), the true distance where ties may go either way.
        Distance(
            "corrected",
            lambda g: np.maximum((np.abs(g) + 1) // 2 - 1, 0),
            sensitivity=1,
            unsettled=0,
            factors=(replace(C_GAP, printed=2),),
        ),
    )
}
OF_GAP: dict[float, str] = {1: "printed", 2: "corrected"}
"""The distances by the value of c_gap."""

VALUES = Distance("value", lambda g: g, sensitivity=1, unsettled=None)
"""No vote at all: values of sensitivity 1 that are compared with the threshold as they are, and never answered by a label."""
