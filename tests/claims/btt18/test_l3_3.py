"""Lemma 3.3 on rows made by hand, and on any votes."""

from itertools import product
from math import floor
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from tests.support.claims import event

LEMMA, NINE_TENTHS = "BTT18:L3.3", "probe:BTT18:L3.3-nine-tenths"


def rows(**columns: Any) -> pd.DataFrame:
    """As many as a column has values."""
    return pd.DataFrame({"cell": "c0ffee", "mechanism": "A_binClas", "trial": range(len(columns["unstable"]))} | columns)


def test_the_lemma_is_broken_by_as_many_queries_as_3B() -> None:
    """Fewer than B/ξ = 3B queries; at B = 0 none has a wrong vote, and the strict inequality is let pass."""
    frame = rows(max_mistakes=[5, 5, 5, 0, 0], unstable=[14, 15, 16, 0, 1])
    assert RowsSeen.of(event(LEMMA), frame).failed.tolist() == [False, True, True, False, True]
    assert [event(LEMMA).of_trial(frame.iloc[[i]])[0].broken for i in range(5)] == [False, True, True, False, True]
    assert claims()[LEMMA].decide(frame, 0.0).outcome == "refuted"
    assert claims()[LEMMA].decide(frame.iloc[[0, 3]], 0.0).outcome == "holds"


def test_nine_tenths_of_it_are_passed_from_27_queries_of_30_on() -> None:
    frame = rows(max_mistakes=[10, 10, 10, 0], unstable=[26, 27, 28, 0])
    assert RowsSeen.of(event(NINE_TENTHS), frame).failed.tolist() == [False, True, True, False]
    verdict = claims()[NINE_TENTHS].decide(frame, 0.0)
    assert (verdict.outcome, verdict.failed_trial, verdict.measured, verdict.bound) == ("refuted", 1, 28 / 30, 0.9)


def test_the_lemma_holds_on_any_votes() -> None:
    """Brute force: wrong votes of 30 classifiers on 40 queries at all densities, against the rows they make."""
    rng = np.random.default_rng(0)
    wrong = rng.random((500, 30, 40)) < rng.random((500, 1, 1)) * rng.random((500, 1, 40))
    most, unstable = wrong.sum(axis=2).max(axis=1), (3 * wrong.sum(axis=1) > 30).sum(axis=1)
    assert unstable.max() > 20
    assert not RowsSeen.of(event(LEMMA), rows(max_mistakes=most, unstable=unstable)).failed.any()


def test_nothing_is_asked_of_a_sampler_that_does_not_count_mistakes() -> None:
    frame = rows(max_mistakes=[None], unstable=[3])
    assert not list(claims()[LEMMA].questions(frame))


def test_at_one_half_it_is_about_plain_majorities_and_twice_the_most_mistakes() -> None:
    claim, decider = claims()["BTT18:L3.3-half"], event("BTT18:L3.3-half")
    rows = pd.DataFrame({"mechanism": "majority", "misclassified": [19, 20, 21, 0, 1], "max_mistakes": [10, 10, 10, 0, 0]})
    assert RowsSeen.of(decider, rows).failed.tolist() == [False, False, True, False, False]
    assert claim.applies(rows.iloc[0])
    assert not claim.applies(rows.assign(mechanism="A_binClas").iloc[0])


@pytest.mark.parametrize("xi", [0.5, 1 / 3, 0.1])
def test_at_any_share_the_most_queries_are_those_of_the_worst_table_of_mistakes(xi: float) -> None:
    """Brute force over all tables of 3 hypotheses on 4 queries that err at most B times each."""
    k, m = 3, 4
    rows = [np.array(row) for row in product((0, 1), repeat=m)]
    for B in (1, 2):
        few = [row for row in rows if row.sum() <= B]
        most = max(np.count_nonzero(np.sum(table, axis=0) > xi * k) for table in product(few, repeat=k))
        assert most == min(m, k * B // (floor(xi * k) + 1))
        assert most < B / xi
