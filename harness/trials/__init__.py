"""One trial = a pure function (cell, seed, index) → one row per mechanism. One file a kind of trial."""

from collections.abc import Mapping

from harness.registry import parts
from harness.trials.kind import Kind


def kinds() -> Mapping[str, Kind]:
    """Every kind of trial by name."""
    return parts("kind of trial")
