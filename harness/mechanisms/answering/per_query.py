"""Mechanisms that pay for every query: the least k at which they are right, and the noise that (ε, δ) allows on m queries.

Each is right on every query where at least 2k/3 of the k votes agree, with probability 1 − β over all m, by the union of a
chance of β/m each. The k is what that takes over two labels, where the winner leads by a gap of at least k/3. Over c labels
the tails are convex, so that the worst others have all of their k/3 votes on one label; the c − 2 labels without any add at
most (c − 2) times the tail at 2k/3, which is smaller than (β/m)².

Advanced composition is DR14 Corollary 3.21 unless Theorem 3.20, which that simplifies, is named.
"""

from dataclasses import dataclass
from math import ceil

from harness.mechanisms.answering import Answering, Own
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan, plan_for_chunks

LEAST_K = "not in the papers: the least k at which two thirds of the votes decide"
"""Where the constants of these k stand."""


@dataclass(frozen=True, kw_only=True)
class SharePlan(Plan):
    """The plan of a mechanism that pays for every query. eps0: ε₀, what a query may spend."""

    eps0: float


@dataclass(frozen=True, kw_only=True)
class GaussianPlan(Plan):
    """The plan of a mechanism with Gaussian noise on every query. sigma: of the noise on a gap or on a count, in votes."""

    sigma: float


class PerQuery(Answering[Own]):
    """The base of mechanisms that pay for every query."""

    private = True

    def divided(self, constants: Constants, task: Task, n: int, chunks: float) -> Plan:
        """The plan of n examples in `chunks` chunks, times k_scale and rounded up, without noise."""
        return plan_for_chunks(task, n, max(1, ceil(constants.k_scale * chunks)))
