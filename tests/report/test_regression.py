"""Comparing tables: golden pairs, calm and power."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from harness.report.pair import Pair
from harness.report.regression import Comparison, compare
from harness.report.two_sample import two_sample
from harness.sweep.table.cells import Cells
from harness.trials.columns import Column
from harness.trials.fields import Identified
from harness.trials.kind import Kind

WORSE, BETTER = "changed for the worse", "changed for the better"


class Dice(Identified, frozen=True):
    """No parameters."""

    hashed_as: ClassVar[str] = "dice"


KIND = Kind(
    name="dice",
    cell=Dice,
    subjects=lambda: ["A"],
    columns=(
        Column("where", "text", "parameter", "where"),
        Column("w", "real", "plan", "a threshold"),
        Column("bound", "real", "claimed", "a bound", null=True),
        Column("errors", "whole", "measured", "errors", worse=True),
        Column("hits", "whole", "measured", "what is neither good nor bad"),
        Column("rate", "real", "measured", "their rate", null=True, worse=True),
    ),
    refuse=lambda cell, name: None,
    measure=lambda cell, streams: lambda name: {},
)


def table(trials: int = 40, cells: int = 2, seed: int = 0, mean: float = 3.0) -> pd.DataFrame:
    """Poisson counts of errors, for one mechanism in each of some cells. The rates are all the same."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = [
        {"cell": f"c{cell}", "mechanism": "A", "trial": trial, "where": "here", "w": 2.5, "bound": 0.5, "rate": 0.1, "hits": 7}
        for cell in range(cells)
        for trial in range(trials)
    ]
    return pd.DataFrame(rows).assign(errors=rng.poisson(mean, len(rows)), seconds=rng.random(len(rows)))


def compared(fresh: pd.DataFrame, reference: pd.DataFrame, same: bool = False, error: float = 1e-3) -> Comparison:
    """The comparison of one pair alone."""
    (comparison,) = compare([Pair("throws", KIND, Cells(fresh), Cells(reference), same)], error)
    return comparison


def changed(frame: pd.DataFrame, row: int, column: str, value: Any) -> pd.DataFrame:
    """A copy with one value changed, to NaN where it is to be None."""
    return frame.assign(**{column: frame[column].where(frame.index != row, value)})


@pytest.mark.parametrize("same", [True, False])
def test_equal_rows_are_identical_whatever_the_versions_and_the_clock(same: bool) -> None:
    comparison = compared(table().assign(seconds=0.0), table(), same)
    assert (comparison.result, comparison.rows, comparison.changes, comparison.tests) == ("identical", 80, [], 0)


@pytest.mark.parametrize("same", [True, False])
def test_a_null_is_equal_to_a_null(same: bool) -> None:
    frame = changed(table(), 3, "rate", None)
    assert compared(frame, frame.copy(), same).result == "identical"


def test_rows_are_found_by_their_place_and_not_by_their_order() -> None:
    assert compared(table().iloc[::-1], table(), same=True).result == "identical"


@pytest.mark.parametrize(
    ("column", "value"),
    [("errors", 999), ("w", 2.500001), ("where", "there"), ("rate", None), ("bound", None), ("rate", 0.2)],
)
def test_one_changed_number_is_broken_where_the_versions_are_the_same(column: str, value: object) -> None:
    reference = table()
    comparison = compared(changed(changed(reference, 47, column, value), 60, "errors", 1000), reference, same=True)
    assert comparison.result == "broken"
    (change,) = comparison.changes
    assert (change.cell, change.mechanism, change.trial, change.column) == ("c1", "A", 7, column)
    assert change.fresh == value or pd.isna(change.fresh)
    assert change.reference == reference.loc[47, column]


def test_the_same_number_is_no_change_where_the_versions_are_not() -> None:
    comparison = compared(changed(table(), 47, "errors", 999), table())
    assert (comparison.result, comparison.changes, comparison.tests) == ("no change", [], 2)
    assert comparison.code == 0


@pytest.mark.parametrize(
    ("fresh", "reference", "result"),
    [
        (6.0, 3.0, WORSE),
        (3.0, 6.0, BETTER),
        (0.0, 3.0, BETTER),
        (3.0, 0.0, WORSE),
    ],
)
def test_more_errors_are_a_change_for_the_worse_and_fewer_for_the_better(fresh: float, reference: float, result: str) -> None:
    """150 Poisson counts of mean 3 and 6 differ by 12 standard deviations: nothing to see has probability below 1e-6."""
    comparison = compared(table(150, seed=1, mean=fresh), table(150, seed=2, mean=reference))
    assert comparison.result == result
    assert {(change.result, change.column) for change in comparison.changes} == {(result, "errors")}
    assert {change.cell for change in comparison.changes} == {"c0", "c1"}
    for change in comparison.changes:
        assert (change.fresh.value < change.reference.value) == (result == BETTER)
        assert 0 < change.p <= 5e-4


def test_a_change_for_the_worse_outweighs_one_for_the_better() -> None:
    better, worse = table(150, seed=1, mean=1.0), table(150, seed=2, mean=9.0)
    fresh = pd.concat([better[better["cell"] == "c0"], worse[worse["cell"] == "c1"]])
    comparison = compared(fresh, table(150, seed=3))
    assert {(change.cell, change.result) for change in comparison.changes} == {
        ("c0", BETTER),
        ("c1", WORSE),
    }
    assert comparison.result == WORSE


@pytest.mark.parametrize(
    ("column", "new"), [("w", 2.51), ("w", 2.49), ("bound", 0.51), ("bound", 0.25), ("bound", None), ("where", "there")]
)
def test_what_the_theory_computes_may_not_differ_at_all(column: str, new: Any) -> None:
    """Also where a bound is lower: no test, and no sample so small that it is not seen."""
    for trials in (40, 1):
        comparison = compared(table(trials).assign(**{column: new}), table(trials))
        assert [(change.result, change.column, change.p) for change in comparison.changes] == [("changed", column, 0)] * 2
        assert comparison.result == "changed" and comparison.code == 1
        back = compared(table(trials), table(trials).assign(**{column: new}))
        assert [(change.result, change.column) for change in back.changes] == [("changed", column)] * 2


def test_the_last_digits_of_what_is_computed_are_no_change() -> None:
    assert compared(table().assign(w=2.5 * (1 + 2e-8)), table()).result == "identical"


def test_the_last_digits_of_what_is_drawn_are_no_change_of_law() -> None:
    """Of many trials all that differ by the digits of another processor, in the same direction, beside a real change."""
    reference = table(300).assign(rate=np.random.default_rng(3).choice([0.2, 0.8], 600))
    for factor, columns in ((1 - 1e-13, {"w"}), (1.5, {"w", "rate"})):
        found = compared(reference.assign(rate=reference["rate"] * factor, w=2.75), reference)
        assert {change.column for change in found.changes} == columns


def test_a_plan_that_is_made_anew_in_every_trial_is_tested_as_what_is_drawn() -> None:
    """As where a mechanism chooses its cutoff by an estimate: the first trial's says nothing of the others'."""
    rng = np.random.default_rng(5)
    fresh, reference, moved = (table(150).assign(w=rng.normal(mean, 1, 300)) for mean in (3, 3, 6))
    assert compared(fresh, reference).result == "no change"
    found = compared(moved, reference)
    assert {(change.result, change.column) for change in found.changes} == {("changed", "w")}
    assert all(0 < change.p < 1e-3 for change in found.changes)


def test_the_law_of_what_is_neither_good_nor_bad_may_not_change_either() -> None:
    """150 Poisson counts of mean 3 and 6 differ by 12 standard deviations."""
    rng = np.random.default_rng(6)
    fresh, reference = (table(150).assign(hits=rng.poisson(mean, 300)) for mean in (3, 6))
    assert {(change.result, change.column) for change in compared(fresh, reference).changes} == {("changed", "hits")}


@pytest.mark.parametrize("sign", [1, -1])
def test_of_columns_that_rank_trials_alike_one_is_tested(sign: int) -> None:
    """A second name for the same numbers takes no share of the error."""
    fresh, reference = table(seed=1), table(seed=2)
    one, other = (frame.assign(hits=100 + sign * frame["errors"]) for frame in (fresh, reference))
    assert compared(one, other).tests == compared(fresh, reference).tests == 2


@pytest.mark.parametrize("null_best", [False, True], ids=["worst", "best"])
def test_a_null_is_worse_than_any_number_or_better_as_its_column_says(null_best: bool) -> None:
    """A null here and there, too: the means are of what is left, and say how much that is."""
    rate = replace(KIND.columns[-1], null_best=null_best)
    kind, reference = replace(KIND, columns=(*KIND.columns[:-1], rate)), table()
    few = reference["rate"].where(reference["trial"] >= 25)
    for nulls, trials, mean in ((np.nan, 40, np.nan), (few, 25, 0.1)):
        lacking = reference.assign(rate=nulls)
        for fresh, old in ((lacking, reference), (reference, lacking)):
            (comparison,) = compare([Pair("throws", kind, Cells(fresh), Cells(old), False)], 1e-3)
            result = BETTER if null_best == (fresh is lacking) else WORSE
            assert [(change.column, change.result) for change in comparison.changes] == [("rate", result)] * 2
            change = comparison.changes[0]
            means = (change.fresh, change.reference) if fresh is lacking else (change.reference, change.fresh)
            assert change.null_is == ("best" if null_best else "worst")
            assert [(each.nulls, each.trials) for each in means] == [(trials, 40), (0, 40)]
            np.testing.assert_allclose([each.value for each in means], [mean, 0.1])


@pytest.mark.parametrize("same", [True, False])
def test_more_trials_than_the_reference_has_are_left_alone(same: bool) -> None:
    comparison = compared(table(), table().query("trial < 30"), same)
    assert (comparison.result, comparison.rows) == ("identical", 60)


FEWER: dict[str, tuple[str, str]] = {
    "a trial": ("cell != 'c1' or mechanism != 'A' or trial != 7", "trials than the reference: 39 of 40 of c1 with A"),
    "trials": ("trial < 30", "trials than the reference: 30 of 40 of c0 with A, and fewer in 3 other places"),
    "a cell": ("cell != 'c0'", "cells than the reference: 1 of 2, without such as c0"),
    "a mechanism": ("mechanism != 'B'", "mechanisms than the reference: B is not in 2 of 2 cells"),
    "a mechanism of a cell": ("mechanism != 'B' or cell != 'c0'", "mechanisms than the reference: B is not in 1 of 2 cells"),
}


@pytest.mark.at_once("a cell-True", "a mechanism-False", "a mechanism of a cell-True", "a trial-False", "trials-True")
@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize(("kept", "says"), FEWER.values(), ids=FEWER)
def test_what_the_reference_has_and_the_fresh_table_lacks_is_named(same: bool, kept: str, says: str) -> None:
    """What is there is compared; where that differs, the change goes first."""
    reference = pd.concat([table(), table().assign(mechanism="B")], ignore_index=True)
    fresh = reference.query(kept)
    comparison = compared(fresh, reference, same)
    assert (comparison.label, comparison.code, comparison.nothing) == ("identical, in part", 3, "")
    assert comparison.lacking == [f"fewer {says}"]
    assert compared(reference, fresh, same).code == 0  # more than the reference has
    worse = compared(fresh.assign(errors=99), reference, same)
    assert worse.code == 1 and worse.label == f"{'broken' if same else 'changed for the worse'}, in part"


def test_where_the_data_decide_how_many_trials_there_are_the_first_look_is_what_must_be_there() -> None:
    reference = table(600)
    for decided, trials, code in ((True, 256, 0), (True, 255, 3), (False, 599, 3), (False, 600, 0)):
        pair = Pair("throws", KIND, Cells(reference[reference["trial"] < trials]), Cells(reference), True, decided)
        assert compare([pair], 1e-3)[0].code == code


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("fresh", [table().query("cell == 'c9'"), table().assign(cell="c9")], ids=["empty", "others"])
def test_without_a_common_row_nothing_is_compared(same: bool, fresh: pd.DataFrame) -> None:
    comparison = compared(fresh, table(), same)
    assert (comparison.label, comparison.code) == ("compared nothing", 4)
    assert comparison.nothing == "the fresh table has no row of the reference"


@pytest.mark.parametrize(("trials", "enough"), [(1, False), (6, False), (9, True), (40, True)])
def test_too_few_trials_for_any_change_to_show_compare_nothing(trials: int, enough: bool) -> None:
    """At 5e-4 each: 2/C(12, 6) = 2.2e-3, 2/C(18, 9) = 4.1e-5. In some of the places it is a part that is compared."""
    fresh, reference = table(trials, seed=1), table(trials, seed=2)
    comparison = compared(fresh, reference)
    assert (comparison.result, comparison.code) == (("no change", 0) if enough else ("compared nothing", 4))
    others = (table(40, seed=seed).assign(cell=table()["cell"] + "'") for seed in (3, 4))
    fresh, reference = (pd.concat(each, ignore_index=True) for each in zip((fresh, reference), others, strict=True))
    assert compared(fresh, reference).label == ("no change" if enough else "no change, in part")


def test_too_few_trials_are_told_of_the_fresh_table_and_of_its_reference_and_each_place_lacks_its_own() -> None:
    """Of three against two, and of one that has 600 the first 256 count."""
    pair = Pair("throws", KIND, Cells(table(3)), Cells(table(2, seed=5)), False)
    assert {(place.rows, place.wanted, place.lost, place.sizes) for place in pair.shared} == {(2, 2, 0, (3, 2))}
    (comparison,) = compare([pair], 1e-3)
    assert comparison.nothing.endswith(": 3 against 2")
    long = Pair("throws", KIND, Cells(table(2)), Cells(table(600)), False)
    assert {(place.rows, place.wanted, place.lost, place.sizes) for place in long.shared} == {(2, 600, 598, (2, 256))}


def test_trials_beyond_the_first_look_are_left_alone() -> None:
    """How many trials a cell has beyond 256 its data may have decided."""
    fresh, reference = table(600, seed=1), table(600, seed=2)
    late = fresh["trial"] >= 256
    assert compared(fresh.assign(errors=fresh["errors"].where(~late, 99)), reference).result == "no change"
    assert compared(fresh.assign(errors=fresh["errors"].where(late, 99)), reference).result == WORSE


def test_all_tests_of_a_check_share_its_error() -> None:
    """One column against another at p = 4.8e-4: named when it is the only test at 1e-3, not when it is one of three."""
    fresh, reference = (table(15, cells=1).assign(errors=[value] * 8 + [0] * 7) for value in (1, 0))
    p, _ = two_sample(fresh["errors"].to_numpy(float), reference["errors"].to_numpy(float))
    pair = Pair("one", KIND, Cells(fresh), Cells(reference), False)
    other = Pair("two", KIND, Cells(table(15, 2)), Cells(table(15, 2, 1)), False)
    assert [comparison.result for comparison in compare([pair], 1.01 * p)] == [WORSE]
    assert [comparison.result for comparison in compare([pair, other], 1.01 * p)] == ["no change", "no change"]
    assert [comparison.result for comparison in compare([pair, other], 3.03 * p)] == [WORSE, "no change"]


Law = Callable[[np.random.Generator, int], np.ndarray[Any, np.dtype[np.int64]]]
LAWS: dict[str, Law] = {
    "mostly zeros": lambda rng, n: rng.poisson(0.05, n),
    "an event": lambda rng, n: rng.integers(0, 2, n),
    "rare and huge": lambda rng, n: (rng.random(n) < 0.02) * rng.integers(1, 10**6, n),
    "counts": lambda rng, n: rng.poisson(4.0, n),
    "large counts": lambda rng, n: rng.poisson(1e5, n),
}


def drawn(seed: int, doubled: str = "") -> pd.DataFrame:
    """A cell for each law, 80 trials each; in one of them all counts may be doubled, or the event twice as frequent."""
    rng = np.random.default_rng(seed)
    frames = []
    for law in LAWS:
        counts = LAWS[law](rng, 80) + (LAWS[law](rng, 80) if law == doubled else 0)
        rows = {"cell": law, "mechanism": "A", "trial": range(80), "where": "", "w": 1.0, "bound": 1.0, "rate": 0.0, "hits": 7}
        frames.append(pd.DataFrame(rows | {"errors": counts}))
    return pd.concat(frames, ignore_index=True)


@pytest.mark.law
@pytest.mark.timeout(1200)
def test_1000_checks_of_tables_of_one_law_are_calm() -> None:
    """At most 1 of 1,000 checks is red at 1e-9, 9 at 1e-3 and 265 at 0.2: more has probability at most 3e-7 for each.

    Rates are missing in half of the trials, too.
    """
    rng, seeds, found = np.random.default_rng(1000), count(1), []
    for _ in range(1000):
        fresh, reference = (drawn(next(seeds)) for _ in range(2))
        fresh, reference = (each.assign(rate=rng.choice([0.1, np.nan], len(each))) for each in (fresh, reference))
        found.append(compared(fresh, reference, error=0.2))
    for error, most in ((1e-9, 1), (1e-3, 9), (0.2, 265)):
        assert most == binom.isf(3e-7, 1000, error)
        assert sum(any(change.p <= error / check.tests for change in check.changes) for check in found) <= most
    assert {check.result for check in found} <= {"no change", BETTER, WORSE} and sum(check.tests for check in found) > 9000


@pytest.mark.parametrize("doubled", ["counts", "large counts"])
def test_errors_that_double_are_found_and_named(doubled: str) -> None:
    """Poisson counts of mean 4 and 8 in 80 trials each differ by 10 standard deviations: missed with probability below 1e-6."""
    comparison = compared(drawn(1, doubled), drawn(2))
    assert comparison.result == WORSE
    assert [(change.cell, change.mechanism, change.column) for change in comparison.changes] == [(doubled, "A", "errors")]


def test_the_last_digits_of_a_real_are_the_processors_and_break_nothing() -> None:
    reference = table()
    nearly, off = (reference.assign(rate=reference["rate"] * factor) for factor in (1 + 1e-15, 1 + 1e-6))
    assert compared(nearly, reference, same=True).result == "identical"
    assert compared(off, reference, same=True).result == "broken"
