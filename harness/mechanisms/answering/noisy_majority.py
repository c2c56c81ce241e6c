"""The baseline of advanced composition: every query pays for a noisy majority (DR14 Corollary 3.21)."""

from collections.abc import Callable
from functools import partial
from math import log
from typing import Any

import numpy as np

from harness.arrays import Ints, Reals
from harness.ballots import Ballot, of_each
from harness.concepts import DISSENT, Calm
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering import SHARES
from harness.mechanisms.answering.answers import Answers, outvoted
from harness.mechanisms.answering.per_query import LEAST_K, PerQuery, SharePlan
from harness.mechanisms.noise import binomial
from harness.theory.factors import ConstantValues, Factor, Formula, formula, with_values
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import advanced_share, compose_laplace
from harness.theory.privacy.laplace import tail

SELDOM = 1e-3  # of the queries with few dissenters, how many are told apart at most

C_MAJORITY = Factor("c_majority", 6, "k = c_majority ln(m/(2β)) / ε₀", LEAST_K)


@formula(C_MAJORITY)
def majority_chunks(c: ConstantValues, eps0: float, task: Task) -> float:
    """k = (6/ε₀) ln(m/(2β)): the least number of chunks of a noisy majority at ε₀ a query, before rounding up."""
    return c[C_MAJORITY] / eps0 * log(task.m / (2 * task.beta))


class NoisyMajority(PerQuery[SharePlan]):
    """sign(ct(1) − ct(0) + Lap(2/ε₀)) on each query, as one changed vote moves the gap by 2; ε₀ by advanced composition.

    k is the least at which P(Lap(2/ε₀) > k/3) = ½e^{−kε₀/6} = β/m.
    """

    name = "noisy_majority"
    source = "DR14 Corollary 3.21"
    legend = "noisy majority (advanced composition)"
    binary = True
    may_change = frozenset({"share", "formulas"})
    share: Callable[[float, int, float], float] = advanced_share
    formulas: tuple[Formula[Any], ...] = (majority_chunks, advanced_share)

    def plan(self, constants: Constants, task: Task, n: int) -> SharePlan:
        eps0 = with_values(type(self).share, constants.values)(task.eps, task.m, task.delta)
        divided = self.divided(constants, task, n, majority_chunks.with_values(constants.values)(eps0, task))
        return divided.drawing(SharePlan, partial(compose_laplace, eps0, task.m, task.delta), eps0=eps0)

    @whole_blocks
    def answer(self, ballot: Ballot, plan: SharePlan, task: Task, rng: np.random.Generator) -> Answers:
        self.require_two_labels(ballot)
        loses = of_each(lambda gap: self.loses(gap, plan), ballot.gap)
        if ballot.exposure is not None:
            loses = np.minimum(1.0, loses * ballot.exposure)
        return outvoted(ballot, binomial(ballot.sizes, loses, rng))

    def loses(self, gap: Ints | Reals | float, plan: SharePlan) -> Reals:
        """P(the label with fewer votes is answered) at a gap, any shape."""
        return tail(np.asarray(gap) / (2 / plan.eps0))

    def calm(self, plan: SharePlan, task: Task, labels: int) -> Calm:
        """Queries are answered independently: of those with few dissenters the few that may be answered otherwise are drawn."""
        chances = {share: float(self.loses((1 - 2 * share) * plan.k, plan)) for share in (*SHARES, DISSENT)}
        return Calm(*next(((share, chance) for share, chance in chances.items() if chance <= SELDOM), (DISSENT, 0.5)))


MECHANISM = NoisyMajority()
