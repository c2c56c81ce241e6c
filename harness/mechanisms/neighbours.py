"""Two neighbouring data sets that a mechanism is run on, to see how far apart the laws of what it says are."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness.arrays import Reals

ALONE = 1 / 32  # of the runs, those that are made one at a time, where others are made many at once


@dataclass(frozen=True)
class Neighbours:
    """A pair of data sets that differ in one example, and what runs on either of them say.

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
        """The outcomes of so many runs on one side, (runs, outputs), by blocks, each with a stream of its own."""
        parts = [
            self.run(side, min(self.block, runs - done), streams(f"{purpose}/{self.words}/{side}/{done}"))
            for done in range(0, runs, self.block)
        ]
        return np.concatenate(parts) if parts else np.empty((0, len(self.outputs)))
