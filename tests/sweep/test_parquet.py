"""What a file would take is known before its data are: bombs are refused by their footer and the heads of their pages."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.table import parquet
from harness.sweep.table.table import KEY, Table

if TYPE_CHECKING:
    from tests.support.project import Project

PATH = Path("results/runs/small.parquet")
GROUPS, ROWS = 3, 200_000
REFUSED = "damaged, or not a Parquet file: it has a page in a form in which no table is written"


@pytest.fixture(scope="module")
def made() -> list[Table]:
    """The table, once it was made."""
    return []


@pytest.fixture
def table(project: "Project", made: list[Table]) -> Table:
    """A small stored table, at PATH."""
    made[:] = made or [project.run(project.sweep(trials="2")).table]
    PATH.parent.mkdir(parents=True, exist_ok=True)
    made[0].write(PATH)
    return made[0]


def seal(table: Table) -> dict[bytes, bytes]:
    """What every table has in its footer, with a digest that none of these will need."""
    return {KEY: json.dumps({"digest": "", "provenance": table.provenance}).encode()}


def written(table: Table, rows: pa.Table, **options: Any) -> None:
    """At PATH, some rows as a table's, in some form."""
    pq.write_table(rows.replace_schema_metadata(seal(table)), PATH, compression="zstd", **options)


def repeated(table: Table) -> None:
    """One row half a million times, over several row groups, in which it takes some kilobytes."""
    first = table.rows.slice(0, 1)
    with pq.ParquetWriter(PATH, first.replace_schema_metadata(seal(table)).schema, compression="zstd") as writer:
        for _ in range(GROUPS):
            writer.write_table(first.take(pa.array([0] * ROWS)).replace_schema_metadata(seal(table)))


def with_text(table: Table, dictionary: pa.Array, indices: list[int]) -> None:
    """Rows whose learner is a text of a dictionary, written once however often it is there."""
    place = table.rows.column_names.index("learner")
    column = pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), dictionary)
    rows = table.rows.take(pa.array([0] * len(indices)))
    rows = rows.set_column(place, rows.schema.field("learner").with_type(column.type), column)
    with pq.ParquetWriter(PATH, rows.schema, compression="zstd", store_schema=False) as writer:
        writer.write_table(rows)
        writer.add_key_value_metadata(seal(table))


def foreign(_: Table) -> None:
    """A column of zeros that is no table's."""
    with pq.ParquetWriter(PATH, pa.schema([("x", pa.int64())])) as writer:
        for _group in range(20):
            writer.write_table(pa.table({"x": pa.array([0] * 500_000, pa.int64())}))


def nested(_: Table) -> None:
    """A type of lists within lists, as deep as Arrow lets it be written."""
    kind: pa.DataType = pa.int64()
    for _depth in range(40):
        kind = pa.list_(kind)
    pq.write_table(pa.table({"x": pa.nulls(2, kind)}), PATH)


def wide(_: Table) -> None:
    pq.write_table(pa.table({f"x{i}": [1] for i in range(1100)}), PATH)


def wordy(table: Table) -> None:
    """A footer of ten million bytes."""
    pq.write_table(table.rows.replace_schema_metadata({"words": "x" * 10**7}), PATH)


def small_limit(rows: int) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(parquet, "MOST_ROWS", rows)


def few_pages(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(parquet, "MOST_PAGES", 40)


def as_it_is(_: pytest.MonkeyPatch) -> None:
    pass


DIFFERENCES = {"use_dictionary": False, "column_encoding": {"learner": "DELTA_BYTE_ARRAY"}}
BOMBS: dict[str, tuple[Callable[[Table], None], Callable[[pytest.MonkeyPatch], None], str]] = {
    "rows": (repeated, small_limit(10**5), f"too large: {GROUPS * ROWS:,} rows; allowed: at most 100,000"),
    "a long text": (
        lambda t: with_text(t, pa.array(["x" * 5_000_000]), [0] * 4),
        as_it_is,
        "too large: 5,00",
    ),
    "a text many times": (lambda t: with_text(t, pa.array(["x" * 900_000]), [0] * 100_000), as_it_is, "too large: 90,0"),
    "texts by their differences": (lambda t: written(t, t.rows, **DIFFERENCES), as_it_is, REFUSED),
    "pages": (lambda t: written(t, t.rows), few_pages, "too large: its rows are in more pages than are read; allowed: at m"),
    "another table": (foreign, as_it_is, "a Parquet file, but not a table of this harness"),
    "types within types": (nested, as_it_is, "a Parquet file, but not a table of this harness"),
    "columns": (wide, as_it_is, "damaged, or not a Parquet file: "),
    "a footer": (wordy, as_it_is, "too large: a footer of "),
}


LARGE = ("rows", "another table")


@pytest.mark.parametrize(
    ("put", "limit", "said"),
    [pytest.param(*each, id=name, marks=pytest.mark.law if name in LARGE else ()) for name, each in BOMBS.items()],
)
def test_a_bomb_is_refused_before_it_is_decoded(
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
    put: Callable[[Table], None],
    limit: Callable[[pytest.MonkeyPatch], None],
    said: str,
) -> None:
    put(table)
    assert PATH.stat().st_size < 3 * 10**7
    limit(monkeypatch)
    before, allocated = pa.total_allocated_bytes(), []
    read = pq.ParquetFile.read

    def counted(file: pq.ParquetFile, *which: Any) -> pa.Table:
        found = read(file, *which)
        allocated.append(pa.total_allocated_bytes() - before)
        return found

    monkeypatch.setattr(pq.ParquetFile, "read", counted)
    with pytest.raises(InputError) as error:
        Table.read(PATH)
    assert str(error.value).startswith(f"{PATH}: {said}") and "\n" not in str(error.value)
    assert max(allocated, default=0) < 10**8, "a text many times is read once"


def test_the_sizes_of_pages_are_what_arrow_decompresses(table: Table) -> None:
    """All of a column chunk is its pages and their heads."""
    for options in ({}, {"data_page_version": "2.0"}, {"use_dictionary": False}, {"data_page_size": 64}):
        sink = BytesIO()
        pq.write_table(table.rows.take(pa.array([0, 1] * 5000)), sink, compression="none", **options)
        footer = parquet.opened(sink.getvalue()).metadata
        chunks = [footer.row_group(0).column(place) for place in range(footer.num_columns)]
        sizes = list(parquet._page_sizes(sink.getvalue()))
        whole = sum(chunk.total_uncompressed_size for chunk in chunks)
        assert 0 < whole - sum(sizes) < 200 * len(sizes)


def test_a_page_that_says_it_becomes_more_than_there_is_is_refused(table: Table) -> None:
    """The first is that of a dictionary: its head begins with the type, and then the size, in twos of seven bits."""
    content = bytearray(PATH.read_bytes())
    head, _ = parquet._struct(bytes(content), 4)
    size = head[2]
    assert head[1] == parquet.DICTIONARY and content[4:6] == bytes([0x15, 4]) and content[6] == 0x15
    assert 64 <= size < 8192 and content[7] > 127 > content[8], "its size takes two bytes"
    content[8] |= 0x40
    PATH.write_bytes(content)
    sizes = list(parquet._page_sizes(bytes(content)))
    assert sizes[0] > size
    with pytest.raises(InputError, match=r"damaged, or not a Parquet file: .+"):
        Table.read(PATH)


def test_a_table_of_too_many_rows_is_not_written(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    before = PATH.read_bytes()
    monkeypatch.setattr(parquet, "MOST_ROWS", 3)
    with pytest.raises(CannotRunError, match=r"16 rows are more than a table may have; allowed: at most 3, so cut"):
        table.write(PATH)
    assert PATH.read_bytes() == before
