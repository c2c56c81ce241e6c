"""How rows decide each kind of claim, on claims whose every part is set by hand."""

from collections.abc import Iterable

import pandas as pd
import pytest
from harness.claims.claim import (
    CellClaim,
    CertainClaim,
    ComputedClaim,
    ExactClaim,
    Number,
    Outcome,
    ProbabilityClaim,
    overall,
)
from hypothesis import given
from hypothesis import strategies as st

from harness.theory.confidence import confidence_sequence


class ByHand(CellClaim):
    """rate ≤ 0.5 in every trial where it applies."""

    id = "PAPER:T1"
    source = "PAPER Theorem 1"
    statement = "The rate is at most one half."
    quantity = "rate"

    def applies(self, first: pd.Series) -> bool:
        return bool(first["mechanism"] == "ours")

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        return rows["bad"]

    def bound(self, first: pd.Series) -> float:
        return 0.5

    def measured(self, rows: pd.DataFrame) -> float:
        return float(rows["rate"].max())

    def resolution(self, first: pd.Series) -> float:
        return 0.01


class AtMost(ByHand, ProbabilityClaim):
    """P(bad) ≤ allowed."""

    def __init__(self, allowed: float) -> None:
        self.allowed = allowed

    def claimed(self, first: pd.Series) -> float:
        return self.allowed


class Never(ByHand, CertainClaim):
    """No bad trial."""


class Exactly(ExactClaim):
    """rate ≤ 0.5, up to one in a million."""

    id = "PAPER:T2"
    applies, bound, measured = ByHand.applies, ByHand.bound, ByHand.measured


class Compared(ComputedClaim):
    """Two numbers against 1."""

    id = "PAPER:T3"

    def __init__(self, *measured: float) -> None:
        self.measured = measured

    def numbers(self) -> Iterable[Number]:
        return [Number(f"number {place}", value, 1.0) for place, value in enumerate(self.measured)]


def rows(failures: int, trials: int, vacuous: bool = False, rate: float = 0.2) -> pd.DataFrame:
    """Trials numbered from 100, of which the last ones fail."""
    bad = [False] * (trials - failures) + [True] * failures
    number = range(100, 100 + trials)
    return pd.DataFrame({"cell": "c0ffee", "mechanism": "ours", "vacuous": vacuous, "trial": number, "bad": bad, "rate": rate})


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
    verdict = AtMost(0.1).decide(rows(failures, trials), error=1e-3)
    assert verdict.outcome == outcome
    assert (verdict.failures, verdict.trials, verdict.claimed, verdict.error) == (failures, trials, 0.1, 1e-3)
    assert (verdict.claim, verdict.cell, verdict.mechanism) == ("PAPER:T1", "c0ffee", "ours")


@given(st.integers(1, 500).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))), st.floats(0.01, 0.99))
def test_the_verdict_is_where_the_claimed_probability_lies_in_the_confidence_sequence(
    counts: tuple[int, int], allowed: float
) -> None:
    failures, trials = counts
    lower, upper = confidence_sequence(failures, trials, 1e-3, centre=allowed)
    verdict = AtMost(allowed).decide(rows(failures, trials), error=1e-3)
    assert (verdict.lower, verdict.upper) == (lower, upper)
    assert (verdict.outcome == "holds") == (upper <= allowed)
    assert (verdict.outcome == "refuted") == (lower > allowed)
    assert verdict.outcome != "vacuous"


def test_less_error_turns_a_verdict_into_undecided() -> None:
    assert AtMost(0.1).decide(rows(0, 150), error=1e-3).outcome == "holds"
    assert AtMost(0.1).decide(rows(0, 150), error=1e-12).outcome == "undecided"


@pytest.mark.parametrize("failures", [0, 150])
@pytest.mark.parametrize(
    ("allowed", "vacuous"), [(0.1, True), (1.0, False), (1.8, False), (1.8, True)], ids=["no bound", "P ≤ 1", "P ≤ 1.8", "both"]
)
def test_a_claim_that_promises_nothing_is_vacuous_whatever_happened(allowed: float, vacuous: bool, failures: int) -> None:
    claim, frame = AtMost(allowed), rows(failures, 150, vacuous)
    verdict = claim.decide(frame, error=1e-3)
    assert verdict.outcome == "vacuous"
    assert (verdict.bound, verdict.slack, verdict.failures, verdict.failed_trial) == (None, None, 0, None)
    assert claim.undecidable(frame)
    assert not AtMost(0.1).undecidable(rows(failures, 150))


@pytest.mark.parametrize(("rate", "slack"), [(0.2, 2.5), (0.5, 1.0), (1.0, 0.5), (0.01, 50.0), (0.0, 50.0)])
def test_slack_is_the_bound_over_what_was_measured_or_could_have_been(rate: float, slack: float) -> None:
    """A measurement of zero counts as the resolution, 0.01: the slack is then a lower bound."""
    verdict = AtMost(0.1).decide(rows(0, 10, rate=rate), error=1e-3)
    assert (verdict.bound, verdict.measured, verdict.resolution) == (0.5, rate, 0.01)
    assert verdict.slack == pytest.approx(slack)


@pytest.mark.parametrize(("failures", "rate", "challenged"), [(0, 0.2, False), (0, 0.25, True), (0, 0.6, True), (1, 0.0, True)])
def test_a_claim_is_challenged_within_a_factor_2_of_its_bound_or_by_a_failure(
    failures: int, rate: float, challenged: bool
) -> None:
    assert AtMost(0.1).decide(rows(failures, 150, rate=rate), error=1e-3).challenged is challenged


@pytest.mark.parametrize(("failures", "first"), [(0, None), (1, 149), (50, 100)])
def test_the_first_trial_that_failed_is_named_for_a_replay(failures: int, first: int | None) -> None:
    assert AtMost(0.1).decide(rows(failures, 50), error=1e-3).failed_trial == first


def test_one_question_is_asked_of_every_cell_and_mechanism_that_the_claim_is_about() -> None:
    frames = [rows(0, 3).assign(cell=cell, mechanism=name) for cell in "ab" for name in ("ours", "theirs")]
    questions = list(AtMost(0.1).questions(pd.concat(frames)))
    assert [(set(each["cell"]), set(each["mechanism"]), len(each)) for each in questions] == [
        ({"a"}, {"ours"}, 3),
        ({"b"}, {"ours"}, 3),
    ]


@pytest.mark.parametrize(("failures", "outcome"), [(0, "holds"), (1, "refuted"), (150, "refuted")])
def test_one_counterexample_refutes_what_is_certain(failures: int, outcome: Outcome) -> None:
    claim, frame = Never(), rows(failures, 150)
    assert claim.decide(frame, error=0.0).outcome == outcome
    assert claim.undecidable(frame)
    assert claim.decide(rows(failures, 150, vacuous=True), error=0.0).outcome == "vacuous"


@pytest.mark.parametrize(("rate", "outcome"), [(0.5, "holds"), (0.5 + 4e-7, "holds"), (0.5 + 6e-7, "refuted")])
def test_an_exact_claim_allows_for_its_tolerance_and_no_more(rate: float, outcome: Outcome) -> None:
    frame = rows(0, 1, rate=rate)
    assert Exactly().decide(frame, error=0.0).outcome == outcome
    assert any(part.broken for part in Exactly().event(frame)) == (outcome == "refuted")


def test_computed_numbers_are_judged_one_by_one() -> None:
    verdicts = list(Compared(0.5, 1.0, 1 + 1e-10, 1.001).computed())
    assert [verdict.outcome for verdict in verdicts] == ["holds", "holds", "holds", "refuted"]
    assert [verdict.where for verdict in verdicts] == ["number 0", "number 1", "number 2", "number 3"]
    assert not list(Compared(0.5).questions(rows(0, 3)))


@pytest.mark.parametrize(
    ("outcomes", "one"),
    [
        ([], "untested"),
        (["untested"], "untested"),
        (["vacuous", "vacuous"], "vacuous"),
        (["vacuous", "holds"], "holds"),
        (["holds", "undecided", "vacuous"], "undecided"),
        (["holds", "undecided", "refuted"], "refuted"),
    ],
)
def test_one_refutation_refutes_and_one_undecided_leaves_undecided(outcomes: list[Outcome], one: Outcome) -> None:
    assert overall(outcomes) == one
