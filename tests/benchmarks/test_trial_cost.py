"""What a trial costs, all three mechanisms of the first figure together."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from harness.mechanisms.answering import mechanisms
from harness.theory.plan import Plan
from harness.trials.answers import KIND
from harness.trials.cell import Cell

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]

NAMES = ("A_binClas", "noisy_majority", "majority")


def each_trial(times: float, cell: Cell, reference: Cell | None = None) -> float:
    """So many times a trial's time, told of the blocks that trials are drawn in; a reference that is no cell is one trial."""
    return times * KIND.block(cell) / (KIND.block(reference) if reference else 1)


class AtFixedK(Cell, frozen=True):
    """A cell whose mechanisms use the k of n = 10¹² whatever n is: only s follows n."""

    def resolved(self, mechanism: str) -> Plan:
        plan: Plan = mechanisms()[mechanism].plan(self.calibration, self.task, 10**12)
        return replace(plan, n=self.solved.n, s=self.solved.n // plan.k)


@pytest.mark.parametrize("learner", ["leftmost", "midpoint"])
def test_a_trial_at_a_thousand_times_the_n_takes_as_long(learner: str, takes_at_most: AtMost) -> None:
    """n = 10¹² against n = 10⁹ with the same k and m: within a factor 1.2, for s has no part in the cost."""
    large, small = (AtFixedK(m=200_000, n=n, learner=learner) for n in (10**12, 10**9))
    for name in NAMES:
        assert large.plan(name).k == small.plan(name).k
        assert large.plan(name).s > 900 * small.plan(name).s
    takes_at_most(
        each_trial(1.2, large, small), lambda: KIND.rows(large, NAMES, 1, 0), lambda: KIND.rows(small, NAMES, 1, 0), 40
    )


@pytest.mark.parametrize("learner", ["leftmost", "midpoint"])
def test_a_trial_is_20_times_as_fast_as_one_draw_of_noise_and_one_sort(learner: str, takes_at_most: AtMost) -> None:
    """n = 10¹², m = 10⁶, against m Laplace numbers and sorting m uniforms that were drawn before."""
    cell = Cell(m=10**6, n=10**12, learner=learner)
    rng = np.random.default_rng(1)
    uniforms = rng.random(cell.m)

    def noise_and_sort() -> None:
        rng.laplace(size=cell.m)
        np.sort(uniforms)

    KIND.rows(cell, NAMES, 1, 0)
    takes_at_most(each_trial(1 / 20, cell), lambda: KIND.rows(cell, NAMES, 1, 1), noise_and_sort, 9)


@pytest.mark.parametrize("concept", ["cube_stumps", "halfspaces"])
def test_a_trial_of_the_hard_instance_at_v_64_is_within_30_times_of_a_threshold_trial(
    concept: str, takes_at_most: AtMost
) -> None:
    """n = 10¹², m = 10⁶, c = ln 2: chunks with equally many atoms left to miss are exchangeable.

    A threshold trial takes some ten microseconds of its block.
    """
    hard = Cell.model_validate({"concept": concept, "V": 64, "distribution": "hard", "m": 10**6, "n": 10**12})
    threshold = Cell(m=10**6, n=10**12)
    assert hard.V == 64 and hard.plan("A_binClas").k > threshold.plan("A_binClas").k / 2
    takes_at_most(
        each_trial(30.0, hard, threshold), lambda: KIND.rows(hard, NAMES, 1, 0), lambda: KIND.rows(threshold, NAMES, 1, 0), 9
    )
