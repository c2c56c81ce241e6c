"""Randomness by identity: each stream is named by what it is for, never by when or where it is drawn."""

from hashlib import sha256

import numpy as np


def stream(cell: str, seed: int, trial: int, purpose: str) -> np.random.Generator:
    """The generator of one purpose in one trial of one cell, from the SHA-256 of all four."""
    digest = sha256(f"{cell}/{seed}/{trial}/{purpose}".encode()).digest()
    return np.random.default_rng(np.random.SeedSequence(int.from_bytes(digest)))
