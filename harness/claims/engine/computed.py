"""Numbers against numbers, with no table: what the theory alone decides."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from harness.claims.engine.claim import Decider, Kind
from harness.claims.engine.verdict import Verdict, half_refuted
from harness.theory.parameters import PacBound, Task

TOLERANCE = 1e-9  # relative


@dataclass(frozen=True)
class Number:
    """One comparison of two numbers: measured should be at most bound. where: the parameters, in words."""

    where: str
    measured: float
    bound: float


@dataclass(frozen=True)
class Computed(Decider):
    """Decides a claim by numbers alone. numbers: the comparisons, at the parameters where it matters."""

    kind: ClassVar[Kind] = "exact"

    numbers: Callable[[], Iterable[Number]]

    def computed(self, claim: str) -> Iterator[Verdict]:
        for number in self.numbers():
            holds = number.measured <= number.bound * (1 + TOLERANCE)
            yield Verdict(
                claim=claim,
                outcome="holds" if holds else "refuted",
                where=number.where,
                measured=number.measured,
                bound=number.bound,
                stands=number.measured,
                challenged=not holds or half_refuted(number.measured, number.bound),
            )


def no_learner(s: int, q: float) -> float:
    """A PAC bound that is 0, for where no learner is asked about."""
    return 0.0


def task_of(
    m: int, beta: float, gamma: float = 0.0, eps: float = 1.0, delta: float = 1e-6, pac_bound: PacBound = no_learner
) -> Task:
    """A task of m queries for the formulas of the theory, at ε = 1 and δ = 10⁻⁶ unless they are given."""
    return Task(m, eps, delta, beta, gamma, pac_bound)
