"""Both partitions against Definitions 5.1 to 5.3 written out, prediction by prediction."""

from unittest.mock import Mock

import numpy as np
import pytest

from harness.arrays import Ints, Reals
from harness.mechanisms.scoring.a_sl_quer import ASLQuer
from harness.mechanisms.scoring.histograms import Histograms, half_edges
from harness.scores import histogram


def literal(scores: Reals, bins: int, shifted: bool) -> list[int]:
    """Hist(j) of so many bins; the shifted ones are [(j − ½)γ, (j + ½)γ), j = 1, …, bins − 1, and no outer halves."""
    if shifted:
        return [int(((scores >= (j - 0.5) / bins) & (scores < (j + 0.5) / bins)).sum()) for j in range(1, bins)]
    ends = [(j / bins, (j + 1) / bins) for j in range(bins)]
    return [int(((scores >= a) & ((scores < b) | (b == 1))).sum()) for a, b in ends]


def check(scores: Reals, halves: Ints, bins: Ints) -> None:
    seen = Histograms(halves, bins)
    for i, own in enumerate(bins.tolist()):
        for tested, shifted in ((seen.plain, False), (seen.shifted, True)):
            counts = literal(scores[:, i], own, shifted)
            first, *others = sorted(counts, reverse=True)
            second = others[0] if others else 0
            assert tested.top[i] == first and tested.second[i] == second
            assert tested.distance[i] == max(0, first - second - 1)
            winner = counts.index(first)
            assert tested.midpoint[i] == pytest.approx((winner + 1) / own if shifted else (winner + 0.5) / own, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_bins_of_every_width_at_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    bins = np.array([2, 3, 7, 10])
    scores = rng.beta(0.5, 0.5, (50, 4)) if seed else np.tile([0.0, 1.0, 0.26, 0.99, 0.01], (4, 10)).T
    check(scores, histogram(scores, half_edges(bins)), bins)


def test_an_edge_that_is_off_and_outer_halves_that_are_kept_are_seen() -> None:
    scores = np.array([[0.02], [0.03], [0.99], [0.12], [0.13]])
    bins = np.array([5])
    right = histogram(scores, half_edges(bins))
    check(scores, right, bins)
    with pytest.raises(AssertionError):
        check(scores, np.roll(right, 1, axis=1), bins)
    kept = Histograms(right, bins)
    assert kept.shifted.top[0] == 2 and literal(scores[:, 0], 5, True) == [2, 0, 0, 0]


def test_finer_partitions_than_are_counted_are_not_begun() -> None:
    """2²⁰ half-bins over all types of queries are the most."""
    one, none = ASLQuer(), Mock()
    none.scorer.counts.side_effect = LookupError
    for bins, ends in (
        ([2**19], LookupError),
        ([2**18, 2**18], LookupError),
        ([2**19 + 1], AssertionError),
        ([2**18, 2**18 + 1], AssertionError),
        ([2**19, 2**19], AssertionError),
    ):
        with pytest.raises(ends):
            one.by_widths(none.plan, none.scorer, np.array(bins), np.ones(len(bins), int), none.votes, none.noise)
