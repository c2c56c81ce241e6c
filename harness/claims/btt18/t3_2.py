"""BTT18 Theorem 3.2: the misclassification rate of the ⊥-paying mechanism.

The proof's failure budget adds up to 2.5β (β for the learners, β for their mistakes, β/2 for the noise); what is claimed, 2β,
is what is tested. The proof's step on the mistakes is a claim of its own (`t3_2_mistakes`), and false; the conclusion
survives it at ordinary β, because the count averages over the h_j, but not at every β in (0, 1). Where all h_j are one
hypothesis of error exactly α its mistakes are Bin(m, α), and that decides `-any-beta`.
"""

from collections.abc import Iterator
from functools import partial

from scipy.stats import binom

from harness.claims.engine import Claim, Computed, Number, printed_cutoff, rate_within, task_of
from harness.theory.constants.btt18 import mistakes


def _one_hypothesis() -> Iterator[Number]:
    for m, alpha, beta in ((1000, 1e-3, 1e-40), (100, 1e-2, 1e-60)):
        T = 3 * mistakes(task_of(m, beta), alpha)
        yield Number(f"m = {m}, α = {alpha:g}, β = {beta:g}", float(binom.sf(int(T), m, alpha)), 2 * beta)


def _order_alpha(shares: tuple[float, ...]) -> Iterator[Number]:
    """T/m against the constant that it has where the mean dominates. shares: (γ+α)m / ln(m/β)."""
    m, beta = 10_000, 0.05
    task = task_of(m, beta)
    for share in shares:
        alpha = share * task.L / m
        yield Number(f"m = {m}, (γ+α)m = {share:g}·ln(m/β)", 3 * mistakes(task, alpha) / m, 3 * (1 + 0.5**0.5) * alpha)


CLAIMS = (
    Claim(
        "BTT18:T3.2",
        "BTT18 Theorem 3.2",
        "Let T = 3B with B = (γ+α)m + √((γ+α) m ln(m/β)/2), and let Θ be an (α, β/k, n/k)-agnostic PAC learner. "
        "Then with probability at least 1 − 2β A_binClas answers all m queries without halting, with at most T answers ⊥, "
        "and its misclassification rate, ⊥ counted as an error, is at most T/m.",
        where=printed_cutoff("A_binClas", "BTT18"),
        decider=rate_within(betas=2),
    ),
    Claim(
        "BTT18:T3.2-any-beta",
        "BTT18 Theorem 3.2, for any β in (0, 1)",
        "T3.2 for every β in (0, 1). With identical h_j of error exactly α the rate exceeds T/m when Bin(m, α) > T, and the "
        "chance of that must be at most 2β: false for very small β, as T grows only like √ln(1/β).",
        decider=Computed(_one_hypothesis),
        expected="refuted",
    ),
    Claim(
        "BTT18:T3.2-rate",
        "BTT18 Theorem 3.2 (ii): T/m = O(γ+α)",
        "T/m ≤ 3(1 + 1/√2)(γ+α) for every m, the constant that holds once (γ+α)m ≥ ln(m/β).",
        decider=Computed(partial(_order_alpha, (0.01, 0.1))),
        expected="refuted",
    ),
    Claim(
        "BTT18:T3.2-rate-repaired",
        "BTT18 Theorem 3.2 (ii), repaired",
        "T/m ≤ 3(1 + 1/√2)(γ+α) where (γ+α)m ≥ ln(m/β).",
        decider=Computed(partial(_order_alpha, (1.0, 10.0, 100.0))),
    ),
)
