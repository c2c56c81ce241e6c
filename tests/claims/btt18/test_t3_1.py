"""The privacy claims: what decides them, and what the exact numbers say.

What BTT18 is silent about: the same checks let the theorems stand where they are meant.
"""

from math import exp

import numpy as np
import pandas as pd
import pytest

from harness.claims.btt18 import t3_1, t4
from harness.claims.engine import overall
from harness.claims.registry import claims
from harness.theory.constants import calibrations
from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.spent import spent_lower, spent_upper

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


def test_the_witness_of_a_large_eps_shows_none_at_five() -> None:
    assert all(number.measured > number.bound for number in t3_1._many_epochs())
    assert all(spent_lower(calibrations()["printed"], 5.0, 0.2, 5000, T) < 5.0 for T in (1.0, 1000.0))


@pytest.mark.parametrize("delta", [1e-10, 1e-6, 1e-2, 0.2])
def test_up_to_five_the_printed_constants_are_certified(delta: float) -> None:
    """The range that the errata of Theorem 3.1 name."""
    printed, settings = calibrations()["printed"], [(m, T) for m in (1, 10, 1000, 10**7) for T in (1.0, 10.0, 100.0, 1e5)]
    assert all(spent_upper(printed, 5.0, delta, m, T) <= 5.0 for m, T in settings)


def test_one_query_at_a_cutoff_of_one_spends_less_than_eps() -> None:
    (number,) = t3_1._below_one()
    assert number.measured > 1e4 * number.bound
    printed = calibrations()["printed"]
    lam, w = printed.lam(1.0, 1e-6, 1, 1.0), printed.w(1.0, 1e-6, 1, 1.0)
    more, less = (float(difference_tail(distance - w, lam)) for distance in (20, 22))
    assert more - exp(1.0) * less < 0


def test_of_two_queries_at_w_both_are_answered_with_seven_in_twenty_four() -> None:
    """By the trapezium rule over the threshold's noise, in units of λ."""
    u = np.linspace(-40, 40, 400_001)
    answered = np.where(u > 0, np.exp(-np.abs(u) / 2) / 2, 1 - np.exp(-np.abs(u) / 2) / 2)
    both = float(np.trapezoid(answered**2 * np.exp(-np.abs(u)) / 2, u))
    assert abs(both - float(t4.BOTH_ANSWERED)) < 1e-6
