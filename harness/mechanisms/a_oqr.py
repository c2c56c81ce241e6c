"""A_OQR: online query release, A_stab under the threshold of a sparse vector (BTT18a Algorithm 3)."""

import numpy as np
from numpy.typing import NDArray

from harness.mechanisms.a_sparse_vec import a_sparse_vec
from harness.mechanisms.answers import BOTTOM, UNANSWERED, Answers


def a_oqr(
    values: NDArray[np.int8], dist: NDArray[np.int64], lam: float, w: float, T: float, rng: np.random.Generator
) -> Answers:
    """Release values[i] where dist[i] + Lap(2λ) > ŵ, else ⊥ and redraw ŵ = w + Lap(λ); halt when c > T.

    values, dist: (m,), the exact answers and their distances to instability. Each test is A_stab with Γ = ŵ and ε = 1/(2λ).
    """
    stream = a_sparse_vec(dist, lam, w, T, rng)
    labels = values.copy()
    labels[stream.bottoms] = BOTTOM
    labels[stream.answered :] = UNANSWERED
    return Answers(labels, halted_at=stream.answered if stream.answered < len(labels) else None)
