"""What changes its method with the size of its work has one law on both sides of the change.

Where the sizes are small enough, the change is moved down to them and both sides are set against full sampling or each other;
of noisy atoms, whose method for many chunks is another one, the real change is crossed too. False-failure probability: 1e-9 for
each statistical case (`conftest.py`).
"""

from itertools import product
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, chi2

from harness.ballots import Queries
from harness.concepts import ConceptClass, Distribution, atoms, cube_stumps, intervals, stumps
from harness.concepts.atoms import CHUNKS, AtomsSampler
from harness.concepts.cube_stumps import CubeStumps
from harness.concepts.intervals import Intervals
from harness.concepts.stumps import Stumps
from harness.concepts.thresholds import Uniform, samplers
from tests.support.laws import BinomialCounts, SameLaw
from tests.support.situations import situation_of

Reals = NDArray[np.float64]

NOISY = {
    "mostly ties": AtomsSampler(3, 0.1, 0.3),
    "few examples on each": AtomsSampler(2, 0.2, 0.1),
    "nearly a coin": AtomsSampler(3, 0.3, 0.45),
}


def on_atoms(sampler: AtomsSampler) -> Queries:
    """The heavy atom and each rare one, with their right labels."""
    points = np.arange(sampler.rare + 1, dtype=np.float64)
    return Queries(points, (points == 0).astype(np.int8))


def errs(sampler: AtomsSampler, hits: int) -> float:
    """The chance that a chunk with so many examples on an atom is wrong on it: no more of them are right than wrong."""
    right = 1 - sampler.noise
    return sum(comb(hits, r) * right**r * sampler.noise ** (hits - r) for r in range(hits // 2 + 1))


def errs_on_one(sampler: AtomsSampler, s: int) -> float:
    return sum(binom.pmf(hits, s, sampler.mass) * errs(sampler, hits) for hits in range(s + 1))


def errs_on_two(sampler: AtomsSampler, s: int) -> float:
    """The chance that a chunk is wrong on both of two atoms: their hits are trinomial."""
    second = sampler.mass / (1 - sampler.mass)
    return sum(
        binom.pmf(a, s, sampler.mass) * binom.pmf(b, s - a, second) * errs(sampler, a) * errs(sampler, b)
        for a, b in product(range(s + 1), repeat=2)
        if a + b <= s
    )


@pytest.mark.law
@pytest.mark.parametrize("s", [1, 6, 25])
@pytest.mark.parametrize("k", [CHUNKS - 1, CHUNKS, CHUNKS + 1, 50 * CHUNKS], ids=["below", "at", "beyond", "far beyond"])
@pytest.mark.parametrize("sampler", NOISY.values(), ids=NOISY)
def test_noisy_atoms_are_wrong_as_often_as_they_should_be_whatever_k(
    sampler: AtomsSampler, k: int, s: int, assert_binomial: BinomialCounts
) -> None:
    """Each atom by its exact chance, and two together by the variance of the sum over all, a chi-square of `trials` sums."""
    rng, trials, p = np.random.default_rng([k, s]), 25, errs_on_one(sampler, s)
    drawn = [sampler.sufficient(on_atoms(sampler), k, s, rng) for _ in range(trials)]
    wrong = np.array([votes.wrong for votes in drawn])
    assert (wrong[:, 0] == 0).all()
    assert_binomial(wrong[:, 1:].sum(axis=0), trials * k, np.full(sampler.rare, p))
    r = sampler.rare
    variance = k * (r * p * (1 - p) + r * (r - 1) * (errs_on_two(sampler, s) - p * p))
    ratio = float(((wrong.sum(axis=1) - r * k * p) ** 2).sum() / variance)
    assert chi2.ppf(1e-9, trials) < ratio < chi2.isf(1e-9, trials)
    assert {votes.max_mistakes is None for votes in drawn} == {k > CHUNKS}


@pytest.mark.law
@pytest.mark.parametrize("noise", [0.0, 0.3])
@pytest.mark.parametrize("chunks", [0, 1 << 16], ids=["by number", "by chunk"])
@pytest.mark.parametrize(("s", "k"), [(1, 9), (6, 5), (12, 40)])
def test_atoms_have_the_joint_law_of_full_sampling_on_both_sides(
    noise: float, chunks: int, s: int, k: int, assert_same_law: SameLaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atoms, "CHUNKS", chunks)
    sampler, rng = AtomsSampler(3, 0.12, noise), np.random.default_rng([s, k])
    asked = on_atoms(sampler)
    samples = [np.array([draw(asked, k, s, rng).wrong for _ in range(2500)]) for draw in (sampler.sufficient, sampler.full)]
    assert_same_law(*samples)


BLOCKS: dict[str, tuple[object, str, int, ConceptClass, Distribution, str, float]] = {
    "atoms": (atoms, "FULL_BLOCK", 5, CubeStumps(p=4), atoms.Hard(mass=0.2), "erm", 0.0),
    "noisy atoms": (atoms, "FULL_BLOCK", 5, CubeStumps(p=4), atoms.Hard(mass=0.2), "erm", 0.1),
    "stumps on the cube": (cube_stumps, "FULL_BLOCK", 9, CubeStumps(p=4), cube_stumps.Uniform(), "erm", 0.0),
    "noisy stumps on the cube": (cube_stumps, "FULL_BLOCK", 9, CubeStumps(p=4), cube_stumps.Uniform(), "erm", 0.1),
    "stumps": (stumps, "FULL_BLOCK", 9, Stumps(d=2), stumps.Uniform(), "erm", 0.0),
    "intervals": (intervals, "BLOCK", 5, Intervals(labels=3), intervals.Uniform(), "midpoint", 0.0),
}
"""What is made smaller and where: block by block, of parts of one chunk, or of one chunk at a time."""


@pytest.mark.law
@pytest.mark.parametrize("case", BLOCKS.values(), ids=BLOCKS)
@pytest.mark.parametrize("sampling", ["sufficient", "full"])
def test_blocks_of_a_few_numbers_have_the_law_of_blocks_that_hold_all(
    case: tuple[object, str, int, ConceptClass, Distribution, str, float],
    sampling: str,
    assert_same_law: SameLaw,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module, name, small, concept, distribution, learner, gamma = case
    s, k, rng = 7, 6, np.random.default_rng(11)
    situation = situation_of(s, learner, concept=concept, gamma=gamma)
    assert distribution.refuse(situation) is None
    sampler = distribution.at(situation)
    asked = sampler.queries(5, rng)
    draw = getattr(sampler, sampling)

    def samples() -> NDArray[np.int64]:
        return np.array([draw(asked, k, s, rng).counts[1] for _ in range(1500)])

    whole = samples()
    monkeypatch.setattr(module, name, small)
    assert_same_law(whole, samples())


@pytest.mark.parametrize("learner", ["leftmost", "midpoint"])
def test_the_law_of_noisy_thresholds_is_the_same_number_in_parts_and_whole(
    learner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sampler = Uniform().at(situation_of(10**6, learner, gamma=0.1))
    a = np.linspace(0, 1e-4, 501)
    whole = [sampler.exceeds(a, side, 10**6) for side in (-1, 1)]
    monkeypatch.setattr(samplers, "LAW_BLOCK", 100)
    for side, expected in zip((-1, 1), whole, strict=True):
        np.testing.assert_allclose(sampler.exceeds(a, side, 10**6), expected, rtol=1e-12, atol=0)
    assert 0 < whole[0][-1] < whole[0][0]


@pytest.mark.parametrize("gamma", [0.0, 0.1])
def test_a_stump_on_another_coordinate_than_the_target_errs_on_half_of_all(gamma: float) -> None:
    sampler = cube_stumps.Uniform().at(situation_of(9, "erm", concept=CubeStumps(p=4), gamma=gamma))
    queries = sampler.queries(60, np.random.default_rng(1))
    for coordinate, error in ((0, 0.5), (2, 0.5), (3, gamma)):
        labels = (queries.points[:, coordinate] > 0).astype(np.int8)
        learned = sampler.learn(queries, labels)
        assert learned.error == pytest.approx(error) and (learned.predict(queries.points) == labels).all()


def test_where_stumps_on_the_cube_are_taken_to_be_right_hardly_one_would_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least s at which no wrong one is drawn: the method on the other side finds none among 10⁷ either, but for 1e-5."""
    p, k = 8, 10**7
    s = next(s for s in range(1, 200) if k * p * 2.0**-s <= cube_stumps.NEVER)
    sampler, rng = cube_stumps.Uniform().at(situation_of(s, "erm", concept=CubeStumps(p=p))), np.random.default_rng(1)
    asked = sampler.queries(50, rng)
    right = sampler.sufficient(asked, k, s, rng)
    assert right.tv_budget == k * p * 2.0**-s > 0 and not right.wrong.any()
    monkeypatch.setattr(cube_stumps, "NEVER", 0.0)
    drawn = sampler.sufficient(asked, k, s, rng)
    assert drawn.tv_budget == 0 and not drawn.wrong.any()
    few = sampler.sufficient(asked, k, 10, rng)  # 10⁷ of 2¹⁰: each of the others is as good as the target in some 10⁴ chunks
    assert few.wrong.max() > 10**4
