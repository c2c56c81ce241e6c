"""Distances to instability of a vote, and what one changed vote does to them.

The signed gap of a query over two labels is g = ct(1) − ct(0); over more labels it is ct(top) − ct(second) ≥ 0. One changed
vote moves it by at most 2, and over two labels its parity is that of k.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness.arrays import Ints


@dataclass(frozen=True)
class Distance:
    """of: the distance as a function of the signed gap, any shape.

    sensitivity: the most that one changed vote moves it. unsettled: its greatest value on a table of votes whose neighbour has
    another winner, so that an answer tells the two apart; None if no label is ever output. Winners differ only where both gaps
    are at most 2, on a tie or one vote from it.
    """

    name: str
    of: Callable[[Ints], Ints]
    sensitivity: int
    unsettled: int | None


DISTANCES = {
    distance.name: distance
    for distance in (
        # How many votes can change and one more still leave the winner: g > 0 loses to a tie, g ≤ 0 only to a majority.
        Distance("true", lambda g: np.where(g > 0, (g + 1) // 2 - 1, -g // 2), sensitivity=1, unsettled=0),
        # BTT18 Algorithm 2: max(0, ct(top) − ct(second) − 1), which is 1 at a gap of 2.
        Distance("printed", lambda g: np.maximum(np.abs(g) - 1, 0), sensitivity=2, unsettled=1),
        # The repair: max(0, ⌈gap/2⌉ − 1), the true distance where ties may go either way.
        Distance("corrected", lambda g: np.maximum((np.abs(g) + 1) // 2 - 1, 0), sensitivity=1, unsettled=0),
    )
}

VALUES = Distance("value", lambda g: g, sensitivity=1, unsettled=None)
"""No vote at all: values of sensitivity 1 that are compared with the threshold as they are, and never answered by a label."""
