"""A_stab on every query, each paid for in full (BTT18 Algorithm 1 under DR14 Corollary 3.21)."""

import numpy as np

from harness.concepts.votes import Votes
from harness.mechanisms.a_stab import a_stab
from harness.mechanisms.answers import Answers, release
from harness.mechanisms.per_query import PerQuery
from harness.theory.baselines import StabPerQuery
from harness.theory.fixed_point import Plan
from harness.theory.parameters import Task
from harness.theory.privacy.distance import DISTANCES


class AStabPerQuery(PerQuery):
    """The winner if max(0, ⌈gap/2⌉ − 1) + Lap(1/ε₀) > Γ, else ⊥; over any number of labels."""

    accounting = StabPerQuery()
    label = "A_stab, every query paid for"

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        distance = DISTANCES["corrected"].of(votes.gap)
        released = a_stab(distance, self.accounting.threshold(task), 1 / self.accounting.scale(task), rng)
        return release(votes.winner, np.flatnonzero(~released), len(released))


MECHANISM = AStabPerQuery()
