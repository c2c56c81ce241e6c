"""Few queries: the step that is not uniform in β, along its sequence, and what holds with the repaired cutoff."""

from dataclasses import replace

import pytest

from harness.claims.btt18.few_queries import kept, repaired_plan
from harness.claims.btt18.split_votes import bernstein
from harness.claims.engine import ComputedExponents, overall, task_of
from harness.claims.registry import claims
from harness.theory import pac


@pytest.mark.parametrize("name", ["BTT18:T3.4-step", "BTT18:T3.5-step"])
def test_the_step_falls_by_growth_along_its_sequence_and_no_constant_saves_it(name: str) -> None:
    decider = claims()[name].decider
    assert isinstance(decider, ComputedExponents)
    ((_, axis, at),) = decider.sweeps()
    assert overall(each.outcome for each in decider.computed("x")) == "refuted"
    scaled = at.assign(**{each: 1e-12 * at[each] for each in ("mean", "low", "high")})
    assert overall(e.outcome for e in replace(decider, sweeps=lambda: [("less", axis, scaled)]).computed("x")) == "refuted"
    level = at.assign(mean=1e9, low=1e9, high=1e9)
    assert overall(e.outcome for e in replace(decider, sweeps=lambda: [("level", axis, level)]).computed("x")) == "holds"


def test_the_repaired_cutoff_is_three_of_bernsteins_bound_at_its_own_alpha() -> None:
    task = task_of(1000, 1e-6, pac_bound=pac.thresholds_extremal)
    plan = repaired_plan(10**12, task)
    assert plan.T == pytest.approx(3 * bernstein(task, plan.alpha))
    assert plan.alpha == pytest.approx(pac.thresholds_extremal(plan.s, 1e-6 / plan.k))


@pytest.mark.parametrize("gamma", [0.0, 0.01])
def test_the_repaired_bound_would_be_missed_with_less_of_a_one_over_m(gamma: float) -> None:
    """It is attained to within four: at a quarter of its last term some m passes it."""
    bound = pac.thresholds_agnostic if gamma else pac.thresholds_extremal
    rates = [number for number in kept(10**18, (10, 100), gamma, bound) if number.where.startswith("T/m")]
    assert all(number.measured <= number.bound for number in rates)
    assert any(number.measured > number.bound / 4 for number in rates)
