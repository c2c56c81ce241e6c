"""How small a constant of scores can be: the repaired loop, the least k, and what is refused."""

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from harness.theory.constants.btt18a_scores import REPAIRED, sufficient_distance
from harness.theory.factors import PRINTED
from harness.theory.privacy.scores import score_spent_lower, score_spent_upper
from harness.trials import least
from harness.trials.kind import Row
from harness.trials.least_scores import KIND, LeastScoresCell, fails, just_stable, refuse

SPLIT: dict[str, Any] = {
    "distribution": {"name": "atoms", "masses": [0.5, 0.5], "chances": [0.5, 0.5]},
    "learner": "agreement",
    "width": 0.1,
    "n": 10**12,
    "T": 10,
    "hard": 10,
    "m": 1000,
    "beta": 0.25,
    "constant": "c_k",
    "budget": 200,
}


def found(**changes: Any) -> Row:
    cell = LeastScoresCell(**SPLIT | changes)
    assert refuse(cell, "A_SL_Quer") is None
    (row,) = KIND.rows(cell, ["A_SL_Quer"], 1, 0)
    assert set(row) == set(KIND.table)
    return row


def test_with_the_printed_loop_no_k_is_enough() -> None:
    """Ten queries that fail both tests take c beyond T."""
    row = found()
    assert row["high"] is None and row["needed"] is None and row["challenged"] and row["low"] > 1000


def test_the_loop_has_to_run_while_c_is_at_most_twice_t() -> None:
    row = found(constant="c_loop")
    assert row["low"] < 2 <= row["high"] * 1.003 and row["high"] / row["low"] < 1.02


@pytest.mark.law
def test_the_least_k_of_the_repaired_set_is_that_of_k_tight() -> None:
    row = found(constants="repaired")
    tight = LeastScoresCell(**SPLIT | {"constants": "k_tight"}).plan("A_SL_Quer").k
    assert 0.9 * tight < row["k"] < 1.2 * tight and 3 < row["over"] < 3.8


def test_the_least_distance_of_a_stable_histogram_is_that_of_the_union_bound() -> None:
    """d of Theorem 5.6 against d* = w + 2λ ln(2m/(3β)); with 200 runs at a point the interval is some per cent wide."""
    row = found(constants="repaired", constant="c_d", event="stable")
    task = LeastScoresCell(**SPLIT).task
    enough = sufficient_distance.of(PRINTED, task, REPAIRED.lam(task), REPAIRED.w(task))
    each = REPAIRED.stable(task) / 32
    assert row["low"] * each < enough < 1.02 * row["high"] * each and row["high"] / row["low"] < 1.2
    assert row["k"] == just_stable(row["high"] * each)


def test_the_bins_can_be_much_narrower_but_not_arbitrarily() -> None:
    """Means at the edge ν of what Theorem 5.14 is about: in bins as wide as its ν alone two thirds share none."""
    drawn = {"distribution": {"name": "atoms", "masses": [1], "chances": [0.02]}, "learner": "means", "width": None}
    row = found(**drawn, n=10**8, T=1, hard=None, constants="k_tight", constant="c_bins", event="within")
    assert 0 < row["low"] < row["high"] < 1 and row["over"] > 16


@pytest.mark.at_once("repaired-1-2")
@pytest.mark.parametrize(("constants", "least_value", "most"), [("BTT18a", 1, 2), ("repaired", 1, 2)])
def test_both_ends_of_privacy_are_what_they_say(
    constants: str, least_value: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The printed w of A_SL-Quer is below both; twice it is above."""
    monkeypatch.setattr(least, "HALVINGS", 12)
    row = found(constants=constants, constant="c_w", event="private", beta=0.05)
    cell = LeastScoresCell(**SPLIT | {"constants": constants, "constant": "c_w"})
    ends = {end: cell.with_constant(row[end]).asked.constants for end in ("low", "high")}
    assert least_value < row["low"] < row["high"] < most
    assert score_spent_lower(ends["low"], cell.task) > 1
    assert score_spent_upper(ends["high"], cell.task, sharp=True) <= 1 + 1e-6


def test_no_noise_makes_up_for_a_threshold_that_is_too_low() -> None:
    row = found(constant="c_lam", event="private", beta=0.05)
    assert row["high"] is None and row["low"] > 639


@pytest.mark.parametrize(
    ("row", "event", "broken"),
    [
        ({}, "within", False),
        ({"error": 0.11}, "within", True),
        ({"error": np.nan}, "within", True),
        ({"bottoms": 1}, "within", True),
        ({"unanswered": 1}, "within", True),
        ({"error": 0.11, "agreed_failed": 1}, "stable", False),
        ({"first_failed": 1}, "stable", True),
        ({"either_failed": 1}, "stable", True),
        ({"either_failed": 1}, "agreed", False),
        ({"agreed_failed": 1}, "agreed", True),
    ],
)
def test_an_event_is_that_of_its_theorem(row: Row, event: str, broken: bool) -> None:
    quiet = {"error": 0.1, "bottoms": 0, "unanswered": 0} | dict.fromkeys(("first_failed", "either_failed", "agreed_failed"), 0)
    trials = {name: np.array([0.1 if name == "error" else 0, value]) for name, value in (quiet | row).items()}
    assert fails(event, trials, bound=0.1).tolist() == [False, broken]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"event": "private"}, "c_k says nothing of event: private; allowed: c_lam, c_w, c_m"),
        ({"event": "stable"}, "c_k says nothing of event: stable; allowed: c_d, c_log"),
        ({"constant": "c_d"}, "c_d says nothing of event: agreed; allowed: event: stable"),
        ({"event": "within", "constant": "c_bins"}, "the bound is vacuous"),
    ],
)
def test_a_constant_that_says_nothing_of_an_event_is_refused(changes: dict[str, Any], said: str) -> None:
    refusal = refuse(LeastScoresCell(**SPLIT | changes), "A_SL_Quer")
    assert refusal is not None and said in refusal.message


def test_what_cannot_be_searched_is_refused() -> None:
    refusal = refuse(LeastScoresCell(**SPLIT), "gaussian_mean")
    assert refusal is not None and "allowed: A_SL_Quer" in refusal.message
    with pytest.raises(ValidationError, match="no constant 'c_n' of BTT18a"):
        LeastScoresCell(**SPLIT | {"constant": "c_n"})


@pytest.mark.parametrize("d", [0.0, 0.5, 1.0, 2.3, 17.0])
def test_just_stable_is_the_least_k_of_whole_thirds_whose_distance_is_above_d(d: float) -> None:
    k = just_stable(d)
    assert k % 3 == 0 and k / 3 - 1 > d >= (k - 3) / 3 - 1


@pytest.mark.parametrize(
    ("event", "bound", "failed"),
    [
        ("within", 0.1, [False, True, True, True, True, True]),
        ("within", 0.3, [False, False, True, True, True, True]),
        ("within", None, [False, False, True, True, True, True]),
        ("agreed", 0.1, [False, True, False, True, False, False]),
        ("stable", 0.1, [False, False, True, True, False, True]),
    ],
)
def test_an_event_fails_where_one_of_its_queries_does(event: str, bound: float | None, failed: list[bool]) -> None:
    """An error above the bound, or a query without a score, or both; of the others each counts its own."""
    trials: dict[str, Any] = {
        "error": np.array([0.1, 0.2, 0.05, 0.4, 0.05, np.nan]),
        "bottoms": np.array([0, 0, 1, 2, 0, 3]),
        "unanswered": np.array([0, 0, 0, 5, 1, 1]),
        "agreed_failed": np.array([0, 2, 0, 1, 0, 0]),
        "first_failed": np.array([0, 0, 1, 1, 0, 0]),
        "either_failed": np.array([0, 0, 0, 1, 0, 2]),
    }
    assert fails(event, trials, bound).tolist() == failed
