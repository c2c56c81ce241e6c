"""What the many small runs of a search cost, apart from what they draw."""

from harness.transfer.a_priv import ERM, planned
from harness.trials.learner import LearnerCell
from harness.trials.seeds import stream
from tests.support.ratios import AtMost

RUNS = 100


def test_a_run_takes_at_most_two_thirds_of_one_that_solves_its_plan(takes_at_most: AtMost) -> None:
    """ERM on m = 300 points: the plan is the same for all runs on n examples, and solved once."""
    cell, learner, n = LearnerCell(alpha=0.01, beta=0.05), ERM(), 5 * 10**7

    def run(index: int) -> None:
        learner.run(cell.problem, n, lambda purpose: stream(cell.identity, 0, index, purpose))

    def runs() -> None:
        for index in range(RUNS):
            run(index)

    def afresh() -> None:
        for index in range(RUNS):
            planned.cache_clear()
            run(index)

    run(0)
    takes_at_most(2 / 3, runs, afresh, 5)
