"""BTT18 Theorem 3.5, the explicit rate in the agnostic case.

Part (i) cannot hold where m is far below 1/γ: a rate below 1/m is 0, and not even the best hypothesis keeps to that. The repair
has the 1/m that T ≥ 1 costs.

The other term shows only where it is not hidden: not in the fixed point, so α ≥ γ there, and not in what is measured, so the
rate is taken above γ. No learner that minimises the risk errs more above γ than √(γV/s) + V/s up to logarithms (relative
deviations), so it must be an instance on which it errs that much at every s; then the error above γ is α but for √γ.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import log

import numpy as np
import pandas as pd
import scipy

from harness.arrays import Reals
from harness.claims.btt18.rates import T3_5_I, T3_5_II, OnLadder
from harness.claims.engine import (
    Claim,
    Computed,
    ComputedExponents,
    Condition,
    Exponents,
    Form,
    Number,
    Sweep,
    among,
    decided_by_mean,
    promising,
    task_of,
)
from harness.concepts.ladder import Ladder
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import CutoffPlan, plan_for_n
from harness.theory.logarithms import Regime, column


def solved(m: int, n: int, gamma: float, beta: float = 0.05) -> CutoffPlan:
    """The least fixed point at the printed constants, for thresholds."""
    return plan_for_n(constants()["BTT18"], task_of(m, beta, gamma, pac_bound=pac.thresholds_agnostic), n)


def most_at_one(n: int, gamma: float) -> int:
    """M: the most queries for which T = 1."""
    high = 1
    while solved(high, n, gamma).T == 1:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if solved(middle, n, gamma).T == 1 else (low, middle)
    return low


def small_m() -> Iterator[Number]:
    """The chance that the best hypothesis errs at a higher rate than part (i) allows."""
    n, beta = 10**20, 1e-3
    for m, gamma in ((1, 0.01), (10, 1e-3), (50, 1e-3)):
        # With T near 1 V/(εn) is, up to logarithms, α² of the learner there.
        allowed = 10 * gamma + solved(m, n, gamma, beta).alpha * log(n) ** 2
        where = f"P(the best hypothesis errs at a higher rate) at n = 10²⁰, m = {m}, γ = {gamma:g}, β = {beta:g}"
        yield Number(where, float(scipy.stats.binom.sf(int(allowed * m), m, gamma)), beta)


class MostAtOne:
    """The logarithms beside the powers of M, the most queries for which T = 1: x/α, or x/γ.

    x is the root of 3(x + √(xL/2)) = 1, L = ln(M/β), and α that of k = k(1) chunks.
    """

    def typical(self, at: pd.DataFrame) -> Reals:
        half = np.log(column(at, "m") / column(at, "beta")) / 2
        root = (np.sqrt(half + 4 / 3) - np.sqrt(half)) / 2
        chunks, learner, _ = LEARNT.logarithms(at)
        decides = column(at, "alpha") > column(at, "gamma")
        return np.asarray(2 * np.log(root) - np.where(decides, np.log(chunks) / 2 + np.log(learner), 0.0))

    def surer(self, at: pd.DataFrame) -> Reals:
        _, learner, _ = LEARNT.logarithms(at)
        return np.asarray(np.where(column(at, "alpha") > column(at, "gamma"), np.log(learner), 0.0))


LEARNT = Regime(0.5, "one")


def _most() -> Iterator[Sweep]:
    """M along n where γ is negligible, and along γ where n is without end."""

    def point(n: int, gamma: float) -> dict[str, float]:
        most = most_at_one(n, gamma)
        plan = solved(most, n, gamma)
        numbers = {"k": plan.k, "s": plan.s, "alpha": plan.alpha, "T": plan.T}
        low, high = max(1, most - 1), most + 1  # M is a whole number
        return {"n": n, "gamma": gamma, "m": most, "mean": most, "low": low, "high": high, **numbers}

    for axis, points in (
        ("n", [point(10**e, 1e-15) for e in (18, 20, 22, 24)]),
        ("gamma", [point(10**26, 10.0**-e) for e in (4, 5, 6, 7)]),
    ):
        yield "M, computed", axis, pd.DataFrame(points).assign(V=1, eps=1.0, delta=1e-6, beta=0.05)


def _gamma_decides() -> Iterator[Number]:
    for gamma in (1e-3, 1e-2):
        T = solved(10**6, 10**16, gamma).T or 0.0
        yield Number(f"T/m at n = 10¹⁶, m = 10⁶, γ = {gamma:g}", T / 10**6, 3 * (1 + 0.5**0.5) * gamma)


FEW = OnLadder(
    Ladder(first=1e6, last=1e15),
    {
        "n": (1e15, 5e15, 2e16, 1e17),
        "m": (1, 5, 20, 100),
        "V": (128, 256, 512, 1024),
        "eps": (0.3, 1.0, 3.0, 10.0),
    },
    {"n": 1e16, "m": 10, "V": 256, "eps": 1},
    gamma=1e-5,
)

VISIBLE = (
    *promising("A_binClas", noisy=True),
    among("distribution", "ladder"),
    decided_by_mean(),
    Condition("alpha ≥ gamma", ("alpha", "gamma"), lambda first: bool(first["alpha"] >= first["gamma"])),
)
"""Where neither γ nor the deviation hides what is printed: an instance that shows it, and a term that is the largest."""

CLAIMS = (
    Claim(
        "BTT18:T3.5",
        "BTT18 Theorem 3.5 (i)",
        "Agnostic: for any β in (0, 1) there is M = Ω̃(min{1/γ, √(εn/V)}) such that with probability at least 1 − β the "
        "misclassification rate is O(γ) + Õ(√(V/(εn))) for up to M queries. (10γ is allowed for the "
        "O(γ), and a growth by (ln n)² for the Õ.)",
        decider=Computed(small_m),
        expected="refuted",
        why=(
            "Where m is far below 1/γ, one flipped label already makes the rate 1/m, which is above the bound. Its chance is "
            "about γm, more than a small β, and the best hypothesis of the class has it too."
        ),
    ),
    Claim(
        "BTT18:T3.5-repaired",
        "BTT18 Theorem 3.5, repaired",
        "Agnostic: the misclassification rate is O(γ) + Õ(1/m + √(V/(εn))) for m ≤ M = Ω̃(min{1/γ, √(εn/V)}) and "
        "O(γ) + Õ(m^(1/3) (V/(εn))^(2/3)) beyond. Decided beyond, where α ≥ γ, on an instance on which the error above γ is "
        "√(γV/s) at every s: the rate above γ grows with n, m, V and ε no faster than printed.",
        where=VISIBLE,
        decider=Exponents(replace(T3_5_II, upper=True)),
        nature="repair",
        of="BTT18:T3.5",
    ),
    Claim(
        "BTT18:T3.5-exponents",
        "BTT18 Theorem 3.5 (ii), its powers",
        "Agnostic, m beyond M, α ≥ γ: on an instance on which the error above γ is √(γV/s) at every s, the misclassification "
        "rate above γ goes as m^(1/3) (V/(εn))^(2/3), in each of n, m, V and ε, but for the logarithms of the fixed point.",
        where=VISIBLE,
        decider=Exponents(T3_5_II),
    ),
    Claim(
        "BTT18:T3.5-exponents-few",
        "BTT18 Theorem 3.5 (i), its powers",
        "Agnostic, m up to M, α ≥ γ: on such an instance the expected misclassification rate above γ goes as √(V/(εn)), "
        "whatever m is, but for the logarithms of the fixed point.",
        decider=ComputedExponents(T3_5_I, FEW),
    ),
    Claim(
        "BTT18:T3.5-M",
        "BTT18 Theorem 3.5, M",
        "At the least fixed point T = 1 up to an M that goes as √n where γ is negligible, and as 1/γ where n is large, but for "
        "the logarithms of the fixed point.",
        decider=ComputedExponents(Form({"n": 1 / 2, "gamma": -1.0}, MostAtOne()), _most),
    ),
    Claim(
        "BTT18:T3.5-gamma",
        "BTT18 Theorem 3.5 (ii), where γ decides",
        "Where n is so large that α is negligible beside γ, T/m ≤ 3(1 + 1/√2)γ.",
        decider=Computed(_gamma_decides),
    ),
)
