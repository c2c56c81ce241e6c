"""BTT18 Theorem 3.5, the explicit rate in the agnostic case.

It says 'for any β there exists M', and for a fixed β it is true. The slip is a step of its proof, from T = O(1) to a rate of
Õ(√(V/(εn))), where T/m is O(1/m): so part (i) does not hold uniformly in β where m is far below M. One flipped label is a rate
of 1/m, of the best hypothesis too. The repair has that 1/m.

The other term shows only where it is not hidden: not in the fixed point, so α ≥ γ there, and not in what is measured, so the
rate is taken above γ. No learner that minimises the risk errs more above γ than √(γV/s) + V/s up to logarithms (relative
deviations), so it must be an instance on which it errs that much at every s; then the error above γ is α but for √γ.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from harness.arrays import Reals
from harness.claims.btt18.ac import T3_5_I, T3_5_II, OnLadder
from harness.claims.btt18.t3_2 import PROOF, kept
from harness.claims.engine import (
    Claim,
    Computed,
    ComputedExponents,
    Condition,
    Exponents,
    Form,
    NoLogarithms,
    Number,
    Quote,
    Sweep,
    among,
    decided_by_mean,
    promising,
    task_of,
)
from harness.claims.engine.logarithms import Regime, column
from harness.concepts.ladder import Ladder
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import CutoffPlan, plan_for_n

QUOTE = Quote(
    "BTT18 §3, p. 6 (Theorem 3.5)",
    "For any β ∈ (0, 1), there exists M = Ω̃(min{1/γ, √(εn/V)}), and a setting for T = O(m̄γ) + "
    "Õ(m̄^{4/3}V^{2/3}/ε^{2/3}n^{2/3}), where m̄ ≜ max{M, m}, such that w.p. ≥ 1 − β, AbinClas yields the following "
    "misclassification rate: (i) O(γ) + Õ(√(V/εn)) for up to M queries, and (ii) O(γ) + Õ(m^{1/3}V^{2/3}/ε^{2/3}n^{2/3}) for "
    "m > M queries.",
)
STEP = Quote(
    "BTT18 §3, p. 7 (Theorem 3.5, proof)",
    "For up to m = Ω̃(min{1/γ, √(εn/V)}) queries, the setting of T becomes T = O(1), and hence Theorem 3.2 implies AbinClas "
    "yields a misclassification rate O(γ) + Õ(√(V/εn)), which is essentially the same as the optimal non-private rate.",
)


def solved(m: int, n: int, gamma: float, beta: float = 0.05) -> CutoffPlan:
    """The plan at the least fixed point for thresholds with noise γ, on n examples and m queries, at the printed constants."""
    return plan_for_n(constants()["BTT18"], task_of(m, beta, gamma, pac_bound=pac.thresholds_agnostic), n)


def most_at_one(n: int, gamma: float) -> int:
    """M: the most queries for which the plan on n examples has T = 1."""
    high = 1
    while solved(high, n, gamma).T == 1:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if solved(middle, n, gamma).T == 1 else (low, middle)
    return low


def _one_query() -> Iterator[Sweep]:
    """P(the best hypothesis errs on the one query) over β, along m = 1, γ = 1/n and β = n⁻²: a rate of 1, where O(γ) falls as
    1/n and √(V/(εn)) as its root.
    """
    ratios = [{"n": n, "mean": float(n), "low": float(n), "high": float(n)} for n in (10**12, 10**14, 10**16, 10**18)]
    yield "P(a rate above O(γ) + Õ(√(V/(εn))))/β, computed, m = 1, γ = 1/n, β = n⁻²", "n", pd.DataFrame(ratios)


def _repaired() -> Iterator[Number]:
    for n, gamma in ((10**14, 1e-14), (10**18, 1e-3), (10**18, 0.1)):
        yield from kept(n, (1, 10, 1000), gamma, pac.thresholds_agnostic)


class MostAtOne:
    """The logarithms beside the powers of M, the most queries for which T = 1: M is of order x/α, or x/γ where γ ≥ α.

    x is the root of 3(x + √(xL/2)) = 1, L = ln(M/β), and α that of k = k(1) chunks.
    """

    def typical(self, points: pd.DataFrame) -> Reals:
        half = np.log(column(points, "m") / column(points, "beta")) / 2
        root = (np.sqrt(half + 4 / 3) - np.sqrt(half)) / 2
        chunks, learner, _ = LEARNT.logarithms(points)
        decides = column(points, "alpha") > column(points, "gamma")
        return np.asarray(2 * np.log(root) - np.where(decides, np.log(chunks) / 2 + np.log(learner), 0.0))

    def surer(self, points: pd.DataFrame) -> Reals:
        _, learner, _ = LEARNT.logarithms(points)
        return np.asarray(np.where(column(points, "alpha") > column(points, "gamma"), np.log(learner), 0.0))


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
        "BTT18 Theorem 3.5",
        "Agnostic: for any β in (0, 1) there is M = Ω̃(min{1/γ, √(εn/V)}) such that with probability at least 1 − β the "
        "misclassification rate is (i) O(γ) + Õ(√(V/(εn))) for up to M queries and (ii) O(γ) + Õ(m^(1/3) (V/(εn))^(2/3)) "
        "beyond. Decided beyond, at β = 0.05, where α ≥ γ, on an instance on which the error above γ is √(γV/s) at every s: "
        "the rate above γ grows with n, m, V and ε no faster than printed.",
        where=VISIBLE,
        decider=Exponents(replace(T3_5_II, upper=True)),
        quote=QUOTE,
    ),
    Claim(
        "BTT18:T3.5-step",
        "BTT18 Theorem 3.5, proof: T = O(1), hence a rate of O(γ) + Õ(√(V/(εn)))",
        "For every m up to Ω̃(min{1/γ, √(εn/V)}) T = O(1), and hence the misclassification rate is O(γ) + Õ(√(V/(εn))) but for "
        "β, uniformly in β, of which the Õ has logarithms: P(a rate above it)/β is bounded.",
        decider=ComputedExponents(Form({"n": 0.0}, NoLogarithms()), _one_query),
        expected="refuted",
        nature="step",
        of="BTT18:T3.5",
        quote=STEP,
        why=(
            "T = O(1) gives T/m = O(1/m), and one flipped label is 1/m. Along m = 1, γ = 1/n, β = n⁻² the one label is flipped "
            "with a chance of γ = nβ, and then the rate is 1, of the best hypothesis too. The theorem stands: its constants "
            "may depend on β."
        ),
    ),
    Claim(
        "BTT18:T3.5-repaired",
        "BTT18 Theorem 3.5, repaired to be uniform in β",
        "Agnostic: with T as in T3.2-repaired the misclassification rate is at most 6(γ+α) + 2.5 ln(m/β)/m with probability at "
        "least 1 − 2β, α = Õ(√(kV/n)): O(γ) + Õ(1/m + √(V/(εn))) for m up to M, whatever β is. Decided for m from 1 to 1000, "
        "γ from 10⁻¹⁴ to 0.1, β from n⁻² to 0.05, ε = 1, δ = 10⁻⁶.",
        decider=Computed(_repaired),
        nature="repair",
        of="BTT18:T3.5-step",
        proof=PROOF,
    ),
    Claim(
        "BTT18:T3.5-exponents",
        "BTT18 Theorem 3.5 (ii), its powers",
        "Agnostic, m beyond M, α ≥ γ: on an instance on which the error above γ is √(γV/s) at every s, the misclassification "
        "rate above γ goes as m^(1/3) (V/(εn))^(2/3), in each of n, m, V and ε, but for the logarithms of the fixed point.",
        where=VISIBLE,
        decider=Exponents(T3_5_II),
        of="BTT18:T3.5",
        quote=QUOTE,
    ),
    Claim(
        "BTT18:T3.5-exponents-few",
        "BTT18 Theorem 3.5 (i), its powers",
        "Agnostic, m up to M, α ≥ γ: on such an instance the expected misclassification rate above γ goes as √(V/(εn)), "
        "whatever m is, but for the logarithms of the fixed point.",
        decider=ComputedExponents(T3_5_I, FEW),
        of="BTT18:T3.5",
        quote=QUOTE,
    ),
    Claim(
        "BTT18:T3.5-M",
        "BTT18 Theorem 3.5, M",
        "At the least fixed point T = 1 up to an M that goes as √n where γ is negligible, and as 1/γ where n is large, but for "
        "the logarithms of the fixed point.",
        decider=ComputedExponents(Form({"n": 1 / 2, "gamma": -1.0}, MostAtOne()), _most),
        of="BTT18:T3.5",
        quote=QUOTE,
    ),
    Claim(
        "BTT18:T3.5-gamma",
        "BTT18 Theorem 3.5 (ii), where γ decides",
        "Where n is so large that α is negligible beside γ, T/m ≤ 3(1 + 1/√2)γ.",
        decider=Computed(_gamma_decides),
        of="BTT18:T3.5",
        quote=QUOTE,
    ),
)
