"""Theorems 4.2 and 4.3 and what follows them, on rows made by hand: whom each is about, and the error that it allows.

The numbers in the proof of `BTT18:T4.2-proved`, at the printed constants over the range that it is for.
"""

from itertools import product
from math import exp, log
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.claims.btt18.t4_erm import COST, LARGEST_ALPHA, LARGEST_BETA, LEAST_K, SHARE, proved
from harness.claims.registry import claims
from harness.theory.constants import constants
from harness.theory.pac import never_wrong
from harness.theory.parameters import Task
from tests.support.claims import event

ROW = {
    "cell": "c0ffee",
    "mechanism": "A_Priv",
    "trial": 0,
    "constants": "BTT18",
    "k_scale": 1.0,
    "n": 10**6,
    "needed": 10**6,
    "eps": 1.0,
    "delta": 1e-6,
    "alpha": 0.02,
    "beta": 0.01,
    "gamma": 0.0,
    "T": 30.0,
    "m": 1000,
    "error": 0.1,
}
REALIZABLE = {"BTT18:T4.2": 0.3, "BTT18:T4.2-repaired": 0.14, "BTT18:T4.2-erm": 0.08}
AGNOSTIC = {"BTT18:T4.3": 0.37, "BTT18:T4.3-repaired": 0.21, "BTT18:T4.3-erm": 0.09}
OTHERS = {
    "BTT18:R1": ("A_Priv_estimated", "BTT18", 0.01, 0.37, 0.04),
    "BTT18:R2-error": ("A_Priv_erm", "BTT18", 0.0, 0.3, 0.03),
    "BTT18:R3-error": ("A_Priv_pac", "BTT18", 0.0, 0.02, 0.03),
    "BTT18a:T4.6": ("label_private", "BTT18a", 0.0, 0.3, 0.03),
    "BTT18a:T4.7": ("label_private", "BTT18a", 0.01, 0.37, 0.03),
}
CASES = {name: ("A_Priv", "BTT18", 0.0, bound, 0.03) for name, bound in REALIZABLE.items()}
CASES |= {name: ("A_Priv", "BTT18", 0.01, bound, 0.03) for name, bound in AGNOSTIC.items()}
CASES |= OTHERS


def rows(**changes: Any) -> pd.DataFrame:
    return pd.DataFrame([ROW | changes])


@pytest.mark.parametrize("name", CASES)
def test_each_allows_its_own_error_to_its_own_construction(name: str) -> None:
    mechanism, constants, gamma, bound, allowed = CASES[name]
    fitting = {"mechanism": mechanism, "constants": constants, "gamma": gamma}
    first = rows(**fitting).iloc[0]
    assert event(name).bound(first) == pytest.approx(bound)
    assert event(name).allowed(first) == pytest.approx(allowed)
    assert claims()[name].applies(first)
    for other in (
        {"mechanism": "non_private"},
        {"constants": "tight"},
        {"k_scale": 0.5},
        {"needed": 10**7},
        {"gamma": 0.01 - gamma},
    ):
        assert not claims()[name].applies(rows(**fitting | other).iloc[0])


@pytest.mark.parametrize("name", CASES)
def test_only_where_markov_or_the_erm_does_the_work_may_beta_be_large(name: str) -> None:
    mechanism, constants, gamma, _, _ = CASES[name]
    first = rows(mechanism=mechanism, constants=constants, gamma=gamma, beta=0.05).iloc[0]
    assert claims()[name].applies(first) == name.endswith(("-repaired", "-erm"))


@pytest.mark.parametrize("beyond", [{"beta": 0.005}, {"delta": 0.2}, {"eps": 0.01}, {"eps": 20.0}], ids=str)
def test_what_has_no_proof_speaks_of_the_range_where_it_is_tried(beyond: dict[str, float]) -> None:
    corners = {"beta": 0.01, "delta": 0.1, "eps": 10.0}
    for name, gamma in (("BTT18:T4.2-repaired", 0.0), ("BTT18:T4.3-repaired", 0.01)):
        assert claims()[name].applies(rows(gamma=gamma, **corners).iloc[0])
        assert not claims()[name].applies(rows(gamma=gamma, **corners | beyond).iloc[0])


def test_an_error_of_one_is_no_promise() -> None:
    assert event("BTT18:T4.2").bound(rows(alpha=0.07).iloc[0]) is None
    assert event("BTT18:T4.2").bound(rows(beta=0.34).iloc[0]) is None


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
