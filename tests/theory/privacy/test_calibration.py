"""The calibrations: the printed formulas and what the tight one is for."""

from math import log, sqrt

import pytest

from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import CONSTANTS, Task, sparse_vec_lam
from harness.theory.privacy.calibration import CALIBRATIONS
from harness.theory.privacy.spent import label_leak, spent_upper

cells = pytest.mark.parametrize("eps", [0.1, 1.0, 10.0])
cutoffs = pytest.mark.parametrize("T", [1, 37.5, 1000, 30_000])
M, DELTA = 100_000, 1e-6


@cells
@cutoffs
def test_printed_formulas_are_those_the_mechanisms_run_with(eps: float, T: float) -> None:
    task = Task(M, eps, DELTA, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
    for constants in CONSTANTS.values():
        printed = CALIBRATIONS["printed"]
        assert printed.lam(eps, DELTA, M, T) == pytest.approx(constants.lam(task, T), rel=1e-15)
        assert printed.w(eps, DELTA, M, T) == pytest.approx(constants.w(task, T), rel=1e-15)
    assert CALIBRATIONS["sparse_vec"].lam(eps, DELTA, M, T) == pytest.approx(sparse_vec_lam(eps, DELTA, T), rel=1e-15)


@cells
def test_corrected_formulas_count_the_bottom_that_the_loop_lets_out(eps: float) -> None:
    corrected = CALIBRATIONS["corrected"]
    lam = sqrt(32 * 11 * log(2e6)) / eps
    assert corrected.lam(eps, DELTA, M, 10) == pytest.approx(lam, rel=1e-15)
    assert corrected.w(eps, DELTA, M, 10) == pytest.approx(2 * lam * log(2 * M / DELTA), rel=1e-15)


@cells
@cutoffs
def test_the_tight_calibration_spends_exactly_what_is_claimed(eps: float, T: float) -> None:
    """To six digits, with half of δ for the labels; and a little less noise would spend more."""
    tight = CALIBRATIONS["tight"]
    assert spent_upper(tight, eps, DELTA, M, T) == pytest.approx(eps, rel=5e-7)
    assert label_leak(tight, eps, DELTA, M, T) == pytest.approx(DELTA / 2, rel=1e-9, abs=0)


@cells
@cutoffs
def test_the_tight_calibration_needs_the_least_noise_and_threshold(eps: float, T: float) -> None:
    tight, corrected = CALIBRATIONS["tight"], CALIBRATIONS["corrected"]
    assert tight.lam(eps, DELTA, M, T) < 0.52 * corrected.lam(eps, DELTA, M, T)
    assert tight.w(eps, DELTA, M, T) < 0.52 * corrected.w(eps, DELTA, M, T)
