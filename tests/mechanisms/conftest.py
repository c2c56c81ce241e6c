"""What the tests of A_OQR and of the mechanisms built on it share: the printed loop, and the noise that a run of ours drew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from harness.mechanisms.answers import BOTTOM, UNANSWERED, Answers
from numpy.typing import NDArray

from harness.mechanisms import a_sparse_vec
from harness.mechanisms.noise import laplace


@dataclass(frozen=True)
class Tape:
    """Noise as drawn. first: ŵ at the start. queries: Lap(2λ) of each query. redrawn: ŵ after a ⊥, by the query that was ⊥."""

    first: float
    queries: list[float]
    redrawn: dict[int, float]


Recorder = Callable[[Callable[[], Answers], float], tuple[Answers, Tape]]
Loop = Callable[[Sequence[int], Sequence[int], Tape, float], Answers]


@pytest.fixture(scope="session")
def record() -> Recorder:
    """Run a mechanism that ends in A_OQR at a noise scale λ, and keep the noise it drew."""

    def run(mechanism: Callable[[], Answers], lam: float) -> tuple[Answers, Tape]:
        noises: list[tuple[float, NDArray[np.float64]]] = []
        firsts: list[float] = []
        redrawn: dict[int, float] = {}
        scan = a_sparse_vec.scan

        def recording_laplace(scale: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
            noise = laplace(scale, size, rng)
            noises.append((scale, noise.copy()))
            return noise

        def recording_scan(
            noisy: NDArray[np.float64],
            first: float,
            redraw: Callable[[NDArray[np.int64]], NDArray[np.float64]],
            T: float,
        ) -> a_sparse_vec.Stream:
            def recording_redraw(indices: NDArray[np.int64]) -> NDArray[np.float64]:
                thresholds = redraw(indices)
                redrawn.update(zip(indices.tolist(), thresholds.tolist(), strict=True))
                return thresholds

            firsts.append(first)
            return scan(noisy, first, recording_redraw, T)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(a_sparse_vec, "laplace", recording_laplace)
            patch.setattr(a_sparse_vec, "scan", recording_scan)
            answers = mechanism()
        (queries,) = (noise.tolist() for scale, noise in noises if scale == 2 * lam)
        (first,) = firsts
        return answers, Tape(first, queries, redrawn)

    return run


@pytest.fixture(scope="session")
def printed_loop() -> Loop:
    """BTT18a Algorithm 3 as printed, a query at a time, on given noise."""

    def run(exact: Sequence[int], dist: Sequence[int], tape: Tape, T: float) -> Answers:
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

    return run
