"""The law of an attack's score: against sums of binomials, and against rows that are drawn."""

from math import log

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, norm

from harness.arrays import Reals
from harness.covers.cube_biases import Biased
from harness.theory import tracing
from harness.theory.tracing import Tail, allowed, contradicted, deviation, reached, threshold

COUNTS, WEIGHTS, BIASES = np.array([60, 50, 40]), np.array([0.3, -0.17, 0.41]), np.array([0.2, -0.5, 0.1])
q, mu = np.repeat(WEIGHTS, COUNTS), np.repeat(BIASES, COUNTS)


def law() -> tuple[Reals, Reals]:
    """Scores and their probabilities where q and μ have three values: sums of three binomials, all written out."""
    scores, chances = np.zeros(1), np.ones(1)
    for count, weight, bias in zip(COUNTS, WEIGHTS, BIASES, strict=True):
        ones = np.arange(count + 1)
        scores = np.add.outer(scores, weight * (2 * ones - count * (1 + bias))).ravel()
        chances = np.multiply.outer(chances, binom.pmf(ones, count, (1 + bias) / 2)).ravel()
    return scores, chances


@pytest.mark.parametrize("rate", [1e-2, 1e-4, 1e-6, 1e-8])
def test_the_threshold_has_the_rate_that_is_asked_for_and_chernoffs_has_less(rate: float) -> None:
    scores, chances = law()
    by_tail, by_chernoff = (float(chances[scores >= threshold(q, mu, rate, tail)].sum()) for tail in ("exact", "chernoff"))
    assert by_tail == pytest.approx(rate, rel=0.02)
    assert 0.05 * rate < by_chernoff < 0.15 * rate
    assert deviation(q, mu) ** 2 == pytest.approx(float(chances @ scores**2))


@pytest.mark.parametrize("largest", [0.2, 0.999999])
def test_the_series_is_what_it_stands_for_as_far_as_it_is_used(largest: float) -> None:
    """K, its mean and its variance, up to the last θ of the series, of more coordinates than are looked at together."""
    rng = np.random.default_rng(8)
    weights, counts = rng.normal(0, 1, 3 * tracing.TOGETHER + 5), rng.uniform(1, 1e6, 3 * tracing.TOGETHER + 5)
    given = weights, largest * rng.uniform(-1, 1, len(weights))
    score, last = tracing.Score(*given, counts), tracing.NEAR / float(np.abs(weights).max())
    for theta in (-last, 0.01 * last, 0.5 * last, last):
        assert score.tilted(theta) == pytest.approx(tracing.tilted(*given, theta, counts), rel=1e-9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tracing, "_powers", lambda *_: np.nan)
        assert tracing.Score(*given, counts).tilted(1.01 * last) == tracing.tilted(*given, 1.01 * last, counts)


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_the_series_is_used_wherever_it_may_be_and_nowhere_else(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes as many coordinates as it has terms, and θ times the largest |q| of 0.25."""
    exact = tracing.tilted
    monkeypatch.setattr(tracing, "tilted", lambda *given: np.nan)
    weights = scale * np.array([-1.0, *np.linspace(-0.9, 0.8, 11)])
    score, few = tracing.Score(weights, np.zeros(12)), tracing.Score(weights[:11], np.zeros(11))
    for theta in (-0.2499 / scale, 0.2499 / scale):
        assert score.tilted(theta) == pytest.approx(exact(weights, np.zeros(12), theta), rel=1e-9)
        assert np.isnan(few.tilted(theta)) and np.isnan(score.tilted(1.001 * theta))


@pytest.mark.parametrize("tail", ["exact", "chernoff"])
def test_coordinates_may_be_given_by_how_many_there_are_of_each(tail: Tail) -> None:
    assert threshold(WEIGHTS, BIASES, 1e-4, tail, COUNTS) == pytest.approx(threshold(q, mu, 1e-4, tail), rel=1e-9)
    assert deviation(WEIGHTS, BIASES, COUNTS) == pytest.approx(deviation(q, mu))


@pytest.mark.parametrize("chance", [1 - 1e-4, 0.9, 0.5, 0.1, 1e-3, 1e-6])
def test_the_chance_that_a_score_is_reached(chance: float) -> None:
    """At the middle between two scores, as the saddle point's sum has no gaps."""
    scores, chances = law()
    order = np.argsort(-scores)
    upto = np.cumsum(chances[order])
    at = int(np.searchsorted(upto, chance))
    score = float(scores[order][at : at + 2].mean())
    assert reached(q, mu, score) == pytest.approx(float(upto[at]), rel=0.03)
    assert reached(WEIGHTS, BIASES, score, COUNTS) == pytest.approx(reached(q, mu, score), rel=1e-6)


def test_coordinates_on_which_rows_agree_say_nothing_and_what_cannot_be_reached_is_not() -> None:
    more, agreed = np.append(q, 0.7), np.append(mu, 1.0)
    assert reached(more, agreed, 3.0) == reached(q, mu, 3.0)
    assert (reached(q, mu, 1e3), reached(q, mu, -1e3)) == (0.0, 1.0)
    alike, fair = np.ones(400), np.zeros(400)
    for score in (-30.0, 1.0, 61.0):
        for times in (0.5, 0.02):
            assert reached(alike, fair, score) == pytest.approx(reached(times * alike, fair, times * score), rel=1e-9)
    assert reached(alike, fair, 61.0) == pytest.approx(binom.sf(230, 400, 0.5), rel=0.1)
    for score in (0.0, 0.99):  # of a deviation of 20, hardly any
        assert reached(alike, fair, score) == pytest.approx(norm.sf(score / 20), rel=1e-12)
    assert [reached(q[:1], np.ones(1), score) for score in (-0.1, 0.0, 0.1)] == [1.0, 1.0, 0.0]


def test_fresh_rows_are_named_at_that_rate() -> None:
    """10⁵ rows: a rate that is off by a half would show. The test is false with probability 1e-6."""
    rng = np.random.default_rng(5)
    marginal = Biased.drawn(300, 0.8, rng)
    answers = marginal.biases + rng.normal(0, 0.1, 300)
    scores = marginal.scores(answers, marginal.blocks(10**5, lambda: np.random.default_rng(6)))
    hits = int((scores >= threshold(answers, marginal.biases, 1e-3)).sum())
    assert binom.ppf(5e-7, len(scores), 1e-3) <= hits <= binom.isf(5e-7, len(scores), 1e-3)


def test_nobody_is_named_where_no_score_is_as_rare_as_asked() -> None:
    few = np.array([0.5, -0.5, 0.5])
    assert threshold(np.zeros(5), np.zeros(5), 1e-4) == np.inf
    assert threshold(few, np.zeros(3), 0.1) == np.inf
    assert threshold(np.ones(20), np.zeros(20), 1e-4) < 20  # all ones, a row in 10⁶


def test_a_sum_of_few_terms_has_chernoffs_threshold() -> None:
    """Of 30 fair coins, and of three that outweigh them all."""
    heavy = np.concatenate([np.ones(30), np.full(3, 50.0)])
    assert threshold(heavy, np.zeros(33), 1e-3) == threshold(heavy, np.zeros(33), 1e-3, "chernoff")


def test_from_a_hundred_equal_terms_on_the_threshold_is_by_the_tail_itself() -> None:
    for terms, by_tail in ((99, False), (100, True), (101, True)):
        alike = np.full(terms, 0.5), np.zeros(terms)
        assert (threshold(*alike, 1e-3) < threshold(*alike, 1e-3, "chernoff")) == by_tail


@pytest.mark.parametrize("share", [1.05, 1.5, 3.0])
def test_a_threshold_is_sought_up_to_the_rarest_score(share: float) -> None:
    """Of ten fair coins, of which all are heads with chance 2⁻¹⁰: Chernoff's bound is e^(−10 KL), which is solved for."""
    rate = share / 2**10

    def excess(up: float) -> float:
        return 10 * (up * log(2 * up) + (1 - up) * log(2 * (1 - up))) + log(rate)

    up = brentq(excess, 0.6, 1 - 1e-12)
    assert threshold(np.ones(10), np.zeros(10), rate) == pytest.approx(10 * (2 * up - 1), rel=1e-4)
    assert threshold(np.ones(10), np.zeros(10), 0.999 / 2**10) == np.inf


@pytest.mark.parametrize("rate", [1e-4, 1e-6])
def test_far_from_normal_a_threshold_is_sought_where_tails_are_heavier_or_lighter(rate: float) -> None:
    """Of 99 coins that are seldom heads: n KL(heads | 1/200) = ln(1/rate) by Chernoff's bound."""

    def excess(up: float) -> float:
        return 99 * (up * log(200 * up) + (1 - up) * log(200 / 199 * (1 - up))) + log(rate)

    up = brentq(excess, 0.0051, 0.999)
    assert threshold(np.ones(99), np.full(99, -0.99), rate) == pytest.approx(99 * (2 * up - 0.01), rel=1e-4)


def test_what_privacy_allows_is_contradicted_from_eleven_rows_on() -> None:
    assert allowed(100, 1e-4) == pytest.approx(0.25 + np.e / 100)
    assert all(contradicted(n, m) for n in range(11, 200) for m in (0, 1, 50, 5000))
    assert not contradicted(2) and not contradicted(100, eps=6)
    # at n + m = 10 where 75 > n e^ε + m + 1
    assert contradicted(10, eps=np.log(7.39)) and not contradicted(10, eps=np.log(7.41))
    assert contradicted(7, 3, np.log(70.9 / 7)) and not contradicted(7, 3, np.log(71.1 / 7))
