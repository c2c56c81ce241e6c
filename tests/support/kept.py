"""What is kept of earlier runs, and whether it is what comes out now."""

from math import isclose
from typing import Any


def alike(old: Any, new: Any) -> bool:
    """Whole numbers and texts are the same, reals but for the digits in which processors differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(alike(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(alike, old, new))
    if isinstance(old, float) and isinstance(new, float):
        return isclose(old, new, rel_tol=1e-7, abs_tol=1e-9)
    return bool(old == new)
