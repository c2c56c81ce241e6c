"""Streams for what is run outside of a trial."""

import numpy as np

from harness.mechanisms import Streams


def streams(seed: int) -> Streams:
    """Of each purpose one of its own."""
    return lambda purpose: np.random.default_rng([seed, *purpose.encode()])
