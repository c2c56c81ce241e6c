"""BTT18 Theorem 3.2: the misclassification rate of the ⊥-paying mechanism.

It says β ∈ (0, 1). At β = 0.05 it has not been seen to fail; at small β it fails, because the proof's Chernoff bound lacks its
constant (`t3_2_mistakes`). From which β down depends on how T = 3B is read (`t3_2_beta`). At the small β of the experiment
`small_beta` 3B is just below 1, so that all readings fail.

The proof's failure budget adds up to 2.5β (β for the learners, β for their mistakes, β/2 for the noise); what is claimed, 2β,
is what is tested.
"""

from collections.abc import Iterator
from functools import partial
from math import floor, sqrt

import pandas as pd
from scipy.stats import binom

from harness.claims.btt18.split_votes import bottom
from harness.claims.engine import (
    Claim,
    Computed,
    ComputedExponents,
    Condition,
    Form,
    Number,
    Quote,
    Sweep,
    Unbent,
    parameters,
    printed_cutoff,
    rate_within,
    task_of,
)
from harness.theory.constants.btt18 import mistakes

QUOTE = Quote(
    "BTT18 §3, p. 5 (Theorem 3.2)",
    "Let α, β ∈ (0, 1), and γ ≜ min_{h∈H} err(h; D). (Note that in the realizable case γ = 0). In Algorithm AbinClas "
    "(Algorithm 2), suppose we set the cutoff parameter as T = 3((γ + α)m + √((γ + α)m log(m/β)/2)). If Θ is an "
    "(α, β/k, n/k)-agnostic PAC learner (Definition 2.1), where k is as defined in AbinClas, then i) with probability at "
    "least 1 − 2β, AbinClas does not halt before answering all the m queries in Q, and outputs ⊥ for at most T queries; and "
    "ii) the misclassification rate of AbinClas is at most T/m = O(γ + α).",
)


def _breaks(first: pd.Series) -> bool:
    """Whether hypotheses that are wrong together, on a region of a size that is known, miss too many with a chance above 2β."""
    arcs = first["concept"] == "arcs"
    if not arcs and (first["concept"], first["learner"]) != ("exact_error", "identical"):
        return False
    share, k = parameters(first, "distribution")["share"] if arcs else 1.0, int(first["k"])
    at_fresh = bottom(k, floor(k * share), float(first["lam"]), float(first["w"])) if share <= 0.5 else 1.0
    more = floor(first["T"]) + 1
    chance = binom.sf(more - 1, int(first["m"]), float(first["alpha"]) / share) * float(at_fresh) ** more
    return bool(chance > 2 * first["beta"])


BREAKS = Condition(
    "hypotheses that are wrong together, on which more than T are missed with a chance above 2β by the exact law",
    ("concept", "distribution_parameters", "learner", "k", "lam", "w", "T", "m", "alpha", "beta"),
    _breaks,
)


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
    for m in (1, 100, 10_000, 10**6):
        for beta in (1e-10, 0.05, 0.2):
            task = task_of(m, beta)
            for alpha in (share * task.L / m for share in shares):
                if alpha < 1:
                    where = f"m = {m}, β = {beta:g}, (γ+α)m = {alpha * m / task.L:g}·ln(m/β)"
                    yield Number(where, 3 * mistakes(task, alpha) / m, 3 * (1 + sqrt(0.5)) * alpha)


CLAIMS = (
    Claim(
        "BTT18:T3.2",
        "BTT18 Theorem 3.2",
        "Let T = 3B with B = (γ+α)m + √((γ+α) m ln(m/β)/2), and let Θ be an (α, β/k, n/k)-agnostic PAC learner. "
        "Then with probability at least 1 − 2β A_binClas answers all m queries without halting, with at most T answers ⊥, "
        "and its misclassification rate, ⊥ counted as an error, is at most T/m. (Decided at T = max(1, 3B).)",
        where=printed_cutoff("A_binClas", "BTT18"),
        decider=rate_within(betas=2),
        expected="refuted",
        breaks=(BREAKS,),
        quote=QUOTE,
        why=(
            "With T = max(1, 3B) or ⌈3B⌉ not seen to fail at β = 0.05, and proved from β = 0.03 to 0.2. At small β split votes "
            "make more than T queries ⊥: it fails from β = 3.4·10⁻⁴ down for T = ⌈3B⌉, from 7.5·10⁻³ for max(1, 3B), and from "
            "0.055 for a real T = 3B, which may be below 1. T grows with √ln(1/β) only, less than a binomial tail asks for."
        ),
    ),
    Claim(
        "BTT18:T3.2-rate",
        "BTT18 Theorem 3.2 (ii): T/m = O(γ+α)",
        "T/m = O(γ+α) for every m.",
        decider=ComputedExponents(Form({"alpha": 0.0}, Unbent()), _vanishing),
        expected="refuted",
        of="BTT18:T3.2",
        quote=Quote(QUOTE.place, "ii) the misclassification rate of AbinClas is at most T/m = O(γ + α)."),
        why=(
            "The second term of T, √((γ+α) ln(m/β)/(2m)), is no constant multiple of γ+α where (γ+α)m is small. Along m = 10⁴"
            " and α → 0 the ratio grows without bound, as 1/√α and, once T = 1, as 1/α."
        ),
    ),
    Claim(
        "BTT18:T3.2-rate-repaired",
        "BTT18 Theorem 3.2 (ii), repaired",
        "T/m ≤ 3(1 + 1/√2)(γ+α) where (γ+α)m ≥ ln(m/β), at every m ≥ 1 and β in (0, 1).",
        decider=Computed(partial(_order_alpha, (1.0, 10.0, 100.0))),
        nature="repair",
        of="BTT18:T3.2-rate",
        proof="With x = (γ+α)m ≥ L, √(xL/2) ≤ x/√2, so that B ≤ (1 + 1/√2)x.",
    ),
)
