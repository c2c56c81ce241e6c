"""Gaussian noise on every gap, as little as the exact composition of Gaussian mechanisms allows."""

import numpy as np

from harness.concepts.votes import Votes
from harness.mechanisms.answers import Answers
from harness.mechanisms.per_query import PerQuery
from harness.mechanisms.two_labels import require_two_labels
from harness.theory.baselines import BASELINES
from harness.theory.fixed_point import Plan
from harness.theory.parameters import Task


class Gaussian(PerQuery):
    """sign(ct(1) − ct(0) + N(0, σ²))."""

    accounting = BASELINES["gaussian"]
    label = "Gaussian noise"
    binary = True

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        require_two_labels(votes, self.name, instead="GNMax")
        gap = votes.counts[1] - votes.counts[0]
        return Answers((gap + rng.normal(0, self.accounting.scale(task), len(gap)) > 0).astype(np.int8))


MECHANISM = Gaussian()
