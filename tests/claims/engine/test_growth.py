"""Verdicts on how n* grows, from tables made up about the fixed point of leftmost thresholds."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from harness.claims.btt18.t4 import FORMS, POWERS
from harness.claims.engine import Growth, Ratio
from harness.claims.engine.growth import learners_logarithm, plan_at, set_of, task_of_row
from harness.theory.fixed_point import plan_for_alpha

ALPHA = np.array([4e-3, 2e-3, 1e-3, 5e-4])
SETTING = {"concept": "thresholds", "concept_parameters": "{}", "distribution": "uniform", "distribution_parameters": "{}"}
NUMBERS = {"k_scale": 1.0, "eps": 1.0, "delta": 1e-6, "beta": 0.05, "gamma": 0.0, "error": 1e-8, "vacuous": False, "V": 1}
GROWTH = Growth(POWERS, rivals=FORMS)


@cache
def asked_for() -> pd.DataFrame:
    """What the fixed point asks for on m = 35/α² points, at every α."""
    frame = pd.DataFrame({"alpha": ALPHA, "m": (35 / ALPHA**2).astype(int)}).assign(
        **SETTING, **NUMBERS, learner="leftmost", constants="BTT18", pac_bound="class", target="alpha", trial=0
    )
    needed = [plan_for_alpha(set_of(row), task_of_row(row), row["alpha"]).n for _, row in frame.iterrows()]
    return frame.assign(needed=needed, cell=[f"{each:g}" for each in ALPHA])


def searches(off: float = 0.0, share: float = 0.2, width: float = 1.01, target: str = "alpha") -> pd.DataFrame:
    """n* a share of what is asked for, but for a power that is off."""
    frame = asked_for().assign(mechanism="A_Priv", target=target)
    n = share * frame["needed"] * (frame["alpha"] / ALPHA.max()) ** -off
    return frame.assign(n_star=n, n_low=(n / width).astype(int), n_high=(n * width).astype(int))


@pytest.mark.parametrize(
    ("off", "outcome"), [(0.0, "holds"), (0.3, "refuted"), (-0.3, "refuted"), (0.5, "refuted"), (0.2, "refuted")]
)
def test_a_power_that_is_off_is_refuted_on_either_side(off: float, outcome: str) -> None:
    (question,) = GROWTH.questions(searches(off))
    verdict = GROWTH.decide("PAPER:T1", question, 1e-3)
    assert (verdict.outcome, verdict.challenged) == (outcome, True)


def test_of_what_is_asked_for_itself_the_power_is_the_printed_one() -> None:
    (question,) = GROWTH.questions(searches(share=1.0))
    verdict = GROWTH.decide("PAPER:T1", question, 1e-3)
    assert verdict.outcome == "holds" and verdict.slack is not None and verdict.slack > 3
    rising = [np.polyfit(-np.log(ALPHA), np.log(each), 1)[0] for each in (question["needed"], learners_logarithm(question))]
    logs = rising[0] - 1.5
    assert logs == pytest.approx(0.09, abs=0.01) and "printed 1.5" in verdict.where
    assert f"of it {logs:+.2g} by logarithms, or {logs - rising[1]:+.2g}: power" in verdict.where
    assert verdict.where.endswith("n* is at most 1 of what is asked for")


def test_where_T_is_m_nothing_is_asked_whatever_n_star_is() -> None:
    """A tenth of what is asked for: at the larger α 3B is m already, and n* may grow as it likes."""
    frame = searches(share=0.02)
    assert plan_at(frame.iloc[0], int(frame["n_high"].iloc[0])).vacuous
    assert not list(GROWTH.questions(frame)) and not list(replace(GROWTH, part=2).questions(searches(share=0.03)))
    lost = searches()
    lost["n_high"] = lost["n_high"].astype(float)
    lost.loc[2, "n_high"] = np.nan
    assert not list(GROWTH.questions(lost))


def test_wide_intervals_and_errors_that_are_spent_leave_it_undecided() -> None:
    for frame, error in ((searches(width=1.6), 1e-3), (searches(), 1e-8)):
        (question,) = GROWTH.questions(frame)
        verdict = GROWTH.decide("PAPER:T1", question, error)
        assert verdict.outcome == "undecided" and not verdict.challenged


@pytest.mark.parametrize(
    ("share", "target", "outcome"),
    [(1.1, "theorem", "refuted"), (1.0, "theorem", "undecided"), (1.1, "alpha", "holds"), (0.9, "theorem", "holds")],
)
def test_to_its_theorems_error_no_more_is_needed_than_is_asked_for(share: float, target: str, outcome: str) -> None:
    (question,) = GROWTH.questions(searches(share=share, target=target))
    assert GROWTH.decide("PAPER:T1", question, 1e-3).outcome == outcome


@pytest.mark.parametrize(("off", "outcome"), [(0.0, "holds"), (0.3, "refuted"), (-0.3, "refuted")])
def test_a_ratio_of_two_has_no_power(off: float, outcome: str) -> None:
    ratio = Ratio("A_Priv_estimated", "A_Priv", parts=(2, 1))
    other = searches(off).assign(mechanism="A_Priv_estimated")
    for name in ("n_star", "n_low", "n_high"):
        other[name] = (2 * other[name]).astype(int)
    (question,) = ratio.questions(pd.concat([searches(), other], ignore_index=True))
    verdict = ratio.decide("PAPER:T1", question, 1e-3)
    assert (verdict.outcome, verdict.challenged) == (outcome, True)
    few = pd.concat([searches().head(3), other.head(3)])
    elsewhere = pd.concat([searches(), other.assign(alpha=1.01 * other["alpha"])])
    for unanswered in (searches(), pd.concat([searches(), other.head(3)]), few, elsewhere):
        assert not list(ratio.questions(unanswered))
