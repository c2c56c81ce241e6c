"""At which β Theorem 3.2 breaks for identical hypotheses: the search against sums by hand, and what lies on either side."""

from math import comb, log, sqrt

import numpy as np
import pytest

from harness.claims.btt18.t3_2 import largest_beta, worst_case
from harness.claims.engine import ComputedExponents, Form, Unbent, overall
from harness.claims.registry import claims


def beyond(m: int, alpha: float, beta: float) -> float:
    """P(Bin(m, α) > T), term by term."""
    T = max(1.0, 3 * (alpha * m + sqrt(alpha * m * log(m / beta) / 2)))
    return 1 - sum(comb(m, i) * alpha**i * (1 - alpha) ** (m - i) for i in range(int(T) + 1))


def test_the_theorem_breaks_on_one_side_of_the_largest_beta_and_not_on_the_other() -> None:
    beta = largest_beta()
    assert beta == pytest.approx(1.332e-3, rel=1e-3)
    assert worst_case(0.999 * beta)[0] > 2 * 0.999 * beta
    assert worst_case(1.001 * beta)[0] < 2 * 1.001 * beta


@pytest.mark.parametrize("beta", [1e-6, 1e-4, 1e-3])
def test_the_worst_case_is_one(beta: float) -> None:
    found, m, alpha = worst_case(beta)
    assert found == pytest.approx(beyond(m, alpha, beta), rel=1e-6)
    assert found > 2 * beta


def test_no_m_and_alpha_on_a_fine_grid_are_worse() -> None:
    beta = largest_beta()
    grid = [beyond(m, alpha, beta) for m in (3, 4, 5, 6, 7, 8, 12, 20, 40) for alpha in np.geomspace(1e-4, 0.5, 400)]
    assert max(grid) <= worst_case(beta)[0] * (1 + 1e-9)
    assert max(grid) > 0.97 * worst_case(beta)[0]


def test_a_verdict_with_the_beta_of_the_other_side_would_be_another() -> None:
    assert overall(each.outcome for each in claims()["BTT18:T3.2-any-beta"].computed()) == "refuted"
    assert overall(each.outcome for each in claims()["BTT18:T3.2-ordinary-beta"].computed()) == "holds"


def test_the_order_of_the_bound_is_refuted_by_growth_and_not_by_a_constant() -> None:
    """T/m over γ + α grows as a power of 1/α on the way to 0: 0 is refuted, and so would be any constant, however large."""
    decider = claims()["BTT18:T3.2-rate"].decider
    assert isinstance(decider, ComputedExponents)
    ((_, _, at),) = decider.sweeps()
    assert overall(each.outcome for each in decider.computed("x")) == "refuted"
    bounded = ComputedExponents(decider.form, lambda: [("bounded", "alpha", at.assign(mean=1e6, low=1e6, high=1e6))])
    assert overall(each.outcome for each in bounded.computed("x")) == "holds"
    growing = ComputedExponents(Form({"alpha": -0.25}, Unbent()), decider.sweeps)
    assert overall(each.outcome for each in growing.computed("x")) == "refuted"
