"""What samplers leave out of a law is charged to the budget of the votes: e^−40 each time, or 10^−18 under noise."""

from math import exp

import numpy as np
import pytest

from harness.ballots import Queries
from harness.concepts import Sampler
from harness.concepts.atoms import CHUNKS, AtomsSampler
from harness.concepts.halfspaces import Halfspaces, Sphere
from harness.concepts.intervals import Intervals
from harness.concepts.intervals import Uniform as UniformPieces
from harness.concepts.offsets import votes_by_offset
from harness.concepts.thresholds import Uniform
from tests.support.situations import situation_of

S, K, M = 10**7, 30, 10**6
FEW = exp(-40)


def queries(sampler: Sampler) -> Queries:
    return sampler.types(M, K, S, np.random.default_rng(1))


def thresholds(learner: str, gamma: float = 0.0) -> Sampler:
    return Uniform().at(situation_of(S, learner, gamma=gamma))


def test_of_queries_out_of_reach_as_much_is_charged_as_is_left_out() -> None:
    pieces = UniformPieces().at(situation_of(S, "leftmost", concept=Intervals(labels=3)))
    assert queries(pieces).tv_budget == pytest.approx(4 * FEW, rel=1e-9)  # on either side of two boundaries
    assert queries(thresholds("leftmost")).tv_budget == pytest.approx(FEW, rel=1e-9)
    noisy = queries(thresholds("midpoint", 0.1))
    assert noisy.tv_budget == pytest.approx(3e-18 * K, rel=1e-9)
    votes = thresholds("midpoint", 0.1).sufficient(noisy, K, S, np.random.default_rng(2))
    assert votes.tv_budget == pytest.approx(3e-18 * K, rel=1e-9)


def test_of_relabelled_examples_and_noisy_atoms_as_much_is_charged_as_is_left_out() -> None:
    relabelling = thresholds("leftmost").relabelling()
    assert relabelling is not None
    few = Queries(np.array([0.1]), np.ones(1, dtype=np.int8))
    votes = relabelling.sufficient(few, 4, 5, 0.5, np.random.default_rng(1))
    assert votes.tv_budget == pytest.approx(2 * FEW, rel=1e-9)
    sampler = AtomsSampler(3, 0.1, 0.3)
    on_each = Queries(np.arange(4.0), np.array([1, 0, 0, 0], np.int8))
    many = sampler.sufficient(on_each, CHUNKS + 1, 6, np.random.default_rng(3))
    assert many.tv_budget == pytest.approx(3e-18 * (CHUNKS + 1) * 3, rel=1e-9)
    assert sampler.sufficient(on_each, 40, 6, np.random.default_rng(3)).tv_budget == 0


@pytest.mark.parametrize("reach", [1e-9, 0.1, 0.3, 1.0])
def test_wherever_one_looks_closely_the_farthest_hypothesis_errs_on_just_what_any_errs_on_there(reach: float) -> None:
    """Of hypotheses at least 0.2 away and at most 0.5, and none where nothing is wrong."""
    points, sizes = np.array([-0.6, -0.3, -0.1, 0.05, 0.25, 0.45, 0.8]), np.array([1, 2, 3, 4, 5, 6, 7])

    def law(a: object) -> np.ndarray:
        return np.clip((0.5 - np.asarray(a, np.float64)) / 0.3, 0, 1) / 2

    for seed in range(20):
        asked = Queries(points, (points >= 0).astype(np.int8), size=sizes)
        votes = votes_by_offset(asked, 6, law, law, reach, np.random.default_rng(seed))
        wrong = votes.wrong > 0
        assert not wrong[[0, -1]].any()
        assert votes.max_mistakes == max(int(sizes[wrong & side].sum()) for side in (points > 0, points < 0))


def test_of_directions_at_an_angle_to_the_boundary_as_much_is_charged_as_is_left_out_and_labels_are_the_targets() -> None:
    sampler = Sphere().at(situation_of(S, "svm", concept=Halfspaces(d=5)))
    asked = queries(sampler)
    assert asked.tv_budget == pytest.approx(2 * FEW, rel=1e-9)
    assert 0 < len(asked.truth) - 2 < M and (asked.truth == (asked.points[:, 0] >= 0)).all()
