"""BTT18 Theorem 3.2: the misclassification rate of the ⊥-paying mechanism, by β and by how T = 3B is read.

It says β ∈ (0, 1). At β = 0.05 it has not been seen to fail; at small β it fails, because the proof's Chernoff bound lacks its
constant (`t3_2_proof`). At the small β of the experiment `small_beta` 3B is just below 1, so that all readings fail.

The proof's failure budget adds up to 2.5β (β for the learners, β for their mistakes, β/2 for the noise); what is claimed, 2β,
is what is tested.

The β from which each reading fails is a lower end: of hypotheses that split their votes evenly on a region, the worst of m up
to 10⁴, α and ways to split (`split_votes`), at ε = 1 and δ = 10⁻⁶. At ε from 0.01 to 100 and δ from 10⁻¹⁰ to 0.2 it moves by
less than a tenth. The repairs are for all hypotheses there are. What few queries get where the cutoff is repaired is a rate of
Õ(γ + α + 1/m), whatever β is (BTT18 Theorems 3.4, 3.5).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product
from math import ceil, floor, sqrt

import numpy as np
import pandas as pd
from scipy.stats import binom

from harness.claims.btt18.split_votes import at_most, bernstein, bottom, per_error, worst
from harness.claims.engine import (
    Claim,
    Computed,
    ComputedExponents,
    Condition,
    Form,
    Limit,
    NoLogarithms,
    Number,
    Probability,
    Quote,
    Sweep,
    Verdict,
    parameters,
    printed,
    printed_cutoff,
    rate_within,
    task_of,
    times,
)
from harness.theory.constants import constants
from harness.theory.constants.btt18 import mistakes
from harness.theory.fixed_point import CutoffPlan, plan_for_n
from harness.theory.parameters import PacBound, Task

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


PROOF = (
    "T3.2-repaired, and √(2pL/m) ≤ p + L/(2m): T/m = 3(p + √(2pL/m) + L/(3m)) ≤ 6p + 2.5L/m. Up to M queries mp = O(L), so "
    "that T = O(L) and k is what one query takes but for logarithms, those of 1/β among them."
)


def repaired_plan(n: int, task: Task) -> CutoffPlan:
    """The plan on n examples, at the least fixed point with the printed λ, w and k, and B by Bernstein's inequality."""
    whole = replace(constants()["BTT18"], mistakes=lambda task, alpha: bernstein(task, min(1.0, task.gamma + alpha)))
    return plan_for_n(whole, task, n)


def kept(n: int, queries: tuple[int, ...], gamma: float, bound: PacBound) -> Iterator[Number]:
    """Compares the repaired plan's T/m with 6(γ+α) + 2.5L/m, and P(more than T are misclassified) with 2β; at β = n⁻² too.

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


FAILS = {"ceiling": 3.4e-4, "at-least-one": 7.5e-3, "real": 0.055}
"""By reading of T = 3B, the β from which on downwards the theorem is seen to fail."""

RANGE = "ε ≤ 100, δ ≤ 0.2"
LINKS = {"at-least-one": (0.03, 0.05, 0.2), "ceiling": (0.0015, 0.004, 0.05, 0.2)}
"""β from which to which the theorem is proved, in steps: at the end of each no more may fail than at its beginning."""


@dataclass(frozen=True)
class ByLaw(Probability):
    """Decides a claim's event by rows and by laws that are computed beside them. numbers: the comparisons with these laws."""

    numbers: Callable[[], Iterable[Number]] = tuple

    def computed(self, claim: str) -> Iterator[Verdict]:
        yield from Computed(self.numbers).computed(claim)


def three_b(first: pd.Series) -> float:
    """3B of a cell, with B as printed."""
    task = task_of(int(first["m"]), float(first["beta"]), float(first["gamma"]))
    return 3 * mistakes(task, float(first["alpha"]))


def _falls(reading: str, betas: tuple[float, ...]) -> Iterator[Number]:
    """The worst split at each β against 2β."""
    for beta in betas:
        most = worst(reading, beta)
        region = f"{most.wrong} of k = {most.k} votes wrong on each point of a region"
        where = f"P(more than {most.allowed} of m = {most.m} queries are ⊥), α = {most.alpha:.4g}, {region}, β = {beta:g}"
        yield Number(where, most.chance, 2 * beta)


def _chain() -> Iterator[Number]:
    for reading, betas in LINKS.items():
        for low, high in pairwise(betas):
            where = f"P(more than T are misclassified | err(h_j) ≤ γ+α), {reading}, β from {low:g} to {high:g}: at most"
            yield Number(where, at_most(reading, high), low)


def _repaired() -> Iterator[Number]:
    """P(more than 3B′ are missed) from above, in the worst of many m and p, against the β that the learners leave."""
    corners = product((1e-10, 1e-4, 0.05, 0.2), ((0.01, 1e-6), (1, 1e-10), (100, 0.2), (100, 1e-10)))
    for beta, (eps, delta) in corners:
        largest = 0.0
        for m in (1, 2, 5, 30, 1000, 10**6):
            task = task_of(m, beta, eps=eps, delta=delta)
            for p in np.geomspace(1e-9, 1, 40):
                T = 3 * bernstein(task, p)
                largest = max(largest, float(binom.sf(int(T), m, min(1.0, per_error(task, T) * p))))
        yield Number(
            f"P(more than 3B′ are misclassified | err(h_j) ≤ p), β = {beta:g}, ε = {eps:g}, δ = {delta:g}", largest, beta
        )


BELOW_ONE = Condition("3B < 1", ("m", "beta", "gamma", "alpha"), lambda first: three_b(first) < 1)
ROUNDED = Condition("T = ⌈3B⌉", ("T", "m", "beta", "gamma", "alpha"), lambda first: first["T"] == ceil(three_b(first)))
RATE = rate_within(betas=2)
SLOWLY = "T grows with √ln(1/β) only, less than the tail of a binomial count asks for."


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
        decider=ComputedExponents(Form({"alpha": 0.0}, NoLogarithms()), _vanishing),
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
    Claim(
        "BTT18:T3.2-real",
        "BTT18 Theorem 3.2, T = 3B read as a real number",
        "With T = 3B, a number that may be below 1, the rate is at most T/m with probability at least 1 − 2β, β in (0, 1). "
        "(Where 3B < 1 no query may be misclassified. Split votes are ⊥ at the noise of T = 1 as often as at that of 3B.)",
        where=(*printed_cutoff("A_binClas", "BTT18"), BELOW_ONE),
        decider=ByLaw(
            (Limit("misclassified", three_b, unit=1),),
            may_fail=times(2, "beta"),
            numbers=partial(_falls, "real", (FAILS["real"], 0.05, 1e-3)),
        ),
        expected="refuted",
        nature="reading",
        of="BTT18:T3.2",
        quote=QUOTE,
        why="Fails from β = 0.055 down, and so at β = 0.05: with m = 1 and α = 0.0526 two halves of the votes are wrong on "
        "disjoint sets of mass α, so the one query is ⊥ with probability 2α = 0.1052 > 2β, and 3B = 0.9998 < 1.",
    ),
    Claim(
        "BTT18:T3.2-at-least-one",
        "BTT18 Theorem 3.2, T = 3B read as max(1, 3B)",
        "With T = max(1, 3B), the rate is at most T/m with probability at least 1 − 2β, β in (0, 1).",
        where=printed_cutoff("A_binClas", "BTT18"),
        decider=ByLaw(
            RATE.limits, may_fail=RATE.may_fail, numbers=partial(_falls, "at-least-one", (FAILS["at-least-one"], 1e-3, 1e-6))
        ),
        expected="refuted",
        nature="reading",
        of="BTT18:T3.2",
        quote=QUOTE,
        why="Not seen to fail at β = 0.05. Fails from β = 7.5·10⁻³ down, there with m = 5, α = 0.0198 and 3B just below 2: "
        f"votes that are split on mass 2.05α make two or more of the five ⊥. {SLOWLY}",
    ),
    Claim(
        "BTT18:T3.2-ceiling",
        "BTT18 Theorem 3.2, T = 3B read as ⌈3B⌉",
        "With T = ⌈3B⌉, the rate is at most T/m with probability at least 1 − 2β, β in (0, 1).",
        where=(*printed("A_binClas", "BTT18"), ROUNDED),
        decider=ByLaw(RATE.limits, may_fail=RATE.may_fail, numbers=partial(_falls, "ceiling", (FAILS["ceiling"], 1e-4, 1e-6))),
        expected="refuted",
        nature="reading",
        of="BTT18:T3.2",
        quote=QUOTE,
        why="Not seen to fail at β = 0.05. Fails from β = 3.4·10⁻⁴ down, there with m = 6, α = 0.00334 and T = 3B = 1: votes "
        f"that are split on mass 2.05α make two or more of the six ⊥. {SLOWLY}",
    ),
    Claim(
        "BTT18:T3.2-ordinary-beta",
        "BTT18 Theorem 3.2, for the β at which it is proved here",
        "As T3.2, with T = max(1, 3B) for β from 0.03 to 0.2, and with T = ⌈3B⌉ for β from 0.0015 to 0.2; "
        f"{RANGE}, every m, α and γ.",
        decider=Computed(_chain),
        nature="repair",
        of="BTT18:T3.2",
        proof=(
            "Where all err(h_j) ≤ p = γ+α, which is so but for β, a query is misclassified with chance at most rp, "
            "r = 2/(1 − (w+1)/k) ≤ 2.25 in this range, whatever came before it. So P(more than T) ≤ P(Bin(m, rp) > T). That is "
            "at most β: for m up to 300 and T up to 250 by the binomial law at the largest p, beyond by the union bound and "
            "Chernoff's. In steps of β, as it grows with β: what it is at the end of a step is at most the β of its beginning."
        ),
    ),
    Claim(
        "BTT18:T3.2-repaired",
        "BTT18 Theorem 3.2, repaired for every β",
        "With T = 3(pm + √(2pmL) + L/3), p = γ+α, L = ln(m/β), and the printed k at this T: with probability at least 1 − 2β "
        f"no early halt, at most T answers ⊥, and a misclassification rate of at most T/m. β ≤ 0.2, {RANGE}, every m, α, γ.",
        decider=Computed(_repaired),
        nature="repair",
        of="BTT18:T3.2",
        proof=(
            "Where all err(h_j) ≤ p, which is so but for β, the number misclassified is at most Bin(m, rp) in law, r ≤ 2.25, "
            "as for T3.2-ordinary-beta. By Bernstein that is at most rpm + √(2rpmL) + L/3 ≤ 3(pm + √(2pmL) + L/3) but for β/m."
        ),
    ),
)
