"""Theorem 13: its arithmetic, and where its claims apply."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from harness.claims.bcmnuw20.t13 import REACH, least_private
from harness.claims.registry import claims
from harness.theory.privacy.gaussian import gaussian_mu
from tests.support.claims import event

ROW = {"mechanism": "rounded_averages", "biases": "narrow", "eps": 1.0, "n": 20, "m": 0, "p": 4096, "alpha": 0.25, "bound": 0.4}


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("step", "holds"),
        ("step-ten", "refuted"),
        ("half", "holds"),
        ("algebra", "refuted"),
        ("algebra-repaired", "holds"),
        ("numbers", "holds"),
        ("gap", "holds"),
        ("sizes", "holds"),
    ],
)
def test_the_arithmetic(name: str, outcome: str) -> None:
    claim = claims()[f"BCMNUW20:T13-{name}"]
    assert {verdict.outcome for verdict in claim.computed()} == {outcome}
    assert claim.expected == outcome


def test_the_printed_algebra_is_off_by_two_units() -> None:
    assert [verdict.measured for verdict in claims()["BCMNUW20:T13-algebra"].computed()] == pytest.approx([2, 2, 2], rel=1e-6)


def test_the_least_n_at_a_delta_of_its_own_is_where_its_guarantee_meets_alpha() -> None:
    """By the formula of the Gaussian mechanism, solved again; at p = 10⁵ nothing within the attack's reach is accurate."""
    n, p, alpha = least_private("gaussian_averages", 4096, 0.25), 4096, 0.25
    sigma = 2 * np.sqrt(p) / n / gaussian_mu(1.0, 1 / (4 * n))
    error = np.sqrt(2 * np.log(4 * p / alpha) / n) + norm.isf(alpha / (4 * p)) * sigma
    assert error == pytest.approx(alpha, rel=1e-3)
    assert least_private("exact_averages", 10**5, alpha) > REACH * np.sqrt(10**5) / alpha


@pytest.mark.parametrize(
    ("changes", "met"),
    [
        ({}, {"T13"}),
        ({"n": 10}, set()),
        ({"n": 26}, set()),
        ({"m": 1}, set()),
        ({"biases": "wide"}, set()),
        ({"mechanism": "gaussian_averages", "n": 10**4, "m": 9}, {"T13-release"}),
        ({"mechanism": "PMW", "eps": 2.0}, set()),
        ({"mechanism": "exact_averages"}, set()),
    ],
)
def test_where_each_is_claimed(changes: dict[str, Any], met: set[str]) -> None:
    names = ("T13", "T13-release")
    assert {name for name in names if claims()[f"BCMNUW20:{name}"].applies(pd.Series(ROW | changes))} == met


@pytest.mark.parametrize(("named", "outcome"), [(0, "holds"), (1, "refuted")])
def test_a_named_private_row_in_every_run_is_too_many(named: int, outcome: str) -> None:
    rows = pd.DataFrame([ROW | {"cell": "a", "mechanism": "PMW", "trial": i, "named_private": named} for i in range(60)])
    verdict = event("BCMNUW20:T13-release").decide("x", rows, 1e-6)
    assert verdict.outcome == outcome and verdict.claimed == 0.4
