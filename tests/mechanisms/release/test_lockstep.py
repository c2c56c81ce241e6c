"""Runs of PMW that go step by step together, against each of them alone, to the last bit."""

import numpy as np
import pytest

from harness.covers.interval_unions import IntervalUnions
from harness.covers.line import HeavyAtoms
from harness.covers.stumps import StumpQueries
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.release import lockstep
from harness.mechanisms.release.lockstep import pmw_of_all
from harness.mechanisms.release.numeric_sparse import PmwNoise, PmwPlan, pmw

CLASSES = {"thresholds": (ThresholdQueries(), 300), "unions": (IntervalUnions(), 12), "stumps": (StumpQueries(d=2), 8)}
PLANS = {
    "quiet": PmwPlan(c=1000, eta=0.3, threshold=0.08, test=0.001, value=0.01),
    "loud": PmwPlan(c=5000, eta=0.2, threshold=0.1, test=0.2, value=0.05),
    "halting": PmwPlan(c=3.5, eta=0.3, threshold=0.05, test=0.1, value=0.02),
}


@pytest.mark.at_once(
    "thresholds-halting", "stumps-halting", "unions-halting", "stumps-quiet", "thresholds-quiet", "unions-quiet", "stumps-loud"
)
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("name", CLASSES)
def test_each_run_is_what_it_is_alone(name: str, plan: PmwPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 30 runs, which are looked at seven together; loud ones use up their stocks of noise."""
    queries, size = CLASSES[name]
    cover, rng = queries.grid(HeavyAtoms(total=0.4, first=0.03), size), np.random.default_rng(3)
    monkeypatch.setattr(lockstep, "TOGETHER", 7 * cover.queries)
    averages = [cover.answers(cover.private(200, rng)) for _ in range(30)]
    together = pmw_of_all(cover, averages, plan, [np.random.default_rng(seed) for seed in range(30)])
    halts = updates = 0
    for seed, (own, done) in enumerate(zip(averages, together, strict=True)):
        alone = pmw(cover, own, plan, PmwNoise.drawn(plan, cover.queries, np.random.default_rng(seed)))
        assert np.array_equal(done.answers, alone.answers) and done.updated.tolist() == alone.updated.tolist()
        assert done.halted == alone.halted
        halts, updates = halts + done.halted, max(updates, len(done.updated))
    monkeypatch.setattr(lockstep, "TOGETHER", 1)
    (first,) = pmw_of_all(cover, averages[:1], plan, [np.random.default_rng(0)])
    assert np.array_equal(pmw_of_all(cover, averages[:2], plan, [np.random.default_rng(0)] * 2)[0].answers, first.answers)
    assert updates > (130 if plan.test == 0.2 and name != "stumps" else 0)
    assert (halts > 0) == (plan.c < 100)
