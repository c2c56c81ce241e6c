"""What BTT18 is silent about: the same checks let the theorems stand where they are meant."""

from math import exp

import numpy as np
import pytest

from harness.claims.btt18 import t3_1_conditions, t4_2_labels
from harness.theory.constants import calibrations
from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.spent import spent_lower, spent_upper


def test_the_witness_of_a_large_eps_shows_none_at_five() -> None:
    assert all(number.measured > number.bound for number in t3_1_conditions._many_epochs())
    assert all(spent_lower(calibrations()["printed"], 5.0, 0.2, 5000, T) < 5.0 for T in (1.0, 1000.0))


@pytest.mark.parametrize("delta", [1e-10, 1e-6, 1e-2, 0.2])
def test_up_to_five_the_printed_constants_are_certified(delta: float) -> None:
    """The range that the errata of Theorem 3.1 name."""
    printed, settings = calibrations()["printed"], [(m, T) for m in (1, 10, 1000, 10**7) for T in (1.0, 10.0, 100.0, 1e5)]
    assert all(spent_upper(printed, 5.0, delta, m, T) <= 5.0 for m, T in settings)


def test_one_query_at_a_cutoff_of_one_spends_less_than_eps() -> None:
    (number,) = t3_1_conditions._below_one()
    assert number.measured > 1e4 * number.bound
    printed = calibrations()["printed"]
    lam, w = printed.lam(1.0, 1e-6, 1, 1.0), printed.w(1.0, 1e-6, 1, 1.0)
    more, less = (float(difference_tail(distance - w, lam)) for distance in (20, 22))
    assert more - exp(1.0) * less < 0


def test_of_two_queries_at_w_both_are_answered_with_seven_in_twenty_four() -> None:
    """By the trapezium rule over the threshold's noise, in units of λ."""
    u = np.linspace(-40, 40, 400_001)
    answered = np.where(u > 0, np.exp(-np.abs(u) / 2) / 2, 1 - np.exp(-np.abs(u) / 2) / 2)
    both = float(np.trapezoid(answered**2 * np.exp(-np.abs(u)) / 2, u))
    assert abs(both - float(t4_2_labels.BOTH_ANSWERED)) < 1e-6
