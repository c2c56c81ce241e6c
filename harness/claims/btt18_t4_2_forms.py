"""The forms of n in BTT18 §4 against the explicit fixed point: does n/form grow by more than logarithms?"""

from abc import abstractmethod
from collections.abc import Iterable
from functools import partial
from math import log, log2, sqrt
from typing import ClassVar

from harness.claims.claim import ComputedClaim, Number, Outcome
from harness.claims.given import task_of
from harness.theory import pac
from harness.theory.fixed_point import plan_for_alpha
from harness.theory.parameters import CONSTANTS, PacBound

BETA = 1e-3


class ExamplesNeeded(ComputedClaim):
    """n of the explicit fixed point at ε = 1 over the printed form, for classes of 2^V hypotheses.

    Along α the ratio may grow like (ln 1/α)³, and along V like (ln V)³, with one for V up to 2.
    """

    gamma: ClassVar[float] = 0.0
    alphas: ClassVar[tuple[float, ...]] = (1e-2, 1e-4, 1e-6)
    dimensions: ClassVar[tuple[int, ...]] = (4, 64, 1024)

    @abstractmethod
    def form(self, V: int, alpha: float) -> float:
        """n but for constants and logarithms."""

    def points(self, V: int, alpha: float) -> int:
        """m: an agnostic PAC learner's."""
        return pac.least_s(_bound(V, True), BETA, alpha)

    def chunk_error(self, V: int, alpha: float) -> float:
        """What Θ is trained to on a chunk."""
        return alpha

    def numbers(self) -> Iterable[Number]:
        alpha, V = self.alphas[0], self.dimensions[0]
        start = self._ratio(V, alpha)
        for smaller in self.alphas[1:]:
            where = f"growth of n/form from α = {alpha:g} to {smaller:g}, V = {V}, γ = {self.gamma:g}"
            yield Number(where, self._ratio(V, smaller) / start, (log(smaller) / log(alpha)) ** 3)
        for larger in self.dimensions[1:]:
            where = f"growth of n/form from V = {V} to {larger}, α = {alpha:g}, γ = {self.gamma:g}"
            yield Number(where, self._ratio(larger, alpha) / start, (log2(larger) / log2(V)) ** 3)

    def _ratio(self, V: int, alpha: float) -> float:
        task = task_of(self.points(V, alpha), BETA, self.gamma, pac_bound=_bound(V, self.gamma > 0))
        return plan_for_alpha(CONSTANTS["BTT18"], task, self.chunk_error(V, alpha)).n / self.form(V, alpha)


def _bound(V: int, agnostic: bool) -> PacBound:
    """Of a class of 2^V hypotheses and VC dimension V."""
    return partial(pac.finite_agnostic if agnostic else pac.finite, size=2**V)


class Realizable(ExamplesNeeded):
    """Theorem 4.2."""

    id = "BTT18:T4.2-form"
    source = "BTT18 Theorem 4.2, n"
    statement = "Realizable: the explicit fixed point asks for n = Õ(V^(3/2)/(εα^(3/2)))."

    def form(self, V: int, alpha: float) -> float:
        return float((V / alpha) ** 1.5)


class Agnostic(ExamplesNeeded):
    """Theorem 4.3, as printed, with γ fixed while α falls."""

    id = "BTT18:T4.3-form"
    source = "BTT18 Theorem 4.3, n"
    statement = (
        "Agnostic: the explicit fixed point asks for n = Õ(V^(3/2)/(εα^(5/2))). (Drops γ, which enters T = 3((γ+α)m + …): "
        "false where α ≪ γ.)"
    )
    expected: ClassVar[Outcome] = "refuted"
    gamma = 0.1

    def form(self, V: int, alpha: float) -> float:
        return float(V**1.5 / alpha**2.5)


class AgnosticRepaired(Agnostic):
    """With γ put back."""

    id = "BTT18:T4.3-form-repaired"
    source = "BTT18 Theorem 4.3, n, repaired"
    statement = "Agnostic: the explicit fixed point asks for n = Õ(V^(3/2)√(α+γ)/(εα³))."
    expected = "holds"

    def form(self, V: int, alpha: float) -> float:
        return float(V**1.5 * sqrt(alpha + self.gamma) / alpha**3)


class FewerPoints(Realizable):
    """Remark 2."""

    id = "BTT18:R2-form"
    source = "BTT18 Remark 2, n"
    statement = "If Θ is an ERM, m = Õ(V/α), and the explicit fixed point asks for n = Õ(V^(3/2)/(εα))."

    def points(self, V: int, alpha: float) -> int:
        return pac.least_s(_bound(V, False), BETA, alpha)

    def form(self, V: int, alpha: float) -> float:
        return float(V**1.5 / alpha)


class PACOnly(FewerPoints):
    """Remark 3."""

    id = "BTT18:R3-form"
    source = "BTT18 Remark 3, n"
    statement = "With Θ trained to 1/m on a chunk, m = Õ(V/α), the explicit fixed point asks for n = Õ(V²/(εα))."

    def chunk_error(self, V: int, alpha: float) -> float:
        return 1 / self.points(V, alpha)

    def form(self, V: int, alpha: float) -> float:
        return V**2 / alpha


CLAIMS = (Realizable(), Agnostic(), AgnosticRepaired(), FewerPoints(), PACOnly())
