"""The baselines that pay for every query: the noise that (ε, δ) allows on m queries, the least k, and the ε really spent.

Each is right on every query where at least 2k/3 of the k votes agree, with probability 1 − β over all m, by the union of a
chance of β/m each. The k is what that takes over two labels, where the winner leads by a gap of at least k/3. Over c labels
the tails are convex, so that the worst others have all of their k/3 votes on one label; the c − 2 labels without any add at
most (c − 2) times the tail at 2k/3, which is smaller than (β/m)².

Advanced composition is DR14 Corollary 3.21 unless Theorem 3.20, which that simplifies, is named.
"""

from collections.abc import Callable
from math import e, log, sqrt
from typing import Protocol

from scipy.special import lambertw, ndtri

from harness.theory.parameters import Task
from harness.theory.privacy.composition import advanced_share, compose_laplace, sharper_share
from harness.theory.privacy.gaussian import gaussian_eps, gaussian_mu
from harness.theory.privacy.gnmax import renyi_rate


class Baseline(Protocol):
    """A mechanism's accounting. name: the mechanism's. source: paper and number."""

    name: str
    source: str

    def scale(self, task: Task) -> float:
        """The scale of its noise, in votes."""

    def chunks(self, task: Task) -> float:
        """The least k, before rounding up."""

    def spent(self, task: Task) -> float:
        """An ε' at which all m answers are certainly (ε', δ)-DP, by exact accounting; at most ε."""


class NoisyMajority:
    """sign(ct(1) − ct(0) + Lap(2/ε₀)): one changed vote moves the gap by 2. P(Lap(2/ε₀) > k/3) = ½e^{−kε₀/6} = β/m."""

    def __init__(self, name: str, source: str, share: Callable[[float, int, float], float]) -> None:
        self.name, self.source, self._share = name, source, share

    def share(self, task: Task) -> float:
        """ε₀, which a query may spend."""
        return self._share(task.eps, task.m, task.delta)

    def scale(self, task: Task) -> float:
        return 2 / self.share(task)

    def chunks(self, task: Task) -> float:
        return 6 / self.share(task) * log(task.m / (2 * task.beta))

    def spent(self, task: Task) -> float:
        return compose_laplace(self.share(task), task.m, task.delta)


class ReportNoisyMax:
    """argmax_r ct(r) + Lap(2/ε₀): one changed vote moves two counts by 1.

    P(Lap(b) − Lap(b) > yb) = ½(1 + y/2)e^{−y} = β/m, at k = 3yb: −(y + 2) is the lower branch of Lambert's W.
    """

    name = "report_noisy_max"
    source = "DR14 Claim 3.9 and Corollary 3.21"

    def scale(self, task: Task) -> float:
        return 2 / advanced_share(task.eps, task.m, task.delta)

    def chunks(self, task: Task) -> float:
        tail = min(task.beta / task.m, 0.5)
        return 3 * self.scale(task) * (-2 - float(lambertw(-4 * tail / e**2, k=-1).real))

    def spent(self, task: Task) -> float:
        """Both counts' noises compose: 2m Laplace mechanisms of sensitivity 1."""
        return compose_laplace(1 / self.scale(task), 2 * task.m, task.delta)


class StabPerQuery:
    """A_stab (BTT18 Algorithm 1) on each query, (ε₀, δ₀)-DP with δ₀ = δ/(2m), and the other half of δ for the composition.

    dist = ⌈gap/2⌉ − 1, of sensitivity 1, is released if dist + Lap(1/ε₀) > Γ = ln(2m/δ)/ε₀. At k = 6(a + 1) it is at least a
    where 2k/3 votes agree, and P(Lap(1/ε₀) ≤ Γ − a) = ½e^{−(a−Γ)ε₀} = β/m.
    """

    name = "A_stab_per_query"
    source = "BTT18 Theorem 2.4 with DR14 Corollary 3.21"

    def scale(self, task: Task) -> float:
        return 1 / advanced_share(task.eps, task.m, task.delta / 2)

    def threshold(self, task: Task) -> float:
        """Γ."""
        return self.scale(task) * log(2 * task.m / task.delta)

    def chunks(self, task: Task) -> float:
        beyond = max(0.0, log(task.m / (2 * task.beta)))
        return 6 * (self.threshold(task) + self.scale(task) * beyond + 1)

    def spent(self, task: Task) -> float:
        """Winners differ only at distance 0 on both tables, where the label is released with probability δ₀/2."""
        return compose_laplace(1 / self.scale(task), task.m, task.delta - task.delta / 4)


class Gaussian:
    """sign(ct(1) − ct(0) + N(0, σ²)), σ by the exact curve of m such mechanisms of sensitivity 2. Φ(−k/3σ) = β/m."""

    name = "gaussian"
    source = "Balle, Wang 2018 Theorem 8"

    def scale(self, task: Task) -> float:
        return 2 * sqrt(task.m) / gaussian_mu(task.eps, task.delta)

    def chunks(self, task: Task) -> float:
        return -3 * self.scale(task) * float(ndtri(task.beta / task.m))

    def spent(self, task: Task) -> float:
        return gaussian_eps(2 * sqrt(task.m) / self.scale(task), task.delta)


class GNMax:
    """argmax_r ct(r) + N(0, σ²), σ by its Rényi DP. The noises of two counts differ by N(0, 2σ²): Φ(−k/(3√2σ)) = β/m."""

    name = "GNMax"
    source = "Papernot et al. 2018"

    def rate(self, task: Task) -> float:
        """m/σ², the ρ that spends (ε, δ)."""
        return renyi_rate(task.eps, task.delta)

    def scale(self, task: Task) -> float:
        return sqrt(task.m / self.rate(task))

    def chunks(self, task: Task) -> float:
        return -3 * sqrt(2) * self.scale(task) * float(ndtri(task.beta / task.m))

    def spent(self, task: Task) -> float:
        """By the exact curve: two counts move by 1 each, a shift of √2 a query."""
        return gaussian_eps(sqrt(2 * self.rate(task)), task.delta)


class ConfidentGNMax(GNMax):
    """GNMax after a test: max_r ct(r) + N(0, σ₁²) ≥ 7k/12, half way between a split vote and two thirds.

    Where 2k/3 agree the test fails with probability Φ(−k/12σ₁) and the answer is wrong with probability Φ(−k/(3√2σ)). With
    σ = 2√2 σ₁ both are Φ(−z), z = Φ⁻¹(1 − β/2m) at the least k; to divide β/m otherwise would save less than 2% of it where
    β/m is below 1/1000.
    The Rényi DP of a query, λ(1/(2σ₁²) + 1/σ²), is 5λ/σ², of which the test takes four fifths: m·5/σ² is the ρ that spends
    exactly (ε, δ) if every query is answered.
    """

    name = "Confident_GNMax"

    def scale(self, task: Task) -> float:
        """σ, of the answers."""
        return sqrt(5 * task.m / self.rate(task))

    def check_scale(self, task: Task) -> float:
        """σ₁, of the test."""
        return self.scale(task) / (2 * sqrt(2))

    def chunks(self, task: Task) -> float:
        return -3 * sqrt(2) * self.scale(task) * float(ndtri(task.beta / (2 * task.m)))


BASELINES: dict[str, Baseline] = {
    baseline.name: baseline
    for baseline in (
        NoisyMajority("noisy_majority", "DR14 Corollary 3.21", advanced_share),
        NoisyMajority("noisy_majority_t320", "DR14 Theorem 3.20", sharper_share),
        ReportNoisyMax(),
        StabPerQuery(),
        Gaussian(),
        GNMax(),
        ConfidentGNMax(),
    )
}
