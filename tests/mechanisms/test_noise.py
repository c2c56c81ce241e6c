"""Laplace noise made of an exponential and a random bit, against scipy's law."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.stats import binomtest, kstest
from scipy.stats import laplace as law

from harness.mechanisms.noise import MANY, binomial, gumbel, laplace, none_happens

SIZE = 400_003  # not a multiple of 8: the last byte of random bits is not used up


@pytest.mark.parametrize("scale", [1.0, 0.003, 5e7])
def test_the_distribution_is_laplaces(scale: float) -> None:
    """By Dvoretzky, Kiefer, Wolfowitz and Massart the deviation passes √(ln(2/q)/2n) w.p. at most q = 3e-7, for each of 3."""
    noise = laplace(scale, SIZE, np.random.default_rng(31))
    assert kstest(noise, law(scale=scale).cdf, method="asymp").statistic <= sqrt(log(2 / 3e-7) / (2 * SIZE))


def test_the_tails_are_laplaces_far_out() -> None:
    """P(|x| > 9) = e⁻⁹, about 49 of 400,003 on each side: exact binomial tests at 5e-7 for each side."""
    noise = laplace(1.0, SIZE, np.random.default_rng(32))
    for beyond in (noise > 9, noise < -9):
        assert binomtest(int(beyond.sum()), SIZE, law.sf(9)).pvalue > 5e-7


def test_gumbel_numbers_are_those_of_the_generator() -> None:
    ours, numpys = (np.random.default_rng(36) for _ in range(2))
    np.testing.assert_allclose(gumbel((3, SIZE), ours), numpys.gumbel(size=(3, SIZE)), rtol=0, atol=1e-14)
    assert ours.random() == numpys.random()


@pytest.mark.parametrize("lag", range(1, 18))
def test_signs_are_independent_of_their_neighbours(lag: int) -> None:
    """Signs `lag` apart agree as often as a fair coin falls: the agreements of a sequence of fair independent signs are
    themselves fair and independent. Exact binomial tests at 5e-8 for each of 17.
    """
    positive = laplace(1.0, SIZE, np.random.default_rng(33)) > 0
    agree = positive[lag:] == positive[:-lag]
    assert binomtest(int(agree.sum()), SIZE - lag).pvalue > 5e-8


@pytest.mark.parametrize("place", range(8))
def test_every_bit_of_a_byte_is_a_fair_sign(place: int) -> None:
    """Exact binomial tests at 1e-7 for each of eight."""
    positive = laplace(1.0, SIZE, np.random.default_rng(34))[place::8] > 0
    assert binomtest(int(positive.sum()), len(positive)).pvalue > 1e-7


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 16, 17])
def test_any_size_is_drawn_and_a_seed_fixes_it(size: int) -> None:
    one, same = (laplace(2.0, size, np.random.default_rng(35)) for _ in range(2))
    assert one.shape == (size,)
    assert one.tolist() == same.tolist()
    assert (one != 0).all()


def test_one_draw_after_the_other_is_fresh() -> None:
    rng = np.random.default_rng(36)
    assert not np.isin(np.abs(laplace(1.0, 100, rng)), np.abs(laplace(1.0, 100, rng))).any()


@pytest.mark.parametrize("chance", [0.0, 1e-300, 1e-17, 3e-13, 1e-9, 9e-9])
def test_many_rare_events_are_the_same_numbers_of_the_generator_as_a_few(chance: float) -> None:
    """One after the other they are drawn as Poisson numbers; some have no chance at all. Of means up to 90."""
    p, n = np.full(4 * MANY, chance), np.random.default_rng(33).integers(2, 10**10 if chance > 1e-9 else 10**5, 4 * MANY)
    p[::7] = 0
    together, alone = np.random.default_rng(34), np.random.default_rng(34)
    found = binomial(n, p, together)
    alone.random(len(n))
    assert found.tolist() == [int(alone.poisson(-each * np.log1p(-q))) for each, q in zip(n, p, strict=True)]
    assert together.random() == alone.random() or found.max() > 1  # which boxes they fall into is drawn as well


def test_rare_events_that_happen_often_enough_are_all_seen() -> None:
    """Of means of 50 none is 0: a false failure has a chance of 4·MANY·e⁻⁵⁰ < 10⁻¹⁸."""
    found = binomial(np.full(4 * MANY, 10**10), 5e-9, np.random.default_rng(3))
    assert found.min() > 0 and found.mean() == pytest.approx(50, rel=0.05)


@pytest.mark.parametrize("chances", [(), (0.0,), (1e-300, 0.0, 1e-25), (1e-25, 1e-6), (3e-13, 9e-9)], ids=str)
@pytest.mark.parametrize("types", [0, 3, 4 * MANY])
def test_where_none_of_several_parts_happens_the_generator_is_where_drawing_them_leaves_it(
    chances: tuple[float, ...], types: int
) -> None:
    """Else it is where it was; of none of 10⁵ chances of 10⁻²⁵ anything happens but once in 10¹⁹ times."""
    numbers = np.random.default_rng(33).integers(2, 10**5, types)
    at_once, in_turn = np.random.default_rng(34), np.random.default_rng(34)
    none = none_happens([(numbers, chance) for chance in chances], at_once)
    assert none or max(chances) > 1e-25
    if none:
        assert not any(binomial(numbers, chance, in_turn).any() for chance in chances)
    assert at_once.bit_generator.state == in_turn.bit_generator.state
