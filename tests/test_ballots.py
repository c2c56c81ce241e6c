"""Ballots and queries: what counting votes and queries one by one gives."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, binomtest, kstest

from harness.arrays import Ints, Reals
from harness.ballots import MOST_QUERIES, Ballot, Queries, of_each


def cast_votes(labels: int) -> tuple[list[list[int]], Ballot]:
    """The k = 6 votes on each of 300 queries, one by one, and as counts."""
    rng = np.random.default_rng(labels)
    cast = rng.integers(labels, size=(300, 6))
    truth = rng.integers(labels, size=300).astype(np.int8)
    counts = np.stack([(cast == label).sum(axis=1) for label in range(labels)])
    return cast.tolist(), Ballot(counts, 6, truth)


@pytest.mark.parametrize("labels", [2, 3, 4, 5, 40])
def test_winner_gap_and_wrong_are_what_counting_ballots_one_by_one_gives(labels: int) -> None:
    cast, votes = cast_votes(labels)
    ties = 0
    for i, each in enumerate(cast):
        tally = Counter(dict.fromkeys(range(labels), 0))
        tally.update(each)
        top, second = sorted(tally.values(), reverse=True)[:2]
        ties += top == second
        assert votes.winner[i] == min(label for label in tally if tally[label] == top)
        assert votes.gap[i] == top - second
        assert votes.wrong[i] == sum(vote != votes.truth[i] for vote in each)
    assert ties > 10


@pytest.mark.parametrize("labels", [2, 3])
def test_an_ensemble_of_one_and_a_unanimous_one_have_the_whole_ensemble_as_gap(labels: int) -> None:
    counts = np.eye(labels, dtype=np.int64) * 7
    votes = Ballot(counts, 7, np.zeros(labels, dtype=np.int8))
    assert votes.winner.tolist() == list(range(labels))
    assert votes.gap.tolist() == [7] * labels
    assert votes.wrong.tolist() == [0] + [7] * (labels - 1)


def test_binary_votes_are_the_ones_and_what_is_left_of_k() -> None:
    votes = Ballot.binary(np.array([0, 2, 5]), 5, Queries(np.zeros(3), np.array([0, 0, 1], dtype=np.int8)))
    assert votes.counts.tolist() == [[5, 3, 0], [0, 2, 5]]
    assert votes.winner.dtype == np.int8
    assert votes.wrong.tolist() == [0, 2, 0]


def random_queries(rng: np.random.Generator, best: bool, width: bool) -> Queries:
    truth = rng.integers(0, 2, 30, dtype=np.int8)
    return Queries(
        rng.random((30, 2)),
        truth,
        best=rng.integers(0, 2, 30, dtype=np.int8) if best else None,
        size=rng.integers(0, 10**12, 30),
        width=rng.random(30) if width else None,
        tv_budget=1e-9,
    )


def test_numbers_of_queries_are_those_of_their_types() -> None:
    rng = np.random.default_rng(1)
    queries = random_queries(rng, best=False, width=False)
    ballot = Ballot.binary(rng.integers(0, 8, 30), 7, queries)
    assert ballot.m == sum(queries.sizes.tolist())
    assert ballot.number(ballot.wrong > 3) == sum(
        size for size, wrong in zip(queries.sizes.tolist(), ballot.wrong.tolist(), strict=True) if wrong > 3
    )
    assert ballot.tv_budget == 1e-9
    single = Ballot.binary(np.array([1, 2]), 7, Queries(np.zeros(2), np.zeros(2, dtype=np.int8)), tv_budget=1e-3)
    assert (single.m, single.sizes.tolist(), single.number(single.counts[1] > 1).tolist()) == (2, [1, 1], [1])
    assert single.tv_budget == 1e-3


@pytest.mark.parametrize("trials", [1, 3])
def test_what_every_trial_has_so_many_of_is_summed_by_trial(trials: int) -> None:
    """Whole numbers and products, one type after the other; a single trial has no numbers of trials."""
    rng = np.random.default_rng(5)
    points, sizes = rng.random(7), rng.integers(0, 9, (7, trials))
    queries = Queries.of_each(points, np.resize([0, 1], 7).astype(np.int8), sizes)
    assert (queries.trial is None) == (trials == 1) and queries.trials == trials
    of_one, left, right = rng.integers(0, 2, 7 * trials), rng.random(7 * trials), rng.random(7 * trials)
    some = np.flatnonzero(of_one)
    for trial in range(trials):
        own = [place for place in range(7 * trials) if place % trials == trial]
        assert queries.sums(queries.sizes)[trial] == sum(queries.sizes[place] for place in own) == sizes[:, trial].sum()
        products = sum(left[place] * right[place] for place in own if of_one[place])
        assert queries.dots(left[some], right[some], some)[trial] == pytest.approx(products)


def test_ballots_of_several_trials_are_taken_apart_as_they_were_put_together() -> None:
    """Whatever the order of their types is, and where some ballots have no sizes."""
    rng = np.random.default_rng(8)
    parts = [
        Ballot(
            rng.multinomial(9, [0.2, 0.3, 0.5], types).T,
            9,
            rng.integers(0, 3, types, dtype=np.int8),
            rng.integers(1, 5, types) if types > 2 else None,
            max_mistakes=types,
            exposure=rng.random(types),
        )
        for types in (4, 2, 5)
    ]
    joined = Ballot.of_trials([Ballot.of_trials(parts[:2]), parts[2]])
    assert joined.trial is not None and joined.exposure is not None
    assert joined.number(joined.sizes > 0).tolist() == [part.sizes.sum() for part in parts]
    order = rng.permutation(11)
    mixed = replace(
        joined,
        counts=joined.counts[:, order],
        truth=joined.truth[order],
        size=joined.sizes[order],
        exposure=joined.exposure[order],
        trial=joined.trial[order],
    )
    for begin, part, of_joined, of_mixed in zip((0, 4, 6), parts, joined.by_trial(), mixed.by_trial(), strict=True):
        moved = order[(begin <= order) & (order < begin + len(part.truth))] - begin
        for one, places in ((of_joined, np.arange(len(part.truth))), (of_mixed, moved)):
            assert one.trial is None and (one.trials, one.k, one.max_mistakes) == (1, 9, part.max_mistakes)
            assert np.array_equal(one.counts, part.counts[:, places]) and np.array_equal(one.truth, part.truth[places])
            assert one.exposure is not None and part.exposure is not None
            assert np.array_equal(one.sizes, part.sizes[places]) and np.array_equal(one.exposure, part.exposure[places])
    assert [*parts[0].by_trial()] == [parts[0]]


def test_a_count_of_10_to_the_15_is_exact() -> None:
    """Sums of a few types, none of whose bits may go."""
    sizes = np.array([MOST_QUERIES - 3, 1, 1, 1])
    ballot = Ballot(np.array([[3, 0, 1, 2], [0, 3, 2, 1]]), 3, np.zeros(4, dtype=np.int8), sizes)
    assert ballot.m == MOST_QUERIES == 10**15
    assert ballot.number(ballot.wrong < 3) == MOST_QUERIES - 1
    assert float(ballot.m) == MOST_QUERIES and float(ballot.m - 1) != float(ballot.m)


@pytest.mark.parametrize("best", [False, True])
@pytest.mark.parametrize("width", [False, True])
def test_parts_of_queries_join_to_the_whole(best: bool, width: bool) -> None:
    rng = np.random.default_rng(2)
    queries, which = random_queries(rng, best, width), rng.random(30) < 0.4
    order = np.argsort(~which, kind="stable")
    joined, sorted_ = queries.only(which).joined(queries.only(~which)), queries.only(order)
    for name in ("points", "truth", "best", "size", "width", "target", "sizes"):
        assert np.array_equal(getattr(joined, name), getattr(sorted_, name))
    assert joined.tv_budget == queries.tv_budget
    assert (joined.best is None) != best and (joined.width is None) != width


def test_queries_labelled_by_type_are_so_many_of_each_label() -> None:
    queries, said = random_queries(np.random.default_rng(3), False, False), np.resize([0, 2, 1], 30).astype(np.int8)
    given = queries.labelled(said, 4)
    for i in range(30):
        assert given[:, i].tolist() == [queries.sizes[i] if label == said[i] else 0 for label in range(4)]


def test_noise_flips_the_labels_of_single_queries_and_keeps_the_best() -> None:
    """False-failure probability: 2e-9, an exact binomial test."""
    queries = Queries(np.arange(50_000.0), np.resize([0, 1], 50_000).astype(np.int8))
    noisy = queries.flipped(0.2, np.random.default_rng(4))
    assert np.array_equal(noisy.target, queries.truth)
    assert 1e-9 < binom.cdf(np.count_nonzero(noisy.truth != queries.truth), 50_000, 0.2) < 1 - 1e-9
    assert queries.flipped(0.0, np.random.default_rng(4)) is queries


@pytest.mark.parametrize("gamma", [0.0, 0.1, 0.5])
def test_labels_are_flipped_with_their_probability(gamma: float) -> None:
    """100,000 labels of either kind: exact binomial tests at 1e-8."""
    truth = np.repeat(np.array([0, 1], dtype=np.int8), 100_000)
    noisy = Queries(np.zeros(200_000), truth).flipped(gamma, np.random.default_rng(6))
    assert np.array_equal(noisy.target, truth)
    for label in (0, 1):
        flipped = int(np.count_nonzero(noisy.truth[truth == label] != label))
        assert binomtest(flipped, 100_000, gamma).pvalue > 1e-8


@pytest.mark.parametrize("columns", [0, 2])
def test_what_is_told_apart_stands_for_all_that_are_at_many_points(columns: int) -> None:
    """Each with chance ⅕, at a uniform place, with five times the exposure; 7 deviations of a binomial number."""
    at = np.array([0.1, 0.5, 0.9])
    points = np.column_stack([at] * columns) if columns else at
    queries = Queries(
        points, np.array([0, 1, 1], np.int8), size=np.array([40_000, 7, 60_000]), width=np.array([0.2, 0.0, 0.05])
    )
    assert queries.exposed(0.0, np.random.default_rng(0)) is queries
    told = queries.exposed(0.2, np.random.default_rng(0))
    assert told.exposure is not None and told.sizes.sum() == 100_007
    apart = told.only(told.exposure == 5)
    assert (apart.sizes == 1).all() and (apart.widths == 0).all()
    rest = told.only(slice(len(apart.truth), None))
    assert rest.exposure is not None and rest.exposure.tolist() == [0.0, 1.0, 0.0] and rest.sizes[1] == 7
    assert (rest.points == points).all() and (rest.widths == queries.widths).all()
    first = apart.points[:, 1] if columns else apart.points
    for start, width, size in ((0.1, 0.2, 40_000), (0.9, 0.05, 60_000)):
        out = (first[(first >= start) & (first <= start + width)] - start) / width
        assert abs(len(out) - size / 5) < 7 * (size * 0.2 * 0.8) ** 0.5
        assert kstest(out, "uniform").pvalue > 1e-8
    if columns:  # the first coordinate stays where it is
        assert set(apart.points[:, 0].tolist()) == {0.1, 0.9}
    assert set(apart.truth[first < 0.5].tolist()) == {0} and set(apart.truth[first > 0.5].tolist()) == {1}


def test_what_most_types_have_is_worked_out_once() -> None:
    asked: list[list[int]] = []

    def square(values: Ints) -> Reals:
        asked.append(values.tolist())
        return np.asarray(values**2.0, np.float64)

    assert of_each(square, np.array([7, 3, 7, 0, 7])).tolist() == [49, 9, 49, 0, 49]
    assert sorted(asked) == [[3, 0], [7]] and of_each(square, np.array([], np.int64)).tolist() == []
