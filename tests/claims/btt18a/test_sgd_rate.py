"""The rates of SGD: where each is claimed, what lines of each power decide, and that false powers fall on trials."""

import json

import numpy as np
import pandas as pd
import pytest

from harness.claims.btt18a.sgd_rate import POWERS, ChangeExponents, form
from harness.claims.registry import claims
from harness.concepts.scores.sgd import Sgd
from harness.trials.stability import KIND, StabilityCell

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
