"""Lemma 7: its readings on rows made by hand, that no inner accuracy will do, and what is proved."""

from math import log
from typing import Any

import pandas as pd
import pytest

from harness.claims.bcmnuw20.l7_no_accuracy import SETTINGS, at_no_accuracy
from harness.claims.bcmnuw20.l7_proved import HALT, NO_HALT, by_dr14, margins, room
from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from harness.theory.constants.bcmnuw20 import DR14, PRINTED, PROVED
from tests.support.claims import event

N = round(PRINTED.n(1000, log(500), 0.1, 0.05, 0.9, 1e-6))
ROW = {
    "cell": "c0ffee",
    "mechanism": "PMW",
    "trial": 0,
    "constants": "BCMNUW20",
    "m": 0,
    "n": N,
    "needed": N,
    "H": 1000,
    "log_X": log(500),
    "alpha": 0.1,
    "accuracy": 0.05,
    "eps": 0.9,
    "delta": 1e-6,
    "beta": 0.05,
    "error_on_cover": 0.05,
}
READINGS = {"alpha": 1, "alpha-half": 1 / 2, "alpha-third": 1 / 3, "four-thirds": 4 / 3, "twice-alpha": 2, "four-alpha": 4}


def rows(**changes: Any) -> pd.DataFrame:
    return pd.DataFrame([ROW | changes])


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"constants": "BCMNUW20 with c_share = 2, c_eta = 2"}, ""),
        ({"mechanism": "A_PAP"}, "mechanism is A_PAP and BCMNUW20 Lemma 7 is about mechanism = PMW"),
        ({"accuracy": 0.1}, "accuracy is 0.1, alpha is 0.1 and BCMNUW20 Lemma 7 is about α' = α/2"),
        ({"m": 9}, "m is 9 and BCMNUW20 Lemma 7 is about m = 0"),
    ],
)
def test_a_reading_is_about_its_own_accuracy_whatever_the_constants_are_called(changes: dict[str, Any], why: str) -> None:
    half = claims()["BCMNUW20:L7-alpha-half"]
    assert len(list(half.questions(rows(**changes)))) == (not why)
    assert half.unmet([rows(**changes).iloc[0]]) == why


def test_a_reading_is_about_the_n_of_the_lemma() -> None:
    half = claims()["BCMNUW20:L7-alpha-half"]
    assert [half.applies(rows(n=int(share * N)).iloc[0]) for share in (0.9, 1.0, 2.0)] == [False, True, False]


def test_each_reading_has_an_accuracy_of_its_own() -> None:
    for name, share in READINGS.items():
        first = rows(accuracy=0.1 * share).iloc[0]
        assert [each for each in READINGS if claims()[f"BCMNUW20:L7-{each}"].applies(first)] == [name]
        assert claims()[f"BCMNUW20:L7-{name}"].nature == "reading"


def test_the_quarter_is_about_a_quarter() -> None:
    quarter = claims()["probe:BCMNUW20:L7-quarter"]
    found = {n: len(list(quarter.questions(rows(n=n, needed=1000, constants="repaired")))) for n in (240, 250, 1000)}
    assert found == {240: 0, 250: 1, 1000: 0}


@pytest.mark.parametrize("name", ["BCMNUW20:L7-alpha-half", "BCMNUW20:L7-proved", "probe:BCMNUW20:L7-quarter"])
def test_a_trial_fails_beyond_alpha_on_the_cover(name: str) -> None:
    assert event(name).bound(rows().iloc[0]) == 0.1
    assert [RowsSeen.of(event(name), rows(error_on_cover=error)).failed.item() for error in (0.1, 0.1001)] == [False, True]


@pytest.mark.parametrize(("failures", "outcome"), [(300, "refuted"), (0, "holds"), (15, "undecided")])
def test_verdicts(failures: int, outcome: str) -> None:
    many = pd.concat([rows(trial=i, error_on_cover=0.2 if i < failures else 0.0) for i in range(300)])
    assert claims()["BCMNUW20:L7-alpha-half"].decide(many, 1e-3).outcome == outcome


def test_the_n_at_which_no_accuracy_will_do_is_the_printed_one() -> None:
    for each in SETTINGS:
        queries = 1e300
        own = PRINTED.n(queries, each.log_cells, each.alpha, each.beta, each.eps, each.delta)
        inner = log(128 * each.log_cells / (each.alpha**2 * each.beta))
        assert each.n == pytest.approx(own * (each.log_queries + inner) / (log(queries) + inner), rel=1e-9)


def test_both_classes_fail_about_the_turn_and_only_on_their_own_side() -> None:
    for each in SETTINGS:
        turn = each.turn()
        assert each.missed(turn) < 1e-6 > each.halted(turn)
        assert each.missed(0.5) < 1e-6 > each.halted(1.2)
        assert each.missed(turn * 1.01) == 1 == each.halted(turn * 0.9)
    assert all(number.measured > 0.999 > number.bound for number in at_no_accuracy())


def test_what_is_proved_has_room_and_a_little_less_has_none() -> None:
    (number,) = margins()
    assert 0.99 < number.measured <= 1
    far = 1e8
    assert (
        room(PROVED.factor, PROVED.share, far, NO_HALT, False)
        > 0
        > room(0.95 * PROVED.factor, PROVED.share, far, NO_HALT, False)
    )
    assert room(0.95 * PROVED.factor, 0.95 * PROVED.share, far + HALT, HALT, True) < 0
    assert room(PRINTED.factor, 2, 10.0, NO_HALT, False) < 0


def test_what_dr14_gives_is_no_less_than_its_three_factors() -> None:
    assert by_dr14(1e7, 1e6, 0.1, 0.05, 0.9, 1e-6) == pytest.approx(36 * DR14, rel=0.01)
    corner = by_dr14(0.0, log(2), 1.0, 1.0, 1.0, 1.0)
    assert corner == pytest.approx(2740, abs=5)
    assert all(
        by_dr14(h, log(cells), a, b, 1.0, 0.5) < corner
        for h in (0.5, 3.0)
        for cells in (2, 50)
        for a in (0.1, 0.9)
        for b in (0.01, 0.9)
    )
