"""BTT18 Theorem 3.2 by β, for each way to read T = 3B, and what holds in its place.

The β from which each reading fails is a lower end: of hypotheses that split their votes evenly on a region, the worst of m up
to 10⁴, α and ways to split (`split_votes`), at ε = 1 and δ = 10⁻⁶. At ε from 0.01 to 100 and δ from 10⁻¹⁰ to 0.2 it moves by
less than a tenth. The repairs are for all hypotheses there are.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from math import ceil

import numpy as np
import pandas as pd
from scipy.stats import binom

from harness.claims.btt18.split_votes import at_most, bernstein, per_error, worst
from harness.claims.btt18.t3_2 import QUOTE
from harness.claims.engine import (
    Claim,
    Computed,
    Condition,
    Limit,
    Number,
    Probability,
    Verdict,
    printed,
    printed_cutoff,
    rate_within,
    task_of,
    times,
)
from harness.theory.constants.btt18 import mistakes

FAILS = {"ceiling": 3.4e-4, "at-least-one": 7.5e-3, "real": 0.055}
"""By reading of T = 3B, the β from which on downwards the theorem is seen to fail."""

RANGE = "ε ≤ 100, δ ≤ 0.2"
LINKS = {"at-least-one": (0.03, 0.05, 0.2), "ceiling": (0.0015, 0.004, 0.05, 0.2)}
"""β from which to which the theorem is proved, in steps: at the end of each no more may fail than at its beginning."""


@dataclass(frozen=True)
class ByLaw(Probability):
    """The same, with laws beside the rows that are computed. numbers: theirs."""

    numbers: Callable[[], Iterable[Number]] = tuple

    def computed(self, claim: str) -> Iterator[Verdict]:
        yield from Computed(self.numbers).computed(claim)


def three_b(first: pd.Series) -> float:
    """3B as printed, of a cell."""
    task = task_of(int(first["m"]), float(first["beta"]), float(first["gamma"]))
    return 3 * mistakes(task, float(first["alpha"]))


def _falls(reading: str, betas: tuple[float, ...]) -> Iterator[Number]:
    """The worst split at each β against 2β."""
    for beta in betas:
        found = worst(reading, beta)
        region = f"{found.wrong} of k = {found.k} votes wrong on each point of a region"
        where = f"P(more than {found.allowed} of m = {found.m} queries are ⊥), α = {found.alpha:.4g}, {region}, β = {beta:g}"
        yield Number(where, found.chance, 2 * beta)


def _chain() -> Iterator[Number]:
    for reading, betas in LINKS.items():
        for low, high in pairwise(betas):
            where = f"P(more than T are misclassified | err(h_j) ≤ γ+α), {reading}, β from {low:g} to {high:g}: at most"
            yield Number(where, at_most(reading, high), low)


def _repaired() -> Iterator[Number]:
    """P(more than 3B′ are missed) from above, in the worst of many m and p, against the β that the learners leave."""
    corners = product((1e-10, 1e-4, 0.05, 0.2), ((0.01, 1e-6), (1, 1e-10), (100, 0.2), (100, 1e-10)))
    for beta, (eps, delta) in corners:
        found = 0.0
        for m in (1, 2, 5, 30, 1000, 10**6):
            task = task_of(m, beta, eps=eps, delta=delta)
            for p in np.geomspace(1e-9, 1, 40):
                T = 3 * bernstein(task, p)
                found = max(found, float(binom.sf(int(T), m, min(1.0, per_error(task, T) * p))))
        yield Number(
            f"P(more than 3B′ are misclassified | err(h_j) ≤ p), β = {beta:g}, ε = {eps:g}, δ = {delta:g}", found, beta
        )


BELOW_ONE = Condition("3B < 1", ("m", "beta", "gamma", "alpha"), lambda first: three_b(first) < 1)
ROUNDED = Condition("T = ⌈3B⌉", ("T", "m", "beta", "gamma", "alpha"), lambda first: first["T"] == ceil(three_b(first)))
RATE = rate_within(betas=2)
SLOWLY = "T grows with √ln(1/β) only, less than the tail of a binomial count asks for."

CLAIMS = (
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
