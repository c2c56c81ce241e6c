"""The search for n*: what it shows is true at its stated level, whatever the chance of failure looks like."""

from collections.abc import Callable
from math import exp, log

import numpy as np
import pytest
from scipy.stats import binom

from harness.theory.confidence import confidence_sequence
from harness.trials.search import RATIO, Found, Search, SearchBudget, one_by_one

ALLOWED = 0.15


def search(chance: Callable[[int], float], seed: int, error: float = 1e-6, budget: int = 500, most: int = 10**9) -> Found:
    def fails(n: int, index: int) -> bool:
        return bool(np.random.default_rng([seed, n, index]).random() < chance(n))

    return Search(one_by_one(fails), ALLOWED, most, error, budget).find(start=10**4)


@pytest.mark.parametrize("least", [1, 2, 57, 10**4, 123_456, 9 * 10**8])
def test_a_sharp_step_is_found_to_the_resolution_of_the_grid(least: int) -> None:
    found = search(lambda n: float(n < least), seed=1)
    assert found.low < least
    assert found.high is not None and least <= found.high <= max(least + 1, least * RATIO)
    assert found.high <= max(found.low + 1, found.low * RATIO * (1 + 1e-9)) + 1


def test_nothing_is_enough_where_every_run_fails_and_everything_where_none_does() -> None:
    never = search(lambda n: 1.0, seed=1)
    assert never.high is None
    assert never.low > 0.9 * 10**9
    assert search(lambda n: 0.0, seed=1) == Found(0, 1, search(lambda n: 0.0, seed=1).runs)


@pytest.mark.law
def test_the_interval_misses_no_more_often_than_stated() -> None:
    """200 searches where P(fail) = e^(−n/1000): n* = 1000 ln(1/0.15) = 1897.1.

    Each may miss with probability 0.05: more than 30 misses have probability 2e-8.
    """
    n_star = 1000 * log(1 / ALLOWED)
    misses = 0
    for seed in range(200):
        found = search(lambda n: exp(-n / 1000), seed, error=0.05, budget=200)
        misses += not (found.low < n_star and (found.high is None or n_star <= found.high))
    assert binom.sf(30, 200, 0.05) < 1e-6
    assert misses <= 30


@pytest.mark.law
def test_more_runs_make_a_narrower_interval() -> None:
    """P(fail) = e^(−n/1000) crosses slowly: with ten times the budget both ends come nearer."""
    few, many = (search(lambda n: exp(-n / 1000), 7, budget=budget) for budget in (200, 4000))
    assert few.high is not None and many.high is not None
    assert many.high / many.low < 0.8 * few.high / few.low
    assert many.runs > few.runs


def test_where_runs_are_cheap_both_ends_are_as_near_as_the_budget_shows() -> None:
    """P(fail) = e^(−n/1000), 20,000 runs at a point: a sequence at 1e-6 over the grid is shorter than ± 0.02 about 0.15.

    So ends from n at 0.17 to n at 0.13, 1.16 times as far, and three steps of the grid. Guesses alone leave them wider apart.
    """

    def width(seed: int, close: bool) -> float:
        rng = np.random.default_rng(seed)
        probe = lambda n, indices: rng.random(len(indices)) < exp(-n / 1000)  # noqa: E731
        found = Search(probe, ALLOWED, 10**9, 1e-6, 20_000, close=close).find(10**4)
        assert found.high is not None
        return found.high / found.low

    assert confidence_sequence(3000, 20_000, 1e-6 / 1100, ALLOWED)[1] < 0.17
    near, usual = ([width(seed, close) for seed in range(12)] for close in (True, False))
    assert max(near) < log(0.13) / log(0.17) * RATIO**3 < max(usual)


def test_runs_are_spent_where_they_inform() -> None:
    """On a sharp step most runs are those that show the upper end, which at this error takes about 150 successes."""
    asked: dict[int, int] = {}

    def fails(n: int, index: int) -> bool:
        asked[n] = asked.get(n, 0) + 1
        return n < 10**6

    found = Search(one_by_one(fails), ALLOWED, 10**15, error=1e-8, budget=1000).find(start=10**4)
    assert found.runs == sum(asked.values()) < 500
    assert asked[found.high or 0] > 100


@pytest.mark.at_once("1e-08-3")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("error", [1e-2, 1e-8])
def test_what_is_shown_is_shown_at_the_share_of_one_point_of_the_grid(seed: int, error: float) -> None:
    """Every n of the grid may be looked at, so each has an equal share of the error, and no more decides an end."""
    counts: dict[int, list[bool]] = {}

    def fails(n: int, index: int) -> bool:
        counts.setdefault(n, []).append(bool(np.random.default_rng([seed, n, index]).random() < exp(-n / 1000)))
        return counts[n][-1]

    most = 10**9
    found = Search(one_by_one(fails), ALLOWED, most, error, budget=3000).find(start=10**4)
    assert found.high is not None and found.low > 0
    points = sum(1 for g in range(2000) if RATIO**g <= most)
    ends = {}
    for n in (found.low, found.high):
        ends[n] = confidence_sequence(sum(counts[n]), len(counts[n]), error / points, centre=ALLOWED)
    assert ends[found.high][1] <= ALLOWED < ends[found.low][0]


def test_each_run_is_asked_once() -> None:
    asked = set[tuple[int, int]]()

    def fails(n: int, index: int) -> bool:
        assert (n, index) not in asked
        asked.add((n, index))
        return bool(np.random.default_rng([n, index]).random() < exp(-n / 1000))

    Search(one_by_one(fails), ALLOWED, 10**9, error=1e-6, budget=300).find(start=50)


PATIENCE = SearchBudget(hope=1.5, growth=0.25, stride=8, wide=16)
PATHS: dict[str, tuple[Callable[[int], float], SearchBudget]] = {
    "sharp": (lambda n: float(n < 123_456), SearchBudget()),
    "at the first": (lambda n: 0.0, SearchBudget()),
    "at the last": (lambda n: float(n < 10**6), SearchBudget()),
    "slow": (lambda n: exp(-n / 10**4), SearchBudget()),
    "slow and patient": (lambda n: exp(-n / 10**4), PATIENCE),
    "flat": (lambda n: 0.15, PATIENCE),
    "flat before it falls": (lambda n: 0.2 if n < 3 * 10**5 else 0.0, PATIENCE),
}
KNOWN: dict[tuple[str, int], tuple[int | None, ...]] = {
    ("at the first", 1): (0, 1, 96, 1, 1),
    ("at the first", 2000): (0, 1, 216, 7, 2678),
    ("at the first", 1000000): (0, 1, 276, 12, 1316064),
    ("at the last", 1): (987006, None, 204, 17, 6239224),
    ("at the last", 2000): (987006, None, 132, 11, 6060544),
    ("at the last", 1000000): (987006, None, 12, 1, 987006),
    ("flat", 1): (0, None, 416, 6, 21756),
    ("flat", 2000): (0, None, 849, 20, 5059434),
    ("flat", 1000000): (0, None, 446, 7, 2867671),
    ("flat before it falls", 1): (0, None, 726, 6, 21756),
    ("flat before it falls", 2000): (0, None, 2898, 35, 3933706),
    ("flat before it falls", 1000000): (0, 300822, 2651, 23, 5540090),
    ("sharp", 1): (123397, 125865, 276, 16, 1049270),
    ("sharp", 2000): (123397, 125865, 216, 11, 918539),
    ("sharp", 1000000): (123397, 125865, 192, 9, 2124063),
    ("slow", 1): (12909, 30248, 5148, 27, 480083),
    ("slow", 2000): (12656, 29655, 5408, 18, 328304),
    ("slow", 1000000): (13431, 29073, 5432, 20, 1652703),
    ("slow and patient", 1): (12656, 30853, 2339, 23, 391340),
    ("slow and patient", 2000): (13431, 30248, 2979, 19, 403851),
    ("slow and patient", 1000000): (13167, 29655, 2577, 16, 1559275),
}
"""The ends of the interval, runs, and how many points of the grid were visited, and their sum."""


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("start", [1, 2000, 10**6])
def test_where_a_search_goes_is_where_it_went(name: str, start: int) -> None:
    """Where it looks is guesswork that nothing shown depends on, but time does, and rows that are committed do."""
    chance, patience = PATHS[name]
    visited: dict[int, int] = {}

    def fails(n: int, index: int) -> bool:
        visited[n] = visited.get(n, 0) + 1
        return bool(np.random.default_rng([3, n, index]).random() < chance(n))

    found = Search(one_by_one(fails), ALLOWED, 10**6, 1e-3, 400, patience=patience).find(start)
    assert (found.low, found.high, found.runs, len(visited), sum(visited)) == KNOWN[name, start]


def test_the_largest_value_that_is_tried_may_be_the_least_that_is_enough() -> None:
    plain = Search(one_by_one(lambda n, index: False), ALLOWED, 1000, 1e-6, 500)
    last = max(plain.point(g) for g in range(1000) if plain.point(g) <= 1000)
    assert search(lambda n: float(n < last), seed=1, most=1000).high == last


@pytest.mark.parametrize("budget", [1, 5, 12, 100])
def test_a_search_ends_although_a_guess_takes_more_runs_than_its_budget(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of which nothing is shown where half of the runs fail, as is allowed."""
    looks = list[int]()

    def excludes(allowed: float, failures: int, runs: int, error: float) -> bool:
        looks.append(runs)
        assert len(looks) < 10_000, "no end"
        return False

    monkeypatch.setattr("harness.trials.search.excludes", excludes)
    found = Search(one_by_one(lambda n, index: index % 2 == 0), 0.5, 10**4, 1e-6, budget).find(100)
    assert (found.low, found.high) == (0, None) and max(looks) == max(12, budget)
