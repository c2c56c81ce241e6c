"""BTT18a Theorems 5.6 and 5.14, repaired, at the corners of ε, δ and β: what may go wrong, summed exactly.

All that is asked of a query is that one test passes. A threshold that has lasted is likely a lower one than a fresh one, which
only helps, so that a query at distance d fails with probability at most P(Lap(2λ) − Lap(λ) < w − d), and m of them with m times
that. For Theorem 5.14 the distance comes of two thirds of the predictions, each of which is within 4α√(2n') of its mean with
probability at least 63/64: Chebyshev's inequality over coins and data at once, with Steele's bound on the variance.
"""

from collections.abc import Iterator
from math import ceil

import scipy

from harness.claims.engine import Claim, Computed, Number
from harness.theory.constants.btt18a_scores import REPAIRED, ScoreConstants, ScoreTask
from harness.theory.privacy.laplace import difference_tail

TASKS = tuple(
    ScoreTask(m, T, eps, delta, beta)
    for eps in (0.01, 1.0, 100.0)
    for delta in (1e-10, 1e-6, 0.1, 0.2)
    for beta in (1e-10, 0.05, 0.2)
    for m, T in ((1, 1.0), (1000, 1.0), (1000, 1000.0), (10**6, 10.0))
)


def _where(task: ScoreTask) -> str:
    return f"ε = {task.eps:g}, δ = {task.delta:g}, β = {task.beta:g}, m = {task.m:,}, T = {task.T:g}"


def _fails(constants: ScoreConstants, task: ScoreTask, distance: float) -> float:
    """At most this is the chance that a test at this distance, beyond w, fails."""
    return float(difference_tail(distance - constants.w(task), constants.lam(task)))


def stable_answered(constants: ScoreConstants) -> Iterator[Number]:
    """P(one of m histograms whose gap is just above d fails a test), at most, against β."""
    for task in TASKS:
        failing = task.m * _fails(constants, task, constants.stable(task) - 1)
        yield Number(f"P(a d-stable histogram fails), {_where(task)}", failing, task.beta)


def scores_near(constants: ScoreConstants, near: float = 63 / 64) -> Iterator[Number]:
    """P(one of m queries has fewer than 2k/3 predictions near, or fails though it has), at most, against β."""
    for task in TASKS:
        k = constants.k(task)
        fewer = float(scipy.stats.binom.cdf(ceil(2 * k / 3) - 1, k, near))
        least = 2 * ceil(2 * k / 3) - k - 1  # the distance where so many are in one bin and the others in another
        yield Number(f"P(a score is not near), {_where(task)}", task.m * (fewer + _fails(constants, task, least)), task.beta)


CLAIMS = (
    Claim(
        "BTT18a:T5.14-corners",
        "BTT18a Theorem 5.14, repaired, at the corners",
        "With w = 2λ ln(4m/δ), two thirds of the k predictions are within 4α√(2n') of their mean, and the test that they are "
        "to pass passes, on all m queries but for a chance of β: for ε from 0.01 to 100, δ from 1e-10 and β from 1e-10 to 0.2.",
        decider=Computed(lambda: scores_near(REPAIRED)),
        nature="repair",
        of="BTT18a:T5.14",
        proof=(
            "At the corners by the sums that are compared: a union over m queries of a binomial's tail, by Steele's and "
            "Chebyshev's inequalities, and of that of Lap(2λ) − Lap(λ)."
        ),
    ),
)
