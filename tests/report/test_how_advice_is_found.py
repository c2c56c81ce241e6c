"""How advice is sought: means, a search on a grid, what would change it, and of those that run the order, on made-up errors."""

from collections.abc import Callable, Mapping
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np
import pytest

from harness.report.advice.changes import COIN, Alternative, Blind, changes
from harness.report.advice.means import MeanOfRuns, as_good, mean
from harness.report.advice.race import Contender, Race, ranked, rivals, small
from harness.report.advice.search import GridSearch
from harness.report.grids import Sheet


def exact(value: float) -> MeanOfRuns:
    """A mean that is known."""
    return MeanOfRuns(value, 0.0)


def test_a_mean_of_runs_has_the_error_of_a_sample_and_a_margin_of_3_3_of_them() -> None:
    found = mean(np.array([1.0, 2.0, 4.0, 9.0]))
    assert found.mean == 4 and found.error == pytest.approx(sqrt((9 + 4 + 0 + 25) / 3) / 2, rel=1e-12)
    assert found.margin == pytest.approx(3.3 * found.error) and found.share is None


@pytest.mark.parametrize(
    ("best", "other", "nothing", "good"),
    [
        (exact(1.0), exact(1.0299), 0.0, True),
        (exact(1.0), exact(1.0301), 0.0, False),
        (exact(100.0), exact(102.9), 0.0, True),
        (MeanOfRuns(1.0, 0.3), MeanOfRuns(1.03 + 3.3 * 0.5 - 1e-6, 0.4), 0.0, True),
        (MeanOfRuns(1.0, 0.3), MeanOfRuns(1.03 + 3.3 * 0.5 + 1e-6, 0.4), 0.0, False),
        (exact(0.0), exact(0.5), 0.5, True),
        (exact(0.0), exact(0.51), 0.5, False),
        (exact(1.0), exact(0.1), 0.0, True),
    ],
)
def test_as_good_is_within_both_margins_and_three_percent_or_as_good_as_none(
    best: MeanOfRuns, other: MeanOfRuns, nothing: float, good: bool
) -> None:
    assert as_good(best, other, nothing) == good


AXES: dict[str, list[Any]] = {"a": [0, 1, 2, 3, 4], "b": [0, 1, 2, 3], "branch": ["x", "y"], "idle": ["p", "q", "r", "s"]}


def search(error: Callable[[Mapping[str, Any]], float | None]) -> tuple[GridSearch, list[tuple[Any, ...]]]:
    """A search on these axes, and the settings that it has measured, one by one."""
    asked: list[tuple[Any, ...]] = []

    def measured(setting: Mapping[str, Any]) -> MeanOfRuns | None:
        asked.append(tuple(setting[axis] for axis in AXES))
        value = error(setting)
        return None if value is None else exact(value)

    return GridSearch(AXES, measured), asked


START = {"a": 0, "b": 0, "branch": "x", "idle": "p"}


@pytest.mark.parametrize("seed", range(20))
def test_where_settings_add_up_the_search_finds_the_least_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = {axis: dict(zip(values, rng.random(len(values)), strict=True)) for axis, values in AXES.items() if axis != "idle"}
    grid, asked = search(lambda setting: sum(parts[axis][setting[axis]] for axis in parts))
    found = grid.best([START], "branch")
    least = sum(min(each.values()) for each in parts.values())
    assert found is not None and found[1].mean == pytest.approx(least)
    assert all(parts[axis][found[0][axis]] == min(parts[axis].values()) for axis in parts)
    assert len(asked) == len(set(asked)) < np.prod([len(values) for values in AXES.values()])
    assert grid.says(found[0]) == ["a", "b", "branch"]


def test_each_branch_is_searched_from_its_own_best_start_and_the_best_of_all_is_given() -> None:
    """Of two branches the worse at the start is better where both of the others are high; no single step leads there."""

    def error(setting: Mapping[str, Any]) -> float:
        if setting["branch"] == "x":
            return 1.0 + 0.1 * float(setting["a"] + setting["b"])
        return 0.5 if (setting["a"], setting["b"]) == (4, 3) else 3.0 - 0.1 * float(setting["a"])

    grid, _ = search(error)
    found = grid.best([START, {**START, "a": 2}], "branch")
    assert found is not None and found[1].mean == 0.5 and found[0]["branch"] == "y"


def test_where_a_branch_has_no_say_only_one_is_searched() -> None:
    grid, asked = search(lambda setting: abs(setting["a"] - 3.0) + setting["b"])
    found = grid.best([START], "branch")
    assert found is not None and found[1].mean == 0.0
    assert [each for each in asked if each[2] == "y"] == [(0, 0, "y", "p"), (3, 0, "y", "p")]  # an end of an idle axis
    assert grid.says(found[0]) == ["a", "b"]


def test_an_axis_whose_ends_say_nothing_is_not_gone_through() -> None:
    grid, asked = search(lambda setting: float(setting["b"]) - 5 * (setting["a"] == 2))
    assert grid.best([START], "branch") is not None
    assert {each[0] for each in asked} == {0, 1, 4} and {each[3] for each in asked} == {"p", "q", "s"}


def test_what_cannot_be_run_is_never_best_and_where_nothing_can_there_is_none() -> None:
    grid, _ = search(lambda setting: None if setting["a"] < 2 else 1.0 / setting["a"])
    found = grid.best([START], "branch")
    assert found is not None and found[0]["a"] == 4 and found[1].mean == 0.25
    assert search(lambda setting: None)[0].best([START], "branch") is None


def test_a_search_goes_on_while_another_value_does_better_four_rounds_at_most() -> None:
    """Along a ridge on which each value can move by one, and only when the other has: two steps a round."""

    def error(setting: Mapping[str, Any]) -> float:
        a, b = setting["a"], setting["b"]
        return 10.0 - float(a + b) if a - b in (0, 1) else 20.0

    long = {**AXES, "a": list(range(9)), "b": list(range(9))}
    grid = GridSearch(long, lambda setting: exact(error(setting)))
    found = grid.best([START], "branch")
    assert found is not None and (found[0]["a"], found[0]["b"]) == (4, 4)


class Question(NamedTuple):
    """What another errs where it is in reach, and the first always."""

    n: int
    m: int
    wins: Callable[[int, int], bool]
    blind: Blind = COIN
    first: float = 0.1

    def value(self, axis: str) -> int:
        return int(getattr(self, axis))

    def moved(self, axis: str, value: int) -> "Question":
        return self._replace(n=value) if axis == "n" else self._replace(m=value)

    def least(self, name: str, below: float = inf) -> float:
        wrong = {"first": self.first, "never": 0.901 * self.first, "other": 0.01 if self.wins(self.n, self.m) else 1.0}
        return wrong[name] if wrong[name] < below or name == "first" else inf


NAMES = ("first", "never", "other")


@pytest.mark.parametrize("at", [1800, 5700, 31_000, 260_000, 990_000])
def test_the_nearest_change_is_found_to_an_eighth_of_its_factor(at: int) -> None:
    (found,) = changes(Question(1000, 1, lambda n, m: n >= at), NAMES, {"n": 10**9}, 1e-6)
    assert (found.axis, found.up, found.name) == ("n", True, "other")
    assert at <= found.value <= at * 10 ** (1 / 8) * 1.06  # told by two digits


@pytest.mark.parametrize("at", [550_000, 170_000, 33_000, 4100, 1100])
def test_a_change_downwards_is_as_near(at: int) -> None:
    (found,) = changes(Question(1, 1_000_000, lambda n, m: m <= at), NAMES, {"m": 10**6}, 1e-6)
    assert (found.axis, found.up, found.name) == ("m", False, "other")
    assert at / 10 ** (1 / 8) / 1.06 <= found.value <= at


def test_changes_are_sought_along_each_axis_both_ways_and_no_farther_than_it_goes() -> None:
    def far(n: int, m: int) -> bool:
        return n >= 50_000 or n <= 30 or m >= 50_000 or m <= 30

    found = list(changes(Question(1000, 1000, far), NAMES, {"n": 10**6, "m": 10**6}, 1e-6))
    assert [(each.axis, each.up) for each in found] == [("n", True), ("n", False), ("m", True), ("m", False)]
    assert [each.up for each in changes(Question(1000, 1000, lambda n, m: far(n, 1000)), NAMES, {"n": 99_999}, 1e-6)] == [False]
    assert [each.up for each in changes(Question(1000, 1000, lambda n, m: far(n, 1000)), NAMES, {"n": 100_000}, 1e-6)] == [
        True,
        False,
    ]
    assert [each.up for each in changes(Question(99, 10**4, lambda n, m: n == 1), NAMES, {"n": 10**9}, 1e-6)] == []
    assert [each.value for each in changes(Question(10, 10**4, lambda n, m: n <= 1), NAMES, {"n": 10**9}, 1e-6)] == [1]
    assert list(changes(Question(1000, 1, lambda n, m: n > 1_100_000), NAMES, {"n": 10**9}, 1e-6)) == []


@pytest.mark.parametrize(("care", "first", "some"), [(0.0899, 0.1, True), (0.0901, 0.1, False), (0.5, 9.0, False)])
def test_nobody_changes_where_hardly_anything_is_wrong(care: float, first: float, some: bool) -> None:
    """The bar is nine tenths of the first, or of what sees no data."""
    asked = Question(1000, 1, lambda n, m: n > 5000, first=first)
    assert bool(list(changes(asked, NAMES, {"n": 10**9}, care))) == some


def test_no_other_is_named_where_there_is_none() -> None:
    assert list(changes(Question(1000, 1, lambda n, m: True), ("first",), {"n": 10**9}, 1e-6)) == []


def test_a_change_is_told_by_its_axis_its_value_and_its_direction() -> None:
    up, down = Alternative("n", True, 12_000, "other"), Alternative("m", False, 30, "other")
    assert str(up) == "other from about n = 12,000 up, all else the same"
    assert str(down) == "other from about m = 30 down, all else the same"
    assert up.json == {"axis": "n", "from": 12_000, "up": True, "wins": "other"}


def contender(name: str, error: float | None, **more: Any) -> Contender:
    return Contender(name, error=None if error is None else exact(error), **more)


def race(*every: Contender, beta: float = 0.05, moves: str = "any n", moved: Any = ()) -> Race:
    return Race("a question", "error", every, moved, beta, ["One note.", "Another."], moves, Blind("a guess", 1.0))


def test_rivals_are_the_two_best_and_the_best_of_each_kind() -> None:
    every = [contender(name, error) for name, error in zip(("a1", "a2", "a3", "b1", "b2", "c1"), range(6), strict=True)]
    found = rivals(ranked(every), lambda name: name[0])
    assert found[:2] == ["a1", "a2"] and sorted(found) == ["a1", "a2", "b1", "c1"]
    assert rivals([], lambda name: name) == []


def test_the_order_of_a_race_is_that_of_errors_and_of_alike_ones_that_of_promises() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        every = [
            contender(f"m{place}", float(error), promised=float(promise) if promise < 0.7 else None)
            for place, (error, promise) in enumerate(rng.random((6, 2)).round(1))
        ]
        found = ranked([*every, contender("out", 0.0, why="it is"), contender("never", None)], 0.15)
        assert sorted(one.name for one in found) == sorted(one.name for one in every)
        keys = [(max(one.measured.mean, 0.15), inf if one.promised is None else one.promised) for one in found]
        assert keys[1:] == sorted(keys[1:])
        least = min(one.measured.mean for one in every)
        good = [key for key in keys if key[0] <= max(1.03 * least, 0.15)]
        assert keys[0][0] <= max(1.03 * least, 0.15) and keys[0][1] == min(promise for _, promise in good)


@pytest.mark.parametrize(
    ("error", "said"), [(0.12345, "0.12"), (0.0, "0"), (1e-15, "0"), (1e-14, "0"), (2e-14, "2e-14"), (1.0, "1")]
)
def test_an_error_is_told_by_two_digits_and_what_rounding_leaves_as_none(error: float, said: str) -> None:
    assert small(error) == said


def test_a_race_says_who_wins_who_is_next_what_is_promised_and_what_was_not_sought() -> None:
    best = contender("best", 0.1, settings={"α": "0.1", "sample by": "DKW"}, where="uniform", promised=0.6, most=0.2)
    alike = contender("alike", 0.102, promised=0.9, promised_at={"constants": "lean"})
    next_one, out = (
        contender("next", 0.25, promised=0.3, promised_at={"constants": "lean"}),
        contender("out", 0.01, why="it is dear"),
    )
    found = race(alike, best, next_one, out, moved=[Alternative("n", True, 10, "next"), Alternative("m", False, 2, "alike")])
    assert list(found.sentences()) == [
        "best wins, with α = 0.1, sample by DKW. Its error is 0.1 on uniform, where it errs most.",
        "As good, as far as is measured: alike.",
        "The next is next, with 0.25, 2.5 times as much.",
        "By what is promised next is best, with constants = lean: at most 0.3.",
        "By a few runs another does better: next from about n = 10 up, all else the same; "
        "alike from about m = 2 down, all else the same.",
        "Out of the race: out, it is dear.",
    ]
    told = found.json
    assert (told["wins"], told["ties"], list(told["mechanisms"])) == ("best", ["alike"], ["best", "alike", "next", "out"])
    assert [each["wins"] for each in told["changes"]] == ["next", "alike"]
    own = told["mechanisms"]["best"]
    assert (own["error"], own["error_within"], own["error_most"], own["worst"], own["promised"]) == (
        0.1,
        0,
        0.2,
        "uniform",
        0.6,
    )
    assert own["settings"] == {"α": "0.1", "sample by": "DKW"} and told["mechanisms"]["out"]["out"] == "it is dear"
    assert told["mechanisms"]["next"]["promised_at"] == {"constants": "lean"}


def test_where_none_wins_nothing_is_sought_and_where_one_errs_nothing_no_ratio_is_told() -> None:
    def never() -> Any:
        raise AssertionError("sought")
        yield

    none = race(contender("out", None, why="it is dear"), moved=never())
    assert list(none.sentences()) == ["None wins.", "Out of the race: out, it is dear."]
    assert (none.json["wins"], none.json["ties"], none.json["changes"], none.proved) == (None, [], [], None)
    exactly = race(contender("best", 0.0), contender("next", 0.5))
    assert list(exactly.sentences()) == [
        "best wins. Its error is 0.",
        "The next is next, with 0.5.",
        "Nothing is promised of any of them here: every bound is vacuous.",
        "No other does better at any n.",
    ]
    assert "What would change that was not sought, as a run takes long." in race(contender("best", 0.0), moves="").sentences()


@pytest.mark.parametrize("most", [0.25, None])
def test_a_race_is_shown_with_a_column_of_what_is_kept_where_something_is(most: float | None) -> None:
    every = [contender("best", 0.1, most=most, settings={"α": "0.1"}, promised=0.5), contender("next", 0.25)]
    question, sheet, notes, said = race(*every, beta=0.1).parts()
    assert isinstance(sheet, Sheet)
    rows = [[str(cell) for cell in row] for row in sheet._rows]
    assert str(question) == "a question\n" and str(notes) == "One note. Another.\n" and str(said).startswith("best wins")
    kept, none = [["0.25"], ["–"]] if most else [[], []]
    assert rows == [
        ["best", "α = 0.1", "0.1 ± 0", *kept, "0.5"],
        ["next", "", "0.25 ± 0", *none, "–"],
    ]
