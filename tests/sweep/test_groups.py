"""Groups of rows, against dictionaries."""

from itertools import product
from math import nan

import numpy as np
import pyarrow as pa
import pytest

from harness.sweep.table.groups import RowGroups
from harness.sweep.table.rows import repeated

VALUES = {
    "text": pa.array(["x", "y", None, "x"]),
    "encoded": pa.array(["x", "y", None, "x"]).dictionary_encode(),
    "encoded twice": pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2]), pa.array(["x", "y", "x"])),
    "whole": pa.array([1, 2, None, 1], pa.int64()),
    "real": pa.array([0.5, 0.0, None, 0.5]),
    "truth": pa.array([True, False, None, True]),
}


def table(kind: str, seed: int) -> pa.Table:
    """Sixty rows of up to eight places, with a column of the kind."""
    rng = np.random.default_rng(seed)
    cells, names, values = rng.integers(0, 4, 60), rng.integers(0, 2, 60), rng.integers(0, 4, 60)
    rows = pa.table({"cell": pa.array([f"c{each}" for each in cells]), "name": pa.array(names), "trial": pa.array(values)})
    return rows.append_column("value", VALUES[kind].take(pa.array(values)))


@pytest.mark.parametrize(("kind", "seed"), [*product(VALUES, range(5))])
def test_places_are_those_that_dictionaries_find(kind: str, seed: int) -> None:
    rows = table(kind, seed)
    places = RowGroups(rows, ["cell", "name"])
    firsts: dict[tuple[str, int], int] = {}
    for number, row in enumerate(told := rows.to_pylist()):
        firsts.setdefault((row["cell"], row["name"]), number)
    assert places.firsts.tolist() == [*firsts.values()]
    assert places.numbers.tolist() == [[*firsts].index((row["cell"], row["name"])) for row in told]
    heads = [told[firsts[row["cell"], row["name"]]] for row in told]
    assert places.unlike(["value"]).tolist() == [row["value"] != head["value"] for row, head in zip(told, heads, strict=True)]
    distinct = [tuple(row.values()) for row in places.distinct(["value"]).to_pylist()]
    assert len(distinct) == len(set(distinct)) or kind == "encoded twice"
    assert set(distinct) == {(row["cell"], row["name"], row["value"]) for row in told}
    keys = [(row["cell"], row["name"], row["trial"]) for row in told]
    again = repeated(rows.rename_columns(["cell", "mechanism", "trial", "value"]))
    assert again.tolist() == [key in keys[:number] for number, key in enumerate(keys)]


def test_a_value_that_is_no_number_is_like_none() -> None:
    rows = pa.table({"cell": ["a", "a"], "value": [nan, nan]})
    assert RowGroups(rows, ["cell"]).unlike(["value"]).tolist() == [True, True]


def test_no_rows_are_of_no_place() -> None:
    rows = pa.table({"cell": pa.array([], pa.string()), "value": pa.array([], pa.float64())})
    assert RowGroups(rows, ["cell"]).distinct(["value"]).num_rows == 0
