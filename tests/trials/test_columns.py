"""Columns are what they are declared to be: said what they are, in the table's file too, and filled by their trials."""

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pyarrow.parquet as pq
import pytest

from harness.sweep.spec import Sweep
from harness.sweep.table.schema import tabulated
from harness.trials import kinds
from harness.trials.columns import Column, Role, Type, every_kind
from harness.trials.kind import Kind

if TYPE_CHECKING:
    from tests.support.project import Project

COLUMNS = [pytest.param(kind, column, id=f"{name}-{column.name}") for name, kind in kinds().items() for column in kind.columns]
NO_COUNTS = {"V", "p"}  # whole numbers that count nothing
PYTHON: dict[str, type | tuple[type, ...]] = {"text": str, "json": str, "whole": int, "real": (int, float), "truth": bool}

LEARNED: dict[str, str | None] = {"n": None, "m": None, "alpha": "0.1", "claims": "[]", "figure": "{x: alpha, y: error}"}
WITHOUT: dict[str, str | None] = dict.fromkeys(("concept", "distribution", "learner", "n", "m")) | {"claims": "[]"}
RELEASED: dict[str, str | None] = {
    "learner": None,
    "constants": None,
    "claims": "[]",
    "concept": "thresholds",
    "distribution": "uniform",
    "alpha": "0.2",
    "figure": "{x: alpha, y: error}",
}
TRACED: dict[str, str | None] = WITHOUT | {"p": "400", "alpha": "0.25", "mechanisms": "[all_averages, gaussian_averages]"}
SPECS: dict[str, dict[str, str | None]] = {
    "answers": {"mechanisms": "[A_binClas, noisy_majority, Confident_GNMax, single_learner]", "figure": "{x: m}"},
    "learner": LEARNED | {"mechanisms": "[A_Priv, non_private]"},
    "sample_complexity": LEARNED | {"mechanisms": "[A_Priv_erm, non_private]", "error": "0.1", "budget": "20"},
    "privacy": WITHOUT | {"m": "100", "eps": "1", "T": "3", "mechanisms": "[printed]", "figure": "{x: T, y: spent_upper}"},
    "release": RELEASED | {"n": "1e6", "mechanisms": "[A_PAP, gaussian_tree, exact_averages]"},
    "release_complexity": RELEASED | {"n": None, "error": "0.1", "budget": "20", "mechanisms": "[exact_averages]"},
    "stable_queries": WITHOUT
    | {"m": "20", "constants": "tight", "T": "2", "n": "1e5", "figure": "{x: m, y: missed}"}
    | {"analyst": "{name: features, d: 10}", "mechanisms": "[A_subSamp, A_OQR, gaussian_argmax, exponential_mechanism]"},
    "tracing": TRACED | {"n": "20", "m": "5", "figure": "{x: n, y: named}"},
    "tracing_reach": TRACED | {"n": None, "m": None, "error": "0.1", "budget": "20", "figure": "{x: p, y: least}"},
    "tracing_law": WITHOUT
    | {"p": "1e6", "alpha": "0.25", "share": "0.3", "mechanisms": "[all_averages]", "figure": "{x: share, y: few}"},
    "least_constant": WITHOUT
    | {
        **{"concept": "ensemble", "distribution": "agreement", "T": "2", "m": "20", "constants": "k_tight"},
        **{"constant": "c_k", "budget": "20", "mechanisms": "[A_binClas]", "figure": "{plot: least, x: m, y: needed}"},
    },
    "least_release": RELEASED
    | {
        **{"n": None, "m": "0", "constant": "c_n", "budget": "20"},
        **{"mechanisms": "[PMW]", "figure": "{plot: least, x: alpha, y: needed}"},
    },
    "least_scores": WITHOUT
    | {
        **{"n": "1e9", "constants": "repaired", "learner": "means", "constant": "c_k", "budget": "20"},
        **{"mechanisms": "[A_SL_Quer]", "figure": "{plot: least, x: m, y: needed}"},
    },
    "tracing_scores": WITHOUT
    | {"biases": "weak", "n": "10000", "times": "2", "nu": "1e-4", "beta": "0.1"}
    | {"mechanisms": "[A_SL_Quer, mean]", "figure": "{x: n, y: named_private}"},
    "audit": WITHOUT | {"eps": "1", "runs": "20", "mechanisms": "[A_stab_printed]", "figure": "{x: eps, y: hits}"},
    "soft_label_privacy": WITHOUT
    | {"m": "100", "eps": "1", "T": "3", "mechanisms": "[repaired]", "figure": "{plot: leaked, x: T, y: leak_run}"},
    "soft_labels": WITHOUT
    | {
        **{"n": "1e9", "constants": "repaired", "learner": "means"},
        **{"mechanisms": "[A_SL_Quer, gaussian_mean, median_exponential, mean]", "figure": "{x: n, y: error}"},
    },
    "stability": WITHOUT
    | {
        **{"m": None, "constants": None, "learner": "{name: sgd, order: permuted}", "s": "9", "pairs": "5"},
        **{"mechanisms": "[on_average, uniform, coins]", "figure": "{x: s, y: change}"},
    },
}
"""Of each kind a spec whose rows fill all columns, or leave null those that may be."""


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.law if name == "tracing_reach" else ()) for name in kinds()],
)
def kind_with_rows(request: pytest.FixtureRequest, module_project: "Project") -> tuple[str, list[dict[str, object]]]:
    """A kind of trial, and rows as one of its trials returns them, which tests look at alone."""
    name = request.param
    one: dict[str, str | None] = {"kind": name, "trials": "1", "m": "20", "learner": "leftmost"}
    sweep = Sweep(module_project.root / module_project.spec(**one | SPECS[name]))
    return name, kinds()[name].rows(sweep.cells[0], sweep.spec.mechanisms, 7, 0)


@pytest.mark.parametrize(("kind", "column"), COLUMNS)
def test_every_column_is_said_what_it_is(kind: object, column: Column) -> None:
    assert column.meaning and column.role in get_args(Role) and column.type in get_args(Type)
    counts = column.type == "whole" and column.name not in NO_COUNTS
    assert bool(column.unit) or not counts
    assert not (column.unit or column.of or column.bound) or column.is_number


@pytest.mark.parametrize("name", kinds())
def test_what_columns_refer_to_is_there(name: str) -> None:
    kind = kinds()[name]
    assert list(kind.table) == [column.name for column in every_kind(kind.columns)], "each name once"
    for column in kind.columns:
        assert all(other in kind.table for other in (column.of, column.bound) if other)
        assert not column.axis or column.axis in kind.cell.model_fields
    if kind.price:
        assert {kind.price.number, kind.price.low, kind.price.high, kind.price.asked} <= kind.table.keys()
        assert kind.price.base in kind.subjects() and kind.table[kind.price.high].null


@pytest.mark.parametrize("name", kinds())
def test_every_axis_has_its_column(name: str) -> None:
    """So that a figure may be drawn along it, and a cell be said in words.

    But for where a search begins, which has no say in what it finds.
    """
    kind = kinds()[name]
    assert {axis for axis in kind.cell.model_fields if kind.column(axis).name not in kind.table} <= {"start"}
    holds = {column.axis: column.name for column in reversed(kind.columns) if column.axis}
    for axis in kind.cell.model_fields:
        assert kind.column(axis).name == holds.get(axis, axis)


def test_trials_fill_just_their_columns_with_what_these_may_hold(kind_with_rows: tuple[str, list[dict[str, object]]]) -> None:
    name, rows = kind_with_rows
    table = kinds()[name].table
    for row in rows:
        assert row.keys() == table.keys()
        for column in table.values():
            value = row[column.name]
            assert column.null if value is None else isinstance(value, PYTHON[column.type]), column
            assert not isinstance(value, bool) or column.type == "truth", column


def test_a_tables_file_says_what_its_columns_are(
    project: "Project", kind_with_rows: tuple[str, list[dict[str, object]]]
) -> None:
    """For whoever reads it without the harness."""
    name, rows = kind_with_rows
    pq.write_table(tabulated(rows, name), "rows.parquet")
    schema = pq.read_schema(Path("rows.parquet"))
    assert schema.names == list(kinds()[name].table)
    for field, column in zip(schema, kinds()[name].table.values(), strict=True):
        said = {key.decode(): value.decode() for key, value in field.metadata.items() if not key.startswith(b"PARQUET:")}
        expected = {"role": column.role, "meaning": column.meaning, "symbol": column.symbol, "unit": column.unit}
        assert said == {key: value for key, value in expected.items() if value}
        assert field.nullable == column.null


@pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))
def test_what_is_drawn_are_numbers_that_differ_from_trial_to_trial(kind: Kind) -> None:
    """No text is, and nothing that follows from cell and subject; of a column that is neither nothing is left."""
    drawn, computed = {column.name for column in kind.drawn}, {column.name for column in kind.computed}
    texts = {column.name for column in kind.columns if column.type in ("text", "json")}
    assert drawn.isdisjoint(computed | texts) and drawn | computed | texts == {column.name for column in kind.columns}
    assert {column.role for column in kind.drawn} <= {"votes", "measured"}
