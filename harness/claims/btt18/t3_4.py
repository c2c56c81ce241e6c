"""BTT18 Theorem 3.4, the explicit rate in the realizable case: Õ(V/(εn)) for m ≤ M, and Õ(mV²/(ε²n²)) beyond.

Part (i) cannot hold at every β where m is far below M. A misclassification rate is a multiple of 1/m, so below 1/m it says that
no query at all is answered wrong; and that some query is has a probability of its own, which no power of ln(1/β) makes smaller.
So the statement is true where β is at least that probability, and false below, as far down as the bound with its logarithms
stays under 1/m. The counterexample is thresholds on uniform points with the leftmost consistent one for a learner: the law of
its votes is closed, and so is that of one answer.

The powers of n, m, V and ε are decided one by one, on instances that do not move with them: of part (ii) as measured, and of
part (i), where no run of ordinary length shows an error, as computed.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import log

import numpy as np

from harness.claims.btt18.rates import T3_4_I, T3_4_II, OnLadder
from harness.claims.engine import (
    Claim,
    Computed,
    ComputedExponents,
    Exponents,
    Number,
    decided_by_mean,
    fixed_instance,
    hard_at_every_size,
    promising,
    task_of,
)
from harness.concepts.ladder import Ladder
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import CutoffPlan, plan_for_n
from harness.theory.single_query import misclassified

WIDEST, STEPS = 4.0, 500  # of the offsets of queries, in units of 1/s: beyond, fewer than e^−4 of the votes are wrong


def uniform_plan(n: int, m: int, beta: float) -> CutoffPlan:
    """The plan for thresholds at ε = 1."""
    return plan_for_n(constants()["BTT18"], task_of(m, beta, pac_bound=pac.thresholds_extremal), n)


@cache
def some_error(n: int, m: int, beta: float) -> tuple[float, float]:
    """Bounds on P(some of m uniform queries is misclassified), the threshold being fresh at each: it is below the first ⊥.

    An offset a = u/s above the target is labelled wrong by a chunk with probability (1 − a)^s. The probability is at most m
    times that of one query, and at least as much less that of two: both err with probability at most √(e₁e₂), e each one's
    chance.
    """
    plan = uniform_plan(n, m, beta)
    u = (np.arange(STEPS) + 0.5) * WIDEST / STEPS
    err = misclassified(np.exp(plan.s * np.log1p(-u / plan.s)), np.zeros_like(u), plan)
    one, root = float(err.mean()) * WIDEST / plan.s, float(np.sqrt(err).mean()) * WIDEST / plan.s
    return m * one - (m * root) ** 2 / 2, m * one


def _few_queries(betas: tuple[float, ...]) -> Iterator[Number]:
    """Where the rate that is allowed is below 1/m: P(some query is misclassified), from below, against β."""
    n = 10**12
    for m in (100, 1000):
        for beta in betas:
            plan = uniform_plan(n, m, beta)
            # With T = 1 V/(εn) is, up to logarithms, the learner's α; (ln n)² more is allowed for the Õ.
            allowed = plan.alpha * log(n) ** 2
            assert plan.T == 1 and allowed < 1 / m
            where = f"P(a rate of 1/m or more) at n = 10¹², m = {m}, where {allowed:.2g} < 1/m is allowed"
            yield Number(f"{where}, β = {beta:g}", some_error(n, m, beta)[beta >= 1e-3], beta)


LADDER = OnLadder(
    Ladder(first=300, last=1e8),
    {
        "n": (1e11, 5e11, 2e12, 1e13),
        "m": (1, 5, 20, 100),
        "V": (128, 256, 512, 1024),
        "eps": (0.1, 0.5, 2.0, 10.0),
    },
    {"n": 1e12, "m": 10, "V": 256, "eps": 1},
)

CLAIMS = (
    Claim(
        "BTT18:T3.4",
        "BTT18 Theorem 3.4 (i), and Informal Theorem 1.1",
        "Realizable: for any β in (0, 1) there is M = Ω̃(εn/V) such that for every m ≤ M the misclassification rate is "
        "Õ(V/(εn)) with probability at least 1 − β. (A growth by (ln n)² is allowed for the Õ.)",
        decider=Computed(lambda: _few_queries((1e-6, 1e-8, 1e-10))),
        expected="refuted",
        why=(
            "A rate is a multiple of 1/m, so where m is far below M the bound says that no query at all is answered wrongly. "
            "Some query is, with a chance of about mV/(εn), and no power of ln(1/β) makes that smaller than a small β."
        ),
    ),
    Claim(
        "BTT18:T3.4-ordinary-beta",
        "BTT18 Theorem 3.4 (i), at ordinary β",
        "At the same n and m, and β ≥ 10⁻³, no query at all is misclassified with probability at least 1 − β.",
        decider=Computed(lambda: _few_queries((0.05, 1e-3))),
        nature="repair",
        of="BTT18:T3.4",
    ),
    Claim(
        "BTT18:T3.4-repaired",
        "BTT18 Theorem 3.4, repaired",
        "Realizable: the misclassification rate is Õ(1/m + V/(εn)) for m ≤ M = Ω̃(εn/V) and Õ(mV²/(ε²n²)) beyond. Decided "
        "beyond: on any instance that stays as it is, the rate grows with n, m, V and ε no faster than printed.",
        where=(*promising("A_binClas"), fixed_instance(), decided_by_mean()),
        decider=Exponents(replace(T3_4_II, upper=True)),
        nature="repair",
        of="BTT18:T3.4",
    ),
    Claim(
        "BTT18:T3.4-exponents",
        "BTT18 Theorem 3.4 (ii) and Informal Theorem 1.1, the powers",
        "Realizable, m beyond M: on instances that are hard at every s, the misclassification rate goes as mV²/(ε²n²), in each "
        "of n, m, V and ε, but for the logarithms of the fixed point.",
        where=(*promising("A_binClas"), fixed_instance(), hard_at_every_size(), decided_by_mean()),
        decider=Exponents(T3_4_II),
    ),
    Claim(
        "BTT18:T3.4-exponents-few",
        "BTT18 Theorem 3.4 (i), its powers",
        "Realizable, m up to M: on an instance that is hard at every s, the expected misclassification rate goes as V/(εn), "
        "whatever m is, but for the logarithms of the fixed point.",
        decider=ComputedExponents(T3_4_I, LADDER),
    ),
)
