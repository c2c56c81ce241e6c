"""Only regular files of a stated size are read: nothing else is waited for, and no more than that is ever held."""

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.sweep.errors import InputError
from harness.sweep.files.reading import read_regular, read_text

MOST = 1000
PIPE, DEVICE = (f"a {kind}, which may have no end; allowed: a regular file" for kind in ("pipe", "device"))
LONG = "longer than is read; allowed: at most 1,000 bytes"


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def link_to_pipe(path: Path) -> None:
    os.mkfifo("pipe")
    path.symlink_to("pipe")


def sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 10**11)


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing": (lambda path: None, "no such file"),
    "a link to nothing": (lambda path: path.symlink_to("nowhere"), "no such file"),
    "a link to itself": (lambda path: path.symlink_to(path), "cannot be read: Too many levels of symbolic links"),
    "a folder": (Path.mkdir, "cannot be read: Is a directory"),
    "a pipe": (os.mkfifo, PIPE),
    "a link to a pipe": (link_to_pipe, PIPE),
    "a socket": (listening, "a socket, which may have no end; allowed: a regular file"),
    "zeros without end": (lambda path: path.symlink_to("/dev/zero"), DEVICE),
    "a terminal": (lambda path: path.symlink_to(os.ttyname(os.openpty()[1])), DEVICE),
    "a hundred gigabytes": (sparse, LONG),
    "one byte too many": (lambda path: path.write_bytes(b"x" * (MOST + 1)), LONG),
    "a file that says it is empty": (lambda path: path.symlink_to("/proc/cpuinfo"), LONG),
    "the memory of a process": (lambda path: path.symlink_to("/proc/self/mem"), "cannot be read: Input/output error"),
}


@pytest.mark.parametrize(("put", "said"), BAD.values(), ids=BAD)
def test_what_is_no_regular_file_or_too_long_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, put: Callable[[Path], object], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("given")
    put(path)
    with pytest.raises(InputError, match=rf"^given: {re.escape(said)}$"):
        read_regular(path, MOST)


def test_a_file_of_just_the_size_is_read_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * MOST)
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link", MOST) == b"x" * MOST


def test_a_file_that_says_it_is_empty_is_read_to_its_end() -> None:
    assert b"Name:" in read_regular(Path("/proc/self/status"), 10**5)


def test_a_file_that_becomes_a_pipe_before_it_is_opened_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.touch()
    stat = os.stat

    def replaced(place: Path) -> os.stat_result:
        found = stat(place)
        path.unlink()
        os.mkfifo(path)
        return found

    monkeypatch.setattr(os, "stat", replaced)
    with pytest.raises(InputError, match="a pipe"):
        read_regular(path, MOST)


def test_text_has_the_line_ends_of_python_and_nothing_but_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("ü\r\nv\rw\n".encode())
    assert read_text(path) == "ü\nv\nw\n" == path.read_text(encoding="utf-8")
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"not a text file in UTF-8: invalid start byte at byte 0$"):
        read_text(path)
