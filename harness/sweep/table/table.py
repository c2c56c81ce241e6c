"""The table: tidy Parquet, one row per trial and mechanism, with its provenance and a digest of it all inside the file."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from typing import IO, Any, Self

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv
from pydantic import BaseModel, ValidationError, ValidationInfo, field_validator

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.atomic import replaced
from harness.sweep.files.content import Content, content_of
from harness.sweep.files.object_store import Location
from harness.sweep.table import parquet
from harness.sweep.table.cells import Cells
from harness.sweep.table.counted import HELD, is_held
from harness.sweep.table.digests import Digests, once_each
from harness.sweep.table.groups import in_one
from harness.sweep.table.parquet_writer import COMPRESSION, write_groups
from harness.sweep.table.rows import impossible, shallow
from harness.sweep.table.schema import schema
from harness.trials import kinds
from harness.trials.columns import SECONDS

MOST_BYTES = 10**9  # of a table's file
PIECE = 10_000  # rows of CSV that are made at once
KEY = b"harness"
ROW_GROUP = 2**15
"""How many rows of a file are in a group, of which a writer need not have more at once."""
DAMAGED = "damaged: its rows or provenance are not those that were written"


class Made(BaseModel):
    """The field that a reader of a table relies on in `Provenance.makes`, which says what made the rows: the seed."""

    seed: int


class Provenance(BaseModel):
    """The fields of a table's provenance that a reader of the table relies on; see `sweep.provenance` for all fields."""

    kind: str
    spec: str
    spec_sha256: str
    set: dict[str, str]
    makes: Made

    @field_validator("spec_sha256")
    @classmethod
    def _of_the_spec(cls, digest: str, info: ValidationInfo) -> str:
        if digest != sha256(info.data.get("spec", "").encode()).hexdigest():
            raise ValueError
        return digest


def seal(digest: str, provenance: dict[str, Any]) -> dict[bytes, bytes]:
    """The metadata that a table's file has beside its rows: the digest and the provenance."""
    return {KEY: json.dumps({"digest": digest, "provenance": provenance}).encode()}


def refuse_more(rows: int, path: Location) -> None:
    """Raises CannotRunError where so many rows are more than a table may have."""
    if rows > parquet.MOST_ROWS:
        what = f"{rows:,} rows are more than a table may have; allowed: at most {parquet.MOST_ROWS:,}"
        raise CannotRunError(f"{path} cannot be written: {what}, so cut the sweep along an axis")


@dataclass(frozen=True)
class Table:
    """A table: rows in the order of the spec's cells, then trials, then mechanisms; and where they came from."""

    rows: pa.Table
    provenance: dict[str, Any]

    def __getstate__(self) -> dict[str, Any]:
        """For other processes: as it was read, without what has been found out of it, which may hold parts of claims.

        The rows go compressed: a tenth of the bytes, for less time than to copy all of them into a pipe and out of it.
        """
        rows = pa.BufferOutputStream()
        with pa.ipc.new_stream(rows, self.rows.schema, options=pa.ipc.IpcWriteOptions(compression=COMPRESSION)) as stream:
            stream.write_table(self.rows)
        return {"rows": rows.getvalue().to_pybytes(), "provenance": self.provenance}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state | {"rows": pa.ipc.open_stream(state["rows"]).read_all()})

    @property
    def digest(self) -> str:
        """SHA-256 of the provenance and the values of every column, row groups and compression aside."""
        return self.digests[0]

    @property
    def fingerprint(self) -> str:
        """16 hex digits over all rows but their seconds: equal fingerprints are equal tables, bit for bit."""
        return self.digests[1][:16]

    @cached_property
    def digests(self) -> tuple[str, str]:
        """The digest, and one of all but the provenance and the seconds: what they share is looked at once."""
        return self._digested()

    def _digested(self, of_rows: bool = True) -> tuple[str, str]:
        digests = Digests(self.provenance, (self.rows.schema.metadata or {}).get(HELD), of_rows)
        for field in self.rows.schema:
            digests.add(field, self.rows[field.name].chunks)
        return digests.hexdigests

    @property
    def whole(self) -> pa.Table:
        """All rows, where `rows` may be fewer."""
        return self.rows

    def frame(self) -> pd.DataFrame:
        """The rows as pandas has them, with nullable integers where a column has nulls."""
        frame: pd.DataFrame = self.rows.to_pandas()
        whole = [field.name for field in self.rows.schema if field.nullable and field.type == pa.int64()]
        frame[whole] = self.rows.select(whole).to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
        return frame

    @cached_property
    def cells(self) -> Cells:
        """The rows by their cells, made once for all who only look."""
        return Cells(self._view())

    def _view(self) -> pd.DataFrame:
        """The rows as `frame` has them, but nothing in it can be changed: numbers are those of the rows, and a text is one."""
        return pd.DataFrame(
            {field.name: seen(in_one(self.rows[field.name]), field.nullable) for field in self.rows.schema},
            copy=False,
        )

    def csv(self) -> Iterator[bytes]:
        """All rows as CSV, a piece at a time: texts in quotes, nulls empty, reals so that they read back bit for bit."""
        yield _as_csv(self.columns.empty_table(), heading=True)
        for piece in self.pieces(PIECE):
            yield _as_csv(piece, heading=False)

    @property
    def columns(self) -> pa.Schema:
        """The columns of the table's file."""
        return self.rows.schema

    def pieces(self, size: int) -> Iterator[pa.Table]:
        """All rows, so many at a time."""
        yield from (self.rows.slice(start, size) for start in range(0, self.rows.num_rows, size))

    def write(self, path: Location, folder: int | None = None) -> None:
        """Write atomically: the file is whole or is not there, also after a crash. Raises CannotRunError when it cannot be.

        Rows that no run can have made, as their numbers contradict one another, are not written either.

        folder: the descriptor of its folder, where that is held open: of a part, whose fingerprint nobody asks for.
        """
        refuse_more(self.rows.num_rows, path)
        wrong = impossible(self.rows, kinds()[self.provenance["kind"]])
        if wrong is not None:
            raise CannotRunError(f"{path} is not written, as its rows contradict themselves: {wrong}")
        with replaced(path, folder) as file:
            self._save(file, self.digest if folder is None else self._digested(of_rows=False)[0])

    def content(self) -> bytes:
        """The bytes that are written: equal for equal tables."""
        file = BytesIO()
        self._save(file, self.digest)
        return file.getvalue()

    def _save(self, file: IO[bytes], digest: str) -> None:
        about = (self.rows.schema.metadata or {}) | seal(digest, self.provenance)
        groups = (self.rows.slice(start, ROW_GROUP) for start in range(0, max(1, self.rows.num_rows), ROW_GROUP))
        write_groups(groups, self.rows.schema, about, file)

    @classmethod
    def read(cls, path: Location) -> "Table":
        """Read a table and verify it. Raises InputError, naming the file, when it is damaged or not one of ours."""
        return cls.of(File.opened(path), path)

    @classmethod
    def of(cls, file: "File", path: Location) -> "Table":
        """The table in a file that is open, verified. Raises InputError."""
        with naming(path):
            columns = schema(file.kind, file.counted)
            read = cls(parquet.read(file.content, file.parquet, columns), file.provenance)
            if file.held is not None:
                read = cls(read.rows.replace_schema_metadata({HELD: file.held}), file.provenance)
            whole = read.digest == file.written
        if not whole:
            raise InputError(DAMAGED, path)
        wrong = impossible(read.rows, kinds()[file.kind])
        if wrong is not None:
            raise InputError(f"not the table of a run: {wrong}", path)
        with naming(path):
            rows = read.rows.cast(columns)
            table = cls(rows if file.held is None else rows.replace_schema_metadata({HELD: file.held}), file.provenance)
        return table.with_digests(read.digests)  # of the same values, however they are encoded

    def with_digests(self, digests: tuple[str, str], size: int | None = None) -> Self:
        """The table, whose digests, and number of rows, are those of what it was made of."""
        vars(self)["digests"] = digests
        if size is not None:
            vars(self)["size"] = size
        return self

    @cached_property
    def size(self) -> int:
        """How many rows its file has, of which those that are alike may be one here."""
        return int(self.rows.num_rows)

    def is_of(self, file: "File") -> bool:
        """Whether the table is the one in a file, by what is written there."""
        return self.digest == file.written


@dataclass(frozen=True)
class File:
    """A table's file that is open, with no rows read yet. written: the digest that stands in it.
    held: which trials are counted.
    """

    content: Content
    parquet: pq.ParquetFile
    kind: str
    provenance: dict[str, Any]
    written: str | None
    held: bytes | None

    @property
    def counted(self) -> bool:
        """Whether a row may stand for many trials."""
        return self.held is not None

    @property
    def rows(self) -> int:
        """The number of rows by the file's footer."""
        return int(self.parquet.metadata.num_rows)

    @classmethod
    def opened(cls, path: Location) -> "File":
        """The file. Raises InputError, naming it, when it is damaged or not one of ours."""
        content = content_of(path, MOST_BYTES, "table")
        with naming(path):
            file = parquet.opened(content)
            columns, about = file.schema_arrow, file.metadata.metadata or {}
            sealing, held = about.get(KEY), about.get(HELD)
            sealed: dict[str, Any] = json.loads(sealing) if sealing is not None else {}
            provenance, written = sealed.get("provenance", {}), sealed.get("digest")
        if sealing is None:
            raise InputError("a Parquet file, but not a table of this harness", path)
        if not shallow(provenance):
            raise InputError("its provenance is not that of a run: lists or mappings within too many others", path)
        try:
            relied = Provenance.model_validate(provenance, strict=True)
        except ValidationError as error:
            where = ".".join(map(str, error.errors()[0]["loc"]))
            raise InputError(f"its provenance is not that of a run: {where or 'a mapping is needed'}", path) from None
        kind = relied.kind
        if held is not None and not is_held(held):
            raise InputError("which trials its rows count is not told as a run tells it", path)
        if kind not in kinds() or columns != schema(kind, held is not None):
            raise InputError("its columns are those of another version of the harness", path)
        return cls(content, file, kind, provenance, written, held)


def seconds(path: Location) -> float:
    """The seconds that the trials of a table took on one core, by that column alone: the rows are not verified.

    Raises InputError as reading the table does.
    """
    file = File.opened(path)
    with naming(path):
        rows = parquet.read(file.content, file.parquet, pa.schema([schema(file.kind).field(SECONDS.name)]))
        return float(rows[SECONDS.name].to_numpy().sum())


def _as_csv(rows: pa.Table, heading: bool) -> bytes:
    piece = BytesIO()
    csv.write_csv(rows, piece, csv.WriteOptions(include_header=heading))
    return piece.getvalue()


@contextmanager
def naming(path: Location) -> Iterator[None]:
    """A context manager: an error in reading a table's file is raised as an InputError that names it; CannotRunError passes."""
    try:
        yield
    except (InputError, CannotRunError):  # which name it
        raise
    except parquet.RefusedError as error:
        raise InputError(f"too large: {error}", path) from None
    except Exception as error:  # damaged bytes make pyarrow and Python raise nearly anything
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"damaged, or not a Parquet file: {reason}", path) from None


def seen(column: pa.Array, nullable: bool) -> pd.Series:
    """An Arrow column as a pandas Series, which shares its memory where it can. nullable: whether the column may have nulls."""
    if pa.types.is_string(column.type) or pa.types.is_dictionary(column.type):
        texts = once_each(column)
        values = np.array([*texts.dictionary.to_pylist(), None], dtype=object)
        return pd.Series(
            values[texts.indices.fill_null(len(values) - 1).to_numpy(zero_copy_only=False)], dtype=object, copy=False
        )
    if pa.types.is_integer(column.type) and nullable:
        whole: pd.Series = column.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
        return whole
    absent = pa.types.is_floating(column.type) and column.null_count == len(column)
    return pd.Series(np.broadcast_to(np.nan, len(column)) if absent else column.to_numpy(zero_copy_only=False), copy=False)
