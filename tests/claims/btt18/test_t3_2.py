"""BTT18 Theorem 3.2 on rows made by hand: m = 100, T = 12.5, β = 0.05, so the claimed rate is 0.125 and may fail w.p. 0.1."""

import numpy as np
import pandas as pd
import pytest

from harness.claims.engine.events import EventSeen
from harness.claims.registry import claims
from tests.support.claims import event

CLAIM, EVENT = claims()["BTT18:T3.2"], event("BTT18:T3.2")
GOOD = {
    "cell": "c0ffee",
    "mechanism": "A_binClas",
    "constants": "BTT18",
    "k_scale": 1.0,
    "T_target": None,
    "trial": 0,
    "beta": 0.05,
    "m": 100,
    "T": 12.5,
    "bound": 0.125,
    "vacuous": False,
    "halted_at": None,
    "bottoms": 12,
    "misclassification_rate": 0.12,
}


def rows(*changes: dict[str, object], repeat: int = 1) -> pd.DataFrame:
    """One row for each change to a row in which everything is just within the claim."""
    return pd.DataFrame([GOOD | change for change in changes] * repeat)


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        ({}, False),
        ({"halted_at": 99.0}, True),
        ({"halted_at": 0.0}, True),
        ({"bottoms": 13}, True),
        ({"misclassification_rate": 0.13}, True),
        ({"bottoms": 0, "misclassification_rate": 0.0}, False),
        ({"T": 12.0, "bound": 0.12}, False),
        ({"T": 11.99, "bound": 0.1199}, True),
        ({"halted_at": 50.0, "bottoms": 13, "misclassification_rate": 0.6}, True),
    ],
)
def test_each_of_the_three_conditions_alone_fails_a_trial(change: dict[str, object], failed: bool) -> None:
    row = rows(change)
    assert EventSeen.of(EVENT, row).failed.tolist() == [failed]
    assert any(part.broken for part in EVENT.of_trial(row)) == failed


def test_trials_are_counted_one_by_one() -> None:
    frame = rows({}, {"halted_at": 40.0}, {"bottoms": 13}, {}, {"misclassification_rate": 0.2})
    assert EventSeen.of(EVENT, frame).failed.tolist() == [False, True, True, False, True]


@pytest.mark.parametrize(
    ("name", "mechanism", "constants"), [("BTT18:T3.2", "A_binClas", "BTT18"), ("BTT18a:C4.1", "A_subSamp", "BTT18a")]
)
@pytest.mark.parametrize(
    ("changes", "asked"),
    [({}, 1), ({"k_scale": 0.5}, 0), ({"T_target": 5.0}, 0), ({"constants": "k_tight"}, 0), ({"mechanism": "A_OQR"}, 0)],
)
def test_it_is_about_its_mechanism_at_its_own_constants_as_printed(
    name: str, mechanism: str, constants: str, changes: dict[str, object], asked: int
) -> None:
    printed: dict[str, object] = {"mechanism": mechanism, "constants": constants}
    assert len(list(claims()[name].questions(rows(printed | changes)))) == asked


def test_it_claims_a_rate_of_T_over_m_but_for_twice_beta_and_sees_down_to_one_query() -> None:
    first = rows({}).iloc[0]
    assert EVENT.allowed(first) == 0.1
    assert EVENT.bound(first) == 0.125
    assert EVENT.resolution(first) == 0.01


@pytest.mark.parametrize("trials", [1, 9, 10, 11, 150])
@pytest.mark.parametrize("beta", [0.05, 1e-6, 0.3, 0.7])
def test_what_is_measured_is_a_rate_that_at_most_a_fraction_2beta_of_the_trials_exceed(trials: int, beta: float) -> None:
    rates = np.random.default_rng(0).random(trials)
    frame = rows(*({"misclassification_rate": rate, "beta": beta} for rate in rates))
    measured = EVENT.measured(EventSeen.of(EVENT, frame))
    assert measured in rates
    assert np.count_nonzero(rates > measured) <= min(1.0, 2 * beta) * trials
    lower = rates[rates < measured]
    assert len(lower) == 0 or np.count_nonzero(rates > lower.max()) >= min(1.0, 2 * beta) * (trials - 1)


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ([{}], "holds"),
        ([{"halted_at": 3.0}], "refuted"),
        ([{"bottoms": 13}], "refuted"),
        ([{"misclassification_rate": 0.13}], "refuted"),
        ([{}] * 9 + [{"halted_at": 3.0}], "undecided"),
        ([{"vacuous": True, "bound": None, "halted_at": 3.0}], "vacuous"),
        ([{"beta": 0.5}], "vacuous"),
    ],
)
def test_200_trials_decide_it(changes: list[dict[str, object]], outcome: str) -> None:
    verdict = CLAIM.decide(rows(*changes, repeat=200 // len(changes)), error=1e-3)
    assert verdict.outcome == outcome
