"""What turns votes into labels: one file a mechanism, which states its noise, its least k and its privacy beside its answer."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from harness.ballots import Ballot
from harness.concepts import DISSENT, Calm
from harness.mechanisms import Mechanism
from harness.mechanisms.answering.answers import Answers, joined
from harness.mechanisms.answering.tables import Tables
from harness.registry import parts
from harness.theory.factors import Factor, Formula, factors_in
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan

Own = TypeVar("Own", bound=Plan)
NEGLIGIBLE = 1e-12  # what may be left out of a run's law
SHARES = (0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1)  # of votes against the winner, the most first


class Answering(Mechanism, Generic[Own]):
    """A mechanism that answers m classification queries by the votes of k classifiers.

    pays_for: what costs privacy: every query, those that are answered ⊥, or nothing where it is not private. takes: what it
    takes of a set of constants. binary: whether it is for two labels only. formulas: those of its own that have constants,
    which it reads from the set's values.
    """

    pays_for: Literal["queries", "bottoms", "nothing"] = "queries"
    takes: Literal["constants", "k_scale", "nothing"] = "k_scale"
    binary: bool = False
    formulas: tuple[Formula[Any], ...] = ()

    def reads(self, constants: Constants) -> tuple[Factor, ...]:
        """The constants that the mechanism's plan may depend on: those of the set, if it takes them, and its own."""
        return (*(constants.factors if self.takes == "constants" else ()), *factors_in(self.formulas))

    @abstractmethod
    def plan(self, constants: Constants, task: Task, n: int) -> Own:
        """The plan on n examples: the noise, the least k that the mechanism's guarantee needs, and the bound that follows."""

    @abstractmethod
    def answer(self, ballot: Ballot, plan: Own, task: Task, rng: np.random.Generator) -> Answers:
        """Answers the queries in a random order, with the plan's noise from `rng`. `ballot` has plan.k votes a query."""

    def answer_block(self, ballot: Ballot, plan: Own, task: Task, rng: np.random.Generator) -> Answers:
        """Answers the queries of all trials of a ballot: trial by trial, or at once if `answer` takes `whole_blocks`."""
        if ballot.trial is None or getattr(self.answer, "whole_blocks", False):
            return self.answer(ballot, plan, task, rng)
        return joined(ballot, [self.answer(alone, plan, task, rng) for alone in ballot.by_trial()])

    def answer_in_order(self, ballot: Ballot, plan: Own, task: Task, rng: np.random.Generator) -> Answers:
        """The answers to each trial's queries asked in the order of their types, if the mechanism can be asked in an order.

        Audits ask so: what is at which place tells more. By default the order is as it comes.
        """
        return self.answer_block(ballot, plan, task, rng)

    def neighbours(self, plan: Own, task: Task, labels: int) -> Sequence[Tables]:
        """Neighbouring tables of votes that an audit should try beside the usual ones; by default none."""
        return ()

    def stable_failure(self, plan: Own, task: Task, labels: int, dissent: float) -> float:
        """An upper bound on P(any query with all but a share `dissent` of its votes for one label is not answered so).

        Of task.m queries, over so many labels. Where its answers label points for a learner (`transfer`), such queries may be
        of one type. By default nothing is known.
        """
        return 1.0

    def calm(self, plan: Own, task: Task, labels: int) -> Calm:
        """Which of task.m public points may be counted: about as many as can where `stable_failure` is negligible."""
        return Calm(next((share for share in SHARES if self.stable_failure(plan, task, labels, share) <= NEGLIGIBLE), DISSENT))

    def require_two_labels(self, ballot: Ballot) -> None:
        """Raise a ValueError unless the votes are over two labels."""
        if len(ballot.counts) != 2:
            raise ValueError(f"{self.name} is for two labels, not {len(ballot.counts)}")


def mechanisms() -> Mapping[str, Answering[Any]]:
    """All registered mechanisms that answer classification queries by votes, by name."""
    return parts("mechanism", of=Answering)
