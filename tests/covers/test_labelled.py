"""H̃ with labels, against drawing every example and asking every h̃: laws, errors, and what is chosen.

Tests of laws fail on a right implementation with probability below 1e-6 each.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations_with_replacement, permutations, product
from math import exp, log, pi

import numpy as np
import pytest
from scipy.stats import chi2

from harness.arrays import Ints, Labels, Reals
from harness.concepts import Sampler, Situation
from harness.concepts.atoms import AtomsSampler
from harness.concepts.halfspaces import Halfspaces
from harness.concepts.intervals import Intervals
from harness.concepts.stumps import Stumps
from harness.concepts.thresholds import Thresholds as ThresholdClass
from harness.covers.labelled import Chain, CoordinateCuts, Cut, LabelledCover, ListedCover, Pieces, Plane, RareAtoms, drawn
from harness.covers.line import Line
from harness.covers.thresholds import ThresholdQueries
from tests.support.same_law import assert_same_law

FALSE_FAILURE = 1e-6
GAMMA = 0.1
LINE = np.array([[0.2, 0.35, 0.8]])
PLANE = np.array([0.4, 2.0])
Hypotheses = Callable[[Reals], Labels]
Draw = Callable[[int, np.random.Generator], tuple[Reals, Labels]]


def of_stumps(points: Reals, signed: bool, x: Reals) -> Labels:
    """Every h̃ on points (examples, d), by its definition: (|H̃|, examples)."""
    cuts = [np.append(-1.0, np.sort(own)) for own in points]
    below = np.array([x[:, i] < cut for i, own in enumerate(cuts) for cut in own])
    return np.concatenate([below, ~below] if signed else [below]).astype(np.int8)


def of_plane(directions: Reals, x: Reals) -> Labels:
    begins = np.sort(np.concatenate([directions % pi, directions % pi + pi]))
    return np.array([(x - begin) % (2 * pi) < pi for begin in begins]).astype(np.int8)


def of_pieces(points: Reals, labels: int, x: Reals) -> Labels:
    cuts = np.append(-1.0, np.sort(points))
    ways = combinations_with_replacement(range(len(cuts)), labels - 1)
    return np.array([(x[:, np.newaxis] >= cuts[list(way)]).sum(axis=1) for way in ways]).astype(np.int8)


def flipped(truth: Labels, labels: int, rng: np.random.Generator) -> Labels:
    other = (truth + rng.integers(1, labels, len(truth))) % labels
    return np.where(rng.random(len(truth)) < GAMMA, other, truth).astype(np.int8)


def of_line(n: int, d: int, rng: np.random.Generator) -> tuple[Reals, Labels]:
    x = rng.random((n, d))
    return x, flipped((x[:, -1] < 0.3).astype(np.int8), 2, rng)


def around(n: int, rng: np.random.Generator) -> tuple[Reals, Labels]:
    x = 2 * pi * rng.random(n)
    return x, flipped((np.cos(x) > 0).astype(np.int8), 2, rng)


def in_pieces(n: int, rng: np.random.Generator) -> tuple[Reals, Labels]:
    x = rng.random(n)
    return x, flipped(np.minimum(3 * x, 2).astype(np.int8), 3, rng)


TWO = np.stack([LINE[0, ::-1], [0.1, 0.3, 0.9]])
CASES: dict[str, tuple[LabelledCover, Draw, Hypotheses]] = {
    "thresholds": (
        Cut(1, 0.3, GAMMA, signed=False).of(LINE),
        lambda n, rng: of_line(n, 1, rng),
        lambda x: of_stumps(LINE, False, x),
    ),
    "stumps": (Cut(2, 0.3, GAMMA, signed=True).of(TWO), lambda n, rng: of_line(n, 2, rng), lambda x: of_stumps(TWO, True, x)),
    "plane": (Plane(GAMMA).of(PLANE), around, lambda x: of_plane(PLANE, x)),
    "intervals": (Pieces(3, GAMMA).of(LINE[0]), in_pieces, lambda x: of_pieces(LINE[0], 3, x)),
}


def mistakes(cover: LabelledCover, counts: Ints | Reals) -> Ints | Reals:
    """Of every h̃; of a chain, of all ways to place its boundaries."""
    if isinstance(cover, ListedCover):
        return cover.mistakes(counts)
    cells = np.arange(counts.shape[1])
    labels = (np.searchsorted(way, cells, side="right") for way in ways(cover))
    return np.array([counts.sum() - counts[each, cells].sum() for each in labels])


def ways(cover: LabelledCover) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(cover.law.shape[1]), len(cover.law) - 1))


@pytest.mark.law
@pytest.mark.parametrize("name", CASES)
def test_counted_examples_are_drawn_examples(name: str) -> None:
    """The mistakes of all h̃ on 12 examples: drawn and asked one by one, and by counts on cells."""
    cover, draw, ask = CASES[name]
    rng, runs = np.random.default_rng(7), 4000
    counted = np.array([mistakes(cover, cover.examples(12, rng)) for _ in range(runs)])
    drawn = []
    for _ in range(runs):
        x, y = draw(12, rng)
        drawn.append((ask(x) != y).sum(axis=1))
    assert_same_law(counted, np.array(drawn))


@pytest.mark.parametrize("name", CASES)
def test_errors_are_those_of_many_examples(name: str) -> None:
    """Hoeffding: the share of 400,000 examples is within 0.0048 of each of up to 16 errors but for a chance of 3e-7."""
    cover, draw, ask = CASES[name]
    x, y = draw(400_000, np.random.default_rng(3))
    errors = mistakes(cover, cover.law)
    np.testing.assert_allclose(errors, (ask(x) != y).mean(axis=1), atol=0.0048)
    if isinstance(cover, ListedCover):
        np.testing.assert_array_equal(cover.errors, errors)
    else:
        assert isinstance(cover, Chain)
        np.testing.assert_allclose([cover.error(np.array(way)) for way in ways(cover)], errors, atol=1e-12)


def frequencies(seen: Ints, expected: Reals) -> float:
    """The p-value of Pearson's test; rare outcomes together."""
    rare = expected < 20
    pooled = [np.append(each[~rare], each[rare].sum()) for each in (seen, expected)]
    keep = pooled[1] > 0
    return float(chi2.sf(((pooled[0] - pooled[1])[keep] ** 2 / pooled[1][keep]).sum(), keep.sum() - 1))


@pytest.mark.at_once("thresholds")
@pytest.mark.parametrize("name", CASES)
def test_what_is_chosen_has_the_exponential_mechanisms_law(name: str) -> None:
    """Chances in proportion to e^(−tilt·mistakes), by all weights; the chain draws without writing them down."""
    cover, tilt, runs, rng = CASES[name][0], 0.3, 20_000, np.random.default_rng(11)
    counts = cover.examples(20, np.random.default_rng(5))
    weights = np.exp(-tilt * mistakes(cover, counts))
    if isinstance(cover, Chain):
        order = {way: i for i, way in enumerate(ways(cover))}
        chosen = [order[tuple(cover.boundaries(counts, tilt, rng))] for _ in range(runs)]
        expected, seen = runs * weights / weights.sum(), np.bincount(chosen, minlength=len(order))
    else:
        # What is told is the error of the h̃: equal ones are one outcome.
        values, group = np.unique(np.round(mistakes(cover, cover.law), 12), return_inverse=True)
        errors = np.round([cover.chosen(counts, tilt, rng) for _ in range(runs)], 12)
        expected = runs * np.bincount(group, weights) / weights.sum()
        seen = np.bincount(np.searchsorted(values, errors), minlength=len(values))
    assert frequencies(seen, expected) > FALSE_FAILURE
    # A law with another tilt is told apart.
    other = np.exp(-1.2 * tilt * mistakes(cover, counts))
    other = other if isinstance(cover, Chain) else np.bincount(group, other)
    assert frequencies(seen, runs * other / other.sum()) < FALSE_FAILURE


def test_permute_and_flip_has_its_law() -> None:
    """By its definition: in each order of H̃ the first that is kept, each with chance e^(−tilt·(mistakes − the least))."""
    cover, tilt, runs = CASES["thresholds"][0], 0.3, 20_000
    assert isinstance(cover, ListedCover)
    counts, rng = cover.examples(20, np.random.default_rng(5)), np.random.default_rng(11)
    above = cover.mistakes(counts) - cover.mistakes(counts).min()
    kept = np.exp(-tilt * above)
    law = np.zeros(len(kept))
    orders = list(permutations(range(len(kept))))
    for order in orders:
        left = 1.0
        for h in order:
            law[h] += left * kept[h] / len(orders)
            left *= 1 - kept[h]
    assert law.sum() == pytest.approx(1)
    errors = [cover.first_to_stay(counts, tilt, rng) for _ in range(runs)]
    seen = np.array([np.count_nonzero(np.isclose(errors, each)) for each in cover.errors])
    assert frequencies(seen, runs * law) > FALSE_FAILURE
    exponential = kept / kept.sum()
    assert frequencies(seen, runs * exponential) < FALSE_FAILURE
    assert (law @ above) < (exponential @ above)


SEEN = np.array([True, False, True])


def test_labellings_of_atoms_are_chosen_and_err_as_by_all_of_them() -> None:
    """Of three rare atoms two are public: four labellings, each with its weight and its error over drawn examples."""
    cover, tilt, runs, rng = RareAtoms(3, 0.2, GAMMA).of(SEEN), 0.3, 20_000, np.random.default_rng(11)
    counts = cover.examples(20, np.random.default_rng(5))
    every = np.array([(first, True, last) for first, last in product([False, True], repeat=2)])
    wrong = [counts[0, 0] + np.where(ones, counts[0, 1:], counts[1, 1:]).sum() for ones in every]
    weights = np.exp(-tilt * np.array(wrong))
    chosen = np.array([cover.ones(counts, tilt, rng) for _ in range(runs)])
    seen = np.array([(chosen == ones).all(axis=1).sum() for ones in every])
    assert seen.sum() == runs
    assert frequencies(seen, runs * weights / weights.sum()) > FALSE_FAILURE
    sharper = weights**1.2
    assert frequencies(seen, runs * sharper / sharper.sum()) < FALSE_FAILURE
    # Hoeffding: each share of 400,000 examples is within 0.0048 but for a chance of 2e-8.
    queries = AtomsSampler(3, 0.2, GAMMA).queries(400_000, np.random.default_rng(3))
    for ones in every:
        says = np.append(True, ones)[queries.points.astype(np.intp)]
        assert cover.error(ones) == pytest.approx(np.mean(says != queries.truth), abs=0.0048)


def test_atoms_are_missed_as_often_as_is_said() -> None:
    """The chance that some atom is not public, by inclusion and exclusion; a cover misses where too many are not."""
    of, m = RareAtoms(4, 0.05, 0.0), 30
    none_of = [(1 - 0.05 * j) ** m for j in range(5)]
    any_missed = 4 * none_of[1] - 6 * none_of[2] + 4 * none_of[3] - none_of[4]
    assert of.missed(m, 0.049) == pytest.approx(any_missed, rel=1e-9)
    two = 6 * none_of[2] - 8 * none_of[3] + 3 * none_of[4]
    assert of.missed(m, 0.051) == pytest.approx(two, rel=1e-9)
    assert of.missed(m, 0.2) == 0
    assert [of.log_size(1), of.log_size(30)] == pytest.approx([log(2), 4 * log(2)])
    # 2000 covers: the binomial deviation is below 0.0112, and 5.5 of them are passed with chance 4e-8.
    missed = [not of.cover(m, np.random.default_rng(seed)).seen.all() for seed in range(2000)]
    assert np.mean(missed) == pytest.approx(any_missed, abs=5.5 * 0.0112)


def test_every_coordinate_has_the_labels_of_the_last() -> None:
    """Three coordinates, labels by the last: as many examples of each label on the cells of any of them."""
    law = np.zeros((2, 3, 4))
    law[:, :2], law[0, 2, :3], law[1, 2, 3] = 1 / 8, 1 / 8, 5 / 8
    counts = CoordinateCuts(law, signed=False).examples(500, np.random.default_rng(3))
    assert counts.sum(axis=(0, 2)).tolist() == [500] * 3
    assert (counts.sum(axis=2) == counts[:, -1].sum(axis=1)[:, np.newaxis]).all() and counts[1, -1, 3] == counts[1, -1].sum()


def test_a_chain_of_two_labels_is_a_threshold() -> None:
    chain, line = Pieces(2, 0.0).of(LINE[0]), Cut(1, 0.5, 0.0, signed=False).of(LINE)
    np.testing.assert_allclose(mistakes(chain, chain.law), line.errors)
    assert Pieces(2, 0.0).log_size(7) == pytest.approx(Cut(1, 0.5, 0.0, signed=False).log_size(7))
    assert exp(Pieces(4, 0.0).log_size(3)) == pytest.approx(len(ways(Pieces(4, 0.0).of(LINE[0]))))


def test_cells_and_radius_are_those_of_the_covers_of_queries() -> None:
    points = np.random.default_rng(2).random(50)
    own, queries = Cut(1, 0.3, 0.0, signed=False).of(points[np.newaxis]), ThresholdQueries().cover(Line(), points)
    np.testing.assert_allclose(own.law.sum(axis=(0, 1)), queries.masses)
    assert own.errors.min() <= queries.radius


@pytest.mark.parametrize("of", [Cut(2, 0.3, 0.0, signed=True), Plane(0.0), Pieces(3, 0.0)], ids=["cut", "plane", "pieces"])
def test_the_best_is_near_as_often_as_is_said(of: Cut | Plane | Pieces) -> None:
    """An at-cover has an h̃ within `at` of the target; at a chance of 0.2 more than 90 of 200 covers miss with chance 1e-12."""
    at, m = 0.1, 1
    while of.missed(m, at) > 0.2:
        m += 1
    rng = np.random.default_rng(1)
    covers = [of.cover(m, rng) for _ in range(200)]
    least = [mistakes(cover, cover.law).min() if m < 60 or isinstance(cover, ListedCover) else 0.0 for cover in covers]
    assert np.count_nonzero(np.array(least) > at) <= 90


def test_which_samplers_have_a_cover() -> None:
    def of(concept: object, distribution: str = "uniform", gamma: float = 0.0) -> object:
        kind = concept.known_distributions()[distribution]()  # type: ignore[attr-defined]
        situation = Situation(concept, next(iter(concept.learners)), 10**6, gamma)  # type: ignore[arg-type, attr-defined]
        sampler: Sampler | None = kind.at(situation)
        return sampler and sampler.labelled()

    assert of(ThresholdClass()) == Cut(1, 0.5, 0.0, signed=False)
    assert of(ThresholdClass(), gamma=0.1) == Cut(1, 0.5, 0.1, signed=False)
    assert of(Stumps(d=3)) == Cut(3, 0.5, 0.0, signed=True)
    assert of(Halfspaces(d=2), "sphere", 0.05) == Plane(0.05)
    assert of(Intervals(labels=4)) == Pieces(4, 0.0)
    assert of(Halfspaces(d=3), "sphere") is None
    assert of(ThresholdClass(), "hard") == RareAtoms(1, log(2) / 10**6, 0.0)
    assert AtomsSampler(2, 0.1, 0.2).labelled() == RareAtoms(2, 0.1, 0.2)
    assert log(2) == pytest.approx(Plane(0.0).log_size(1))


@pytest.mark.parametrize("spread", [0.1, 10.0, 1000.0])
def test_what_is_drawn_in_proportion_has_the_most_with_gumbel_noise_of_all(spread: float) -> None:
    logs = spread * np.random.default_rng(1).standard_normal(1000)
    for seed in range(100):
        noise = np.random.default_rng(seed).gumbel(size=len(logs))
        assert drawn(logs, np.random.default_rng(seed)) == (logs + noise).argmax()


@pytest.mark.parametrize("m", [10, 200])
def test_a_cover_is_missed_by_the_bound_on_as_many_gaps_as_it_has_cuts(m: int) -> None:
    """By (m + 1)(1 − x)^m for a gap above x on a line, and m (1 − x)^(m − 1) round a circle; never more than 1."""

    def on_a_line(x: float) -> float:
        return (m + 1) * (1 - x) ** m

    for alpha in (0.01, 0.2, 0.9):
        assert Cut(3, 0.5, 0.0, signed=True).missed(m, alpha) == pytest.approx(min(1.0, 3 * min(1.0, on_a_line(alpha))))
        assert Plane(0.0).missed(m, alpha) == pytest.approx(min(1.0, m * (1 - alpha) ** (m - 1)))
        for labels in (2, 3, 5):
            assert Pieces(labels, 0.0).missed(m, alpha) == pytest.approx(min(1.0, on_a_line(alpha / (labels - 1))))


def test_covers_are_told_apart_as_objects_and_not_number_by_number() -> None:
    of_line: LabelledCover = Cut(1, 0.3, 0.0, signed=False).of(LINE)
    made = [of_line, Pieces(3, 0.0).of(LINE[0]), Plane(0.0).of(PLANE), RareAtoms(3, 0.2, 0.0).of(SEEN)]
    again = [replace(each) for each in made]
    assert len({*made, *again}) == 8 and all(one != other for one, other in zip(made, again, strict=True))


@pytest.mark.parametrize("labels", [2, 3, 4])
def test_where_mistakes_cost_much_boundaries_of_least_mistakes_are_chosen(labels: int) -> None:
    """Among all ways, on counts of which most make one way the best."""
    cover, rng = Pieces(labels, 0.0).of(np.array([0.1, 0.3, 0.35, 0.6, 0.9])), np.random.default_rng(3)
    every = ways(cover)
    for _ in range(40):
        counts = rng.integers(0, 9, cover.law.shape)
        chosen = tuple(int(each) for each in cover.boundaries(counts, 200.0, rng))
        made = dict(zip(every, mistakes(cover, counts).tolist(), strict=True))
        assert made[chosen] == min(made.values())
