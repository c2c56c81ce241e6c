"""How small constants can be over a range: the searches miss nothing, and the laws are those of the mechanisms."""

from dataclasses import replace
from itertools import pairwise
from math import log

import numpy as np
import pytest
import scipy

from harness.theory.constants import calibrations, constants
from harness.theory.constants.btt18a_scores import ScoreTask, score_constants
from harness.theory.least import STANDARD, ConstantSetting, Extreme, Range
from harness.theory.least.answered import any_fails, of_distances, of_labels, of_scores, two_thirds
from harness.theory.least.bounds import Box, least_enough
from harness.theory.least.cutoff import additive, cutoff, deviation, too_small
from harness.theory.least.families import ORDINARY
from harness.theory.least.private import (
    BINARY,
    CORRECTED,
    SCORES,
    SCORES_REPAIRED,
    SPARSE,
    SpendingRule,
    covered,
    least_inner,
    least_lam,
)
from harness.theory.privacy.composition import compose_pure
from harness.theory.privacy.distance import VALUES
from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.revealed import compose_revealed
from harness.theory.privacy.sparse_vector import first_bottom
from harness.theory.privacy.spent import certified

ASKED = {
    "k of BTT18": of_labels("BTT18", "c_k"),
    "β of BTT18": of_labels("BTT18", "c_beta"),
    "k of BTT18a": of_labels("BTT18a", "c_k"),
    "k_tight": of_labels("k_tight", "c_k"),
    "A_OQR": of_distances("c_oqr"),
    "A_sparseVec": of_distances("c_sv"),
    "k of scores": of_scores("repaired", "c_k"),
    "d of scores": of_scores("repaired", "c_d"),
}

SETTING = ConstantSetting(1000, 10.0, 1.0, 1e-6, 0.05)


@pytest.mark.at_once("k of BTT18", "A_sparseVec", "k_tight", "d of scores")
@pytest.mark.parametrize("name", ASKED)
def test_the_corners_miss_nothing(name: str) -> None:
    """Of 1000 other settings none needs more than the extreme, and where it is attained all of it is needed."""
    asked = ASKED[name]
    found = asked.extreme()
    assert all(asked.over(found.value, each) >= 1 - 1e-9 for each in STANDARD.drawn(np.random.default_rng(1), 1000))
    assert found.setting is not None and asked.over(found.value, found.setting) == pytest.approx(1, abs=1e-6)
    assert asked.alone(found.setting) == pytest.approx(found.value, rel=1e-6)


def test_twelve_is_enough_for_any_number_of_queries() -> None:
    """12 ln(4mT/x) − 6 ln(4m²/(3δβ)) is at least 6 ln 24 for x = min(δ, β/2), which is above 3/λ up to ε = 29."""
    at = of_labels("BTT18", "c_k")
    assert at.enough(12, Range(queries=10**30, eps=(0.01, 29), delta=(1e-30, 0.2), beta=(1e-30, 0.2)))
    assert 11.9 < at.extreme(Range(queries=10**250)).value < 12


@pytest.mark.parametrize("m", [1, 3, 10])
def test_the_chance_that_any_query_fails_is_that_of_a_first_bottom(m: int) -> None:
    for level in (0.5, 3.0, 9.0):
        assert any_fails(level, m) == pytest.approx(1 - first_bottom(np.full(m, level))[-1], rel=1e-9)


def test_the_least_distance_of_two_thirds_is_that_of_a_vote() -> None:
    assert [two_thirds("printed", k) for k in (3, 4, 5, 30)] == [0, 1, 2, 9]
    assert [two_thirds("corrected", k) for k in (30, 31)] == [4, 5]


def test_one_query_fails_as_the_tail_says_and_many_at_most_as_the_union_bound_does() -> None:
    one = 2 / 3 * np.exp(-3.0) - np.exp(-6.0) / 6
    assert any_fails(6.0, 1) == pytest.approx(one, rel=1e-9)
    assert 0.9 < any_fails(20.0, 100) / (100 * 2 / 3 * np.exp(-10.0)) < 1


def test_of_one_test_a_query_fails_as_the_loop_does_and_of_two_where_the_other_does_not_pass_either() -> None:
    """At m = 1 and a large δ a distance of 0 passes w now and then; a loop that is not online has no w."""
    at = ConstantSetting(1, 1.0, 1.0, 0.2, 0.2)
    for asked, tests in ((ASKED["k of BTT18"], 1), (ASKED["d of scores"], 2)):
        lam, w = asked.lam(at), asked.w(at)
        loop = any_fails((asked.distance(1.0, at) - w) / lam, 1)
        passes = 0.0 if tests == 1 else float(difference_tail(w, lam))
        assert asked.failing(1.0, at) == pytest.approx(loop * (1 - passes), rel=1e-9)
        assert float(difference_tail(w, lam)) > 1e-4
    assert ASKED["A_sparseVec"].w(SETTING) == 0 < ASKED["A_OQR"].w(SETTING)
    stable = score_constants()["repaired"].changed({"c_d": 5.0}).stable(ScoreTask(1000, 10.0, 1.0, 1e-6, 0.05))
    assert stable < ASKED["d of scores"].distance(5.0, SETTING) <= stable + 1


@pytest.mark.parametrize(("run", "name", "c_w"), [(SCORES, "BTT18a", 1.0), (SCORES_REPAIRED, "repaired", 2.0)])
def test_the_noise_and_the_threshold_of_scores_are_those_of_their_sets(run: SpendingRule, name: str, c_w: float) -> None:
    base, task = score_constants()[name], ScoreTask(1000, 10.0, 0.7, 1e-6, 0.05)
    assert run.lam(run.c, 10.0, 0.7, 1e-6) == pytest.approx(base.lam(task))
    assert c_w * base.lam(task) * log(run.inner * 1000 / 1e-6) == pytest.approx(base.w(task))
    assert (run.tests, run.loop * task.T) == (2, base.cutoff(task))


@pytest.mark.parametrize(("run", "name"), [(BINARY, "printed"), (CORRECTED, "corrected"), (SPARSE, "sparse_vec")])
def test_the_noise_and_the_threshold_of_votes_and_values_are_those_of_their_calibrations(run: SpendingRule, name: str) -> None:
    """But for a threshold of values, which who asks chooses."""
    of, (eps, delta, m, T) = calibrations()[name], (0.7, 1e-6, 1000, 10.0)
    lam, w = of.lam(eps, delta, m, T), of.w(eps, delta, m, T)
    assert run.lam(run.c, T, eps, delta) == pytest.approx(lam) and (run.tests, run.loop * T) == (1, of.last(T))
    assert run.distance == of.distance and w == pytest.approx(run.threshold * lam * log(run.inner * m / delta) if w else 0)


@pytest.mark.parametrize("run", [BINARY, CORRECTED], ids=["BTT18", "corrected"])
@pytest.mark.parametrize("T", [1.0, 10.0, 300.0])
def test_at_the_least_threshold_leaks_take_what_the_accountants_leave_of_delta(T: float, run: SpendingRule) -> None:
    eps, delta = 1.0, 1e-6
    n, lam, queries = run.epochs(T), run.lam(run.c, T, eps, delta), run.queries(T)
    w = run.least_w(T, eps, delta) * lam * log(2 * queries / delta)
    assert n * run.leak(lam, w) == pytest.approx(delta - covered(run.distance.sensitivity, lam, n, eps), rel=1e-6, abs=0)
    inner = run.least_inner(T, eps, delta)
    assert inner == max(1.0, delta / queries * np.exp(w / lam / run.threshold)) == 1.0
    assert replace(run, threshold=0.5).least_inner(T, eps, delta) == pytest.approx(delta / queries * np.exp(2 * w / lam))


def test_a_box_is_searched_until_nothing_may_have_more() -> None:
    """A function with a narrow peak at 0.3, of which it is known only that it changes no faster than so much."""

    def needed(at: tuple[float, ...]) -> float:
        return 2 - min(1.0, 50 * abs(at[0] - 0.3))

    def enough(value: float, box: Box) -> bool:
        ((low, high),) = box
        return value >= min(2.0, max(needed((low,)), needed((high,))) + 25 * (high - low))

    value, (at,) = least_enough(((0.0, 1.0),), enough, needed, (1.0,), 0.01)
    assert 2 <= value <= 2.03 and at == pytest.approx(0.3, abs=0.001)


RUNS = {"BTT18": BINARY, "corrected": CORRECTED, "sparse vector": SPARSE, "scores": SCORES_REPAIRED}


@pytest.mark.parametrize("name", RUNS)
def test_the_least_noise_is_the_accountants_own(name: str) -> None:
    """At it a run is certified to spend ε, and at a thousandth less it is not."""
    run = RUNS[name]
    for T, eps, delta in ((1.0, 1.0, 0.01), (7.0, 0.3, 1e-6), (300.0, 1.0, 1e-9)):
        c = run.least_lam(T, eps, delta)
        for share, kept in ((1.0, True), (0.999, False)):
            lam = run.lam(share * c, T, eps, delta)
            w = run.threshold * lam * log(run.inner * run.queries(T) / delta)
            spent = certified(run.distance, lam, w, run.epochs(T), delta, sharp=True)
            assert (spent <= eps * (1 + 1e-5)) == kept


def test_what_is_covered_is_the_inverse_of_both_accountants() -> None:
    for lam, n, eps in ((16.0, 3, 0.7), (60.0, 200, 1.0)):
        least = covered(2, lam, n, eps)
        assert min(compose_pure(4 / lam, n, least), compose_revealed(1 / lam, n, least)) == pytest.approx(eps, rel=1e-6)


def test_of_very_many_epochs_with_little_noise_nothing_less_than_a_delta_of_1_is_covered() -> None:
    assert covered(2, 1.0, 10**4, 0.1) == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("name", RUNS)
def test_more_noise_for_its_size_is_needed_the_larger_epsilon_is(name: str) -> None:
    run = RUNS[name]
    for T, delta in ((1.0, 0.01), (10.0, 1e-6), (10**4, 1e-10)):
        needed = [run.least_lam(T, eps, delta) for eps in (0.01, 0.05, 0.3, 1.0)]
        assert all(low <= high * (1 + 1e-5) for low, high in pairwise(needed))


def test_the_worst_m_is_the_least_with_so_many_epochs() -> None:
    lam, n = 40.0, 11
    leaks = [min(m, n) * BINARY.leak(lam, 2 * lam * log(2 * m / 0.01)) / (min(m, n) / n) for m in (11, 12, 20, 1000)]
    assert leaks == sorted(leaks, reverse=True)


@pytest.mark.law
@pytest.mark.parametrize("name", ["BTT18", "scores"])
def test_no_cutoff_needs_more_noise_than_the_search_found(name: str) -> None:
    """At every T to 60, in halves where a ⊥ costs 2, and others to 10⁹, each at 20 values of δ, what it found is certified."""
    run = RUNS[name]
    found = least_lam(run)
    assert found.setting is not None and run.least_lam(found.setting.T, 1.0, found.setting.delta) > 0.96 * found.value
    for T in np.unique(np.concatenate([np.arange(2, 120) / 2, np.geomspace(60, 1e9, 30).round()])):
        ends = run.risen(T), run.risen(T)
        assert all(run.enough(found.value, 2.0, ends, 1.0, (delta, delta)) for delta in np.geomspace(1e-10, 0.2, 20))


def test_of_at_most_two_queries_the_least_constant_is_that_of_a_cutoff_of_one() -> None:
    found = least_lam(SPARSE, Range(queries=2))
    assert found.setting is not None and (found.setting.m, found.setting.T) == (2, 1.0)
    needed = max(SPARSE.least_lam(1.0, 1.0, float(delta)) for delta in np.geomspace(*STANDARD.delta, 100))
    assert needed * (1 - 1e-3) < found.value < needed * 1.031


def test_where_less_than_one_would_do_one_is_found_exactly() -> None:
    assert least_inner(BINARY) == Extreme(1.0, None)


def test_split_votes_break_the_cutoff_by_exact_binomials() -> None:
    """At β = 0.05 twice B is nearly needed; where β is small 3B as a real number is far too small."""
    for of, beta, least in ((cutoff, 0.05, 1.9), (cutoff, 1e-4, 3), (cutoff, 1e-10, 100), (deviation, 1e-3, 0.5)):
        value, at = too_small(of, beta)
        assert value > least
        mean, below = at.m * at.alpha, value * (1 - 1e-9)
        c_T, c_B = (below, 0.5) if of is cutoff else (3.0, below)
        T = max(1.0, c_T * (mean + (c_B * mean * log(at.m / beta)) ** 0.5))
        assert 2 * beta < scipy.stats.binom.sf(np.floor(T), at.m, 2 * at.alpha) < (2 * beta + 1e-10 / 3) * (1 + 1e-5)


def test_where_three_times_the_mean_is_enough_no_deviation_is_too_small() -> None:
    of, m, alpha = (np.array([each]) for each in (27.0, 100.0, 0.1))
    assert deviation(m, alpha, 0.1, of).tolist() == additive(m, alpha, 0.1, of).tolist() == [0.0]
    (found,) = deviation(m, alpha, 0.1, np.array([60.0]))
    assert 3 * (10 + (found * 10 * log(1000)) ** 0.5) == pytest.approx(60)


def test_the_cutoff_of_the_sets_is_the_one_that_is_broken() -> None:
    value, at = too_small(cutoff, 1e-4)
    task = ConstantSetting(at.m, 1.0, 1.0, 1e-6, at.beta).task
    changed = constants()["BTT18"].changed({"c_T": value})
    assert changed.T(task, at.alpha) == pytest.approx(round(changed.T(task, at.alpha)))


def test_a_range_says_what_is_in_it() -> None:
    drawn = list(STANDARD.drawn(np.random.default_rng(0), 200))
    assert all(each in STANDARD for each in drawn) and len({each.m for each in drawn}) > 100
    below = ({name: 0.99 * getattr(STANDARD, name)[0]} for name in ("eps", "delta", "beta"))
    assert all(replace(drawn[0], **each) not in STANDARD for each in below)
    largest = ConstantSetting(10**9, 1e9, 1.0, 0.2, 0.2)
    assert largest in STANDARD and replace(largest, m=10**9 + 1) not in STANDARD
    assert replace(drawn[0], beta=0.3) not in STANDARD and replace(drawn[0], T=drawn[0].m + 1.0) not in STANDARD
    assert all(each in STANDARD for within in (STANDARD, ORDINARY) for each in within.corners((2.0,)))


def test_corners_are_the_ends_of_all_and_where_delta_is_a_share_of_beta_and_the_largest_is_at_one_of_them() -> None:
    small = Range(queries=100, eps=(0.1, 1.0), delta=(1e-4, 0.05), beta=(1e-3, 0.2))
    sizes = [(m, T, eps) for m, T in ((1, 1.0), (100, 1.0), (100, 100.0)) for eps in small.eps]
    ends = {(delta, beta) for delta in small.delta for beta in small.beta}
    cuts = {(0.0005, 0.001), (0.05, 0.1)}  # where β = 2δ: not at β = 0.2, nor at δ = 10⁻⁴
    for halved, pairs in ((), ends), ((2.0,), ends | cuts):
        found = [(each.m, each.T, each.eps, each.delta, each.beta) for each in small.corners(halved)]
        assert set(found) == {(*size, *pair) for size in sizes for pair in pairs}
    top = small.largest(lambda x: x.m / x.T + x.eps - x.delta + x.beta)
    assert top.setting == ConstantSetting(100, 1.0, 1.0, 1e-4, 0.2) and top.value == pytest.approx(100 + 1 - 1e-4 + 0.2)
    task = ConstantSetting(100, 1.0, 0.5, 1e-4, 0.2).task
    assert (task.m, task.eps, task.delta, task.beta, task.gamma, task.pac_bound(9, 0.1)) == (100, 0.5, 1e-4, 0.2, 0, 0)


def test_a_quarter_of_the_settings_drawn_have_a_cutoff_of_1_and_a_quarter_one_of_m() -> None:
    """False-failure probability: 4e-9, of both together, by the binomial law of 4,000."""
    drawn = list(STANDARD.drawn(np.random.default_rng(5), 4000))
    for shown in (sum(each.T == 1 < each.m for each in drawn), sum(each.T == each.m > 1 for each in drawn)):
        assert 820 < shown < 1160


def test_the_constant_of_k_tight_is_the_least_alone_at_any_setting() -> None:
    """Its k is 3(a* + 1), of which two thirds are a lead above a*."""
    for setting in (SETTING, ConstantSetting(10**6, 100.0, 0.1, 1e-9, 0.01), ConstantSetting(1, 1.0, 1.0, 0.1, 0.1)):
        assert ASKED["k_tight"].alone(setting) == pytest.approx(3, rel=1e-9)


def test_both_ends_of_delta_count() -> None:
    """16 is enough at δ = 10⁻¹⁰ and at 0.2 each; for all between it is the noise of the one and the δ of the other."""
    ends = (1e-10, 1e-10), (0.2, 0.2), (1e-10, 0.2)
    assert [BINARY.enough(16, 2.0, (10.0, 10.0), 1.0, each) for each in ends] == [True, True, False]
    assert BINARY.enough(128, 2.0, (10.0, 10.0), 1.0, ends[2])


def test_alone_the_least_value_that_may_stand_there_is_told_where_it_is_enough() -> None:
    asked = replace(ASKED["k of BTT18"], over=lambda c, _: c, least=1.5)
    assert asked.alone(SETTING) == 1.5
    assert replace(asked, least=0.5).alone(SETTING) == pytest.approx(1.0)
    assert replace(asked, over=lambda c, _: c / 1e9).alone(SETTING) is None
    assert SpendingRule(VALUES).epochs(3.5) == 4 and SCORES_REPAIRED.epochs(1.5) == 5
