from collections.abc import Callable
from math import inf, log, nan
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError
from scipy.stats import kstest

from harness.ballots import Queries
from harness.concepts.thresholds import MOST_NOISE, Hard, Uniform
from harness.concepts.thresholds.hard import HardSampler
from harness.concepts.thresholds.samplers import LEARNERS
from tests.support.situations import least_s, situation_of

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]
BinomialCounts = Callable[[Ints, int, Reals], None]

every_learner = pytest.mark.parametrize("learner", LEARNERS)
every_sampling = pytest.mark.parametrize("sampling", ["sufficient", "full"])


@every_learner
def test_learners_are_consistent_with_the_two_examples_next_to_the_target(learner: str) -> None:
    x_l, x_r = np.array([0.0, 0.25, 0.4999999999999999]), np.array([1.0, 0.75, 0.5])
    learned = LEARNERS[learner](x_l, x_r)
    assert (x_l < learned).all()
    assert (learned <= x_r).all()


def test_learners_are_the_least_the_greatest_and_the_middle_consistent_threshold() -> None:
    x_l, x_r = np.array([0.25]), np.array([0.75])
    assert LEARNERS["leftmost"](x_l, x_r) == np.nextafter(0.25, 1)
    assert LEARNERS["rightmost"](x_l, x_r) == 0.75
    assert LEARNERS["midpoint"](x_l, x_r) == 0.5


# Queries


@pytest.mark.parametrize("target", [0.5, 0.3, 0.02, 0.97])
def test_uniform_offsets_are_uniform_on_the_interval_around_the_target(target: float) -> None:
    """False-failure probability: the Kolmogorov–Smirnov p-value is asked to be above 1e-7, for 4 targets."""
    queries = Uniform(target=target).at(situation_of(10, "leftmost")).queries(200_000, np.random.default_rng(1))
    assert kstest(queries.points + target, "uniform").pvalue > 1e-7


@pytest.mark.parametrize("target", [0.5, 0.3, 0.02, 0.97])
def test_the_target_labels_the_queries_and_the_examples(target: float) -> None:
    queries = Uniform(target=target).at(situation_of(10, "leftmost")).queries(10_000, np.random.default_rng(2))
    assert queries.truth.dtype == np.int8
    assert np.array_equal(queries.truth, queries.points >= 0)
    far = np.abs(queries.points) > 1e-12
    assert np.array_equal(queries.truth[far], queries.points[far] + target >= target)


class NearTheTarget:
    """A generator whose first numbers are the multiples of 2⁻⁵³ around a half; those after are uniform."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(3)
        self.first = True

    def random(self, size: int) -> Reals:
        steps = np.arange(size, dtype=np.float64) - size // 2
        first, self.first = self.first, False
        return 0.5 + steps * 2.0**-53 if first else self.rng.random(size)


@pytest.mark.parametrize("target", [0.5, 0.3, 0.97])
def test_offsets_near_the_target_are_finer_than_the_53_bits_of_a_uniform(target: float) -> None:
    """Within each cell of 2⁻⁵³ the offset is uniform. False-failure probability: 1e-7 a target, by Kolmogorov–Smirnov."""
    sampler = Uniform(target=target).at(situation_of(10, "leftmost"))
    queries = sampler.queries(20_000, cast(np.random.Generator, NearTheTarget()))
    cells = queries.points * 2.0**53
    assert np.array_equal(np.floor(cells), np.arange(20_000) - 10_000)
    assert kstest(cells - np.floor(cells), "uniform").pvalue > 1e-7


@every_learner
@pytest.mark.parametrize("s", [5, 1000])
def test_the_rare_atom_of_the_hard_distribution_has_mass_c_over_s(
    learner: str, s: int, assert_binomial: BinomialCounts
) -> None:
    """False-failure probability: 1e-9 a case (`conftest.py`)."""
    m, default, sized, fixed = 200_000, Hard(), Hard(c=1.5), Hard(mass=0.125)
    rare_label = int(learner == "rightmost")
    at_rare = [
        np.count_nonzero(hard.at(situation_of(s, learner)).queries(m, np.random.default_rng(s)).truth == rare_label)
        for hard in (default, sized, fixed)
    ]
    assert_binomial(np.array(at_rare), m, np.array([log(2) / s, 1.5 / s, 0.125]))


# The hard distribution


def hard_sampler(hard: Hard, s: int, learner: str = "leftmost") -> HardSampler:
    sampler = hard.at(situation_of(s, learner))
    assert isinstance(sampler, HardSampler)
    return sampler


def atoms(hard: Hard, s: int, learner: str) -> Queries:
    """The two atoms as queries, the rare one first: the one on the side where the learner's default is wrong."""
    sampler = hard_sampler(hard, s, learner)
    rare, heavy = sampler.rare - sampler.target, sampler.heavy - sampler.target
    assert (rare < 0) == (learner != "rightmost") == (heavy > 0)
    points = np.array([rare, heavy])
    return Queries(points, (points >= 0).astype(np.int8))


@every_learner
@every_sampling
@pytest.mark.parametrize(("hard", "s"), [(Hard(), 1), (Hard(c=1.08), 7), (Hard(c=3), 50), (Hard(mass=0.4), 2)])
def test_the_chunks_that_missed_the_rare_atom_are_wrong_on_it(
    sampling: str, learner: str, hard: Hard, s: int, assert_binomial: BinomialCounts
) -> None:
    """Wrong votes are Bin(k, (1−p)^s) on a rare atom of mass p, and on the heavy one Bin(k, p^s) for the midpoint, else none.

    False-failure probability: 1e-9 a case (`conftest.py`).
    """
    k, sampler = 40_000, hard_sampler(hard, s, learner)
    draw = sampler.full if sampling == "full" else sampler.sufficient
    wrong = draw(atoms(hard, s, learner), k, s, np.random.default_rng(s)).wrong
    assert_binomial(wrong, k, np.array([(1 - sampler.mass) ** s, sampler.mass**s if learner == "midpoint" else 0.0]))


@every_learner
@every_sampling
@pytest.mark.parametrize("s", [1, 3, 300])
def test_a_chunk_of_heavy_examples_only_votes_its_default_on_the_rare_atom(sampling: str, learner: str, s: int) -> None:
    """Mass 1e-15: seen within 6000 examples with probability below 1e-11."""
    sampler = Hard(mass=1e-15).at(situation_of(s, learner))
    draw = sampler.full if sampling == "full" else sampler.sufficient
    votes = draw(atoms(Hard(mass=1e-15), s, learner), 20, s, np.random.default_rng(4))
    assert votes.wrong.tolist() == [20, 0]


@every_learner
@every_sampling
@pytest.mark.parametrize("s", [1, 3, 300])
def test_a_chunk_of_rare_examples_only_is_right_on_the_rare_atom(sampling: str, learner: str, s: int) -> None:
    """The heavy atom is missed with probability all but 1e-11: the extremal learners' default is right there."""
    hard = Hard(mass=1 - 2.0**-50)
    sampler = hard.at(situation_of(s, learner))
    draw = sampler.full if sampling == "full" else sampler.sufficient
    votes = draw(atoms(hard, s, learner), 20, s, np.random.default_rng(5))
    assert votes.wrong.tolist() == [0, 20 if learner == "midpoint" else 0]


@pytest.mark.parametrize("c", [0.1, None, 0.999, 1.0, 1.001, 2.0, 2.5, 17.3])
def test_a_rare_atom_of_mass_one_or_more_is_refused(c: float | None) -> None:
    hard = Hard(c=c)
    least = least_s(hard)
    assert 0 < hard_sampler(hard, least).mass < 1
    assert least == 1 or hard_sampler(hard, least - 1).mass >= 1
    assert least_s(Hard(mass=0.99)) == least_s(Uniform()) == 1


# Parameters


def test_c_and_mass_exclude_each_other() -> None:
    with pytest.raises(ValidationError, match="give one of c, mass and total, not c and mass"):
        Hard(c=1, mass=0.1)


def test_a_parameter_that_is_null_is_one_that_was_not_given() -> None:
    assert Hard(c=None) == Hard(mass=None) == Hard() == Hard(c=log(2))
    assert Hard(c=None, mass=0.1) == Hard(mass=0.1)
    assert Hard(c=1, mass=None) == Hard(c=1)


@pytest.mark.parametrize("distribution", [Uniform(), Uniform(target=0.3), Hard(), Hard(c=2), Hard(mass=0.1)])
def test_what_a_table_stores_of_a_distribution_gives_it_back(distribution: Uniform | Hard) -> None:
    kind = type(distribution)
    assert kind.model_validate_json(distribution.model_dump_json()) == distribution
    assert kind.model_validate_json(distribution.model_dump_json(exclude_none=True)) == distribution


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [(Uniform, "target", value) for value in (0, 1, -0.1, 1.5, nan, inf, "x")]
    + [(Hard, "c", value) for value in (0, -1, nan, inf, "x")]
    + [(Hard, "mass", value) for value in (0, 1, -0.1, 1.5, nan, inf, "x")]
    + [(Uniform, "c", 1), (Hard, "target", 0.5)],
)
def test_parameters_out_of_range_and_unknown_ones_are_refused(kind: type[Uniform | Hard], field: str, value: object) -> None:
    with pytest.raises(ValidationError) as refused:
        kind.model_validate({field: value})
    assert refused.value.errors()[0]["loc"] == (field,)


def test_with_noise_a_target_is_as_far_from_the_ends_as_is_told() -> None:
    for target, fits in ((0.009, False), (0.01, True), (0.99, True), (0.991, False)):
        refused = Uniform(target=target).refuse(situation_of(10**6, gamma=0.1))
        assert (refused is None) == fits and Uniform(target=target).refuse(situation_of(10**6)) is None
        if refused is not None:
            assert refused.parameter == "distribution" and refused.message.endswith("allowed: 0.01 ≤ target ≤ 0.99")
    for gamma, fits in ((MOST_NOISE, True), (MOST_NOISE + 1e-9, False)):
        refused = Uniform().refuse(situation_of(10**6, gamma=gamma))
        assert (refused is None) == fits and (refused is None or refused.parameter == "gamma")


def test_a_single_example_is_on_one_of_two_atoms_whatever_their_masses() -> None:
    """The chance of both is 0, and rounding does not make it less."""
    queries = Queries(np.array([-0.1, 0.1]), np.array([0, 1], np.int8))
    for mass in np.linspace(0.01, 0.99, 99):
        sampler = HardSampler(target=0.5, learner="leftmost", rare=0.4, heavy=0.6, mass=float(mass))
        assert sampler.sufficient(queries, 20, 1, np.random.default_rng(1)).counts.sum(axis=0).tolist() == [20, 20]


def test_a_threshold_on_atoms_errs_on_those_between_it_and_the_target() -> None:
    sampler = HardSampler(target=0.5, learner="leftmost", rare=0.4, heavy=0.7, mass=0.1)
    errs = {-0.2: 0.1, -0.05: 0.0, 0.0: 0.0, 0.15: 0.0, 0.3: 0.9}
    assert sampler.error(np.array(list(errs))) == pytest.approx(list(errs.values()))
