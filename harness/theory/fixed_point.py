"""T, α and k determine each other: α = a(s, β/k) with s = ⌊n/k⌋, T = 3B(α), k = k(T). Solve, then sweep.

T ↦ 3B(a(⌊n/k(T)⌋, β/k(T))) never falls as T grows, so iterating it up from T = 1 reaches its least fixed point. k is rounded up
and s down, so that the iteration ends on exactly repeating numbers, not on a tolerance.
"""

from dataclasses import dataclass, replace
from math import ceil, inf

from harness.theory.pac import least_s
from harness.theory.parameters import Constants, Task, mistakes


@dataclass(frozen=True)
class Plan:
    """The resolved parameters of one mechanism on n examples.

    n, k, s: examples, chunks and examples per chunk; n − ks examples are unused. alpha: the PAC bound at s and confidence
    β/k, or the α that was asked for, which is no less; infinite when s is too small for the bound to be defined. T, lam, w:
    cutoff, noise scale and threshold, where the mechanism has them, and distance the name of what it then compares with w.
    bound: the claimed misclassification rate, in (0, 1), or None when the guarantee is vacuous; reason then says why. A vacuous
    plan can still be run when s ≥ 1: it just promises nothing.
    """

    n: int
    k: int
    s: int
    alpha: float
    bound: float | None
    reason: str | None = None
    T: float | None = None
    lam: float | None = None
    w: float | None = None
    distance: str = "printed"

    @property
    def vacuous(self) -> bool:
        """Whether the theorem says nothing at these parameters."""
        return self.bound is None


def excess_error(task: Task, n: int, k: int) -> float:
    """α of a learner on one of k chunks of n examples at confidence β/k; infinite when n < k."""
    s = n // k
    return task.pac_bound(s, task.beta / k) if s >= 1 else inf


def no_information(n: int, k: int, s: int, alpha: float) -> str | None:
    """Why the PAC bound at this chunk size cannot support any guarantee, or None."""
    if s < 1:
        return f"n = {n} is less than k = {k}: there is not one example a chunk"
    if alpha >= 1:
        return f"s = {s} examples a chunk are too few: the learner's PAC bound is {alpha:.3g}, not below 1"
    return None


def plan_for_n(constants: Constants, task: Task, n: int) -> Plan:
    """Given n, the least fixed point (α, T, k, s) of BTT18 Theorem 3.2 or BTT18a Corollary 4.1.

    Vacuous when the iteration passes m. The plan is then the one at T = m, where every query may be ⊥.
    """
    T = 1.0
    while True:
        k = ceil(constants.k(task, T))
        alpha = excess_error(task, n, k)
        needed = constants.T(task, alpha)
        if T >= task.m or needed <= T:
            break
        T = min(needed, float(task.m))
    return _at(constants, task, n, T, k, alpha)


def plan_for_alpha(constants: Constants, task: Task, alpha: float) -> Plan:
    """Given the learner's error 0 < α < 1, the T and k it needs, the least s that reaches α, and n = ks."""
    T = constants.T(task, alpha)
    k = ceil(constants.k(task, T))
    s = least_s(task.pac_bound, task.beta / k, alpha)
    return _at(constants, task, k * s, T, k, alpha)


def _at(constants: Constants, task: Task, n: int, T: float, k: int, alpha: float) -> Plan:
    reason = no_information(n, k, n // k, alpha)
    if reason is None and T >= task.m:
        reason = f"T ≥ m: no cutoff below m = {task.m} covers the queries that may be unstable"
    needed = replace(constants, cutoff=None).T(task, alpha)
    if reason is None and needed > T:
        reason = f"T = {T:.4g} is given, and 3B = {needed:.4g} queries may be unstable"
    return Plan(
        n=n,
        k=k,
        s=n // k,
        alpha=alpha,
        bound=None if reason else T / task.m,
        reason=reason,
        T=T,
        lam=constants.lam(task, T),
        w=constants.w(task, T),
        distance=constants.calibration.distance.name,
    )


def without_rate(plan: Plan) -> Plan:
    """The plan of a mechanism whose guarantee is about distances: it claims no misclassification rate."""
    reason = plan.reason or "the guarantee is about distances, not about a misclassification rate"
    return replace(plan, bound=None, reason=reason)


def plan_for_chunks(task: Task, n: int, k: int, factor: int = 3) -> Plan:
    """The plan of a baseline of k chunks that is wrong on at most factor·B queries: 3B where 2k/3 votes agreeing is enough.

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
