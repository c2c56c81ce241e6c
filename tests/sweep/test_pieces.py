"""Tables that are looked at a piece at a time are the same, to the bit, and judged the same, as those that are held whole."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from harness import api
from harness.sweep.errors import InputError
from harness.sweep.run.store import Store
from harness.sweep.table import parquet, pieces
from harness.sweep.table.pieces import Assembly, merged
from harness.sweep.table.table import File, Table
from harness.sweep.table.windows import Span, windows
from tests.sweep.test_store import Stopping

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

TABLE = Path("results/runs/small.parquet")
SPEC: dict[str, str | None] = {"m": "[20, 50]", "trials": "20", "learner": "[leftmost, midpoint]"}
UNTIL = "{until: decided, max: 120}"
MORE = (("20", 1), ("20", 9), (UNTIL, 5), (UNTIL, 1), (UNTIL, 3), ("{until: decided, max: 400}", 9))
either = pytest.mark.parametrize("trials", ["20", pytest.param(UNTIL, marks=pytest.mark.law)])


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when this is called on, every table is large, and a piece a few rows."""

    def begin() -> None:
        monkeypatch.setattr("harness.sweep.run.store.MANY", 0)
        monkeypatch.setattr(pieces, "PIECE", 19)
        monkeypatch.setattr(parquet, "PIECE", 13)
        monkeypatch.setattr(pieces, "ROW_GROUP", 31)

    return begin


@pytest.mark.parametrize(("trials", "batches"), [("20", 3), *(pytest.param(*more, marks=pytest.mark.law) for more in MORE)])
def test_a_table_that_is_put_together_from_parts_is_the_same(
    project: "Project", in_pieces: Callable[[], None], monkeypatch: pytest.MonkeyPatch, trials: str, batches: int
) -> None:
    """Also of a run that was stopped, of which some parts are small; and who resumes is told as many rows."""
    monkeypatch.setattr(Store, "flush_seconds", -1.0)
    sweep = project.sweep(**SPEC | {"trials": trials})
    whole = project.run(sweep).table
    TABLE.unlink()
    in_pieces()
    with pytest.raises(KeyboardInterrupt):
        project.run(sweep, Stopping(batches), batch_seconds=0)
    kept = sum(Table.read(part).rows.num_rows for part in TABLE.parent.glob(".small/*.parquet"))
    outcome = project.run(sweep, batch_seconds=0)
    again = Table.read(TABLE)
    assert outcome.written and outcome.resumed == kept and not list(TABLE.parent.glob(".small/*.parquet"))
    assert (outcome.table.fingerprint, outcome.table.digest) == (again.fingerprint, again.digest)
    assert again.fingerprint == whole.fingerprint
    assert again.rows.drop_columns("seconds").equals(whole.rows.drop_columns("seconds"))
    assert outcome.table.rows.num_rows < again.rows.num_rows
    after = project.run(sweep)
    assert (after.ran, after.resumed, after.written) == (0, again.rows.num_rows, False)
    assert after.table.digest == again.digest


def test_trials_that_parts_and_table_both_have_are_one(project: "Project", in_pieces: Callable[[], None]) -> None:
    """As after a death between the table and the removal of its parts."""
    sweep = project.sweep(**SPEC)
    whole = project.run(sweep).table
    part = TABLE.parent / ".small/000000001.parquet"
    Table(whole.rows.slice(0, 100), whole.provenance).write(part)
    in_pieces()
    outcome = project.run(sweep)
    assert (outcome.ran, outcome.resumed, outcome.table.fingerprint) == (0, whole.rows.num_rows, whole.fingerprint)
    assert not part.exists()


@pytest.mark.law
@either
def test_verdicts_and_pages_are_the_same(
    project: "Project", harness: "Harness", in_pieces: Callable[[], None], trials: str
) -> None:
    spec = project.spec(**SPEC | {"trials": trials})
    commands: list[tuple[str | Path, ...]] = [
        ("check", spec, "--no-reference", "--json"),
        ("report", spec, "--html", "page.html"),
        *([("run", spec, "--serial")] if trials == UNTIL else []),
    ]
    assert harness("run", spec, "--serial").code == 0
    before = [harness(*words) for words in commands]
    assert before[1].code == 0, before[1]
    page = Path("page.html").read_text(encoding="utf-8")
    in_pieces()
    assert [harness(*words) for words in commands] == before
    assert Path("page.html").read_text(encoding="utf-8") == page


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_trial_is_replayed_without_holding_the_others(
    project: "Project", harness: "Harness", in_pieces: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that another has the same numbers as, and one that is not there."""
    spec = project.spec(**SPEC)
    assert harness("run", spec, "--serial").code == 0
    cell = project.sweep(**SPEC).cells[1].identity
    commands = [("replay", f"small/{cell}/{trial}/A_binClas") for trial in (13, 20)]
    before = [harness(*words) for words in commands]
    assert [said.code for said in before] == [0, 2]
    assert ["identical to" in said.out for said in before] == [True, False]
    in_pieces()
    monkeypatch.setattr(Table, "of", None)
    assert [harness(*words) for words in commands] == before


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
@either
def test_what_is_accepted_and_verified_is_the_same_and_never_held_whole(
    project: "Project", harness: "Harness", in_pieces: Callable[[], None], monkeypatch: pytest.MonkeyPatch, trials: str
) -> None:
    spec = project.spec(**SPEC | {"trials": trials})
    sample = ("verify", "small", "--sample", "20%", "--seed", "3", "--json", "--results", "results/runs")
    assert harness("run", spec, "--serial").code == 0
    before = [harness("accept", "small"), harness(*sample)]
    reference = Path("results/small.parquet")
    whole, provenance = Table.read(reference).rows, Table.read(reference).provenance
    in_pieces()
    with monkeypatch.context() as held:
        held.setattr(Table, "of", None)
        assert [harness("accept", "small"), harness(*sample)] == before
    assert Table.read(reference).rows.equals(whole) and Table.read(reference).provenance == provenance


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_what_a_reference_loses_is_counted_where_it_is_long(
    project: "Project", harness: "Harness", in_pieces: Callable[[], None]
) -> None:
    assert harness("run", project.spec(**SPEC), "--serial").code == 0 and harness("accept", "small").code == 0
    fewer = project.spec(**SPEC | {"trials": "15", "learner": "leftmost"})
    assert harness("run", fewer, "--serial", "--fresh").code == 0
    said = "the reference before had 100 rows in 4 cells that it has not"  # 2 cells of 5 trials, and 2 of all 20, by two
    assert said in harness("accept", "small").out
    assert harness("run", project.spec(**SPEC), "--serial", "--fresh").code == 0 and harness("accept", "small").code == 0
    assert harness("run", project.spec(**SPEC | {"trials": "15", "learner": "leftmost"}), "--serial", "--fresh").code == 0
    in_pieces()
    assert said in harness("accept", "small").out


def read(path: Path) -> Table | str:
    """The table at a path, or what is said of it."""
    try:
        return Table.read(path)
    except InputError as error:
        return str(error)


def read_in_pieces(path: Path) -> Table | str:
    """The same in pieces."""
    try:
        return merged(File.opened(path), path, ())
    except InputError as error:
        return str(error)


def altered(rows: pa.Table, column: str, value: Any) -> pa.Table:
    """Rows of which the last has another value in a column."""
    values = rows[column].to_pylist()
    values[-1] = value
    field = rows.schema.field(column)
    return rows.set_column(rows.column_names.index(column), field, pa.array(values, field.type))


@pytest.mark.at_once("eps-2.0")
@pytest.mark.parametrize(
    ("column", "value"), [("trial", 0), ("wrong", -1), ("m", 30), ("eps", 2.0), ("k", 7), ("seconds", 1e10), ("bound", 1e-9)]
)
def test_what_no_run_made_is_refused_with_the_same_words(
    project: "Project", in_pieces: Callable[[], None], column: str, value: Any
) -> None:
    """Or, where reading a table takes it, the one that differs stands alone, for all that looks at rows to see."""
    table = project.run(project.sweep(**SPEC)).table
    in_pieces()
    strange = Table(altered(table.rows, column, value), table.provenance)
    TABLE.write_bytes(strange.content())
    expected, found = read(TABLE), read_in_pieces(TABLE)
    if isinstance(expected, str):
        assert found == expected
        return
    assert isinstance(found, Table) and column == "bound"
    (one,) = [row for row in found.rows.to_pylist() if row[column] == value]
    assert one["count"] == 1 and one.items() >= expected.rows.to_pylist()[-1].items()


@pytest.mark.law
def test_who_asks_for_single_rows_has_them(project: "Project", in_pieces: Callable[[], None]) -> None:
    project.run(project.sweep(**SPEC))
    before = api.read("small").frame
    in_pieces()
    assert api.read("small").frame.equals(before)


@pytest.mark.law
def test_damage_is_seen_in_any_column(project: "Project", in_pieces: Callable[[], None]) -> None:
    table = project.run(project.sweep(**SPEC)).table
    in_pieces()
    content = table.content()
    for at in range(100, len(content) - 9000, 1499):
        TABLE.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert isinstance(read_in_pieces(TABLE), str) == isinstance(read(TABLE), str)


@pytest.mark.law
def test_rows_of_many_files_in_any_order_are_put_in_order(project: "Project") -> None:
    sweep = project.sweep(**SPEC)
    table = project.run(sweep).table
    cells = [cell.identity for cell in sweep.cells]
    files = []
    for number in range(5):
        path = TABLE.with_name(f"part{number}.parquet")
        rows = table.rows.take(list(range(table.rows.num_rows - 1 - number, -1, -5)))
        Table(rows, table.provenance).write(path)
        files.append(File.opened(path))
    whole = Assembly([*files, files[2]], cells, sweep.spec.mechanisms)
    assert whole.rows == table.rows.num_rows and not whole.is_the_first_file
    assert pa.concat_tables(whole.groups(13)).cast(table.rows.schema).equals(table.rows)
    assert whole.digests(table.provenance) == (table.digest, whole.digests(table.provenance)[1])
    assert whole.digests(table.provenance)[1].startswith(table.fingerprint)


@pytest.mark.parametrize("size", [7, 13, 30, 64])
def test_a_batch_that_came_late_is_in_its_place_and_nowhere_else(project: "Project", size: int) -> None:
    """Behind the last rows, as a slow worker's first ones are in the last part."""
    sweep = project.sweep(**SPEC)
    table = project.run(sweep).table
    rows, path = table.rows, TABLE.with_name("part.parquet")
    for first in range(0, len(rows) - 10, 6):
        late = np.arange(first, first + 10)
        in_turn = np.append(np.delete(np.arange(len(rows)), late), late)
        Table(rows.take(pa.array(in_turn)), table.provenance).write(path)
        whole = Assembly([File.opened(path)], [cell.identity for cell in sweep.cells], sweep.spec.mechanisms)
        assert pa.concat_tables(whole.groups(size)).cast(rows.schema).equals(rows)
        assert whole.digests(table.provenance)[0] == table.digest


@pytest.mark.parametrize("size", [1, 7, 40, 1000])
def test_windows_of_any_groups_have_each_row_once_and_in_order(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr("harness.sweep.table.windows.SIZE", size)
    rng, plain, mixed = np.random.default_rng(size), 0, 0
    for _ in range(300):
        groups = np.array_split(rng.permutation(60)[: rng.integers(1, 60)], rng.integers(1, 8))
        groups = [np.sort(each) if rng.random() < 0.8 else each for each in groups]
        if rng.random() < 0.5:
            groups = np.array_split(np.sort(np.concatenate(groups)), 6)
        spans = [Span(min(each, default=0), max(each, default=-1), bool((np.diff(each) > 0).all())) for each in groups]
        found = windows(spans, np.array([len(each) for each in groups]))
        assert all(one.end == other.begin for one, other in pairwise(found))
        rows = list[int]()
        for each in found:
            held = np.concatenate([groups[number] for number in each.groups])
            inside = held[(each.begin <= held) & (held < each.end)]
            rows += inside.tolist() if each.in_order else sorted(inside)
            assert not each.in_order or len(inside) == len(held)
            plain, mixed = plain + each.in_order, mixed + (not each.in_order)
        assert rows == sorted(np.concatenate(groups))
    assert plain > 100 and mixed > 100


@pytest.mark.at_once("True")
@pytest.mark.parametrize("in_turn", [True, False])
def test_the_order_of_rows_is_held_only_where_they_are_in_none(project: "Project", in_turn: bool) -> None:
    """Of parts of a run that follow one another, as most do, nothing: not of each row a number."""
    sweep = project.sweep(**SPEC)
    table = project.run(sweep).table
    files = []
    for number in range(5):
        path, rows = TABLE.with_name(f"part{number}.parquet"), table.rows
        some = np.arange(number, len(rows), 5) if not in_turn else np.array_split(np.arange(len(rows)), 5)[-number]
        Table(rows.take(pa.array(some)), table.provenance).write(path)
        files.append(File.opened(path))
    whole = Assembly(files, [cell.identity for cell in sweep.cells], sweep.spec.mechanisms)
    held = sum(map(len, whole._orders.values()))
    assert held == (0 if in_turn else len(table.rows))
    assert pa.concat_tables(whole.groups(13)).cast(table.rows.schema).equals(table.rows)
    assert Assembly([File.opened(TABLE)], whole._among["cell"].to_pylist(), sweep.spec.mechanisms).is_the_first_file
