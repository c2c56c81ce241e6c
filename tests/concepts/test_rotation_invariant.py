"""Deferred decisions: the law of the learner that is shown every example, at a cost that hardly grows with their number."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import beta, binomtest, ks_2samp, kstest, norm

from harness.concepts import halfspaces, rotation_invariant
from harness.concepts.halfspaces.samplers import HalfspaceSampler
from harness.concepts.hard_margin import HardMargin
from harness.concepts.rotation_invariant import NormalPoints, PointLaw, SpherePoints, learn
from tests.support.situations import situation_of

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]
SameLaw = Callable[[Ints, Ints], None]

every_marginal = pytest.mark.parametrize("marginal", [SpherePoints(), NormalPoints()], ids=["sphere", "gaussian"])


def learn_from_all(marginal: PointLaw, d: int, chunks: int, s: int, rng: np.random.Generator) -> Reals:
    """w of each chunk from every one of its Poisson(s) examples."""
    sizes = rng.poisson(s, chunks)
    z = marginal.draw(chunks, d, int(sizes.max()), rng)
    z *= np.where(z[:, :1] < 0, -1, 1)
    machine = HardMargin.untrained(chunks, d)
    machine.fit(z, np.where(np.arange(z.shape[2]) < sizes[:, np.newaxis], 1, -np.inf))
    return machine.w


def votes_and_margins(w: Reals, x: Reals) -> Ints:
    """Of each direction: its labels of the points x, and its margin to a hundredth of a digit."""
    with np.errstate(divide="ignore"):
        margin = np.minimum(-np.log10(np.linalg.norm(w, axis=1)), 9)
    return np.column_stack([w @ x.T >= 0, np.floor(100 * margin)]).astype(np.int64)


def angles(w: Reals) -> Reals:
    return np.asarray(np.arctan2(np.linalg.norm(w[:, 1:], axis=1), w[:, 0]))


@pytest.mark.law
@every_marginal
@pytest.mark.parametrize("growth", [2.0, 8.0])
@pytest.mark.parametrize(("d", "s"), [(2, 3), (2, 40), (3, 12), (5, 60), (5, 200), (16, 60)])
def test_directions_have_the_law_of_those_learned_from_every_example(
    marginal: PointLaw, d: int, s: int, growth: float, assert_same_law: SameLaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jointly over the labels of five points at different angles to the target's boundary, and the margin.

    The first window has two examples a dimension on average, so that it has to grow. False-failure probability: 1e-9 a case.
    """
    monkeypatch.setattr(rotation_invariant, "FIRST", 2)
    monkeypatch.setattr(rotation_invariant, "GROWTH", growth)
    rng = np.random.default_rng([d, s])
    x = rng.standard_normal((5, d))
    x[:, 0] = np.array([0.1, 0.5, 2, -0.3, -1]) * d / s
    first, second = (votes_and_margins(draw(marginal, d, 4000, s, rng), x) for draw in (learn, learn_from_all))
    assert_same_law(first, second)


@every_marginal
def test_chunks_without_examples_label_everything_1(marginal: PointLaw) -> None:
    """Of Poisson(3) examples there are none with probability e⁻³."""
    w = learn(marginal, 2, 2000, 3, np.random.default_rng(1))
    empty = np.count_nonzero(~w.any(axis=1))
    assert 40 < empty < 170  # 100 on average; beyond 6 standard deviations on either side, below 1e-8


@pytest.mark.law
@every_marginal
def test_errors_shrink_as_one_over_s_to_the_largest_n(marginal: PointLaw) -> None:
    """s times the angle to the target has one law in the limit, here from 10⁶ to 4·10¹⁰ examples; so has the margin.

    False-failure probability: four Kolmogorov–Smirnov p-values are asked to be above 1e-7.
    """
    rng, sizes = np.random.default_rng(2), (10**6, 4 * 10**10)
    few, many = (learn(marginal, 5, 1000, s, rng) for s in sizes)
    assert ks_2samp(sizes[0] * angles(few), sizes[1] * angles(many)).pvalue > 1e-7
    assert ks_2samp(np.linalg.norm(few, axis=1) / sizes[0], np.linalg.norm(many, axis=1) / sizes[1]).pvalue > 1e-7


def test_the_examples_drawn_are_of_order_log_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand times as many examples make as many more to be drawn as the thousand times before, within 30 %."""
    drawn: list[int] = []
    draw = rotation_invariant._Candidates.draw

    def counted(
        self: rotation_invariant._Candidates, marginal: PointLaw, window: Reals, rng: np.random.Generator
    ) -> tuple[NDArray[np.intp], Reals]:
        owner, z = draw(self, marginal, window, rng)
        drawn.append(len(owner))
        return owner, z

    monkeypatch.setattr(rotation_invariant._Candidates, "draw", counted)
    totals = []
    for s in (10**3, 10**6, 10**9):
        drawn.clear()
        learn(SpherePoints(), 5, 200, s, np.random.default_rng(3))
        totals.append(sum(drawn) / 200)
    assert totals[0] < 250
    assert totals[2] - totals[1] < 1.3 * (totals[1] - totals[0]) < 600


@pytest.mark.law
@pytest.mark.parametrize("d", [2, 3, 7])
@pytest.mark.parametrize("rho", [1e-9, 0.3, 0.9, np.inf])
@every_marginal
def test_what_is_kept_below_a_margin_has_the_law_of_one_coordinate(marginal: PointLaw, rho: float, d: int) -> None:
    """Its mass is that of a cap, and its places are uniform under the cap's own law, by quadrature.

    False-failure probability: a binomial tail and a Kolmogorov–Smirnov p-value are asked to be above 1e-8, for 24 cases.
    """
    size = 20_000
    depth, kept = marginal.below(np.full(size, rho), d, np.random.default_rng(4))
    assert depth.min() >= 0
    assert depth.max() < rho

    def density(t: float) -> float:
        if isinstance(marginal, NormalPoints):
            return float(norm.pdf(t))
        return float(beta.pdf((1 + t) / 2, (d - 1) / 2, (d - 1) / 2) / 2)

    end = min(rho, 1.0) if isinstance(marginal, SpherePoints) else min(rho, 10.0)
    mass = quad(density, 0, end)[0]
    share = mass / float(marginal.cap(np.array([rho]), d)[0])
    assert share < 1 + 1e-6
    assert binomtest(int(kept.sum()), size, min(share, 1)).pvalue > 1e-8
    grid = np.linspace(0, end, 300)
    below = np.cumsum([0, *(quad(density, a, b)[0] for a, b in pairwise(grid))]) / mass
    assert kstest(np.interp(depth[kept], grid, below), "uniform").pvalue > 1e-8


@every_marginal
def test_a_region_is_filled_as_by_drawing_everywhere(marginal: PointLaw) -> None:
    """All folded examples within a region, drawn on it and picked out of many: their number, and where they are.

    False-failure probability: below 1e-8 for the numbers (6 standard deviations), and three p-values above 1e-7.
    """
    rng, d, window = np.random.default_rng(5), 4, 20_000.0
    w = np.array([[1.0, 0.8, -0.5, 0.3]]) * 2.5
    region = rotation_invariant._Candidates.of(w)
    owner, z = region.draw(marginal, np.array([window]), rng)
    everywhere = marginal.draw(rng.poisson(window), d, 1, rng)[:, :, 0]
    everywhere *= np.where(everywhere[:, :1] < 0, -1, 1)
    picked = everywhere[everywhere @ region.u[0] < region.margin[0]]
    assert not owner.any()
    assert (z[:, 0] >= 0).all()
    assert (z @ region.u[0] < region.margin[0]).all()
    assert abs(len(z) - len(picked)) < 6 * np.sqrt(len(z) + len(picked))
    for direction in np.vstack([region.u, region.v, rng.standard_normal(d)]):
        assert ks_2samp(z @ direction, picked @ direction).pvalue > 1e-7


def test_deferred_votes_are_those_of_the_directions_in_blocks_of_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    sampler = halfspaces.Sphere().at(situation_of(50, "svm", concept=halfspaces.Halfspaces(d=3)))
    assert isinstance(sampler, HalfspaceSampler)
    sizes: list[int] = []

    def recorded(marginal: PointLaw, d: int, chunks: int, s: int, rng: np.random.Generator) -> Reals:
        sizes.append(chunks)
        return np.eye(1, d).repeat(chunks, axis=0)

    monkeypatch.setattr("harness.concepts.halfspaces.samplers.DEFERRED_BLOCK", 30)
    monkeypatch.setattr(rotation_invariant, "learn", recorded)
    queries = sampler.queries(100, np.random.default_rng(6))
    votes = sampler.deferred(queries, 25, 50, np.random.default_rng(7))
    assert sizes == [10, 10, 5]
    assert votes.wrong.tolist() == [0] * 100
