"""A_sparseVec in law: against closed forms, and against the printed loop that draws each threshold when it needs it."""

from collections.abc import Callable
from math import exp, log, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import binomtest, ks_2samp

from harness.mechanisms.above_threshold import a_sparse_vec
from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from harness.theory.constants.btt18a import margin, sparse_vec_lam
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Task
from tests.support.given_order import in_order

CONSTANTS = constants()

Reals = NDArray[np.float64]


def bottom_probability(x: float, lam: float) -> float:
    """P(Lap(2λ) − Lap(λ) ≤ x): ⅔e^(x/2λ) − ⅙e^(x/λ) below 0, by symmetry above."""
    tail = 2 / 3 * exp(-abs(x) / (2 * lam)) - exp(-abs(x) / lam) / 6
    return tail if x <= 0 else 1 - tail


@pytest.mark.parametrize(("lam", "w", "distance"), [(1.0, 5.0, 9.0), (3.0, 20.0, 14.0)])
def test_a_single_query_is_bottom_with_the_closed_probability(lam: float, w: float, distance: float) -> None:
    """40,000 queries, each with a threshold of its own. An exact binomial test at 5e-7 for each of the two."""
    rng, runs = np.random.default_rng(11), 40_000
    value, one = np.array([distance]), np.ones(1, dtype=np.int64)
    bottoms = sum(int(a_sparse_vec(value, one, lam, w, 1.0, rng).bottoms[0]) for _ in range(runs))
    expected = bottom_probability(w - distance, lam)
    assert binomtest(bottoms, runs, expected).pvalue > 5e-7


def laplace_below(x: float, scale: float) -> float:
    """P(Lap(scale) ≤ x), in a hundredth of the time that scipy takes for one x."""
    return exp(x / scale) / 2 if x <= 0 else 1 - exp(-x / scale) / 2


def bottom_count_law(m: int, lam: float, x: float) -> Reals:
    """P(c of m queries are ⊥), c = 0…m, for values that all lie x below w, and no halt.

    Stretches from one ⊥ to the next are independent: one ends at its j-th query w.p. E[p(1 − p)^(j − 1)], where
    p = P(Lap(2λ) ≤ x + ŵ − w) is fixed over the stretch. Quadrature over the threshold's noise, then renewal.
    """

    def ends_at(j: int) -> float:
        def density(noise: float) -> float:
            p = laplace_below(x + noise, 2 * lam)
            return p * (1 - p) ** (j - 1) * exp(-abs(noise) / lam) / (2 * lam)

        return sum(quad(density, low, high, limit=200)[0] for low, high in ((-40 * lam, -x), (-x, 0), (0, 40 * lam)))

    lengths = np.array([0.0] + [ends_at(j) for j in range(1, m + 1)])
    at = np.zeros(m + 1)  # P(the c-th ⊥ is at query i), i = 0…m
    at[0], before, law = 1.0, 1.0, []
    for _ in range(m + 1):
        at = np.convolve(at, lengths)[: m + 1]
        law.append(before - at.sum())
        before = at.sum()
    return np.array(law)


@pytest.mark.parametrize("x", [-4.0, -1.0, 0.5])
def test_the_number_of_bottoms_follows_the_renewal_law(x: float) -> None:
    """40 equal queries in 10,000 streams. By Dvoretzky, Kiefer, Wolfowitz and Massart the two distribution functions differ by
    more than √(ln(2/q)/2n) with probability at most q = 1e-7 for each of nine: one by one, of one type, and of both kinds.
    """
    m, lam, w, runs, q = 40, 1.5, 30.0, 10_000, 1e-7
    rng = np.random.default_rng(12)
    law = bottom_count_law(m, lam, x)
    assert law.sum() == pytest.approx(1, abs=1e-6)
    for sizes in (np.ones(m, dtype=np.int64), np.array([m]), np.array([1, 0, m - 2, 1])):
        values = np.full(len(sizes), w - x)
        counts = [int(a_sparse_vec(values, sizes, lam, w, m, rng).bottoms.sum()) for _ in range(runs)]
        seen = np.bincount(counts, minlength=m + 1) / runs
        assert np.abs(np.cumsum(seen) - np.cumsum(law)).max() <= sqrt(log(2 / q) / (2 * runs))


def printed_run(values: Reals, lam: float, w: float, T: float, rng: np.random.Generator) -> tuple[int, int, int]:
    """BTT18a Algorithm 1 as printed, with numpy's own Laplace noise: (number of ⊥s, queries answered, last ⊥ or −1)."""
    c, last, threshold = 0, -1, w + rng.laplace(0, lam)
    for i, noisy in enumerate((values + rng.laplace(0, 2 * lam, len(values))).tolist()):
        if c > T:
            return c, i, last
        if not noisy > threshold:
            c, last, threshold = c + 1, i, w + rng.laplace(0, lam)
    return c, len(values), last


STREAMS: dict[str, Callable[[np.random.Generator], Reals]] = {
    "at the threshold": lambda rng: np.zeros(40),
    "rare ⊥": lambda rng: np.full(40, 5.0),
    "sure, safe and close": lambda rng: rng.choice([-50.0, -2.0, 0.0, 2.0, 50.0], 40),
    "rising": lambda rng: np.linspace(-8, 8, 40),
}


@pytest.mark.parametrize("stream", STREAMS.values(), ids=list(STREAMS))
@pytest.mark.parametrize("T", [2.5, 100.0])
def test_the_outcome_in_a_given_order_has_the_law_of_the_printed_loop(
    stream: Callable[[np.random.Generator], Reals], T: float
) -> None:
    """⊥s, queries answered and the place of the last ⊥, over 5000 streams of each. The two-sample inequality of Wei and Dudley
    (2012, equal n ≥ 458): empirical distribution functions of one law differ by more than √(ln(2/q)/n) w.p. at most
    q = 4e-8, for each of 24 comparisons; 1e-6 in all.
    """
    rng, runs, q, lam, w = np.random.default_rng(13), 5000, 4e-8, 1.0, 20.0
    values = w + stream(rng)
    printed = [printed_run(values, lam, w, T, rng) for _ in range(runs)]
    ours = []
    for _ in range(runs):
        bottoms = in_order(values, lam, w, T, rng)
        halted = len(bottoms) == int(T) + 1
        ours.append((len(bottoms), bottoms[-1] + 1 if halted else len(values), bottoms[-1] if len(bottoms) else -1))
    for one, other in zip(np.array(printed).T, np.array(ours).T, strict=True):
        assert ks_2samp(one, other, method="asymp").statistic <= sqrt(log(2 / q) / runs)


@pytest.mark.parametrize("m", [1, 100, 10**6])
@pytest.mark.parametrize("T", [1.0, 7.5, 1000.0])
@pytest.mark.parametrize(("eps", "delta", "beta"), [(1.0, 1e-6, 0.05), (0.1, 0.2, 0.9), (5.0, 1e-12, 1e-9)])
def test_values_above_w_plus_the_printed_margin_are_top(m: int, T: float, eps: float, delta: float, beta: float) -> None:
    """BTT18a Theorem 2.8: a = 4λ ln(2mT/β), and above w + a the m tests fail with probability at most β by the union."""
    task = Task(m=m, eps=eps, delta=delta, beta=beta, gamma=0.0, pac_bound=thresholds_extremal)
    lam, a = sparse_vec_lam(eps, delta, T), margin(task, T)
    assert a == pytest.approx(4 * lam * log(2 * m * T / beta), rel=1e-12)
    assert m * bottom_probability(-a, lam) <= beta


def test_its_plan_puts_a_unanimous_query_just_above_w_plus_the_margin() -> None:
    task = Task(m=1000, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
    for n in (10**8, 10**12):
        plan = mechanisms()["A_sparseVec"].plan(CONSTANTS["BTT18a"], task, n)
        assert plan.lam == sparse_vec_lam(1.0, 1e-6, plan.T)
        assert plan.w == margin(task, plan.T)
        assert plan.k - 3 < plan.w + margin(task, plan.T) < plan.k - 1
