"""GNMax: the noisy argmax of PATE, with data-independent Rényi accounting (Papernot et al. 2018)."""

import numpy as np

from harness.arrays import Labels
from harness.concepts.votes import Votes, top
from harness.mechanisms.answers import Answers
from harness.mechanisms.per_query import PerQuery
from harness.theory.baselines import GNMax as Accounting
from harness.theory.fixed_point import Plan
from harness.theory.parameters import Task
from harness.theory.privacy.gnmax import answers_cost, data_dependent_eps


def noisy_argmax(votes: Votes, sigma: float, rng: np.random.Generator) -> Labels:
    """argmax_r ct(r) + N(0, σ²), (m,), over any number of labels."""
    noisy = rng.normal(0, sigma, votes.counts.shape)
    noisy += votes.counts
    return top(noisy)


class GNMax(PerQuery):
    """argmax_r ct(r) + N(0, σ²), over any number of labels."""

    accounting = Accounting()
    label = "GNMax (PATE)"

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        sigma = self.accounting.scale(task)
        cost = answers_cost(votes.gap, sigma, len(votes.counts))
        eps = data_dependent_eps(cost, self.accounting.rate(task), task.delta)
        return Answers(noisy_argmax(votes, sigma, rng), eps_data_dependent=eps)


MECHANISM = GNMax()
