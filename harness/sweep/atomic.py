"""Files that are whole or are not there, also after a crash or on a full disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from harness.sweep.errors import CannotRunError


@contextmanager
def replaced(path: Path) -> Iterator[IO[bytes]]:
    """A new file, which takes the place of the one at `path` when all is written and on disk.

    Raises CannotRunError when it cannot be written; what was there is then untouched.
    """
    temporary = None
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
            temporary = Path(file.name)
            yield file
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


def moved(path: Path, place: Path) -> None:
    """Put a file that is on disk into its place on the same disk. Raises CannotRunError when it cannot be."""
    try:
        path.replace(place)
        _sync_directory(place.parent)
    except OSError as error:
        raise CannotRunError(f"{place} cannot be replaced: {error.strerror or error}") from None


def _sync_directory(path: Path) -> None:
    """Make a rename durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
