"""A plan: what a mechanism resolves to on n examples, with all the noise that it draws and the privacy that it spends."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import inf, isnan
from numbers import Integral, Real
from typing import Any, TypeVar

from harness.theory.constants.btt18 import mistakes
from harness.theory.parameters import Task

Drawn = TypeVar("Drawn", bound="Plan")

CERTIFIED = 1e-6  # relative, of a certified ε: the accuracy of what noise is calibrated to


@dataclass(frozen=True, kw_only=True)
class Plan:
    """All numbers of one mechanism on n examples; a mechanism that draws noise has a subclass, with the numbers of the noise.

    n, k, s: examples, chunks and examples per chunk; n − ks examples are unused. alpha: the PAC bound at s and confidence
    β/k, or the α that was asked for, which is no less; infinite when s is too small for the bound to be defined. bound: the
    claimed misclassification rate, in (0, 1), or None when the guarantee is vacuous; reason then says why. A vacuous plan can
    still be run when s ≥ 1: it just promises nothing. accounting: how `spent` is found.

    Raises ValueError where a number is none.
    """

    n: int
    k: int
    s: int
    alpha: float
    bound: float | None
    reason: str | None = None
    accounting: Callable[[], float] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, least in (("n", 1), ("k", 1), ("s", 0)):
            value = getattr(self, name)
            if not isinstance(value, Integral) or value < least:
                raise ValueError(f"a plan has {name} = {value!r}; allowed: a whole number ≥ {least}")
        for name, value in {"alpha": self.alpha, "bound": self.bound or 0.0, **self.noise}.items():
            if not isinstance(value, Real) or isnan(value):
                raise ValueError(f"a plan has {name} = {value!r}; allowed: a number")

    @property
    def vacuous(self) -> bool:
        """Whether the theorem says nothing at these parameters."""
        return self.bound is None

    @cached_property
    def spent(self) -> float:
        """An ε' at which all answers together are certainly (ε', δ)-DP; infinite where nothing is certified.

        It is found when it is first asked for: exact accounting takes up to a fifth of a second.
        """
        return inf if self.accounting is None else self.accounting()

    def keeps_to(self, eps: float) -> bool:
        """Whether all answers together are certainly (ε, δ)-DP."""
        return self.spent <= eps * (1 + CERTIFIED)

    @property
    def noise(self) -> dict[str, float]:
        """The numbers of the noise that a mechanism draws, by name."""
        numbers = {each.name: getattr(self, each.name) for each in fields(self)[len(fields(Plan)) :]}
        return {name: value for name, value in numbers.items() if isinstance(value, int | float)}

    def drawing(self, kind: type[Drawn], accounting: Callable[[], float], **noise: float) -> Drawn:
        """The plan with the same chunks and bound, the noise of a mechanism, and how its privacy is accounted for."""
        division: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(Plan)}
        return kind(**(division | noise | {"accounting": accounting}))


def excess_error(task: Task, n: int, k: int) -> float:
    """α: a learner's PAC bound on one of k chunks of n examples, at confidence β/k; infinite when n < k."""
    s = n // k
    return task.pac_bound(s, task.beta / k) if s >= 1 else inf


def no_information(n: int, k: int, s: int, alpha: float) -> str | None:
    """Why no guarantee follows from k chunks of s examples, as text: n < k, or the PAC bound α ≥ 1; None where neither is."""
    if s < 1:
        return f"n = {n} is less than k = {k}: there is not one example a chunk"
    if alpha >= 1:
        return f"s = {s} examples a chunk are too few: the learner's PAC bound is {alpha:.3g}, not below 1"
    return None


def plan_for_chunks(task: Task, n: int, k: int, factor: int = 3) -> Plan:
    """The plan of k chunks for a mechanism without a cutoff, wrong on at most factor·B queries: 3B where 2k/3 votes agree.

    Where each of k hypotheses errs on at most B queries, fewer than 3B have more than k/3 wrong votes (BTT18 Lemma 3.3); of
    one hypothesis the factor is 1.
    """
    alpha = excess_error(task, n, k)
    reason = no_information(n, k, n // k, alpha)
    rate = inf if reason else factor * mistakes(task, alpha) / task.m
    if reason is None and rate >= 1:
        most = f"{factor}B" if factor > 1 else "B"
        reason = f"{most} ≥ m: the bound on the misclassification rate is {rate:.3g}, not below 1"
    return Plan(n=n, k=k, s=n // k, alpha=alpha, bound=None if reason else rate, reason=reason)
