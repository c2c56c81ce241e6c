"""What is asked of a mechanism, and what a set of constants is: how λ, w, k and T follow."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import ceil, inf, log

from harness.theory.factors import PRINTED, ConstantValues, Factor, factors_in, formula, with_changes, with_values
from harness.theory.privacy.calibration import Calibration

PacBound = Callable[[int, float], float]
"""A PAC bound α = a(s, q): the excess error that a learner on s examples exceeds with probability at most q."""


@dataclass(frozen=True)
class Task:
    """What is asked of a mechanism that answers: m queries, (ε, δ) and β, with the learner's γ and PAC bound; all but n.

    m: number of queries, at least 1. eps > 0 and 0 < delta < 1: the privacy to spend. 0 < beta < 1: failure probability.
    gamma: the best error in the class, in [0, 1). pac_bound: the learner's error as a function of (s, q).
    """

    m: int
    eps: float
    delta: float
    beta: float
    gamma: float
    pac_bound: PacBound

    @property
    def L(self) -> float:
        """L = ln(m/β)."""
        return log(self.m / self.beta)


Chunks = Callable[[Task, float, float, float], float]
"""k before rounding up, from (task, T, λ, w)."""


C_T = Factor("c_T", 3, "T = c_T B", "BTT18 Theorem 3.2, BTT18a Corollary 4.1")


@formula(C_T)
def times_mistakes(c: ConstantValues, B: float) -> float:
    """T = 3B: the most queries with more than k/3 wrong votes, where no classifier errs on more than B (BTT18 Lemma 3.3)."""
    return c[C_T] * B


@dataclass(frozen=True)
class Constants:
    """A set of constants for mechanisms that pay for ⊥s: how λ, w and k follow from T, and T from the learner's α.

    calibration: λ, w and the distance they are for. mistakes: B, at an error α of the learner. k_scale multiplies k, for
    experiments on how much of it is needed. cutoff, where given, fixes T whatever α is. unstable: T from B. values: those of
    all constants by name, where some are changed; mechanisms read theirs from it too.
    """

    name: str
    source: str
    calibration: Calibration
    chunks: Chunks
    mistakes: Callable[[Task, float], float]
    k_scale: float = 1.0
    cutoff: float | None = None
    unstable: Callable[[float], float] = times_mistakes
    values: ConstantValues = PRINTED

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The constants of the set, in the order in which one needs them."""
        factors = (*self.calibration.factors, *factors_in((self.chunks, self.mistakes, self.unstable)))
        return tuple({factor.name: factor for factor in factors}.values())

    def changed(self, changes: Mapping[str, float]) -> "Constants":
        """The set with the constants in `changes` at these values, under a name that says so."""
        values = self.values.but(changes)
        return replace(
            self,
            name=with_changes(self.name, changes),
            calibration=self.calibration.with_values(values),
            chunks=with_values(self.chunks, values),
            mistakes=with_values(self.mistakes, values),
            unstable=with_values(self.unstable, values),
            values=values,
        )

    def lam(self, task: Task, T: float) -> float:
        """λ at the cutoff T."""
        return self.calibration.lam(task.eps, task.delta, task.m, T)

    def w(self, task: Task, T: float) -> float:
        """w at the cutoff T."""
        return self.calibration.w(task.eps, task.delta, task.m, T)

    def k(self, task: Task, T: float) -> float:
        """The number of chunks before rounding up."""
        return self.k_scale * self.chunks(task, T, self.lam(task, T), self.w(task, T))

    def whole_k(self, task: Task, T: float) -> int:
        """The number of chunks: k rounded up, and at least 1, also where so little is asked that none would do."""
        return max(1, ceil(self.k(task, T)))

    def T(self, task: Task, alpha: float) -> float:
        """The cutoff T = 3B, a real number, at least 1."""
        if self.cutoff is not None:
            return max(1.0, self.cutoff)
        return max(1.0, self.unstable(self.mistakes(task, alpha))) if alpha < inf else inf
