"""Rows with biases of their own: their law, and that they come again."""

import numpy as np
import pytest
from scipy.stats import chi2

from harness.covers import cube_biases
from harness.covers.cube_biases import Biased


def stream() -> np.random.Generator:
    return np.random.default_rng(3)


def test_biases_are_uniform_and_within_their_range() -> None:
    biases = Biased.drawn(100_000, 0.4, np.random.default_rng(1)).biases
    assert 0.3999 < biases.max() <= 0.4001 and -0.4001 <= biases.min() < -0.3999
    counts = np.histogram(biases, 20, (-0.4, 0.4))[0]
    assert ((counts - 5000) ** 2 / 5000).sum() < chi2.isf(1e-6, 19)
    assert np.abs(Biased.drawn(10**6, 1.0, np.random.default_rng(2)).biases).max() < 1


def test_a_coordinate_is_one_as_often_as_it_should_be() -> None:
    """Of 4000 rows, by a χ² test of 500 coordinates. The test is false with probability 1e-6."""
    marginal, rows = Biased.drawn(500, 0.9, np.random.default_rng(1)), 4000
    share = marginal.means(500)
    counts = marginal.total(marginal.blocks(rows, stream))
    assert ((counts - rows * share) ** 2 / (rows * share * (1 - share))).sum() < chi2.isf(1e-6, 500)
    assert (counts == np.concatenate(list(marginal.blocks(rows, stream))).sum(axis=0)).all()  # of 262 rows and one of fewer
    halves = next(iter(marginal.blocks(rows, stream)))
    assert abs(float(np.corrcoef(halves[:, 0], halves[:, 1])[0, 1])) < 5 / np.sqrt(len(halves))


@pytest.mark.parametrize("block", [7, 64, 10**6])
def test_rows_come_again_and_scores_are_of_these_rows(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In blocks of any size: where 7 numbers are a block, a row at a time."""
    monkeypatch.setattr(cube_biases, "BLOCK", block)
    marginal, weights = Biased.drawn(20, 0.5, np.random.default_rng(1)), np.random.default_rng(2).normal(size=20)
    rows = np.concatenate(list(marginal.blocks(9, stream)))
    assert max(block.size for block in marginal.blocks(9, stream)) <= max(20, cube_biases.BLOCK)
    assert rows.shape == (9, 20) and set(np.unique(rows)) == {0, 1}
    assert (marginal.total(marginal.blocks(9, stream)) == rows.sum(axis=0)).all()
    assert marginal.scores(weights, marginal.blocks(9, stream)) == pytest.approx((2 * rows - 1 - marginal.biases) @ weights)
    assert len(marginal.scores(weights, marginal.blocks(0, stream))) == 0


def test_as_many_rows_are_counted_as_there_are_whatever_a_byte_holds() -> None:
    marginal = Biased.drawn(3, 0.5, np.random.default_rng(1))
    for rows in (1, 255, 256, 257, 512, 700):
        block = np.ones((rows, 3), np.bool_)
        block[:, 1] = False
        assert marginal.total([block, block]).tolist() == [2 * rows, 0, 2 * rows]
