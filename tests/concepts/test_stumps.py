"""Signed stumps and stumps on the cube: least empirical risk against brute force, and what `sufficient` charges."""

from math import inf
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from harness.concepts import stumps
from harness.concepts.cube_stumps import CubeStumps
from harness.concepts.cube_stumps import Uniform as UniformCube
from harness.concepts.stumps import Stumps, Uniform, erm
from harness.refusal import Refusal
from harness.trials.learner import LearnerCell, refuse
from tests.support.situations import situation_of


@pytest.mark.parametrize("chunks", [1, 2, 200])
@pytest.mark.parametrize(("s", "d"), [(1, 1), (2, 3), (5, 2), (9, 4)])
def test_the_learned_stump_has_the_least_empirical_risk_of_all(s: int, d: int, chunks: int) -> None:
    rng = np.random.default_rng(s)
    x, labels = rng.random((chunks, s, d)), rng.integers(0, 2, (chunks, s), dtype=np.int8)
    coordinate, sign, t = erm(x, labels)
    for chunk in range(chunks):
        risks = {
            (i, which, cut): int(np.count_nonzero(((x[chunk, :, i] >= cut) ^ bool(which)) != labels[chunk]))
            for i in range(d)
            for which in (0, 1)
            for cut in (*x[chunk, :, i], inf)
        }
        chosen = (int(coordinate[chunk]), int(sign[chunk]), float(t[chunk]))
        assert risks[chosen] == min(risks.values())
        # Ties: the first coordinate, then sign 0, then the largest t.
        tied = [key for key, risk in risks.items() if risk == risks[chosen]]
        assert chosen == min(tied, key=lambda key: (key[0], key[1], -key[2]))


@pytest.mark.parametrize("gamma", [0.0, 0.1])
def test_large_chunks_are_those_of_a_threshold_at_a_stated_charge(gamma: float) -> None:
    concept = Stumps(d=5)
    sampler = Uniform().at(situation_of(10**6, "erm", concept=concept, gamma=gamma))
    rng = np.random.default_rng(1)
    queries = sampler.queries(1000, rng)
    assert queries.points.shape == (1000, 5)
    votes = sampler.sufficient(queries, 100, 10**6, rng)
    own = votes.tv_budget - (3e-18 * 100 if gamma else 0.0)
    assert -1e-20 < own <= stumps.TV_BUDGET
    # Only queries near the target in the last coordinate are contested, whatever the others are.
    contested = (votes.counts.min(axis=0) > 0) | (votes.winner != queries.target)
    assert np.abs(queries.points[contested, -1]).max(initial=0) < 1e-4


def test_what_is_charged_is_added_to_the_budget_of_thresholds() -> None:
    concept = Stumps(d=5)
    sampler = Uniform().at(situation_of(300, "erm", concept=concept, gamma=0.0))
    queries = sampler.queries(10, np.random.default_rng(1))
    votes = sampler.sufficient(queries, 100, 300, np.random.default_rng(2))
    assert votes.tv_budget >= 2 * 100 * 5 * 301 * 0.5**300 > 0


@pytest.mark.parametrize("gamma", [0.0, 0.1])
@pytest.mark.parametrize("coordinate", [0, 1])
@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize("at", [-0.4, 0.1, 0.3, inf])
def test_the_error_of_a_learned_stump_is_the_mass_where_it_is_wrong(
    coordinate: int, sign: int, at: float, gamma: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a grid of 10⁶ middles of squares: a boundary passes through 2·10³ of them at most."""
    target, middles = 0.3, (np.arange(1000) + 0.5) / 1000
    sampler = Uniform(target=target).at(situation_of(10, "erm", concept=Stumps(d=2), gamma=gamma))
    assert isinstance(sampler, stumps.UniformStumpSampler)
    t = max(at, 0.0) if coordinate == 0 else at
    monkeypatch.setattr(stumps, "erm", lambda x, labels: ([coordinate], [sign], [t]))
    learned = sampler.learn(sampler.queries(5, np.random.default_rng(0)), np.zeros(5, np.int8))
    points = np.column_stack([np.repeat(middles, 1000), np.tile(middles - target, 1000)])
    wrong = (learned.predict(points) != (points[:, 1] >= 0)).mean()
    assert learned.error == pytest.approx(gamma + (1 - 2 * gamma) * wrong, abs=3e-3)


def test_small_chunks_are_drawn_in_full_so_that_nothing_is_charged() -> None:
    sampler = Uniform().at(situation_of(8, "erm", concept=Stumps(d=3)))
    rng = np.random.default_rng(2)
    queries = sampler.queries(50, rng)
    votes = sampler.sufficient(queries, 400, 8, rng)
    assert votes.tv_budget == 0
    # With eight examples another coordinate is learned now and then, and errs far from the target.
    assert ((votes.wrong > 0) & (np.abs(queries.points[:, -1]) > 0.4)).any()


@pytest.mark.parametrize(("p", "s", "gamma"), [(8, 3, 0.0), (8, 12, 0.2), (64, 9, 0.1)])
def test_a_wrong_coordinate_of_the_cube_is_learned_as_often_as_the_closed_form_says(p: int, s: int, gamma: float) -> None:
    """The target is learned if all others err more often: Σ_v P(Bin(s,γ) = v) P(Bin(s,½) > v)^(p−1); ties go to the others.

    False-failure probability: below 1e-8 by the normal law, six standard deviations of what chunks and queries add.
    """
    v = np.arange(s + 1)
    right = float(binom.pmf(v, s, gamma) @ binom.sf(v, s, 0.5) ** (p - 1))
    sampler = UniformCube().at(situation_of(s, "erm", concept=CubeStumps(p=p), gamma=gamma))
    rng = np.random.default_rng(3)
    queries = sampler.queries(400, rng)
    k, agree = 20_000, np.zeros(400)
    for sampling in (sampler.sufficient, sampler.full):
        votes = sampling(queries, k, s, rng)
        # A wrong stump agrees with the target on half the queries: the mean share of right votes is (1 + right)/2.
        agree = np.where(queries.target > 0, votes.counts[1], votes.counts[0]) / k
        spread = 0.5 / np.sqrt(400) + 6 * 0.5 / np.sqrt(k)  # of the queries' own coordinates, and of the chunks
        assert abs(2 * agree.mean() - 1 - right) < 6 * spread * (1 - right) + 1e-9


def test_large_chunks_of_the_cube_all_learn_the_target() -> None:
    sampler = UniformCube().at(situation_of(10**5, "erm", concept=CubeStumps(p=1024)))
    rng = np.random.default_rng(4)
    queries = sampler.queries(100, rng)
    votes = sampler.sufficient(queries, 10**5, 10**5, rng)
    assert not votes.wrong.any() and 0 <= votes.tv_budget <= 1e-12


def test_the_stumps_of_every_dimension_have_it_and_are_the_least() -> None:
    """From V = 61 on the binomial coefficients have more digits than a float."""
    for V in range(2, 65):
        concept = Stumps.of_vc(V)
        assert concept.vc == V
        assert concept.d == 1 or Stumps(d=concept.d - 1).vc < V


@pytest.mark.parametrize("concept", [{"name": "stumps", "d": 1000}, {"name": "cube_stumps", "p": 1000}])
def test_more_examples_than_can_be_held_with_all_their_coordinates_are_refused(concept: dict[str, Any]) -> None:
    few, many = (LearnerCell.model_validate({"concept": concept, "alpha": 0.2, "n": n}) for n in (10**5, 10**6))
    assert refuse(few, "non_private") is None
    assert refuse(many, "non_private") == Refusal("non_private would draw all n = 1e+06 examples; allowed: at most 100000", "n")
