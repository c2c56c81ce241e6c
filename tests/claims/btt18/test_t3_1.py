"""The privacy claims: what decides them, and what the exact numbers say."""

import pandas as pd
import pytest

from harness.claims.engine import overall
from harness.claims.registry import claims

SUBJECTS = {
    "BTT18:T3.1": "printed",
    "BTT18a:C3.10": "printed",
    "BTT18:T3.1-repaired": "corrected",
    "BTT18a:T2.7": "sparse_vec",
    "constants:tight-private": "tight",
}
"""Whose run each claim is about."""


@pytest.mark.parametrize(
    ("name", "outcome"), [("BTT18:T2.4", "holds"), ("BTT18:T3.1-dist", "refuted"), ("BTT18:T3.1-dist-repaired", "holds")]
)
def test_one_stab_is_decided_by_its_distance(name: str, outcome: str) -> None:
    verdicts = list(claims()[name].computed())
    assert overall(verdict.outcome for verdict in verdicts) == outcome
    assert {verdict.outcome for verdict in verdicts} == {outcome}  # at every ε, δ and parity alike


def test_the_printed_distance_spends_twice_what_is_claimed() -> None:
    spent = [verdict for verdict in claims()["BTT18:T3.1-dist"].computed() if "k odd" in verdict.where]
    assert [verdict.measured for verdict in spent] == pytest.approx([2 * (verdict.bound or 0) for verdict in spent], rel=1e-3)


@pytest.mark.parametrize("name", [*SUBJECTS])
@pytest.mark.parametrize(("spent", "outcome"), [(0.8, "holds"), (1.0, "holds"), (1.01, "refuted")])
def test_a_run_is_decided_by_its_certified_upper_bound(name: str, spent: float, outcome: str) -> None:
    claim = claims()[name]
    frame = pd.DataFrame({"cell": "c", "mechanism": [SUBJECTS[name], "another"], "trial": 0, "eps": 1.0, "spent_upper": spent})
    (question,) = claim.questions(frame)
    assert not question.random
    assert claim.decide(question, 0.0).outcome == outcome


def test_the_printed_run_is_not_asked_about_beyond_what_is_certified() -> None:
    frame = pd.DataFrame({"cell": "c", "mechanism": ["printed"], "trial": 0, "eps": 10.0, "spent_upper": 10.03})
    assert list(claims()["BTT18:T3.1"].questions(frame)) == []
