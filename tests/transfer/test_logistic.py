"""The minimiser of regularised logistic loss, against scikit-learn's and differences of the loss."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from harness.arrays import Reals
from harness.transfer.logistic import ROWS, SMOOTHNESS, TOLERANCE, curvature, gradient, minimiser

RNG = np.random.default_rng(1)


def examples(n: int, d: int) -> Reals:
    z = RNG.standard_normal((n, d)) + np.eye(1, d)
    return np.asarray(z / np.linalg.norm(z, axis=1, keepdims=True))


def loss(z: Reals, w: Reals) -> float:
    return float(np.logaddexp(0, -(z @ w)).mean())


@pytest.mark.parametrize(("n", "d", "regular"), [(50, 2, 0.5), (200, 3, 0.01), (400, 4, 1e-4)])
def test_scikit_learn_finds_the_same(n: int, d: int, regular: float) -> None:
    z = examples(n, d)
    labels = np.arange(n) % 2
    known = LogisticRegression(C=1 / (n * regular), fit_intercept=False, tol=1e-12, max_iter=10_000)
    known.fit(z * np.where(labels, 1, -1)[:, np.newaxis], labels)
    assert minimiser(z, regular) == pytest.approx(known.coef_[0], rel=1e-5, abs=1e-6)


def test_derivatives_are_those_of_the_loss() -> None:
    z, w, step = examples(ROWS + 100, 3), np.array([0.5, -1.0, 2.0]), 1e-5
    for axis in np.eye(3):
        assert gradient(z, w) @ axis == pytest.approx(
            (loss(z, w + step * axis) - loss(z, w - step * axis)) / (2 * step), rel=1e-6
        )
        change = (gradient(z, w + step * axis) - gradient(z, w - step * axis)) / (2 * step)
        assert curvature(z, w) @ axis == pytest.approx(change, rel=1e-6)
    assert np.linalg.eigvalsh(curvature(z, np.zeros(3)))[-1] <= SMOOTHNESS


@pytest.mark.parametrize(("regular", "linear"), [(1e-3, 0.0), (1e-3, 30.0), (0.1, -0.4)])
def test_the_gradient_that_is_left_is_within_the_tolerance(regular: float, linear: float) -> None:
    """Where the linear term is large too, so that a full step of Newton's would lead astray."""
    z, b = examples(300, 2), np.array([linear, -linear])
    w = minimiser(z, regular, b)
    assert np.linalg.norm(gradient(z, w) + regular * w + b) <= TOLERANCE


def test_where_rounding_leaves_more_than_the_tolerance_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.transfer.logistic.TOLERANCE", 1e-30)
    with pytest.raises(ArithmeticError, match=r"a gradient of .*e-1[5-9] is left after 100 steps"):
        minimiser(examples(50, 2), 1e-3)


def test_of_many_examples_it_is_sought_on_some_first_and_is_the_same() -> None:
    z = examples(5 * ROWS, 2)
    w = minimiser(z, 0.01)
    assert np.linalg.norm(gradient(z, w) + 0.01 * w) <= TOLERANCE


@pytest.mark.parametrize(("regular", "least"), [(1.0, 0.4), (0.1, 0.3)])
def test_one_replaced_example_moves_the_minimiser_by_no_more_than_2_over_n_lambda(regular: float, least: float) -> None:
    """Brute force over turned examples of 10: a good part of that is seen, and never more than all (Corollary 8)."""
    z, moved = np.tile([1.0, 0.0], (10, 1)), []
    for angle in np.linspace(0, np.pi, 25):
        sides = [z.copy(), z.copy()]
        for side, turn in zip(sides, (1, -1), strict=True):
            side[0] = np.cos(angle), turn * np.sin(angle)
        moved.append(np.linalg.norm(minimiser(sides[0], regular) - minimiser(sides[1], regular)) * 10 * regular / 2)
    assert least < max(moved) <= 1
