"""The noise of batches drawn without replacement, by dp-accounting, wherever the search for it ends."""

from itertools import pairwise

import pytest
from dp_accounting.dp_event import GaussianDpEvent, SampledWithoutReplacementDpEvent, SelfComposedDpEvent
from dp_accounting.privacy_accountant import NeighboringRelation
from dp_accounting.rdp import RdpAccountant

from harness.theory.privacy.gaussian import gaussian_mu
from harness.theory.privacy.subsampled import ORDERS, RELATIVE, noise_multiplier


def spent(sigma: float, batches: int, steps: int) -> float:
    step = SampledWithoutReplacementDpEvent(batches, 1, GaussianDpEvent(sigma))
    accountant = RdpAccountant(ORDERS, NeighboringRelation.REPLACE_ONE)
    return float(accountant.compose(SelfComposedDpEvent(step, steps)).get_epsilon(1e-6))


@pytest.mark.at_once("1.0")
@pytest.mark.parametrize("eps", [0.5, 1.0, 1.5])
def test_the_noise_is_enough_and_hardly_more(eps: float) -> None:
    """3 steps on a quarter each: at ε = 0.5 and 1.5 the root that is found is of too little noise, at 1 of enough."""
    sigma = noise_multiplier(4, 3, eps, 1e-6)
    assert spent(sigma, 4, 3) <= eps < spent(sigma * (1 - 2.1 * RELATIVE), 4, 3)


def test_no_best_order_is_far_from_one_that_is_tried() -> None:
    """From the least whole one on, at most 1 apart up to 4, 2 up to 32, and 4 up to 48; at ε = 0.01 none gains anything."""
    assert noise_multiplier(2, 1, 0.01, 1e-6) == pytest.approx(1 / gaussian_mu(0.01, 1e-6))
    assert ORDERS[0] == 2 and ORDERS[-1] == 48
    assert all(0 < above - below <= (1 if above <= 4 else 2 if above <= 32 else 4) for below, above in pairwise(ORDERS))
