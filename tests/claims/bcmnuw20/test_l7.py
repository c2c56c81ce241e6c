"""Lemma 7 on rows made by hand: its hypotheses, and what fails."""

from typing import Any

import pandas as pd
import pytest

from harness.claims.engine.events import Seen
from harness.claims.registry import claims
from tests.support.claims import event

ROW = {
    "cell": "c0ffee",
    "mechanism": "PMW",
    "trial": 0,
    "constants": "BCMNUW20",
    "m": 0,
    "n": 1000,
    "needed": 1000,
    "alpha": 0.1,
    "beta": 0.05,
    "error_on_cover": 0.05,
}


def rows(**changes: Any) -> pd.DataFrame:
    return pd.DataFrame([ROW | changes])


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"mechanism": "A_PAP"}, "mechanism is A_PAP and BCMNUW20 Lemma 7 is about mechanism = PMW"),
        ({"constants": "repaired"}, "constants is repaired and BCMNUW20 Lemma 7 is about constants = BCMNUW20"),
        ({"m": 9}, "m is 9 and BCMNUW20 Lemma 7 is about m = 0"),
        ({"n": 900}, "n is 900, needed is 1000 and BCMNUW20 Lemma 7 is about n as it asks for"),
    ],
)
def test_it_is_about_pmw_alone_at_its_own_n(changes: dict[str, Any], why: str) -> None:
    assert len(list(claims()["BCMNUW20:L7"].questions(rows(**changes)))) == (not why)
    assert claims()["BCMNUW20:L7"].unmet([rows(**changes).iloc[0]]) == why


def test_the_quarter_is_about_a_quarter() -> None:
    quarter = claims()["probe:BCMNUW20:L7-quarter"]
    found = {n: len(list(quarter.questions(rows(n=n, constants="repaired")))) for n in (240, 250, 1000)}
    assert found == {240: 0, 250: 1, 1000: 0}


@pytest.mark.parametrize("name", ["BCMNUW20:L7", "BCMNUW20:L7-repaired", "probe:BCMNUW20:L7-quarter"])
def test_a_trial_fails_beyond_alpha_on_the_cover(name: str) -> None:
    assert event(name).bound(rows().iloc[0]) == 0.1
    assert [Seen.of(event(name), rows(error_on_cover=error)).failed.item() for error in (0.1, 0.1001)] == [False, True]


@pytest.mark.parametrize(("failures", "outcome"), [(300, "refuted"), (0, "holds"), (15, "undecided")])
def test_verdicts(failures: int, outcome: str) -> None:
    many = pd.concat([rows(trial=i, error_on_cover=0.2 if i < failures else 0.0) for i in range(300)])
    assert claims()["BCMNUW20:L7"].decide(many, 1e-3).outcome == outcome
