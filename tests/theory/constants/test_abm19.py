"""The explicit n of learning with public data: its parts solve what they should, and it has the printed powers."""

from math import exp, log, sqrt

import pytest

from harness.theory.constants import abm19

SIZE, EPS, BETA = log(1000), 1.0, 0.05


def test_the_agnostic_excess_has_its_three_parts() -> None:
    n, alpha = 10_000, 0.1
    parts = 0.05 + 2 * sqrt(log(2 * 1000 / BETA) / (2 * n)) + 2 / n * log(1000 / BETA)
    assert abm19.agnostic(SIZE, n, alpha, EPS, BETA) == pytest.approx(parts)


def test_the_realizable_error_is_where_few_mistakes_end() -> None:
    """An h̃ of error p makes fewer than np − √(2np ln(2|H̃|/β)) mistakes seldom: at p that is just what is seen."""
    n, alpha = 5_000, 0.1
    p = abm19.realizable(SIZE, n, alpha, EPS, BETA)
    seen = n * p - sqrt(2 * n * p * log(2 * 1000 / BETA))
    chosen = 2 / EPS * log(1000 / BETA)
    x = seen - chosen - n * alpha / 2  # what the best h̃ makes beyond its mean: Bernstein's exponent is that of β/2
    assert exp(-(x**2) / (2 * (n * alpha / 2 + x / 3))) == pytest.approx(BETA / 2)


@pytest.mark.parametrize("gamma", [0.0, 0.1])
def test_n_is_the_least(gamma: float) -> None:
    n = abm19.needed(SIZE, 0.02, EPS, BETA, gamma)
    error = abm19.agnostic if gamma else abm19.realizable
    assert error(SIZE, n, 0.02, EPS, BETA) <= 0.02 < error(SIZE, n - 1, 0.02, EPS, BETA)


def test_n_grows_as_printed() -> None:
    """1/α without noise and 1/α² with it; in 1/ε where privacy is what costs."""

    def power(gamma: float) -> float:
        n = [abm19.needed(SIZE, alpha, EPS, BETA, gamma) for alpha in (1e-3, 1e-5)]
        return log(n[1] / n[0]) / log(100)

    assert power(0.0) == pytest.approx(1, abs=1e-3)
    assert power(0.1) == pytest.approx(2, abs=0.01)
    n = [abm19.needed(SIZE, 0.1, eps, BETA, 0.0) for eps in (1e-5, 1e-7)]
    assert n[1] / n[0] == pytest.approx(100, rel=0.02)
