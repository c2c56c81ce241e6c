"""Confident-GNMax: PATE answers only where a noisy test finds the votes agreed (Papernot et al. 2018, Algorithm 1)."""

import numpy as np

from harness.concepts.votes import Votes
from harness.mechanisms.answers import Answers, release
from harness.mechanisms.gnmax import noisy_argmax
from harness.mechanisms.per_query import PerQuery
from harness.theory.baselines import ConfidentGNMax as Accounting
from harness.theory.fixed_point import Plan
from harness.theory.parameters import Task
from harness.theory.privacy.gnmax import answers_cost, check_cost, data_dependent_eps


class ConfidentGNMax(PerQuery):
    """⊥ unless max_r ct(r) + N(0, σ₁²) ≥ 7k/12, else argmax_r ct(r) + N(0, σ²); over any number of labels.

    7k/12 is half way between a split vote and the two thirds that must be answered. σ₁, σ and the least k are chosen together:
    a query on which two thirds agree passes and is answered right with probability 1 − β/m, and the run spends exactly (ε, δ)
    by data-independent Rényi accounting of all m tests and m answers. The data-dependent cost is that of the tests, and of the
    answers that were given.
    """

    accounting = Accounting()
    label = "Confident-GNMax (PATE)"

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        sigma, check_sigma = self.accounting.scale(task), self.accounting.check_scale(task)
        top, threshold = votes.counts.max(axis=0), 7 * plan.k / 12
        passed = top + rng.normal(0, check_sigma, len(top)) >= threshold
        cost = check_cost(top, threshold, check_sigma) + answers_cost(votes.gap[passed], sigma, len(votes.counts))
        answers = release(noisy_argmax(votes, sigma, rng), np.flatnonzero(~passed), len(top))
        eps = data_dependent_eps(cost, self.accounting.rate(task), task.delta)
        return Answers(answers.labels, eps_data_dependent=eps)


MECHANISM = ConfidentGNMax()
