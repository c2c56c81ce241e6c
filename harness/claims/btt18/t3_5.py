"""BTT18 Theorem 3.5, the explicit rate in the agnostic case.

Part (i) cannot hold where m is far below 1/γ: a rate below 1/m is 0, and not even the best hypothesis keeps to that. The repair
has the 1/m that T ≥ 1 costs: the explicit fixed point T/m.
"""

from collections.abc import Iterator
from math import log, log10

from scipy.stats import binom

from harness.claims.engine import LOGS, Claim, Computed, Number, Rate, promising, task_of
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import CutoffPlan, plan_for_n


def solved(m: int, n: int, gamma: float, beta: float = 0.05) -> CutoffPlan:
    """The least fixed point at the printed constants, for thresholds."""
    return plan_for_n(constants()["BTT18"], task_of(m, beta, gamma, pac_bound=pac.thresholds_agnostic), n)


def most_at_one(n: int, gamma: float) -> int:
    """M: the most queries for which T = 1."""
    high = 1
    while solved(high, n, gamma).T == 1:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if solved(middle, n, gamma).T == 1 else (low, middle)
    return low


def small_m() -> Iterator[Number]:
    """The chance that the best hypothesis errs at a higher rate than part (i) allows."""
    n, beta = 10**20, 1e-3
    for m, gamma in ((1, 0.01), (10, 1e-3), (50, 1e-3)):
        # With T near 1 V/(εn) is, up to logarithms, α² of the learner there.
        allowed = 10 * gamma + solved(m, n, gamma, beta).alpha * log(n) ** 2
        where = f"P(the best hypothesis errs at a higher rate) at n = 10²⁰, m = {m}, γ = {gamma:g}, β = {beta:g}"
        yield Number(where, float(binom.sf(int(allowed * m), m, gamma)), beta)


def _exponents() -> Iterator[Number]:
    """How the least fixed point moves with n, m and γ, where one of them decides."""

    def off(what: str, ratio: float, decades: int, claimed: float) -> Number:
        return Number(f"{what}: distance of the exponent from {claimed:.3g}", abs(log10(ratio) / decades - claimed), LOGS)

    negligible, endless = 1e-15, 10**26
    at_least = most_at_one(10**18, negligible)
    yield off("M in n, from 10¹⁸ to 10²⁴", most_at_one(10**24, negligible) / at_least, 6, 1 / 2)
    yield off("M in 1/γ, from 10⁴ to 10⁷", most_at_one(endless, 1e-7) / most_at_one(endless, 1e-4), 3, 1.0)
    alpha = solved(10**6, 10**14, negligible).alpha
    yield off("α in m, from 10⁶ to 10⁷", solved(10**7, 10**14, negligible).alpha / alpha, 1, 1 / 3)
    yield off("α in n, from 10¹⁴ to 10¹⁵", solved(10**6, 10**15, negligible).alpha / alpha, 1, -2 / 3)
    for gamma in (1e-3, 1e-2):
        T = solved(10**6, 10**16, gamma).T or 0.0
        yield Number(f"T/m at n = 10¹⁶, m = 10⁶, γ = {gamma:g}", T / 10**6, 3 * (1 + 0.5**0.5) * gamma)


CLAIMS = (
    Claim(
        "BTT18:T3.5",
        "BTT18 Theorem 3.5 (i)",
        "Agnostic: for any β in (0, 1) there is M = Ω̃(min{1/γ, √(εn/V)}) such that with probability at least 1 − β the "
        "misclassification rate is O(γ) + Õ(√(V/(εn))) for up to M queries. (Cannot hold for m ≪ 1/γ: one flipped label "
        "makes the rate 1/m, and of that the chance is about γm, more than a small β. 10γ is allowed for the O(γ), and a "
        "growth by (ln n)² for the Õ.)",
        decider=Computed(small_m),
        expected="refuted",
    ),
    Claim(
        "BTT18:T3.5-repaired",
        "BTT18 Theorem 3.5, repaired",
        "Agnostic: the misclassification rate is O(T/m) at the least fixed point T, that is O(γ) + Õ(1/m + √(V/(εn))) for "
        "m ≤ M = Ω̃(min{1/γ, √(εn/V)}) and O(γ) + Õ(m^(1/3) (V/(εn))^(2/3)) beyond: measured/(3(γ+α) + 1/m) does not grow "
        "with m or V by more than logarithms.",
        where=promising("A_binClas", noisy=True),
        decider=Rate(axes=("m", "V")),
    ),
    Claim(
        "BTT18:T3.5-exponents",
        "BTT18 Theorem 3.5, M and part (ii)",
        "At the least fixed point T = 1 up to an M that grows like √n where γ is negligible, and like 1/γ where n is large; "
        "beyond M the learner's α grows like m^(1/3) n^(−2/3) where γ is negligible, and T/m ≤ 3(1 + 1/√2)γ where n is "
        "large. (Exponents to within 0.15, for logarithms.)",
        decider=Computed(_exponents),
    ),
)
