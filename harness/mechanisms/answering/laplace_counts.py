"""Laplace noise on every count, with an ε′ that follows from the noise that is drawn: what a plugin's mechanism may build on.

A class derived from it says which ε₀ a query gets and how many chunks that takes, and nothing of how it is drawn or accounted
for. So its ε′ is certified, whatever it says.
"""

from abc import abstractmethod
from functools import partial

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.per_query import PerQuery, SharePlan
from harness.mechanisms.noisy_argmax import Laplace, noisy_argmax
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import compose_laplace


class LaplaceCounts(PerQuery[SharePlan]):
    """argmax_r ct(r) + Lap(2/ε₀) on each query, over any number of labels: one changed vote moves two counts by 1.

    Both counts' noises compose: 2m Laplace mechanisms of sensitivity 1.
    """

    may_change = frozenset({"share", "chunks", "formulas"})

    @abstractmethod
    def share(self, constants: Constants, task: Task) -> float:
        """ε₀ > 0, which sets the noise on each count of a query."""

    @abstractmethod
    def chunks(self, constants: Constants, task: Task, eps0: float) -> float:
        """The least k at which two thirds of the votes decide, but for a chance of β/m a query."""

    def plan(self, constants: Constants, task: Task, n: int) -> SharePlan:
        eps0 = self.share(constants, task)
        spent = partial(compose_laplace, eps0 / 2, 2 * task.m, task.delta)
        return self.divided(constants, task, n, self.chunks(constants, task, eps0)).drawing(SharePlan, spent, eps0=eps0)

    @whole_blocks
    def answer(self, ballot: Ballot, plan: SharePlan, task: Task, rng: np.random.Generator) -> Answers:
        return Answers(noisy_argmax(ballot.counts, ballot.sizes, Laplace(2 / plan.eps0), rng))
