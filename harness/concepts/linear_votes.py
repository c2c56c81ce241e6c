"""Votes of k halfspaces 1[w · x ≥ 0] whose target is the first basis vector."""

import numpy as np

from harness.arrays import Reals
from harness.concepts.votes import Queries, Votes

ROWS, COLUMNS = 128, 512  # halfspaces and queries in one product of matrices: small enough for the cache, whatever k and m are


def linear_votes(w: Reals, x: Reals, queries: Queries) -> Votes:
    """w: (k, d), 0 for a halfspace that labels everything 1. x: (m, d), the queries' points. Memory of order (k + m)d."""
    k, m = len(w), len(x)
    # A halfspace at an angle θ < π/2 errs only on points within θ of the target's boundary.
    sine = (_length(w[:, 1:]) / _length(w)).max() if w[:, 0].min() > 0 else 1.0
    asked = np.flatnonzero(np.abs(x[:, 0]) <= (1 + 1e-9) * sine * _length(x))
    points, truth = np.ascontiguousarray(x[asked].T), queries.truth[asked].view(np.bool_)
    ones = np.zeros(len(asked), dtype=np.int64)
    mistakes = np.zeros(k, dtype=np.int64)
    for row in range(0, k, ROWS):
        rows = slice(row, row + ROWS)
        for column in range(0, len(asked), COLUMNS):
            columns = slice(column, column + COLUMNS)
            labels = w[rows] @ points[:, columns] >= 0
            ones[columns] += np.count_nonzero(labels, axis=0)
            mistakes[rows] += np.count_nonzero(labels != truth[columns], axis=1)
    counts = np.multiply(queries.target, k, dtype=np.int64)
    counts[asked] = ones
    away = np.ones(m, dtype=np.bool_)
    away[asked] = False
    noise = int(np.count_nonzero((queries.truth != queries.target) & away))
    return Votes.binary(counts, k, queries.truth, max_mistakes=int(mistakes.max()) + noise)


def _length(x: Reals) -> Reals:
    length: Reals = np.sqrt(np.einsum("ij,ij->i", x, x))
    return length
