"""Averages that keep within α of those of the rows, and are moved by as much where a tracing attack then sees least.

No privacy. What an accurate mechanism can do against the attack of BCMNUW20 Theorem 14 without knowing the biases: the means
of all private rows' scores is Σ q_i n (z̄_i − E[μ_i | rows])/n on average, and a fresh row's score has a deviation of about
√Σ q_i². Of all q within α of the rows' averages those that make the quotient least are found here.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import log_ndtr, ndtr

from harness.arrays import Reals, Shared
from harness.mechanisms import Mechanism
from harness.registry import parts

FAR = -30.0
"""In deviations: so far off, a normal number that is cut off is at the end but for the inverse of its distance."""

TILTS = np.concatenate([[0.0], np.geomspace(0.03, 30, 12)])


@dataclass(frozen=True)
class Averages(Shared):
    """The averages of rows of ±1, (p,) each. private: of n private rows. public: of m public rows, of no meaning where m = 0.

    largest: biases are uniform on [−largest, largest]. counts: how many coordinates each stands for, (p,); by default one.
    """

    private: Reals
    n: int
    public: Reals
    m: int
    largest: float
    counts: Reals | float = 1.0

    @property
    def all(self) -> Reals:
        """The averages of all rows."""
        return (self.n * self.private + self.m * self.public) / (self.n + self.m)

    def residuals(self) -> Reals:
        """n(z̄ − E[μ | rows]) of the private averages z̄: μ is nearly normal around the averages of all, cut off at ±largest."""
        centre, spread = self.all, np.sqrt(np.maximum(1 - self.all**2, 1e-3) / (self.n + self.m))
        low, high = (-self.largest - centre) / spread, (self.largest - centre) / spread
        return self.n * (self.private - centre - spread * _cut_mean(low, high))


def _cut_mean(low: Reals, high: Reals) -> Reals:
    """The mean of a standard normal number given that it is between two."""
    flip = low > 0  # the tail that has digits
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    inside = np.log(np.maximum(ndtr(high) - ndtr(low), 0) + 1e-300)
    far = high < -5
    inside[far] = log_ndtr(high[far])
    density = [np.exp(np.minimum(-np.minimum(end * end, 1400) / 2 - inside, 700)) for end in (low, high)]
    mean = np.clip((density[0] - density[1]) / sqrt(2 * np.pi), np.maximum(low, -1e6), np.minimum(high, 1e6))
    mean = np.where(high < FAR, high + 1 / np.minimum(high, FAR), mean)
    return np.asarray(np.where(flip, -mean, mean))


class Rounding(Mechanism):
    """The base of mechanisms without privacy that answer from the averages of all rows, within α of them."""

    private = False

    @abstractmethod
    def answers(self, averages: Averages, alpha: float) -> Reals:
        """q, as ±1 and within alpha of the averages of all rows, but for what is beyond ±1, (p,)."""


class AllAverages(Rounding):
    """The averages of all rows as they are, without privacy."""

    name = "all_averages"
    source = "no privacy, for comparison"
    legend = "averages of all rows"

    def answers(self, averages: Averages, alpha: float) -> Reals:
        return averages.all


class GridAverages(Rounding):
    """The averages of all rows, each rounded to the nearest odd multiple of α, without privacy."""

    name = "grid_averages"
    source = "not in the papers: the plainest rounding that keeps within α"
    legend = "averages rounded to odd multiples of α"

    def answers(self, averages: Averages, alpha: float) -> Reals:
        return np.asarray(np.clip(alpha * (2 * np.floor(averages.all / (2 * alpha)) + 1), -1, 1))


class RoundedAverages(Rounding):
    """The averages of all rows, each moved by ±α so that a tracing attack sees least; without privacy.

    For every tilt λ ≥ 0, q = z̄ ± α with the sign of λz̄ − residual, and of these the one with the least quotient.

    The pairs (Σ q_i residual_i, Σ q_i²) that q can have are convex but for one coordinate of p (Shapley and Folkman), and these
    q are the corners of that set; so nothing within α of the averages has a smaller quotient, but for a share of order 1/p.
    """

    name = "rounded_averages"
    source = "not in the papers: the least expected score of private rows that keeps within α"
    legend = "averages moved by α to hide rows"

    def answers(self, averages: Averages, alpha: float) -> Reals:
        centre, residuals = averages.all, averages.residuals()
        counts = averages.counts
        scale = sqrt(float(counts * residuals @ residuals) / max(float(counts * centre @ centre), 1e-300))
        corners = (np.clip(centre + alpha * np.sign(tilt * scale * centre - residuals), -1, 1) for tilt in TILTS)
        return min(corners, key=lambda q: float(counts * q @ residuals) / sqrt(float(counts * q @ q)))


def roundings() -> Mapping[str, Rounding]:
    """All registered mechanisms that move or round averages without privacy, by name."""
    return parts("mechanism", Rounding)


MECHANISM = (AllAverages(), GridAverages(), RoundedAverages())
