"""Nothing else is drawn from fixed seeds than what was when its law was shown: see tests/support/drawn.py.

Where it is to change, the tests of laws decide (`pytest tests/concepts -m law`), and `python -m tests.support.drawn` keeps it.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.drawn import KEPT, everything
from tests.support.kept import alike

KNOWN = json.loads(KEPT.read_text(encoding="utf-8"))
CASES: dict[str, Callable[[], dict[str, Any]]] = dict(everything())


LONG = ("analyst modes", "case cube_stumps-hard-erm-0.1", "analyst lasso", "case halfspaces-hard-svm-0.1")
"""Of more than half the time."""


@pytest.mark.parametrize("name", [pytest.param(each, marks=pytest.mark.law if each in LONG else ()) for each in KNOWN])
def test_what_is_drawn_is_what_was(name: str) -> None:
    """What is new has nothing kept yet, until somebody does."""
    found = json.loads(json.dumps(CASES[name]()))
    assert {key: found[key] for key in found if not alike(KNOWN[name].get(key), found[key])} == {}
    assert found.keys() == KNOWN[name].keys()
