"""What events measure, rule and let stand, number by number, against counts and confidence sequences by themselves."""

from typing import Any

import pandas as pd
import pytest

from harness.claims.engine import ANSWERED, Certain, Law, Limit, Never, Outcome, Probability
from harness.claims.engine.common import Spends, fifteen_alpha, rate_within
from harness.claims.engine.event_seen import EventSeen
from harness.claims.engine.events import most_failures
from harness.theory.confidence import confidence_sequence

BAD = Limit("bad", 0)


def rows(bad: list[int], **columns: Any) -> pd.DataFrame:
    return pd.DataFrame({"cell": "c", "mechanism": "ours", "trial": range(7, 7 + len(bad)), "bad": bad} | columns)


def failing(failures: int, trials: int) -> pd.DataFrame:
    return rows([1] * failures + [0] * (trials - failures))


@pytest.mark.parametrize(
    ("allowed", "trials", "place"),
    [(0.0, 11, 10), (0.1, 11, 9), (0.3, 11, 7), (0.1, 12, 10), (0.5, 2, 1), (0.99, 11, 1), (1.0, 11, 0), (3.0, 11, 0)],
)
def test_of_all_but_the_share_that_may_fail_the_largest_value_is_measured(allowed: float, trials: int, place: int) -> None:
    frame = rows([0] * trials, rate=[*range(trials)])
    event = Probability((Limit("rate", 99.0),), may_fail=allowed)
    assert event.measured(EventSeen.of(event, frame)) == place
    assert Certain((Limit("rate", 99.0),)).decide("PAPER:T1", frame, 1e-3).measured == trials - 1


@pytest.mark.parametrize(("trials", "allowed", "error"), [(3, 0.1, 0.1), (40, 0.3, 0.1), (40, 0.9, 0.1), (200, 0.1, 1e-3)])
def test_as_many_may_fail_as_leave_the_whole_interval_within_what_is_allowed(trials: int, allowed: float, error: float) -> None:
    enough = [f for f in range(trials) if confidence_sequence(f, trials, error, centre=allowed)[1] <= allowed]
    assert most_failures(trials, allowed, error) == max(enough, default=-1)


@pytest.mark.parametrize(("allowed", "centre"), [(0.001, 0.01), (0.002, 0.01), (0.4, 0.4), (0.995, 0.99)])
def test_far_from_a_half_an_interval_is_centred_a_hundredth_inside(allowed: float, centre: float) -> None:
    """Both what stands of a chance and what is said of a law."""
    low, high = confidence_sequence(60, 150, 1e-3, centre=centre)
    never, law = (kind((BAD,), may_fail=allowed).decide("PAPER:T1", failing(60, 150), 1e-3) for kind in (Never, Law))
    assert never.stands == law.stands == high and (law.lower, law.upper) == (low, high)
    assert (never.resolution, never.bound, law.bound, law.error) == (1e-4, allowed, allowed, 1e-3)


@pytest.mark.parametrize(("allowed", "bound"), [(0.5, 0.5), (0.999, 0.999), (1.0, None), (2.0, None)])
def test_what_may_always_happen_bounds_nothing(allowed: float, bound: float | None) -> None:
    assert Never((BAD,), may_fail=allowed).decide("PAPER:T1", failing(1, 9), 1e-3).bound == bound


def test_a_law_holds_where_the_whole_interval_is_near_it_and_is_refuted_where_none_of_it_is() -> None:
    frame = failing(4000, 10_000)
    low, high = confidence_sequence(4000, 10_000, 1e-3, centre=0.4)

    def outcome(allowed: float, within: float) -> Outcome:
        return Law((BAD,), may_fail=allowed, within=within).decide("PAPER:T1", frame, 1e-3).outcome

    reach = max(high - 0.4, 0.4 - low)
    assert outcome(0.4, 1.01 * reach) == "holds" and outcome(0.4, 0.99 * min(high - 0.4, 0.4 - low)) == "undecided"
    for off in (low - 0.03, high + 0.03):
        assert outcome(off, 0.5) == "refuted"
    assert Law((BAD,)).within == 0.05 and (Law((BAD,)).may_fail, Law((BAD,)).trials) == ("beta", "answers")


@pytest.mark.parametrize(("failures", "challenged"), [(0, False), (30, False), (90, True), (140, True)])
def test_a_chance_is_challenged_where_half_of_it_is_shown_to_be_exceeded(failures: int, challenged: bool) -> None:
    lower, _ = confidence_sequence(failures, 1000, 1e-3, centre=0.05)
    assert (lower > 0.05) == challenged
    for event in (Never((BAD,), may_fail=0.1), Probability((BAD,), may_fail=0.1)):
        assert event.decide("PAPER:T1", failing(failures, 1000), 1e-3).challenged == challenged


def test_the_first_trial_that_failed_is_the_one_with_the_least_number() -> None:
    shuffled = rows([0, 1, 1, 0, 1]).iloc[[3, 4, 0, 2, 1]]
    verdict = Certain((BAD,)).decide("PAPER:T1", shuffled, 0.0)
    assert (verdict.trials, verdict.failures, verdict.failed_trial) == (5, 3, 8)


@pytest.mark.parametrize(
    ("by_event", "lower", "outcome"), [(False, 0.9, "refuted"), (True, 1.0, "undecided"), (True, 1.1, "refuted")]
)
def test_at_changed_constants_more_than_epsilon_is_spent_where_an_event_shows_it(
    by_event: bool, lower: float, outcome: str
) -> None:
    frame = rows([0, 0], spent_upper=1.2, eps=1.0, spent_lower=[0.5, lower])
    assert Spends((Limit("spent_upper", "eps"),), by_event=by_event).decide("PAPER:T1", frame, 0.0).outcome == outcome
    within = frame.assign(spent_upper=1.0)
    assert Spends((Limit("spent_upper", "eps"),), by_event=by_event).decide("PAPER:T1", within, 0.0).outcome == "holds"
    assert not Spends(()).by_event and Spends(()).changed.by_event and Spends(()).reads_any


def test_a_rate_is_kept_where_nothing_is_left_unanswered_and_no_more_than_T_bottoms_are_there() -> None:
    """m is 40, T 2: a step of the rate is one query, and 2β are allowed."""
    event = rate_within(2)
    frame = rows([0], m=40, T=2.0, beta=0.05, bound=0.1, misclassification_rate=0.1, halted_at=None, bottoms=2)
    assert event.resolution(frame.iloc[0]) == 1 / 40 and event.allowed(frame.iloc[0]) == 0.1
    for change, kept in (
        ({}, True),
        ({"bottoms": 3}, False),
        ({"halted_at": 39}, False),
        ({"misclassification_rate": 0.125}, False),
    ):
        parts = event.of_trial(frame.assign(**change))
        assert any(part.broken for part in parts) != kept
    assert [part.measured for part in event.of_trial(frame.assign(halted_at=31))] == [0.1, 9, 2]
    assert fifteen_alpha(pd.Series({"gamma": 0.1, "alpha": 0.01})) == pytest.approx(0.85)
    assert (ANSWERED.may_fail, ANSWERED.limits[0].most) == ("beta", 0)
