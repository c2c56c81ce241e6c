"""The hard and the balanced distribution on atoms: their law in closed form, what an unseen atom costs, and their sizes."""

from dataclasses import replace
from itertools import product
from math import comb, exp, log, log1p

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, chi2

from harness.ballots import Queries
from harness.concepts.atoms import CHUNKS, AtomsSampler, Balanced, Hard
from harness.concepts.cube_stumps import CubeStumps
from harness.concepts.halfspaces import Halfspaces
from harness.covers.missed_atoms import missed_law
from tests.support.situations import situation_of


def queries(sampler: AtomsSampler, atoms: list[int]) -> Queries:
    points = np.array(atoms, np.float64)
    return Queries(points, (points == 0).astype(np.int8))


@pytest.mark.parametrize(("rare", "mass", "s"), [(1, 0.3, 4), (2, 0.1, 7), (3, 0.2, 1), (5, 0.15, 12), (8, 0.01, 60)])
def test_the_number_of_missed_atoms_has_the_law_of_inclusion_and_exclusion(rare: int, mass: float, s: int) -> None:
    law = missed_law(rare, mass, s)
    exact = [
        comb(rare, j) * sum((-1) ** i * comb(rare - j, i) * (1 - (j + i) * mass) ** s for i in range(rare - j + 1))
        for j in range(rare + 1)
    ]
    np.testing.assert_allclose(law, exact, atol=1e-13)


@pytest.mark.parametrize("n", [10**9, 10**15])
def test_the_law_at_the_largest_sizes_has_the_mean_that_each_atom_gives(n: int) -> None:
    """E = r(1 − c/s)^s, and Var is that of nearly independent atoms."""
    rare, s, c = 64, n // 10**5, 1.09
    law, j = missed_law(rare, c / s, s), np.arange(rare + 1)
    missed = exp(s * log1p(-c / s))
    assert law.sum() == pytest.approx(1, abs=1e-12)
    assert law @ j == pytest.approx(rare * missed, rel=1e-9)
    assert law @ j**2 - (law @ j) ** 2 == pytest.approx(rare * missed * (1 - missed), rel=c**2 * rare / s + 0.01)


@pytest.mark.parametrize(
    ("k", "sets"),
    [(50, 1), (CHUNKS + 50, 1), (50, 8), (CHUNKS + 50, 8)],
    ids=["by chunk", "by number", "by set", "many by set"],
)
def test_every_atom_is_missed_as_often_as_it_should_be_and_any_two_together(
    k: int, sets: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """False-failure probability: 1e-9, exact binomial tails for one atom and for the sum over all, which depends on pairs."""
    monkeypatch.setattr("harness.concepts.atoms.MOST_SETS", sets)
    sampler, rng, s = AtomsSampler(3, 0.2, 0.0), np.random.default_rng(1), 6
    asked, trials = queries(sampler, [0, 1, 2, 3]), 300
    wrong = np.array([sampler.sufficient(asked, k, s, rng).wrong for _ in range(trials)])
    assert (wrong[:, 0] == 0).all()
    for atom in (1, 2, 3):
        total = int(wrong[:, atom].sum())
        assert 1e-10 < binom.cdf(total, trials * k, 0.8**s) < 1 - 1e-10
    # Var(Σ) = k(3p(1−p) + 6(p₂ − p²)): a chi-square of 300 sums, nearly normal.
    p, pair = 0.8**s, 0.6**s
    variance = k * (3 * p * (1 - p) + 6 * (pair - p * p))
    ratio = float(((wrong.sum(axis=1) - 3 * k * p) ** 2).sum() / variance)
    assert chi2.ppf(1e-9, trials) < ratio < chi2.isf(1e-9, trials)


def test_the_most_mistakes_of_a_chunk_are_counted_exactly() -> None:
    """One chunk: its votes are its mistakes."""
    sampler, rng = AtomsSampler(4, 0.1, 0.0), np.random.default_rng(2)
    asked = sampler.queries(40, rng)
    for sampling in (sampler.sufficient, sampler.full):
        for _ in range(50):
            votes = sampling(asked, 1, 5, rng)
            assert votes.max_mistakes == votes.wrong.sum()


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_what_no_chunk_has_seen_is_answered_wrong_and_what_all_have_seen_often_is_right(noise: float) -> None:
    sampler, rng = AtomsSampler(3, 1e-9, noise), np.random.default_rng(3)
    asked = queries(sampler, [0, 1, 2, 3])
    for sampling in (sampler.sufficient, sampler.full):
        assert sampling(asked, 20, 5, rng).wrong.tolist() == [0, 20, 20, 20]
    sampler = AtomsSampler(3, 0.3, noise)
    for sampling in (sampler.sufficient, sampler.full):
        assert sampling(asked, 20, 2000, rng).wrong.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("gamma", [0.001, 0.05, 0.2])
def test_with_noise_the_best_error_is_gamma_and_a_third_of_the_chunks_err(gamma: float) -> None:
    """The scale 0.215 makes the majority of an atom wrong with probability Φ(−0.43) = 1/3, but for ties and lattices."""
    s = 10**6
    sampler = Hard(scale=0.215).at(situation_of(s, "erm", concept=CubeStumps(p=16), gamma=gamma))
    assert isinstance(sampler, AtomsSampler)
    assert sampler.rare * sampler.mass * sampler.noise == pytest.approx(gamma, rel=1e-9)
    wrong = sampler.sufficient(queries(sampler, [1, 2, 3, 4]), 40_000, s, np.random.default_rng(4)).wrong
    np.testing.assert_allclose(wrong / 40_000, 1 / 3, atol=0.02)


def test_atoms_are_sized_as_they_are_told() -> None:
    at = situation_of(1000, "erm", concept=CubeStumps(p=32))
    assert Hard().at(at) == AtomsSampler(5, log(2) / 1000, 0.0)
    assert Hard(c=1.09).at(at) == AtomsSampler(5, 1.09 / 1000, 0.0)
    assert Hard(mass=0.1).at(at) == AtomsSampler(5, 0.1, 0.0)
    assert Balanced().at(at) == AtomsSampler(5, 1 / 6, 0.0)


@pytest.mark.parametrize(
    ("distribution", "s", "gamma", "key"),
    [
        (Hard(c=300), 1000, 0.0, "distribution"),
        (Hard(mass=0.25), 1000, 0.0, "distribution"),
        (Hard(), 1000, 0.49, "gamma"),
        (Balanced(), 1000, 0.45, "gamma"),
    ],
)
def test_atoms_whose_mass_would_pass_one_are_refused(distribution: Hard | Balanced, s: int, gamma: float, key: str) -> None:
    refused = distribution.refuse(situation_of(s, "erm", concept=CubeStumps(p=16), gamma=gamma))
    assert refused is not None
    assert refused.parameter == key and "allowed: " in refused.message
    assert distribution.refuse(situation_of(10**6, "erm", concept=CubeStumps(p=2), gamma=0.0)) is None


Labelling = NDArray[np.bool_]


def test_the_rare_atoms_of_cube_stumps_are_shattered_beside_a_point_that_all_label_one() -> None:
    """Row i of the table of all labellings is coordinate i of the V points; the heavy one is (1, …, 1)."""
    for V in (1, 2, 3, 4):
        table: Labelling = np.array(list(product([False, True], repeat=V)))
        assert CubeStumps(p=2**V).rare_atoms == V
        coordinates = [(*labels, True) for labels in table]  # of the V points and the heavy one, one coordinate each
        assert len(set(coordinates)) == 2**V and {labels[-1] for labels in coordinates} == {True}


def test_the_basis_is_shattered_by_homogeneous_halfspaces_beside_the_origin() -> None:
    for d in (1, 2, 3, 4):
        points = np.vstack([np.eye(d), np.zeros((1, d))])
        labels = {tuple((points @ np.array(w) >= 0).tolist()) for w in product([-1.0, 1.0], repeat=d)}
        assert Halfspaces(d=d).rare_atoms == d
        assert len(labels) == 2**d and {one[-1] for one in labels} == {True}


@pytest.mark.parametrize(
    ("distribution", "gamma", "said"),
    [
        (Hard(mass=0.25), 0.0, "mass between 0 and 0.25"),
        (Hard(mass=0.05), 0.2, "mass between 0.1 and 0.25"),
        (Hard(c=2000), 0.0, "c < s/4"),
        (Hard(total=20), 0.0, "2·gamma + total·alpha < 1"),
        (Hard(), 0.49, "gamma < 1/2 − scale·√(4/s), here 0.487"),
        (Balanced(), 0.45, "gamma < 0.4"),
    ],
)
def test_what_is_allowed_of_atoms_is_told(distribution: Hard | Balanced, gamma: float, said: str) -> None:
    at = situation_of(1000, "erm", concept=CubeStumps(p=16), gamma=gamma)
    refused = distribution.refuse(replace(at, alpha=0.1))
    assert refused is not None and refused.message.endswith(f"allowed: {said}")


def test_atoms_in_units_of_alpha_need_one() -> None:
    at = situation_of(1000, "erm", concept=CubeStumps(p=16))
    refused = Hard(total=2).refuse(at)
    assert refused is not None and refused.message.startswith("total is in units of alpha, which is not given; allowed: ")
    assert Hard(total=2).refuse(replace(at, alpha=0.1)) is None


@pytest.mark.parametrize("left", [[1], [2, 3], [0, 40], [10**6, 2 * 10**6]])
def test_all_numbers_of_hits_that_are_likely_are_gone_through_with_the_chance_of_a_wrong_majority(left: list[int]) -> None:
    """All there are, of few examples; beyond the others lies hardly any chance, whichever number is left."""
    share, sampler = 0.3, AtomsSampler(2, 0.3, 0.2)
    hits, wrong = sampler._hits(np.array(left), share)
    assert (np.diff(hits) == 1).all() and hits[0] >= 0 and hits[-1] <= left[-1]
    assert left[-1] > 20 or hits.tolist() == list(range(left[-1] + 1))
    beyond = [binom.cdf(hits[0] - 1, n, share) + binom.sf(hits[-1], n, share) for n in left]
    assert max(beyond) < 1e-15
    for n in hits[:: max(1, len(hits) // 5)][:5]:
        assert wrong[n - hits[0]] == pytest.approx(binom.cdf(n // 2, n, 0.8), abs=1e-12)
