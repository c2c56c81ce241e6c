"""A_subSamp: answer with the ensemble's most frequent label, over any finite label set (BTT18a Algorithm 4)."""

from dataclasses import replace
from math import exp

import numpy as np

from harness.arrays import Ints
from harness.concepts import DISSENT
from harness.concepts.votes import Votes
from harness.mechanisms.a_oqr import a_oqr
from harness.mechanisms.a_sparse_vec import spent_by_epochs
from harness.mechanisms.answers import Answers
from harness.theory.fixed_point import Plan, plan_for_n
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.laplace import difference_tail


class ASubSamp:
    """f̂ = argmax ct with dist = max(0, ct(top) − ct(second) − 1), or the distance of other constants, then A_OQR."""

    name = "A_subSamp"
    source = "BTT18a Algorithm 4"
    label = "subsample and aggregate (any labels)"

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        return plan_for_n(constants, task, n)

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        assert plan.lam is not None and plan.w is not None and plan.T is not None
        dist = DISTANCES[plan.distance].of(votes.gap)
        answers = a_oqr(votes.winner, dist, plan.lam, plan.w, plan.T, rng)
        return replace(answers, fresh_error=_fresh_error(votes, dist, plan.lam, plan.w))

    def spent(self, plan: Plan, task: Task) -> float:
        return spent_by_epochs(plan, task)

    def stable_failure(self, plan: Plan, task: Task, labels: int) -> float:
        assert plan.lam is not None and plan.w is not None and plan.T is not None
        # A threshold is high by a third of the margin, or the noise of a query low by two thirds of it.
        margin = float(DISTANCES[plan.distance].of(np.array(int((1 - 2 * DISSENT) * plan.k)))) - plan.w
        return min(1.0, (task.m + plan.T + 1) / 2 * exp(-margin / (3 * plan.lam))) if margin > 0 else 1.0


def _fresh_error(votes: Votes, dist: Ints, lam: float, w: float) -> float:
    """The mean over the queries of the chance that a first query is answered wrong, ⊥ counting as a label drawn at random."""
    total = float(np.count_nonzero(votes.winner != votes.truth))
    # A ⊥ trades the winner's error for 1 − 1/L, of L labels. Far above w that chance is too small for a double to hold.
    guess = 1 - 1 / len(votes.counts)
    near = np.flatnonzero(dist < w + 800 * lam)
    bottom = difference_tail(dist[near] - w, lam)  # the two signs have one law
    return (total + float(bottom @ np.where(votes.winner[near] == votes.truth[near], guess, guess - 1))) / len(dist)


MECHANISM = ASubSamp()
