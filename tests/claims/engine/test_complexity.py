"""Verdicts on sample complexities, from tables made up to grow by a known power."""

import numpy as np
import pandas as pd
import pytest

from harness.claims.engine.complexity import slope, sweeps
from harness.claims.registry import claims

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
        **text, **numbers, constants="BTT18", target="theorem", mechanism="A_Priv_free", cell=[f"{x:g}" for x in at], trial=0,
        n_star=n, n_low=n / width, n_high=n * width, needed=1e10 * at.astype(float) ** -1.5,
    )  # fmt: skip


@pytest.mark.parametrize(("scale", "outcome"), [(0.5, "holds"), (0.999, "undecided"), (1.1, "refuted")])
def test_n_star_is_to_be_no_more_than_the_fixed_point_asks_for(scale: float, outcome: str) -> None:
    rows = searches(1.5)
    rows[["n_star", "n_low", "n_high"]] *= 10 * scale
    (question,) = claims()["BTT18:T4.2-free"].questions(rows)
    verdict = claims()["BTT18:T4.2-free"].decide(question, 1e-3)
    assert verdict.outcome == outcome
    assert verdict.measured == pytest.approx(scale * 1.02)
    assert "exponent -1.50 in [-1.51, -1.49], the fixed point's -1.50, printed -1.5" in verdict.where


def test_one_point_too_many_refutes_it_and_one_that_was_not_found_leaves_it_undecided() -> None:
    claim = claims()["BTT18:T4.2-free"]
    rows = searches(1.5)
    rows.loc[2, ["n_low", "n_star", "n_high"]] = rows.loc[2, "needed"] * np.array([1.0, 1.01, 1.02])
    assert claim.decide(next(iter(claim.questions(rows))), 1e-3).outcome == "refuted"
    rows = searches(1.5)
    rows.loc[2, ["n_star", "n_high"]] = np.nan
    verdict = claim.decide(next(iter(claim.questions(rows))), 1e-3)
    assert verdict.outcome == "undecided"
    assert "exponent -1.50" in verdict.where


def test_of_a_stricter_target_nothing_is_promised_but_what_is_kept_is_enough() -> None:
    claim = claims()["BTT18:T4.2-free"]
    for scale, outcome in ((0.5, "holds"), (1.1, "vacuous")):
        rows = searches(1.5).assign(target="alpha")
        rows[["n_star", "n_low", "n_high"]] *= 10 * scale
        assert claim.decide(next(iter(claim.questions(rows))), 1e-3).outcome == outcome


def test_intervals_that_spend_more_than_the_error_there_is_leave_it_undecided() -> None:
    claim = claims()["BTT18:T4.2-free"]
    (spent,) = claim.questions(searches(1.5, error=1e-3))
    assert claim.decide(spent, 1e-3).outcome == "undecided"


def test_an_interval_of_the_slope_has_its_ends_where_the_ends_of_n_star_are_worst() -> None:
    rows = searches(1.5, width=1.1)
    middle, low, high = slope(rows, "alpha", "n_star")
    worst = np.polyfit(
        -np.log(ALPHA), np.log(rows["n_star"] * np.where(-np.log(ALPHA) > -np.log(ALPHA).mean(), 1.1, 1 / 1.1)), 1
    )[0]
    assert middle == pytest.approx(1.5)
    assert high == pytest.approx(worst)
    assert high - middle == pytest.approx(middle - low)


@pytest.mark.parametrize(
    ("axis", "at", "harder", "printed"), [("V", [1, 4, 16, 64], 1, "1.5"), ("eps", [0.5, 1, 2, 4], -1, "-1")]
)
def test_a_power_is_told_of_what_makes_learning_harder(axis: str, at: list[float], harder: int, printed: str) -> None:
    """n* grows as V and as 1/ε, and so does its slope."""
    rows = searches(-harder, width=1.0, axis=axis, at=np.array(at)).assign(needed=1e10 * np.array(at, float) ** harder)
    assert slope(rows, axis, "n_star") == pytest.approx((1, 1, 1))
    verdict = claims()["BTT18:T4.2-free"].decide(rows.assign(axis=axis), 1e-3)
    ends = f"{at[0]:.3g} to {at[-1]:.3g}" if harder > 0 else f"{at[-1]:.3g} to {at[0]:.3g}"
    exponent = f"exponent {harder:.2f} in [{harder:.2f}, {harder:.2f}], the fixed point's {harder:.2f}, printed {printed}"
    assert f"{axis} = {ends}: {exponent}; exponents have no part" in verdict.where


def test_at_the_very_numbers_it_holds_is_refuted_and_spends_no_more_than_the_error_there_is() -> None:
    claim = claims()["BTT18:T4.2-free"]
    rows = searches(1.5, error=0.25).assign(axis="alpha")
    for end, outcome in (("n_high", "holds"), ("n_low", "refuted")):
        exact = rows.assign(**{end: rows["needed"]}, n_star=rows["needed"])
        exact = exact if end == "n_high" else exact.assign(n_high=2 * rows["needed"])
        assert claim.decide(exact, 1.0).outcome == outcome and claim.decide(exact, 0.99).outcome == "undecided"
    half = rows.assign(n_low=rows["needed"] / 2)
    assert not claim.decide(half, 1.0).challenged and claim.decide(half.assign(n_low=1.001 * half["n_low"]), 1.0).challenged


def test_of_fewer_than_two_points_that_were_found_there_is_no_slope() -> None:
    rows = searches(1.5)
    rows.loc[1:, ["n_star", "n_high"]] = np.nan
    claim = claims()["BTT18:T4.2-free"]
    assert "n* was not found" in claim.decide(rows.assign(axis="alpha"), 1e-3).where
    rows.loc[1, ["n_star", "n_high"]] = searches(1.5).loc[1, ["n_star", "n_high"]]
    assert "exponent -1.50" in claim.decide(rows.assign(axis="alpha"), 1e-3).where


def test_three_points_make_no_line_and_other_targets_another() -> None:
    claim = claims()["BTT18:T4.2-free"]
    assert len(list(claim.questions(searches(1.5)))) == 1
    assert not list(claim.questions(searches(1.5).head(3)))
    assert not list(claim.questions(searches(1.5).assign(target=["alpha", "theorem"] * 2)))
    assert not list(claims()["BTT18:R1-n"].questions(searches(1.5)))
    both = pd.concat([searches(1.5).assign(eps=eps) for eps in (2.0, 1.0)], ignore_index=True)
    assert [line["eps"].iloc[0] for line in sweeps(both)] == [2.0, 1.0]
