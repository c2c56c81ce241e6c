"""What few queries get where the cutoff is repaired: a rate of Õ(γ + α + 1/m), whatever β is (BTT18 Theorems 3.4, 3.5)."""

from collections.abc import Iterator
from dataclasses import replace

from scipy.stats import binom

from harness.claims.btt18.split_votes import bernstein, per_error
from harness.claims.engine import Number, task_of
from harness.theory.constants import constants
from harness.theory.fixed_point import CutoffPlan, plan_for_n
from harness.theory.parameters import PacBound, Task

PROOF = (
    "T3.2-repaired, and √(2pL/m) ≤ p + L/(2m): T/m = 3(p + √(2pL/m) + L/(3m)) ≤ 6p + 2.5L/m. Up to M queries mp = O(L), so "
    "that T = O(L) and k is what one query takes but for logarithms, those of 1/β among them."
)


def repaired_plan(n: int, task: Task) -> CutoffPlan:
    """The least fixed point with the printed λ, w and k, and B by Bernstein's inequality."""
    whole = replace(constants()["BTT18"], mistakes=lambda asked, alpha: bernstein(asked, min(1.0, asked.gamma + alpha)))
    return plan_for_n(whole, task, n)


def kept(n: int, queries: tuple[int, ...], gamma: float, bound: PacBound) -> Iterator[Number]:
    """T/m against 6(γ+α) + 2.5L/m, and the chance of more than T against 2β; at β = n⁻² too.

    The chance is that of a learner beyond α, β, and of Bin(m, r(γ+α)), for all hypotheses there are.
    """
    for m in queries:
        for beta in (0.05, 1e-6, float(n) ** -2):
            task = task_of(m, beta, gamma, pac_bound=bound)
            plan = repaired_plan(n, task)
            p = min(1.0, gamma + plan.alpha)
            where = f"n = {n:.0e}, m = {m}, γ = {gamma:g}, β = {beta:.2g}"
            yield Number(f"T/m at {where}", plan.T / m, 6 * p + 2.5 * task.L / m)
            beyond = float(binom.sf(int(plan.T), m, min(1.0, per_error(task, plan.T) * p)))
            yield Number(f"P(more than T of the m queries are misclassified) at {where}", beta + beyond, 2 * beta)
