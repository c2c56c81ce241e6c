"""The privacy of PMW: what is spent, against an independent accountant's composition."""

import pytest
from dp_accounting.pld.privacy_loss_distribution import from_laplace_mechanism

from harness.claims.registry import claims
from harness.mechanisms.release.numeric_sparse import PmwPlan, spent


def test_it_holds_with_less_than_half_of_epsilon() -> None:
    for name in ("BCMNUW20:P", "BCMNUW20:P-repaired"):
        for verdict in claims()[name].computed():
            assert verdict.measured is not None and verdict.bound is not None
            assert verdict.outcome == "holds" and verdict.measured < verdict.bound / 2


def test_epochs_compose_to_no_less_than_laplace_mechanisms_do() -> None:
    """Each epoch's ε as that of one Laplace mechanism: by dp-accounting, which composes these exactly, it is less, and near."""
    plan = PmwPlan.of(100, 4.0, 10**7, 0.2, 0.05, 1.0, 1e-6)
    share = 2 / (10**7 * plan.test) + 1 / (10**7 * plan.value)
    composed = from_laplace_mechanism(1 / share, value_discretization_interval=share / 20).self_compose(int(plan.c) + 1)
    assert composed.get_epsilon_for_delta(1e-6) == pytest.approx(spent(int(plan.c) + 1, share, 1e-6), rel=0.05)
