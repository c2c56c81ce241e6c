"""Lemma 17's numbers, and Lemma 18, which no program decides."""

from functools import partial

import pandas as pd

from harness.claims.bcmnuw20.l17 import LEARNER, _spends
from harness.claims.engine import Computed
from harness.claims.registry import claims
from tests.support.claims import event


def test_numbers_hold() -> None:
    for name in ("L17-n", "L17-n-sharp", "L17-privacy"):
        assert {verdict.outcome for verdict in claims()[f"BCMNUW20:{name}"].computed()} == {"holds"}


def test_a_second_look_at_the_rate_of_labels_would_not_be_private() -> None:
    assert {verdict.outcome for verdict in Computed(partial(_spends, 2)).computed("twice")} == {"refuted"}


def test_examples_serve_both_releases_and_the_rate() -> None:
    """α² n' is at least what the rate asks for, 32 ln(4/β), and not much more than the sum of the parts."""
    for alpha in (0.1, 0.001):
        assert LEARNER.examples(alpha, 0.05, 1.0, 1e-6) * alpha**2 >= 140


def test_where_it_is_claimed() -> None:
    row = {"mechanism": "release_learner", "n": 10, "needed": 10, "gamma": 0.1, "alpha": 0.1, "beta": 0.05}
    claim = claims()["BCMNUW20:L17-thresholds"]
    assert claim.applies(pd.Series(row)) and not claim.applies(pd.Series(row | {"n": 9}))
    assert event("BCMNUW20:L17-thresholds").bound(pd.Series(row)) == 0.1


def test_no_program_decides_lemma_18() -> None:
    claim = claims()["BCMNUW20:L18"]
    (verdict,) = claim.computed()
    assert verdict.outcome == claim.expected == "untested"
    assert "every private learner" in verdict.where
