"""What is said of constants over a range: where a loop ends too soon, a threshold is too low, and a range is cut."""

from dataclasses import replace
from math import inf, log
from typing import Any

import numpy as np
import pytest

from harness.theory.least import STANDARD, ConstantSetting, Extreme, Range, private
from harness.theory.least import families as module
from harness.theory.least.answered import StableQueriesAsked, of_distances, of_labels, of_scores
from harness.theory.least.private import BINARY, CORRECTED, SCORES, SCORES_REPAIRED, SPARSE, SpendingRule

SETTING = ConstantSetting(1000, 3.0, 1.0, 1e-3, 0.1)


def test_a_loop_that_ends_too_soon_is_seen_where_a_query_is_left() -> None:
    """T tied queries before others: with c below what they cost the others are not answered, if there are any."""
    for of, name, costs in (("answering", "BTT18", 1), ("scores", "BTT18a", 2)):
        (family,) = (each for each in module.families() if (each.of, each.set, each.constant) == (of, name, "c_loop"))
        short = family.too_small()
        assert family.broken is not None and short is not None
        value, setting = short
        assert value == pytest.approx(costs) and isinstance(setting, ConstantSetting) and family.broken(value, setting)
        for T in (1.0, 4.0):
            more, none = (ConstantSetting(m, T, 1.0, 0.01, 0.05) for m in (int(T) + 1, int(T)))
            assert family.broken(costs - 0.01, more) and not family.broken(costs, more)
            assert not family.broken(costs - 0.01, none)
            assert not family.broken(costs - 0.01, replace(more, delta=0.96))


def test_what_is_known_over_a_range_is_attained_in_it() -> None:
    assert all(each.key == (each.of, each.set, each.constant, each.event) for each in module.families())
    within = {each.within for each in module.families()}
    assert len(within) == 2 and all(each in STANDARD for some in within for each in some.corners((2.0,)))
    known = [each for each in module.families() if each.constant in ("c_loop", "c_B", "c_T")]
    extremes = [extreme for each in known if (extreme := each.enough()) is not None]
    assert len(extremes) >= 3 and all(extreme.setting is not None and extreme.setting in STANDARD for extreme in extremes)
    assert all(extreme.setting is not None and extreme.setting.m > 1 for extreme in extremes)  # of one query T ≥ 1 allows all


@pytest.mark.parametrize("constant", ["c_w", "c_m"])
def test_the_largest_threshold_that_is_too_low_is_found_to_the_last_digits(constant: str) -> None:
    """Between a half of what is enough and that; where a half is not too low nothing is said."""
    needed = module._threshold("", "", constant, BINARY, lambda: Extreme(inf, SETTING))
    assert needed.broken is not None
    low, high = 1e-9, 1e9
    while high / low > 1 + 1e-12:
        middle = (low * high) ** 0.5
        low, high = (middle, high) if needed.broken(middle, SETTING) else (low, middle)
    for share in (1.2, 1.9):
        found = module._threshold("", "", constant, BINARY, lambda share=share: Extreme(share * low, SETTING)).too_small()  # type: ignore[misc]
        assert found is not None and found[1] == SETTING and found[0] == pytest.approx(low, rel=1e-9)
        assert needed.broken(found[0], SETTING)
    assert module._threshold("", "", constant, BINARY, lambda: Extreme(2.5 * low, SETTING)).too_small() is None
    assert module._threshold("", "", constant, BINARY, lambda: Extreme(low, None)).too_small() is None


def test_the_least_constants_of_noise_and_threshold_are_told_to_a_tenth_at_most_and_mostly_to_a_thirtieth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And at the largest ε of the range."""

    def told(run: SpendingRule, within: Range, enough: Any, needed: object, tolerance: float, least: float = 0.0) -> Extreme:
        return Extreme(1 + tolerance, None) if enough(1.0, (1.0, 2.0), (0.1, 0.2)) else Extreme(0.0, None)

    monkeypatch.setattr(private, "_least", told)
    monkeypatch.setattr(SpendingRule, "enough", lambda self, c, c_w, T, eps, delta: eps == STANDARD.eps[1] > STANDARD.eps[0])
    asked = {each.key: each.enough() for each in module._of_privacy() if each.constant in ("c_lam", "c_sv_lam", "c_w", "c_m")}
    asked |= {("", "", search.__name__, ""): search(BINARY) for search in (private.least_lam, private.least_w)}
    values = [extreme.value - 1 for extreme in asked.values() if extreme is not None]
    assert len(asked) == 11 and all(0 < value < 0.101 for value in values) and sum(value > 0.031 for value in values) == 1


@pytest.mark.parametrize("run", [BINARY, SPARSE], ids=["BTT18", "sparse vector"])
def test_the_least_g_is_enough_where_the_noise_at_the_largest_delta_still_is(
    run: SpendingRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    """√(c S ln(g/δ)) with g = 1 in place of the printed g: as with c·ln(1/δ)/ln(g/δ), least at the largest δ."""
    kept = min(run.c * log(1 / delta) / log(run.g / delta) for delta in np.geomspace(*STANDARD.delta, 50))
    for needed, enough in ((kept * (1 - 1e-9), True), (kept * (1 + 1e-9), False)):
        monkeypatch.setattr(module, "least_lam", lambda _, needed=needed: Extreme(needed, SETTING))
        assert module._smallest(run) == (Extreme(1.0, None) if enough else None)


ASKED = {
    "BTT18": of_labels("BTT18", "c_k"),
    "BTT18a": of_labels("BTT18a", "c_k"),
    "k_tight": of_labels("k_tight", "c_k"),
    "A_OQR": of_distances("c_oqr"),
    "A_sparseVec": of_distances("c_sv"),
    "scores": of_scores("repaired", "c_k"),
    "d of scores": of_scores("repaired", "c_d"),
    "scores by k_tight": of_scores("k_tight", "c_k"),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_range_is_cut_where_a_minimum_passes_from_delta_to_beta(name: str) -> None:
    """k or d over λ has ln(1/min(δ, β/h)): the same from δ = β/h on, and more below; h = 0 says that there is no such place.

    At an ε where k is so large that it need not be rounded.
    """
    asked, setting = ASKED[name], replace(SETTING, eps=1e-7)

    def units(delta: float) -> float:
        at = replace(setting, delta=delta)
        return asked.distance(5.0, at) / asked.lam(at)

    h = asked.halved(5.0)
    if h:
        beyond = setting.beta / h
        assert units(beyond) == pytest.approx(units(2 * beyond), rel=1e-6)
        assert units(0.99 * beyond) > units(beyond) * (1 + 1e-5)
    else:
        steps = np.diff([units(delta) for delta in np.geomspace(0.001, 0.2, 40)])
        assert (np.abs(steps) < 1e-6).all() or (steps < -1e-5).all()


@pytest.mark.parametrize("run", [BINARY, CORRECTED, SPARSE, SCORES, SCORES_REPAIRED])
def test_no_cutoff_between_two_has_more_thresholds_a_query(run: SpendingRule) -> None:
    """Of all T at which the number of thresholds rises; from 2·tests on as many as at an end, or as there are tests."""
    steps = np.arange(run.loop, 20 * run.loop) / run.loop
    shares = np.array([run.epochs(T) / run.queries(T) for T in steps])
    for first in range(len(steps)):
        for last in range(first, len(steps)):
            most, within = run._most_each(float(steps[first]), float(steps[last])), shares[first : last + 1].max()
            falls = steps[first] >= 2 * run.tests and run.loop < run.tests
            assert most >= within and (steps[first] < 2 * run.tests or most == (within if falls else run.tests))


def test_what_is_shown_is_shown_where_most_is_needed_at_the_smallest_beta_and_eps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a value of which settings of one query need half as much as the others."""
    monkeypatch.setattr(StableQueriesAsked, "too_small", lambda self, setting, below: 0.75 * below)
    asked = replace(ASKED["BTT18"], over=lambda c, x: c / 4 if x.m > 1 else c / 2)
    shown = asked.shown(Extreme(4.0, ConstantSetting(10, 2.0, 1.0, 0.1, 0.1)))
    assert shown is not None and shown[0] == 3.0
    assert shown[1].m > 1 and (shown[1].beta, shown[1].eps) == (STANDARD.beta[0], STANDARD.eps[0])
    assert asked.shown(Extreme(4.0, None)) is None
    monkeypatch.setattr(StableQueriesAsked, "too_small", lambda self, setting, below: 0.0)
    assert asked.shown(Extreme(4.0, SETTING)) is None


def test_the_largest_value_that_is_too_small_is_sought_down_to_a_tenth_of_what_is_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(StableQueriesAsked, "broken", lambda self, c, setting: c < 3)
    asked = ASKED["BTT18"]
    for below, found in ((3.1, 3.0), (5.0, 3.0), (29.0, 3.0), (31.0, 0.0), (2.0, 2.0)):
        assert asked.too_small(SETTING, below) == pytest.approx(found, rel=1e-9)
        assert asked.too_small(SETTING, below) < 3
    assert replace(asked, least=2.9).too_small(SETTING, 28.0) == pytest.approx(3, rel=1e-9)
    assert replace(asked, least=3.1).too_small(SETTING, 28.0) == 0
