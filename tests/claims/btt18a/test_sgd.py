"""The theorem on SGD: its verdicts on rows made by hand and on trials; a false variant falls.

The rates of SGD: where each is claimed, what lines of each power decide, and that false powers fall on trials.
"""

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.claims.btt18a.sgd import POWERS, ChangeExponents, NoMoreThanUniform, form
from harness.claims.registry import claims
from harness.scores.sgd import Sgd
from harness.trials.stability import KIND, StabilityCell

ROW = {"cell": "c0ffee", "learner": "means", "distribution": "atoms", "s": 40, "hardest": True}


def rows(average: float, uniform: float, **changes: Any) -> pd.DataFrame:
    """Thirty trials of both measures, with mean squares about these."""
    spread = 1 + 0.1 * np.sin(np.arange(30))
    return pd.DataFrame(
        ROW | changes | {"mechanism": name, "trial": i, "mean_square": mean * spread[i]}
        for name, mean in (("on_average", average), ("uniform", uniform))
        for i in range(30)
    )


@pytest.mark.parametrize(
    ("average", "hardest", "outcome"),
    [(0.5, True, "holds"), (1.01, True, "undecided"), (2.0, True, "refuted"), (2.0, False, "undecided")],
)
def test_it_falls_only_where_the_hardest_pair_is_known(average: float, hardest: bool, outcome: str) -> None:
    claim = claims()["BTT18a:SGD"]
    (cell,) = claim.questions(rows(average, 1.0, hardest=hardest))
    verdict = claim.decide(cell, 1e-6)
    assert verdict.outcome == outcome
    assert verdict.bound is not None and verdict.measured == pytest.approx(verdict.bound * average**0.5)


def test_a_cell_without_both_measures_is_asked_nothing() -> None:
    one = rows(0.5, 1.0)
    assert not list(claims()["BTT18a:SGD"].questions(one[one["mechanism"] == "uniform"]))


@pytest.mark.parametrize("learner", ["means", "sgd"])
def test_the_theorem_holds_of_trials_and_with_two_thirds_of_its_bound_would_not(learner: str) -> None:
    """On one atom with p = ½ the ratio of both α is √½ = 0.71; false with probability below 1e-6."""
    cell = StabilityCell(s=40, pairs=400, learner=learner)
    frame = pd.DataFrame([row for trial in range(30) for row in KIND.rows(cell, ["on_average", "uniform"], 1, trial)])
    assert claims()["BTT18a:SGD"].decide(frame, 1e-7).outcome == "holds"
    assert claims()["BTT18a:SGD"].decide(frame, 1e-7).challenged
    assert NoMoreThanUniform(2 / 3).decide("false", frame, 1e-7).outcome in ("refuted", "undecided")
    assert NoMoreThanUniform(0.5).decide("false", frame, 1e-7).outcome == "refuted"


SIZES = [100, 300, 1000, 3000]
NAMES = ("SGD-rate", "SGD-rate-constant", "SGD-rate-sqrt", "SGD-rate-repaired")


def line(steps: str, power: float) -> pd.DataFrame:
    """Twenty trials a size, whose root-mean-square changes fall on a line."""
    learner = Sgd(steps=steps)
    same = {"mechanism": "on_average", "distribution": "atoms", "distribution_parameters": "{}", "query": 0}
    return pd.DataFrame(
        same
        | {"cell": str(s), "trial": i, "s": s, "learner": str(learner), "learner_parameters": learner.model_dump_json()}
        | {"mean_square": float(s) ** (2 * power) * (1 + 0.05 * np.sin(i))}
        for s in SIZES
        for i in range(20)
    )


@pytest.mark.parametrize(
    ("steps", "power", "expected"),
    [
        ("constant", -0.5, ["refuted", "holds", "", ""]),
        ("constant", -1.0, ["holds", "refuted", "", ""]),
        ("sqrt", -0.75, ["", "", "holds", ""]),
        ("sqrt", -0.5, ["", "", "refuted", ""]),
        ("inverse", -1.0, ["", "", "", "holds"]),
        ("inverse", -1.5, ["", "", "", "holds"]),
        ("inverse", -0.75, ["", "", "", "refuted"]),
    ],
)
def test_what_a_line_decides(steps: str, power: float, expected: list[str]) -> None:
    frame = line(steps, power)
    asked = [list(claims()[f"BTT18a:{name}"].questions(frame)) for name in NAMES]
    found = [
        claims()[f"BTT18a:{name}"].decide(one[0], 1e-4).outcome if one else "" for name, one in zip(NAMES, asked, strict=True)
    ]
    assert found == expected


def test_too_few_sizes_ask_nothing_and_other_learners_neither() -> None:
    frame = line("constant", -0.5)
    assert not list(claims()["BTT18a:SGD-rate"].questions(frame[frame["s"] < 3000]))
    assert not list(claims()["BTT18a:SGD-rate"].questions(frame.assign(learner_parameters=json.dumps({}))))


@pytest.mark.at_once("constant")
@pytest.mark.parametrize("steps", list(POWERS))
def test_each_rule_of_steps_has_its_own_power_and_no_other(steps: str) -> None:
    """Trials of 10 to 320 examples on one atom: the right power is not refuted, each other one is."""
    learner = {"name": "sgd", "steps": steps, "eta": 1.0 if steps == "sqrt" else 0.5}
    cells = [StabilityCell(s=s, pairs=400, learner=learner) for s in (40, 80, 160, 320)]
    frame = pd.DataFrame([row for cell in cells for trial in range(12) for row in KIND.rows(cell, ["on_average"], 1, trial)])
    outcomes = {name: ChangeExponents(form(power)).decide("", frame, 1e-5).outcome for name, power in POWERS.items()}
    assert outcomes.pop(steps) != "refuted"
    assert set(outcomes.values()) <= {"refuted", "undecided"} and "refuted" in outcomes.values()


def test_the_growth_in_closed_form_is_without_bound() -> None:
    verdicts = list(claims()["BTT18a:SGD-rate-growth"].computed())
    assert [verdict.outcome for verdict in verdicts] == ["refuted", "refuted"]
    assert all("exponent -0.5," in verdict.where and "to 1e+12" in verdict.where for verdict in verdicts)
