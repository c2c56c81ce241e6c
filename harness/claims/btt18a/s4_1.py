"""BTT18a §1.1 and §4.1: the rates as printed there, from (n/V)^(4/3) queries on, or (n/V)^(4/5) with noisy labels.

Fewer queries than 1/α² have an additive deviation in T that is larger than αm, and the rate is 1/√m. Where m is just so many,
the rate is said to be (V/n)^(2/3), or (V/n)^(2/5): what answering as many as possible costs over the learner's own V/n, or
√(V/n).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import log, sqrt

import pandas as pd

from harness.claims.engine import Claim, ComputedExponents, Form, Quote, ShownBesidePowers, Sweep, task_of
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import plan_for_n

BETA, DELTA, TINY = 1e-3, 1e-6, 1e-15
N, DIMENSIONS, TIMES = (1e22, 1e24, 1e26, 1e28), (256, 1024, 4096, 16384), (1.0, 10.0, 100.0, 1000.0)


@dataclass(frozen=True)
class CutoffShare:
    """Sweeps of the fixed point's T/m along n, V and `times`, at m = times·(n/V)^power. learner: a of its error (V/s)^a."""

    power: float
    learner: float

    def __call__(self) -> Iterator[Sweep]:
        base = {"n": 1e24, "V": 256, "times": 10.0}
        for axis, values in (("n", N), ("V", DIMENSIONS), ("times", TIMES)):
            yield "T/m of the fixed point", axis, pd.DataFrame([self._point({**base, axis: value}) for value in values])

    def _point(self, setting: dict[str, float]) -> dict[str, float]:
        n, V = int(setting["n"]), int(setting["V"])
        m, noisy = int(setting["times"] * (n / V) ** self.power), self.learner < 1
        bound = partial(pac.finite_agnostic if noisy else pac.finite, size=2**V)
        plan = plan_for_n(constants()["BTT18a"], task_of(m, BETA, TINY if noisy else 0.0, 1.0, DELTA, bound), n)
        chunks, learner = log(4 * m * plan.T / min(DELTA, BETA / 2)), plan.alpha * (plan.s / V) ** self.learner
        deviation = 1 + sqrt(log(m / BETA) / (2 * m)) / plan.alpha
        a, rate = self.learner, plan.T / m
        certain = (2 * a * log(chunks) + a * log(deviation)) / (2 - a) + log(deviation)
        return {
            **setting,
            **dict.fromkeys(("mean", "low", "high"), rate),
            "certain": certain,
            "learner": 2 / (2 - a) * log(learner),
        }


CLAIMS = (
    Claim(
        "BTT18a:S4.1-realizable",
        "BTT18a §1.1 and §4.1, the rate from (n/V)^(4/3) queries on",
        "Realizable: the fixed point's T/m is Õ(mV²/n²) for m ≥ (n/V)^(4/3), and so (V/n)^(2/3) at that m: along n, V and m it "
        "has these powers.",
        decider=ComputedExponents(Form({"n": -2 / 3, "V": 2 / 3, "times": 1.0}, ShownBesidePowers()), CutoffShare(4 / 3, 1.0)),
        quote=Quote(
            "BTT18a §4.1 (before Theorem 4.3)",
            "Hence, Corollary 4.1 implies that our algorithm yields a misclassification rate of ≈ Õ(mV²/n²) (where m = "
            "Ω̃(1/α²) = Ω̃((n/V)^{4/3})).",
        ),
    ),
    Claim(
        "BTT18a:S4.1-agnostic",
        "BTT18a §1.1 and §4.1, the rate from (n/V)^(4/5) queries on",
        "Agnostic, γ negligible: the fixed point's T/m is Õ(m^(1/3) V^(2/3)/n^(2/3)) for m ≥ (n/V)^(4/5), and so (V/n)^(2/5) "
        "at that m: along n, V and m it has these powers.",
        decider=ComputedExponents(
            Form({"n": -2 / 5, "V": 2 / 5, "times": 1 / 3}, ShownBesidePowers()), CutoffShare(4 / 5, 0.5)
        ),
        quote=Quote(
            "BTT18a §4.1 (before Theorem 4.3)",
            "Therefore, Corollary 4.1 implies that our algorithm yields a misclassification rate of ≈ γ + "
            "Õ(m^{1/3}V^{2/3}/n^{2/3}) (where m = Ω̃(1/α²) = Ω̃((n/V)^{4/5})).",
        ),
    ),
)
