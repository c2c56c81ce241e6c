"""The two samplers of thresholds against each other, and each against laws worked out another way.

False-failure probability: 1e-9 for each statistical case (`conftest.py`).
"""

from collections.abc import Callable
from decimal import Decimal, localcontext
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import binom

from harness.ballots import Queries
from harness.concepts import Distribution, offsets
from harness.concepts.thresholds import Hard, Uniform
from harness.concepts.thresholds.samplers import LEARNERS, UniformSampler
from tests.support.situations import least_s, situation_of

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]
SameLaw = Callable[[Ints, Ints], None]
BinomialCounts = Callable[[Ints, int, Reals], None]

every_learner = pytest.mark.parametrize("learner", LEARNERS)
every_side = pytest.mark.parametrize("side", [1, -1])


def at_offsets(offsets: Reals) -> Queries:
    return Queries(offsets, (offsets >= 0).astype(np.int8))


def around(target: float, s: int, reaches: tuple[float, ...]) -> Queries:
    """Queries on both sides, at about these multiples of 1/s from the target but inside [0, 1], in mixed order, one twice."""
    above = [room * -np.expm1(-c / (s * room)) for room in (1 - target,) for c in reaches]
    below = [room * np.expm1(-c / (s * room)) for room in (target,) for c in reaches]
    return at_offsets(np.array([below[0], *above[::-1], *below[::-1]]))


def assert_samplings_agree(
    distribution: Distribution, learner: str, queries: Queries, s: int, k: int, assert_same_law: SameLaw, size: int = 2500
) -> None:
    sampler, rng = distribution.at(situation_of(s, learner)), np.random.default_rng([s, k])
    samples = (
        np.array([draw(queries, k, s, rng).counts[1] for _ in range(size)]) for draw in (sampler.sufficient, sampler.full)
    )
    assert_same_law(*samples)


@pytest.mark.law
@every_learner
@pytest.mark.parametrize("target", [0.5, 0.02])
@pytest.mark.parametrize(("s", "k"), [(1, 1), (1, 40), (3, 10), (50, 5), (20, 50)])
def test_both_samplings_of_uniform_examples_have_one_joint_law(
    learner: str, target: float, s: int, k: int, assert_same_law: SameLaw
) -> None:
    queries = around(target, s, (0.1, 0.5, 1.5))
    assert_samplings_agree(Uniform(target=target), learner, queries, s, k, assert_same_law)


@pytest.mark.law
@every_learner
@pytest.mark.parametrize("hard", [Hard(), Hard(c=0.2), Hard(c=0.99 * np.log(3)), Hard(c=4), Hard(mass=0.8)])
@pytest.mark.parametrize(("s", "k"), [(0, 1), (0, 40), (50, 10)])
def test_both_samplings_of_hard_examples_have_one_joint_law(
    learner: str, hard: Hard, s: int, k: int, assert_same_law: SameLaw
) -> None:
    s = max(s, least_s(hard))
    pool = hard.at(situation_of(s, learner)).queries(1000, np.random.default_rng(s))
    atoms = [int(pool.truth.argmin()), int(pool.truth.argmax())]
    queries = Queries(pool.points[[*atoms, atoms[0]]], pool.truth[[*atoms, atoms[0]]])
    assert set(queries.truth.tolist()) == {0, 1}
    assert_samplings_agree(hard, learner, queries, s, k, assert_same_law)


@pytest.mark.law
@every_learner
@pytest.mark.parametrize("target", [0.5, 0.02])
@pytest.mark.parametrize(("s", "k"), [(3, 2), (30, 8)])
def test_thresholds_beyond_the_usual_reach_are_found_in_a_second_look(
    learner: str, target: float, s: int, k: int, assert_same_law: SameLaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second look is due once in a thousand trials; a reach of 0.4/s in place of ln(1000k)/s makes it the rule."""
    monkeypatch.setattr("harness.concepts.thresholds.samplers.usual_reach", lambda k, s: 0.4 / s)
    queries = around(target, s, (0.2, 0.7, 2.0))
    assert_samplings_agree(Uniform(target=target), learner, queries, s, k, assert_same_law)


@every_learner
@pytest.mark.parametrize("s", [10**6, 5 * 10**10])
def test_the_second_look_is_sound_at_any_chunk_size(learner: str, s: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No arithmetic breaks on the way, and far from the target nobody errs: 500 thresholds come within 99/s but for e⁻⁹⁰."""
    monkeypatch.setattr("harness.concepts.thresholds.samplers.usual_reach", lambda k, s: 0.01 / s)
    queries = around(0.5, s, (0.02, 0.1, 99.0, 0.3 * s))
    votes = Uniform().at(situation_of(s, learner)).sufficient(queries, 500, s, np.random.default_rng(1))
    near = np.abs(queries.points) < 1 / s
    assert votes.wrong[near].max() > 200
    assert votes.wrong[~near].max() == 0


# One threshold


def beyond(learner: str, side: int, target: float, a: float, s: int) -> float:
    """P(the learned threshold is further than a from the target on this side), from the definition.

    The number of examples below the target is binomial; given it, x_l is the largest of that many uniforms on [0, t), or 0,
    and x_r the least of the others on [t, 1], or 1.
    """
    if side < 0:  # turn the interval round
        mirror = {"leftmost": "rightmost", "rightmost": "leftmost", "midpoint": "midpoint"}
        return beyond(mirror[learner], 1, 1 - target, a, s)
    if learner == "leftmost" or a >= 1 - target:
        return 0.0
    total = 0.0
    for below in range(s + 1):

        def x_r_exceeds(v: float, above: int = s - below) -> float:
            return max(0.0, (1 - v) / (1 - target)) ** above if v < 1 else 0.0

        if learner == "rightmost":
            given = x_r_exceeds(target + a)
        elif below == 0:
            given = x_r_exceeds(2 * (target + a))
        else:
            # x_l is t·U^{1/below}: integrate over its density, which the kink where x_r would have to pass 1 splits.
            least = min(max(0.0, 2 * (target + a) - 1), target)

            def integrand(x_l: float, below: int = below, exceeds: Callable[[float], float] = x_r_exceeds) -> float:
                return below * x_l ** (below - 1) / target**below * exceeds(2 * (target + a) - x_l)

            given = quad(integrand, least, target, epsabs=1e-13, epsrel=1e-11)[0]
        total += binom.pmf(below, s, target) * given
    return total


@every_learner
@every_side
@pytest.mark.parametrize("target", [0.5, 0.3, 0.02, 0.97])
@pytest.mark.parametrize("s", [1, 2, 3, 7])
def test_the_law_of_one_threshold_is_what_integrating_over_both_examples_gives(
    learner: str, side: int, target: float, s: int
) -> None:
    a = np.array([0.0, 1e-3, 0.01, 0.0149, 0.1, 0.2, 0.2499, 0.26, 0.349, 0.4, 0.48, 0.49, 0.69, 0.9, 1.0, 7.0])
    law = Uniform(target=target).at(situation_of(s, learner)).exceeds(a, side, s)
    assert law == pytest.approx([beyond(learner, side, target, distance, s) for distance in a], abs=1e-10)


def beyond_exactly(learner: str, side: int, target: float, a: float, s: int) -> Decimal:
    """The closed form in 60 digits."""
    with localcontext(prec=60):
        t, d = Decimal(target), Decimal(a)
        room, other = (1 - t, t) if side > 0 else (t, 1 - t)
        if learner == "midpoint":
            z = 1 - 2 * d - 2 * other
            return ((1 - 2 * d) ** s + abs(z) ** s * z.compare(0)) / 2 if 2 * d < room else Decimal(0)
        return (1 - d) ** s if (learner == "rightmost") == (side > 0) and d < room else Decimal(0)


@every_learner
@every_side
@pytest.mark.parametrize("target", [0.5, 0.3, 0.02, 1e-11, 1 - 2.0**-35])
@pytest.mark.parametrize("s", [50, 10**6, 5 * 10**10, 10**15])
def test_the_law_of_one_threshold_is_accurate_at_any_chunk_size(learner: str, side: int, target: float, s: int) -> None:
    """Relative to 60 digits, from far below the spacing of doubles near the target to where the tail is e⁻⁶⁰."""
    sampler = Uniform(target=target).at(situation_of(s, learner))
    for a in (0.0, 1e-25, *(c / s for c in (1e-6, 0.1, 0.4, 0.7, 1, 3, 10, 20, 30) if c < s / 4)):
        exact = float(beyond_exactly(learner, side, target, a, s))
        assert float(sampler.exceeds(a, side, s)) == pytest.approx(exact, rel=1e-11, abs=1e-15)


@every_learner
@pytest.mark.parametrize("target", [0.5, 0.3, 0.02])
@pytest.mark.parametrize("s", [1, 2, 6])
@pytest.mark.parametrize("sampling", ["sufficient", "full"])
def test_a_hundred_thousand_thresholds_fall_into_the_gaps_between_queries_as_they_should(
    sampling: str, learner: str, target: float, s: int, assert_binomial: BinomialCounts
) -> None:
    """The number of thresholds beyond each query, and in each gap between two, is binomial with the integrated law."""
    k, sampler = 100_000, Uniform(target=target).at(situation_of(s, learner))
    for side in (1, -1):
        room = 1 - target if side > 0 else target
        distances = room * np.array([1e-6, 0.01, 0.05, 0.15, 0.3, 0.49, 0.51, 0.7, 0.99])
        queries, rng = at_offsets(side * distances), np.random.default_rng([s, side + 1])
        wrong = (sampler.full if sampling == "full" else sampler.sufficient)(queries, k, s, rng).wrong
        law = np.array([beyond(learner, side, target, a, s) for a in distances])
        assert_binomial(wrong, k, law)
        assert_binomial(wrong[:-1] - wrong[1:], k, np.maximum(law[:-1] - law[1:], 0))


@every_learner
def test_at_the_largest_n_wrong_votes_are_binomial(learner: str, assert_binomial: BinomialCounts) -> None:
    """n = 10¹⁵: Bin(k, (1−d)^s) at distance d where an extremal learner errs, Bin(k, ½(1−2d)^s) for the midpoint."""
    k, trials = 25_293, 400
    s = 10**15 // k
    sampler, rng = Uniform().at(situation_of(s, learner)), np.random.default_rng(6)
    for side in (1, -1):
        distances = np.array([0.001, 0.3, 1.0, 3.0, 9.0]) / s
        law = np.array([float(beyond_exactly(learner, side, 0.5, d, s)) for d in distances])
        assert (law > 0).all() == (learner == "midpoint" or (learner == "rightmost") == (side > 0))
        queries = at_offsets(side * distances)
        wrong = np.array([sampler.sufficient(queries, k, s, rng).wrong for _ in range(trials)])
        assert_binomial(wrong.sum(axis=0), trials * k, law)
        for quantile in (0.05, 0.5, 0.95):  # not the mean only
            level = binom.ppf(quantile, k, law)
            assert_binomial((wrong <= level).sum(axis=0), trials, np.asarray(binom.cdf(level, k, law)))


# Counts in gaps


def cube(a: Reals | float) -> Reals:
    """P(> a) of the least of three uniforms."""
    return np.asarray(np.maximum(1 - np.asarray(a), 0) ** 3)


@pytest.mark.law
@pytest.mark.parametrize("distances", [[0.5, 0.2, 0.31, 0.2, 0.45], [0.2], []], ids=["mixed", "at-start", "none"])
@pytest.mark.parametrize(("start", "stop"), [(0.0, 0.51), (0.2, 0.51), (0.2, 1.0)])
@pytest.mark.parametrize("count", [1, 7])
def test_counts_in_gaps_have_the_law_of_thresholds_drawn_one_by_one(
    distances: list[float], start: float, stop: float, count: int, assert_same_law: SameLaw
) -> None:
    at, rng = np.array(distances), np.random.default_rng(count)
    size = 4000
    gaps = np.empty((size, len(at) + 1), dtype=np.int64)
    for row in gaps:
        row[:-1], row[-1:] = offsets._beyond(at, np.zeros(len(at), np.int64), np.array([count]), cube, start, stop, rng)
    drawn = 1 - (1 - start) * rng.random((size, count)) ** (1 / 3)
    one_by_one = np.count_nonzero(drawn[:, :, np.newaxis] > np.append(at, stop), axis=1)
    assert_same_law(gaps, one_by_one)


def test_no_threshold_leaves_no_count_and_needs_no_law() -> None:
    law, rng = partial(pytest.fail, "asked"), np.random.default_rng(1)
    wrong, left = offsets._beyond(np.array([0.1, 0.2]), np.zeros(2, np.int64), np.array([0]), law, 0.0, 1.0, rng)
    assert wrong.tolist() == [0, 0]
    assert left.tolist() == [0]


@pytest.mark.parametrize("gamma", [0.0, 0.1])
@pytest.mark.parametrize("learner", ["leftmost", "midpoint", "rightmost"])
def test_no_threshold_is_beyond_an_end_of_the_interval(learner: str, gamma: float) -> None:
    """Below the target there is less room than above it."""
    sampler = Uniform(target=0.2).at(situation_of(250, learner, gamma=gamma))
    assert isinstance(sampler, UniformSampler)
    for side, room in ((1, 0.8), (-1, 0.2)):
        inside, beyond = sampler.exceeds(np.array([0.005, room + 1e-9]), side, 250)
        assert beyond == 0 and (inside > 0.01) == sampler.errs(side)


def test_beside_the_target_an_offset_has_the_bits_that_one_random_number_lacks() -> None:
    """Where the first says the target itself, the second places the query within 2⁻⁵³ of it."""

    class Near:
        def __init__(self) -> None:
            self.said = [np.array([0.5, 0.5 - 2.0**-53, 0.75]), np.array([0.25, 0.75])]

        def random(self, size: int) -> Reals:
            assert size == len(self.said[0])
            return self.said.pop(0)

    sampler = Uniform().at(situation_of(10))
    queries = sampler.queries(3, Near())  # type: ignore[arg-type]
    assert queries.points.tolist() == [0.25 * 2.0**-53, -0.25 * 2.0**-53, 0.25]
    assert queries.truth.tolist() == [1, 0, 1]
