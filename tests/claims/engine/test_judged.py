"""Claims come to what they came to, on every committed table: see tests/support/judged.py.

Where a verdict is to be made of other numbers, `python -m tests.support.judged` keeps these.
"""

import json

import pytest

from tests.support.judged import KEPT, NAMES, of_experiment
from tests.support.kept import alike

KNOWN = json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_the_verdicts_on_a_table_are_made_of_the_same_numbers(name: str) -> None:
    found = json.loads(json.dumps(of_experiment(name)))
    assert found.keys() == KNOWN[name].keys()
    differ = {(claim, what) for claim, of in found.items() for what in of if not alike(KNOWN[name][claim].get(what), of[what])}
    assert differ == set() and all(found[claim].keys() == KNOWN[name][claim].keys() for claim in found)


def test_a_table_that_is_committed_is_judged() -> None:
    assert KNOWN.keys() == set(NAMES)
