"""Votes of k halfspaces 1[w · x ≥ 0] whose target is the first basis vector."""

import numpy as np

from harness.arrays import Reals
from harness.ballots import Ballot, Queries

ROWS, COLUMNS = 128, 512  # halfspaces and queries in one product of matrices: small enough for the cache, whatever k and m are


def linear_votes(w: Reals, x: Reals, queries: Queries) -> Ballot:
    """The ballot of k halfspaces 1[w · x ≥ 0] on queries.

    w: (k, d), 0 for a halfspace that labels everything 1. x: (types, d), the queries' points. Memory of order (k + types)d.
    """
    k, m = len(w), len(x)
    # A halfspace at an angle θ < π/2 errs only on points within θ of the target's boundary.
    sine = (_length(w[:, 1:]) / _length(w)).max() if w[:, 0].min() > 0 else 1.0
    near = np.flatnonzero(np.abs(x[:, 0]) <= (1 + 1e-9) * sine * _length(x))
    points, truth, sizes = np.ascontiguousarray(x[near].T), queries.truth[near].view(np.bool_), queries.sizes[near]
    ones = np.zeros(len(near), dtype=np.int64)
    mistakes = np.zeros(k, dtype=np.int64)
    for row in range(0, k, ROWS):
        rows = slice(row, row + ROWS)
        for column in range(0, len(near), COLUMNS):
            columns = slice(column, column + COLUMNS)
            labels = w[rows] @ points[:, columns] >= 0
            ones[columns] += np.count_nonzero(labels, axis=0)
            wrong = labels != truth[columns]
            mistakes[rows] += np.count_nonzero(wrong, axis=1) if queries.size is None else wrong @ sizes[columns]
    counts = np.multiply(queries.target, k, dtype=np.int64)
    counts[near] = ones
    away = np.ones(m, dtype=np.bool_)
    away[near] = False
    noise = int(queries.sizes[(queries.truth != queries.target) & away].sum())
    return Ballot.binary(counts, k, queries, max_mistakes=int(mistakes.max()) + noise)


def _length(x: Reals) -> Reals:
    length: Reals = np.sqrt(np.einsum("ij,ij->i", x, x))
    return length
