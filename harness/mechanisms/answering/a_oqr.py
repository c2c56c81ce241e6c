"""A_OQR: online query release, A_stab under the threshold of a sparse vector (BTT18a Algorithm 3)."""

from dataclasses import replace

import numpy as np

from harness.arrays import Ints, Labels
from harness.concepts.votes import Votes
from harness.mechanisms.above_threshold import a_sparse_vec
from harness.mechanisms.answering.answers import Answers, release
from harness.mechanisms.answering.per_bottom import PerBottom, without_rate
from harness.theory.constants.btt18a import stable_distance
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.distance import DISTANCES


def a_oqr(values: Labels, dist: Ints, lam: float, w: float, T: float, rng: np.random.Generator) -> Answers:
    """Release values[i] where dist[i] + Lap(2λ) > ŵ, else ⊥ and redraw ŵ = w + Lap(λ); halt when c > T.

    values, dist: (m,), the exact answers and their distances to instability. Each test is A_stab with Γ = ŵ and ε = 1/(2λ).
    """
    stream = a_sparse_vec(dist, lam, w, T, rng)
    return release(values, stream.bottoms, stream.answered)


class AOQR(PerBottom):
    """A_OQR on votes and their printed distance; k puts a unanimous query just at the distance that Corollary 3.9 asks for."""

    name = "A_OQR"
    source = "BTT18a Algorithm 3"
    label = "A_OQR"

    def solved(self, constants: Constants, task: Task, n: int) -> CutoffPlan:
        own = replace(constants, chunks=lambda task, T, lam, w: stable_distance(task, T) + 1)
        return replace(without_rate(super().solved(own, task, n)), distance="printed")

    def answer(self, votes: Votes, plan: CutoffPlan, task: Task, rng: np.random.Generator) -> Answers:
        return a_oqr(votes.winner, DISTANCES[plan.distance].of(votes.gap), plan.lam, plan.w, plan.T, rng)


MECHANISM = AOQR()
