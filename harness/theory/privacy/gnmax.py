"""Rényi DP of GNMax and Confident-GNMax (Papernot, Song, Mironov, Raghunathan, Talwar, Erlingsson 2018).

GNMax answers argmax_j (n_j + N(0, σ²)); one changed vote moves two counts by 1, so it costs λ/σ² at order λ, whatever the votes
are (Proposition 8). The confident variant first asks whether max_j n_j + N(0, σ₁²) reaches a threshold, at λ/(2σ₁²). On m
queries all of this is a rate ρ times λ, and (ε, δ)-DP follows with ε = ρλ + ln(1/δ)/(λ−1) at the best λ > 1.

Where the votes nearly all agree the cost on these very votes is far less (Theorem 6). Such a cost depends on the votes: it is
no guarantee for other votes, and it is itself private.
"""

from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import log_ndtr

from harness.arrays import Bools, Ints, Reals

ORDERS = 1 + np.geomspace(1e-2, 1e4, 61)
"""The orders λ that a data-dependent cost is minimised over: of neighbouring λ − 1 one is within 13% of the best, (61,)."""

FINE = 256  # leads are told apart to σ/256: enough for four digits, and few enough for milliseconds


def renyi_eps(rate: float, delta: float) -> float:
    """The ε at δ of a mechanism of Rényi DP ρλ at every order λ: min_λ ρλ + ln(1/δ)/(λ−1) = ρ + 2√(ρ ln(1/δ))."""
    return rate + 2 * sqrt(rate * log(1 / delta))


def renyi_rate(eps: float, delta: float) -> float:
    """The ρ at which a mechanism of Rényi DP ρλ at every order λ spends exactly (ε, δ): the inverse of renyi_eps."""
    root = sqrt(log(1 / delta))
    return (eps / (root + sqrt(root**2 + eps))) ** 2


def data_dependent_eps(costs: Reals, rate: float, delta: float) -> Reals | float:
    """The ε at δ of Rényi costs at ORDERS, (61,) or (trials, 61), of the votes seen; never above `renyi_eps` at the rate ρ."""
    eps: Reals | float = np.minimum((costs + log(1 / delta) / (ORDERS - 1)).min(axis=-1), renyi_eps(rate, delta))
    return eps


@dataclass(frozen=True)
class Standing:
    """The trials of a block whose Rényi costs are computed, and which of them stands in for each other trial of equal cost.

    types: which types are of them, (types,). trial: of which each of these is; None where there is one. trials: how many there
    are. stand_in: which one stands for each trial, (all trials,); None where there is one.
    """

    types: Bools
    trial: Ints | None
    trials: int
    stand_in: Ints | None

    def spread(self, values: Reals | float) -> Reals | float:
        """The values of all trials, from the values of the trials that stand for all."""
        return values if self.stand_in is None else np.asarray(np.asarray(values)[self.stand_in])


def standing(trial: Ints | None, trials: int, sizes: Ints, *columns: NDArray[np.number]) -> Standing:
    """Chooses the trials whose Rényi costs need computing: of those known to cost the same, the first alone; see `Standing`.

    columns: of each type, what its cost depends on beside its size, (types,).

    Trials have as many queries each. Where all of one say the same as those of the largest type, the first such stands for it.
    """
    if trial is None:
        return Standing(np.ones(len(sizes), dtype=np.bool_), None, 1, None)
    largest, differs = sizes.argmax(), np.zeros(len(sizes), dtype=np.bool_)
    for column in columns:
        differs |= column != column[largest]
    stands = np.zeros(trials, dtype=np.bool_)
    stands[trial[differs & (sizes > 0)]] = True
    alike = np.flatnonzero(~stands)
    stands[alike[:1]] = True
    number = np.cumsum(stands) - 1
    number[alike] = number[alike[:1]]
    types = stands[trial]
    return Standing(types, number[trial[types]], int(np.count_nonzero(stands)), number)


def answers_cost(gaps: Ints, sizes: Ints, sigma: float, labels: int, trial: Ints | None = None, trials: int = 1) -> Reals:
    """The Rényi costs at ORDERS, (61,) or by trial, of GNMax's answers to sizes[i] queries with gaps[i] between the top counts.

    Proposition 7 has q ≤ ½ Σ_j erfc(lead_j / 2σ); here each of the other labels, at least one, counts with the least lead, the
    gap. Gaps are rounded down to σ/256 where that is more than a vote, which can only raise the cost. trial: of each of them,
    (types,); None where there is one.
    """
    gap, times = _distinct(gaps, sizes, sigma, trial, trials)
    log_q = np.minimum(log_ndtr(-gap / (sqrt(2) * sigma)) + log(labels - 1), log(1 - 1 / labels))
    return np.asarray(times @ data_dependent_rdp(log_q, sigma))


def check_cost(top: Ints, sizes: Ints, threshold: float, sigma: float, trial: Ints | None = None, trials: int = 1) -> Reals:
    """The Rényi costs at ORDERS of Confident-GNMax's test top[i] + N(0, σ²) ≥ threshold on sizes[i] queries of each type.

    q is the chance of its less likely outcome. One changed vote moves the top count by 1, where it moves GNMax's counts by √2:
    so it is GNMax of noise √2σ.
    """
    margin, times = _distinct(np.abs(top - threshold), sizes, sigma, trial, trials)
    return np.asarray(times @ data_dependent_rdp(log_ndtr(-margin / sigma), sqrt(2) * sigma))


def _distinct(
    leads: NDArray[np.number], sizes: Ints, sigma: float, trial: Ints | None, trials: int
) -> tuple[Reals, Reals | csr_array]:
    """The leads that there are, and how many queries have each of them: in one trial, or by trial."""
    unit = sigma / FINE
    rounded = np.floor(leads / unit) * unit if unit > 1 else leads.astype(np.float64)
    lead, place = np.unique(rounded, return_inverse=True)
    if trial is None:
        return lead, np.bincount(place, sizes).astype(np.float64)
    places, entry = np.unique(trial * len(lead) + place, return_inverse=True)
    begins = np.searchsorted(places, np.arange(trials + 1) * len(lead))
    return lead, csr_array((np.bincount(entry, sizes), places % len(lead), begins), shape=(trials, len(lead)))


def data_dependent_rdp(log_q: Reals, sigma: float, orders: Reals = ORDERS) -> Reals:
    """The Rényi DP of GNMax, (j, orders), on votes whose outcomes but the likeliest have a chance of at most q (Theorem 6).

    log_q: (j,), below 0. orders: (orders,), above 1. Returns (j, orders), never above the data-independent λ/σ². With
    μ₂ = σ√(ln(1/q)) and μ₁ = μ₂ + 1 (Proposition 10) and the data-independent ε_i = μ_i/σ², it is
    1/(λ−1) · ln((1−q) A^{λ−1} + q B^{λ−1}), A = (1−q)/(1 − (q e^{ε₂})^{(μ₂−1)/μ₂}), B = e^{ε₁}/q^{1/(μ₁−1)}, where
    μ₁ ≥ λ, μ₂ > 1, q e^{ε₂} < 1 and q ≤ e^{(μ₂−1)ε₂} / (μ₁/(μ₁−1) · μ₂/(μ₂−1))^{μ₂}, within which it grows with q.
    """
    log_q = np.maximum(log_q, -1e200)[:, np.newaxis]  # of which the cost is 0 to the last digit
    mu_2 = sigma * np.sqrt(-log_q)
    beyond = np.maximum(mu_2, 1 + 1e-9)  # elsewhere the theorem is silent, and its formulas have poles
    mu_1, eps_1, eps_2 = beyond + 1, (beyond + 1) / sigma**2, beyond / sigma**2
    rises = log_q <= (beyond - 1) * eps_2 - beyond * (np.log1p(1 / beyond) + np.log1p(1 / (beyond - 1)))
    applies = (mu_1 >= orders) & (log_q + eps_2 < 0) & rises  # of which the second says that μ₂ > 1
    log_likeliest = np.log1p(-np.exp(log_q))
    log_shrunk = np.minimum((log_q + eps_2) * (1 - 1 / beyond), -1e-300)
    log_a, log_b = log_likeliest - np.log(-np.expm1(log_shrunk)), eps_1 - log_q / beyond
    cost = np.logaddexp(log_likeliest + (orders - 1) * log_a, log_q + (orders - 1) * log_b) / (orders - 1)
    plain = orders / sigma**2
    return np.where(applies, np.clip(cost, 0, plain), plain)
