"""BTT18a Theorems 4.3 and 4.4: how many examples m answers at error α need, from the explicit fixed point."""

from abc import abstractmethod
from collections.abc import Iterable
from functools import partial
from math import log, sqrt

from harness.claims.btt18_c4_1 import least_m
from harness.claims.claim import ComputedClaim, Number
from harness.claims.given import task_of
from harness.theory import pac
from harness.theory.fixed_point import plan_for_alpha
from harness.theory.parameters import CONSTANTS

BETA = 1e-3


class ExamplesNeeded(ComputedClaim):
    """n of the fixed point over the printed form, as α falls: it may grow like logarithms, here (ln 1/α)³ over the sweep."""

    gamma = 0.0
    alphas = (1e-2, 1e-3, 1e-4)

    @abstractmethod
    def form(self, m: float, alpha: float) -> float:
        """n but for constants and logarithms, at V = 1 and ε = 1."""

    def numbers(self) -> Iterable[Number]:
        start = self._ratio(self.alphas[0])
        for alpha in self.alphas[1:]:
            where = f"growth of n/form from α = {self.alphas[0]:g} to {alpha:g}, γ = {self.gamma:g}"
            yield Number(where, self._ratio(alpha) / start, (log(alpha) / log(self.alphas[0])) ** 3)

    def _ratio(self, alpha: float) -> float:
        m = int(least_m(alpha, BETA) / alpha) + 1  # m ≥ 4 ln(1/(αβ))/α²
        bound = partial(pac.vc_agnostic, V=1) if self.gamma else pac.thresholds_consistent
        plan = plan_for_alpha(CONSTANTS["BTT18a"], task_of(m, BETA, self.gamma, pac_bound=bound), alpha)
        return plan.n / self.form(m, alpha)


class Realizable(ExamplesNeeded):
    """γ = 0."""

    id = "BTT18a:T4.3"
    source = "BTT18a Theorem 4.3"
    statement = "Realizable, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√(m/α)/ε) examples suffice for at least m − T right answers."

    def form(self, m: float, alpha: float) -> float:
        return sqrt(m / alpha)


class AgnosticNeeded(ExamplesNeeded):
    """γ fixed, so that it dominates as α falls."""

    gamma = 0.1
    alphas = (1e-2, 1e-4, 1e-6)


class Agnostic(AgnosticNeeded):
    """As printed."""

    id = "BTT18a:T4.4"
    source = "BTT18a Theorem 4.4"
    statement = "Agnostic, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√m/(ε α^(3/2))) suffice. (Drops γ, which enters T = 3((γ+α)m + …).)"
    expected = "refuted"

    def form(self, m: float, alpha: float) -> float:
        return float(sqrt(m) / alpha**1.5)


class AgnosticRepaired(AgnosticNeeded):
    """With γ put back."""

    id = "BTT18a:T4.4-repaired"
    source = "BTT18a Theorem 4.4, repaired"
    statement = "Agnostic, m ≥ 4 ln(1/(αβ))/α²: n = Õ(V√(m(α+γ))/(ε α²)) suffice."

    def form(self, m: float, alpha: float) -> float:
        return float(sqrt(m * (alpha + self.gamma)) / alpha**2)


CLAIMS = (Realizable(), Agnostic(), AgnosticRepaired())
