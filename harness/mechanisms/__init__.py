"""What turns votes into answers: one file per algorithm, named after it."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from harness.concepts.votes import Votes
from harness.mechanisms.answers import Answers
from harness.registry import parts
from harness.theory.fixed_point import Plan
from harness.theory.parameters import Constants, Task


class Mechanism(Protocol):
    """A way to answer m classification queries with the votes of an ensemble.

    One that is for two labels only has also `binary = True`, and specs with more labels refuse it.
    """

    @property
    def name(self) -> str:
        """As specs and tables spell it."""

    @property
    def source(self) -> str:
        """Paper and algorithm."""

    @property
    def label(self) -> str:
        """How a figure's legend says it."""

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        """Its own parameters on n examples: the least k that its own guarantee needs, and the bound that follows."""

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        """Answer the queries in their order. `votes` holds plan.k votes a query; `rng` is this mechanism's own stream."""

    def spent(self, plan: Plan, task: Task) -> float:
        """An ε' at which all its answers are certainly (ε', δ)-DP, by exact accounting; infinite if nothing is promised."""


class Labeller(Mechanism, Protocol):
    """A mechanism whose answers can label points for a learner (`transfer`)."""

    def stable_failure(self, plan: Plan, task: Task, labels: int) -> float:
        """At least the chance that any query with all but a share DISSENT of its votes for one label is not answered so.

        Of task.m queries, over so many labels. Such queries may be left out of a simulated run: they hardly ever change its
        state, and their labels are known.
        """


def mechanisms() -> Mapping[str, Mechanism]:
    """Every mechanism by name."""
    return parts("mechanism")
