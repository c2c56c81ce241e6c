"""The theorem on SGD: its verdicts on rows made by hand and on trials; a false variant falls."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.claims.btt18a.sgd import NoMoreThanUniform
from harness.claims.registry import claims
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
