"""Knowledge transfer: what makes a classifier of private answers and public points. One file a construction."""

from functools import cache

from harness.registry import parts
from harness.transfer.learner import PrivateLearner


@cache
def private_learners() -> dict[str, PrivateLearner]:
    """Every construction by name."""
    return parts("harness.transfer", "LEARNER")
