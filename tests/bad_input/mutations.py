"""Values, specs and tables that are not what they should be."""

import copy
import json
import math
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from harness.sweep.table.table import KEY, Table

SPEC, FRESH, REFERENCE = "experiments/small.yaml", "results/runs/small.parquet", "results/small.parquet"
ROW = "a row"

READERS = st.sampled_from(
    [
        ["run", SPEC, "--serial"],
        ["check", SPEC],
        ["check", SPEC, "--json", "--summary", "/dev/null"],
        ["claims"],
        ["report", SPEC],
        ["replay", ROW],
        ["figures"],
        ["accept", "small"],
        ["table", "small"],
        ["columns", "small"],
    ]
)
"""Everything that reads a spec or a table."""

NASTY = [
    r"$\frac{$",
    "$" + "{" * 45 + "}" * 45 + "$",
    r"\$ \\ $x$ %s %(x)s {0} {x.y} {{ 7 * 7 }} {% raw %}",
    "\x1b]0;title\x07 \x1b[31mred\x1b[0m \x9b2J \r\b",
    "\u202eturned\u202c \u2066and\u2069 \u2028that\u2029",
    "\u200bnot \ufeffthere\u00ad\u200d \U000e0041",
    "<script>alert(1)</script></title><img src=x onerror='alert(1)'> &lt; \"' -->",
    "[/red] [bold]no[/bold] :tada: [link=https://a.b]c[/link]",
    "| a | `b` [c](https://d.e) **f** ~g~ @all #12 GH-3 www.h.i",
    "_starts with a line below",
    "中文 😀 א ب Z\u0301\u0301\u0301 \ue000 \U0010ffff \u0378",
    "\n\n two\n\nlines\t\n",
    "",
]
"""Texts that mean something to what shows them."""

NAMES = ["hard", "1e400", "nan", "0x1F", "m", "cell", "ensemble", "split", "k_tight", "full", "audit", "midpoint"]
NUMBERS = [0, 1, -1, 2, 10**17, 10**40, 0.5, 1e-320, 1e308, math.inf, -math.inf, math.nan]
RULES = [
    {"geom": [1, 2, 3]},
    {"geom": [1e-300, 1e300, 2]},
    {"name": "hard"},
    {"sklearn": "tree.DecisionTreeClassifier"},
    {"sklearn": "os.system", "command": "touch pwned"},
    {"until": "decided", "max": 5},
    {"queries": 10**12, "max": 3},
]
ODD = st.sampled_from([None, True, False, "", "\0", "\ud7ff", b"\xff", date.min, *NUMBERS, *NAMES, *RULES])
JSON_VALUES = st.recursive(
    ODD | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(["n", "alpha", "kind", "by", "name", "sklearn", "plot"]) | st.text(max_size=5)


def places(content: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Of every value within a value."""
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    return [inner for key, value in items for inner in ((*place, key), *places(value, (*place, key)))]


@st.composite
def mutated(draw: st.DrawFn, content: Any, times: int = 2) -> Any:
    """A value with values in it dropped, renamed, repeated or replaced."""
    content = copy.deepcopy(content)
    for _ in range(draw(st.integers(1, times))):
        found = places(content)
        if not found or draw(st.integers(0, 19)) == 0:
            return copy.deepcopy(draw(JSON_VALUES))
        *above, key = draw(st.sampled_from(found))
        holder = content
        for each in above:
            holder = holder[each]
        match draw(st.sampled_from(["drop", "rename", "list", "replace", "replace", "replace"])):
            case "drop":
                del holder[key]
            case "rename" if isinstance(holder, dict):
                holder[draw(KEYS)] = holder.pop(key)
            case "list":
                holder[key] = [holder[key], copy.deepcopy(holder[key])]
            case _:
                holder[key] = copy.deepcopy(draw(JSON_VALUES))
    return content


@dataclass(frozen=True, repr=False)
class File:
    """What is put in place of a good file, and how it was made."""

    what: str
    content: bytes

    def __repr__(self) -> str:
        return self.what


def resealed(what: str, rows: pa.Table, provenance: Any) -> File:
    """A table that is whole by its digest, whoever made it; or no bytes, where Parquet cannot hold such rows."""
    sink, found = BytesIO(), Table(rows, provenance).digest if len(set(rows.column_names)) == rows.num_columns else ""
    seal = json.dumps({"digest": found, "provenance": provenance}).encode()
    with suppress(pa.ArrowInvalid):
        pq.write_table(rows.replace_schema_metadata({KEY: seal}), sink)
    return File(what, sink.getvalue())


CELLS: dict[str, list[Any]] = {
    "string": ["", "x", "{", "\0", "nan", "[1]", '{"a": [1]}', "halfspaces", None],
    "int64": [0, -1, 1, 2**63 - 1, -(2**63), None],
    "double": [0.0, -1.0, 0.5, math.nan, math.inf, -math.inf, 1e308, 5e-324, None],
    "bool": [True, False, None],
}


@st.composite
def tables(draw: st.DrawFn, good: Table, content: bytes) -> File:
    """Files that are not the good one: other bytes, other Parquet, or sealed over other rows, columns or provenance."""
    rows, names, at = good.rows, good.rows.column_names, st.integers(0, len(content) - 1)
    what = draw(st.sampled_from(["bytes", "cut", "foreign", "columns", "rows", "provenance", "values", "values", "values"]))
    match what:
        case "bytes":
            spoiled = bytearray(content)
            for place in draw(st.lists(at | st.integers(len(content) - 3000, len(content) - 1), min_size=1, max_size=3)):
                spoiled[place] ^= draw(st.integers(1, 255))
            return File(what, bytes(spoiled))
        case "cut":
            start, stop = sorted((draw(at), draw(at)))
            return File(what, draw(st.sampled_from([content[:start], content[start:], content[:start] + content[stop:]])))
        case "foreign":
            arrays = st.sampled_from([pa.array([1, 2]), pa.array([{"a": 1}, None]), pa.array([[b"\x80"], []]), pa.nulls(2)])
            foreign = pa.table(draw(st.dictionaries(st.sampled_from([*names, "x", "x.y", ""]), arrays, min_size=1, max_size=4)))
            seals = st.sampled_from([b"", b"\xff", b"[]", b'{"digest": 1}', b"1" * 5000, b"[" * 5000])
            sink = BytesIO()
            metadata = draw(st.dictionaries(st.sampled_from([KEY, b"pandas", b"ARROW:schema"]), seals))
            pq.write_table(foreign.replace_schema_metadata(metadata), sink)
            return File(what, sink.getvalue())
        case "columns":
            name = draw(st.sampled_from(names))
            place = names.index(name)
            changed = {
                "without": rows.drop_columns([name]),
                "renamed": rows.rename_columns({name: "other"}),
                "twice": rows.append_column(name, rows[name]),
                "backwards": rows.select(names[::-1]),
                "null": rows.set_column(place, name, pa.nulls(len(rows))),
                "as text": rows.set_column(place, name, rows[name].cast(pa.string())),
            }
            how = draw(st.sampled_from(list(changed)))
            return resealed(f"{name} {how}", changed[how], good.provenance)
        case "rows":
            order = draw(st.lists(st.integers(0, len(rows) - 1), max_size=2 * len(rows)))
            return resealed(f"rows {order}", rows.take(pa.array(order, pa.int64())), good.provenance)
        case "provenance":
            provenance = json.loads(json.dumps(draw(mutated(good.provenance)), default=str))
            return resealed(f"provenance {provenance}", rows, provenance)
    columns = {name: rows[name].to_pylist() for name in names}
    for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True)):
        value, where = draw(st.sampled_from(CELLS[str(rows.schema.field(name).type)])), draw(st.integers(0, len(rows)))
        columns[name] = [value if where in (len(rows), row) else old for row, old in enumerate(columns[name])]
        what += f", {name} {value!r} in row {where}"
    return resealed(what, pa.table(columns, schema=rows.schema), good.provenance)
