"""Kinds of trial are declared as they were: keys with their ranges, columns with their roles and flags."""

import json

import pytest

from harness.trials import kinds
from tests.support.declared import KEPT, of_kind

KNOWN = json.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", KNOWN)
def test_a_kind_is_declared_as_it_was(name: str) -> None:
    """Where it is to be another, `python -m tests.support.declared` keeps what it is."""
    assert json.loads(json.dumps(of_kind(kinds()[name]))) == KNOWN[name]


def test_every_kind_is_there() -> None:
    assert KNOWN.keys() == kinds().keys()
