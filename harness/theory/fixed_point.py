"""T, α and k determine each other: α = a(s, β/k) with s = ⌊n/k⌋, T = 3B(α), k = k(T). Solve, then sweep.

T ↦ 3B(a(⌊n/k(T)⌋, β/k(T))) never falls as T grows, so iterating it up from T = 1 reaches its least fixed point. k is rounded up
and s down, so that the iteration ends on exactly repeating numbers, not on a tolerance. As computed, the map of `lean` may fall
by what its λ and B are off, the more the larger λ is: a relative 10⁻⁶ was not seen for ε from 10⁻³ and m up to 10⁹. So the
iteration ends at the first T that needs no more than itself: never too small for its own k, and repeated to that accuracy.
"""

from dataclasses import dataclass, replace

from harness.theory.pac import least_s
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan, excess_error, no_information


@dataclass(frozen=True, kw_only=True)
class CutoffPlan(Plan):
    """The plan of a mechanism that spends privacy only on the queries that it answers by ⊥, at most about T of them.

    T: the cutoff on them. lam, w: the scale of its noise, and the threshold; distance: the name of what it compares with w.
    loop: the loop runs while c ≤ loop·T, in the papers T. sharp: whether both accountants certify what it spends.
    """

    T: float
    lam: float
    w: float
    distance: str = "printed"
    loop: float = 1.0
    sharp: bool = False

    @property
    def last(self) -> float:
        """The largest number c of ⊥s so far at which the loop still runs."""
        return self.loop * self.T

    @property
    def noise(self) -> dict[str, float]:
        return {"T": self.T, "lam": self.lam, "w": self.w}


def plan_for_n(constants: Constants, task: Task, n: int) -> CutoffPlan:
    """The plan on n examples: the least fixed point of T, α and k (BTT18 Theorem 3.2 or BTT18a Corollary 4.1).

    Vacuous when the iteration passes m. The plan is then the one at T = m, where every query may be ⊥.
    """
    T = 1.0
    while True:
        k = constants.whole_k(task, T)
        alpha = excess_error(task, n, k)
        needed = constants.T(task, alpha)
        if T >= task.m or needed <= T:
            break
        T = min(needed, float(task.m))
    return _at(constants, task, n, T, k, alpha)


def plan_for_alpha(constants: Constants, task: Task, alpha: float) -> CutoffPlan:
    """The plan for a learner's error 0 < α < 1: the T and k that α asks for, the least s that reaches α, and n = ks."""
    T = constants.T(task, alpha)
    k = constants.whole_k(task, T)
    s = least_s(task.pac_bound, task.beta / k, alpha)
    return _at(constants, task, k * s, T, k, alpha)


def _at(constants: Constants, task: Task, n: int, T: float, k: int, alpha: float) -> CutoffPlan:
    reason = no_information(n, k, n // k, alpha)
    if reason is None and T >= task.m:
        reason = f"T ≥ m: no cutoff below m = {task.m} covers the queries that may be unstable"
    needed = replace(constants, cutoff=None).T(task, alpha)
    if reason is None and needed > T:
        reason = f"T = {T:.4g} is given, and 3B = {needed:.4g} queries may be unstable"
    return CutoffPlan(
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
        loop=constants.calibration.last(1.0),
        sharp=constants.calibration.sharp,
    )
