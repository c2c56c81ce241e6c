"""What can go wrong that is not a bug, and how a person is told."""

from pathlib import Path


class InputError(Exception):
    """Bad input: one line that names the place, what is wrong and what is allowed. Exit code 2."""

    def __init__(self, message: str, path: Path | str | None = None, line: int | None = None, key: str | None = None) -> None:
        place = [str(path)] if path else []
        if line is not None:
            place.append(str(line))
        head = ":".join(place)
        super().__init__(printable(": ".join(part for part in (head, key, message) if part)))


class CannotRunError(Exception):
    """The input is fine but the work cannot be done here and now. Exit code 4."""


def printable(text: str, but: str = "") -> str:
    """The text with what is no visible character, such as a line's end within a name, as Python writes it."""
    return "".join(each if each.isprintable() or each in but else each.encode("unicode_escape").decode() for each in text)
