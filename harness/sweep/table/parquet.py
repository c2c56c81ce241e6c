"""Parquet files of anybody: what reading one would take is known, and bounded, before any of its data are decoded.

The footer says how many rows there are. What is decompressed is said by the heads of the pages, which Arrow then goes by. And
what a column of text takes is reckoned from its distinct texts, of which a file may repeat a long one a million times in a few
bytes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from harness.sweep.files.content import Content, SeekableFile
from harness.sweep.table import MOST_ROWS as MOST_ROWS  # which others know it by

pa.set_memory_pool(pa.system_memory_pool())
"""Arrow's own gives memory back to the system after each table: to be given it again is a tenth of what a report takes."""

MOST_FOOTER = 8 * 10**6  # bytes: enough for a spec of the greatest length, three times over
MOST_PARTS = 1000  # of anything that a footer lists: columns, row groups, nested types
MOST_PAGES = 10**5
PIECE = 2**16  # rows that are looked at together where not all are held
FREE, MOST_A_ROW, MOST_CONTENT = 10**6, 4000, 10**10
"""The bytes that the columns may take: so many, and so many a row, and so many in all."""

HEADS = {0: (5, 2), 2: (7, 2), 3: (8, 4)}
"""Where the head of a page has its own fields, by its type, and in these the encoding. Their first is the number of values."""
DICTIONARY = 2  # the type of page whose values are not rows
ENCODINGS = {0, 2, 3, 8}  # plain, dictionaries and runs; in others a value may be a long text's difference from the one before


ROW_GROUPS, COLUMNS, GROUP_ROWS, FILE, COLUMN = 4, 1, 3, 1, 3
VALUES, PACKED, DATA, DICTIONARIES = 5, 7, 9, 11
"""The fields of a footer: of the file, of a group of rows, of a column in it, and of what is known of that."""


class RefusedError(Exception):
    """A Parquet file would take more than is allowed: what it would take, and what is allowed."""


def opened(content: Content) -> pq.ParquetFile:
    """Opens a Parquet file and reads its footer. Raises RefusedError where that is too long, any error where damaged."""
    length = int.from_bytes(content[-8:-4], "little")
    if content[-4:] == b"PAR1" and length > MOST_FOOTER:
        raise RefusedError(f"a footer of {length:,} bytes; allowed: at most {MOST_FOOTER:,}")
    return _opened(content)


def read(content: Content, file: pq.ParquetFile, schema: pa.Schema) -> pa.Table:
    """All rows of an opened Parquet file, of the columns of a schema that it has: texts, each one once, numbers and truths.

    Raises RefusedError where they are too many or too large, and anything where they are damaged.
    """
    refuse(content, file)
    table = _of(content, file).read(schema.names)
    _refuse_content(sum(_size(chunk) for column in table.columns for chunk in column.chunks), file.metadata.num_rows)
    table = table.replace_schema_metadata().unify_dictionaries()
    return table.combine_chunks() if any(column.num_chunks > 1 for column in table.columns) else table


def refuse(content: Content, file: pq.ParquetFile) -> None:
    """Checks the size of an opened Parquet file: raises RefusedError on too many or too large rows, any error on damage."""
    rows = file.metadata.num_rows
    if not 0 <= rows <= MOST_ROWS:
        raise RefusedError(f"{rows:,} rows; allowed: at most {MOST_ROWS:,}")
    _refuse_content(sum(_page_sizes(content)), rows)


def columns(content: Content, file: pq.ParquetFile, schema: pa.Schema) -> Iterator["ColumnValues"]:
    """The columns of an opened file that `refuse` takes, one after another.
    Raises as `read` does, also while one is gone through.
    """
    size = 0
    for field in schema:
        column = ColumnValues(content, file, field)
        size += sum(map(_size, column)) if pa.types.is_string(field.type) else 8 * file.metadata.num_rows
        _refuse_content(size, file.metadata.num_rows)
        yield column


@dataclass(frozen=True)
class ColumnValues:
    """The values of a column of an opened file, some thousand rows at a time, as often as they are gone through."""

    content: Content
    file: pq.ParquetFile
    field: pa.Field

    def __iter__(self) -> Iterator[pa.Array]:
        for piece in pieces(self.content, self.file, pa.schema([self.field]), PIECE):
            yield from piece[self.field.name].chunks


def pieces(
    content: Content, file: pq.ParquetFile, schema: pa.Schema, rows: int, groups: Sequence[int] | None = None
) -> Iterator[pa.Table]:
    """Tables of `rows` rows each, in their order, of an opened file whose columns have been read. Raises as `read` does.

    groups: of rows, by their numbers; by default all.
    """
    for piece in _of(content, file).iter_batches(rows, groups, columns=schema.names):
        yield pa.Table.from_batches([piece]).replace_schema_metadata()


def give_back() -> None:
    """Returns unused memory of Arrow to the system: reading a table in pieces leaves holes that are too small for an array."""
    pa.default_memory_pool().release_unused()


def group(content: Content, file: pq.ParquetFile, schema: pa.Schema, number: int) -> pa.Table:
    """The rows of one row group of an opened file. Raises as `read` does."""
    return _of(content, file).read_row_group(number, columns=schema.names).replace_schema_metadata()


_reading = WeakKeyDictionary[pq.ParquetFile, pq.ParquetFile]()


def _of(content: Content, file: pq.ParquetFile) -> pq.ParquetFile:
    """The opened file, read with each of its texts once."""
    if file not in _reading:
        texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
        _reading[file] = _opened(content, read_dictionary=texts, metadata=file.metadata)
    return _reading[file]


def _opened(content: Content, **options: Any) -> pq.ParquetFile:
    limits = {"thrift_string_size_limit": MOST_FOOTER, "thrift_container_size_limit": MOST_PARTS}
    source = pa.BufferReader(content) if isinstance(content, bytes) else pa.PythonFile(SeekableFile(content), mode="r")
    return pq.ParquetFile(source, pre_buffer=False, **limits, **options)  # else what was read of a file is held to its end


def _refuse_content(size: int, rows: int) -> None:
    """Return where so many bytes are in proportion to the rows."""
    most = min(FREE + MOST_A_ROW * rows, MOST_CONTENT)
    if size > most:
        raise RefusedError(f"{size:,} bytes in {rows:,} rows; allowed: at most {most:,}")


def _size(values: pa.Array) -> int:
    """The bytes that values take when each of them stands alone."""
    if not pa.types.is_dictionary(values.type):
        return int(values.nbytes)
    lengths = pc.binary_length(values.dictionary).take(values.indices)
    return (pc.sum(lengths.cast(pa.int64())).as_py() or 0) + 4 * len(values)


def _page_sizes(content: Content) -> Iterator[int]:
    """The uncompressed size of every page. Raises ValueError where pages are not what the footer says.

    Arrow's own view of a footer is not asked: where one is damaged, it may end the process.
    """
    pages = 0
    footer, _ = _struct(content, len(content) - 8 - int.from_bytes(content[-8:-4], "little"))
    for group in footer[ROW_GROUPS]:
        for number, chunk in enumerate(group[COLUMNS]):
            about, rows = chunk[COLUMN], group[GROUP_ROWS]
            # Of no rows there may be no page, and it begins at 0.
            offset = min(filter(None, (about[DATA], about.get(DICTIONARIES))), default=0)
            read, end = 0, offset + about[PACKED]
            if (end and not 0 < offset <= end <= len(content)) or about[VALUES] != rows or FILE in chunk:
                raise ValueError(f"its footer is wrong about column {number}")
            while offset < end:
                page, offset = _page(content, offset)
                read += page.rows
                if read > rows or page.values > rows:
                    raise ValueError(f"the pages of column {number} are not what the footer says")
                offset, pages = offset + page.packed, pages + 1
                if pages > MOST_PAGES:
                    raise RefusedError(f"its rows are in more pages than are read; allowed: at most {MOST_PAGES:,}")
                yield page.unpacked


class _Page(NamedTuple):
    """What the head of a page says of it: `packed` bytes become so many, which are so many values, of so many rows."""

    unpacked: int
    packed: int
    values: int
    rows: int


def _page(content: Content, offset: int) -> tuple[_Page, int]:
    """The page whose head stands there, and where its bytes begin. Raises ValueError where no table has such a page."""
    try:
        head, offset = _struct(content, offset)
        kind, unpacked, packed = head[1], head[2], head[3]
        field, encoding = HEADS[kind]
        values, readable = head[field][1], head[field][encoding] in ENCODINGS
    except (LookupError, TypeError):
        raise ValueError("it has a page without a head") from None
    if min(unpacked, packed, values) < 0 or not readable:
        raise ValueError("it has a page in a form in which no table is written")
    return _Page(unpacked, packed, values, 0 if kind == DICTIONARY else values), offset


def _struct(content: Content, offset: int) -> tuple[dict[int, Any], int]:
    """The fields of a struct in Thrift's compact protocol by their numbers, and where it ends."""
    fields: dict[int, Any] = {}
    number = 0
    while head := content[offset]:
        step, kind = head >> 4, head & 15
        offset += 1
        if step:
            number += step
        else:
            number, offset = _integer(content, offset)
        fields[number], offset = (kind == 1, offset) if kind in (1, 2) else _value(content, offset, kind)
    return fields, offset + 1


def _value(content: Content, offset: int, kind: int) -> tuple[Any, int]:
    """A value of one of Thrift's types, of those that a footer or the head of a page has."""
    if kind not in READERS:
        raise ValueError(f"it has a field of type {kind}")
    return READERS[kind](content, offset)


def _byte(content: Content, offset: int) -> tuple[int, int]:
    return content[offset], offset + 1


def _real(content: Content, offset: int) -> tuple[None, int]:
    """A number in eight bytes, which nothing here asks for."""
    return None, offset + 8


def _text(content: Content, offset: int) -> tuple[None, int]:
    """A text, which nothing here asks for."""
    length, offset = _unsigned(content, offset)
    return None, offset + length


def _list(content: Content, offset: int) -> tuple[list[Any], int]:
    """Values of one type."""
    count, kind, offset = content[offset] >> 4, content[offset] & 15, offset + 1
    if count == 15:
        count, offset = _unsigned(content, offset)
    if count > MOST_PARTS:
        raise RefusedError(f"{count:,} of something in its footer; allowed: at most {MOST_PARTS:,}")
    values = []
    for _ in range(count):
        value, offset = _value(content, offset, 3 if kind in (1, 2) else kind)
        values.append(value)
    return values, offset


def _integer(content: Content, offset: int) -> tuple[int, int]:
    """A whole number with its sign in the last bit."""
    number, offset = _unsigned(content, offset)
    return (number >> 1) ^ -(number & 1), offset


def _unsigned(content: Content, offset: int) -> tuple[int, int]:
    """A whole number in sevens of bits, of which nearly all have one."""
    number = content[offset]
    if number < 128:
        return number, offset + 1
    number &= 127
    for place in range(1, 10):
        seven = content[offset + place]
        number |= (seven & 127) << 7 * place
        if seven < 128:
            return number, offset + place + 1
    raise ValueError("a number in the head of a page has no end")


READERS: Mapping[int, Callable[[Content, int], tuple[Any, int]]] = {
    3: _byte,
    **dict.fromkeys((4, 5, 6), _integer),
    7: _real,
    8: _text,
    9: _list,
    12: _struct,
}
"""What reads a value of one of Thrift's types, by the type's number."""
