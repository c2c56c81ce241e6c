"""What a search of each kind is for: whose failures are allowed how often, and what its row says of what it found."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf, nan, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness.trials import release, release_complexity, sample_complexity, tracing, tracing_reach
from harness.trials.concept_cell import MAX_N
from harness.trials.kind import Row
from harness.trials.least import UNIT
from harness.trials.least_constant import KIND as LEAST_CONSTANT
from harness.trials.least_constant import LeastCell
from harness.trials.least_release import KIND as LEAST_RELEASE
from harness.trials.least_release import LeastReleaseCell
from harness.trials.least_scores import KIND as LEAST_SCORES
from harness.trials.least_scores import LeastScoresCell
from harness.trials.release_complexity import KIND as RELEASE_COMPLEXITY
from harness.trials.release_complexity import ReleaseSearch
from harness.trials.sample_complexity import KIND as SAMPLE_COMPLEXITY
from harness.trials.sample_complexity import SearchCell
from harness.trials.search import Found, Search
from harness.trials.seeds import BlockStreams, stream
from harness.trials.tracing_reach import KIND as TRACING_REACH
from harness.trials.tracing_reach import ReachCell

FOUND = Found(400, 900, 77)


@contextmanager
def searched(look: Callable[[Search], Any] = lambda search: None) -> Iterator[list[Search]]:
    """No run is spent: every search finds FOUND. look: what is done with it before."""
    seen: list[Search] = []

    def find(self: Search, start: int) -> Found:
        seen.append(self)
        look(self)
        return FOUND

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Search, "find", find)
        yield seen


LEAST = {"m": 100, "beta": 0.03, "constant": "c_k"}
ANSWERED, BY_THEOREM = (LeastCell.model_validate(LEAST | {"T": 2, "event": event}) for event in ("answered", "theorem"))
SCORES = LeastScoresCell.model_validate(LEAST | {"n": 10**12})
AVERAGES = LeastReleaseCell.model_validate({"alpha": 0.2, "m": 0, "beta": 0.03, "constant": "c_n"})
CASES: dict[str, tuple[Any, Any, str, float]] = {
    "release_complexity n": (RELEASE_COMPLEXITY, ReleaseSearch(alpha=0.2, beta=0.03, m=20), "exact_averages", 0.03),
    "release_complexity m": (RELEASE_COMPLEXITY, ReleaseSearch(alpha=0.2, beta=0.03, find="m", n=50), "exact_averages", 0.03),
    "sample_complexity": (SAMPLE_COMPLEXITY, SearchCell(alpha=0.1, beta=0.03), "non_private", 0.09),
    "tracing_reach": (TRACING_REACH, ReachCell(p=100, alpha=0.25), "all_averages", 0.5),
    "least_constant answered": (LEAST_CONSTANT, ANSWERED, "A_binClas", 0.03),
    "least_constant theorem": (LEAST_CONSTANT, BY_THEOREM, "A_binClas", 0.06),
    "least_scores": (LEAST_SCORES, SCORES, "A_SL_Quer", 0.03),
    "least_release": (LEAST_RELEASE, AVERAGES, "PMW", 0.03),
}
"""Of each case: the kind, a cell, a mechanism, and the chance of a failure that its claim allows."""


@pytest.mark.parametrize("case", CASES)
def test_a_search_is_for_the_chance_that_is_claimed_and_says_what_it_found(case: str) -> None:
    kind, cell, name, allowed = CASES[case]
    with searched() as seen:
        (row,) = kind.rows(cell, [name], 1, 0)
    (search,) = seen
    assert search._allowed == pytest.approx(allowed)
    assert search._error == pytest.approx(cell.error / (search._last + 1))
    assert (search._budget, row["runs"]) == (cell.budget, FOUND.runs)
    assert ends(row) == pytest.approx((400, 900, sqrt(400 * 900)))


def ends(row: Row) -> tuple[float, float, float]:
    """The interval that a row tells, in the unit of its search."""
    if "n_star" in row:
        return row["n_low"], row["n_high"], row["n_star"]
    if "least" in row:
        return row["low"], row["high"], row["least"]
    unit = row["printed"] / UNIT
    return row["low"] / unit, row["high"] / unit, row["needed"] / unit


def judged(kind: Any, cell: Any, name: str, value: int, trial: int = 0) -> bool:
    """Whether the first run at a value fails."""
    found: list[bool] = []
    with searched(lambda search: found.append(bool(search._probe(value, range(1))[0]))):
        kind.rows(cell, [name], 1, trial)
    return found[0]


@pytest.mark.parametrize(("error", "fails"), [(0.2, False), (0.21, True)])
def test_a_release_fails_where_its_error_over_all_of_H_is_beyond_alpha(error: float, fails: bool) -> None:
    kind, cell, name, _ = CASES["release_complexity n"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            release.ReleaseBlock, "measured", lambda self, *given: {"error": lambda: error, "error_on_cover": lambda: 0.0}
        )
        assert judged(kind, cell, name, 500) == fails


@pytest.mark.parametrize(("named", "traced"), [(2, False), (3, True)])
def test_an_attack_succeeds_where_it_names_more_rows_than_are_public(named: int, traced: bool) -> None:
    kind, cell, name, _ = CASES["tracing_reach"]
    cell = cell.model_copy(update={"m": 2})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tracing.Attack, "made", lambda self, *given: {"named": named})
        assert judged(kind, cell, name, 30) == traced


def test_no_two_trials_of_a_search_draw_the_same_runs() -> None:
    kind, cell, name, _ = CASES["least_release"]
    drawn: list[int] = []

    def told(identity: str, seed: int, index: int, purpose: str) -> np.random.Generator:
        drawn.append(index)
        return stream(identity, seed, index, purpose)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.trials.seeds.stream", told)
        for trial in (0, 1):
            judged(kind, cell, name, UNIT, trial)
    assert len(set(drawn)) == 2


@pytest.mark.parametrize("p", [100, 3000])
def test_the_reach_of_an_attack_is_sought_from_a_tenth_of_the_root_of_p_over_alpha_on(
    p: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = list[int]()

    class Begun:
        def __init__(self, failures: Any, beta: float, most: int, error: float, budget: int) -> None:
            assert (most, error, budget) == (cell.most, cell.error, cell.budget)

        def find(self, start: int) -> Found:
            begun.append(start)
            return Found(3, 12, 7)

    cell = ReachCell(p=p, alpha=0.2, m=0)
    monkeypatch.setattr(tracing_reach, "Search", Begun)
    row = tracing_reach.searched(cell, "all_averages", BlockStreams("any", 0, 0))
    assert begun == [pytest.approx(p**0.5 / 0.2 / 10, abs=1)]
    assert row["least"] == 6 and {3, 12, 7} <= set(row.values())


@pytest.mark.parametrize(
    ("drawn", "needed", "first"), [(inf, 10**6, 10**6), (inf, MAX_N, MAX_N), (1e8, 10**7, 10**4), (1e8, 500, 500)]
)
def test_where_examples_are_drawn_a_search_begins_with_a_ten_thousandth_of_the_most(
    drawn: float, needed: int, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else with what is needed, by the theorem."""
    begun = list[tuple[int, int]]()

    class Begun:
        def __init__(self, failures: Any, beta: float, most: int, error: float, budget: int, patience: int) -> None:
            self.most = most

        def find(self, start: int) -> Found:
            begun.append((self.most, start))
            return FOUND

    monkeypatch.setattr(sample_complexity, "Search", Begun)
    monkeypatch.setattr(sample_complexity, "resolved", lambda cell, name: {"needed": needed, "largest_error": 0.1})
    learner: Any = SimpleNamespace(key="any", name="any", most_examples=drawn, points=lambda problem: 5)
    row = sample_complexity.searched(SearchCell(alpha=0.1), learner, BlockStreams("any", 0, 0))
    assert begun == [(int(min(drawn, MAX_N)), first)] and row["tv_budget"] == 0


@pytest.mark.parametrize(
    ("start", "needed", "first"),
    [(None, 777, 777), (50, 777, 50), (50, None, 50), (None, None, 10**4), (None, 10 * MAX_N, MAX_N)],
)
def test_a_search_for_a_release_begins_where_it_is_told_or_with_what_its_guarantee_asks_for(
    start: int | None, needed: int | None, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or else with ten thousand; and never beyond the most."""
    begun = list[int]()

    def find(self: Search, guess: int) -> Found:
        begun.append(guess)
        return FOUND

    monkeypatch.setattr(Search, "find", find)
    monkeypatch.setattr(release_complexity, "resolved", lambda cell, name: {"asked": needed})
    cell = ReleaseSearch.model_validate({"alpha": 0.2, "m": 20, "start": start})
    release_complexity.searched(cell, "exact_averages", BlockStreams("any", 0, 0))
    assert begun == [first]


def test_the_reach_of_an_attack_is_sought_up_to_ten_rows_beyond_four_times_what_is_meant() -> None:
    """Of private rows four times √p/α, of public ones 4/α²."""
    assert ReachCell(p=100, alpha=0.25).most == 170 and ReachCell(p=100, alpha=0.25, find="m", n=5).most == 74


@pytest.mark.parametrize(
    ("words", "row", "keeps"),
    [
        ("runs ≤ 10,000 budget", (1_000_000, 1), True),
        ("runs ≤ 10,000 budget", (1_000_001, 1), False),
        ("runs ≤ 10,000 budget", (2_000_000, 200), True),
        ("runs ≤ 10,000 budget", (2_000_001, 200), False),
        ("low < high", (3, 4), True),
        ("low < high", (4, 4), False),
        ("least = √(low high), with 1 for 0 in low", (6, 4, 9), True),
        ("least = √(low high), with 1 for 0 in low", (3, 0, 9), True),
        ("least = √(low high), with 1 for 0 in low", (3.001, 0, 9), False),
        ("least is null just where high is null", (nan, 3, nan), True),
        ("least is null just where high is null", (3, 0, 9), True),
        ("least is null just where high is null", (nan, 0, 9), False),
        ("least is null just where high is null", (3, 0, nan), False),
        ("runs ≥ 1", (1,), True),
        ("runs ≥ 1", (0,), False),
    ],
)
def test_a_row_of_a_search_keeps_to_its_rules_up_to_their_limits(words: str, row: tuple[float, ...], keeps: bool) -> None:
    """At any one value at most the budget is spent, or the hundred runs of a guess."""
    (rule,) = (rule for rule in release_complexity.INTERVAL.rules if rule.words == words)
    assert rule.keeps(*np.array([row], float).T).tolist() == [keeps]


@pytest.mark.parametrize("find", ["n", "m"])
def test_nothing_is_asked_for_where_there_is_no_guarantee(find: str) -> None:
    """Of private points by what is without privacy; of public points Lemma 11 says how many, whatever the mechanism."""
    cell = ReleaseSearch.model_validate({"alpha": 0.2, "find": find, "n" if find == "m" else "m": 50})
    rows = {name: release_complexity.resolved(cell, name) for name in ("PMW", "exact_averages")}
    assert [row["vacuous"] for row in rows.values()] == [row["asked"] is None for row in rows.values()]
    assert not rows["PMW"]["vacuous"] and rows["PMW"]["asked_sharp"] <= rows["PMW"]["asked"]
    assert rows["PMW"]["m"] == (50 if find == "n" else None)
