"""The table: tidy Parquet, one row per trial and mechanism, with its provenance and a digest of it all inside the file."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, cast

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from harness.sweep.errors import CannotRunError, InputError

SCHEMA = pa.schema(
    [
        pa.field(name, kind, nullable=nullable)
        for names, kind, nullable in (
            ("cell concept distribution distribution_parameters learner sampling constants pac_bound", pa.string(), False),
            ("V m", pa.int64(), False),
            ("eps delta beta gamma", pa.float64(), False),
            ("alpha_target", pa.float64(), True),
            ("mechanism", pa.string(), False),
            ("n k s", pa.int64(), False),
            ("alpha", pa.float64(), False),
            ("T lam w bound", pa.float64(), True),
            ("vacuous", pa.bool_(), False),
            ("trial answered bottoms wrong misclassified", pa.int64(), False),
            ("misclassification_rate", pa.float64(), False),
            ("halted_at", pa.int64(), True),
            ("unstable", pa.int64(), False),
            ("seconds", pa.float64(), False),
        )
        for name in names.split()
    ]
)
"""The columns. Parameters: those of the cell, with `alpha_target` where the sweep gave α in place of n. Derived for each
mechanism: n, k, s, alpha, T, lam, w, and bound, the claimed misclassification rate, null where `vacuous`. Counted in a trial:
see `trials.trial.counts`. seconds: the time the row took, the only column that is not a function of spec and seed."""

KEY = b"harness"


@dataclass(frozen=True)
class Table:
    """Rows in the order of the spec's cells, then trials, then mechanisms; and where they came from."""

    rows: pa.Table
    provenance: dict[str, Any]

    @classmethod
    def of(cls, rows: list[dict[str, Any]], provenance: dict[str, Any]) -> "Table":
        """A table of rows as trials return them."""
        return cls(pa.Table.from_pylist(rows, schema=SCHEMA), provenance)

    @property
    def fingerprint(self) -> str:
        """16 hex digits over all rows but their seconds: equal fingerprints are equal tables, bit for bit."""
        return _digest(self.rows.drop_columns(["seconds"]), {})[:16]

    def frame(self) -> pd.DataFrame:
        """The rows as pandas has them, with nullable integers where a column has nulls."""
        frame = self.rows.to_pandas()
        frame["halted_at"] = self.rows["halted_at"].to_pandas(integer_object_nulls=True).astype("Int64")
        return cast(pd.DataFrame, frame)

    def write(self, path: Path) -> None:
        """Write atomically: the file is whole or is not there, also after a crash. Raises CannotRunError when it cannot be."""
        sealed = {"digest": _digest(self.rows, self.provenance), "provenance": self.provenance}
        rows = self.rows.replace_schema_metadata({KEY: json.dumps(sealed).encode()})
        temporary = None
        try:
            with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
                temporary = Path(file.name)
                pq.write_table(rows, file, compression="zstd")
                file.flush()
                os.fsync(file.fileno())
            temporary.chmod(0o644)
            temporary.replace(path)
            _sync_directory(path.parent)
        except OSError as error:
            raise CannotRunError(f"{path} cannot be written: {error.strerror or error}; what was there is untouched") from None
        finally:
            if temporary is not None:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)

    @classmethod
    def read(cls, path: Path) -> "Table":
        """Read a table and verify it. Raises InputError, naming the file, when it is damaged or not one of ours."""
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            raise InputError("no such table", path) from None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path) from None
        try:
            rows = pq.read_table(pa.BufferReader(content))
            seal = (rows.schema.metadata or {}).get(KEY)
            rows = rows.replace_schema_metadata()
            sealed: dict[str, Any] = json.loads(seal) if seal is not None else {}
            provenance: dict[str, Any] = sealed.get("provenance", {})
            whole = _digest(rows, provenance) == sealed.get("digest")
        except Exception as error:  # damaged bytes make pyarrow and Python raise nearly anything
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise InputError(f"damaged, or not a Parquet file: {reason}", path) from None
        if seal is None:
            raise InputError("a Parquet file, but not a table of this harness", path)
        if not whole:
            raise InputError("damaged: its rows or provenance are not those that were written", path)
        if rows.schema != SCHEMA:
            raise InputError("its columns are those of another version of the harness", path)
        return cls(rows.combine_chunks(), provenance)


def _digest(rows: pa.Table, provenance: dict[str, Any]) -> str:
    """SHA-256 of the values of every column, row groups and compression aside, and of the provenance."""
    digest = sha256(json.dumps(provenance, sort_keys=True).encode())
    for name in rows.column_names:
        digest.update(name.encode() + b"\0" + json.dumps(rows[name].to_pylist()).encode())
    return digest.hexdigest()


def _sync_directory(path: Path) -> None:
    """Make a rename durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
