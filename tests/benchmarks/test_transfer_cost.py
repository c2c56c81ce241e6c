"""What a run of a learner costs: private, with public points that are nearly all answered alike, or not private."""

from functools import cache

import numpy as np
import pytest

from harness.ballots import Queries
from harness.concepts import CALM, Calm
from harness.concepts.thresholds.samplers import NoisyUniformSampler, UniformSampler
from harness.covers.labelled import drawn
from harness.transfer import PrivateLearner, private_learners
from harness.trials.learner import LearnerCell
from tests.support.ratios import AtMost
from tests.support.streams import streams

CELL = LearnerCell(alpha=0.01, learner="leftmost")

TOGETHER = {
    "thresholds": (CELL, 10**9, 0.25),
    "atoms": (LearnerCell(alpha=0.05, concept="cube_stumps", V=4, distribution={"name": "hard", "total": 15}), 10**7, 0.25),
    "committee": (LearnerCell(alpha=0.05, concept="committee", distribution={"name": "misled", "parts": 15}), 10**9, 0.25),
}
"""Laws by which runs are drawn together, with n and the part of the time. A_Priv itself takes half on these thresholds: it
needs so many points near the target."""


def run(learner: PrivateLearner, index: int) -> float:
    return learner.run(CELL.problem, 10**9, lambda purpose: np.random.default_rng([index, len(purpose)])).error


@pytest.mark.parametrize("name", ["A_Priv", "A_Priv_noisy_majority"])
def test_to_label_public_points_takes_a_tenth_of_what_telling_them_all_apart_takes(
    name: str, takes_at_most: AtMost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """m = 350,000 points, n = 10⁹: what is learned errs about as much."""
    learner = private_learners()[name]

    def one_by_one(
        sampler: UniformSampler, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1
    ) -> Queries:
        return sampler.queries(m, rng)

    def told_apart() -> float:
        with monkeypatch.context() as patched:
            patched.setattr(UniformSampler, "public", one_by_one)
            return run(learner, 1)

    assert (learner.points(CELL.problem) or 0) > 350_000
    assert run(learner, 1) == pytest.approx(told_apart(), rel=0.2)
    takes_at_most(0.1, lambda: run(learner, 2), told_apart, 9)


@pytest.mark.parametrize("name", ["A_Priv_noisy_majority", "non_private"])
@pytest.mark.parametrize("law", TOGETHER)
def test_runs_together_take_a_part_of_what_runs_alone_take(name: str, law: str, takes_at_most: AtMost) -> None:
    learner, (cell, n, part) = private_learners()[name], TOGETHER[law]

    def together() -> None:
        learner.runs(cell.problem, n, 64, cache(streams(1)))

    def alone() -> None:
        for seed in range(64):
            learner.run(cell.problem, n, streams(seed))

    takes_at_most(part, together, alone, 9)


def test_to_learn_from_examples_without_noise_takes_at_most_thrice_as_long_as_their_order(takes_at_most: AtMost) -> None:
    """Where each is sorted, and has its labels counted, it is ten times as long."""
    sampler = UniformSampler(0.5, "leftmost")
    examples = sampler.queries(10_000, np.random.default_rng(1))
    labelled = examples.labelled(examples.truth, 2)

    def learn() -> None:
        sampler.learn(*sampler.placed(examples, labelled, np.random.default_rng(2)))

    takes_at_most(3, learn, lambda: examples.points.argsort(), 30)


def test_to_choose_by_mistakes_takes_half_of_noise_on_every_hypothesis(takes_at_most: AtMost) -> None:
    """35,000 hypotheses on a line, of which 3% err so little that they may win."""
    logs = -0.5 * np.abs(np.linspace(-3000, 3000, 35_000))

    def of_all() -> int:
        return int((logs + np.random.default_rng(1).gumbel(size=len(logs))).argmax())

    assert drawn(logs, np.random.default_rng(1)) == of_all()
    takes_at_most(0.5, lambda: drawn(logs, np.random.default_rng(1)), of_all, 30)


def test_to_relabel_takes_a_fiftieth_of_drawing_all_examples(takes_at_most: AtMost) -> None:
    """3,000 chunks of 300: some 700 points beside the target, and two beyond them of each chunk."""
    sampler = NoisyUniformSampler(0.5, "midpoint", 0.05)
    of, queries = sampler.relabelling(), sampler.queries(300, np.random.default_rng(1))
    assert of is not None
    takes_at_most(
        1 / 50,
        lambda: of.sufficient(queries, 3000, 300, 0.5, np.random.default_rng(2)),
        lambda: of.full(queries, 3000, 300, 0.5, np.random.default_rng(2)),
        9,
    )


def test_noisy_labels_of_few_points_take_a_thirtieth_of_drawing_all_examples(takes_at_most: AtMost) -> None:
    """3,000 chunks of 1,000 vote on 30 points."""
    sampler = NoisyUniformSampler(0.5, "leftmost", 0.1)
    queries = sampler.queries(30, np.random.default_rng(1))
    takes_at_most(
        1 / 30,
        lambda: sampler.sufficient(queries, 3000, 1000, np.random.default_rng(2)),
        lambda: sampler.full(queries, 3000, 1000, np.random.default_rng(2)),
        9,
    )
