"""How likely an unstable query is to be answered in a run, when other queries came before it.

Before the first query ŵ is fresh. Later it is the threshold of the epoch that the query falls in, and epochs with a low
threshold last longer: so a query in the middle of a run meets a lower threshold than a fresh one.
"""

from math import floor

import numpy as np

from harness.theory.privacy.laplace import tail
from harness.theory.privacy.sparse_vector import threshold_nodes


def answered_last(m: int, T: float, level: float, depth: float) -> float:
    """P(the last of m queries is answered), depth·λ below w after m − 1 queries at level·λ above it; BTT18a Algorithm 3.

    The loop runs while c ≤ T. With u the threshold's noise over λ, a query is ⊥ with chance b(u) and the last is answered with
    chance a(u), independently given u: an epoch that begins j queries before the last reaches and answers it with chance
    E[(1 − b)^j a]. Where epochs begin is a renewal process. The integral over u is by 16-point Gauss–Legendre on panels of
    width at most 1; relative error 1e-9 for m ≤ 2000.
    """
    u, weights = threshold_nodes(np.array([level, -depth]))
    top = tail((u - level) / 2)  # P(level + Lap(2) > u)
    answered = tail((u + depth) / 2)
    powers = np.vander(top, m, increasing=True)  # (nodes, m)
    reaches = (weights * answered) @ powers
    ends = np.append(0, (weights * (1 - top)) @ powers[:, : m - 1])  # an epoch's first ⊥ is its i-th query
    begins = np.zeros(m)
    begins[0] = 1.0
    total = 0.0
    for _ in range(floor(T) + 1):
        total += float(begins @ reaches[::-1])
        begins = np.convolve(begins, ends)[:m]
    return total
