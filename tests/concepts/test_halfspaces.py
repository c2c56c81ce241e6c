"""Halfspaces: learners, votes and the plane's law; what every class must do is in test_conformance.py."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.ballots import Ballot, Queries
from harness.concepts import SAMPLINGS, ConceptClass, Distribution, linear_votes
from harness.concepts.halfspaces import AffineHalfspaces, Gaussian, Halfspaces, Sphere
from harness.concepts.halfspaces.samplers import HalfspaceSampler, PlaneSampler
from harness.concepts.hard_margin import HardMargin
from harness.theory import pac
from tests.support.brute_force import least_halfspace_risk
from tests.support.situations import situation_of

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]
SameLaw = Callable[[Ints, Ints], None]
BinomialCounts = Callable[[Ints, int, Reals], None]

every_marginal = pytest.mark.parametrize("distribution", [Sphere(), Gaussian()], ids=["sphere", "gaussian"])


def sampler_of(
    distribution: Distribution, concept: ConceptClass, s: int, learner: str = "svm", gamma: float = 0.0
) -> HalfspaceSampler:
    sampler = distribution.at(situation_of(s, learner, concept=concept, gamma=gamma))
    assert isinstance(sampler, HalfspaceSampler)
    return sampler


# Learners


@pytest.mark.parametrize(("k", "s"), [(1, 1), (300, 2), (300, 9), (50, 400)])
def test_on_the_circle_the_hard_margin_is_the_middle_of_the_consistent_arc(k: int, s: int) -> None:
    """Same examples, two learners."""
    svm, erm = (sampler_of(Sphere(), Halfspaces(), s, learner) for learner in ("svm", "erm"))
    w, middle = svm._hard_margin(k, s, np.random.default_rng(s)), erm._least_risk(k, s, np.random.default_rng(s))
    assert w / np.linalg.norm(w, axis=1, keepdims=True) == pytest.approx(middle, abs=1e-9)


def test_where_lengths_vary_it_is_not() -> None:
    svm, erm = (sampler_of(Gaussian(), Halfspaces(), 20, learner) for learner in ("svm", "erm"))
    w, middle = svm._hard_margin(50, 20, np.random.default_rng(1)), erm._least_risk(50, 20, np.random.default_rng(1))
    assert np.abs(w / np.linalg.norm(w, axis=1, keepdims=True) - middle).max() > 0.01


@pytest.mark.parametrize("concept", [Halfspaces(), AffineHalfspaces(d=1)], ids=repr)
@every_marginal
@pytest.mark.parametrize(("s", "gamma"), [(1, 0.0), (1, 0.4), (3, 0.3), (20, 0.0), (20, 0.2), (101, 0.4)])
def test_least_risk_is_the_least_of_all_arcs(distribution: Distribution, concept: ConceptClass, s: int, gamma: float) -> None:
    """Brute force: the risk of one direction in every arc, a bit to each side of where some example's label changes."""
    sampler = sampler_of(distribution, concept, s, "erm", gamma)
    w = sampler._least_risk(40, s, np.random.default_rng(s))
    z = sampler._folded(40, s, np.random.default_rng(s))
    for direction, chunk in zip(w, z, strict=True):
        edges = np.arctan2(chunk[1], chunk[0])[:, np.newaxis] + np.array([-0.5, 0.5]) * np.pi
        edges = np.sort(np.mod(edges.ravel(), 2 * np.pi))
        between = (edges + np.append(edges[1:], edges[0] + 2 * np.pi)) / 2
        risks = np.count_nonzero(np.column_stack([np.cos(between), np.sin(between)]) @ chunk < 0, axis=1)
        assert np.count_nonzero(direction @ chunk < 0) == risks.min()


@every_marginal
@pytest.mark.parametrize("concept", [Halfspaces(d=1), Halfspaces(d=3), AffineHalfspaces(d=2), AffineHalfspaces(d=3)], ids=repr)
def test_least_risk_beyond_the_plane_is_found_on_every_chunk(distribution: Distribution, concept: ConceptClass) -> None:
    sampler = sampler_of(distribution, concept, 9, "erm", 0.2)
    w, z = (draw(20, 9, np.random.default_rng(3)) for draw in (sampler._least_risk, sampler._folded))
    risks = [int(np.count_nonzero(direction @ chunk <= 0)) for direction, chunk in zip(w, z, strict=True)]
    assert risks == [least_halfspace_risk(chunk) for chunk in z]
    assert any(risks)


@pytest.mark.law
def test_with_noise_beyond_the_plane_what_is_learned_nears_the_target() -> None:
    """How often 100 chunks of 20 examples, and of 300, disagree with it."""
    for concept in (Halfspaces(d=3), AffineHalfspaces(d=2)):
        wrong = []
        for s in (20, 300):
            sampler, rng = sampler_of(Gaussian(), concept, s, "erm", 0.1), np.random.default_rng(s)
            queries = sampler.queries(500, rng)
            counts = sampler.full(queries, 100, s, rng).counts
            wrong.append(float(np.where(queries.target, counts[0], counts[1]).mean()) / 100)
        assert 0.05 < wrong[0] < 0.3
        assert 0.005 < wrong[1] < wrong[0] / 3


def test_one_chunk_at_a_time_is_learned_where_a_block_does_not_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sampler = sampler_of(Sphere(), Halfspaces(d=2), 40)
    queries = sampler.queries(30, np.random.default_rng(1))
    assert sampler.full(queries, 5, 40, np.random.default_rng(2)).counts.sum(axis=0).tolist() == [5] * 30
    monkeypatch.setattr("harness.concepts.halfspaces.samplers.FULL_BLOCK", 1)
    assert sampler.full(queries, 5, 40, np.random.default_rng(2)).counts.sum(axis=0).tolist() == [5] * 30


def test_queries_that_are_told_apart_are_directions_at_their_angle_to_the_boundary() -> None:
    """Of length 1, and near: no further than the reach of k directions."""
    sampler = sampler_of(Sphere(), Halfspaces(d=5), 10**6)
    queries = sampler.types(10**6, 9, 10**6, np.random.default_rng(4))
    assert np.linalg.norm(queries.points, axis=1) == pytest.approx(1)
    assert 10 < len(queries.truth) < 10**5 and queries.sizes.sum() == 10**6
    assert np.abs(queries.points[:-2, 0]).max() <= np.sin(np.pi * sampler._reach(9, 10**6))


def test_a_chunk_larger_than_a_block_is_learned_in_parts_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    sampler = sampler_of(Sphere(), AffineHalfspaces(d=3), 1000)
    drawn: list[Reals] = []
    folded = type(sampler)._folded

    def recorded(self: HalfspaceSampler, chunks: int, s: int, rng: np.random.Generator) -> Reals:
        drawn.append(folded(self, chunks, s, rng))
        return drawn[-1]

    monkeypatch.setattr("harness.concepts.halfspaces.samplers.FULL_BLOCK", 4 * 300)
    monkeypatch.setattr(HalfspaceSampler, "_folded", recorded)
    w = sampler._hard_margin(1, 1000, np.random.default_rng(2))
    assert [part.shape[2] for part in drawn] == [300, 300, 300, 100] * (len(drawn) // 4)
    assert all(np.array_equal(part, drawn[i % 4]) for i, part in enumerate(drawn))
    whole = HardMargin.untrained(1, 4)
    whole.fit(np.concatenate(drawn[:4], axis=2))
    assert w == pytest.approx(whole.w, rel=1e-7)


# Ballot


@pytest.mark.parametrize("gamma", [0.0, 0.2])
@pytest.mark.parametrize("spread", [0.01, 1.0, 10.0])
def test_votes_are_those_of_each_halfspace_on_each_query(spread: float, gamma: float) -> None:
    """Directions around the target, near it or anywhere, one of them 0, and a query at the origin, which all label 1."""
    rng, k, m, d = np.random.default_rng(3), 2 * linear_votes.ROWS + 7, linear_votes.COLUMNS + 200, 3
    x = rng.standard_normal((m, d))
    x[5] = 0
    queries = Queries(x, (x[:, 0] >= 0).astype(np.int8)).flipped(gamma, rng)
    for zero in (False, True):
        w = np.eye(1, d) + spread * rng.standard_normal((k, d))
        w[11] *= not zero
        labels = (w[:, np.newaxis] * x).sum(axis=2) >= 0
        votes = linear_votes.linear_votes(w, x, queries)
        assert votes.counts[1].tolist() == labels.sum(axis=0).tolist()
        assert votes.max_mistakes == (labels != queries.truth).sum(axis=1).max()
        assert votes.counts[1, 5] == k
        sizes = rng.integers(0, 9, m)
        several = linear_votes.linear_votes(w, x, replace(queries, size=sizes))
        assert several.max_mistakes == ((labels != queries.truth) @ sizes).max()


# The plane


def at_angles(shares: Reals, rng: np.random.Generator) -> Queries:
    """Queries on which a direction errs if it is off by more than so many half-turns, to the side of the sign."""
    angle = np.where(shares > 0, np.pi * shares - np.pi / 2, np.pi / 2 + np.pi * shares)
    flip = rng.permutation(np.resize([1, -1], len(shares)))
    x = flip[:, np.newaxis] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Queries(x, (flip > 0).astype(np.int8))


@pytest.mark.parametrize("sampling", ["sufficient", "full"])
@pytest.mark.parametrize("s", [1, 2, 30])
def test_a_direction_is_off_by_a_share_of_a_half_turn_by_the_law_of_two_spacings(
    sampling: str, s: int, assert_binomial: BinomialCounts
) -> None:
    """Wrong votes are Bin(k, ½(1−2a)^s) on either side. False-failure probability: 1e-9 a case (`conftest.py`)."""
    k, rng = 40_000, np.random.default_rng(s)
    shares = np.array([0.001, 0.01, 0.05, 0.2, 0.35, 0.49, -0.001, -0.02, -0.1, -0.3, -0.45])
    wrong = SAMPLINGS[sampling].votes(sampler_of(Sphere(), Halfspaces(), s), at_angles(shares, rng), k, s, rng).wrong
    assert_binomial(wrong, k, (1 - 2 * np.abs(shares)) ** s / 2)


@pytest.mark.law
@every_marginal
@pytest.mark.parametrize(("gamma", "s", "k"), [(0.0, 3, 4), (0.0, 40, 7), (0.1, 500, 3), (0.25, 1500, 1)])
def test_least_risk_in_the_plane_has_one_joint_law_by_both_samplings(
    distribution: Distribution, gamma: float, s: int, k: int, assert_same_law: SameLaw
) -> None:
    """False-failure probability: 1e-9 a case (`conftest.py`)."""
    sampler, rng = sampler_of(distribution, Halfspaces(), s, "erm", gamma), np.random.default_rng(s)
    queries = at_angles(np.array([0.2, 1, 4, -0.1, -0.6, -3]) / max(s, 20) / (1 - 2 * gamma) ** 2, rng).flipped(gamma, rng)
    size = 1000
    drawn = [np.array([draw(queries, k, s, rng).counts[1] for _ in range(size)]) for draw in (sampler.sufficient, sampler.full)]
    assert_same_law(drawn[0], drawn[1])


def test_noise_flips_which_answer_is_wrong_and_the_most_mistakes_count_it() -> None:
    sampler, rng = sampler_of(Sphere(), Halfspaces(), 10**6, "erm", 0.2), np.random.default_rng(4)
    queries = sampler.queries(1000, rng)
    votes = sampler.sufficient(queries, 50, 10**6, rng)
    assert votes.tv_budget < 1e-12
    assert np.array_equal(votes.winner, queries.target)
    noise = np.count_nonzero(queries.truth != queries.target)
    assert 100 < noise <= (votes.max_mistakes or 0) <= noise + 2
    assert np.count_nonzero(votes.wrong == 50) >= noise - 2


def test_at_the_largest_n_votes_near_the_target_are_as_the_law_says(assert_binomial: BinomialCounts) -> None:
    """n = 10¹⁵: the share of directions that pass a query 10⁻¹¹ half-turns away. False-failure probability: 1e-9."""
    k, s, rng = 25_000, 4 * 10**10, np.random.default_rng(5)
    shares = np.array([0.01, 0.3, 1.0, -0.1, -2.0]) / s
    angle = np.pi * shares
    queries = Queries(np.column_stack([np.sin(np.abs(angle)), -np.sign(shares) * np.cos(angle)]), np.ones(5, dtype=np.int8))
    votes: Ballot = sampler_of(Sphere(), Halfspaces(), s).sufficient(queries, k, s, rng)
    assert_binomial(votes.wrong, k, np.exp(-2 * s * np.abs(shares)) / 2)


def test_a_single_direction_has_queries_by_types_too() -> None:
    """Of large chunks it is as near to the target as any; of few examples it may be anywhere."""
    sampler = sampler_of(Sphere(), Halfspaces(d=5), 10**6)
    assert 0 < sampler._reach(1, 10**6) < sampler._reach(9, 10**6) < 0.01 and sampler._reach(9, 290) == 1
    assert sampler.singles(10**6, 1, 10**6) < 10**5 and sampler.singles(10**6, 9, 290) == 10**6
    assert sampler.singles(4096, 9, 10**6) == 4096 and sampler.singles(4097, 9, 10**6) < 1000  # so few are all drawn
    for other in (sampler_of(Sphere(), AffineHalfspaces(d=5), 10**6), sampler_of(Sphere(), Halfspaces(d=5), 10**6, "", 0.1)):
        assert other.singles(10**6, 9, 10**6) == 10**6


def test_on_either_side_of_the_boundary_there_are_as_many_queries_as_on_the_walk_and_none_where_it_has_none() -> None:
    sampler = sampler_of(Sphere(), Halfspaces(), 10**6, "erm")
    walk = Queries(
        np.array([-0.1, 0.1, -0.2, 0.2]), np.array([0, 1, 0, 1], np.int8), size=np.array([1, 0, 40, 0]), width=np.zeros(4)
    )
    for seed in range(8):
        assert isinstance(sampler, PlaneSampler)
        sides = sampler._on_sides(walk, np.random.default_rng(seed))
        assert sides.sizes.sum() == 41 and sides.sizes.min() > 0


def test_in_space_a_query_is_near_the_boundary_as_often_as_a_coordinate_is_small() -> None:
    """Archimedes: each coordinate of a point of the sphere is uniform."""
    sampler = sampler_of(Sphere(), Halfspaces(d=3), 10**5)
    for k in (1, 50):
        assert sampler._share(k, 10**5) == pytest.approx(np.sin(np.pi * sampler._reach(k, 10**5)))
        assert sampler.singles(10**6, k, 10**5) == pytest.approx(10**6 * sampler._share(k, 10**5))


@pytest.mark.parametrize("concept", [Halfspaces(d=3), AffineHalfspaces(d=3)], ids=repr)
def test_no_more_examples_are_held_at_once_than_a_block_has(concept: ConceptClass, monkeypatch: pytest.MonkeyPatch) -> None:
    sampler, held = sampler_of(Sphere(), concept, 10, "erm"), list[int]()
    folded = HalfspaceSampler._folded

    def counted(self: HalfspaceSampler, chunks: int, s: int, rng: np.random.Generator) -> Reals:
        made = folded(self, chunks, s, rng)
        held.append(made.size)
        return made

    monkeypatch.setattr(HalfspaceSampler, "_folded", counted)
    monkeypatch.setattr("harness.concepts.halfspaces.samplers.FULL_BLOCK", 160)
    sampler.full(sampler.queries(5, np.random.default_rng(1)), 23, 10, np.random.default_rng(2))
    assert sum(held) == 23 * 10 * sampler.V and 80 < max(held) <= 160


def test_on_a_line_there_are_two_halfspaces_through_the_origin() -> None:
    """And so the bounds of a class of two hold, if those of its dimension say no more."""
    line, s, q = Halfspaces(d=1), 10**4, 0.01
    noisy = min(pac.finite_agnostic(s, q, size=2), pac.vc_agnostic(s, q, V=1))
    assert line.pac_bound("erm", 0.1)(s, q) == noisy < pac.vc_agnostic(s, q, V=1)
    assert line.pac_bound("erm", 0.0)(s, q) == min(pac.finite(s, q, size=2), pac.blumer(s, q, V=1)) < pac.blumer(s, q, V=1)
