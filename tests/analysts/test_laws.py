"""Analysts: exact laws against examples that are drawn one by one, and against sums over all outcomes.

The two-sample tests fail on a right implementation with probability at most 1e-9 each (`same_law`).
"""

from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from harness.analysts import Analyst, Poll, QuerySite
from harness.analysts.boundary import BoundarySearch, Points
from harness.analysts.descent import Descent
from harness.analysts.features import Features, winners
from harness.analysts.lasso import LassoFeatures
from harness.analysts.modes import Modes, counted, most_frequent
from harness.analysts.planted import PlantedVotes
from tests.support.same_law import assert_same_law

RUNS = 1500
K, S = 5, 7

ANALYSTS: dict[str, tuple[Analyst, int]] = {
    "modes of two values": (Modes(values=2, lead=0.3), 1),
    "modes of a countable range": (Modes(values=None, lead=0.3), 1),
    "modes that tie": (Modes(values=4, lead=0.3), 2),
    "features": (Features(d=4, rho=0.4), 1),
    "features of which two speak": (Features(d=5, rho=0.4), 2),
    "descent": (Descent(children=3, depth=3, heavy=0.5), 0),
    "points": (Points(target=0.4), 0),
    "search": (BoundarySearch(target=0.4), 0),
}


def transcript(analyst: Analyst, site: QuerySite, seed: int) -> list[int]:
    """Two queries and what is said to them: who leads, by how much, and how many votes the truth has.

    The answer to the first is its winner, so that the second of an adaptive analyst depends on the data.
    """
    session = analyst.chunks(site, np.random.default_rng(seed))
    first = session.ask(None)
    return [*numbers(first), *numbers(session.ask(first.winner))]


def numbers(poll: Poll) -> list[int]:
    """What of a poll is compared."""
    truth = int(poll.counts[poll.labels == poll.truth].sum())
    return [(poll.winner - poll.truth) % 7, poll.gap, truth]


@pytest.mark.law
@pytest.mark.parametrize("name", ANALYSTS)
def test_the_exact_law_is_that_of_examples_drawn_one_by_one(name: str) -> None:
    analyst, unstable = ANALYSTS[name]
    law, full = (
        np.array([transcript(analyst, QuerySite(2, K, S, unstable, full), 10**6 * full + seed) for seed in range(RUNS)])
        for full in (False, True)
    )
    assert_same_law(law, full)


@pytest.mark.law
def test_the_comparison_sees_chunks_of_half_as_many_examples_more() -> None:
    analyst = Features(d=4, rho=0.8)
    samples = [
        np.array([transcript(analyst, QuerySite(2, K, s, 0), 10**6 * s + seed) for seed in range(RUNS)]) for s in (S, S + 2)
    ]
    with pytest.raises(AssertionError):
        assert_same_law(*samples)


@pytest.mark.parametrize(("d", "tied"), [(2, False), (2, True), (3, False), (4, True), (5, False)])
def test_the_feature_that_agrees_most_is_that_of_all_outcomes(d: int, tied: bool) -> None:
    """Over all (s + 1)^d scores; the chance of each label, not only of the blocks."""
    s, rho = 4, 0.3
    place = min(d // 2, d - 2)
    chances = np.full(d, 0.5)
    chances[place : place + (2 if tied else 1)] = (1 + rho) / 2
    exact = np.zeros(d)
    for scores in product(range(s + 1), repeat=d):
        p = prod(comb(s, c) * q**c * (1 - q) ** (s - c) for c, q in zip(scores, chances, strict=True))
        exact[int(np.argmax(scores))] += p
    law = winners(d, rho, s, tied)
    last = place + len(law.speaking)
    assert law.speaking == pytest.approx(exact[place:last], abs=1e-12)
    assert law.below.sum() == pytest.approx(exact[:place].sum(), abs=1e-12)
    assert law.above.sum() == pytest.approx(exact[last:].sum(), abs=1e-12)


@pytest.mark.parametrize(("masses", "s"), [((0.6, 0.4), 1), ((0.6, 0.4), 6), ((0.6, 0.4), 7), ((0.5, 0.3, 0.2), 6)])
def test_a_mode_is_found_at_least_as_often_as_is_said(masses: tuple[float, ...], s: int) -> None:
    """Against all outcomes: exact for two values, where a tie counts as a miss, and a lower bound for more."""
    strict = 0.0
    for drawn in product(range(len(masses)), repeat=s):
        counts = np.bincount(drawn, minlength=len(masses))
        strict += prod(masses[value] for value in drawn) * (counts[0] > counts[1:].max())
    said = most_frequent(masses, s)
    assert said <= strict
    if len(masses) == 2:
        assert said == pytest.approx(strict, abs=1e-10)


def test_counts_are_multinomial_whatever_their_number() -> None:
    """The mean of 200 chunks of 10¹² draws is within 8 standard deviations of each mass, and nothing is lost."""
    masses, n = np.array([0.5, 0.3, 0.2]), 10**12
    found = counted(np.full(200, n), masses, np.random.default_rng(2))
    assert (found.sum(axis=1) == n).all()
    assert np.abs(found.mean(axis=0) / n - masses).max() < 8 * np.sqrt(0.25 / (200 * n))


@pytest.mark.parametrize("analyst", [Features(d=10, rho=0.5), Modes(values=3, lead=0.5), Descent(depth=2)])
def test_a_chunk_answers_the_truth_at_least_as_often_as_is_said(analyst: Analyst) -> None:
    """False-failure probability 1e-7: a one-sided binomial test of 20 000 chunks on the deepest query."""
    s, k = 30, 20_000
    said = analyst.right(s)
    session, last = analyst.chunks(QuerySite(2, k, s, 0), np.random.default_rng(3)), None
    for _ in range(2):
        poll = session.ask(last)
        last = poll.truth
    votes = int(poll.counts[poll.labels == poll.truth].sum())
    assert said is not None and said < 0.99
    assert binomtest(votes, k, said, alternative="less").pvalue > 1e-7


def test_an_adaptive_analyst_asks_where_the_last_answer_points() -> None:
    """The search halves what is left on the side that the answer names, and starts anew after ⊥."""
    session = BoundarySearch(target=0.3).chunks(QuerySite(99, 9, 10**9, 0), np.random.default_rng(0))
    votes = [session.ask(None).truth]
    for _ in range(20):
        votes.append(session.ask(votes[-1]).truth)
    x = session.x  # type: ignore[attr-defined]
    assert abs(x - 0.3) < 2**-18
    session.ask(None)
    assert (session.low, session.high) == (0.0, 1.0)  # type: ignore[attr-defined]


def test_a_descent_follows_the_child_that_was_named() -> None:
    """Its points there are those that the last query counted, down to its depth; after ⊥ all of them are back."""
    session = Descent(children=3, depth=3, heavy=0.6).chunks(QuerySite(9, 4, 1000, 0), np.random.default_rng(1))
    session.ask(None)
    for child in (2, 0):
        named = session.split[:, child].copy()  # type: ignore[attr-defined]
        session.ask(child)
        assert session.here.tolist() == named.tolist()  # type: ignore[attr-defined]
    for last in (1, None):  # the third level was the last; then a ⊥
        session.ask(last)
        assert session.here.tolist() == [1000] * 4  # type: ignore[attr-defined]


def test_lasso_names_the_feature_that_speaks_and_is_split_where_two_do() -> None:
    """40 chunks of 60 examples with no noise: every chunk is right; of two equal ones each is named by some."""
    one, two = (
        LassoFeatures(d=6, rho=1.0).chunks(QuerySite(1, 40, 60, unstable, True), np.random.default_rng(4)).ask(None)
        for unstable in (0, 1)
    )
    assert (one.labels.tolist(), one.counts.tolist()) == ([3], [40])
    assert set(two.labels.tolist()) == {3, 4}


def test_planted_votes_are_as_planted_on_any_range() -> None:
    for values in (2, 3, None):
        session = PlantedVotes(values=values, share=2 / 3).chunks(QuerySite(50, 300, 1, 20), np.random.default_rng(5))
        polls = [session.ask(None) for _ in range(50)]
        assert sum(poll.gap == 0 for poll in polls) == sum(not poll.stable for poll in polls) == 20
        assert {(poll.gap, poll.winner == poll.truth) for poll in polls if poll.stable} == {(100, True)}
        assert all(poll.labels.max() < (values or 10**6) for poll in polls)
        whole = PlantedVotes(values=values).whole(QuerySite(1, 1, 1, 0), 300, np.random.default_rng(6)).ask(None)
        assert whole.distance in (99, 100) and whole.gap == 100


@pytest.mark.parametrize(("analyst", "each"), [(Points(), 1), (Modes(), 1), (Descent(), 1), (Features(d=10), 10)], ids=repr)
def test_what_would_be_drawn_in_full_is_told_with_what_is_allowed(analyst: Analyst, each: int) -> None:
    """Ten million numbers are, and one chunk more is not."""
    fits, exceeds = (QuerySite(3, k, 10**6 // each, 1, full=True) for k in (10, 12))
    refused = analyst.refuse(exceeds)
    assert analyst.refuse(fits) is None and refused is not None and refused.parameter == "n"
    assert refused.message.startswith("1.2e+07 ") and refused.message.endswith("≤ 1e+07 in full")
    assert analyst.refuse(QuerySite(3, 12, 10**6, 1)) is None


def test_a_tree_without_a_heavy_child_is_refused() -> None:
    site = QuerySite(3, 10, 100, 1)
    for children, heavy, fits in ((2, 0.5, False), (2, 0.51, True), (4, 0.25, False), (4, 0.26, True)):
        refused = Descent(children=children, heavy=heavy).refuse(site)
        assert (refused is None) == fits and (refused is None or refused.parameter == "analyst")


@pytest.mark.parametrize(("ratio", "law"), [(0.0, [1, 0, 0, 0]), (1.0, [0.25] * 4), (0.5, [8 / 15, 4 / 15, 2 / 15, 1 / 15])])
def test_of_silent_features_each_is_the_first_of_the_largest_in_a_ratio_to_the_one_before(
    ratio: float, law: list[float]
) -> None:
    """Within six standard deviations of each share of 4000."""
    session: Any = Features(d=10).chunks(QuerySite(1, 5, 7, 0), np.random.default_rng(2))
    places = session._silent(np.ones(1), np.array([ratio]), 4, 4000)
    shares = np.bincount(places, minlength=4) / 4000
    assert (np.abs(shares - law) <= 6 * np.sqrt(np.array(law) * (1 - np.array(law)) / 4000) + 1e-12).all()
