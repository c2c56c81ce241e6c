"""Two neighbouring data sets that a mechanism is run on, to see how far apart the laws of what it says are."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness.arrays import Reals

LEVELS = 24  # gaps that are tried in the search for one where the answer is uncertain
NARROWED = 8  # and once more between two of them
SHARES = (0.5, 0.1)
MOST_SEARCHED = 1000  # the largest gap at which it is seen whether runs repeat each other
AT_ONCE = 256  # runs that are made one after the other with one generator
ALONE = 1 / 32  # of the runs, those that are made one at a time, where others are made many at once


@dataclass(frozen=True)
class NeighbourPair:
    """Two data sets that differ in one example, with a way to run a mechanism on either and to see what it says.

    words: the pair, for a reader. outputs: what each number of an outcome is. run: the outcomes of so many runs on the first
    data set (0) or on its neighbour (1), (runs, outputs), with a generator of their own. block: how many runs are made at once.
    weight: how many runs it gets, where a pair usually gets 1.
    """

    words: str
    outputs: tuple[str, ...]
    run: Callable[[int, int, np.random.Generator], Reals]
    block: int = 1
    weight: float = 1.0

    def sample(self, side: int, runs: int, streams: Callable[[str], np.random.Generator], purpose: str) -> Reals:
        """The outcomes of `runs` runs on one side, (runs, outputs), by blocks, each with a random stream for itself."""
        parts = [
            self.run(side, min(self.block, runs - done), streams(f"{purpose}/{self.words}/{side}/{done}"))
            for done in range(0, runs, self.block)
        ]
        return np.concatenate(parts) if parts else np.empty((0, len(self.outputs)))


def uncertain(lost: Callable[[int], float], k: int) -> list[int]:
    """Gaps of k votes at which about half, and about a tenth, of the queries are answered otherwise than by the winner.

    lost: that share at a gap. It is tried on a grid, and once more about the place; none where the winner is always answered,
    or never.
    """
    gaps_found = set[int]()
    coarse = _gaps(np.geomspace(3, max(k, 3), LEVELS), k)
    shares = np.array([lost(gap) for gap in coarse])
    for share in SHARES:
        below = np.flatnonzero(shares >= share)  # the winner is lost less often the larger the gap is
        if len(below) and below[-1] + 1 < len(coarse):
            between = _gaps(np.linspace(coarse[below[-1]], coarse[below[-1] + 1], NARROWED), k)
            gaps_found.add(min(between, key=lambda gap: abs(lost(gap) - share)))
    return sorted(gaps_found)


def repeated(answers_at: Callable[[int], Reals], k: int) -> int | None:
    """Searches a gap at which all runs answer alike, but not as at the gap two votes smaller; gives the gap, or None.

    answers_at: what one run says at a gap. No noise is drawn there, or always the same. It ends where two runs differ.
    """
    before = None
    for gap in range(k % 2, min(k, MOST_SEARCHED) + 1, 2):
        now = answers_at(gap)
        if not np.array_equal(now, answers_at(gap)):
            return None
        if before is not None and not np.array_equal(now, before):
            return gap
        before = now
    return None


def _gaps(values: Reals, k: int) -> list[int]:
    """Whole numbers near these, of the parity of k, from 3 to k."""
    whole = values.astype(np.int64)
    even = np.unique(whole + (k - whole) % 2)
    gaps: list[int] = even[(even > 2) & (even <= k)].tolist()
    return gaps
