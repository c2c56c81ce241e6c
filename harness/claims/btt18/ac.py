"""The rates of BTT18 as printed: their powers of n, m, V and ε, the logarithms beside them, and the instances they show on.

Its claims are about advanced composition, the baseline of §1.1 and §3, and how many more queries are answered at the same
error.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import pandas as pd

from harness.claims.btt18.single_query import misclassified
from harness.claims.engine import (
    Capacity,
    Claim,
    Exponents,
    Form,
    Quote,
    Sweep,
    among,
    decided_by_mean,
    fixed_instance,
    hard_at_every_size,
    promised,
    promising,
    task_of,
)
from harness.claims.engine.logarithms import Regime
from harness.concepts.halfspaces import Halfspaces
from harness.concepts.ladder import Ladder, wrong_shares
from harness.theory.constants import constants
from harness.theory.fixed_point import CutoffPlan, plan_for_n

FEW = {"n": -1.0, "m": 0.0, "V": 1.0, "eps": -1.0}
"""Theorem 3.4 (i): V/(εn)."""
MANY = {"n": -2.0, "m": 1.0, "V": 2.0, "eps": -2.0}
"""Theorem 3.4 (ii): mV²/(ε²n²)."""
COMPOSED = {"n": -1.0, "m": 0.5, "V": 1.0, "eps": -1.0}
"""Advanced composition: √m·V/(εn)."""
NOISY_FEW = {"n": -1 / 2, "m": 0.0, "V": 1 / 2, "eps": -1 / 2}
"""Theorem 3.5 (i): √(V/(εn))."""
NOISY_MANY = {"n": -2 / 3, "m": 1 / 3, "V": 2 / 3, "eps": -2 / 3}
"""Theorem 3.5 (ii): m^(1/3) (V/(εn))^(2/3)."""

CLEAN = {"Theorem 3.4 (i)": FEW, "Theorem 3.4 (ii)": MANY, "advanced composition": COMPOSED}
NOISY = {"Theorem 3.5 (i)": NOISY_FEW, "Theorem 3.5 (ii)": NOISY_MANY, "advanced composition": COMPOSED}

T3_4_I = Form(FEW, Regime(1, "one"), CLEAN)
T3_4_II = Form(MANY, Regime(1, "T"), CLEAN)
AC = Form(COMPOSED, Regime(1, "m"), CLEAN)
T3_5_I = Form(NOISY_FEW, Regime(0.5, "one"), NOISY)
T3_5_II = Form(NOISY_MANY, Regime(0.5, "T"), NOISY)

BETA = 0.05


def ladder_plan(n: int, m: int, V: int, eps: float, gamma: float) -> CutoffPlan:
    """The plan of A_binClas on n examples and m queries at the printed constants, for halfspaces of dimension V."""
    bound = Halfspaces(d=V).pac_bound("svm", gamma)
    return plan_for_n(constants()["BTT18"], task_of(m, BETA, gamma, eps, pac_bound=bound), n)


def ladder_rate(ladder: Ladder, V: int, gamma: float, plan: CutoffPlan) -> float:
    """The expected misclassification rate above γ on a `Ladder`, with the k, s and noise of a plan, as long as ⊥s are few."""
    masses, noise = ladder.sizes(V, gamma)
    shares = wrong_shares(tuple(masses.tolist()), tuple(noise.tolist()), plan.s)
    return float(masses @ (misclassified(shares, noise, plan) - noise))


@dataclass(frozen=True)
class OnLadder:
    """Sweeps of the computed misclassification rate above γ on a `Ladder`: along each axis its points, the others at `base`.

    The ladder has steps: between two of them the rate is known of the ladder that has no steps but for their ratio.
    """

    ladder: Ladder
    points: Mapping[str, tuple[float, ...]]
    base: Mapping[str, float]
    gamma: float = 0.0

    def __call__(self) -> Iterator[Sweep]:
        for axis, values in self.points.items():
            points = pd.DataFrame([self._point({**self.base, axis: value}) for value in values])
            noise = f", γ = {self.gamma:g}" if self.gamma else ""
            yield f"ladder, computed{noise}", axis, points.assign(delta=1e-6, beta=BETA, gamma=self.gamma)

    def _point(self, setting: Mapping[str, float]) -> dict[str, float]:
        n, m, V = (round(setting[name]) for name in ("n", "m", "V"))
        plan = ladder_plan(n, m, V, setting["eps"], self.gamma)
        rate, step = ladder_rate(self.ladder, V, self.gamma, plan), (self.ladder.last / self.ladder.first) ** (0.5 / (V - 1))
        numbers = {"k": plan.k, "s": plan.s, "alpha": plan.alpha, "T": plan.T}
        return {**setting, **numbers, "mean": rate, "low": rate / step, "high": rate * step}


OURS, BASELINE = "A_binClas", "noisy_majority"

RATE = Quote(
    "BTT18 §1.1, p. 3",
    "A straightforward application of the advanced composition theorem of differential privacy would have led to a "
    "misclassification rate ≈ √m V/n, which can be significantly larger than our rate.",
)


CLAIMS = (
    Claim(
        "BTT18:AC",
        "BTT18 §1.1 and §3, DR14 Corollary 3.21",
        "A straightforward application of advanced composition has misclassification rate Õ(√m·V/(εn)): at the "
        "k = (6/ε₀) ln(m/(2β)) that it needs, on any instance that stays as it is, the rate grows with n, m, V and ε "
        "no faster.",
        where=(*promising(BASELINE), fixed_instance(), decided_by_mean()),
        decider=Exponents(replace(AC, upper=True)),
        quote=RATE,
    ),
    Claim(
        "BTT18:AC-exponents",
        "BTT18 §1.1 and §3, DR14 Corollary 3.21, the powers",
        "On instances that are hard at every s, the misclassification rate of advanced composition goes as √m·V/(εn), in each "
        "of n, m, V and ε, but for the logarithm of its k.",
        where=(*promising(BASELINE), fixed_instance(), hard_at_every_size(), decided_by_mean()),
        decider=Exponents(AC),
        nature="reading",
        of="BTT18:AC",
        quote=RATE,
    ),
    Claim(
        "BTT18:AC-queries",
        "BTT18 §1.1",
        "In some cases A_binClas answers 1/α times as many queries as advanced composition at the same n, ε, δ and error α: "
        "as α falls the factor grows as 1/α but for the logarithms of both fixed points, where an instance is hard at every s. "
        "(Constants keep the factor itself far below 1/α.)",
        where=(
            among("mechanism", OURS, BASELINE),
            among("constants", "BTT18", "tight"),
            promised(),
            fixed_instance(),
            hard_at_every_size(),
            decided_by_mean(),
        ),
        decider=Capacity(OURS, BASELINE),
        quote=Quote(
            "BTT18, abstract, p. 1",
            "In particular, if the underlying non-private learner yields a classification error of at most α ∈ (0, 1), then "
            "our construction answers more queries, by at least a factor of 1/α in some cases, than what is implied by a "
            "straightforward application of the advanced composition theorem for differential privacy.",
        ),
    ),
)
