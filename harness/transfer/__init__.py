"""Knowledge transfer: what makes a classifier of private answers and public points. One file a construction."""

from collections.abc import Mapping

from harness.registry import parts
from harness.transfer.learner import PrivateLearner


def private_learners() -> Mapping[str, PrivateLearner]:
    """Every construction by name."""
    return parts("private learner")
