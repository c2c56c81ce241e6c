"""Files of rows whose texts are held once: the same bytes however these are held, and plain texts to who reads them."""

from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from harness.sweep.table.parquet_writer import write_groups

TEXTS = ["b", None, "a", "b", "c", "a", None, "c"]
PLAIN = pa.array(TEXTS, pa.string())
HELD = {
    "each once": PLAIN.dictionary_encode(),
    "in another order": pa.DictionaryArray.from_arrays(pa.array([1, None, 2, 1, 0, 2, None, 0], pa.int32()), ["c", "b", "a"]),
    "with others": pa.DictionaryArray.from_arrays(pa.array([0, None, 2, 0, 3, 2, None, 3], pa.int32()), ["b", "x", "a", "c"]),
    "in pieces": pa.chunked_array([PLAIN[:3].dictionary_encode(), PLAIN[3:].dictionary_encode()]),
}
COLUMNS = pa.schema([pa.field("name", pa.string(), metadata={b"unit": b"none"}), pa.field("n", pa.int64())])


def written(texts: pa.Array | pa.ChunkedArray, rows_each: int = 5) -> bytes:
    """The file of a table with such texts, in groups of so many rows."""
    table, file = pa.table({"name": texts, "n": pa.array(range(len(texts)))}), BytesIO()
    groups = (table.slice(start, rows_each) for start in range(0, len(texts), rows_each))
    write_groups(groups, COLUMNS, {b"harness": b"what it says"}, file)
    return file.getvalue()


@pytest.mark.parametrize("texts", HELD.values(), ids=HELD)
def test_a_file_is_the_same_however_its_texts_are_held(texts: pa.Array | pa.ChunkedArray) -> None:
    assert written(texts) == written(PLAIN)


def test_what_is_read_is_plain_with_all_that_was_said_of_it() -> None:
    content = written(HELD["with others"])
    read = pq.read_table(BytesIO(content))
    assert read["name"].to_pylist() == TEXTS and read["n"].to_pylist() == [*range(len(TEXTS))]
    assert read.schema.field("name").type == pa.string() and read.schema.field("name").metadata[b"unit"] == b"none"
    assert read.schema.metadata[b"harness"] == b"what it says"
    assert [pq.ParquetFile(BytesIO(content)).metadata.row_group(group).num_rows for group in (0, 1)] == [5, 3]
