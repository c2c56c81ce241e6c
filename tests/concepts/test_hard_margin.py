"""Hard-margin machines against two other solvers, and against their own conditions of optimality at margins beyond those."""

from math import pi

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog, nnls
from sklearn.svm import SVC

from harness.concepts.hard_margin import HardMargin

Reals = NDArray[np.float64]


def folded(chunks: int, d: int, s: int, seed: int, target: Reals | None = None) -> Reals:
    """Standard normal examples times their labels by a target that is not a basis vector: (chunks, d, s)."""
    z = np.random.default_rng(seed).standard_normal((chunks, d, s))
    w = np.linspace(1, 2, d) if target is None else target
    return np.where(np.einsum("d,bds->bs", w, z) < 0, -1, 1)[:, np.newaxis] * z


def trained(z: Reals) -> HardMargin:
    machine = HardMargin.untrained(z.shape[0], z.shape[1])
    machine.fit(z)
    return machine


def least_norm(z: Reals) -> Reals:
    """The least w with z · w ≥ 1, z: (d, s): the residual of a non-negative least squares problem.

    Least distance programming: Lawson and Hanson, Solving Least Squares Problems, chapter 23.
    """
    d, s = z.shape
    stacked, last = np.vstack([z, np.ones(s)]), np.append(np.zeros(d), 1.0)
    residual = stacked @ nnls(stacked, last, maxiter=100 * s)[0] - last
    return np.asarray(-residual[:d] / residual[d])


SIZES = [(1, 1), (1, 7), (2, 1), (2, 3), (2, 200), (3, 40), (5, 4), (5, 300), (12, 10), (12, 400), (40, 60)]


@pytest.mark.parametrize(("d", "s"), SIZES)
def test_every_chunk_is_the_separating_direction_of_least_norm(d: int, s: int) -> None:
    z = folded(20, d, s, seed=s)
    w = trained(z).w
    for chunk, direction in zip(z, w, strict=True):
        assert direction == pytest.approx(least_norm(chunk), rel=1e-7, abs=float(1e-7 * np.linalg.norm(direction)))


@pytest.mark.parametrize(("d", "s"), [(2, 50), (5, 100), (5, 1000)])
def test_training_error_is_zero_and_the_margin_is_that_of_scikit_learn(d: int, s: int) -> None:
    """Its intercept is 0 on examples that come with their mirror images. It stops at a tolerance: its margin is a bit less."""
    z = folded(4, d, s, seed=1)
    for chunk, w in zip(z, trained(z).w, strict=True):
        assert (w @ chunk > 0).all()
        mirrored, labels = np.hstack([chunk, -chunk]).T, np.repeat([1, -1], s)
        other = SVC(kernel="linear", C=1e10, tol=1e-8).fit(mirrored, labels).coef_[0]
        margin = 1 / np.linalg.norm(w)
        assert (other @ chunk).min() / np.linalg.norm(other) == pytest.approx(margin, rel=1e-2)
        assert (other @ chunk).min() / np.linalg.norm(other) <= margin * (1 + 1e-9)


@pytest.mark.parametrize(("d", "s"), SIZES)
def test_the_support_certifies_the_optimum(d: int, s: int) -> None:
    """w is a non-negative sum of examples with z · w = 1, and all others have more: no w of less norm has z · w ≥ 1."""
    z = folded(20, d, s, seed=s + 1)
    machine = trained(z)
    assert np.einsum("bd,bds->bs", machine.w, z).min() == pytest.approx(1, abs=1e-8)
    assert (machine.weight >= 0).all()
    assert np.einsum("bi,bij->bj", machine.weight, machine.support) == pytest.approx(machine.w, rel=1e-6, abs=1e-6)
    on_margin = np.einsum("bij,bj->bi", machine.support, machine.w)
    assert on_margin == pytest.approx(machine.used, abs=1e-8)
    for support, used, chunk in zip(machine.support, machine.used, z, strict=True):
        for point in support[used > 0]:
            assert (chunk.T == point).all(axis=1).any()


def test_training_error_is_zero_by_a_linear_program_too() -> None:
    """A direction with z · w ≥ 1 exists by both; without one example folded the wrong way there is none by either."""
    z = folded(1, 4, 60, seed=3)
    wrong = z.copy()
    wrong[0, :, 7] *= -1
    for chunk, separable in ((z, True), (wrong, False)):
        program = linprog(np.zeros(4), A_ub=-chunk[0].T, b_ub=-np.ones(60), bounds=(None, None))
        assert program.success == separable
        if separable:
            assert (trained(chunk).w[0] @ chunk[0] > 0).all()
        else:
            with pytest.raises(FloatingPointError, match="not separated"):
                trained(chunk)


def test_chunks_are_learned_alone_and_together_alike() -> None:
    z = folded(50, 4, 30, seed=4)
    together = trained(z).w
    for i in range(0, 50, 7):
        assert trained(z[[i]]).w[0] == pytest.approx(together[i], rel=1e-9)


def test_only_the_examples_that_are_there_count() -> None:
    """Chunks of 0, 1, …, 9 examples, in columns between others that are not there."""
    z, asked = folded(10, 3, 40, seed=5), np.full((10, 40), -np.inf)
    for chunk in range(10):
        asked[chunk, 3 * np.arange(chunk) + 1] = 1
    machine = HardMargin.untrained(10, 3)
    machine.fit(z, asked)
    assert machine.w[0].tolist() == [0, 0, 0]
    for chunk in range(1, 10):
        assert machine.w[chunk] == pytest.approx(least_norm(z[chunk][:, asked[chunk] == 1]), rel=1e-7)


def test_portions_shown_again_until_nothing_changes_teach_what_the_whole_does() -> None:
    z = folded(10, 5, 300, seed=6)
    machine, passes = HardMargin.untrained(10, 5), 0
    before = np.full_like(machine.w, np.nan)
    while not np.array_equal(before, machine.w):
        before, passes = machine.w.copy(), passes + 1
        for start in range(0, 300, 30):
            machine.fit(z[:, :, start : start + 30])
    assert passes > 2
    assert machine.w == pytest.approx(trained(z).w, rel=1e-7)


def test_more_examples_for_some_chunks_leave_the_others_as_they_were() -> None:
    z, more = folded(6, 3, 20, seed=7), folded(2, 3, 20, seed=8)
    machine = trained(z)
    before = machine.w.copy()
    machine.fit(np.concatenate([z[[1, 4]], more], axis=2), rows=np.array([1, 4]))
    assert machine.w[[0, 2, 3, 5]].tolist() == before[[0, 2, 3, 5]].tolist()
    assert machine.w[[1, 4]] == pytest.approx(trained(np.concatenate([z[[1, 4]], more], axis=2)).w, rel=1e-7)


@pytest.mark.parametrize("scale", [1e-3, 1e-7, 1e-12])
def test_in_the_plane_it_is_the_bisector_of_the_extreme_unit_vectors_however_near_they_are_to_opposite(scale: float) -> None:
    """Extreme angles that leave an arc of about `scale` to consistent directions; the target is the first basis vector."""
    rng = np.random.default_rng(9)
    up, down = scale * rng.random((2, 200))
    inner = rng.uniform(-1, 1, (200, 30))
    z = np.empty((200, 2, 32))
    z[:, :, 0] = np.column_stack([np.sin(up), np.cos(up)])
    z[:, :, 1] = np.column_stack([np.sin(down), -np.cos(down)])
    z[:, 0, 2:], z[:, 1, 2:] = np.cos(inner), np.sin(inner)
    w = trained(z).w
    assert np.arctan2(w[:, 1], w[:, 0]) == pytest.approx((down - up) / 2, rel=1e-6, abs=1e-6 * scale)
    assert 1 / np.linalg.norm(w, axis=1) == pytest.approx(np.sin((up + down) / 2), rel=1e-6)
    assert abs(w[:, 1] / w[:, 0]).max() < pi * scale


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e-11])
def test_a_tiny_margin_is_met_to_the_last(scale: float) -> None:
    """Examples at a distance of order `scale` from the target's boundary, as the nearest of many are: all on the right side."""
    rng = np.random.default_rng(10)
    z = rng.standard_normal((300, 5, 60))
    z[:, 0] = scale * rng.exponential(size=(300, 60))
    machine = trained(z)
    at = np.einsum("bd,bds->bs", machine.w, z)
    assert at.min() > 0.99
    assert np.einsum("bij,bj->bi", machine.support, machine.w) == pytest.approx(machine.used, abs=1e-3)
