"""Partitions of a line into labelled intervals, of least empirical risk on given labels, by dynamic programming."""

import numpy as np

from harness.arrays import Ints, Labels, Reals


def least_risk_gaps(labels: Labels, count: int, side: int, numbers: Ints | None = None) -> Ints:
    """A partition of least risk for each chunk: how many points lie left of each boundary, (chunks, count − 1).

    labels: (chunks, s), in 0, …, count − 1. numbers: (s,), how many points each stands for; None where that
    is one. A point is labelled with the number of boundaries left of it, and the boundaries are where the fewest labels differ.
    Of several such partitions each boundary, from the last on, is as far to one side as the ones after it allow: −1 to the
    left, +1 to the right.
    """
    chunks, s = labels.shape
    risk = np.zeros((chunks, s + 1))  # of the first points, where they have labels up to the current one
    steps = []
    for label in range(count):
        wrong = np.zeros((chunks, s + 1))
        np.cumsum((labels != label) * (1 if numbers is None else numbers), axis=1, out=wrong[:, 1:])
        if label == 0:
            risk = wrong
            continue
        # The boundary before this label goes where the labels so far cost least over giving this one all along.
        spared = risk - wrong
        least = np.minimum.accumulate(spared, axis=1)
        steps.append(_places(spared, least, side))
        risk = least + wrong
    boundaries = np.empty((chunks, count - 1), dtype=np.int64)
    place = np.full(chunks, s)
    for label in reversed(range(count - 1)):
        place = boundaries[:, label] = steps[label][np.arange(chunks), place]
    return boundaries


def _places(spared: Reals, least: Reals, side: int) -> Ints:
    """For each end, the first or the last place up to it where what is spared is least."""
    place = np.arange(spared.shape[1])
    reached = spared == least
    if side < 0:  # a place is new where it is below all before it
        reached[:, 1:] &= least[:, 1:] < least[:, :-1]
    last: Ints = np.maximum.accumulate(np.where(reached, place, 0), axis=1)
    return last
