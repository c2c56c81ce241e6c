"""A_sparseVec of many runs in one block, each against the printed loop on the noise that it was given."""

from math import floor

import numpy as np
import pytest

from harness.mechanisms import above_threshold
from harness.mechanisms.above_threshold import in_order_by_run, settle_runs
from harness.mechanisms.noise import laplace
from tests.support.printed_loop import printed_bottoms

LAM, W = 3.0, 5.0


@pytest.mark.parametrize("T", [0.0, 1.5, 4.0, 100.0])
@pytest.mark.parametrize("lengths", [(1, 1), (30, 1, 12), (7, 40, 40, 2)])
def test_runs_in_order_are_each_the_printed_loop(lengths: tuple[int, ...], T: float) -> None:
    """The noise is drawn again as the text has it: a threshold of scale λ for each run, and of scale 2λ for each query."""
    run, n = np.repeat(np.arange(len(lengths)), lengths), sum(lengths)
    for seed in range(40):
        values = np.random.default_rng([seed, 1]).integers(0, 12, n)
        bottom, after = in_order_by_run(values, run, LAM, W, T, np.random.default_rng(seed))
        rng = np.random.default_rng(seed)
        first = W + laplace(LAM, len(lengths), rng)
        noisy, owned = values + laplace(2 * LAM, n, rng), W + laplace(LAM, n, rng)
        for number, begin in enumerate(np.cumsum([0, *lengths[:-1]])):
            own = slice(begin, begin + lengths[number])
            bottoms = printed_bottoms(noisy[own].tolist(), float(first[number]), owned[own].tolist(), floor(T) + 1)
            assert np.flatnonzero(bottom[own]).tolist() == bottoms
            halt = bottoms[-1] if len(bottoms) == floor(T) + 1 else lengths[number]
            assert np.flatnonzero(after[own]).tolist() == [*range(halt + 1, lengths[number])]


@pytest.mark.parametrize("block", [1, 5, 20, above_threshold.BLOCK])
def test_runs_longer_and_shorter_than_a_block_are_settled_together(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ladders are among them: thresholds that rise by one at each ⊥, where a guess is wrong once for every rung."""
    monkeypatch.setattr(above_threshold, "BLOCK", block)
    rng = np.random.default_rng(7)
    for _ in range(60):
        lengths = rng.integers(1, 40, 4)
        run, n = np.repeat(np.arange(4), lengths), int(lengths.sum())
        noisy = np.where(rng.random(n) < 0.5, rng.integers(0, 6, n), np.arange(n)).astype(np.float64)
        owned = np.where(rng.random(n) < 0.5, rng.integers(0, 6, n), np.arange(n) + 1).astype(np.float64)
        first, allowed = rng.integers(0, n, 4).astype(np.float64), rng.integers(1, 10, 4)
        ends = np.cumsum(lengths)
        expected = [
            int(end - length) + place
            for end, length, start, most in zip(ends, lengths, first, allowed, strict=True)
            for place in printed_bottoms(
                noisy[end - length : end].tolist(), float(start), owned[end - length : end].tolist(), int(most)
            )
        ]
        assert settle_runs(noisy, run, first, owned, allowed).tolist() == expected
