"""Theorem 15 for A_PAP on thresholds: the law of gaps, and rows on either side of each limit."""

import numpy as np
import pandas as pd
import pytest

from harness.claims.bcmnuw20.t15 import exceeds, none_above
from harness.claims.engine.events import Seen
from harness.claims.registry import claims
from harness.trials.release import ReleaseCell, run
from tests.support.claims import event

ROW = {
    "cell": "c",
    "mechanism": "A_PAP",
    "trial": 0,
    "concept": "thresholds",
    "distribution": "uniform",
    "alpha": 0.1,
    "beta": 0.05,
    "n": 10**6,
    "m": 20,
    "distinct": 20,
    "error": 0.2,
}


def test_no_gap_above_x() -> None:
    """By hand for one point, 1/(m + 1) at the least, and by samples: within 0.02 but for a chance of 3e-7 (Hoeffding)."""
    assert none_above(1, 0.75) == pytest.approx(0.5)
    assert none_above(9, 0.0999) == 0 and none_above(9, 0.11) > 0
    points = np.sort(np.random.default_rng(1).random((20_000, 80)))
    largest = np.diff(np.pad(points, ((0, 0), (1, 1)), constant_values=(0, 1))).max(axis=1)
    assert none_above(80, 0.05) == pytest.approx((largest <= 0.05).mean(), abs=0.02)
    assert none_above(200, 0.005) < 1e-6


def met(name: str, **changes: object) -> bool:
    return claims()[f"BCMNUW20:{name}"].applies(pd.Series(ROW | changes))


def test_where_each_is_claimed() -> None:
    assert met("T15") and met("T15", m=23) and not met("T15", m=24) and not met("T15", m=0)
    assert not met("T15", mechanism="gaussian_tree") and not met("T15", distribution="atoms")
    assert met("T15-eight", m=184, n=1e12) and not met("T15-eight", m=184, n=1e10) and not met("T15-eight", m=400, n=1e12)
    assert met("T15-law", mechanism="exact_averages", n=1e12) and not met("T15-law", n=1e12)


def test_what_fails() -> None:
    def failed(name: str, **changes: object) -> bool:
        return bool(Seen.of(event(f"BCMNUW20:{name}"), pd.DataFrame([ROW | changes])).failed.item())

    assert not failed("T15", error=0.101) and failed("T15", error=0.099)
    assert not failed("T15-gap", error=1 / 21) and failed("T15-gap", error=0.999 / 21)
    assert event("BCMNUW20:T15-law").allowed(pd.Series(ROW)) == pytest.approx(exceeds(pd.Series(ROW)))


def test_exact_averages_fail_by_that_law_and_by_no_neighbouring_one() -> None:
    """At m = 90 the chance of no gap above α/2 is 0.4; decided at an error of 1e-6, and so is a claim 0.2 beside it."""
    cell = ReleaseCell(alpha=0.1, m=90, n=10**12)
    rows = pd.DataFrame([row for trial in range(700) for row in run(cell, ["exact_averages"], 1, trial)])
    decider = event("BCMNUW20:T15-law")
    assert decider.decide("law", rows, 1e-6).outcome == "holds"
    beside = type(decider)(decider.limits, "release", may_fail=lambda first: exceeds(first) + 0.2, within=0.15)  # type: ignore[call-arg]
    assert beside.decide("beside", rows, 1e-6).outcome == "refuted"
