"""The printed forms of n against the explicit fixed point: does n/form grow by more than logarithms?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import log, log2

from harness.claims.engine.computed import Number, task_of
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import plan_for_alpha
from harness.theory.parameters import PacBound

BETA = 1e-3


def finite(V: int, agnostic: bool) -> PacBound:
    """The PAC bound of a class of 2^V hypotheses and VC dimension V."""
    return partial(pac.finite_agnostic if agnostic else pac.finite, size=2**V)


def learned_agnostically(V: int, alpha: float) -> int:
    """m: so many labels that an agnostic PAC learner of such a class errs by α."""
    return pac.least_s(finite(V, True), BETA, alpha)


def learned_consistently(V: int, alpha: float) -> int:
    """m: so many that a learner of consistent labels errs by α."""
    return pac.least_s(finite(V, False), BETA, alpha)


@dataclass(frozen=True)
class Growth:
    """n of the explicit fixed point at ε = 1 over a form, along α and along V.

    Along α the ratio may grow like (ln 1/α)³, and along V like (ln V)³, with one for V up to 2. form: n but for constants and
    logarithms, of V, m and α. points: m, of V and α. chunk_error: what the learner is trained to on a chunk, α unless given.
    """

    form: Callable[[int, int, float], float]
    points: Callable[[int, float], int] = learned_agnostically
    constants: str = "BTT18"
    gamma: float = 0.0
    alphas: tuple[float, ...] = (1e-2, 1e-4, 1e-6)
    dimensions: tuple[int, ...] = (4, 64, 1024)
    pac_bound: Callable[[int, bool], PacBound] = finite
    chunk_error: Callable[[int, float], float] | None = None

    def __call__(self) -> Iterator[Number]:
        (alpha, *smaller), (V, *larger) = self.alphas, self.dimensions
        start, fixed = self._ratio(V, alpha), f", V = {V}" if larger else ""
        for other in smaller:
            where = f"growth of n/form from α = {alpha:g} to {other:g}{fixed}, γ = {self.gamma:g}"
            yield Number(where, self._ratio(V, other) / start, (log(other) / log(alpha)) ** 3)
        for dimension in larger:
            where = f"growth of n/form from V = {V} to {dimension}, α = {alpha:g}, γ = {self.gamma:g}"
            yield Number(where, self._ratio(dimension, alpha) / start, (log2(dimension) / log2(V)) ** 3)

    def _ratio(self, V: int, alpha: float) -> float:
        m = self.points(V, alpha)
        task = task_of(m, BETA, self.gamma, pac_bound=self.pac_bound(V, self.gamma > 0))
        chunk_error = self.chunk_error(V, alpha) if self.chunk_error else alpha
        return plan_for_alpha(constants()[self.constants], task, chunk_error).n / self.form(V, m, alpha)
