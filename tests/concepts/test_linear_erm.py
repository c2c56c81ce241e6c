"""Least empirical risk over halfspaces: against brute force, and what is chosen where several are least."""

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.concepts import linear_erm
from harness.concepts.linear_erm import least_risk, most_examples
from tests.support.brute_force import least_halfspace_risk

Reals = NDArray[np.float64]


def risks(w: Reals, z: Reals) -> list[int]:
    """Mistakes of each direction on its chunk."""
    mistakes: list[int] = np.count_nonzero(np.einsum("cv,cvs->cs", w, z) <= 0, axis=1).tolist()
    return mistakes


@pytest.mark.parametrize("block", [linear_erm.BLOCK, 30])
@pytest.mark.parametrize("noise", [0.0, 0.2, 0.5])
@pytest.mark.parametrize(
    ("V", "s"),
    [
        *((2, 1), (2, 2), (2, 15), (3, 1), (3, 3), (3, 4), (4, 2), (4, 5)),
        *(pytest.param(*each, marks=pytest.mark.law) for each in ((3, 16), (4, 11))),
    ],
)
def test_no_halfspace_errs_less(V: int, s: int, noise: float, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_erm, "BLOCK", block)
    rng = np.random.default_rng(s)
    z = rng.standard_normal((12, V, s))
    z *= np.where((z[:, :1] < 0) ^ (rng.random((12, 1, s)) < noise), -1.0, 1.0)
    w = least_risk(z)
    assert np.linalg.norm(w, axis=1) == pytest.approx(1)
    assert risks(w, z) == [least_halfspace_risk(chunk) for chunk in z]
    if noise == 0:
        assert not any(risks(w, z))


@pytest.mark.parametrize("V", [3, 4])
def test_examples_of_one_last_coordinate_are_as_good_as_any(V: int) -> None:
    """Affine halfspaces: points (x, 1), on a sphere too."""
    rng = np.random.default_rng(V)
    x = rng.standard_normal((10, V - 1, 10))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    z = np.pad(x, ((0, 0), (0, 1), (0, 0)), constant_values=1) * rng.choice([-1.0, 1.0], (10, 1, 10))
    assert risks(least_risk(z), z) == [least_halfspace_risk(chunk) for chunk in z]


def test_it_depends_on_directions_only_and_not_on_the_other_chunks() -> None:
    rng = np.random.default_rng(1)
    for V in (1, 2, 3, 4):
        z = rng.standard_normal((5, V, 9))
        w = least_risk(z)
        assert least_risk(z * rng.uniform(0.1, 10, (5, 1, 9))) == pytest.approx(w, abs=1e-12)
        assert np.concatenate([least_risk(chunk[np.newaxis]) for chunk in z]) == pytest.approx(w, abs=1e-12)


def test_a_single_example_is_pointed_at_and_without_any_it_is_the_first_axis() -> None:
    for V in (1, 2, 3, 4):
        z = np.random.default_rng(V).standard_normal((3, V, 1))
        assert least_risk(z) == pytest.approx(z[:, :, 0] / np.linalg.norm(z[:, :, 0], axis=1, keepdims=True))
        assert least_risk(z[:, :, :0]).tolist() == np.eye(1, V).repeat(3, axis=0).tolist()


def test_on_the_line_the_majority_decides() -> None:
    z = np.array([[[1.0, 2, -3]], [[1.0, -2, -3]], [[1.0, 2, 3]], [[-1.0, -2, -3]]])
    assert least_risk(z).ravel().tolist() == [1, -1, 1, -1]
    assert least_risk(np.array([[[5.0, -1]]])).item() == -1


def test_in_the_plane_of_several_arcs_it_is_the_first_counterclockwise() -> None:
    """Edges at angles 0.1, 0.2, 0.3 and 0.4: three arcs between them, of which the outer two have one mistake each."""
    turns, better = np.array([0.1, 0.2, 0.3, 0.4]), np.array([1, -1, 1, -1])
    # w at an angle a is right on z where a is beyond a turn, or before it.
    z = better * np.stack([-np.sin(turns), np.cos(turns)])
    w = least_risk(z[np.newaxis])[0]
    assert np.arctan2(w[1], w[0]) == pytest.approx(0.15)
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    for _ in range(3):  # wherever on the circle that is
        z = quarter @ z
        turned = least_risk(z[np.newaxis])[0]
        w = quarter @ w
        assert turned == pytest.approx(w)


def test_an_arc_far_narrower_than_the_spacing_of_angles_keeps_its_middle() -> None:
    """Edges at −10⁻¹⁷ and 3·10⁻¹⁷ radians, as some of 10¹⁶ examples would have them."""
    z = np.array([[1e-17, 3e-17], [1.0, -1.0]])
    assert least_risk(z[np.newaxis])[0] == pytest.approx([1, 1e-17], rel=1e-12)
    doubled = np.repeat(z, 3, axis=1)  # examples of one angle have no arc between them
    assert least_risk(doubled[np.newaxis])[0] == pytest.approx([1, 1e-17], rel=1e-12)


def test_how_many_examples_it_takes() -> None:
    assert [most_examples(V) for V in (3, 4)] == [4096, 256]
