"""Whose a file is: one that this program wrote says so, and no other is overwritten, whatever option named it."""

from pathlib import Path

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.object_store import Location, ObjectPath
from harness.sweep.files.reading import kind

MAKER = "harness"
"""What says in files that this program made them."""

MARKS = {
    ".html": b'<meta name="generator" content="harness ',
    ".parquet": b"\x18\x07harness\x18",  # in the footer, of a key and its value in Thrift's compact protocol
    ".pdf": b"/Creator (harness)",
    ".png": b"tEXtSoftware\0harness",
    ".svg": b'data-maker="harness"',
    ".tex": b"% drawn as ",
    "errata": b"% errata, as harness claims writes them",
}
"""By how their names end."""

ENDS = 2**20, 2**24
"""Bytes from the beginning and the end of a file in which it says so."""


def is_ours(path: Location, what: str = "") -> bool:
    """Whether this program wrote the file. what: how files of its kind are usually called, by default as the path ends.

    Of a figure its caption, which lies beside it, may say so. Raises CannotRunError where the file cannot be read.
    """
    what = what or path.suffix
    if what not in MARKS:
        return False
    content = path.ends(*ENDS) if isinstance(path, ObjectPath) else _ends(path)
    caption = path.with_suffix(".tex")
    return MARKS[what] in content or (what in (".png", ".pdf", ".svg") and kind(caption) == "a file" and is_ours(caption))


def _ends(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(ENDS[0])
            file.seek(max(len(content), path.stat().st_size - ENDS[1]))
            return content + file.read()
    except OSError as error:  # it may be anybody's
        raise CannotRunError(f"{path} cannot be read: {error.strerror}") from None


def refuse_foreign(path: Location, what: str = "") -> None:
    """Raises InputError where the file at a path was not written by this program. what: see `is_ours`."""
    if kind(path) == "a file" and not is_ours(path, what):
        raise InputError("is no file of this program, and is not overwritten; allowed: a new file, or one that it wrote", path)
