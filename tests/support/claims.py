"""Claims as tests take them."""

from harness.claims.engine import Event
from harness.claims.registry import claims


def event(name: str) -> Event:
    """The event of a claim about single trials."""
    found = claims()[name].decider
    assert isinstance(found, Event)
    return found
