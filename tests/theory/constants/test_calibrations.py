"""The calibrations: the printed formulas and what the tight one is for."""

from math import log, sqrt

import pytest

from harness.theory.constants import calibrations, constants
from harness.theory.constants.btt18a import sparse_vec_lam
from harness.theory.factors import set_named
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.spent import label_leak, spent_upper

CALIBRATIONS = calibrations()

cells = pytest.mark.parametrize("eps", [0.1, 1.0, 10.0])
cutoffs = pytest.mark.parametrize("T", [1, 37.5, 1000, 30_000])
M, DELTA = 100_000, 1e-6


@cells
@cutoffs
def test_printed_formulas(eps: float, T: float) -> None:
    printed = CALIBRATIONS["printed"]
    lam = sqrt(32 * T * log(2 / DELTA)) / eps
    assert printed.lam(eps, DELTA, M, T) == pytest.approx(lam, rel=1e-15)
    assert printed.w(eps, DELTA, M, T) == pytest.approx(2 * lam * log(2 * M / DELTA), rel=1e-15)
    assert CALIBRATIONS["sparse_vec"].lam(eps, DELTA, M, T) == sparse_vec_lam(eps, DELTA, T)


@cells
def test_corrected_formulas_count_the_bottom_that_the_loop_lets_out(eps: float) -> None:
    corrected = CALIBRATIONS["corrected"]
    lam = sqrt(32 * 11 * log(2e6)) / eps
    assert corrected.lam(eps, DELTA, M, 10) == pytest.approx(lam, rel=1e-15)
    assert corrected.w(eps, DELTA, M, 10) == pytest.approx(2 * lam * log(2 * M / DELTA), rel=1e-15)


@cells
@cutoffs
def test_the_tight_calibration_spends_exactly_what_is_claimed(eps: float, T: float) -> None:
    """To nine digits, with half of δ for the labels, at the corrected distance and at the printed one."""
    for tight in (CALIBRATIONS["tight"], set_named("tight with c_gap = 1", constants()).calibration):
        assert spent_upper(tight, eps, DELTA, M, T) == pytest.approx(eps, rel=1e-9)
        lam, w = tight.lam(eps, DELTA, M, T), tight.w(eps, DELTA, M, T)
        assert label_leak(tight.distance, lam, w, epochs(M, T)) == pytest.approx(DELTA / 2, rel=1e-9, abs=0)
    assert tight.distance.name == "printed"


@cells
@cutoffs
def test_the_tight_calibration_needs_the_least_noise_and_threshold(eps: float, T: float) -> None:
    tight, corrected = CALIBRATIONS["tight"], CALIBRATIONS["corrected"]
    assert tight.lam(eps, DELTA, M, T) < 0.52 * corrected.lam(eps, DELTA, M, T)
    assert tight.w(eps, DELTA, M, T) < 0.52 * corrected.w(eps, DELTA, M, T)
