"""What the algorithm itself needs: A_Priv with T, and k from it, chosen freely instead of by the rule of its theorem.

T = 3B covers the worst votes that a PAC bound allows, so where a run already learns its plan is often vacuous still, with T
near m and k as if every query had to be paid for: then n is that of the rule, not of the mechanism. Here T is the least power
of two that is twice the ⊥s of each of a few runs on examples of their own. The runs are no part of the mechanism, and what
they see is charged nothing: this is the T of someone who knows the distribution. Any T is private, as λ, w and k follow from
it.
"""

from dataclasses import replace
from functools import lru_cache
from math import inf
from zlib import crc32

import numpy as np

from harness.theory.parameters import Task
from harness.theory.plan import Plan
from harness.transfer import LearningProblem
from harness.transfer.a_priv import APriv

RUNS = 8  # at a T, none of which may have more ⊥s than T/2, so that hardly one in many will have T


class FreeCutoff(APriv):
    """A_Priv with T chosen freely, on the m = O((V + ln(1/β))/α²) public points of Theorems 4.2 and 4.3."""

    name = "A_Priv_free"
    source = "BTT18 Algorithm 3, with T chosen freely"
    legend = "A_Priv, T chosen freely"

    def labelling(self, problem: LearningProblem, n: int) -> tuple[int | None, Plan | None] | None:
        return None  # the plan is that of a search

    def planned(self, problem: LearningProblem, n: int) -> tuple[Task, Plan] | None:
        plan = least_cutoff(self, problem, n)
        return None if plan is None else (problem.of(self.points(problem), problem.task.gamma), plan)

    def with_cutoff(self, problem: LearningProblem, task: Task, n: int, cutoff: float) -> Plan:
        """The plan on n examples with this T."""
        fixed = replace(problem, constants=replace(problem.constants, cutoff=cutoff))
        return self.resolved(fixed, task, n)


class FreeCutoffERM(FreeCutoff):
    """A_Priv with T chosen freely, on the fewer public points of BTT18 Remark 2."""

    name = "A_Priv_erm_free"
    source = "BTT18 Remark 2, with T chosen freely"
    legend = "A_Priv, ERM on Õ(V/α) points, T chosen freely"
    realizable_only = True

    def points(self, problem: LearningProblem) -> int:
        return problem.realizable_m


@lru_cache(maxsize=512)
def least_cutoff(learner: FreeCutoff, problem: LearningProblem, n: int) -> Plan | None:
    """The plan with the least T = 1, 2, 4, …, m at which none of a few runs on n examples has more than T/2 ⊥s; None if none.

    It is a function of its arguments alone: the runs have random streams of their own.
    """
    task, cutoff = problem.of(learner.points(problem), problem.task.gamma), 1.0
    while True:
        plan = learner.with_cutoff(problem, task, n, cutoff)
        if plan.s >= 1 and 2 * _most_bottoms(learner, problem, plan, task, n) <= cutoff:
            return plan
        if cutoff >= task.m:
            return None
        cutoff = min(2 * cutoff, float(task.m))


def _most_bottoms(learner: FreeCutoff, problem: LearningProblem, plan: Plan, task: Task, n: int) -> float:
    """How many queries are ⊥ in the run of a few that has the most; without end where one halts early."""

    def streams(purpose: str) -> np.random.Generator:
        return np.random.default_rng([crc32(purpose.encode()), n, plan.k])

    done = learner.transfer(problem, problem.sampler(plan.s), plan, task, streams, RUNS)
    return max(inf if run.halted or run.bottoms is None else run.bottoms for run in done)


PRIVATE_LEARNER = (FreeCutoff(), FreeCutoffERM())
