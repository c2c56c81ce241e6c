"""An exact test that two samples have one law."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import hypergeom

from tests.support.laws import Ints

FALSE_FAILURE = 1e-9


def assert_same_law(first: Ints, second: Ints) -> None:
    """Two samples of i.i.d. vectors, (N, d) each, have one law; fails on a right implementation w.p. at most FALSE_FAILURE.

    The events are chosen by looking at the pooled sample only. Given that, under one law, how many of an event's rows lie in
    the first half is hypergeometric: each p-value is exact, and Bonferroni over the events keeps the whole below FALSE_FAILURE.
    """
    size = len(first)
    assert first.shape == second.shape
    events = _events(np.concatenate([first, second]))
    in_first, in_both = events[:, :size].sum(axis=1), events.sum(axis=1)
    least = np.minimum(in_first, in_both - in_first)
    p = 2 * hypergeom.cdf(least, 2 * size, in_both, size)
    worst = int(p.argmin())
    assert p[worst] > FALSE_FAILURE / len(p), f"{in_first[worst]} against {in_both[worst] - in_first[worst]} of {size}"


def _events(pooled: Ints) -> NDArray[np.bool_]:
    """(events, rows): each outcome of the whole vector that is not rare, orthants of each pair, and tails of each entry."""
    _, outcome, seen = np.unique(pooled, axis=0, return_inverse=True, return_counts=True)
    events = [outcome == common for common in np.flatnonzero(seen >= 30)]
    events.append(seen[outcome] < 30)
    levels = [np.unique(np.quantile(column, np.linspace(0, 1, 41), method="higher")) for column in pooled.T]
    tails = [[column >= level for level in these] for column, these in zip(pooled.T, levels, strict=True)]
    events += [tail for these in tails for tail in these]
    for one, other in combinations(tails, 2):
        events += [a & b for a in one[:: max(1, len(one) // 4)] for b in other[:: max(1, len(other) // 4)]]
    return np.array(events)
