"""Kinds of trial are declared as they were, keys with ranges, columns with roles and flags; and parts, constants and rules."""

import json

import pytest

from harness.trials import kinds
from tests.support.declared import KEPT, KEPT_PARTS, all_parts, of_kind

KNOWN = json.loads(KEPT.read_text(encoding="utf-8"))
KNOWN_PARTS = json.loads(KEPT_PARTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", KNOWN)
def test_a_kind_is_declared_as_it_was(name: str) -> None:
    """Where it is to be another, `python -m tests.support.declared` keeps what it is."""
    assert json.loads(json.dumps(of_kind(kinds()[name]))) == KNOWN[name]


def test_every_kind_is_there() -> None:
    """A new one is its file alone: it is kept when the others are kept anew."""
    assert KNOWN.keys() <= kinds().keys()


@pytest.mark.parametrize("what", KNOWN_PARTS)
def test_parts_constants_and_rules_are_as_they_were(what: str) -> None:
    now = json.loads(json.dumps(all_parts()[what]))
    assert {name: now.get(name) for name in KNOWN_PARTS[what]} == KNOWN_PARTS[what]
