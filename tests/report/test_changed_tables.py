"""Tables of strangers: a committed table of each kind with one thing changed, and sealed anew, so that its digest is right.

Each is refused, or what is missing of it is told, or what was changed is among the columns that are called as stored: those
that only trials make, of which it keeps to the rules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf, isclose
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import harness as package
from harness.report.pair import TOLERANCE
from harness.report.stored import stored_in
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import HELD
from harness.sweep.table.table import Table
from harness.trials import kinds
from tests.support.doctored import ONE, doctor
from tests.support.tabled import ROOT, committed

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

COUNTED = ROOT / "results/mistakes.parquet"
TABLES = {kind: paths[0] for kind, paths in committed().items()} | {"answers, counted": COUNTED}
QUICK = ("answers", "learner", "privacy", "release", "soft_labels", "tracing")
UNTOLD = {"experiment", "harness", "commit", "clean", "python", "packages", "threads", "makes"}
"""Of the provenance: who made a table and with what, which a page shows as it is stored."""
SPENT = {"privacy": {"spent_lower"}, "soft_label_privacy": {"spent_lower"}}
"""Columns that follow from the spec and are as stored: the ε that is spent at least, which takes long to compute."""


@dataclass(frozen=True)
class Change:
    """A table with one thing changed. what: a column, or a key of its metadata."""

    what: str
    table: Table


@cache
def original(path: Path) -> tuple[Sweep, Table]:
    return Sweep(ROOT / "experiments" / f"{path.stem}.yaml"), Table.read(path)


def changes(table: Table, rng: Random) -> Iterator[Change]:
    """Without end: mostly a column, in a row, in a cell or everywhere."""
    while True:
        made = _metadata(table, rng) if rng.random() < 0.1 else _column(table, rng)
        if made is not None:
            yield made


def _column(table: Table, rng: Random) -> Change | None:
    rows = table.rows
    place = rng.randrange(rows.num_columns)
    field, values, cells = rows.schema.field(place), rows.column(place).to_pylist(), rows["cell"].to_pylist()
    one = rng.randrange(len(values))
    where, other = rng.choice(["row", "cell", "table"]), _other(values, one, rng)
    if pa.types.is_floating(field.type) and other is not None:
        other = float(other)  # of a column without any value it is a whole number
    within = {"row": range(one, one + 1), "cell": [row for row, cell in enumerate(cells) if cell == cells[one]]}
    places = {*within.get(where, range(len(values)))}
    new = [other if row in places else value for row, value in enumerate(values)]
    if all(map(_near, new, values)) or (None in new and not field.nullable):
        return None
    return Change(field.name, Table(rows.set_column(place, field, pa.array(new, field.type)), table.provenance))


def _near(one: Any, other: Any) -> bool:
    """Whether they are the same as far as processors agree."""
    return bool(
        one == other or (isinstance(one, float) and isinstance(other, float) and isclose(one, other, rel_tol=TOLERANCE))
    )


def _other(values: list[Any], one: int, rng: Random) -> Any:
    """A value of the same type, of another row or one that flatters."""
    value = next((each for each in (values[one], *values) if each is not None), 0)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([rng.choice(values), 0, 1, value + 1, max(0, value - 1), 2 * value, 2**62, None])
    if isinstance(value, float):
        return rng.choice([rng.choice(values), 0.0, 1.0, value / 2, value * 2, value * 1.00001, 1e308, inf, None])
    return rng.choice([rng.choice(values), "elsewhere", "{}", '{"d": 7}'])


def _metadata(table: Table, rng: Random) -> Change | None:
    held = (table.rows.schema.metadata or {}).get(HELD)
    if held is not None and rng.random() < 0.5:
        other = rng.choice([b"[]", b"{}", b"7", held.replace(b"[[0, ", b"[[1, "), held.replace(b"[[0, ", b"[[0, 9")])
        return Change("held", Table(table.rows.replace_schema_metadata({HELD: other}), table.provenance))
    key = rng.choice([*table.provenance])
    value = {"makes": table.provenance["makes"] | {"seed": 1234567}, "spec": "title: another", "set": {"trials": "1"}}.get(key)
    return Change(key, Table(table.rows, table.provenance | {key: "another" if value is None else value}))


def said(sweep: Sweep, changed: Table, folder: Path) -> str:
    """What is said against a table; empty where it is judged as it stands."""
    (folder / f"{sweep.name}.parquet").write_bytes(changed.content())
    try:
        found = stored_in(folder, sweep)
    except (InputError, CannotRunError) as error:
        return str(error)
    return found.far


def of_some(change: Change, table: Table, as_stored: Sequence[str]) -> bool:
    """Whether all changed rows are of mechanisms of which the column is called as stored, if not of all."""
    new, old, mechanisms = (
        rows.to_pylist() for rows in (change.table.rows[change.what], table.rows[change.what], table.rows["mechanism"])
    )
    named = [told.partition(" (")[2].rstrip(")").split(", ") for told in as_stored if told.startswith(f"{change.what} (")]
    return bool(named) and {name for name, one, other in zip(mechanisms, new, old, strict=True) if one != other} <= {*named[0]}


def judge_changed(name: str, folder: Path, count: int) -> None:
    sweep, table = original(TABLES[name])
    assert not said(sweep, table, folder)
    as_stored = stored_in(folder, sweep).recomputed.stored
    every = changes(table, Random(name))
    for change in (next(every) for _ in range(count)):
        against = said(sweep, change.table, folder)
        assert against or change.what in {*as_stored, *UNTOLD, "set"} or of_some(change, table, as_stored), change.what
        assert len(against) < 3000


@pytest.mark.at_once("tracing", "answers", "soft_labels")
@pytest.mark.parametrize("name", QUICK)
def test_a_changed_table_is_not_judged_as_genuine(name: str, tmp_path: Path) -> None:
    judge_changed(name, tmp_path, 3)


@pytest.mark.law
@pytest.mark.parametrize("name", TABLES)
def test_none_of_many_changed_tables_is(name: str, tmp_path: Path) -> None:
    judge_changed(name, tmp_path, 30)


@pytest.mark.law
@pytest.mark.parametrize("name", TABLES)
def test_what_follows_from_a_spec_is_not_as_stored(name: str, tmp_path: Path) -> None:
    """But where a plan waits for data that only a trial has, or takes too long."""
    sweep, table = original(TABLES[name])
    said(sweep, table, tmp_path)
    kind = kinds()[table.provenance["kind"]]
    names = {told.partition(" (")[0] for told in stored_in(tmp_path, sweep).recomputed.stored}
    left = names & {column.name for column in kind.computed}
    assert left <= SPENT.get(kind.name, set())


READERS = [
    ("report", "experiments/small.yaml"),
    ("claims", "experiments/small.yaml"),
    ("figures", "small", "--results", "results/runs"),
    ("accept", "small"),
    ("run", "experiments/small.yaml", "--serial"),
]


@pytest.mark.at_once("accept", "run", "claims")
@pytest.mark.parametrize("words", READERS, ids=[words[0] for words in READERS])
@pytest.mark.usefixtures("quick_figures")
def test_whatever_judges_a_table_refuses_a_changed_one(project: "Project", harness: "Harness", words: tuple[str, ...]) -> None:
    sweep = project.sweep(**ONE)
    project.run(sweep)
    doctor(project, lambda row: row | {"lam": row["lam"] / 2})
    found = harness(*words)
    assert found.code == 2
    place = f"small/{sweep.cells[0].identity[:8]}/*/A_binClas: lam is "
    assert place in found.err and "; `harness run experiments/small.yaml --fresh` makes it anew" in found.err


def test_from_python_too(project: "Project") -> None:
    project.run(project.sweep(**ONE))
    doctor(project, lambda row: row | {"bound": 1e308})
    for table in ("small", "results/runs/small.parquet"):
        with pytest.raises(InputError, match=r"A_binClas: bound is 1e\+308 in the table, and the spec comes to 0\.05"):
            package.read(table)


def test_a_page_and_a_check_name_what_is_as_stored(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    told = "as stored, and not computed again"
    assert f"{told}: trial, answered, bottoms, wrong, " in " ".join(
        harness("check", "experiments/small.yaml", "--no-reference").out.split()
    )
    assert harness("report", "experiments/small.yaml").code == 0
    assert f"{told}: trial, answered, bottoms, wrong, " in Path("results/runs/report.html").read_text(encoding="utf-8")
