"""The paper's mechanism: the winner of the votes with Laplace noise on each count, at ε/m a query."""

from functools import partial
from math import log

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.per_query import PerQuery, SharePlan
from harness.mechanisms.noisy_argmax import Laplace, noisy_argmax
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import compose_laplace


class Basic(PerQuery[SharePlan]):
    name = "basic_composition"
    source = "SEC Algorithm 1"
    legend = "basic composition"

    def plan(self, constants: Constants, task: Task, n: int) -> SharePlan:
        eps0 = task.eps / task.m
        spent = partial(compose_laplace, eps0 / 2, 2 * task.m, task.delta)
        return self.divided(constants, task, n, 12 / eps0 * log(2 * task.m / task.beta)).drawing(SharePlan, spent, eps0=eps0)

    def answer(self, ballot: Ballot, plan: SharePlan, task: Task, rng: np.random.Generator) -> Answers:
        return Answers(noisy_argmax(ballot.counts, ballot.sizes, Laplace(2 / plan.eps0), rng))


MECHANISM = Basic()
