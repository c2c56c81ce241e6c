"""The n of the explicit fixed points against the printed forms: their powers, one axis at a time.

n = ks, where s is V/a^b times the learner's logarithm, a what Θ is trained to on a chunk and b = 1, or 2 where labels are
noisy; k is √T/ε times a logarithm; T is 3(γ+a)m times what deviation adds; and m is a power of 1/α times V and a logarithm.
What the learner's bounds have beside their powers may or may not be meant by an Õ: how much it moves over a sweep is the
tolerance.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import log, sqrt

import pandas as pd

from harness.arrays import Reals
from harness.claims.engine.computed import task_of
from harness.claims.engine.exponents import ComputedExponents, Form, Powers, Sweep
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import plan_for_alpha
from harness.theory.parameters import PacBound

BETA, DELTA = 1e-3, 1e-6
AXES: Mapping[str, tuple[float, ...]] = {
    "alpha": (1e-3, 1e-4, 1e-5, 1e-6),
    "V": (256, 1024, 4096, 16384),
    "eps": (0.1, 0.3, 1.0, 3.0),
}
START = {"alpha": 1e-3, "V": 256, "eps": 1.0, "m": 1.0}
MORE = {"m": (1.0, 10.0, 100.0, 1000.0)}
"""Times as many points as are asked for at least, where m stands in the form."""

DEVIATION: Mapping[str, Callable[[float, float, float], float]] = {
    "BTT18": lambda share, m, L: 1 + sqrt(L / (2 * share * m)),
    "BTT18a": lambda share, m, L: 1 + sqrt(L / (2 * m)) / share,
}
"""B over (γ+a)m, of γ+a, m and L = ln(m/β), by the paper."""


class ShownBesidePowers:
    """The logarithms beside the powers of n, as columns of a sweep: `certain`, and those of the learner's bound, `learner`."""

    def typical(self, points: pd.DataFrame) -> Reals:
        return (points["certain"] + points["learner"]).to_numpy(float)

    def surer(self, points: pd.DataFrame) -> Reals:
        return points["learner"].to_numpy(float)


def finite(V: int, agnostic: bool) -> PacBound:
    """The PAC bound of a class of 2^V hypotheses and VC dimension V."""
    return partial(pac.finite_agnostic if agnostic else pac.finite, size=2**V)


def learned_agnostically(V: int, alpha: float) -> int:
    """The least number m of labels on which an agnostic PAC learner of a class of 2^V hypotheses errs at most α."""
    return pac.least_s(finite(V, True), BETA, alpha)


def learned_consistently(V: int, alpha: float) -> int:
    """The least number m of labels on which a PAC learner of a class of 2^V hypotheses, without noise, errs at most α."""
    return pac.least_s(finite(V, False), BETA, alpha)


@dataclass(frozen=True)
class FixedPointN:
    """Sweeps of the explicit fixed point's n along α, V, ε and, where it is free, m, at δ = 10⁻⁶ and β = 10⁻³.

    points: m, of V and α, with `order` its power of V and of 1/α, or None where m stands in the form itself. chunk_error:
    what Θ is trained to on a chunk, of V and α; α unless given. gammas: each has its sweeps. over: what n is divided by, of
    m, α and γ.
    """

    points: Callable[[int, float], int] = learned_agnostically
    order: tuple[float, float] | None = (1, 2)
    constants: str = "BTT18"
    gammas: tuple[float, ...] = (0.0,)
    chunk_error: Callable[[int, float], float] | None = None
    over: Callable[[int, float, float], float] = lambda m, alpha, gamma: 1.0

    def __call__(self) -> Iterator[Sweep]:
        for gamma in self.gammas:
            for axis, values in (AXES if self.order else {**AXES, **MORE}).items():
                points = pd.DataFrame([self._point({**START, axis: value}, gamma) for value in values])
                yield f"n of the fixed point, γ = {gamma:g}", axis, points

    def _point(self, setting: Mapping[str, float], gamma: float) -> dict[str, float]:
        V, alpha, eps = int(setting["V"]), setting["alpha"], setting["eps"]
        m, chosen = int(self.points(V, alpha) * setting["m"]), constants()[self.constants]
        error = self.chunk_error(V, alpha) if self.chunk_error else alpha
        task = task_of(m, BETA, gamma, eps, DELTA, finite(V, gamma > 0))
        plan = plan_for_alpha(chosen, task, error)
        chunks = log(4 * m * plan.T / min(DELTA, BETA / 2))
        deviation = DEVIATION[self.constants](gamma + error, m, log(m / BETA))
        learner = plan.s * error ** (2 if gamma > 0 else 1) / V
        labels = m * alpha ** self.order[1] / V ** self.order[0] if self.order else 1.0
        n = plan.n / self.over(m, alpha, gamma)
        certain = log(chunks) + log(deviation) / 2
        return {
            **setting,
            **dict.fromkeys(("mean", "low", "high"), n),
            "certain": certain,
            "learner": log(learner) + log(labels) / 2,
        }


def needs(powers: Powers, needed: FixedPointN, **rivals: Powers) -> ComputedExponents:
    """The decider of whether a fixed point's n has these powers of 1/α, V and 1/ε, as printed, and not those of its rivals."""
    turned = {name: _of_the_axes(each) for name, each in rivals.items()}
    return ComputedExponents(Form(_of_the_axes(powers), ShownBesidePowers(), turned), needed)


def _of_the_axes(powers: Powers) -> Powers:
    """Powers of α and ε in place of 1/α and 1/ε."""
    return {axis: -power if axis in ("alpha", "eps") else power for axis, power in powers.items()}
