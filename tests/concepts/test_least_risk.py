"""The points that matter of those that come by types, and the nearest of many: against all of them drawn.

Tests of laws fail on a right implementation with probability at most 1e-9 each.
"""

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.stats import binom, kstest
from scipy.stats import gamma as gamma_law

from harness.arrays import Ints, Labels, Reals
from harness.ballots import Queries
from harness.concepts import least_risk
from harness.concepts.least_risk import BEYOND, FIRST, calm, calm_within, nearest, placed, rare
from harness.concepts.offsets import usual_reach

if TYPE_CHECKING:
    from tests.support.laws import BinomialCounts, SameLaw


def least_risk_gap(points: Reals, labels: Labels, numbers: Ints, ends: tuple[float, float], side: int) -> tuple[float, float]:
    """The gap of one trial."""
    low, high = least_risk.least_risk_gaps(Queries(points, labels, size=numbers), labels, ends, side)
    return float(low[0]), float(high[0])


# The nearest of many


def alone(count: int, share: float, rng: np.random.Generator) -> Reals:
    """Those of one trial."""
    return nearest(np.array([count]), share, rng)[0]


def test_the_nearest_of_many_trials_are_as_many_and_as_far_as_those_of_each(assert_binomial: "BinomialCounts") -> None:
    rng, counts, share = np.random.default_rng(3), np.repeat([0, 1, 40, 10**6], 5000), 3e-6
    points, trial = nearest(counts, share, rng)
    assert (np.diff(trial) >= 0).all() and (np.diff(points)[np.diff(trial) == 0] >= 0).all()
    for share in (3e-6, 0.02, 0.5):
        few = np.minimum(counts, 60)
        points, trial = nearest(few, share, rng)
        numbers = np.bincount(trial, minlength=len(few))
        for count in (1, 40, 60):
            for level in {0, int(count * share)}:
                seen = np.array([np.count_nonzero(numbers[few == count] <= level)])
                assert_binomial(seen, 5000, np.array([binom.cdf(level, count, share)]))
        assert kstest(points / share, "uniform").pvalue > 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_a_larger_share_adds_to_what_a_smaller_one_gives(seed: int) -> None:
    """The prefix property: of one state of the generator, at any number of points, over many blocks."""
    for count in (0, 1, 3, FIRST - 1, FIRST, FIRST + 1, 10**4, 10**15):
        shares = np.array([1e-9, 0.3, 3.0, 100.0, 2000.0]) / max(count, 1)
        drawn = [alone(count, share, np.random.default_rng(seed)) for share in shares if share < 1]
        for fewer, more in pairwise(drawn):
            assert more[: len(fewer)].tolist() == fewer.tolist()
        for share, points in zip(shares, drawn, strict=False):
            assert (points < share).all() and (points >= 0).all() and (np.diff(points) >= 0).all()
            assert len(points) <= count


@pytest.mark.parametrize(("count", "share"), [(5, 0.5), (300, 0.9), (3000, 0.4), (10**4, 1e-3), (10**15, 4e-14)])
def test_how_many_are_near_is_binomial_and_they_are_uniform(
    count: int, share: float, assert_binomial: "BinomialCounts"
) -> None:
    rng, trials = np.random.default_rng(1), 600
    drawn = [alone(count, share, rng) for _ in range(trials)]
    numbers = np.array([len(points) for points in drawn])
    for quantile in (0.05, 0.3, 0.5, 0.7, 0.95):
        level = binom.ppf(quantile, count, share)
        assert_binomial(np.array([np.count_nonzero(numbers <= level)]), trials, np.array([binom.cdf(level, count, share)]))
    assert kstest(np.concatenate(drawn) / share, "uniform").pvalue > 1e-9


@pytest.mark.law
def test_the_nearest_has_all_its_bits() -> None:
    """Of 10¹⁵ points the least is at E/10¹⁵ and the third at a sum of three: near 0 doubles are fine enough."""
    rng = np.random.default_rng(2)
    points = np.array([alone(10**15, 1e-13, rng)[:3] for _ in range(3000)]) * 1e15
    assert kstest(points[:, 0], "expon").pvalue > 1e-9
    assert kstest(points[:, 2], gamma_law(3).cdf).pvalue > 1e-9


# Where votes agree


@pytest.mark.parametrize("share", [0.05, 0.3, 0.45])
@pytest.mark.parametrize("k", [1, 20, 300, 10**5, 10**8])
def test_more_dissent_than_is_allowed_is_as_unlikely_as_stated_and_the_chance_is_about_the_largest(
    k: int, share: float
) -> None:
    """By the binomial law itself."""
    chance = rare(k, share)
    assert binom.logsf(np.floor(share * k), k, chance) <= -BEYOND + 1e-6
    if k >= 300:
        assert binom.logsf(np.floor(share * k), k, min(share, 1.1 * chance + 1e-3)) > -2 * BEYOND


@pytest.mark.parametrize("s", [3, 1000, 10**12])
def test_beyond_and_within_are_where_so_many_thresholds_lie(s: int) -> None:
    """P(beyond a mass a) = (1 − a)^s: on one side it is the rare chance, on the other all but that."""
    for k, share in ((1000, 0.05), (10**7, 0.45)):
        chance = rare(k, share)
        assert (1 - calm(k, s, share)) ** s == pytest.approx(chance, rel=1e-3)
        assert (1 - calm_within(k, s, share)) ** s == pytest.approx(1 - chance, rel=1e-3)
        assert 0 < calm_within(k, s, share) < calm(k, s, share) < 1


# Points that are placed


def test_single_points_stay_where_they_are() -> None:
    starts, right = np.array([0.5, -0.25, 0.125]), np.array([1, 0, 1], dtype=np.int8)
    given = np.array([[0, 3, 2], [1, 0, 10**15]])
    type_, places, labels, numbers = placed(starts, np.zeros(3), right, given, np.random.default_rng(1))
    told = {
        (int(t), float(x), int(label)): int(number) for t, x, label, number in zip(type_, places, labels, numbers, strict=True)
    }
    assert told == {(1, -0.25, 0): 3, (2, 0.125, 0): 2, (0, 0.5, 1): 1, (2, 0.125, 1): 10**15}


def kept(points: np.ndarray, labels: np.ndarray, right: int) -> np.ndarray:
    """By going through points in rising order: those with another label, and of each run of the right one its first and last.

    As (place, label, number) each, the last standing for all of its run but the first.
    """
    found: list[tuple[float, int, int]] = []
    run: list[float] = []
    for x, label in [*zip(points.tolist(), labels.tolist(), strict=True), (np.inf, -1)]:
        if label == right:
            run.append(x)
            continue
        if run:
            found.append((run[0], right, 1))
        if len(run) > 1:
            found.append((run[-1], right, len(run) - 1))
        run = []
        if label >= 0:
            found.append((x, label, 1))
    return np.array(found)


@pytest.mark.law
@pytest.mark.parametrize(
    ("given", "right"), [([3, 4], 1), ([0, 9], 1), ([9, 2], 0), ([4, 0], 1), ([2, 7, 1], 1), ([1, 1, 0], 2)]
)
def test_points_of_a_type_are_placed_by_the_law_of_what_is_kept_of_all_drawn(
    given: list[int], right: int, assert_same_law: "SameLaw"
) -> None:
    """Number of points, sums of places by label and number, the least and the greatest, in steps of a twentieth."""
    rng, trials, start, width = np.random.default_rng(sum(given)), 3000, 0.25, -0.5
    rows: tuple[list[list[float]], list[list[float]]] = ([], [])
    said = np.repeat(np.arange(len(given), dtype=np.int8), given)
    for _ in range(trials):
        places = np.sort(rng.random(len(said)))
        all_drawn = kept(places, rng.permutation(said), right)
        type_, x, label, number = placed(
            np.array([start]), np.array([width]), np.array([right], dtype=np.int8), np.array(given)[:, np.newaxis], rng
        )
        assert not type_.any() and (np.bincount(label, number, len(given)) == given).all()
        ours = np.column_stack([(x - start) / width, label, number])
        for found, told in zip((all_drawn, ours), rows, strict=True):
            found = found[np.argsort(found[:, 0])]
            gaps = np.diff(found[:, 0], append=1, prepend=0)
            told.append(
                [
                    len(found),
                    found[:, 2].max(),
                    *np.floor(20 * np.array([found[0, 0], found[-1, 0], found[:, 0] @ found[:, 2] / len(said), gaps.max()])),
                    found[0, 1],
                    found[0, 2],
                ]
            )
    assert_same_law(*(np.array(each).astype(np.int64) for each in rows))


@pytest.mark.parametrize("count", [2, 4])
def test_a_type_of_10_to_the_15_is_placed_at_once(count: int) -> None:
    given = np.zeros((count, 1), dtype=np.int64)
    given[:, 0] = [7, 10**15, *[3] * (count - 2)]
    _, x, label, number = placed(np.zeros(1), np.ones(1), np.ones(1, dtype=np.int8), given, np.random.default_rng(3))
    wrong = 7 + 3 * (count - 2)
    assert np.bincount(label, number).tolist() == given[:, 0].tolist()
    assert len(x) == wrong + 2 * (wrong + 1)
    order = np.argsort(x)
    assert ((label[order] != 1) == (np.arange(len(x)) % 3 == 2)).all()  # first and last of a run, then one with another label
    assert x.min() < 1e-10 and x.max() > 1 - 1e-10


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.5])
def test_a_threshold_learned_from_what_is_kept_is_the_one_learned_from_all(side: int, share: float) -> None:
    """Exactly, ties included: points below the target, near it, and above, with wrong labels anywhere."""
    rng, ends = np.random.default_rng(round(100 * share)), (-1.0, 1.0)
    for _ in range(500):
        below, near, above = (np.sort(rng.uniform(low, high, 12)) for low, high in ((-1, -0.1), (-0.1, 0.1), (0.1, 1)))
        points = np.concatenate([below, near, above])
        labels = ((points >= 0) ^ (rng.random(36) < share)).astype(np.int8)
        all_drawn = least_risk_gap(points, labels, np.ones(36, dtype=np.int64), ends, side)
        parts = [kept(below, labels[:12], 0), np.column_stack([near, labels[12:24], np.ones(12)]), kept(above, labels[24:], 1)]
        x, label, number = np.concatenate(parts).T
        few = least_risk_gap(x, label.astype(np.int8), number.astype(np.int64), ends, side)
        assert few == all_drawn


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("flipped", [0.0, 0.1, 0.5])
def test_the_gap_of_least_risk_is_the_first_or_last_of_all_that_are_tried(side: int, flipped: float) -> None:
    """By the definition, on points some of which are in one place or at an end; and of all trials together what of each."""
    rng, ends = np.random.default_rng([side + 1, round(10 * flipped)]), (-1.0, 1.0)
    trials, all_expected = list[tuple[Reals, Labels, Ints]](), list[tuple[float, float]]()
    for _ in range(300):
        points, numbers = rng.integers(-8, 9, 12) / 8, rng.integers(1, 4, 12)
        labels = ((points >= 0) ^ (rng.random(12) < flipped)).astype(np.int8)
        edges = np.concatenate([ends[:1], np.unique(points), ends[1:]])
        gaps = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        risks = [numbers[(points >= high) != labels].sum() for _, high in gaps[:-1]] + [numbers[labels == 1].sum()]
        expected = gaps[[place for place, risk in enumerate(risks) if risk == min(risks)][0 if side < 0 else -1]]
        assert least_risk_gap(points, labels, numbers, ends, side) == expected
        trials.append((points, labels, numbers))
        all_expected.append(expected)
    places, labels, numbers = (np.concatenate(each) for each in zip(*trials, strict=True))
    mixed = rng.permutation(len(places))
    trial = np.repeat(np.arange(300) * 2, 12)[mixed]  # every other trial has no points
    together = Queries(places[mixed], labels[mixed], size=numbers[mixed], trial=trial, trials=600)
    low, high = least_risk.least_risk_gaps(together, labels[mixed], ends, side)
    assert list(zip(low[::2].tolist(), high[::2].tolist(), strict=True)) == all_expected
    assert (low[1::2] == -1).all() and (high[1::2] == 1).all()


@pytest.mark.parametrize("share", [0.05, 0.3, 0.45])
def test_a_rare_chance_keeps_to_its_bound_to_the_last_digits(share: float) -> None:
    """Wherever the search for it ends: k KL(share, q) is 40 at least, or k q is e^−40."""
    for k in (200, 300, 1000, 10**4, 10**5, 10**6, 10**8, 10**12):
        q = rare(k, share)
        apart = k * (share * np.log(share / q) + (1 - share) * (np.log1p(-share) - np.log1p(-q)))
        assert apart >= BEYOND * (1 + 1e-12) or k * q == pytest.approx(np.exp(-BEYOND))


def test_beyond_the_usual_reach_one_lies_once_in_a_thousand_times() -> None:
    for k, s in ((1, 10**6), (300, 10**9)):
        assert k * np.exp(-s * usual_reach(k, s)) == pytest.approx(1e-3)
