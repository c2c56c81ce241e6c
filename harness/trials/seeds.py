"""Randomness by identity: each stream is named by what it is for, never by when or where it is drawn."""

from dataclasses import dataclass
from hashlib import sha256

import numpy as np


def stream(cell: str, seed: int, trial: int, purpose: str) -> np.random.Generator:
    """The random generator of one purpose in one trial of one cell, seeded by the SHA-256 of cell, seed, trial and purpose."""
    digest = sha256(f"{cell}/{seed}/{trial}/{purpose}".encode()).digest()
    # The number's words, as SeedSequence takes it apart itself in twice the time; a leading 0 would be no word of it.
    words = np.frombuffer(digest[::-1], dtype="<u4")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words if words[-1] else int.from_bytes(digest))))


@dataclass(frozen=True)
class BlockStreams:
    """The generators of a block of trials by purpose. cell: its identity. number: the block's, a trial's in blocks of one."""

    cell: str
    seed: int
    number: int

    def __call__(self, purpose: str) -> np.random.Generator:
        return stream(self.cell, self.seed, self.number, purpose)

    def run(self, cell: str, runs: int, index: int) -> "BlockStreams":
        """The streams of one of so many runs of another cell that a search tries in this trial."""
        return BlockStreams(cell, self.seed, self.number * runs + index)
