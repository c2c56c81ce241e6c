"""Oracles by brute force, for more than one test."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray


def least_halfspace_risk(z: NDArray[np.float64]) -> int:
    """The fewest of folded examples, (V, s) in general position, that any direction through the origin errs on.

    A halfspace of least risk can be turned until V − 1 of the examples lie on its boundary, and these can then have any labels.
    """
    V, s = z.shape
    least = 0 if s < V else s
    for on_it in combinations(range(s), V - 1):
        normal = np.linalg.svd(z[:, on_it].T)[2][-1]
        depth = normal @ np.delete(z, on_it, axis=1)
        least = min(least, np.count_nonzero(depth <= 0), np.count_nonzero(depth >= 0))
    return least
