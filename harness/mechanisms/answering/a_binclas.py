"""A_binClas: private online binary classification (BTT18 Algorithm 2)."""

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering.a_subsamp import ASubSamp
from harness.mechanisms.answering.answers import Answers
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Task


class ABinClas(ASubSamp):
    """A_subSamp on two labels, with the constants of BTT18 where the spec does not name others."""

    name = "A_binClas"
    source = "BTT18 Algorithm 2"
    legend = "A_binClas"
    binary = True

    @whole_blocks
    def answer(self, ballot: Ballot, plan: CutoffPlan, task: Task, rng: np.random.Generator) -> Answers:
        self.require_two_labels(ballot)
        return super().answer(ballot, plan, task, rng)


MECHANISM = ABinClas()
