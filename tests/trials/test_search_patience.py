"""A search that gives up early where little is to be seen: how much it saves, and that it costs nothing in what it shows."""

from math import exp, log

import numpy as np
import pytest
from scipy.stats import binom

from harness.trials.sample_complexity import PATIENCE
from harness.trials.search import Found, Search, SearchBudget, one_by_one

ALLOWED = 0.15


def search(seed: int, patience: SearchBudget, error: float = 1e-8, budget: int = 2000) -> Found:
    """Where P(fail) = e^(−n/1000)."""
    rng = np.random.default_rng(seed)
    return Search(
        one_by_one(lambda n, index: bool(rng.random() < exp(-n / 1000))), ALLOWED, 10**9, error, budget, patience=patience
    ).find(start=10**4)


def widths(found: list[Found]) -> float:
    return float(np.mean([log(each.high / each.low) for each in found if each.high is not None and each.low]))


@pytest.mark.law
def test_an_interval_as_narrow_takes_six_tenths_of_the_runs() -> None:
    """The means over 12 searches each."""
    patient, sparing = ([search(seed, patience) for seed in range(12)] for patience in (SearchBudget(), PATIENCE))
    assert all(each.high and each.low for each in patient + sparing)
    assert np.mean([each.runs for each in sparing]) < 0.6 * np.mean([each.runs for each in patient])
    assert widths(sparing) < 1.1 * widths(patient)


@pytest.mark.law
def test_where_it_gives_up_does_not_touch_how_often_it_is_wrong() -> None:
    """200 searches that may miss n* = 1000 ln(1/0.15) with probability 0.05 each: over 30 misses have probability 2e-8."""
    n_star, misses = 1000 * log(1 / ALLOWED), 0
    for seed in range(200):
        found = search(seed, PATIENCE, error=0.05, budget=200)
        misses += not (found.low < n_star and (found.high is None or n_star <= found.high))
    assert binom.sf(30, 200, 0.05) < 1e-6
    assert misses <= 30


@pytest.mark.parametrize("least", [57, 123_456])
def test_a_sharp_step_is_found_as_well(least: int) -> None:
    found = Search(one_by_one(lambda n, index: n < least), ALLOWED, 10**9, 1e-6, 500, patience=PATIENCE).find(start=10**4)
    assert found.low < least <= (found.high or 0) <= max(least + 1, least * 1.02)
