"""BTT18a Corollary 4.1: the misclassification rate of A_subSamp, with the additive deviation in T.

A_subSamp is printed for any finite label set, the corollary for two. What the proof asks of the votes is that on all but T
queries at least 2k/3 of them are for the true label. Lemma 4.2 gives that for any number of labels: a vote is right or wrong,
and a wrong vote is a mistake of one hypothesis. Then the second label has at most the other k/3 votes, so ct(top) − ct(second)
≥ k/3 as with two labels, and the same k, λ, w and T suffice. More labels can only help: wrong votes that are spread leave a
larger gap than votes for one rival. One changed example moves one vote, so the gap by at most 2, as with two labels: privacy is
the same. Two things do change. The learner's α is that of the multi-class problem, with the graph dimension for V. And a ⊥ that
is answered by a random label is wrong with probability 1 − 1/L, not 1/2.

Its proof bounds the mistakes of k hypotheses with ln(m/β) for ln(k/β), which takes k < m. Nothing says so, and at ε = 1 and δ =
1e-6 it is so from some millions of queries on.

*Claim 4.5* is about the error of h_priv on one fresh query, as BTT18 C4.1, with the full version's constants and larger m.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import expm1, log, log1p, sqrt

import pandas as pd
import scipy

from harness.claims.btt18.c4_1 import enough_queries, fresh_error_within, least_m, seven_alpha
from harness.claims.engine import Claim, Computed, Condition, Number, Quote, parameters, printed_cutoff, rate_within

COROLLARY = Quote(
    "BTT18a §4.1 (Corollary 4.1)",
    "In Algorithm 4 (Algorithm A_subSamp), suppose we set the unstable query cutoff as T = 3((γ+α)m + √(m log(m/β)/2)) (where "
    "k is defined in Algorithm A_subSamp). If n, α, and β are such that Θ is (α, β/k, n/k)-agnostic PAC learner (Definition "
    "2.2), then i) with probability at least 1−2β, Algorithm A_subSamp does not halt before answering all the m queries in F, "
    "and outputs ⊥ for at most T queries in F; and ii) the misclassification rate of Algorithm A_subSamp is at most T/m.",
)
STEP = Quote(
    "BTT18a §4.1 (Corollary 4.1, proof)",
    "So, by the standard Hoeffding bound, with probability at least 1−β none of the Θ(D_j)'s misclassify more than "
    "(γ+α)m + √(m log(k/β)/2) < (γ+α)m + √(m log(m/β)/2) ≜ B queries in Q.",
)
INSTANCES = ((1000, 0.25, 1.0), (300, 0.2, 1.0), (300, 0.2, 0.1))
"""m, γ + α and ε, at which T < m."""

CORNERS = (*INSTANCES, (300, 0.2, 100.0), (2, 0.3, 1.0), (10**5, 0.01, 10.0), (10**6, 0.2, 0.01))


def _many_labels(first: pd.Series) -> bool:
    return bool(parameters(first, "concept").get("labels", 2) > 2)


def mistaken(inner: Callable[[int, float], float], instances: tuple[tuple[int, float, float], ...]) -> Iterator[Number]:
    """Compares with β P(one of k hypotheses errs on more than pm + √(m ln(·/β)/2) queries), if their mistakes are independent.

    inner: what stands in the logarithm above β, of m and k. At δ = 1e-6 and two β.
    """
    for m, p, eps in instances:
        for beta in (0.05, 1e-6):
            T = 3 * (p * m + sqrt(m * log(m / beta) / 2))
            k = 136 * log(4 * m * T / min(1e-6, beta / 2)) * sqrt(T * log(2 / 1e-6)) / eps
            tail = float(scipy.stats.binom.sf(p * m + sqrt(m * log(inner(m, k) / beta) / 2), m, p))
            where = f"m = {m:,}, γ + α = {p:g}, ε = {eps:g}, β = {beta:g}, k = {k:,.0f}"
            yield Number(f"P(some h_j errs on more), {where}", -expm1(k * log1p(-tail)), beta)


def least_m_full(alpha: float, beta: float) -> float:
    """The least m, 4 ln(1/(αβ))/α²."""
    return least_m(alpha, beta) / alpha


CLAIMS = (
    Claim(
        "BTT18a:C4.1",
        "BTT18a Corollary 4.1",
        "Let T = 3((γ+α)m + √(m ln(m/β)/2)), and let Θ be an (α, β/k, n/k)-agnostic PAC learner. Then with probability at "
        "least 1 − 2β A_subSamp answers all m queries without halting, with at most T answers ⊥, and at least m − T are "
        "right.",
        where=printed_cutoff("A_subSamp", "BTT18a"),
        decider=rate_within(betas=2),
        quote=COROLLARY,
    ),
    Claim(
        "BTT18a:C4.1-labels",
        "BTT18a Remark 1, with the constants of Corollary 4.1",
        "For any finite label set: let T = 3((γ+α)m + √(m ln(m/β)/2)), and let Θ be an (α, β/k, n/k)-agnostic PAC learner, "
        "for the chance of a wrong label. Then with probability at least 1 − 2β A_subSamp answers all m queries without "
        "halting, with at most T answers ⊥, and at least m − T are right. (The remark says similar guarantees: read, the "
        "same.)",
        where=(
            *printed_cutoff("A_subSamp", "BTT18a"),
            Condition("more than two labels", ("concept_parameters",), _many_labels),
        ),
        decider=rate_within(betas=2),
        nature="reading",
        of="BTT18a:C4.1",
        quote=Quote(
            "BTT18a §4.1 (Remark 1)",
            "We can obtain similar guarantees for multi-class classification with an almost identical proof as of Corollary "
            "4.1.",
        ),
    ),
    Claim(
        "BTT18a:C4.1-B",
        "BTT18a Corollary 4.1, proof",
        "With probability at least 1 − β none of the k hypotheses errs on more than (γ+α)m + √(m ln(m/β)/2) of the m queries. "
        "Decided where their mistakes are independent and T < m.",
        decider=Computed(partial(mistaken, lambda m, k: m, INSTANCES)),
        expected="refuted",
        nature="step",
        of="BTT18a:C4.1",
        quote=STEP,
        why=(
            "Hoeffding's bound for k hypotheses has ln(k/β), and ln(m/β) is more only where k < m. The printed k is hundreds of"
            " times m at m = 1000 and ε = 1, and one of so many hypotheses exceeds B with probability 0.12."
        ),
    ),
    Claim(
        "BTT18a:C4.1-B-repaired",
        "BTT18a Corollary 4.1, proof, repaired",
        "With probability at least 1 − β none of the k hypotheses errs on more than (γ+α)m + √(m ln(k/β)/2) of the m queries, "
        "for every m, k, β and γ + α. Decided where their mistakes are independent, at ε from 0.01 to 100.",
        decider=Computed(partial(mistaken, lambda m, k: k, CORNERS)),
        nature="repair",
        of="BTT18a:C4.1-B",
        proof=(
            "Given the training data the mistakes of one h_j on the queries are independent, each of probability at most γ + "
            "α. By Hoeffding's inequality they are more than (γ+α)m + t with probability at most e^(−2t²/m), which is β/k at "
            "t = √(m ln(k/β)/2). There are k of them."
        ),
    ),
    Claim(
        "BTT18a:C4.5",
        "BTT18a Claim 4.5",
        "Let β ≤ α and m ≥ 4 ln(1/(αβ))/α². Then with probability at least 1 − 2β over the training set, "
        "err(h_priv) ≤ 3γ + 7α, where h_priv answers a single query, a ⊥ counting as a fair coin.",
        where=(*printed_cutoff("A_subSamp", "BTT18a"), *enough_queries("m ≥ 4 ln(1/(αβ))/α²", least_m_full)),
        decider=fresh_error_within(seven_alpha),
        quote=Quote(
            "BTT18a §4.2 (Claim 4.5)",
            "Let 0 < β ≤ α < 1. Let m ≥ 4 log(1/αβ)/α². Suppose that Θ is (α, β/k, n/k)-(agnostic) PAC learner for the "
            "hypothesis class H. Then, with probability at least 1−2β (over the randomness of the input training set D and "
            "the internal randomness in Algorithm 4), we have err(h_priv; D) ≤ 3γ + 7α = O(γ+α), where γ = min_{h∈H} err(h; "
            "D).",
        ),
    ),
)
