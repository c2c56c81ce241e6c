"""Polls and distances to instability, by brute force at small size."""

from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest

from harness.analysts import Poll, QuerySite, cast, of_records
from harness.analysts.planted import PlantedVotes

LABELS = (0, 1, 2, 3)


def mode(records: tuple[int, ...]) -> int:
    """The most frequent label; a tie goes to the smaller one."""
    counts = Counter(records)
    return min(LABELS, key=lambda label: (-counts[label], label))


def neighbours(records: tuple[int, ...]) -> set[tuple[int, ...]]:
    """One record added or removed."""
    added = {tuple(sorted((*records, label))) for label in LABELS}
    return added | {records[:i] + records[i + 1 :] for i in range(len(records))}


def searched(records: tuple[int, ...]) -> int:
    """The largest k such that no k records added or removed change the mode: a search level by level."""
    level, seen, k = {records}, {records}, 0
    while True:
        level = {other for each in level for other in neighbours(each)} - seen
        seen |= level
        if any(mode(each) != mode(records) for each in level):
            return k
        k += 1


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_distance_of_a_mode_is_what_a_search_through_all_data_sets_finds(n: int) -> None:
    """BTT18a Definition 3.1 on all data sets of n records of four labels, those without a record among them."""
    for records in combinations_with_replacement(LABELS, n):
        labels, counts = np.unique(records, return_counts=True)
        poll = of_records(labels, counts, truth=0)
        assert (poll.winner, poll.distance) == (mode(records), searched(records)), records


def test_a_lead_over_all_but_one_label_is_what_counts() -> None:
    assert of_records(np.array([0, 1, 2]), np.array([4, 9, 2]), 1).distance == 4  # at 5 changes a tie goes to label 0
    assert of_records(np.array([0, 1, 2]), np.array([9, 4, 2]), 0).distance == 5


@pytest.mark.parametrize("votes", [[7], [7, 7, 7], [3, 1, 3, 1], [10**12, 5, 10**12], [0, 0, 1, 1, 1, 2]])
def test_a_poll_counts_votes_for_labels_however_large(votes: list[int]) -> None:
    poll, counts = cast(np.array(votes), truth=votes[0]), Counter(votes)
    assert dict(zip(poll.labels.tolist(), poll.counts.tolist(), strict=True)) == counts
    assert poll.winner == min(counts, key=lambda label: (-counts[label], label))
    first, second = [*sorted(counts.values(), reverse=True), 0][:2]
    assert poll.gap == first - second


def test_a_poll_of_one_label_leads_by_all_its_votes() -> None:
    assert Poll(np.array([4]), np.array([6]), truth=4).gap == 6


@pytest.mark.parametrize("values", [2, 5, None])
@pytest.mark.parametrize("n", [None, 31])
def test_polls_that_are_known_are_taken_out_one_by_one_with_the_labels_that_have_a_vote(
    values: int | None, n: int | None
) -> None:
    known = PlantedVotes(values=values, share=1.0).known(QuerySite(9, 20, 1, 3), 4, np.random.default_rng(1), n)
    for trial, place in ((0, 0), (3, 8), (2, 5)):
        poll = known.poll(trial, place)
        assert (poll.counts > 0).all() and poll.counts.sum() == (n or 20) and (np.diff(poll.labels) > 0).all()
        assert (poll.winner, poll.gap) == (known.winner[trial, place], known.gap[trial, place])
        assert (poll.truth, poll.stable) == (known.truth[trial, place], known.stable[trial, place])
        assert poll.distance == (None if known.distance is None else known.distance[trial, place])
        assert n is None or poll.distance == of_records(poll.labels, poll.counts, poll.truth).distance
