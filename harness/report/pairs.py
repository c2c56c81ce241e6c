"""Options that say key=value."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness.sweep.errors import InputError
from harness.trials.changes import with_more


def pairs(option: str, given: Sequence[str]) -> dict[str, str]:
    """What an option that may be repeated says: key=value. Raises InputError where there is no key or value."""
    found: dict[str, str] = {}
    for each in given:
        key, equals, value = (part.strip() for part in each.partition("="))
        if not equals or not key:
            raise InputError(f"{'key' if option == '--set' else 'constant'}=value is needed, not {each!r}", option)
        found[key] = value
    return found


def with_changes(given: Mapping[str, Any], changes: Sequence[str], default: str) -> dict[str, Any]:
    """A setting whose constants, by default those of that name, are changed. Raises InputError as `pairs` does."""
    return (
        {**given, "constants": with_more(given.get("constants", default), pairs("--with", changes))} if changes else {**given}
    )
