"""What turns votes into labels: one file a mechanism, which states its noise, its least k and its privacy beside its answer."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms import Mechanism
from harness.mechanisms.answering.answers import Answers
from harness.registry import parts
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan

Own = TypeVar("Own", bound=Plan)


class Answering(Mechanism, Generic[Own]):
    """A way to answer m classification queries with the votes of an ensemble.

    pays_for: what costs privacy: every query, those that are answered ⊥, or nothing where it is not private. takes: what it
    takes of a set of constants. binary: whether it is for two labels only.
    """

    pays_for: Literal["queries", "bottoms", "nothing"] = "queries"
    takes: Literal["constants", "k_scale", "nothing"] = "k_scale"
    binary: bool = False

    @abstractmethod
    def plan(self, constants: Constants, task: Task, n: int) -> Own:
        """Its own parameters on n examples: all its noise, the least k that its guarantee needs, and the bound that follows."""

    @abstractmethod
    def answer(self, ballot: Ballot, plan: Own, task: Task, rng: np.random.Generator) -> Answers:
        """Answer the queries in a random order, with the plan's noise. `ballot` has plan.k votes a query; `rng` is its own."""

    def stable_failure(self, plan: Own, task: Task, labels: int) -> float:
        """At least the chance that any query with all but a share DISSENT of its votes for one label is not answered so.

        Of task.m queries, over so many labels. Where its answers label points for a learner (`transfer`), such queries may be
        of one type. By default nothing is known.
        """
        return 1.0

    def require_two_labels(self, ballot: Ballot) -> None:
        """Raise a ValueError unless the votes are over two labels."""
        if len(ballot.counts) != 2:
            raise ValueError(f"{self.name} is for two labels, not {len(ballot.counts)}")


def mechanisms() -> Mapping[str, Answering[Any]]:
    """Every one that answers classification queries, by name."""
    return parts("mechanism", of=Answering)
