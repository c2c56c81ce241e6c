"""The proof's bounds on the mistakes: on rows made by hand, and by the laws they are about.

The sharper companions of Theorem 3.2's claims: each sees what the claim beside it has too much slack for.
"""

from collections.abc import Callable
from dataclasses import replace
from math import ceil, log, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from harness.claims.engine import overall
from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from harness.concepts.thresholds import Uniform
from harness.report.verdicts import Evidence, judge
from harness.sweep.table.cells import Cells
from harness.theory.constants import constants
from harness.theory.parameters import Constants, Task
from tests.support.asked import rows_of
from tests.support.claims import event

PRINTED, REPAIRED, LEARNERS = "BTT18:T3.2-B", "BTT18:T3.2-B-repaired", "BTT18:T3.2-learners"
GOOD = {
    "cell": "c0ffee",
    "concept": "exact_error",
    "mechanism": "A_binClas",
    "vacuous": True,
    "trial": 0,
    "m": 10_000,
    "k": 100,
    "beta": 0.05,
    "gamma": 0.0,
    "alpha": 0.01,
    "max_mistakes": 100,
}
L = log(10_000 / 0.05)
CHERNOFF, BERNSTEIN = 100 + sqrt(100 * L / 2), 100 + sqrt(2 * 100 * L) + L / 3


def rows(**columns: object) -> pd.DataFrame:
    """One row, or as many as a column has values."""
    length = max([len(value) for value in columns.values() if isinstance(value, list)], default=1)
    return pd.DataFrame(GOOD | columns, index=range(length))


@pytest.mark.parametrize(("name", "most"), [(PRINTED, CHERNOFF), (REPAIRED, BERNSTEIN)])
def test_a_trial_fails_where_some_hypothesis_errs_more_than_the_bound(name: str, most: float) -> None:
    frame = rows(max_mistakes=[0, int(most), ceil(most), 10_000])
    assert event(name).bound(frame.iloc[0]) == pytest.approx(most)
    assert RowsSeen.of(event(name), frame).failed.tolist() == [False, False, True, True]
    assert [event(name).of_trial(frame.iloc[[i]])[0].broken for i in range(4)] == [False, False, True, True]


@pytest.mark.parametrize("beta", [0.05, 1e-6])
@pytest.mark.parametrize(("m", "alpha", "k"), [(100, 0.01, 10), (10_000, 0.01, 10), (10_000, 0.5, 10), (1000, 0.1, 10**9)])
def test_the_repaired_bound_holds_for_k_independent_hypotheses_by_the_binomial_law(
    m: int, alpha: float, k: int, beta: float
) -> None:
    most = event(REPAIRED).bound(rows(m=m, alpha=alpha, k=k, beta=beta).iloc[0])
    assert most is not None
    one = binom.sf(int(most), m, alpha)
    assert -np.expm1(k * np.log1p(-one)) <= beta


def test_the_printed_bound_fails_even_for_one_hypothesis_by_the_binomial_law() -> None:
    """About (β/m)^(1/4) in place of β/m."""
    one = binom.sf(int(CHERNOFF), 10_000, 0.01)
    assert 0.1 * (0.05 / 10_000) ** 0.25 < one < (0.05 / 10_000) ** 0.25
    assert -np.expm1(100 * np.log1p(-one)) > 0.05


@pytest.mark.parametrize(
    ("changes", "asked"), [({}, 1), ({"concept": "thresholds"}, 0), ({"mechanism": "majority"}, 0)], ids=str
)
def test_the_bounds_are_decided_on_hypotheses_of_exact_error(changes: dict[str, object], asked: int) -> None:
    for name in (PRINTED, REPAIRED):
        assert len(list(claims()[name].questions(rows(**changes)))) == asked


def test_a_trial_of_learners_fails_where_the_worst_passes_the_bound_of_one_of_error_alpha() -> None:
    """100 mistakes expected, L = ln(k/β) = ln 10⁶: 157.2 allowed."""
    frame = rows(concept="thresholds", k=50_000, max_mistakes=[100, 157, 158, 10_000])
    assert event(LEARNERS).bound(frame.iloc[0]) == pytest.approx(100 + sqrt(200 * log(10**6)) + log(10**6) / 3)
    assert RowsSeen.of(event(LEARNERS), frame).failed.tolist() == [False, False, True, True]


def test_the_learners_may_fail_it_with_beta_and_their_mistakes_with_another() -> None:
    assert event(LEARNERS).allowed(rows().iloc[0]) == 0.1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({}, ""),
        ({"mechanism": "majority"}, "mechanism is majority and BTT18 Theorem 3.2 is about mechanism = A_binClas"),
        ({"concept": "exact_error"}, "concept is exact_error and BTT18 Theorem 3.2 is about hypotheses that are learned"),
        ({"max_mistakes": None}, "max_mistakes is None and BTT18 Theorem 3.2 is about trials that measure max_mistakes"),
        ({"alpha": 1.0}, "alpha is 1 and BTT18 Theorem 3.2 is about alpha < 1"),
        ({"alpha": float("inf")}, "alpha is inf and BTT18 Theorem 3.2 is about alpha < 1"),
    ],
)
def test_it_is_about_learners_whose_mistakes_are_known_and_whose_bound_says_something(
    change: dict[str, object], why: str
) -> None:
    frame = rows(**{"concept": "thresholds"} | change)
    assert [len(rows_of(question)) for question in claims()[LEARNERS].questions(frame)] == [1] * (not why)
    assert claims()[LEARNERS].unmet([frame.iloc[0]]) == why


if TYPE_CHECKING:
    from tests.support.project import Project

SPREAD: dict[str, str | None] = {
    "concept": "arcs",
    "distribution": "{name: circle, share: 0.41}",
    "learner": None,
    "n": None,
    "alpha": "0.1",
    "m": "1e4",
    "constants": "k_tight",
    "mechanisms": "[A_binClas]",
    "trials": "150",
    "claims": '["BTT18:T3.2-spread", "probe:BTT18:T3.2-spread-two-thirds", "BTT18:T3.2-T", "BTT18:L3.3"]',
    "figure": "{x: m}",
}
LAW: dict[str, str | None] = {
    "learner": "[leftmost, midpoint]",
    "n": "3e9",
    "m": "1e5",
    "mechanisms": "[A_binClas]",
    "trials": "100",
    "claims": '["BTT18:T3.2-learners-law", "BTT18:T3.2-learners"]',
}


def outcomes(project: "Project", changes: dict[str, str | None]) -> dict[str, str]:
    sweep = project.sweep(**changes)
    frame = project.run(sweep, fresh=True).table.frame()
    return {f.claim.id: f.outcome for f in judge([Evidence("small", "answers", Cells(frame), sweep.spec.claims)], 1e-3)}


@pytest.mark.law
def test_three_b_is_enough_for_spread_mistakes_and_two_b_is_not(project: "Project") -> None:
    """Some 2,425 of 10⁴ queries are ⊥, with a deviation of 43; 2B = 2,157 and 3B = 3,235."""
    assert outcomes(project, SPREAD) == {
        "BTT18:L3.3": "holds",
        "BTT18:T3.2-T": "holds",
        "BTT18:T3.2-spread": "holds",
        "probe:BTT18:T3.2-spread-two-thirds": "refuted",
    }


@pytest.mark.law
@pytest.mark.parametrize(("factor", "spread"), [(2 / 3, "refuted"), (2, "holds"), (0.99, "holds")])
def test_a_cutoff_that_is_not_three_b_is_seen(
    factor: float, spread: str, project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    cutoff = Constants.T
    monkeypatch.setattr(Constants, "T", lambda self, task, alpha: factor * cutoff(self, task, alpha))
    found = outcomes(project, SPREAD)
    assert (found["BTT18:T3.2-T"], found["BTT18:T3.2-spread"]) == ("refuted", spread)


@pytest.mark.law
def test_the_law_of_the_worst_learner_sees_a_midpoint_that_is_none_and_the_pac_bound_does_not(
    project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(outcomes(project, LAW).values()) == {"holds"}
    at = Uniform.at
    monkeypatch.setattr(Uniform, "at", lambda self, situation: at(self, replace(situation, learner="leftmost")))
    found = outcomes(project, LAW | {"learner": "midpoint"})
    assert found == {"BTT18:T3.2-learners-law": "refuted", "BTT18:T3.2-learners": "holds"}


@pytest.mark.parametrize("least", [lambda task: task.delta, lambda task: task.beta / 2], ids=["delta", "half of beta"])
def test_k_at_one_of_the_two_in_place_of_the_smaller_is_refuted(
    least: Callable[[Task], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = claims()["BTT18:T3.2-k-any"]
    assert overall(verdict.outcome for verdict in claim.computed()) == "holds"
    wrong = {
        name: replace(
            constants()[name],
            chunks=lambda task, T, lam, w: 34 * 2**0.5 * lam * log(4 * task.m * T / least(task)),
        )
        for name in ("BTT18", "BTT18a")
    }
    monkeypatch.setattr("harness.claims.btt18.t3_2_proof.constants", lambda: wrong)
    assert overall(verdict.outcome for verdict in claim.computed()) == "refuted"


@pytest.mark.law
def test_ln_1_over_beta_in_the_cutoff_is_seen(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """Where L = ln(m/β) is printed; the claim on the run itself has too much room to see it."""
    monkeypatch.setattr(Task, "L", property(lambda self: log(1 / self.beta)))
    found = outcomes(project, SPREAD)
    assert (found["BTT18:T3.2-T"], found["BTT18:T3.2-spread"]) == ("refuted", "holds")
