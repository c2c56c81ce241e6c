"""BTT18a Algorithm 3 as printed, and the noise that a run of ours drew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from harness.arrays import Ints, Reals
from harness.mechanisms import above_threshold
from harness.mechanisms.answering.answers import BOTTOM, UNANSWERED, Answers
from harness.mechanisms.noise import laplace


@dataclass(frozen=True)
class Tape:
    """Noise as drawn. first: ŵ at the start. queries: Lap(2λ) of each query. redrawn: ŵ after a ⊥, by the query that was ⊥."""

    first: float
    queries: list[float]
    redrawn: dict[int, float]


def record(mechanism: Callable[[], Answers], lam: float) -> tuple[Answers, Tape]:
    """Run a mechanism that ends in A_OQR at a noise scale λ, and keep the noise it drew."""
    noises: list[tuple[float, Reals]] = []
    firsts: list[float] = []
    redrawn: dict[int, float] = {}
    scan = above_threshold.scan

    def recording_laplace(scale: float, size: int, rng: np.random.Generator) -> Reals:
        noise = laplace(scale, size, rng)
        noises.append((scale, noise.copy()))
        return noise

    def recording_scan(
        noisy: Reals,
        first: float,
        redraw: Callable[[Ints], Reals],
        T: float,
    ) -> above_threshold.Stream:
        def recording_redraw(indices: Ints) -> Reals:
            thresholds = redraw(indices)
            redrawn.update(zip(indices.tolist(), thresholds.tolist(), strict=True))
            return thresholds

        firsts.append(first)
        return scan(noisy, first, recording_redraw, T)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(above_threshold, "laplace", recording_laplace)
        patch.setattr(above_threshold, "scan", recording_scan)
        answers = mechanism()
    (queries,) = (noise.tolist() for scale, noise in noises if scale == 2 * lam)
    (first,) = firsts
    return answers, Tape(first, queries, redrawn)


def printed_loop(exact: Sequence[int], dist: Sequence[int], tape: Tape, T: float) -> Answers:
    """The algorithm, a query at a time, on given noise."""
    labels: list[int] = []
    c, threshold = 0, tape.first
    for i in range(len(exact)):
        if c > T:  # "while c ≤ T"
            break
        stable = dist[i] + tape.queries[i] > threshold  # A_stab with Γ = ŵ and ε = 1/(2λ)
        if stable:
            labels.append(exact[i])
        else:
            labels.append(BOTTOM)
            c += 1
            threshold = tape.redrawn[i]
    halted_at = len(labels) if len(labels) < len(exact) else None
    labels += [UNANSWERED] * (len(exact) - len(labels))
    return Answers(np.array(labels, dtype=np.int8), halted_at)
