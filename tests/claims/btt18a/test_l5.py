"""Lemma 5.8: its hypotheses, its bound, and that with a fourth of the sharp constant it would fall."""

import pandas as pd
import pytest

from harness.claims.btt18a.l5 import within
from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from harness.trials.stability import KIND, StabilityCell
from tests.support.claims import event

ROW = {"cell": "c0ffee", "mechanism": "on_average", "trial": 0, "s": 50, "closed": 0.01, "deviation": 0.05}


def test_it_is_about_learners_whose_stability_is_known() -> None:
    for name in ("BTT18a:L5.8", "BTT18a:L5.8-sharp"):
        assert claims()[name].applies(pd.Series(ROW))
        assert not claims()[name].applies(pd.Series(ROW | {"closed": None}))
        assert not claims()[name].applies(pd.Series(ROW | {"mechanism": "uniform"}))


def test_the_bounds_are_4_times_and_once_alpha_root_2n() -> None:
    """α√(2n') = 0.01·10."""
    first = pd.Series(ROW)
    assert event("BTT18a:L5.8").bound(first) == pytest.approx(0.4)
    assert event("BTT18a:L5.8-sharp").bound(first) == pytest.approx(0.1)
    assert event("BTT18a:L5.8").bound(pd.Series(ROW | {"closed": 0.1})) is None, "a bound of 4 says nothing"
    assert RowsSeen.of(event("BTT18a:L5.8-sharp"), pd.DataFrame([ROW, ROW | {"deviation": 0.11}])).failed.tolist() == [
        False,
        True,
    ]


@pytest.mark.law
@pytest.mark.parametrize("learner", ["means", {"name": "sgd", "order": "permuted"}])
def test_trials_of_both_hold_and_a_smaller_constant_falls(learner: object) -> None:
    """At a fourth of α√(2n'), half a standard deviation, more than half of the scores are beyond; error 1e-6."""
    cell = StabilityCell(s=200, pairs=2, learner=learner)
    frame = pd.DataFrame([KIND.rows(cell, ["on_average"], 1, trial)[0] for trial in range(150)])
    assert claims()["BTT18a:L5.8"].decide(frame, 1e-6).outcome == "holds"
    assert claims()["BTT18a:L5.8-sharp"].decide(frame, 1e-6).outcome == "holds"
    assert within(0.25).decide("false", frame, 1e-6).outcome == "refuted"
