"""Nothing else is drawn from fixed seeds than what was when its law was shown: see tests/support/drawn.py.

Where it is to change, the tests of laws decide (`pytest tests/concepts -m law`), and `python -m tests.support.drawn` keeps it.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.drawn import KEPT, everything

KNOWN = json.loads(KEPT.read_text(encoding="utf-8"))
CASES = dict(everything())


def alike(old: Any, new: Any) -> bool:
    """Whole numbers and texts are the same, reals but for the digits in which processors differ."""
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(alike, old, new))
    if isinstance(old, float) and isinstance(new, float):
        return old == pytest.approx(new, rel=1e-7, abs=1e-9)
    return bool(old == new)


def test_all_that_is_registered_is_drawn_from() -> None:
    assert KNOWN.keys() == CASES.keys()


@pytest.mark.parametrize(("name", "of"), CASES.items(), ids=CASES.keys())
def test_what_is_drawn_is_what_was(name: str, of: Callable[[], dict[str, Any]]) -> None:
    found = json.loads(json.dumps(of()))
    assert {key: found[key] for key in found if not alike(KNOWN[name].get(key), found[key])} == {}
    assert found.keys() == KNOWN[name].keys()
