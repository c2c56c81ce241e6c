"""Consistent randomisation: one pass over a permutation has it, and a learner whose start its coins draw has not."""

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.arrays import Ints, Labels, Reals
from harness.claims.btt18a.d5_9 import two_passes
from harness.claims.registry import claims
from harness.scores import Instance, Points
from harness.scores.sgd import Sgd
from harness.trials.stability import KIND, StabilityCell

CLAIM = "BTT18a:D5.9"


def outcome(learner: Any, trials: int = 40) -> str:
    cell = StabilityCell(s=8, pairs=200, learner=learner)
    frame = pd.DataFrame([KIND.rows(cell, ["coins"], 1, trial)[0] for trial in range(trials)])
    return claims()[CLAIM].decide(frame, 1e-6).outcome


def test_a_permutation_has_it() -> None:
    assert outcome({"name": "sgd", "order": "permuted"}) == "holds"


@pytest.mark.law
def test_coins_that_draw_the_start_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    fit = Sgd.fit

    def started(self: Sgd, instance: Instance, points: Points, labels: Labels, coins: Ints) -> Reals:
        return np.clip(fit(self, instance, points, labels, coins) + 0.1 * (coins % 2)[:, np.newaxis], 0, 1)

    monkeypatch.setattr(Sgd, "fit", started)
    assert outcome({"name": "sgd", "order": "permuted"}) == "refuted"


def test_it_is_about_one_pass_in_an_order_of_its_own() -> None:
    row = pd.Series({"mechanism": "coins", "learner_parameters": Sgd(order="permuted").model_dump_json()})
    assert claims()[CLAIM].applies(row)
    for other in (Sgd(), Sgd(order="permuted", passes=2)):
        assert not claims()[CLAIM].applies(row.replace(row["learner_parameters"], other.model_dump_json()))
    assert not claims()[CLAIM].applies(row.replace("coins", "uniform"))


def test_the_mean_after_two_passes_depends_on_the_order_of_the_second() -> None:
    assert (two_passes((0, 1)), two_passes((1, 0))) == (Fraction(71, 128), Fraction(72, 128))
