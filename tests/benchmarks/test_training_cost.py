"""What private training costs: gradients of all examples, beside the drawing of them."""

import pytest

from harness.transfer import private_learners
from harness.transfer.training import folded, source_of
from harness.trials.learner import LearnerCell
from tests.support.ratios import AtMost
from tests.support.streams import streams

CELL = LearnerCell.model_validate({"alpha": 0.01, "concept": "halfspaces", "V": 2, "learner": "erm"})
N = 300_000


@pytest.mark.parametrize(
    ("name", "most"), [("output_perturbation", 5), ("objective_perturbation", 5), ("noisy_descent", 5), ("dp_sgd", 5)]
)
def test_to_train_takes_a_few_times_as_long_as_to_draw_the_examples(name: str, most: float, takes_at_most: AtMost) -> None:
    """α = 0.01: some steps of Newton's, seven of descent, or seven on a quarter of the examples."""
    learner, source = private_learners()[name], source_of(CELL.problem)
    assert source is not None
    learner.run(CELL.problem, 1000, streams(0))  # σ of batches is found once

    takes_at_most(
        most,
        lambda: learner.run(CELL.problem, N, streams(1)),
        lambda: folded(source, N, streams(1)("examples")),
        5,
    )
