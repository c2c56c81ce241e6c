"""BTT18a Theorems 4.3 and 4.4, and the rates of §4.1: whom they are about, and variants that are false."""

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from harness.claims.engine import ComputedExponents
from harness.claims.engine.event_seen import RowsSeen
from harness.claims.engine.exponents import OFF
from harness.claims.registry import claims
from tests.support.claims import event

ROW = {
    "cell": "c0ffee",
    "mechanism": "A_subSamp",
    "constants": "BTT18a",
    "k_scale": 1.0,
    "T_target": None,
    "vacuous": False,
    "trial": 0,
    "alpha": 0.1,
    "beta": 0.05,
    "gamma": 0.0,
    "m": 2200,
    "T": 100.5,
    "misclassified": 100,
}


def rows(*changes: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame([ROW | change for change in changes or ({},)])


@pytest.mark.parametrize(("name", "gamma"), [("BTT18a:T4.3-right", 0.0), ("BTT18a:T4.4-right", 0.02)])
def test_all_but_T_are_right_but_for_a_chance_of_beta_where_there_are_queries_enough(name: str, gamma: float) -> None:
    claim = claims()[name]
    assert claim.applies(rows({"gamma": gamma}).iloc[0])
    for other in ({"m": 2100}, {"mechanism": "A_binClas"}, {"constants": "BTT18"}, {"vacuous": True}, {"gamma": 0.02 - gamma}):
        assert not claim.applies(rows({"gamma": gamma} | other).iloc[0])
    assert RowsSeen.of(event(name), rows({}, {"misclassified": 101})).failed.tolist() == [False, True]
    assert event(name).allowed(rows().iloc[0]) == 0.05


@pytest.mark.parametrize("name", ["BTT18a:S4.1-realizable", "BTT18a:S4.1-agnostic"])
def test_a_rate_of_section_4_that_is_off_by_a_quarter_never_holds(name: str) -> None:
    decider = claims()[name].decider
    assert isinstance(decider, ComputedExponents)
    for off in (OFF, -OFF):
        wrong = replace(decider.form, powers={axis: power + off for axis, power in decider.form.powers.items()})
        assert "holds" not in {each.outcome for each in replace(decider, form=wrong).computed("x")}
