"""One trial = a pure function (cell, seed, index) → one row per mechanism. One file a kind of trial."""

from functools import cache

from harness.registry import parts
from harness.trials.kind import Kind


@cache
def kinds() -> dict[str, Kind]:
    """Every kind of trial by name."""
    return parts("harness.trials", "KIND")
