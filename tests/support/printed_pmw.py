"""NumericSparse and online PMW as DR14 print them (Algorithms 3 and 6), a test at a time, on given noise and explicit cells."""

from dataclasses import dataclass
from math import exp

import numpy as np

from harness.arrays import Reals


@dataclass
class PrintedSparse:
    """DR14 Algorithm 3: the state of one run. Noise by test: tests[i], thresholds[i] if it exceeds, values[i] if released."""

    T: float
    c: float
    first: float
    tests: Reals
    thresholds: Reals
    values: Reals

    def __post_init__(self) -> None:
        self.noisy_threshold = self.T + self.first
        self.count, self.i = 0, 0

    def ask(self, f: float) -> float | None:
        """⊥ as None, else the noisy value."""
        i, self.i = self.i, self.i + 1
        if f + self.tests[i] >= self.noisy_threshold:
            self.count += 1
            self.noisy_threshold = self.T + self.thresholds[i]
            return float(f + self.values[i])
        return None

    @property
    def halted(self) -> bool:
        return self.count >= self.c


def printed_pmw(queries: Reals, data: Reals, sparse: PrintedSparse, eta: float) -> tuple[list[float], list[int]]:
    """DR14 Algorithm 6. queries: (|Q|, |X|) of 0 and 1; data: (|X|,), a distribution. Answers, and the queries that updated."""
    x = np.full(queries.shape[1], 1 / queries.shape[1])
    answers: list[float] = []
    updated: list[int] = []
    for i, f in enumerate(queries):
        real, fitted = float(f @ data), float(f @ x)
        if sparse.halted:
            answers.append(fitted)
            continue
        first = sparse.ask(real - fitted)
        second = None if sparse.halted else sparse.ask(fitted - real)
        if first is None and second is None:
            answers.append(fitted)
            continue
        value = fitted + first if first is not None else fitted - second  # type: ignore[operator]
        answers.append(value)
        updated.append(i)
        r = f if value < fitted else 1 - f
        x = np.array([weight * exp(-eta * each) for weight, each in zip(x, r, strict=True)])
        x = x / x.sum()
    return answers, updated
