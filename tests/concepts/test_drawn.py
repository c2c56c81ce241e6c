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
CASES = dict(everything())


def test_all_that_is_registered_is_drawn_from() -> None:
    assert KNOWN.keys() == CASES.keys()


@pytest.mark.parametrize(("name", "of"), CASES.items(), ids=CASES.keys())
def test_what_is_drawn_is_what_was(name: str, of: Callable[[], dict[str, Any]]) -> None:
    found = json.loads(json.dumps(of()))
    assert {key: found[key] for key in found if not alike(KNOWN[name].get(key), found[key])} == {}
    assert found.keys() == KNOWN[name].keys()
