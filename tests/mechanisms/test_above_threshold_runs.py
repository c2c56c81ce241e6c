"""A_sparseVec of many runs in one block, each against the printed loop on the noise that it was given."""

from math import floor

import numpy as np
import pytest

from harness.mechanisms import above_threshold
from harness.mechanisms.above_threshold import a_sparse_vec, in_order_by_run, settle_runs
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


@pytest.mark.parametrize("T", [0.0, 3.0])
def test_runs_may_have_their_types_in_any_order(T: float) -> None:
    """Also where the last type is not of the last run. Each answers some, and halts after ⌊T⌋ + 1 ⊥s or answers all.

    The mean shares that 10,000 runs with either order leave unanswered are apart by less than 0.06 but with probability 1e-7,
    by Hoeffding's inequality.
    """
    runs, size = 10_000, 40
    trial = np.tile(np.arange(runs), 2)
    values, sizes = np.repeat([W, 1e6], runs), np.repeat([size, 5], runs)
    shares = []
    for seed, order in enumerate((np.argsort(trial, kind="stable"), np.arange(2 * runs), np.arange(2 * runs)[::-1])):
        run, many = trial[order], sizes[order]
        stream = a_sparse_vec(values[order], many, LAM, W, T, np.random.default_rng(seed), run, runs)
        bottoms, unanswered = (np.bincount(run, each, runs) for each in (stream.bottoms, stream.unanswered))
        assert (stream.bottoms + stream.unanswered <= many).all() and (bottoms <= T + 1).all()
        assert ((bottoms == T + 1) | (unanswered == 0)).all() and (unanswered > 0).any()
        shares.append(unanswered.mean() / (size + 5))
    assert max(shares) - min(shares) < 0.06
