"""The sharper companions of Theorem 3.2's claims: each sees what the claim beside it has too much slack for."""

from collections.abc import Callable
from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

import pytest

from harness.claims.engine import overall
from harness.claims.registry import claims
from harness.concepts.thresholds import Uniform
from harness.report.verdicts import Evidence, judge
from harness.sweep.table.cells import Cells
from harness.theory.constants import constants
from harness.theory.parameters import Constants, Task

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
    monkeypatch.setattr("harness.claims.btt18.t3_2_k.constants", lambda: wrong)
    assert overall(verdict.outcome for verdict in claim.computed()) == "refuted"


def test_ln_1_over_beta_in_the_cutoff_is_seen(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """Where L = ln(m/β) is printed; the claim on the run itself has too much room to see it."""
    monkeypatch.setattr(Task, "L", property(lambda self: log(1 / self.beta)))
    found = outcomes(project, SPREAD)
    assert (found["BTT18:T3.2-T"], found["BTT18:T3.2-spread"]) == ("refuted", "holds")
