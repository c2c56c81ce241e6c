"""BTT18 Theorem 3.2: the misclassification rate of the ⊥-paying mechanism.

The proof's failure budget adds up to 2.5β (β for the learners, β for their mistakes, β/2 for the noise); what is claimed, 2β,
is what is tested. The proof's step on the mistakes is a claim of its own (`t3_2_mistakes`), and false; the conclusion
survives it at ordinary β, because the count averages over the h_j, but not at every β in (0, 1). Where all h_j are one
hypothesis of error exactly α no vote is split, nothing is ⊥, and the mistakes are Bin(m, α): so for each j < m the claim is at
its weakest at the largest α with T < j + 1, and fails where P(Bin(m, α) > j) > 2β. That is so from β = 1.3·10⁻³ on, downwards.
"""

from collections.abc import Iterator
from functools import cache, partial
from math import exp, log, sqrt

import numpy as np
import pandas as pd
import scipy
from scipy.optimize import brentq

from harness.claims.engine import (
    Claim,
    Computed,
    ComputedExponents,
    Form,
    Number,
    Sweep,
    Unbent,
    printed_cutoff,
    rate_within,
    task_of,
)
from harness.theory.constants.btt18 import mistakes

QUERIES = np.unique(np.geomspace(2, 10**6, 400).round())
MOST_MISTAKES = 30
SMALL_BETAS = (1e-3, 1e-4, 1e-6, 1e-10)


@cache
def worst_case(beta: float) -> tuple[float, int, float]:
    """Of identical h_j of error exactly α, the largest P(Bin(m, α) > T) at this β, where T < m; and its m and α."""
    found = (0.0, 2, 0.0)
    for j in range(1, MOST_MISTAKES):
        m = QUERIES[j + 1 <= QUERIES]
        half = np.log(m / beta) / 2
        mean = ((np.sqrt(half + 4 * (j + 1) / 3) - np.sqrt(half)) / 2) ** 2 * (1 - 1e-12)  # 3(x + √(x ln(m/β)/2)) < j + 1
        beyond = np.asarray(scipy.stats.binom.sf(j, m, np.minimum(1.0, mean / m)))
        i = int(beyond.argmax())
        found = max(found, (float(beyond[i]), int(m[i]), float(mean[i] / m[i])))
    return found


def largest_beta() -> float:
    """The largest β at which identical h_j break the theorem."""
    return exp(float(brentq(lambda at: log(worst_case(exp(at))[0] / 2) - at, log(1e-4), log(1e-2), xtol=1e-6)))


def _one_hypothesis(betas: tuple[float, ...]) -> Iterator[Number]:
    """P(a rate above T/m) in the worst case at each β, against 2β."""
    for beta in betas:
        beyond, m, alpha = worst_case(beta)
        T = 3 * mistakes(task_of(m, beta), alpha)
        where = f"P(more than T = {T:.3f} of m = {m} queries are misclassified), α = {alpha:.3g}, β = {beta:.3g}"
        yield Number(where, beyond, 2 * beta)


def _ordinary() -> Iterator[Number]:
    return _one_hypothesis((1.001 * largest_beta(), 0.002, 0.01, 0.05, 0.2))


def _vanishing() -> Iterator[Sweep]:
    """T/m over γ + α as α falls and m stays: T has a part that falls as √α, and then none that falls."""
    m, beta = 10_000, 0.05
    rows = []
    for alpha in (1e-5, 1e-6, 1e-7, 1e-8):
        ratio = max(1.0, 3 * mistakes(task_of(m, beta), alpha)) / m / alpha
        rows.append({"alpha": alpha, "mean": ratio, "low": ratio, "high": ratio})
    yield f"(T/m)/(γ+α), m = {m}, γ = 0, β = {beta}", "alpha", pd.DataFrame(rows)


def _order_alpha(shares: tuple[float, ...]) -> Iterator[Number]:
    """T/m against the constant that it has where the mean dominates. shares: (γ+α)m / ln(m/β)."""
    m, beta = 10_000, 0.05
    task = task_of(m, beta)
    for share in shares:
        alpha = share * task.L / m
        yield Number(f"m = {m}, (γ+α)m = {share:g}·ln(m/β)", 3 * mistakes(task, alpha) / m, 3 * (1 + sqrt(0.5)) * alpha)


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
        "With T = 3B, the misclassification rate is at most T/m with probability at least 1 − 2β, for every β in (0, 1). With "
        "identical h_j of error exactly α the rate exceeds T/m when Bin(m, α) > T.",
        decider=Computed(partial(_one_hypothesis, SMALL_BETAS)),
        expected="refuted",
        why=(
            "Identical hypotheses are wrong together, and T grows only like √ln(1/β), which is less than the tail of a "
            "binomial count. From β = 1.3·10⁻³ downwards that shows, with 6 queries and α = 0.0136 there."
        ),
    ),
    Claim(
        "BTT18:T3.2-ordinary-beta",
        "BTT18 Theorem 3.2, for identical h_j at ordinary β",
        "At β above 1.3·10⁻³, identical h_j of error exactly α, the worst α and m up to 10⁶, keep to T/m with probability at "
        "least 1 − 2β.",
        decider=Computed(_ordinary),
        nature="repair",
        of="BTT18:T3.2-any-beta",
    ),
    Claim(
        "BTT18:T3.2-rate",
        "BTT18 Theorem 3.2 (ii): T/m = O(γ+α)",
        "T/m = O(γ+α) for every m.",
        decider=ComputedExponents(Form({"alpha": 0.0}, Unbent()), _vanishing),
        expected="refuted",
        why=(
            "The second term of T, √((γ+α) ln(m/β)/(2m)), is no constant multiple of γ+α where (γ+α)m is small. Along m = 10⁴"
            " and α → 0 the ratio grows without bound, as 1/√α and, once T = 1, as 1/α."
        ),
    ),
    Claim(
        "BTT18:T3.2-rate-repaired",
        "BTT18 Theorem 3.2 (ii), repaired",
        "T/m ≤ 3(1 + 1/√2)(γ+α) where (γ+α)m ≥ ln(m/β).",
        decider=Computed(partial(_order_alpha, (1.0, 10.0, 100.0))),
        nature="repair",
        of="BTT18:T3.2-rate",
    ),
)
