"""Stochastic gradient descent on many chunks at once: weights are an array (chunks, d), and the only loop is over examples.

The loss of weights w on an example (φ, y) is that of z = w · φ and y, plus (ridge/2)|w|².
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import expit

from harness.arrays import Labels, Reals

Slope = Callable[[Reals, Labels], Reals]
"""The derivative of a loss by z: of z and y, both (chunks,)."""


@dataclass(frozen=True)
class Loss:
    """A loss for gradient descent. slope: its derivative by z = w · φ. score: turns z into a prediction in [0, 1]."""

    slope: Slope
    score: Callable[[Reals], Reals]


def _clipped(z: Reals) -> Reals:
    return np.clip(z, 0.0, 1.0)


def _logistic(z: Reals) -> Reals:
    values: Reals = expit(z)
    return values


LOSSES = {
    "squared": Loss(lambda z, y: z - y, _clipped),
    "logistic": Loss(lambda z, y: _logistic(z) - y, _logistic),
}
"""½(z − y)² and ln(1 + e^z) − yz."""

STEPS: dict[str, Callable[[int, float], float]] = {
    "constant": lambda t, rate: rate,
    "sqrt": lambda t, rate: rate / sqrt(t),
    "inverse": lambda t, rate: 1 / (rate * t),
}
"""The t-th step, t = 1, 2, …: η, η/√t, and 1/(γt)."""


def descend(
    w: Reals, examples: Iterable[tuple[Reals, Labels]], slope: Slope, step: Callable[[int], float], ridge: float, start: int = 1
) -> int:
    """Moves weights w (chunks, d) in place by one gradient step an example; returns the number of the next step.

    An example is features (chunks, d) and labels (chunks,).

    start: the number t of the first step.
    """
    t = start
    for x, y in examples:
        eta = step(t)
        pull = slope(np.einsum("kd,kd->k", w, x), y)
        if ridge:
            w *= 1 - eta * ridge
        pull *= eta
        w -= pull[:, np.newaxis] * x
        t += 1
    return t
