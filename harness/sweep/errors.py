"""What can go wrong that is not a bug, and how a person is told."""

from harness import text


class InputError(Exception):
    """Bad input: one line that names the place, what is wrong and what is allowed. Ends a command with exit code 2."""

    def __init__(self, message: str, path: object = None, line: int | None = None, key: str | None = None) -> None:
        place = [str(path)] if path else []
        if line is not None:
            place.append(str(line))
        head = ":".join(place)
        super().__init__(text.message(": ".join(part for part in (head, key, message) if part)))


class CannotRunError(Exception):
    """The input is fine but the work cannot be done here and now. Ends a command with exit code 4."""
