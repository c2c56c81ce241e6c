"""Theorem 13: its arithmetic, and where its claims apply."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from harness.claims.bcmnuw20.t13 import REACH, faltering, least_private
from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from harness.theory.privacy.gaussian import gaussian_mu
from tests.support.claims import event

AVERAGES, RELEASE, ACCURATE = "probe:BCMNUW20:T13-release-averages", "BCMNUW20:T13-release", "BCMNUW20:T13-accurate"
ROW = {"mechanism": "rounded_averages", "biases": "narrow", "eps": 1.0, "n": 20, "m": 0, "p": 4096, "alpha": 0.25, "bound": 0.4}


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("step", "holds"),
        ("half", "holds"),
        ("algebra", "refuted"),
        ("algebra-repaired", "holds"),
        ("alpha", "refuted"),
        ("chance", "refuted"),
        ("chance-repaired", "holds"),
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
        ({}, {AVERAGES}),
        ({"n": 10}, set()),
        ({"n": 26}, set()),
        ({"m": 1}, set()),
        ({"biases": "wide"}, set()),
        ({"mechanism": "gaussian_averages", "n": 10**4, "m": 9}, {RELEASE}),
        ({"mechanism": "published_rows"}, {RELEASE}),
        ({"mechanism": "all_averages", "n": 500, "p": 10**6}, set()),
        ({"mechanism": "all_averages", "n": 510, "p": 10**6}, {ACCURATE}),
        ({"mechanism": "all_averages", "n": 801, "p": 10**6}, set()),
        ({"mechanism": "PMW", "eps": 2.0}, set()),
        ({"mechanism": "exact_averages"}, set()),
    ],
)
def test_where_each_is_claimed(changes: dict[str, Any], met: set[str]) -> None:
    assert {name for name in (AVERAGES, RELEASE, ACCURATE) if claims()[name].applies(pd.Series(ROW | changes))} == met


@pytest.mark.parametrize(("named", "outcome"), [(0, "holds"), (1, "refuted")])
def test_a_named_private_row_in_every_run_is_too_many(named: int, outcome: str) -> None:
    rows = pd.DataFrame([ROW | {"cell": "a", "mechanism": "PMW", "trial": i, "named_private": named} for i in range(60)])
    verdict = event("BCMNUW20:T13-release").decide("x", rows, 1e-6)
    assert verdict.outcome == outcome and verdict.claimed == 0.4


@pytest.mark.parametrize(
    ("changes", "fails"),
    [
        ({}, False),
        ({"error": 0.251}, True),
        ({"named": 0}, True),
        ({"m": 3, "named": 3}, True),
        ({"m": 3, "named": 4}, False),
    ],
)
def test_accurate_averages_and_a_named_row(changes: dict[str, Any], fails: bool) -> None:
    frame = pd.DataFrame([ROW | {"cell": "a", "trial": 0, "error": 0.2, "named": 1} | changes])
    assert RowsSeen.of(event(ACCURATE), frame).failed.tolist() == [fails]


def test_from_where_on_faltering_is_too_much() -> None:
    """α/2 − 1/x against 1/x²: from x = 9.8 on at α = 1/4."""
    assert faltering(0.25, 8) <= 1 / 8**2 and faltering(0.25, 10) > 1 / 10**2
