"""A_subSamp against BTT18a Algorithm 4 worked from the raw votes, over two labels and more."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace

from harness.ballots import Ballot
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.per_bottom import a_oqr
from harness.theory.constants import constants
from harness.theory.fixed_point import CutoffPlan
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.spent import spent_upper
from tests.support.one_by_one import BOTTOM, ballot_of, labels

CONSTANTS = constants()

TASK = Task(m=1, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)


def plan(k: int, lam: float, w: float, T: float) -> CutoffPlan:
    return CutoffPlan(n=k, k=k, s=1, alpha=1.0, bound=None, reason="set by hand", T=T, lam=lam, w=w)


def stability(cast: list[int]) -> tuple[int, int]:
    """f̂ and its distance by sorting the counts of what was cast, ties to the smaller label."""
    counts = [*sorted(Counter(cast).items(), key=lambda item: (-item[1], item[0])), (-1, 0)]
    return counts[0][0], max(0, counts[0][1] - counts[1][1] - 1)


@pytest.mark.parametrize(("name", "count"), [("A_subSamp", 2), ("A_subSamp", 3), ("A_subSamp", 6), ("A_binClas", 2)])
@pytest.mark.parametrize("k", [1, 2, pytest.param(9, marks=pytest.mark.law), 40])
@pytest.mark.parametrize("T", [1.0, pytest.param(5.5, marks=pytest.mark.law), 1e6])
def test_every_answer_is_the_printed_algorithms(name: str, count: int, k: int, T: float) -> None:
    """From skewed to even ballots, with w inside the range of the distances: A_OQR on f̂ and dist, on the same noise."""
    rng, lam, w = np.random.default_rng(count * k), 1.0, k / 3
    for seed, m in enumerate([1, 2, *rng.integers(3, 80, 15).tolist()]):
        chances = rng.dirichlet(np.full(count, 0.5), m)
        cast = [rng.choice(count, size=k, p=chance).tolist() for chance in chances]
        counts = np.array([np.bincount(votes, minlength=count) for votes in cast]).T
        ballot = Ballot(counts, k, np.zeros(m, dtype=np.int8))
        ours = mechanisms()[name].answer(ballot, plan(k, lam, w, T), TASK, np.random.default_rng(seed))
        exact, dist = zip(*map(stability, cast), strict=True)
        unanimous = Ballot(np.eye(count, dtype=np.int64)[:, list(exact)], 1, ballot.truth)
        printed = a_oqr(unanimous, np.array(dist), lam, w, T, np.random.default_rng(seed))
        assert labels(ours).tolist() == labels(printed).tolist()
        assert ours.halted_at == printed.halted_at


@pytest.mark.parametrize(
    ("counts", "printed", "corrected"),
    [
        ([9, 0], 8, 4),
        ([0, 9], 8, 4),
        ([5, 4], 0, 0),
        ([5, 5], 0, 0),
        ([4, 6], 1, 0),
        ([5, 4, 0], 0, 0),
        ([3, 3, 3], 0, 0),
        ([1, 2, 6], 3, 1),
        ([2, 1, 6], 3, 1),
    ],
)
def test_a_query_is_answered_just_above_its_distance(counts: list[int], printed: int, corrected: int) -> None:
    """With next to no noise, it is answered under a threshold just below the distance and ⊥ under one just above."""
    votes = Ballot(np.array([counts]).T, sum(counts), np.zeros(1, dtype=np.int8))
    for distance, dist in (("printed", printed), ("corrected", corrected)):
        below, above = (
            mechanisms()["A_subSamp"].answer(votes, replace(own, distance=distance), TASK, np.random.default_rng(0))
            for own in (plan(votes.k, 1e-9, dist + shift, 9.0) for shift in (-0.01, 0.01))
        )
        assert labels(below).tolist() == [np.argmax(counts)]
        assert labels(above).tolist() == [BOTTOM]


@pytest.mark.parametrize("constants", CONSTANTS.values(), ids=list(CONSTANTS))
@pytest.mark.parametrize("name", ["A_subSamp", "A_binClas"])
def test_its_distance_is_that_of_its_constants_and_what_it_spends_is_certified_for_it(name: str, constants: Constants) -> None:
    task = replace(TASK, m=1000)
    own = mechanisms()[name].plan(constants, task, 10**9)
    assert own.distance == ("corrected" if constants.name in ("corrected", "tight", "lean") else "printed")
    certified = spent_upper(constants.calibration, task.eps, task.delta, task.m, own.T)
    assert own.spent == pytest.approx(certified, rel=1e-12)


@pytest.mark.at_once("A_subSamp")
@pytest.mark.parametrize("name", ["A_subSamp", "A_binClas"])
def test_its_error_on_a_fresh_query_is_that_of_the_first_threshold_with_a_coin_for_bottom(name: str) -> None:
    """Against quadrature over the two noises, for ballots on both sides of w, right ones and wrong ones."""
    k, lam, w = 60, 4.0, 20.0
    ones = np.array([0, 10, 18, 21, 25, 30, 31, 36, 40, 47, 60])
    truth = np.array([0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0], dtype=np.int8)

    def error(ones: int, truth: int) -> float:
        winner, dist = int(2 * ones > k), max(0, abs(2 * ones - k) - 1)

        def density(noise: float) -> float:
            return float(laplace.cdf(w + noise - dist, scale=2 * lam) * laplace.pdf(noise, scale=lam))

        edges = sorted([-40 * lam, 0.0, dist - w, 40 * lam])
        bottom = sum(quad(density, low, high)[0] for low, high in pairwise(edges))
        return bottom / 2 + (1 - bottom) * (winner != truth)

    expected = np.mean([error(*each) for each in zip(ones.tolist(), truth.tolist(), strict=True)])
    votes = ballot_of(ones, k, truth)
    answers = mechanisms()[name].answer(votes, plan(k, lam, w, 1.0), TASK, np.random.default_rng(0))
    assert answers.fresh_error == pytest.approx(expected, rel=1e-6)


@pytest.mark.law
@pytest.mark.parametrize("count", [2, 3, 7])
def test_a_bottom_is_a_label_drawn_at_random(count: int) -> None:
    """The error on a fresh query against quadrature over both noises: a ⊥ is wrong with probability 1 − 1/L."""
    k, lam, w, m = 60, 4.0, 20.0, 40
    rng = np.random.default_rng(count)
    counts = np.array([rng.multinomial(k, rng.dirichlet(np.full(count, 0.3))) for _ in range(m)]).T
    sizes = rng.integers(1, 9, m)
    ballot = Ballot(counts, k, rng.integers(0, count, m).astype(np.int8), sizes)

    def bottom(votes: list[int]) -> float:
        first, second = sorted(votes)[-1], sorted(votes)[-2]
        dist = max(0, first - second - 1)

        def density(noise: float) -> float:
            return float(laplace.cdf(w + noise - dist, scale=2 * lam) * laplace.pdf(noise, scale=lam))

        edges = sorted([-40 * lam, 0.0, dist - w, 40 * lam])
        return sum(quad(density, low, high)[0] for low, high in pairwise(edges))

    chances = [bottom(each) for each in counts.T.tolist()]
    wrong = (counts.argmax(axis=0) != ballot.truth).tolist()
    errors = [p * (1 - 1 / count) + (1 - p) * error for p, error in zip(chances, wrong, strict=True)]
    expected = np.average(errors, weights=sizes)
    answers = mechanisms()["A_subSamp"].answer(ballot, plan(k, lam, w, 1.0), TASK, np.random.default_rng(0))
    assert answers.fresh_error == pytest.approx(expected, rel=1e-6)
    assert (answers.given.sum(axis=0) <= sizes).all()
