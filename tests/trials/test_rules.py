"""The rules of every kind of trial, one suite: what a committed table says is taken, and nothing else that it could say.

Parametrised from the registry: a new kind is in it with its first committed table. What a rule does not tell is told by what
`harness check` computes again of cells and plans. What neither tells is listed, with why: only a trial that is run again does.
"""

from itertools import combinations
from math import isclose
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from harness.report.stored import Stored
from harness.sweep.run.spec_match import spec_match
from harness.sweep.table.rows import impossible, kept
from harness.sweep.table.schema import tabulated
from harness.sweep.table.table import Table
from harness.trials import kinds
from harness.trials.columns import Column
from harness.trials.kind import Kind, Row
from harness.trials.rules import Rule
from tests.support.tabled import committed, departures, sample, samples

Pair = tuple[str, str]

SUM = "only their sum is tied to anything else"
ALIKE = "both are distances of the same kind, either of which may be the larger"
UNTOLD: dict[str, dict[Pair, str]] = {
    "answers": {
        ("bottoms", "wrong"): SUM,
        ("fresh_error", "eps_data_dependent"): "no mechanism has both",
    },
    "audit": {("pair", "event"): "both are words"},
    "learner": {("bottoms", "mislabelled"): "half of the ⊥s are mislabelled, on average", ("error", "tv_budget"): ALIKE},
    "soft_labels": {
        ("bottoms", "unanswered"): SUM,
        ("split", "second_failed"): "both are at most what is not stable",
        ("error", "excess"): ALIKE,
    },
    "stability": {("gap", "gap_error"): "either may be the larger"},
    "stable_queries": {("unstable", "stable_failed"): SUM},
    "tracing": {("error", "apart"): ALIKE},
    "tracing_law": {("error", "apart"): ALIKE},
    "tracing_scores": {("bottoms", "unanswered"): SUM},
}
"""Pairs of columns whose exchange nothing tells, by the kind."""

CAPLESS = "a sum of bounds, which has no largest value"
DEVIATIONS = "in deviations of a score, of which there may be any number"
DRAWN = "the accounting is of what was drawn, or takes seconds"
FREE: dict[str, dict[str, str]] = {
    "answers": {
        "tv_budget": CAPLESS,
        "eps_data_dependent": "an accounting of votes that are not stored",
        "fresh_error": "a mechanism may have none",
        "max_mistakes": "a sampler need not know it",
    },
    "learner": {
        "tv_budget": CAPLESS,
        "halted": "a run may halt at any number of ⊥s, and at its last point not be seen to",
        "bottoms": "a construction need not count them",
        "mislabelled": "a construction need not count them",
    },
    "least_constant": {"tv_budget": CAPLESS, "n": "as many as the learner needs at the constants that were found"},
    "least_scores": {"k": "as many as the constants that were found ask for"},
    "least_release": {"n": "as many as the constants that were found ask for"},
    "release": {
        "updates": "of what is no NumericSparse, any number",
        "halted": "what is no NumericSparse may halt at any number",
        "log_X": "beyond 700 there is no X beside it",
    },
    "sample_complexity": {"tv_budget": CAPLESS},
    "soft_label_privacy": {"spent_lower": DRAWN},
    "stability": {"deviation": "that of `uniform` is null, and that of `on_average` is not"},
    "tracing": {"level": DEVIATIONS, "score": DEVIATIONS, "spent": DRAWN},
    "tracing_law": {"level": DEVIATIONS, "score": DEVIATIONS},
    "tracing_scores": {"level": DEVIATIONS, "score": DEVIATIONS},
}
"""Columns that may hold another number, or null, in some row, and nothing tells, by the kind."""

ACCOUNTED = {("privacy", "spent_lower"), ("soft_label_privacy", "spent_lower")}
"""Columns that are computed and not computed again: see DRAWN."""

of_every_kind = pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))
QUICK = ("learner", "least_release", "privacy", "soft_label_privacy", "stability")
quick = pytest.mark.at_once(*QUICK, *(name for name in kinds() if name.startswith("tracing")))
"""Where a kind takes a second or more: those that do not."""


def with_column(rows: pa.Table, name: str, values: Any) -> pa.Table:
    """Other values in a column, nulls too."""
    place = rows.schema.get_field_index(name)
    field = rows.schema.field(name).with_nullable(True)
    return rows.set_column(place, field, pa.chunked_array([pa.array(values, field.type)]))


def again(stored: Stored) -> set[str]:
    """The columns that are computed again of any of its rows."""
    cells, kind = {cell.identity: cell for cell in stored.sweep.cells}, stored.sweep.kind
    rows = stored.table.rows.to_pylist()
    known = [kind.parameters(cells[row["cell"]], row["mechanism"]) for row in rows]
    later = [kind.planned(cells[row["cell"]], row) for row in rows] if kind.planned else []
    return {name for each in (*known, *later) for name in each}


def refused(stored: Stored, rows: pa.Table, changed: Pair) -> bool:
    """Whether a table with these rows is not its experiment's, is not read, or is told by the check."""
    if not {"cell", "mechanism"}.isdisjoint(changed):
        return bool(spec_match(stored.sweep, Table(rows, stored.table.provenance)).strange)
    return impossible(rows, stored.sweep.kind) is not None or bool(departures(stored, rows))


@quick
@of_every_kind
def test_what_is_committed_is_taken(kind: Kind) -> None:
    assert samples(kind.name), "no table of the kind is committed"
    for stored in samples(kind.name):
        assert impossible(stored.table.rows, kind) is None
        assert departures(stored, stored.table.rows) == []


@of_every_kind
def test_all_that_is_computed_is_computed_again(kind: Kind) -> None:
    known = set().union(*map(again, samples(kind.name)))
    assert {(kind.name, column.name) for column in kind.computed if column.name not in known} <= ACCOUNTED


def differing(stored: Stored, one: Column, other: Column) -> pa.Table:
    """A row in which two columns are not equal, where there is one."""
    rows = stored.table.rows
    values = zip(rows[one.name].to_pylist(), rows[other.name].to_pylist(), strict=True)
    for place, (a, b) in enumerate(values):
        if a != b and not (None not in (a, b) and one.type == "real" and isclose(a, b, rel_tol=1e-6)):
            return rows.slice(place, 1)
    return rows.slice(0, 0)


def exchanged(rows: pa.Table, one: str, other: str) -> pa.Table:
    """The values of each of two columns in the other."""
    a, b = rows[one].to_pylist(), rows[other].to_pylist()
    return with_column(with_column(rows, one, b), other, a)


@pytest.mark.at_once("privacy", "soft_label_privacy", "stability", "tracing_reach", "tracing_law")
@of_every_kind
def test_exchanged_columns_are_refused(kind: Kind) -> None:
    """But for the trial and its seconds, which name a row and are no number of it."""
    untold, tables = set[Pair](), samples(kind.name)
    known = {name for stored in tables for name in again(stored)}
    columns = [column for column in kind.table.values() if column.name not in ("trial", "seconds")]
    for one, other in combinations(columns, 2):
        if one.type != other.type:
            continue
        pair = one.name, other.name
        distinct = [(stored, row) for stored in tables if (row := differing(stored, one, other)).num_rows]
        if known.isdisjoint(pair):  # only the rules can tell, of all rows
            told = any(impossible(exchanged(stored.table.rows, *pair), kind) for stored, _ in distinct)
        else:
            told = any(refused(stored, exchanged(row, *pair), pair) for stored, row in distinct)
        if distinct and not told:
            untold.add(pair)
    assert untold == UNTOLD.get(kind.name, {}).keys()


def others(column: Column, values: list[Any]) -> list[list[Any]]:
    """What else a column could hold in each row: a truth its opposite, a number far more, and null or a number."""
    if column.type == "truth":
        return [[not value for value in values]]
    far: list[list[Any]] = [[10**15 if column.type == "whole" else 1e12] * len(values)]
    return far + ([[1 if value is None else None for value in values]] if column.null else [])


@of_every_kind
def test_another_number_in_any_row_is_refused(kind: Kind) -> None:
    """By rules that look at nothing but the row, of what differs from trial to trial."""
    free, known = set[str](), {name for stored in samples(kind.name) for name in again(stored)}
    for stored in samples(kind.name):
        rows = stored.table.rows
        for column in (each for each in kind.columns if each.is_number and each.name not in known):
            for values in others(column, rows[column.name].to_pylist()):
                changed = with_column(rows, column.name, values)
                if np.logical_and.reduce([kept(changed, rule) for rule in kind.rules]).any():
                    free.add(column.name)
    assert free == FREE.get(kind.name, {}).keys()


SEARCHING = [kind for kind in kinds().values() if {"runs", "budget"} <= kind.table.keys()]


@pytest.mark.parametrize("kind", SEARCHING, ids=[kind.name for kind in SEARCHING])
def test_an_interval_whose_ends_have_crossed_is_refused(kind: Kind) -> None:
    """In any row of any table; and so is one that took more runs than there are."""
    low, high = ("n_low", "n_high") if "n_low" in kind.table else ("low", "high")
    for stored in samples(kind.name):
        rows = stored.table.rows.filter(pc.is_valid(stored.table.rows[high]))
        crossed = with_column(rows, low, [end + 1 for end in rows[high].to_pylist()])
        beyond = with_column(rows, "runs", [10**12] * len(rows))
        for changed in (crossed, beyond):
            assert not np.logical_and.reduce([kept(changed, rule) for rule in kind.rules]).any()


def breaks(stored: Stored, rule: Rule) -> bool:
    """Whether a change of one of its columns breaks a rule in some row."""
    rows, kind = stored.table.rows, stored.sweep.kind
    for name in rule.columns:
        column, values = kind.table[name], rows[name].to_pylist()
        least: list[Any] = [0 if column.type != "truth" else False] * len(values)
        for changed in (*others(column, values), least):
            if not kept(with_column(rows, name, changed), rule).all():
                return True
    return False


@of_every_kind
def test_every_rule_can_be_broken(kind: Kind) -> None:
    assert kind.rules, "a kind has a rule at least"
    assert [rule.words for rule in kind.rules if not any(breaks(stored, rule) for stored in samples(kind.name))] == []


def near(column: Column, value: Any) -> Any:
    """Another value of a plan, as near as one that must be told."""
    if column.type == "truth":
        return not value
    if value is None:
        return {"text": "x", "json": "{}"}.get(column.type, 1)
    if column.type in ("text", "json"):
        return f"{value} "
    if column.type == "whole":
        return value - 1 if value else 1
    return value * (1 + 1e-6) or 1e-9


@of_every_kind
def test_a_plan_that_is_not_that_of_the_cell_is_told(kind: Kind) -> None:
    """The place, the column and both values: of k one less, of a real a millionth more."""
    stored = samples(kind.name)[-1]
    row = stored.table.rows.slice(0, 1)
    cell, mechanism = row["cell"][0].as_py(), row["mechanism"][0].as_py()
    for name in sorted(again(replaced(stored, row)) & kind.table.keys() - {"cell", "mechanism"}):
        was = row[name][0].as_py()
        changed = near(kind.table[name], was)
        found = departures(stored, with_column(row, name, [changed]))
        assert (cell, mechanism, name, changed, pytest.approx(was)) in [
            (each.cell, each.mechanism, each.column, each.stored, each.now) for each in found
        ], name


def replaced(stored: Stored, rows: pa.Table) -> Stored:
    """The same with fewer rows."""
    return Stored(stored.sweep, stored.path, Table(rows, stored.table.provenance))


def some(of: str) -> Stored:
    """Some rows of an experiment, or of a kind's smallest committed table, with cells that have derived nothing yet.

    An experiment that is called as its kind is meant first.
    """
    stems = [path.stem for path in committed().get(of, [])]
    return sample(of if of in stems or not stems else stems[0])


@pytest.mark.parametrize("of", kinds())
def test_plans_are_those_that_are_committed(of: str) -> None:
    stored = some(of)
    assert departures(stored, stored.table.rows) == []


CHEAP = 0.05  # seconds that a row took


@pytest.mark.parametrize("of", kinds())
def test_rows_that_are_made_again_keep_to_the_rules(of: str) -> None:
    """Of each mechanism one, where there is one that takes no time."""
    stored = some(of)
    cells, made = {cell.identity: cell for cell in stored.sweep.cells}, dict[str, Row]()
    for row in stored.table.rows.to_pylist():
        if row["seconds"] <= CHEAP and row["mechanism"] not in made:
            (made[row["mechanism"]],) = stored.sweep.kind.rows(cells[row["cell"]], [row["mechanism"]], 1, row["trial"])
    assert impossible(tabulated(made.values(), stored.sweep.kind.name), stored.sweep.kind) is None
