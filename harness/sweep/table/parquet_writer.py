"""Writes rows as Parquet, of which each text is held once: Arrow's writer would look up the text of every row again.

The file says that its texts are plain, as Arrow's readers are told by an entry of its own.
"""

from base64 import b64encode
from collections.abc import Iterable
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from harness.sweep.table.digests import CODED, once_each
from harness.sweep.table.groups import in_one

COMPRESSION = "zstd"
TYPES_ENTRY = b"ARROW:schema"


def write_groups(groups: Iterable[pa.Table], columns: pa.Schema, about: dict[bytes, bytes], file: IO[bytes]) -> None:
    """Writes groups of rows. columns: of these, in which texts may be held once or not. about: the entries of the schema."""
    texts = [field.name for field in columns if pa.types.is_string(field.type) or pa.types.is_dictionary(field.type)]
    plain, coded = (
        pa.schema([field.with_type(text) if field.name in texts else field for field in columns], metadata=about)
        for text in (pa.string(), CODED)
    )
    with pq.ParquetWriter(file, coded, compression=COMPRESSION, store_schema=False) as writer:
        for rows in groups:
            values = [_in_turn(rows[name]) if name in texts else rows[name] for name in coded.names]
            writer.write_table(pa.table(values, schema=coded), row_group_size=max(1, rows.num_rows))
        writer.add_key_value_metadata(about | {TYPES_ENTRY: b64encode(plain.serialize().to_pybytes())})


def _in_turn(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """The texts of a column, each once, in the order in which they come: the same bytes for the same texts."""
    texts = once_each(in_one(column))
    used = texts.indices.unique().drop_null()
    if np.array_equal(used.to_numpy(), np.arange(len(texts.dictionary))):
        return texts
    return texts.dictionary_decode().dictionary_encode()
