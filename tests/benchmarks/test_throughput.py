"""What a second worker is worth, and what a run takes beside its trials: whole runs, in turn with what they are held to."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from harness.sweep.batches import Batch, run_batch
from tests.benchmarks.runs import bare_trials, whole_run

if TYPE_CHECKING:
    from tests.conftest import Project

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]

TRIAL_SECONDS = 0.05
SWEEP: dict[str, str | None] = {
    "learner": "{sklearn: tree.DecisionTreeClassifier, max_depth: 2}",
    "sampling": "full",
    "T": "1",
    "constants": "k_tight",
    "k_scale": "0.03",
    "m": "200",
    "trials": "100",
    "figure": "{x: m}",
}


@pytest.mark.timeout(900)
def test_two_workers_do_1_8_times_the_work_of_one(project: "Project", takes_at_most: AtMost) -> None:
    """On trials of 50 ms or more, of scikit-learn's decision trees on so many examples as take that long here."""
    for n in (2_000 * 2**power for power in range(10)):
        sweep = project.sweep(**SWEEP, n=str(n))
        result = run_batch(Batch(sweep.kind.name, sweep.cells[0], tuple(sweep.spec.mechanisms), tuple(range(10)), 7))
        assert not result.raised
        if result.seconds / 10 > 1.2 * TRIAL_SECONDS:
            break
    print(f"n = {n}, {1e3 * result.seconds / 10:.0f} ms a trial")
    assert result.seconds / 10 > TRIAL_SECONDS
    with ExitStack() as runs:
        one, two = (runs.enter_context(whole_run(sweep.path.absolute(), workers)) for workers in (1, 2))
        takes_at_most(1 / 1.8, two, one, 2)


@pytest.mark.timeout(900)
def test_a_run_takes_a_tenth_more_than_its_trials(project: "Project", takes_at_most: AtMost) -> None:
    """4,000 trials of 40 cells, some milliseconds each: on Ray with all that is kept of them, against two bare processes."""
    m = ", ".join(str(20_000 + cell) for cell in range(40))
    sweep = project.sweep(learner="midpoint", n="1e12", m=f"[{m}]", trials="100", figure="{x: m}")
    with ExitStack() as runs:
        run, bare = (runs.enter_context(each(sweep.path.absolute(), 2)) for each in (whole_run, bare_trials))
        assert run() == bare() == 4000
        takes_at_most(1.1, run, bare, 3)
