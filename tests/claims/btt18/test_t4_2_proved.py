"""The numbers in the proof of `BTT18:T4.2-proved`, at the printed constants over the range that it is for."""

from itertools import product
from math import exp, log

import numpy as np
import pytest

from harness.claims.btt18.t4_2_proved import COST, LARGEST_ALPHA, LARGEST_BETA, LEAST_K, SHARE, proved
from harness.claims.registry import claims
from harness.theory.constants import constants
from harness.theory.pac import never_wrong
from harness.theory.parameters import Task
from tests.claims.btt18.test_t4_2 import rows

BTT18 = constants()["BTT18"]
GRID = product((1, 30, 10**4, 10**9), (1.0, 7.5, 1e3), (0.05, 1.0, 10.0), (1e-12, 1e-3, 0.5, 0.999), (1e-9, 0.01, 0.2))
SETTINGS = [setting for setting in GRID if setting[1] <= 3 * setting[0]]  # T is 3B, and B at most m


@pytest.mark.parametrize(("m", "T", "eps", "delta", "beta"), SETTINGS)
def test_a_point_with_fewer_wrong_votes_is_answered_rightly_whatever_the_noise(
    m: int, T: float, eps: float, delta: float, beta: float
) -> None:
    """Step (2): noise within 2λΛ on a distance and λΛ on a threshold, but for β/5 in all."""
    task = Task(m, eps, delta, beta, 0.0, never_wrong)
    k, lam, w = BTT18.k(task, T), BTT18.lam(task, T), BTT18.w(task, T)
    reach = log(4 * m * T / min(delta, beta / 2))
    assert (m + 0.5) * exp(-reach) <= beta / 5
    if k >= LEAST_K:
        gap = (1 - 2 * SHARE) * k
        assert gap - 1 - 2 * lam * reach >= w + lam * reach


def test_the_run_does_not_halt_before_its_points_are_labelled() -> None:
    """Step (3): 1.34(γ + α) is passed by the mean of m draws with probability at most 0.14β."""
    assert 1.34 / SHARE < 3
    exponent = 1.34 * log(1.34) - 0.34
    for beta in np.geomspace(1e-12, LARGEST_BETA):
        least = 2 * log(2 / beta) / LARGEST_ALPHA  # of (γ + α)m
        assert exp(-exponent * least) <= 0.14 * beta


def test_what_a_point_adds_is_at_most_its_share_of_wrong_votes_times_the_cost() -> None:
    """Step (4), and the sum: 3.47(γ + 1.5α) + α/2."""
    share = np.linspace(0, 1, 10_001)
    wrong, right = 2 - share, share
    assert (right <= COST * share).all() and (wrong <= COST * share + 1e-12)[share >= SHARE].all()
    assert COST < 3.47 + 1e-3
    for gamma, alpha in product((0.0, 0.01, 0.3), (1e-6, LARGEST_ALPHA)):
        assert COST * (gamma + 1.5 * alpha) + alpha / 2 <= proved(rows(gamma=gamma, alpha=alpha).iloc[0])
        assert 2 * proved(rows(gamma=gamma, alpha=alpha).iloc[0]) <= 7 * gamma + 15 * alpha


def test_it_is_for_the_n_of_the_fixed_point_and_an_alpha_at_which_the_theorem_says_something() -> None:
    claim, row = claims()["BTT18:T4.2-proved"], {"k": 10**5}
    assert claim.applies(rows(**row).iloc[0])
    for other in ({"k": 999}, {"alpha": 0.07}, {"beta": 0.3}, {"n": 2 * 10**6}, {"gamma": 0.1}, {"constants": "tight"}):
        assert not claim.applies(rows(**row | other).iloc[0])
