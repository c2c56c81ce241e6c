"""The powers and the logarithms of the explicit fixed points: what an Õ hides, and how much of an exponent it can be.

A learner errs by α = (V/s)^a times a logarithm of its confidence, a = 1, or ½ where labels are noisy; s = n/k; k is √Q/ε
times a logarithm, where Q is what is paid for: T for a mechanism that pays for its ⊥s, 1 while T = 1, and m for a baseline
that pays for every query; and T is mα times what its deviation adds. Solved for α this is a product of powers of n, m, V and
ε, which is what theorems print, and of powers of these three factors, which is what Õ hides.

What a learner errs is of order (V/s)^a, and what it is sure not to err more than is the bound 3B/m. They differ by the
logarithm of the confidence and by the deviation: how much these move over a sweep is the one tolerance that all exponents are
judged with.

`at` is a table of sweep points, a row each, with columns n, m, V, eps, delta, beta, gamma, k, s, alpha and T.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import pandas as pd

from harness.arrays import Reals

Paid = Literal["T", "one", "m"]


def column(points: pd.DataFrame, name: str) -> Reals:
    """A column of a table of points, (points,)."""
    return points[name].to_numpy(float)


def printed_chunks(points: pd.DataFrame) -> Reals:
    """The logarithm in the printed k, at every point, (points,): ln(4mT/min(δ, β/2))."""
    m, T, delta, beta = (column(points, name) for name in ("m", "T", "delta", "beta"))
    return np.asarray(np.log(4 * m * T / np.minimum(delta, beta / 2)))


def tight_chunks(points: pd.DataFrame) -> Reals:
    """The logarithm in the least k, at every point, (points,).
    w and a* are 2λ times logarithms, and λ is √(T + 1) times one in δ alone.
    """
    m, T, delta, beta = (column(points, name) for name in ("m", "T", "delta", "beta"))
    epochs = np.floor(T) + 1
    return np.asarray(np.sqrt(epochs / T) * np.log(4 * epochs / (3 * delta) * 2 * m / (3 * beta)))


def paid_chunks(points: pd.DataFrame) -> Reals:
    """The logarithm in the k that noisy majorities need, at every point, (points,): ln(m/(2β))."""
    return np.asarray(np.log(column(points, "m") / (2 * column(points, "beta"))))


CHUNKS: Mapping[str, Callable[[pd.DataFrame], Reals]] = {"BTT18": printed_chunks, "tight": tight_chunks}
"""Of mechanisms that pay for their ⊥s, by the set of constants."""


class Logarithms(Protocol):
    """What stands beside the powers of a quantity, as logarithms of it at every point, (points,)."""

    def typical(self, points: pd.DataFrame) -> Reals:
        """The logarithms that are certainly there, (points,)."""

    def surer(self, points: pd.DataFrame) -> Reals:
        """The logarithms that may be there, or may not, (points,)."""


@dataclass(frozen=True)
class Regime:
    """A case where a theorem's rate has one form: the learner errs about (V/s)^a, and k grows as √Q/ε.

    learner: a. paid: Q. constants: those of k, where Q is not m.
    """

    learner: float
    paid: Paid
    constants: str = "BTT18"

    def logarithms(self, points: pd.DataFrame) -> tuple[Reals, Reals, Reals]:
        """The factors beside the powers, (points,) each: k's, the learner's, and what deviation and γ add to mα in B."""
        m, alpha, gamma = (column(points, name) for name in ("m", "alpha", "gamma"))
        chunks = paid_chunks(points) if self.paid == "m" else CHUNKS[self.constants](points)
        learner = alpha * (column(points, "s") / column(points, "V")) ** self.learner
        L = np.log(m / column(points, "beta"))
        return chunks, learner, (gamma + alpha + np.sqrt((gamma + alpha) * L / (2 * m))) / alpha

    def typical(self, points: pd.DataFrame) -> Reals:
        """The logarithm of what an Õ hides of (V/s)^a, (points,)."""
        chunks, learner, deviation = (np.log(each) for each in self.logarithms(points))
        a = self.learner
        if self.paid == "T":
            return np.asarray((2 * a * chunks + a * learner + a * deviation) / (2 - a))
        return np.asarray(a * chunks)

    def surer(self, points: pd.DataFrame) -> Reals:
        """The logarithm of what the bound has more than (V/s)^a, (points,): the learner's confidence, and the deviation.

        While T = 1 what is printed is the learner's α alone.
        """
        _, learner, deviation = (np.log(each) for each in self.logarithms(points))
        return np.asarray(learner if self.paid == "one" else learner + deviation)
