"""What pydantic finds wrong, in the words of those who write specs. None of its own words is ever shown."""

import re

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from harness.registry import nearest
from harness.sweep.spec.document import KeyPath
from harness.trials.fields import NOT_FINITE, shown

WANTED = {
    "int_type": "a whole number is needed",
    "int_from_float": "a whole number is needed",
    "int_parsing": "a whole number is needed",
    "int_parsing_size": "a whole number of fewer digits is needed",
    "float_type": "a number is needed",
    "float_parsing": "a number is needed",
    "finite_number": "a finite number is needed",
    "string_type": "text is needed",
    "string_unicode": "text is needed",
    "bool_type": "true or false is needed",
    "tuple_type": "a list is needed",
    "too_short": "at least one is needed",
    "dict_type": "a mapping is needed",
    "model_type": "a mapping is needed",
}
"""What pydantic's kinds of errors about types ask for."""

LIMITS = {
    "greater_than": "a number > {gt:g}",
    "greater_than_equal": "a number ≥ {ge:g}",
    "less_than": "a number < {lt:g}",
    "less_than_equal": "a number ≤ {le:g}",
    "string_too_long": "text of at most {max_length:,} characters",
}
"""What its kinds of errors about size ask for."""

OURS = ("value_error", NOT_FINITE)  # raised by our own validators, with the whole message


def first_complaint(error: ValidationError) -> tuple[str, KeyPath]:
    """The first thing that pydantic finds wrong, in plain words with the value it is about, and its place."""
    detail = error.errors()[0]
    return in_words(detail), detail["loc"]


def in_words(detail: ErrorDetails) -> str:
    """One thing that pydantic finds wrong, in plain words, with the value it is about."""
    kind, value = detail["type"], detail["input"]
    if kind in OURS:
        return detail["msg"].removeprefix("Value error, ")
    if kind == "missing":
        return "this key is required"
    if kind == "literal_error":
        names = re.findall(r"'([^']*)'", detail["ctx"]["expected"])
        return f"{shown(value)} is not allowed; {nearest(str(value), names)}"
    wanted = WANTED.get(kind, "another value is needed")
    if kind in LIMITS:
        wanted = f"{LIMITS[kind].format(**detail['ctx'])} is needed"
    return f"{wanted}, not {shown(value)}"
