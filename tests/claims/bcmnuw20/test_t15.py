"""Theorem 15 for A_PAP on thresholds: the law of gaps, and rows on either side of each limit."""

import numpy as np
import pandas as pd
import pytest

from harness.claims.bcmnuw20.t15 import exceeds, none_above, published
from harness.claims.engine import PROBE
from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from harness.trials.release import KIND, ReleaseCell
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


def id_of(name: str) -> str:
    """The claim's id, of its name without the paper."""
    return f"{PROBE}BCMNUW20:{name.removeprefix(PROBE)}" if name.startswith(PROBE) else f"BCMNUW20:{name}"


def met(name: str, **changes: object) -> bool:
    return claims()[id_of(name)].applies(pd.Series(ROW | changes))


def test_where_each_is_claimed() -> None:
    assert met("T15-A_PAP") and met("T15-A_PAP", m=23) and not met("T15-A_PAP", m=24) and not met("T15-A_PAP", m=0)
    assert not met("T15-A_PAP", mechanism="gaussian_tree") and not met("T15-A_PAP", distribution="atoms")
    assert (
        met("probe:T15-eight", m=184, n=1e12)
        and not met("probe:T15-eight", m=184, n=1e10)
        and not met("probe:T15-eight", m=400, n=1e12)
    )
    assert met("T15-law", mechanism="exact_averages", n=1e12) and not met("T15-law", n=1e12)


def test_what_fails() -> None:
    def failed(name: str, **changes: object) -> bool:
        return bool(RowsSeen.of(event(id_of(name)), pd.DataFrame([ROW | changes])).failed.item())

    assert not failed("T15-A_PAP", error=0.101) and failed("T15-A_PAP", error=0.099)
    assert not failed("T15-gap", error=1 / 21) and failed("T15-gap", error=0.999 / 21)
    assert event("BCMNUW20:T15-law").allowed(pd.Series(ROW)) == pytest.approx(exceeds(pd.Series(ROW)))


def test_exact_averages_fail_by_that_law_and_by_no_neighbouring_one() -> None:
    """At m = 90 the chance of no gap above α/2 is 0.4; decided at an error of 1e-6, and so is a claim 0.2 beside it."""
    cell = ReleaseCell(alpha=0.1, m=90, n=10**12)
    rows = pd.DataFrame([row for trial in range(700) for row in KIND.rows(cell, ["exact_averages"], 1, trial)])
    decider = event("BCMNUW20:T15-law")
    assert decider.decide("law", rows, 1e-6).outcome == "holds"
    beside = type(decider)(decider.limits, "release", may_fail=lambda first: exceeds(first) + 0.2, within=0.15)  # type: ignore[call-arg]
    assert beside.decide("beside", rows, 1e-6).outcome == "refuted"


def test_rows_published_with_chance_delta_are_enough_without_public_ones() -> None:
    """By samples of what is published, thresholds at α = 0.2: off no more often than is said, which is little."""
    rng, n, delta, alpha = np.random.default_rng(3), 4 * 10**5, 1e-3, 0.2

    def off(count: int) -> bool:
        points = np.sort(rng.random(count))
        gap = max(np.abs(points - np.arange(1, count + 1) / count).max(), np.abs(points - np.arange(count) / count).max())
        return bool(2 * gap > alpha)

    assert not any(off(count) for count in rng.binomial(n, delta, 300))
    assert published(alpha, n, delta) < 0.04 and published(alpha, n / 10, delta) > 1 / 2
    assert {verdict.outcome for verdict in claims()["BCMNUW20:T15-delta"].computed()} == {"refuted"}
