"""Edges of what decides claims: a single value, nothing seen, a bound of nothing, a level at which no line is straight."""

from math import inf, nan, sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from harness.claims.engine import Growth, Limit, Ratio, Verdict
from harness.claims.engine.averages import average_interval
from harness.claims.engine.capacity import TARGETS, answered, common_targets
from harness.claims.engine.common import ANSWERED
from harness.claims.engine.growth import learners_logarithm, set_of, task_of_row
from harness.claims.engine.limits import Bounded, amount, times
from harness.claims.engine.verdict import half_refuted, overall
from harness.claims.registry import claims
from harness.theory.fixed_point import plan_for_alpha
from tests.claims.engine.test_capacity import CLAIM as CAPACITY
from tests.claims.engine.test_capacity import table as sweeps
from tests.claims.engine.test_growth import asked_for


def test_an_average_of_two_has_students_interval_and_one_of_one_says_nothing() -> None:
    mean, low, high = average_interval(np.array([1.0, 3.0]), 0.1)
    reach = student.isf(0.05, 1) * sqrt(2) / sqrt(2)
    assert [mean, high - mean, mean - low] == pytest.approx([2.0, reach, reach])
    assert average_interval(np.array([1.0]), 0.1) == (1.0, -inf, inf)
    assert average_interval(np.array([1.0, 3.0, 5.0]), 0.0) == (3.0, -inf, inf)


def test_points_before_the_first_mistake_say_nothing_and_without_any_nothing_is_answered() -> None:
    m, rate = np.array([10.0, 20, 40, 80]), np.array([0.0, 0, 0.1, 0.4])
    assert answered(m, rate, np.array([0.05, 0.1, 0.2, 0.4])).tolist() == [
        pytest.approx(nan, nan_ok=True),
        *map(pytest.approx, [40, 40 * sqrt(2), 80]),
    ]
    assert np.isnan(answered(m, np.zeros(4), np.array([0.1]))).all()
    assert len(common_targets(np.zeros(4), rate)) == len(common_targets(rate, np.zeros(4))) == 0
    both = common_targets(rate, np.array([0.05, 0.1, 0.2, 0.3]))
    assert len(both) == TARGETS and 0.1 < both[0] < both[-1] < 0.3
    np.testing.assert_allclose(np.diff(np.log(both)), np.log(both[1] / both[0]))


@pytest.mark.parametrize(("spread", "sure"), [(0.05, True), (3.0, False)])
def test_where_a_rate_may_be_off_by_a_factor_of_e_no_power_is_told(spread: float, sure: bool) -> None:
    (line,) = CAPACITY.questions(sweeps(spread=spread, trials=12, seed=3))
    verdict = CAPACITY.decide(line, 1e-3)
    assert ("power in [-inf, inf]" not in verdict.where) == sure and (sure or verdict.outcome == "undecided")


@pytest.mark.parametrize(
    ("measured", "bound", "resolution", "slack"),
    [
        *[(0.5, 2.0, 0.0, 4.0), (0.0, 2.0, 0.5, 4.0), (0.25, 2.0, 0.5, 4.0), (0.0, 2.0, 0.0, None), (0.5, 0.0, 0.0, 0.0)],
        *[
            (None, 2.0, 0.0, None),
            (0.5, None, 0.0, None),
            (0.5, -0.5, 0.0, None),
            (None, -0.5, 0.0, None),
            (None, None, 0.0, None),
        ],
    ],
)
def test_slack_is_the_bound_over_what_a_trial_could_show(
    measured: float | None, bound: float | None, resolution: float, slack: float | None
) -> None:
    assert Verdict("A:B", "holds", measured=measured, bound=bound, resolution=resolution).slack == slack


def test_a_verdict_of_the_theory_alone_is_on_no_trials_and_for_certain() -> None:
    alone = Verdict("A:B", "holds")
    assert (alone.trials, alone.failures, alone.resolution, alone.error, alone.challenged, alone.where) == (
        0,
        0,
        0,
        0,
        False,
        "",
    )
    assert {getattr(alone, name) for name in ("cell", "mechanism", "lower", "upper", "claimed", "failed_trial")} == {None}


def test_half_of_a_bound_is_refuted_by_more_than_rounding_and_of_nothing_there_is_no_half() -> None:
    assert half_refuted(0.51, 1.0) and not half_refuted(0.49, 1.0) and not half_refuted(0.5, 1.0)
    assert not half_refuted(1.0, 0.0) and not half_refuted(0.0, 0.0) and not half_refuted(1.0, -1.0)


def test_one_refutation_refutes_and_one_doubt_leaves_in_doubt() -> None:
    assert overall(["holds", "refuted", "undecided"]) == "refuted" and overall(["holds", "undecided"]) == "undecided"
    assert overall(["vacuous", "holds"]) == "holds" and overall(["vacuous"]) == "vacuous" and overall([]) == "untested"


def test_a_limit_may_be_reached_unless_it_is_strict() -> None:
    row = pd.DataFrame({"wrong": [3.0], "T": [1.5], "beta": [0.1]})
    values = np.array([2.0, 3.0, 4.0])
    assert Limit("wrong", "T", factor=2).broken(values, 1.5).tolist() == [False, False, True]
    assert Limit("wrong", "T", factor=2, strict=True).broken(values, 1.5).tolist() == [False, True, True]
    assert Limit("wrong", "T", factor=2).of_trial(row) == Bounded("wrong", 3.0, 3.0) and not Bounded("wrong", 3.0, 3.0).broken
    assert Limit("wrong", "T", factor=2, strict=True).of_trial(row).broken and Bounded("wrong", 3.1, 3.0).broken
    assert Limit("twice", 1.0, of=lambda rows: 2 * rows["wrong"]).values(row).tolist() == [6.0]
    first = row.iloc[0]
    assert amount("T", first) == 1.5 and amount(times(2, "beta"), first) == 0.2 and amount(7, first) == 7
    assert np.isnan(amount("T", pd.Series({"T": pd.NA})))


def test_no_query_that_is_as_stable_as_asked_may_go_wrong() -> None:
    (limit,) = ANSWERED.limits
    assert (limit.quantity, limit.most, limit.strict) == ("stable_failed", 0, False)
    stable = [claim.decider for claim in claims().values() if claim.decider is ANSWERED]
    assert stable


@pytest.mark.parametrize(("gamma", "power"), [(0.0, 1), (0.1, 2)])
def test_the_learners_logarithm_is_what_its_bound_has_beside_its_powers(gamma: float, power: int) -> None:
    """s·α/V where labels are true, s·α²/V where they are noisy."""
    line = asked_for().assign(mechanism="A_Priv", gamma=gamma, learner="leftmost" if gamma == 0 else "erm")
    for value, (_, row) in zip(learners_logarithm(line), line.iterrows(), strict=True):
        alpha = float(row["alpha"])
        assert value == pytest.approx(plan_for_alpha(set_of(row), task_of_row(row), alpha).s * alpha**power / row["V"])


def rows_of_two(slopes: dict[str, float]) -> pd.DataFrame:
    """n* of two constructions at powers of 1/α of their own, each within a hundredth."""
    frames = []
    for name, power in slopes.items():
        frame = asked_for().assign(mechanism=name, target="alpha")
        n = frame["needed"].astype(float) * (frame["alpha"] / frame["alpha"].max()) ** -power
        frames.append(frame.assign(n_star=n, n_low=(n / 1.01).astype(int), n_high=(n * 1.01).astype(int)))
    return pd.concat(frames, ignore_index=True)


@pytest.mark.parametrize("names", [("A_Priv", "B_other"), ("B_other", "A_Priv")])
@pytest.mark.parametrize(("own", "base", "outcome"), [(0.0, 0.0, "holds"), (0.5, 0.0, "refuted"), (0.0, 0.5, "refuted")])
def test_the_ratio_of_two_has_the_difference_of_their_powers(
    names: tuple[str, str], own: float, base: float, outcome: str
) -> None:
    mechanism, other = names
    ratio = Ratio(mechanism, other)
    assert ratio.parts == (1, 1) and Growth({}).part == 1
    questions = list(ratio.questions(rows_of_two({mechanism: own, other: base})))
    assert len(questions) == 1
    verdict: Any = ratio.decide("PAPER:T1", questions[0], 1e-3)
    assert verdict.outcome == outcome and f"power {own - base:.2f} in" in verdict.where.replace("-0.00", "0.00")


def test_sweeps_of_two_are_asked_about_in_the_order_of_their_rows() -> None:
    rows = rows_of_two({"A_Priv": 0.0, "B_other": 0.0})
    ratio = Ratio("A_Priv", "B_other")
    for targets in (("theorem", "alpha"), ("alpha", "theorem")):
        both = pd.concat([rows.assign(target=target) for target in targets], ignore_index=True)
        assert [question["target"].iloc[0] for question in ratio.questions(both)] == list(targets)
