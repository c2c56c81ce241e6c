"""A_OQR: online query release, A_stab under the threshold of a sparse vector (BTT18a Algorithm 3)."""

from dataclasses import replace
from math import log, sqrt

import numpy as np

from harness.arrays import Ints, Labels
from harness.concepts.votes import Votes
from harness.mechanisms.a_sparse_vec import a_sparse_vec, spent_by_epochs
from harness.mechanisms.answers import Answers, release
from harness.theory.fixed_point import Plan, plan_for_n, without_rate
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.distance import DISTANCES


def a_oqr(values: Labels, dist: Ints, lam: float, w: float, T: float, rng: np.random.Generator) -> Answers:
    """Release values[i] where dist[i] + Lap(2λ) > ŵ, else ⊥ and redraw ŵ = w + Lap(λ); halt when c > T.

    values, dist: (m,), the exact answers and their distances to instability. Each test is A_stab with Γ = ŵ and ε = 1/(2λ).
    """
    stream = a_sparse_vec(dist, lam, w, T, rng)
    return release(values, stream.bottoms, stream.answered)


def stable_distance(task: Task, T: float) -> float:
    """a = 32 ln(4mT/min(δ, β)) √(2T ln(2/δ)) / ε, from which on A_OQR answers exactly (BTT18a Corollary 3.9)."""
    return 32 * log(4 * task.m * T / min(task.delta, task.beta)) * sqrt(2 * T * log(2 / task.delta)) / task.eps


class AOQR:
    """A_OQR on votes and their printed distance; k puts a unanimous query just at the distance that Corollary 3.9 asks for."""

    name = "A_OQR"
    source = "BTT18a Algorithm 3"
    label = "A_OQR"

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        own = replace(constants, chunks=lambda task, T, lam, w: stable_distance(task, T) + 1)
        return replace(without_rate(plan_for_n(own, task, n)), distance="printed")

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        assert plan.lam is not None and plan.w is not None and plan.T is not None
        return a_oqr(votes.winner, DISTANCES[plan.distance].of(votes.gap), plan.lam, plan.w, plan.T, rng)

    def spent(self, plan: Plan, task: Task) -> float:
        return spent_by_epochs(plan, task)


MECHANISM = AOQR()
