"""Standard streams that may be closed, hung up or full: what is being done is done to its end, and its exit code is true."""

import errno
import sys
from io import BufferedWriter, FileIO, RawIOBase, TextIOWrapper
from typing import Any, Literal

GONE = (errno.EPIPE, errno.EIO)  # a program that has read enough, a terminal that hung up


class Heard(RawIOBase):
    """A raw output file whose `write` raises no OSError: what a broken pipe or a full disk does not take is dropped.
    lost: why something is not there, unless the reader is gone.
    """

    def __init__(self, file: FileIO, stream: TextIOWrapper) -> None:
        self._file, self._stream = file, stream  # a stream that nobody has is closed
        self.lost: OSError | None = None

    def write(self, content: Any) -> int:
        """What cannot be written is forgotten."""
        try:
            return self._file.write(content)
        except OSError as error:
            if error.errno not in GONE:
                self.lost = error
            return len(content)

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()

    def writable(self) -> bool:
        return True


def heard(name: Literal["stdout", "stderr"]) -> Heard | None:
    """Puts a `Heard` file beneath sys.stdout or sys.stderr and returns that file; None where the stream is closed, or no file.

    A character that it cannot have is written as Python writes it: on a terminal without ε, or in a file's name.
    """
    stream = getattr(sys, name)
    if not isinstance(stream, TextIOWrapper):
        return None
    stream.reconfigure(errors="backslashreplace")
    file = getattr(stream.buffer, "raw", stream.buffer)  # itself, of `python -u`
    if not isinstance(file, FileIO):
        return None
    kept = Heard(file, stream)
    lines = stream.line_buffering or stream.write_through or name == "stderr"
    setattr(sys, name, TextIOWrapper(BufferedWriter(kept), stream.encoding, "backslashreplace", line_buffering=lines))
    return kept
