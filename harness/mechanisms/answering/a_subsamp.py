"""A_subSamp: answer with the ensemble's most frequent label, over any finite label set (BTT18a Algorithm 4)."""

from dataclasses import replace
from functools import partial

import numpy as np

from harness.arrays import Ints, Reals, indices_of
from harness.ballots import Ballot
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.per_bottom import PerBottom, a_oqr
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Task
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.laplace import difference_tail


class ASubSamp(PerBottom):
    """A_subSamp: a query's winner where A_OQR finds it stable, by max(0, gap − 1) or the constants' own distance, else ⊥."""

    name = "A_subSamp"
    source = "BTT18a Algorithm 4"
    legend = "subsample and aggregate (any labels)"

    @whole_blocks
    def answer(self, ballot: Ballot, plan: CutoffPlan, task: Task, rng: np.random.Generator) -> Answers:
        dist = DISTANCES[plan.distance].of(ballot.gap)
        answers = a_oqr(ballot, dist, plan.lam, plan.w, plan.last, rng)
        return replace(answers, fresh=partial(_fresh_error, ballot, dist, plan.lam, plan.w))


def _fresh_error(ballot: Ballot, dist: Ints, lam: float, w: float) -> Reals:
    """The mean over a trial's queries of the chance that a first query is answered wrong, ⊥ counting as a label at random."""
    total = ballot.number(ballot.winner != ballot.truth)
    # A ⊥ trades the winner's error for 1 − 1/L, of L labels. Far above w that chance is too small for a double to hold.
    guess = 1 - 1 / len(ballot.counts)
    near = indices_of(dist < w + 800 * lam)
    bottom = difference_tail(dist[near] - w, lam) * ballot.sizes[near]  # the two signs have one law
    trade = np.where(ballot.winner[near] == ballot.truth[near], guess, guess - 1)
    return np.asarray((total + ballot.dots(bottom, trade, near)) / ballot.m)


MECHANISM = ASubSamp()
