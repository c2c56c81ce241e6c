from collections import Counter

import numpy as np
import pytest
from scipy.stats import binomtest

from harness.concepts.votes import Queries, Votes


def ballots(labels: int) -> tuple[list[list[int]], Votes]:
    """The k = 6 votes on each of 300 queries, one by one, and as counts."""
    rng = np.random.default_rng(labels)
    cast = rng.integers(labels, size=(300, 6))
    truth = rng.integers(labels, size=300).astype(np.int8)
    counts = np.stack([(cast == label).sum(axis=1) for label in range(labels)])
    return cast.tolist(), Votes(counts, 6, truth)


@pytest.mark.parametrize("labels", [2, 3, 4, 5])
def test_winner_gap_and_wrong_are_what_counting_ballots_one_by_one_gives(labels: int) -> None:
    cast, votes = ballots(labels)
    ties = 0
    for i, ballot in enumerate(cast):
        tally = Counter(dict.fromkeys(range(labels), 0))
        tally.update(ballot)
        top, second = sorted(tally.values(), reverse=True)[:2]
        ties += top == second
        assert votes.winner[i] == min(label for label in tally if tally[label] == top)
        assert votes.gap[i] == top - second
        assert votes.wrong[i] == sum(vote != votes.truth[i] for vote in ballot)
    assert ties > 10


@pytest.mark.parametrize("labels", [2, 3])
def test_an_ensemble_of_one_and_a_unanimous_one_have_the_whole_ensemble_as_gap(labels: int) -> None:
    counts = np.eye(labels, dtype=np.int64) * 7
    votes = Votes(counts, 7, np.zeros(labels, dtype=np.int8))
    assert votes.winner.tolist() == list(range(labels))
    assert votes.gap.tolist() == [7] * labels
    assert votes.wrong.tolist() == [0] + [7] * (labels - 1)


@pytest.mark.parametrize("gamma", [0.0, 0.1, 0.5])
def test_labels_are_flipped_with_their_probability(gamma: float) -> None:
    """100,000 labels of either kind: exact binomial tests at 1e-8."""
    truth = np.repeat(np.array([0, 1], dtype=np.int8), 100_000)
    noisy = Queries(np.zeros(200_000), truth).flipped(gamma, np.random.default_rng(6))
    assert np.array_equal(noisy.target, truth)
    for label in (0, 1):
        flipped = int(np.count_nonzero(noisy.truth[truth == label] != label))
        assert binomtest(flipped, 100_000, gamma).pvalue > 1e-8


def test_binary_votes_are_the_ones_and_what_is_left_of_k() -> None:
    votes = Votes.binary(np.array([0, 2, 5]), 5, np.array([0, 0, 1], dtype=np.int8))
    assert votes.counts.tolist() == [[5, 3, 0], [0, 2, 5]]
    assert votes.winner.dtype == np.int8
    assert votes.wrong.tolist() == [0, 2, 0]
