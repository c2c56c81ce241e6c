"""Verdicts on sample complexities, from tables made up to grow by a known power."""

import numpy as np
import pandas as pd
import pytest

from harness.theory.claims import claims
from harness.theory.claims.complexity import slope

ALPHA = np.array([0.03, 0.01, 0.003, 0.001])


def searches(
    power: float, width: float = 1.02, axis: str = "alpha", at: np.ndarray = ALPHA, error: float = 1e-8
) -> pd.DataFrame:
    """n* = at^−power, within `width`, beside a fixed point of at^−1.5."""
    frame = pd.DataFrame({"alpha": 0.01, "V": 1, "eps": 1.0, axis: at})
    n = 1e9 * at.astype(float) ** -power
    text = {"concept": "thresholds", "distribution": "uniform", "distribution_parameters": "{}", "learner": "leftmost"}
    numbers = {"k_scale": 1.0, "delta": 1e-6, "beta": 0.05, "gamma": 0.0, "error": error, "vacuous": False}
    return frame.assign(
        **text, **numbers, constants="BTT18", target="alpha", mechanism="A_Priv", cell=[f"{x:g}" for x in at], trial=0,
        n_star=n, n_low=n / width, n_high=n * width, needed=1e10 * at.astype(float) ** -1.5,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("power", "outcome"), [(1.5, "holds"), (1.4, "holds"), (1.64, "holds"), (1.7, "refuted"), (2.5, "refuted")]
)
def test_n_star_may_grow_as_the_fixed_point_does_and_no_faster(power: float, outcome: str) -> None:
    (question,) = claims()["BTT18:T4.2-n"].questions(searches(power, width=1.001))
    verdict = claims()["BTT18:T4.2-n"].decide(question, 1e-3)
    assert verdict.outcome == outcome
    assert verdict.measured == pytest.approx(power - 1.5)
    assert f"exponent {-power:.2f} in" in verdict.where


def test_wide_intervals_and_no_error_to_spend_leave_it_undecided() -> None:
    claim = claims()["BTT18:T4.2-n"]
    (wide,) = claim.questions(searches(1.5, width=3.0))
    assert claim.decide(wide, 1e-3).outcome == "undecided"
    (spent,) = claim.questions(searches(1.5, error=1e-3))
    assert claim.decide(spent, 1e-3).outcome == "undecided"


def test_along_V_it_is_the_printed_power_that_counts() -> None:
    V = np.array([1, 2, 4, 8, 16])
    for power, outcome in ((1.2, "holds"), (1.9, "refuted")):
        (question,) = claims()["BTT18:T4.2-n"].questions(searches(-power, width=1.001, axis="V", at=V))
        assert claims()["BTT18:T4.2-n"].decide(question, 1e-3).outcome == outcome
    assert claims()["BTT18:R3"].power == 2.0  # type: ignore[attr-defined]


def test_an_interval_of_the_slope_has_its_ends_where_the_ends_of_n_star_are_worst() -> None:
    rows = searches(1.5, width=1.1)
    middle, low, high = slope(rows, "alpha", "n_star")
    worst = np.polyfit(
        -np.log(ALPHA), np.log(rows["n_star"] * np.where(-np.log(ALPHA) > -np.log(ALPHA).mean(), 1.1, 1 / 1.1)), 1
    )[0]
    assert middle == pytest.approx(1.5)
    assert high == pytest.approx(worst)
    assert high - middle == pytest.approx(middle - low)


def test_points_that_were_not_found_are_left_out_and_three_make_no_line() -> None:
    rows = searches(1.5)
    assert len(list(claims()["BTT18:T4.2-n"].questions(rows))) == 1
    rows.loc[0, "n_high"] = None
    assert not list(claims()["BTT18:T4.2-n"].questions(rows))
