"""A_binClas: private online binary classification (BTT18 Algorithm 2)."""

import numpy as np

from harness.concepts.votes import Votes
from harness.mechanisms.a_subsamp import ASubSamp
from harness.mechanisms.answers import Answers
from harness.mechanisms.two_labels import require_two_labels
from harness.theory.fixed_point import Plan
from harness.theory.parameters import Task


class ABinClas(ASubSamp):
    """A_subSamp on two labels, with the constants of BTT18 where the spec does not name others."""

    name = "A_binClas"
    source = "BTT18 Algorithm 2"
    label = "A_binClas"
    binary = True

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        require_two_labels(votes, self.name, instead="A_subSamp")
        return super().answer(votes, plan, task, rng)


MECHANISM = ABinClas()
