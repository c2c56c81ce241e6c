"""How rows decide an event, on events whose every part is set by hand; and that a trial is told what broke."""

import json
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from harness.claims.engine import (
    ANSWERED,
    Certain,
    Claim,
    Computed,
    Event,
    Exact,
    Law,
    Limit,
    Never,
    Number,
    Outcome,
    Probability,
    among,
)
from harness.claims.engine.event_seen import EventSeen, RowsSeen
from harness.claims.engine.events import TOLERANCE
from harness.claims.engine.limits import amount
from harness.claims.engine.verdict import Verdict
from harness.claims.registry import claims
from harness.theory.confidence import confidence_sequence
from harness.trials import kinds
from tests.support.asked import rows_of

RATE = Limit("rate", "bound", unit=0.01)
BAD = Limit("bad", 0)


def at_most(allowed: float) -> Claim:
    """rate ≤ 0.5 and nothing bad, but for a chance."""
    decider = Probability((RATE, BAD), may_fail=allowed)
    return Claim("PAPER:T1", "PAPER Theorem 1", "The rate is at most one half.", decider, (among("mechanism", "ours"),))


def rows(failures: int, trials: int, vacuous: bool = False, rate: float = 0.2) -> pd.DataFrame:
    """Trials numbered from 100, of which the last ones fail."""
    bad = [0] * (trials - failures) + [1] * failures
    frame = pd.DataFrame({"cell": "c0ffee", "mechanism": "ours", "trial": range(100, 100 + trials), "bad": bad, "rate": rate})
    return frame.assign(bound=None if vacuous else 0.5)


@pytest.mark.parametrize(
    ("failures", "trials", "outcome"),
    [
        (0, 1, "undecided"),
        (0, 30, "undecided"),
        (0, 150, "holds"),
        (4, 150, "undecided"),
        (15, 150, "undecided"),
        (40, 150, "refuted"),
        (12, 12, "refuted"),
        (1000, 10_000, "undecided"),
        (900, 10_000, "undecided"),
        (800, 10_000, "holds"),
        (1200, 10_000, "refuted"),
    ],
)
def test_ten_percent_is_held_refuted_or_undecided(failures: int, trials: int, outcome: Outcome) -> None:
    """At error 10⁻³; these counts are clear of the ends of the interval, which have tests of their own."""
    verdict = at_most(0.1).decide(rows(failures, trials), error=1e-3)
    assert verdict.outcome == outcome
    assert (verdict.failures, verdict.trials, verdict.claimed, verdict.error) == (failures, trials, 0.1, 1e-3)
    assert (verdict.claim, verdict.cell, verdict.mechanism) == ("PAPER:T1", "c0ffee", "ours")


@given(st.integers(1, 500).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))), st.floats(0.01, 0.99))
def test_the_verdict_is_where_the_claimed_probability_lies_in_the_confidence_sequence(
    counts: tuple[int, int], allowed: float
) -> None:
    failures, trials = counts
    lower, upper = confidence_sequence(failures, trials, 1e-3, centre=allowed)
    verdict = at_most(allowed).decide(rows(failures, trials), error=1e-3)
    assert (verdict.lower, verdict.upper) == (lower, upper)
    assert (verdict.outcome == "holds") == (upper <= allowed)
    assert (verdict.outcome == "refuted") == (lower > allowed)
    assert verdict.outcome != "vacuous"


def test_less_error_turns_a_verdict_into_undecided() -> None:
    assert at_most(0.1).decide(rows(0, 150), error=1e-3).outcome == "holds"
    assert at_most(0.1).decide(rows(0, 150), error=1e-12).outcome == "undecided"


@pytest.mark.parametrize("failures", [0, 150])
@pytest.mark.parametrize(
    ("allowed", "vacuous"), [(0.1, True), (1.0, False), (1.8, False), (1.8, True)], ids=["no bound", "P ≤ 1", "P ≤ 1.8", "both"]
)
def test_a_claim_that_promises_nothing_is_vacuous_whatever_happened(allowed: float, vacuous: bool, failures: int) -> None:
    claim, frame = at_most(allowed), rows(failures, 150, vacuous)
    verdict = claim.decide(frame, error=1e-3)
    assert verdict.outcome == "vacuous"
    assert (verdict.bound, verdict.slack, verdict.failures, verdict.failed_trial) == (None, None, 0, None)
    assert [question.random for question in claim.questions(frame)] == [False]
    assert [question.random for question in at_most(0.1).questions(rows(failures, 150))] == [True]


def test_an_event_that_rules_otherwise_says_so_where_every_verdict_asks() -> None:
    class Lenient(Certain):
        def verdict(self, claim: str, seen: EventSeen, error: float) -> Verdict:
            return replace(super().verdict(claim, seen, error), outcome="undecided")

    claim = replace(at_most(0.1), decider=Lenient((BAD,)))
    (question,) = claim.questions(rows(3, 150))
    assert [claim.decide(asked, 1e-3).outcome for asked in (question, rows(3, 150))] == ["undecided"] * 2
    with pytest.raises(TypeError, match="allowed: `verdict`"):
        type("Deaf", (Certain,), {"decide": lambda *_: None})


def test_a_bound_that_is_trivial_is_vacuous_too() -> None:
    for most, outcome in ((0.99, "holds"), (1.0, "vacuous"), (1.5, "vacuous")):
        event = Probability((Limit("rate", most, trivial=1.0),), may_fail=0.1)
        assert event.decide("PAPER:T1", rows(0, 150), 1e-3).outcome == outcome


@pytest.mark.parametrize(("rate", "slack"), [(0.2, 2.5), (0.5, 1.0), (1.0, 0.5), (0.01, 50.0), (0.0, 50.0)])
def test_slack_is_the_bound_over_what_was_measured_or_could_have_been(rate: float, slack: float) -> None:
    """A measurement of zero counts as the resolution, 0.01: the slack is then a lower bound."""
    verdict = at_most(0.1).decide(rows(0, 10, rate=rate), error=1e-3)
    assert (verdict.bound, verdict.measured, verdict.resolution) == (0.5, rate, 0.01)
    assert verdict.slack == pytest.approx(slack)


@pytest.mark.parametrize(
    ("failures", "trials", "rate", "challenged"),
    [
        (0, 150, 0.25, False),
        (0, 150, 0.26, True),
        (0, 150, 0.6, True),
        (0, 3, 0.4, False),
        (1, 150, 0.0, False),
        (280, 3000, 0.0, True),
        (140, 3000, 0.0, False),
    ],
)
def test_a_claim_is_challenged_where_half_its_bound_or_half_its_chance_is_refuted_by_the_rows(
    failures: int, trials: int, rate: float, challenged: bool
) -> None:
    """At most 0.5, but for one trial in ten: three trials show nothing, and neither does what is allowed half as often."""
    assert at_most(0.1).decide(rows(failures, trials, rate=rate), error=1e-3).challenged is challenged


def test_what_is_refuted_by_its_rows_is_challenged_by_them_where_its_bound_is_below_0_too() -> None:
    """Half of such a bound is looser than the bound."""
    for rate, refuted in ((-0.8, True), (-1.2, False)):
        verdict = Certain((Limit("rate", -1.0),)).decide("PAPER:T2", rows(0, 3, rate=rate), 1e-3)
        assert (verdict.outcome == "refuted", verdict.challenged) == (refuted, refuted)


@pytest.mark.parametrize(("failures", "trials", "challenged"), [(0, 150, False), (13, 512, False), (850, 10_000, True)])
def test_no_failures_challenge_no_chance_however_far_the_interval_reaches(failures: int, trials: int, challenged: bool) -> None:
    verdict = Never((BAD,), may_fail=0.1).decide("PAPER:T2", rows(failures, trials), 1e-6)
    assert verdict.outcome != "refuted" and verdict.upper is not None and verdict.upper > 0.05
    assert verdict.challenged is challenged


def test_a_law_is_challenged_where_its_neighbours_are_refuted() -> None:
    law = Law((BAD,), may_fail=0.1, within=0.05)
    assert law.decide("PAPER:T2", rows(2000, 20000), 1e-3).challenged
    assert law.decide("PAPER:T2", rows(4000, 20000), 1e-3).challenged  # it is refuted itself
    assert not law.decide("PAPER:T2", rows(5, 50), 1e-3).challenged


@pytest.mark.parametrize(("failures", "first"), [(0, None), (1, 149), (50, 100)])
def test_the_first_trial_that_failed_is_named_for_a_replay(failures: int, first: int | None) -> None:
    assert at_most(0.1).decide(rows(failures, 50), error=1e-3).failed_trial == first


def test_an_event_is_of_its_first_limit_and_a_cell_is_known_by_its_first_row() -> None:
    assert Probability((RATE, BAD)).quantity == "rate" and Probability((BAD, RATE)).quantity == "bad"
    assert Never((BAD,)).quantity == ""
    for of in (EventSeen.of, RowsSeen.of):
        assert of(Certain((RATE, BAD)), rows(1, 5)).first["trial"] == 100


def test_one_question_is_asked_of_every_cell_and_mechanism_that_the_claim_is_about() -> None:
    frames = [rows(0, 3).assign(cell=cell, mechanism=name) for cell in "ab" for name in ("ours", "theirs")]
    questions = [rows_of(question) for question in at_most(0.1).questions(pd.concat(frames))]
    assert [(set(each["cell"]), set(each["mechanism"]), len(each)) for each in questions] == [
        ({"a"}, {"ours"}, 3),
        ({"b"}, {"ours"}, 3),
    ]
    assert not list(at_most(0.1).questions(frames[0].iloc[:0]))


@pytest.mark.parametrize(("failures", "outcome"), [(0, "holds"), (1, "refuted"), (150, "refuted")])
def test_one_counterexample_refutes_what_is_certain(failures: int, outcome: Outcome) -> None:
    event, frame = Certain((RATE, BAD)), rows(failures, 150)
    assert event.decide("PAPER:T1", frame, error=0.0).outcome == outcome
    assert not EventSeen.of(event, frame).random
    assert event.decide("PAPER:T1", rows(failures, 150, vacuous=True), error=0.0).outcome == "vacuous"


@pytest.mark.parametrize(("rate", "outcome"), [(0.5, "holds"), (0.5 + 4e-7, "holds"), (0.5 + 6e-7, "refuted")])
def test_an_exact_claim_allows_for_its_tolerance_and_no_more(rate: float, outcome: Outcome) -> None:
    event, frame = Exact((Limit("rate", 0.5, factor=1 + TOLERANCE),)), rows(0, 1, rate=rate)
    assert event.decide("PAPER:T2", frame, error=0.0).outcome == outcome
    assert any(part.broken for part in event.of_trial(frame)) == (outcome == "refuted")


@pytest.mark.parametrize(("value", "loose", "strict"), [(0.4, False, False), (0.5, False, True), (0.6, True, True)])
def test_a_strict_limit_is_broken_at_its_very_value(value: float, loose: bool, strict: bool) -> None:
    for given_strict, broken in ((False, loose), (True, strict)):
        limit = Limit("rate", 0.5, strict=given_strict)
        row = rows(0, 1, rate=value)
        assert limit.broken(row["rate"].to_numpy(), 0.5).tolist() == [limit.of_trial(row).broken] == [broken]


def test_what_should_never_happen_is_measured_by_how_often_it_does() -> None:
    verdict = Never((BAD,), may_fail=0.1).decide("PAPER:T3", rows(3, 150), 1e-3)
    assert (verdict.measured, verdict.bound, verdict.resolution) == (3 / 150, 0.1, 1e-4)


@pytest.mark.parametrize(("failures", "outcome"), [(400, "holds"), (300, "refuted"), (500, "refuted"), (430, "undecided")])
def test_a_law_is_wrong_on_both_sides(failures: int, outcome: Outcome) -> None:
    """At error 10⁻³ the interval of 1000 trials reaches about 0.07 to both sides."""
    assert Law((BAD,), may_fail=0.4, within=0.08).decide("PAPER:T4", rows(failures, 1000), 1e-3).outcome == outcome


def graded(values: list[float], bound: float = 0.5) -> pd.DataFrame:
    """A trial for each value, all of them clear of the second limit."""
    return rows(0, len(values)).assign(rate=values, bound=bound)


@pytest.mark.parametrize("outliers", [0, 1, 3])
@pytest.mark.parametrize("bound", [0.5, 0.25, 0.05])
def test_the_least_bound_that_stands_is_the_least_with_which_the_claim_holds(outliers: int, bound: float) -> None:
    """On 300 rates, also of a claim that is refuted or undecided: just this bound holds, and nothing below it."""
    values = [*np.linspace(0, 0.2, 300 - outliers), *[0.9] * outliers]
    decide = partial(at_most(0.1).decide, error=1e-3)
    found = decide(graded(values, bound)).stands
    assert found is not None and 0.17 < found < 0.2
    assert decide(graded(values, found)).outcome == "holds"
    assert decide(graded(values, found * (1 - 1e-9))).outcome != "holds"
    broken = graded(values, bound).assign(bad=1)
    assert decide(broken).stands is None  # no bound mends another limit
    assert decide(graded(values[:20])).stands is None  # nor too few trials


def test_of_a_certain_claim_the_least_that_stands_is_the_largest_of_all_and_of_a_chance_the_upper_end() -> None:
    assert Certain((RATE,)).decide("PAPER:T2", graded([0.1, 0.3]), 1e-3).stands == 0.3
    assert Exact((Limit("rate", "bound", factor=2.0),)).decide("PAPER:T2", graded([0.1, 0.3]), 1e-3).stands == 0.15
    never = Never((BAD,), may_fail=0.1).decide("PAPER:T2", rows(1, 200), 1e-3)
    assert never.stands == never.upper is not None


@pytest.mark.parametrize(("measured", "challenged"), [(0.25, False), (0.26, True), (0.49, True), (0.51, True)])
def test_a_number_is_challenged_where_it_refutes_half_of_its_bound(measured: float, challenged: bool) -> None:
    (verdict,) = Computed(lambda: [Number("here", measured, 0.5)]).computed("PAPER:T3")
    assert (verdict.challenged, verdict.stands) == (challenged, measured)


M = 40
SETTING = {
    "cell": "c0ffee",
    "mechanism": "A_binClas",
    "learner": "midpoint",
    "trial": 0,
    "vacuous": False,
    "distribution_parameters": json.dumps({"right": 1.0}),
    "V": 1,
    "m": M,
    "n": 10**6,
    "k": 30,
    "s": 10**4,
    "eps": 40.0,
    "delta": 1e-6,
    "gamma": 0.0,
}
counts = st.integers(0, M)
measured_rows = st.fixed_dictionaries(
    {
        "beta": st.sampled_from([0.05, 0.3]),
        "alpha": st.sampled_from([0.001, 0.05, 0.2]),
        "T": st.sampled_from([1.0, 2.5, 10.0]),
        "halted_at": st.none() | st.integers(1, M - 1),
        "bottoms": counts,
        "misclassified": counts,
        "stable_failed": st.integers(0, 2),
        "unstable": counts | st.integers(0, 9),
        "max_mistakes": st.integers(0, 3),
        "fresh_error": st.floats(0, 1),
        "error": st.floats(0, 1),
        "radius": st.floats(0, 1),
        "error_on_cover": st.floats(0, 1),
        "spent_upper": st.floats(30, 50),
    }
)
EVENTS = {name: claim.decider for name, claim in claims().items() if isinstance(claim.decider, Event)}


def measured_frame(row: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame([SETTING | row | {"bound": row["T"] / M, "misclassification_rate": row["misclassified"] / M}])


@pytest.mark.at_once(*{event.trials: name for name, event in EVENTS.items()}.values())  # one of each kind of trial
@pytest.mark.parametrize("name", EVENTS)
@settings(max_examples=10)  # of each of more than a hundred events
@given(row=measured_rows, other=st.sampled_from([1e-9, 0.5, 0.9]))
def test_a_trial_fails_exactly_where_one_of_the_limits_that_it_is_told_is_broken(
    name: str, row: dict[str, Any], other: float
) -> None:
    """other: what is in those of its kind's columns that are not measured above."""
    event = EVENTS[name]
    columns = kinds()[event.trials].table.values()
    trial = measured_frame({column.name: other for column in columns if column.is_number and column.name not in SETTING} | row)
    assume(event.bound(trial.iloc[0]) is not None)
    assert any(part.broken for part in event.of_trial(trial)) == bool(RowsSeen.of(event, trial).failed[0])


def test_theorem_3_2_names_its_three_conditions_with_their_numbers() -> None:
    row = {"T": 2.5, "halted_at": 30, "bottoms": 2, "misclassified": 12, "beta": 0.05, "alpha": 0.01}
    parts = EVENTS["BTT18:T3.2"].of_trial(measured_frame(row))
    assert [(part.quantity, part.measured, part.most, part.broken) for part in parts] == [
        ("misclassification_rate", 0.3, 2.5 / M, True),
        ("unanswered", 10, 0, True),
        ("bottoms", 2, 2.5, False),
    ]


def test_one_stable_query_that_is_not_answered_is_a_failure_and_none_is_not() -> None:
    (limit,) = ANSWERED.limits
    values = limit.values(pd.DataFrame({"stable_failed": [0, 1, 2]}))
    assert limit.broken(values, amount(limit.most, pd.Series(dtype=float))).tolist() == [False, True, True]
