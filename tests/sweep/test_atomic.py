"""Files of others that come between: what was not there when a file was begun, or was another's, is not replaced by it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.atomic import replaced
from harness.sweep.files.reading import kind

COMES: dict[str, tuple[Callable[[Path], object], type[Exception]]] = {
    "a file": (lambda path: path.write_bytes(b"mine"), InputError),
    "an empty file": (Path.touch, InputError),
    "a hard link": (lambda path: path.hardlink_to("mine.txt"), InputError),
    "a link": (lambda path: path.symlink_to("mine.txt"), CannotRunError),
    "a folder": (Path.mkdir, CannotRunError),
    "a pipe": (os.mkfifo, CannotRunError),
}


@pytest.mark.parametrize(("come", "error"), COMES.values(), ids=COMES)
def test_what_comes_while_a_file_is_written_stays(
    come: Callable[[Path], object], error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_bytes(b"mine")
    page = Path("page.html")

    def written() -> None:
        with replaced(page) as file:
            file.write(b"ours")
            come(page)

    with pytest.raises(error):
        written()
    assert (
        kind(page) is not None
        and held(page) != b"ours"
        and Path("mine.txt").read_bytes() == b"mine"
        and len([*tmp_path.iterdir()]) == 2
    )


def held(path: Path) -> bytes | None:
    """What a file holds; None of anything else."""
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None
