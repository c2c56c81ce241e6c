"""What a whole run spends: the facts about each calibration, and the two bounds against each other."""

from functools import cache
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.theory.constants import calibrations
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.composition import compose_pure, epochs
from harness.theory.privacy.distance import DISTANCES, VALUES
from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.revealed import compose_revealed
from harness.theory.privacy.sparse_vector import first_bottom
from harness.theory.privacy.spent import certified, label_leak, spent_lower, spent_upper
from harness.theory.privacy.witness import label_event

CALIBRATIONS = calibrations()

M, DELTA = 100_000, 1e-6
EPS = (0.1, 1.0, 3.0, 5.0, 10.0)
CUTOFFS = (1, 1000, *(pytest.param(T, marks=pytest.mark.law) for T in (10, 100, 30_000)))
by_eps = pytest.mark.parametrize("eps", [eps if eps in (1.0, 5.0) else pytest.param(eps, marks=pytest.mark.law) for eps in EPS])
by_cutoff = pytest.mark.parametrize("T", CUTOFFS)
by_name = pytest.mark.parametrize("name", CALIBRATIONS)


@cache
def bounds(name: str, eps: float, T: float) -> tuple[float, float]:
    """Lower and upper at M and DELTA, which two tests look at."""
    return spent_lower(CALIBRATIONS[name], eps, DELTA, M, T), spent_upper(CALIBRATIONS[name], eps, DELTA, M, T)


@pytest.mark.at_once("1000-1.0-printed", "1-5.0-lean", "1-1.0-corrected", "1000-5.0-tight", "1-5.0-sparse_vec")
@by_name
@by_eps
@by_cutoff
def test_the_demonstrated_eps_is_below_the_certified_one(name: str, eps: float, T: float) -> None:
    """And within a factor 6 of it, the most that these witnesses leave open: neither bound is idle."""
    lower, upper = bounds(name, eps, T)
    assert upper / 6 < lower <= upper


@pytest.mark.law
@given(
    name=st.sampled_from(sorted(CALIBRATIONS)),
    eps=st.floats(0.1, 10),
    delta=st.floats(1e-8, 0.05),
    m=st.integers(1, 10**6),
    T=st.floats(1, 3000),
)
@settings(max_examples=40)
def test_the_bounds_are_in_order_everywhere(name: str, eps: float, delta: float, m: int, T: float) -> None:
    lower, upper = (bound(CALIBRATIONS[name], eps, delta, m, T) for bound in (spent_lower, spent_upper))
    assert 0 <= lower <= upper * (1 + 1e-6)


@pytest.mark.parametrize("name", ["sparse_vec", "corrected"])
@by_eps
@by_cutoff
def test_sensitivity_one_keeps_the_promise_with_a_factor_two_to_spare(name: str, eps: float, T: float) -> None:
    """BTT18a T2.7 and the repaired A_binClas."""
    assert spent_upper(CALIBRATIONS[name], eps, DELTA, M, T) < eps / 2


@pytest.mark.parametrize("eps", [eps for eps in EPS if eps <= 5])
@by_cutoff
def test_the_printed_constants_keep_the_promise_up_to_five(eps: float, T: float) -> None:
    """BTT18 T3.1: the slack of the advanced composition pays for the sensitivity 2 and for the epoch T + 1."""
    assert spent_upper(CALIBRATIONS["printed"], eps, DELTA, M, T) < 0.91 * eps


@pytest.mark.parametrize("T", [1000, 30_000])
def test_the_printed_constants_are_not_certified_at_ten(T: float) -> None:
    assert 10 < spent_upper(CALIBRATIONS["printed"], 10, DELTA, M, T) < 10.2
    assert spent_lower(CALIBRATIONS["printed"], 10, DELTA, M, T) < 10


@pytest.mark.at_once("1-printed", "1-lean")
@by_name
@by_cutoff
def test_more_promised_is_more_spent_and_a_looser_delta_of_the_same_noise_less(name: str, T: float) -> None:
    calibration = CALIBRATIONS[name]
    assert (np.diff([bounds(name, eps, T) for eps in EPS], axis=0) > 0).all()
    frozen = Calibration(
        "frozen",
        "",
        calibration.distance,
        lam=lambda eps, delta, m, T: calibration.lam(eps, DELTA, m, T),
        w=lambda eps, delta, m, T: calibration.w(eps, DELTA, m, T),
    )
    for bound in (spent_lower, spent_upper):
        assert all(np.diff([bound(frozen, 1.0, delta, M, T) for delta in (1e-6, 1e-5, 1e-3)]) < 0)


def with_threshold(w: float) -> Calibration:
    return Calibration("hand-made", "", DISTANCES["corrected"], lam=lambda *_: 1.0, w=lambda *_: w)


def test_without_a_threshold_the_labels_leave_nothing_certified() -> None:
    assert spent_upper(with_threshold(0.0), 1.0, DELTA, M, 10) == inf


def test_where_a_label_tells_tables_apart_too_often_no_eps_is_shown_to_be_enough() -> None:
    """In one of eleven epochs a query at distance 0 is answered; at a high threshold none is, and an attack shows the rest."""
    distance = DISTANCES["corrected"]
    for w, label in ((0.0, True), (60.0, False)):
        assert (spent_lower(with_threshold(w), 1.0, DELTA, M, 10) == inf) == label
        one = float(difference_tail(w, 1.0))
        assert label_event(distance, 1.0, w, 11) == pytest.approx(1 - (1 - one) ** 11, rel=1e-6, abs=1e-12)
    assert label_event(VALUES, 1.0, 0.0, 11) == 0.0


@pytest.mark.parametrize("before", [0, 1, 5, 50])
@pytest.mark.parametrize("level", [-4.0, 0.0, 4.0])
def test_the_leak_of_an_epoch_covers_the_tops_before_the_unsettled_query(before: int, level: float) -> None:
    """Its ⊤s speak for a low threshold, so that given them the query is answered more often than the tail says; but they must
    happen too, and together they are within it. Exact, by quadrature."""
    w = 6.0
    law = first_bottom(np.append(np.full(before, level), -w))
    leaked = law[-1]
    reached = 1 - law[:before].sum()
    assert leaked <= difference_tail(w, 1.0) * (1 + 1e-12)
    assert leaked >= difference_tail(w, 1.0) * reached * (1 - 1e-12)
    assert label_leak(DISTANCES["corrected"], 1.0, w, epochs(M, 10)) == pytest.approx(epochs(M, 10) * difference_tail(w, 1.0))


def test_thresholds_are_given_away_only_where_that_is_asked_for() -> None:
    """Over many epochs that certifies less; over one it certifies more, and the smaller of the two is taken."""
    distance, lam, w = DISTANCES["corrected"], 200.0, 1e5
    for n in (1, 5000):
        pure, revealed = compose_pure(2 * distance.sensitivity / lam, n, DELTA), compose_revealed(1 / (2 * lam), n, DELTA)
        assert (pure < revealed) == (n == 1)
        assert certified(distance, lam, w, n, DELTA) == pytest.approx(pure, rel=1e-9)
        assert certified(distance, lam, w, n, DELTA, sharp=True) == pytest.approx(min(pure, revealed), rel=1e-9)


def test_an_unsettled_query_of_printed_distance_one_leaks_more() -> None:
    """A gap of 2 against a tie: the printed distance of the one is 1."""
    printed = CALIBRATIONS["printed"]
    lam, w = printed.lam(1, DELTA, M, 1), printed.w(1, DELTA, M, 1)
    assert label_leak(printed.distance, lam, w, epochs(M, 1)) == pytest.approx(2 * difference_tail(w - 1, lam), rel=1e-9, abs=0)
