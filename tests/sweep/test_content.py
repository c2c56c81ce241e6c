"""Large files are open and read where they are asked for: as they were when they were opened, or not at all."""

import gc
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files import content
from harness.sweep.files.content import LargeFile, SeekableFile, content_of
from harness.sweep.table import parquet

MOST = 10**6
BYTES = bytes(range(256)) * 50  # more than are read together


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file, and any is a large one."""
    monkeypatch.setattr(content, "LARGE", 0)
    (tmp_path / "x").write_bytes(BYTES)
    return tmp_path / "x"


def test_it_has_the_bytes_of_the_file(path: Path) -> None:
    file = content_of(path, MOST, "file")
    assert isinstance(file, LargeFile) and len(file) == len(BYTES)
    assert file[:] == BYTES and file[-8:-4] == BYTES[-8:-4] and file[20:10] == b"" and file[12_790:20_000] == BYTES[12_790:]
    assert bytes(file[place] for place in (0, 5000, 4096, 12_799, 1)) == bytes(
        BYTES[place] for place in (0, 5000, 4096, 12_799, 1)
    )
    reader = SeekableFile(file)
    assert reader.read(3) == BYTES[:3] and reader.tell() == 3 and reader.seek(-4, os.SEEK_END) == len(BYTES) - 4
    assert reader.read() == BYTES[-4:] and reader.read(1) == b""


def test_small_ones_are_held(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "LARGE", len(BYTES))
    assert content_of(path, MOST, "file") == BYTES
    with pytest.raises(InputError, match="longer than is read"):
        content_of(path, len(BYTES) - 1, "file")
    with pytest.raises(InputError, match="no such table"):
        content_of(path.with_name("y"), MOST, "table")


def replaced(path: Path) -> None:
    path.with_name("y").write_bytes(BYTES[::-1])
    path.with_name("y").replace(path)


def overwritten(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"xxxx")
    os.utime(path, ns=(0, 0))  # else within one tick of a coarse clock


def truncated(path: Path) -> None:
    os.truncate(path, 100)


def appended(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x")


@pytest.mark.parametrize("change", [replaced, Path.unlink])
def test_another_in_its_place_is_not_read(path: Path, change: Callable[[Path], None]) -> None:
    """The one that was opened is; a process that opens it anew is told."""
    file = content_of(path, MOST, "file")
    sent = pickle.dumps(file)
    assert pickle.loads(sent)[:] == BYTES
    change(path)
    assert file[:] == BYTES
    with pytest.raises(InputError, match="has changed while it was read" if path.exists() else "no such file"):
        pickle.loads(sent)


@pytest.mark.parametrize("change", [overwritten, truncated, appended])
def test_one_that_is_written_to_is_told(path: Path, change: Callable[[Path], None]) -> None:
    file = content_of(path, MOST, "file")
    sent = pickle.dumps(file)
    change(path)
    for read in (lambda: file[:8], lambda: file[12_000], lambda: pickle.loads(sent)):
        with pytest.raises(InputError, match=r"x: has changed while it was read; the same command"):
            read()


def test_a_disk_that_fails_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where Arrow asks; and a part of what was asked for is gone on from."""
    pq.write_table(pa.table({"a": range(1000)}), path, compression="none")
    file = content_of(path, MOST, "file")
    whole = os.pread
    monkeypatch.setattr(os, "pread", lambda descriptor, size, place: whole(descriptor, min(size, 100), place))
    opened = parquet.opened(file)
    schema = pa.schema([("a", pa.int64())])
    assert parquet.read(file, opened, schema)["a"].to_pylist() == [*range(1000)]

    def failing(*of: int) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "pread", failing)
    with pytest.raises(CannotRunError, match="x cannot be read: Input/output error"):
        parquet.read(file, opened, schema)


def test_it_is_closed_with_the_last_who_has_it(path: Path) -> None:
    file: LargeFile | None = LargeFile(path, MOST)
    descriptor = vars(file)["_descriptor"]
    os.fstat(descriptor)
    file = None
    gc.collect()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
