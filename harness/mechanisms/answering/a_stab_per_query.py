"""A_stab on every query, each paid for in full (BTT18 Algorithm 1 under DR14 Corollary 3.21)."""

from dataclasses import dataclass
from functools import partial
from math import log

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering.answers import Answers, winners
from harness.mechanisms.answering.per_query import LEAST_K, PerQuery, SharePlan
from harness.mechanisms.noise import binomial
from harness.theory.factors import ConstantValues, Factor, formula
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import advanced_share, compose_laplace
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.laplace import tail

C_STAB = Factor("c_stab", 6, "k = c_stab (a + 1), with a = (ln(2m/δ) + ln(m/(2β))) / ε₀", LEAST_K)


@formula(C_STAB)
def stab_chunks(c: ConstantValues, eps0: float, threshold: float, task: Task) -> float:
    """k = 6(a + 1), a = Γ + ln(m/(2β))/ε₀: the least number of chunks of A_stab on every query, before rounding up."""
    return c[C_STAB] * (threshold + 1 / eps0 * max(0.0, log(task.m / (2 * task.beta))) + 1)


@dataclass(frozen=True, kw_only=True)
class StabPlan(SharePlan):
    """The plan of A_stab on every query. threshold: Γ, in units of distances."""

    threshold: float


class AStabPerQuery(PerQuery[StabPlan]):
    """A_stab on each query: the winner if max(0, ⌈gap/2⌉ − 1) + Lap(1/ε₀) > Γ = ln(2m/δ)/ε₀, else ⊥; any number of labels.

    Each A_stab is (ε₀, δ₀)-DP with δ₀ = δ/(2m), and the other half of δ is for the composition. The distance has sensitivity 1.
    At k = 6(a + 1) it is at least a where 2k/3 votes agree, and P(Lap(1/ε₀) ≤ Γ − a) = ½e^{−(a−Γ)ε₀} = β/m. Winners differ only
    at distance 0 on both tables, where the label is released with probability δ₀/2.
    """

    name = "A_stab_per_query"
    source = "BTT18 Theorem 2.4 with DR14 Corollary 3.21"
    legend = "A_stab, every query paid for"
    formulas = (stab_chunks, advanced_share)

    def plan(self, constants: Constants, task: Task, n: int) -> StabPlan:
        eps0 = advanced_share.with_values(constants.values)(task.eps, task.m, task.delta / 2)
        threshold = 1 / eps0 * log(2 * task.m / task.delta)
        chunks = stab_chunks.with_values(constants.values)(eps0, threshold, task)
        spent = partial(compose_laplace, eps0, task.m, task.delta - task.delta / 4)
        return self.divided(constants, task, n, chunks).drawing(StabPlan, spent, eps0=eps0, threshold=threshold)

    @whole_blocks
    def answer(self, ballot: Ballot, plan: StabPlan, task: Task, rng: np.random.Generator) -> Answers:
        passes = (DISTANCES["corrected"].of(ballot.gap) - plan.threshold) * plan.eps0
        return winners(ballot, binomial(ballot.sizes, tail(passes), rng))


MECHANISM = AStabPerQuery()
