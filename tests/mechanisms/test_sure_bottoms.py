"""Streams whose answers are hardly in doubt: what is settled at once follows the law of the loop, to the last query."""

from itertools import islice

import numpy as np
import pytest
from scipy import stats

from harness.arrays import Ints
from harness.mechanisms import sure_bottoms
from harness.mechanisms.above_threshold import LaplaceNoise, a_sparse_vec
from harness.mechanisms.answering.gaussian_sparse_vector import KnownThreshold
from harness.mechanisms.sure_bottoms import SureStreams

ERROR = 1e-9
VALUES, SIZES, W = np.array([0.0, 1.0, 1e5]), np.array([30, 20, 100]), 4.0


def of_runs(runs: int, seed: int) -> Ints:
    """The ⊥s of each type in so many runs of one call, (runs, types)."""
    run = np.repeat(np.arange(runs), len(SIZES))
    rng = np.random.default_rng(seed)
    return a_sparse_vec(np.tile(VALUES, runs), np.tile(SIZES, runs), 1.0, W, 1e9, rng, run, runs).bottoms.reshape(runs, -1)


@pytest.mark.parametrize("runs", [500, pytest.param(2000, marks=pytest.mark.law)])
def test_streams_up_to_a_first_answer_and_on_follow_the_law_of_the_loop(runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where answers are in doubt: nearly each run has some. Three comparisons, each of which may fail falsely at 1e-9."""
    loop = of_runs(runs, 1)
    monkeypatch.setattr(sure_bottoms, "MANY", 0)
    monkeypatch.setattr(sure_bottoms, "SELDOM", np.inf)
    sure = of_runs(runs, 2)
    assert (sure[:, :2].sum(axis=1) < 50).mean() > 0.9
    for first, second in (*zip(loop.T[:2], sure.T[:2], strict=True), (loop.sum(axis=1), sure.sum(axis=1))):
        assert stats.ks_2samp(first, second).pvalue > ERROR


def test_the_first_answer_and_what_comes_after_it_are_those_of_queries_that_arrive_one_by_one() -> None:
    """Against 20,000 arrivals: 1,500 draws of its type and of how many of each come later, by a chi-square test at 1e-9."""
    rng, sizes, chances = np.random.default_rng(5), np.array([2, 1]), np.array([0.3, 0.6])
    type_ = np.repeat([0, 1], sizes)
    when, answered = rng.random((20_000, 3)), rng.random((20_000, 3)) < chances[type_]
    some = answered.any(axis=1)
    first = np.where(answered, when, 2.0).argmin(axis=1)
    later = when > when[np.arange(20_000), first][:, np.newaxis]
    seen = 6 * type_[first] + 2 * later[:, :2].sum(axis=1) + later[:, 2]
    streams = SureStreams(np.zeros(2), sizes, chances, np.zeros(2, np.int64), 1, 1.0)
    reaching = (until for until in rng.standard_exponential(5000).tolist() if until < streams.hazard[0])
    drawn = [streams._first(np.arange(2), until, rng) for until in islice(reaching, 1500)]
    found = [6 * int(one[1]) + 2 * int(after[0]) + int(after[1]) for one, after in drawn]
    table = np.array([np.bincount(seen[some], minlength=12), np.bincount(found, minlength=12)])
    assert table[1].sum() == 1500 and stats.chi2_contingency(table[:, table[0] > 0]).pvalue > ERROR


def test_of_very_many_queries_so_many_come_later_as_arrive_late_or_would_not_have_been_answered() -> None:
    """At time w a query that has chance p has been ⊥ with chance 1 − (1 − w)/(1 − pw); six standard errors of 10⁶ queries."""
    sizes, chances, w = np.array([10**6, 10**6]), np.array([0.9, 0.2]), 0.5
    streams = SureStreams(np.zeros(2), sizes, chances, np.zeros(2, np.int64), 1, 1.0)
    until = float(-(sizes * np.log1p(-chances * w)).sum())
    _, after = streams._first(np.arange(2), until, np.random.default_rng(2))
    later = (1 - w) / (1 - chances * w)
    assert (np.abs(after - 1e6 * later) < 6 * 1e3 * np.sqrt(later * (1 - later))).all()


def test_of_each_run_that_has_an_answer_the_threshold_is_met_by_the_type_that_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of three runs of two types, one of each run in doubt: 40 queries with chance ½, of which none is answered at 1e-12."""
    monkeypatch.setattr(SureStreams, "_met", lambda self, margin, rng: margin)
    chances = np.array([0.0, 0.5, 0.5, 0.0, 0.0, 1e-30])
    margins, run = np.array([0.5, 8.0, 0.25, -9.0, 1.0, 70.0]), np.array([0, 0, 1, 1, 2, 2])
    streams = SureStreams(margins, np.full(6, 40), chances, run, 3, 1.0)
    bottoms, after, met = streams.up_to_the_first(np.random.default_rng(3))
    assert met.tolist() == [8.0, 0.25, 0.0]
    assert (bottoms + after)[[1, 2, 5]].tolist() == [39, 39, 40] and after[[4, 5]].tolist() == [0, 0]
    assert bottoms[[0, 3, 4]].tolist() == [0, 0, 0] and (after[[0, 3]] > 0).all()


@pytest.mark.parametrize("margin", [0.5, 3.0])
def test_a_threshold_that_is_met_has_the_law_of_one_under_an_answered_value(margin: float) -> None:
    """Against the thresholds of pairs of noise of which the value's is so much higher; fails falsely with chance 1e-9 each."""
    rng = np.random.default_rng(7)
    value, threshold = rng.laplace(0, 2, 100_000), rng.laplace(0, 1, 100_000)
    under = threshold[value - threshold > margin][:5000]
    streams = SureStreams(np.zeros(1), np.ones(1, np.int64), np.zeros(1), np.zeros(1, np.int64), 1, 1.0)
    assert stats.ks_2samp(under, [streams._met(margin, rng) for _ in range(5000)]).pvalue > ERROR


def test_far_above_a_value_its_threshold_is_as_likely_to_be_met_as_by_a_tail_that_falls_as_one_exponential() -> None:
    """Then the density of its noise y over λ is in proportion to e^(−|y| − y/2): a quarter is above 0, of mean ⅔, the others of
    mean 2. Of 4,000 no mean is off by six standard errors but for a chance of 1e-8.
    """
    rng = np.random.default_rng(8)
    streams = SureStreams(np.zeros(1), np.ones(1, np.int64), np.zeros(1), np.zeros(1, np.int64), 1, 3.0)
    met = np.array([streams._met(300.0, rng) for _ in range(4000)]) / 3
    above, below = met[met > 0], -met[met < 0]
    assert abs(len(above) - 1000) < 6 * 28
    assert abs(above.mean() * 3 / 2 - 1) < 6 / len(above) ** 0.5 and abs(below.mean() / 2 - 1) < 6 / len(below) ** 0.5


@pytest.mark.parametrize("trials", [1, 3])
def test_what_is_settled_at_once_is_what_the_loop_comes_to(trials: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 5,000 queries 80λ below the threshold one is answered with chance 1e-14."""
    values, sizes = np.tile([-80.0, 1e3], trials), np.tile([5000, 10**9], trials)
    run = None if trials == 1 else np.repeat(np.arange(trials), 2)
    rng = np.random.default_rng(1)
    stream = a_sparse_vec(values, sizes, 1.0, 0.0, 5000.0, rng, run, trials)
    monkeypatch.setattr(sure_bottoms, "MANY", 10**9)
    loop = a_sparse_vec(values, sizes, 1.0, 0.0, 5000.0, rng, run, trials)
    for found in (stream, loop):
        assert found.bottoms.tolist() == np.where(values < 0, sizes, 0).tolist()
        assert not found.unanswered.any()


def test_a_run_whose_answers_are_in_doubt_or_that_may_halt_is_left_to_the_loop() -> None:
    def settled(value: float, high: float, size: int, allowed: int) -> bool:
        values, sizes = np.array([value, high]), np.array([size, 10**6])
        return SureStreams.of(values, sizes, np.zeros(2, np.int64), 1.0, 0.0, np.array([allowed])) is not None

    assert settled(-80, 300, 5000, 5001)
    assert not settled(-80, 300, 5000, 5000)
    assert not settled(-80, 300, sure_bottoms.MANY, 10**6)
    assert not settled(-20, 300, 5000, 5001)
    assert not settled(-80, 100, 5000, 5001)


def test_other_noise_is_left_to_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[SureStreams | None] = []
    monkeypatch.setattr(SureStreams, "of", lambda *given: asked.append(None))
    values, sizes = np.array([-80.0, 1e3]), np.array([5000, 10])
    for noise in (1.0, LaplaceNoise(1.0), KnownThreshold(1.0)):
        stream = a_sparse_vec(values, sizes, noise, 0.0, 1e9, np.random.default_rng(1))
        assert stream.bottoms.tolist() == [5000, 0]
    assert len(asked) == 2
