"""Claim 4.1 on rows made by hand: its hypotheses on β and m, half its bound as the limit, and its proof's last inequality."""

from typing import Any

import pandas as pd
import pytest

from harness.claims.btt18.c4_1 import least_m
from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from tests.support.claims import event

ROW = {
    "cell": "c0ffee",
    "mechanism": "A_binClas",
    "trial": 0,
    "constants": "BTT18",
    "k_scale": 1.0,
    "T_target": None,
    "vacuous": False,
    "eps": 1.0,
    "alpha": 0.02,
    "beta": 0.01,
    "gamma": 0.1,
    "m": 2000,
    "fresh_error": 0.1,
}


def rows(**changes: Any) -> pd.DataFrame:
    return pd.DataFrame([ROW | changes])


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"m": 1000}, "m is 1000, alpha is 0.02, beta is 0.01 and BTT18 Claim 4.1 is about m ≥ 4 ln(1/(αβ))/α"),
        ({"beta": 0.03}, "beta is 0.03, alpha is 0.02 and BTT18 Claim 4.1 is about beta ≤ alpha < 1"),
        ({"T_target": 7.0}, "T_target is 7 and BTT18 Claim 4.1 is about T = 3B"),
    ],
)
def test_it_asks_for_a_small_beta_and_enough_queries(changes: dict[str, Any], why: str) -> None:
    assert 1000 < least_m(0.02, 0.01) < 2000
    for name in ("BTT18:C4.1", "BTT18:C4.1-repaired"):
        assert len(list(claims()[name].questions(rows(**changes)))) == (not why)
        assert claims()[name].unmet([rows(**changes).iloc[0]]) == why


@pytest.mark.parametrize(("name", "bound"), [("BTT18:C4.1", 0.44), ("BTT18:C4.1-repaired", 0.36)])
def test_a_trial_fails_from_half_the_bound_on(name: str, bound: float) -> None:
    assert event(name).bound(rows().iloc[0]) == pytest.approx(bound)
    assert [RowsSeen.of(event(name), rows(fresh_error=bound / 2 + off)).failed.item() for off in (-1e-6, 1e-6)] == [
        False,
        True,
    ]


@pytest.mark.parametrize("changes", [{"vacuous": True}, {"gamma": 0.4}, {"beta": 0.5, "alpha": 0.5}], ids=str)
def test_it_promises_nothing_where_the_plan_does_not_or_the_bound_is_one(changes: dict[str, Any]) -> None:
    assert event("BTT18:C4.1").bound(rows(**changes).iloc[0]) is None
    assert event("BTT18:C4.1").of_trial(rows(**changes)) == ()


def test_the_last_inequality_fails_where_gamma_is_several_alpha() -> None:
    outcomes = [(verdict.where, verdict.outcome) for verdict in claims()["BTT18:C4.1-step"].computed()]
    assert [outcome for where, outcome in outcomes if "γ = 1α" in where] == ["holds"]
    assert [outcome for where, outcome in outcomes if "γ = 10α" in where] == ["refuted"]


@pytest.mark.parametrize(("share", "outcome"), [(0.49, "holds"), (0.51, "undecided"), (1.4, "undecided"), (1.6, "refuted")])
def test_what_the_estimates_cannot_tell_from_the_bound_is_undecided(share: float, outcome: str) -> None:
    """Of 2,000 trials, all alike: a stricter test that is broken is no counterexample to the claim itself."""
    bound = event("BTT18:C4.1").bound(rows().iloc[0]) or 0.0
    many = pd.concat([rows(fresh_error=share * bound)] * 2000, ignore_index=True)
    assert claims()["BTT18:C4.1"].decide(many, 1e-3).outcome == outcome
