"""Averages that are moved by α to hide rows: that they are within α, and that nothing within α hides more."""

from itertools import product

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm, truncnorm

from harness.mechanisms.rounding import Averages, _cut_mean, roundings

ALPHA = 0.1


def known(p: int, n: int = 60, m: int = 0, seed: int = 1) -> Averages:
    rng = np.random.default_rng(seed)
    biases = rng.uniform(-4 * ALPHA, 4 * ALPHA, p)
    private, public = (2 * rng.binomial(max(1, count), (1 + biases) / 2) / max(1, count) - 1 for count in (n, m))
    return Averages(private, n, public, m, 4 * ALPHA)


@pytest.mark.parametrize("m", [0, 30])
def test_all_keep_within_alpha_of_the_averages_of_all_rows(m: int) -> None:
    rows = known(2000, m=m)
    moved = {name: np.abs(each.answers(rows, ALPHA) - rows.all).max() for name, each in roundings().items()}
    assert moved["all_averages"] == 0
    assert all(0.99 * ALPHA < moved[name] <= ALPHA * (1 + 1e-9) for name in ("grid_averages", "rounded_averages"))


@pytest.mark.parametrize("average", [0.0, 0.33, -0.39, 0.46, -0.55])
def test_a_residual_is_by_how_much_the_private_average_is_off_what_is_expected_of_the_bias(average: float) -> None:
    """By integrating over the bias, which is uniform and seen through 90 rows with a normal law."""
    rows = Averages(np.array([average]), 60, np.array([0.1]), 30, 0.4)
    centre = float(rows.all[0])
    law = norm(centre, np.sqrt((1 - centre**2) / 90))
    expected = quad(lambda mu: mu * law.pdf(mu), -0.4, 0.4)[0] / quad(law.pdf, -0.4, 0.4)[0]
    assert float(rows.residuals()[0]) == pytest.approx(60 * (average - expected), rel=1e-6)


@pytest.mark.parametrize("m", [0, 20])
def test_no_corner_of_the_box_has_a_smaller_quotient(m: int) -> None:
    """All 2¹² of them, but for a share of order 1/p; other points of the box are no better."""
    rows = known(12, m=m, seed=4)
    residuals, found = rows.residuals(), roundings()["rounded_averages"].answers(rows, ALPHA)
    corners = rows.all + ALPHA * np.array(list(product([-1, 1], repeat=12)))
    inside = rows.all + ALPHA * np.random.default_rng(5).uniform(-1, 1, (4000, 12))
    best, ours = (
        (each @ residuals / np.linalg.norm(each, axis=-1)).min() for each in (np.concatenate([corners, inside]), found)
    )
    plain = float(rows.all @ residuals / np.linalg.norm(rows.all))
    assert ours <= best + 0.05 * (plain - best)
    assert best < plain


def test_rows_whose_averages_are_all_zero_are_hidden_by_moves_against_their_residuals() -> None:
    rows = Averages(np.array([0.1, -0.2]), 30, np.array([-0.1, 0.2]), 30, 0.4)
    assert rows.all.tolist() == [0, 0]
    assert roundings()["rounded_averages"].answers(rows, ALPHA).tolist() == [-ALPHA, ALPHA]


def test_averages_far_beyond_all_biases_have_a_residual_too() -> None:
    """Where the few rows of a coordinate are all alike: the bias is then nearly the largest that there is."""
    rows = Averages(np.array([1.0, -1.0]), 30, np.zeros(2), 0, 0.1)
    assert rows.residuals() == pytest.approx([27, -27], abs=0.1)


@pytest.mark.parametrize(("low", "high"), [(-1.0, 2.0), (-3.0, -0.5), (-14.0, -6.0), (0.5, 3.0), (6.0, 14.0)])
def test_the_mean_of_what_is_cut_off_is_that_of_the_law(low: float, high: float) -> None:
    found = float(_cut_mean(np.array([low]), np.array([high]))[0])
    assert found == pytest.approx(float(truncnorm(low, high).mean()), rel=1e-9)


@pytest.mark.parametrize("end", [-20.0, -29.0, -29.5, -31.0, -60.0, 31.0])
def test_far_off_it_is_that_of_the_tail(end: float) -> None:
    """φ over Φ by their logarithms, which have digits where no difference of chances does; the other end adds nothing."""
    low, high = (-300.0, end) if end < 0 else (end, 300.0)
    tail = np.exp(norm.logpdf(end) - norm.logcdf(-abs(end)))
    found = float(_cut_mean(np.array([low]), np.array([high]))[0])
    assert found == pytest.approx(np.sign(end) * tail, rel=1e-9 if abs(end) < 30 else 3e-6)
