"""How rows decide a claim, on a claim whose every part is set by hand."""

from dataclasses import dataclass

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.theory.claims.claim import Outcome, decide
from harness.theory.confidence import confidence_sequence


@dataclass
class AtMost:
    """P(bad) ≤ allowed."""

    allowed: float
    id: str = "PAPER:T1"
    source: str = "PAPER Theorem 1"
    statement: str = "Bad things are rare."
    expected: Outcome = "holds"

    def applies(self, rows: pd.DataFrame) -> bool:
        return True

    def claimed(self, rows: pd.DataFrame) -> float:
        return self.allowed

    def failed(self, rows: pd.DataFrame) -> "pd.Series[bool]":
        return rows["bad"]

    def bound(self, rows: pd.DataFrame) -> float:
        return 0.5

    def measured(self, rows: pd.DataFrame) -> float:
        return float(rows["rate"].max())

    def resolution(self, rows: pd.DataFrame) -> float:
        return 0.01


def rows(failures: int, trials: int, vacuous: bool = False, rate: float = 0.2) -> pd.DataFrame:
    bad = [True] * failures + [False] * (trials - failures)
    return pd.DataFrame({"cell": "c0ffee", "vacuous": vacuous, "bad": bad, "rate": rate})


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
    verdict = decide(AtMost(0.1), rows(failures, trials), error=1e-3)
    assert verdict.outcome == outcome
    assert (verdict.failures, verdict.trials, verdict.claimed, verdict.error) == (failures, trials, 0.1, 1e-3)
    assert (verdict.claim, verdict.cell) == ("PAPER:T1", "c0ffee")


@given(st.integers(1, 500).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))), st.floats(0.01, 0.99))
def test_the_verdict_is_where_the_claimed_probability_lies_in_the_confidence_sequence(
    counts: tuple[int, int], allowed: float
) -> None:
    failures, trials = counts
    lower, upper = confidence_sequence(failures, trials, 1e-3, centre=allowed)
    verdict = decide(AtMost(allowed), rows(failures, trials), error=1e-3)
    assert (verdict.lower, verdict.upper) == (lower, upper)
    assert (verdict.outcome == "holds") == (upper <= allowed)
    assert (verdict.outcome == "refuted") == (lower > allowed)
    assert verdict.outcome != "vacuous"


def test_less_error_turns_a_verdict_into_undecided() -> None:
    assert decide(AtMost(0.1), rows(0, 150), error=1e-3).outcome == "holds"
    assert decide(AtMost(0.1), rows(0, 150), error=1e-12).outcome == "undecided"


@pytest.mark.parametrize("failures", [0, 150])
@pytest.mark.parametrize(
    ("allowed", "vacuous"), [(0.1, True), (1.0, False), (1.8, False), (1.8, True)], ids=["no bound", "P ≤ 1", "P ≤ 1.8", "both"]
)
def test_a_claim_that_promises_nothing_is_vacuous_whatever_happened(allowed: float, vacuous: bool, failures: int) -> None:
    verdict = decide(AtMost(allowed), rows(failures, 150, vacuous), error=1e-3)
    assert verdict.outcome == "vacuous"
    assert verdict.bound is None
    assert verdict.slack is None


@pytest.mark.parametrize(("rate", "slack"), [(0.2, 2.5), (0.5, 1.0), (1.0, 0.5), (0.01, 50.0), (0.0, 50.0)])
def test_slack_is_the_bound_over_what_was_measured_or_could_have_been(rate: float, slack: float) -> None:
    """A measurement of zero counts as the resolution, 0.01: the slack is then a lower bound."""
    verdict = decide(AtMost(0.1), rows(0, 10, rate=rate), error=1e-3)
    assert (verdict.bound, verdict.measured, verdict.resolution) == (0.5, rate, 0.01)
    assert verdict.slack == pytest.approx(slack)
