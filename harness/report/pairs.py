"""Options that say key=value."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness.sweep.errors import InputError
from harness.trials.changes import with_more


def pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    """The values by key of an option key=value that may be repeated. Raises InputError where there is no key or value."""
    by_key: dict[str, str] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key:
            raise InputError(f"{'key' if option == '--set' else 'constant'}=value is needed, not {text!r}", option)
        by_key[key] = value
    return by_key


def with_changes(options: Mapping[str, Any], changes: Sequence[str], default: str) -> dict[str, Any]:
    """A copy of the options with changes key=value to their constants, or to the set `default` where they name none.
    Raises InputError as `pairs` does.
    """
    return (
        {**options, "constants": with_more(options.get("constants", default), pairs("--with", changes))}
        if changes
        else {**options}
    )
