"""Claims come to what they came to, on every committed table: see tests/support/judged.py.

Where a verdict is to be made of other numbers, `python -m tests.support.judged` keeps these.
"""

import json

import pytest

from tests.support.committed import SHORT
from tests.support.judged import KEPT, of_experiment
from tests.support.kept import alike

KNOWN = json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.at_once(*SHORT)
@pytest.mark.parametrize("name", KNOWN)
def test_the_verdicts_on_a_table_are_made_of_the_same_numbers(name: str) -> None:
    """A new table has nothing kept yet, nor has a new claim about an old one, until somebody does."""
    found, known = json.loads(json.dumps(of_experiment(name))), KNOWN[name]
    assert found.keys() >= known.keys()
    differ = {(claim, what) for claim, of in known.items() for what in of if not alike(of[what], found[claim].get(what))}
    assert differ == set() and all(found[claim].keys() == known[claim].keys() for claim in known)
