"""Expressions on a long table, whose rows are read as they are needed, come to what they come to where all are held."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.report.evaluation import Grouped, UnknownError, kept, value
from harness.sweep.spec.expressions import tree
from harness.sweep.table.counted import COUNT

HELD = ("cell", "mechanism", "m", "bound", "known_of")
DRAWN = ("trial", "wrong", "error")


def rows() -> pd.DataFrame:
    """Two mechanisms in four cells of six trials; of one the bound is null, and in one cell there is no error."""
    rng = np.random.default_rng(5)
    made = [
        {"cell": cell, "mechanism": name, "m": 10.0 * (place // 2 + 1), "bound": 3.0 + place if name == "a" else np.nan}
        | {
            "known_of": name == "a",
            "trial": trial,
            "wrong": int(rng.integers(0, 9)),
            "error": float(rng.random()) * (place > 0),
        }
        for place, cell in enumerate("wxyz")
        for name in ("a", "b")
        for trial in range(6)
    ]
    return pd.DataFrame(made)


@dataclass
class Few:
    """Cells and mechanisms of a long table that says what is read of it."""

    table: pd.DataFrame
    read: list[tuple[str, ...]]
    held: list[int]

    def narrow(self, names: Sequence[str]) -> pd.DataFrame:
        self.read.append(tuple(names))
        self.held.append(len(self.table))
        return self.table[[name for name in names if name in self.table]]

    def pieces_of(self, number: int, names: Sequence[str]) -> Iterator[pd.DataFrame]:
        self.read.append(tuple(names))
        places = list(dict.fromkeys(zip(self.table["cell"], self.table["mechanism"], strict=True)))
        cell, mechanism = places[number]
        own = self.table[(self.table["cell"] == cell) & (self.table["mechanism"] == mechanism)][[*names]]
        yield own.iloc[:4]
        yield own.iloc[4:]


class Long:
    """A long table of these rows."""

    def __init__(self) -> None:
        self.all, self.read, self.held, self.shared = rows(), list[tuple[str, ...]](), list[int](), frozenset(HELD)
        self.heads = self.all.groupby(["cell", "mechanism"], sort=False).head(1)

    def part(self, heads: pd.DataFrame) -> Few:
        places = set(zip(heads["cell"], heads["mechanism"], strict=True))
        own = [place in places for place in zip(self.all["cell"], self.all["mechanism"], strict=True)]
        return Few(self.all[own], self.read, self.held)


def grouped() -> tuple[Any, Long]:
    long: Any = Long()
    return Grouped(long, long.heads.assign(**{COUNT.name: 6}), [*HELD, *DRAWN]), long


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("count()", False),
        ("most(m)", False),
        ("sum(m)", False),
        ("mean(bound, mechanism == 'a')", False),
        ("count(mechanism == 'a', m > 10)", False),
        ("count(mechanism == 'c')", False),
        ("any(m == 20)", False),
        ("all(known(bound), mechanism == 'a')", False),
        ("most(only(m), by=cell)", False),
        ("count(by=(cell, mechanism))", False),
        ("sum(only(bound) * most(m), mechanism == 'a', by=cell)", False),
        ("mean(wrong)", True),
        ("mean(wrong, mechanism == 'b', wrong > 2, m > 10)", True),
        ("median(error, m == 20)", True),
        ("quantile(wrong, at=0.8)", True),
        ("share(wrong > m / 4)", True),
        ("least(error + abs(wrong - 4), cell in ('x', 'y'))", True),
        ("sum(wrong, error > mean(error))", True),
        ("count(wrong > 3, mechanism == 'a')", True),
        ("most(mean(error) / only(m), by=cell)", True),
        ("least(mean(wrong), by=(cell, mechanism))", True),
        ("count(most(error) == 0, by=cell)", True),
        ("most(trial, mean(wrong, mechanism == 'a') < mean(wrong, mechanism == 'b'), by=trial)", True),
        ("most(m, mean(wrong, mechanism == 'a') < mean(wrong, mechanism == 'b'), by=m)", True),
        ("sum(count(wrong > 2), by=cell)", True),
        ("mean(error, m > limit) ** 2 - -1", True),
        ("not most(wrong) > 5 or 1 < least(m) <= 10", True),
    ],
)
def test_what_is_asked_of_a_long_table_is_what_all_its_rows_say_and_of_heads_nothing_is_read(text: str, reads: bool) -> None:
    some, long = grouped()
    numbers = {"limit": 15.0}
    expected = value(text, rows().assign(**{COUNT.name: 1}), numbers)
    assert value(text, some, numbers) == pytest.approx(expected) and bool(long.read) == reads
    for names in long.read:
        assert set(names) - {COUNT.name} <= set(tree_names(text)) | {"trial"}, names


def test_of_groups_of_cells_no_more_rows_are_held_than_one_of_them_has() -> None:
    for text in ("most(mean(error) / only(m), by=cell)", "least(most(wrong), wrong > 1, by=(cell, mechanism))"):
        some, long = grouped()
        value(text, some, {})
        assert max(long.held, default=0) <= 12, text


def tree_names(text: str) -> list[str]:
    return [name for name in (*HELD, *DRAWN) if name in text]


@pytest.mark.parametrize(
    ("conditions", "left"),
    [
        (["m > 10"], 0),
        (["wrong > 2"], 1),
        (["m > 10", "wrong > 2", "mechanism == 'a'"], 2),
        (["wrong > 2", "m > 10"], 2),
        (["mechanism == 'c'"], 0),
    ],
)
def test_the_rows_that_a_finding_is_about_are_those_that_meet_its_conditions(conditions: list[str], left: int) -> None:
    """Those of cells are asked at once, up to the first that is about what trials drew."""
    some, long = grouped()
    asked = [tree(each) for each in conditions]
    few: Any = kept(some, asked)
    everything = kept(rows(), asked).assign(**{COUNT.name: 1})  # type: ignore[union-attr]
    assert long.read == [] and len(few.left) == left
    for text in ("count()", "count(error > 0.5)", "count(by=cell)", "count(wrong == 3, m == 20)"):
        assert value(text, few, {}) == value(text, everything, {})


def test_a_column_that_is_not_there_is_named_and_so_is_an_aggregate_of_no_rows() -> None:
    some, _ = grouped()
    for text, said in (
        ("mean(bond)", "there is no column bond"),
        ("most(m, by=nothing)", "there is no column nothing"),
        ("mean(wrong, mechanism == 'c')", "there are no rows for mean"),
        ("mean(bound)", "there are nulls in mean"),
        ("only(m)", "there are several values"),
    ):
        with pytest.raises(UnknownError, match=said):
            value(text, some, {})
