"""Votes of chunks of relabelled examples: their law by all examples, drawn a second time in plain NumPy.

Tests of laws fail on a right implementation with probability below 1e-6 each.
"""

from itertools import product
from math import exp

import numpy as np
import pytest

from harness.ballots import Queries
from harness.concepts import relabelled
from harness.concepts.atoms import AtomsSampler
from harness.concepts.relabelled import OfAtoms, OfHalfplanes, OfThresholds, Relabelling, farthest, near
from harness.concepts.thresholds.samplers import NoisyUniformSampler, UniformSampler
from tests.support.same_law import assert_same_law

RUNS = 3000
PLACES = np.array([-0.2, -0.05, -0.01, 0.004, 0.02, 0.1])
"""Of queries beside a target of 0.3."""

THRESHOLDS: dict[str, UniformSampler] = {
    "leftmost": UniformSampler(0.3, "leftmost"),
    "midpoint": NoisyUniformSampler(0.3, "midpoint", 0.2),
    "rightmost": NoisyUniformSampler(0.3, "rightmost", 0.05),
}


def thresholds_by_hand(sampler: UniformSampler, k: int, s: int, tilt: float, rng: np.random.Generator) -> list[int]:
    """Every threshold is tried; of each chunk the points are looked at one by one."""
    points = rng.random((k, s))
    labels = (points >= sampler.target) != (rng.random((k, s)) < getattr(sampler, "gamma", 0.0))
    cuts = [0.0, *np.nextafter(np.sort(points.ravel()), 2)]
    weights = np.array([exp(-tilt * int(((points >= cut) != labels).sum())) for cut in cuts])
    cut = cuts[rng.choice(len(cuts), p=weights / weights.sum())]
    learned = []
    for chunk in points:
        low, high = max([0.0, *chunk[chunk < cut]]), min([1.0, *chunk[chunk >= cut]])
        learned.append({"leftmost": np.nextafter(low, 2), "midpoint": (low + high) / 2, "rightmost": high}[sampler.learner])
    return [sum(each <= sampler.target + place for each in learned) for place in PLACES]


def atoms_by_hand(sampler: AtomsSampler, k: int, s: int, tilt: float, rng: np.random.Generator) -> list[int]:
    """Every labelling of the rare atoms that are in the sample is tried."""
    law = [1 - sampler.rare * sampler.mass, *[sampler.mass] * sampler.rare]
    atoms = rng.choice(sampler.rare + 1, (k, s), p=law)
    labels = (atoms == 0) | (rng.random((k, s)) < sampler.noise)
    every = [(1, *rest) for rest in product((0, 1), repeat=sampler.rare)]
    weights = np.array([exp(-tilt * int((np.array(each)[atoms] != labels).sum())) for each in every])
    own = every[rng.choice(len(every), p=weights / weights.sum())]
    return [sum(own[atom] if (chunk == atom).any() else 1 for chunk in atoms) for atom in range(sampler.rare + 1)]


def halfplanes_by_hand(noise: float, points: np.ndarray, k: int, s: int, tilt: float, rng: np.random.Generator) -> list[int]:
    """Every direction between two at which some label turns is tried; a chunk learns the middle of those that agree on it."""
    examples = rng.standard_normal((k, s, 2))
    labels = (examples[:, :, 0] >= 0) != (rng.random((k, s)) < noise)
    across = np.arctan2(examples[:, :, 1], examples[:, :, 0])
    turns = np.stack([across - np.pi / 2, across + np.pi / 2]) % (2 * np.pi)
    edges = np.sort(turns.ravel())
    tried = (edges + np.append(edges[1:], edges[0] + 2 * np.pi)) / 2
    said = np.array([examples @ [np.cos(turn), np.sin(turn)] >= 0 for turn in tried])
    weights = np.exp(-tilt * (said != labels).sum(axis=(1, 2)).astype(float))
    own = tried[rng.choice(len(tried), p=weights / weights.sum())]
    learned = [own + (min(away := (turns[:, i] - own).ravel() % (2 * np.pi)) + max(away) - 2 * np.pi) / 2 for i in range(k)]
    return [sum(float(np.cos(turn) * x + np.sin(turn) * y) >= 0 for turn in learned) for x, y in points]


def ones(of: Relabelling, sampling: str, queries: Queries, k: int, s: int, tilt: float) -> np.ndarray:
    """How many of k chunks say 1 of each query, (RUNS, queries)."""
    rng = np.random.default_rng([k, s])
    return np.array([getattr(of, sampling)(queries, k, s, tilt, rng).counts[1] for _ in range(RUNS)])


def asked(places: np.ndarray) -> Queries:
    return Queries(places, (places >= 0).astype(np.int8))


@pytest.mark.law
@pytest.mark.parametrize("name", THRESHOLDS)
@pytest.mark.parametrize("sampling", ["sufficient", "full"])
def test_thresholds_have_the_votes_of_all_examples(name: str, sampling: str) -> None:
    sampler, rng = THRESHOLDS[name], np.random.default_rng(1)
    of = sampler.relabelling()
    assert isinstance(of, OfThresholds)
    own = ones(of, sampling, asked(PLACES), 5, 6, 0.5)
    by_hand = np.array([thresholds_by_hand(sampler, 5, 6, 0.5, rng) for _ in range(RUNS)])
    assert_same_law(own, by_hand)
    steeper = np.array([thresholds_by_hand(sampler, 5, 6, 1.5, rng) for _ in range(RUNS)])
    with pytest.raises(AssertionError):
        assert_same_law(own, steeper)


@pytest.mark.law
@pytest.mark.parametrize("name", THRESHOLDS)
def test_far_points_are_counted_and_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 300 points 12 on either side are drawn, where so steep a tilt leaves hardly any further gap."""
    of = THRESHOLDS[name].relabelling()
    assert of is not None
    full = ones(of, "full", asked(PLACES), 30, 10, 4.0)
    monkeypatch.setattr(relabelled, "farthest", lambda noise, tilt: 12)
    assert_same_law(ones(of, "sufficient", asked(PLACES), 30, 10, 4.0), full)
    monkeypatch.setattr(OfThresholds, "_beyond", lambda self, explored, left, rng: (np.full(30, -np.inf), np.full(30, np.inf)))
    with pytest.raises(AssertionError):
        assert_same_law(ones(of, "sufficient", asked(PLACES), 30, 10, 4.0), full)


ROUND = np.array([0.1, 1.4, 1.6, 1.7, 3.0, 4.5, 4.7, 4.9])
"""Angles of queries, two of them near the boundary on either side."""


def asked_round() -> Queries:
    points = np.column_stack([np.cos(ROUND), np.sin(ROUND)])
    return Queries(points, (points[:, 0] >= 0).astype(np.int8))


@pytest.mark.law
@pytest.mark.parametrize(("noise", "k", "s"), [(0.0, 4, 3), (0.3, 4, 3), (0.2, 3, 1), (0.1, 2, 12)])
def test_halfplanes_have_the_votes_of_all_examples(noise: float, k: int, s: int) -> None:
    rng, of, queries = np.random.default_rng(5), OfHalfplanes(noise), asked_round()
    own = ones(of, "full", queries, k, s, 0.5)
    assert_same_law(own, np.array([halfplanes_by_hand(noise, queries.points, k, s, 0.5, rng) for _ in range(RUNS)]))
    with pytest.raises(AssertionError):
        assert_same_law(own, np.array([halfplanes_by_hand(noise, queries.points, k, s, 2.5, rng) for _ in range(RUNS)]))


@pytest.mark.law
@pytest.mark.parametrize(("noise", "k", "s"), [(0.0, 30, 10), (0.2, 30, 10), (0.05, 100, 3), (0.05, 150, 1)])
def test_far_halfplanes_are_counted_and_change_nothing(noise: float, k: int, s: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 150 points and more 20 on either side are drawn, where so steep a tilt leaves hardly any further gap."""
    of, queries = OfHalfplanes(noise), asked_round()
    full = ones(of, "full", queries, k, s, 4.0)
    monkeypatch.setattr(relabelled, "farthest", lambda noise, tilt: 20)
    assert_same_law(ones(of, "sufficient", queries, k, s, 4.0), full)
    far = relabelled.beyond
    monkeypatch.setattr(relabelled, "beyond", lambda *given: tuple(2 * each for each in far(*given)))
    with pytest.raises(AssertionError):
        assert_same_law(ones(of, "sufficient", queries, k, s, 4.0), full)


@pytest.mark.law
@pytest.mark.parametrize("sampling", ["sufficient", "full"])
def test_atoms_have_the_votes_of_all_examples(sampling: str) -> None:
    sampler, rng = AtomsSampler(3, 0.1, 0.3), np.random.default_rng(2)
    of, queries = sampler.relabelling(), Queries(np.arange(4.0), np.array([1, 0, 0, 0], np.int8))
    assert isinstance(of, OfAtoms)
    own = ones(of, sampling, queries, 4, 5, 0.5)
    assert_same_law(own, np.array([atoms_by_hand(sampler, 4, 5, 0.5, rng) for _ in range(RUNS)]))
    with pytest.raises(AssertionError):
        assert_same_law(own, np.array([atoms_by_hand(sampler, 4, 5, 1.5, rng) for _ in range(RUNS)]))


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_labels_near_the_target_are_flipped_at_the_rate_of_noise(noise: float) -> None:
    """So are those of all examples; each within six standard deviations."""
    points, explored = near((-0.3, 0.7), noise, 0.01, 60, 100, np.random.default_rng(3))
    flipped = points.labels != (points.places >= 0)
    assert len(flipped) > 1000 and (np.diff(points.places) >= 0).all() and explored[0] < 0 < explored[1]
    assert abs(flipped.mean() - noise) <= 6 * (noise * (1 - noise) / len(flipped)) ** 0.5
    assert -0.3 <= points.places[0] and points.places[-1] <= 0.7 and set(points.chunk.tolist()) <= set(range(60))


@pytest.mark.parametrize(("noise", "tilt"), [(0.0, 0.5), (0.2, 0.5), (0.4, 0.1), (0.0, 0.1), (0.1, 0.02)])
def test_beyond_the_farthest_the_two_series_add_up_to_hardly_more_than_is_left_out(noise: float, tilt: float) -> None:
    d, most = 1 - 2 * noise, farthest(noise, tilt)

    def left(after: int) -> float:
        j = np.arange(after + 1, 50 * most)
        return float(np.exp(-j * d**2 / 8).sum() + np.exp(-tilt * d * j / 2).sum())

    assert left(most) <= exp(-40) < left(int(0.95 * most))
