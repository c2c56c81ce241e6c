"""Digests of tables that are looked at column by column: of all that they hold, and of their rows alone."""

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from harness.trials.columns import SECONDS

CODED = pa.dictionary(pa.int32(), pa.string())
"""The type of a column of texts of which each is held once."""


class Digests:
    """Computes the digests of a table that is looked at column by column, in the order of its columns.

    of_rows: whether that of the rows alone is computed too, which takes as long again; it is empty if not.
    """

    def __init__(self, provenance: dict[str, Any], held: bytes | None, of_rows: bool = True) -> None:
        about = provenance if held is None else {**provenance, "held": held.decode()}
        self._whole, rows = (sha256(json.dumps(each, sort_keys=True).encode()) for each in (about, {}))
        self._rows = rows if of_rows else None

    def add(self, field: pa.Field, column: Iterable[pa.Array]) -> None:
        """The next column, all its values piece by piece: gone through twice, or three times if no numbers and not held."""
        for content in chain([field.name.encode() + b"\0"], _content(field, column)):
            self._whole.update(content)
            if self._rows is not None and field.name != SECONDS.name:
                self._rows.update(content)

    @property
    def hexdigests(self) -> tuple[str, str]:
        """The digest, and one of all but the provenance and the seconds."""
        return self._whole.hexdigest(), "" if self._rows is None else self._rows.hexdigest()


def _content(field: pa.Field, column: Iterable[pa.Array]) -> Iterator[bytes | memoryview]:
    """What a column holds: where it is null, its numbers bit for bit, of its texts each one once and then which are where."""
    if not (pa.types.is_integer(field.type) or pa.types.is_floating(field.type)):
        yield from _content_of_texts([*map(once_each, column)] if isinstance(column, Sequence) else column)
        return
    yield from map(_nulls, column)
    yield from map(_numbers, column)


def _content_of_texts(column: Iterable[pa.Array]) -> Iterator[bytes | memoryview]:
    """What a column of texts or truth values holds."""
    yield from map(_nulls, column)
    texts = list(dict.fromkeys(text for values in map(once_each, column) for text in _in_turn(values)))
    yield json.dumps(texts).encode()
    for values in map(once_each, column):
        places = pc.index_in(values.dictionary, pa.array(texts, values.dictionary.type))
        yield _numbers(places.take(values.indices))


def _nulls(values: pa.Array) -> bytes | memoryview:
    """A byte for each value, which is 1 where it is null."""
    return memoryview(values.is_null().to_numpy(zero_copy_only=False)) if values.null_count else bytes(len(values))


def _numbers(values: pa.Array) -> memoryview:
    """Numbers bit for bit, with 0 where they are null."""
    return memoryview((values.fill_null(0) if values.null_count else values).to_numpy(zero_copy_only=False))


def once_each(values: pa.Array) -> pa.DictionaryArray:
    """An array of texts or truth values in dictionary encoding, which holds each distinct value once."""
    return values if pa.types.is_dictionary(values.type) else values.dictionary_encode()


def _in_turn(values: pa.DictionaryArray) -> list[Any]:
    """Each of some texts once, in the order in which they come."""
    return list(values.dictionary.take(values.indices.unique().drop_null()).to_pylist())
