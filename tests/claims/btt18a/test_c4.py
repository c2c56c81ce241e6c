"""BTT18a Corollary 4.1 over many labels: the corollary's own events, asked of rows with more than two labels."""

import pandas as pd
import pytest

from harness.claims.registry import claims

CLAIM = claims()["BTT18a:C4.1-labels"]
GOOD = {
    "cell": "c0ffee",
    "mechanism": "A_subSamp",
    "constants": "BTT18a",
    "concept": "intervals",
    "concept_parameters": '{"labels":3}',
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


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ({}, 1),
        ({"concept_parameters": '{"labels":2}'}, 0),
        ({"concept_parameters": "{}"}, 0),
        ({"mechanism": "majority"}, 0),
        ({"constants": "BTT18"}, 0),
        ({"T_target": 12.5}, 0),
    ],
)
def test_it_asks_of_many_labels_what_the_corollary_asks_of_two(change: dict[str, object], asked: int) -> None:
    frame = pd.DataFrame([GOOD | change])
    assert len(list(CLAIM.questions(frame))) == asked
    assert len(list(claims()["BTT18a:C4.1"].questions(frame))) == (change.keys() <= {"concept_parameters"})


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({}, "holds"),
        ({"misclassification_rate": 0.13}, "refuted"),
        ({"bottoms": 13}, "refuted"),
        ({"halted_at": 99}, "refuted"),
    ],
)
def test_any_of_its_events_fails_a_trial(change: dict[str, object], outcome: str) -> None:
    frame = pd.DataFrame([GOOD | change] * 400)
    assert CLAIM.decide(frame, 1e-6).outcome == outcome
