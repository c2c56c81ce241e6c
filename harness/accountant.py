"""An accountant for sparse vector, GNMax, and what is composed of them: what they spend, and how much noise a budget asks for.

Every function takes the noise that is drawn and returns what it spends, or the reverse. None reads data but those that say so:
`gnmax_data_dependent_rdp` and `confident_gnmax_data_dependent_rdp` take votes, and what they return is itself private.

*Neighbours* are any two data sets on which each query differs by at most `sensitivity`. For GNMax they differ in one teacher's
vote, which is replaced by another. Queries may be chosen adaptively. δ is in (0, 1), or 0 where it says so.
Tolerances are those of the functions of `harness.theory.privacy` that do the work; they hold for ε in [0.1, 10], δ in
[1e-9, 0.1], 10⁵ answers and 10⁷ queries. Real numbers in, real numbers out: noise that is drawn in floating point spends more.

`orders` are the orders above 1 at which Rényi DP is told, (orders,), by default ORDERS, of which there are 61.

All raise InputError for an argument out of its range, and name it.

>>> from harness import accountant
>>> round(accountant.sparse_vector_eps(lam=200, answers=20), 6)
0.2
>>> round(accountant.gnmax_eps(sigma=100, queries=400, delta=1e-6), 3)
1.212
"""

from __future__ import annotations  # so that parameters are shown by the names of their types

from math import inf, isfinite, log, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, logsumexp

from harness.arrays import Ints, Reals
from harness.sweep.errors import InputError
from harness.theory.privacy import stab
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.composition import compose_laplace, compose_pure, pure_share
from harness.theory.privacy.distance import DISTANCES, VALUES
from harness.theory.privacy.gaussian import gaussian_eps as exact_eps
from harness.theory.privacy.gaussian import gaussian_mu
from harness.theory.privacy.gnmax import ORDERS, data_dependent_rdp
from harness.theory.privacy.revealed import compose_revealed, epoch_moment, revealed_shift
from harness.theory.privacy.sparse_vector import epoch_eps
from harness.theory.privacy.spent import certified
from harness.theory.privacy.witness import strongest_witness

__all__ = [
    "ORDERS",
    "a_stab_eps",
    "above_threshold_eps",
    "confident_gnmax_data_dependent_rdp",
    "confident_gnmax_eps",
    "confident_gnmax_rdp",
    "eps_from_rdp",
    "gaussian_eps",
    "gaussian_sigma",
    "gnmax_data_dependent_rdp",
    "gnmax_eps",
    "gnmax_rdp",
    "gnmax_sigma",
    "laplace_eps",
    "pure_eps",
    "sparse_vector_eps",
    "sparse_vector_lam",
    "sparse_vector_least_eps",
    "sparse_vector_rdp",
    "stable_labels_eps",
]


def above_threshold_eps(
    threshold_scale: float, query_scale: float, answers: int, sensitivity: float = 1.0, monotone: bool = False
) -> float:
    """The ε of sparse vector with one threshold for all of its answers: Δ/b₁ + 2cΔ/b₂ (Lyu, Su, Li 2017, Algorithm 7).

    The threshold has noise Lap(b₁) once, each query fresh noise Lap(b₂); it stops after c answers "above". threshold_scale: b₁.
    query_scale: b₂. answers: c. monotone: whether one example moves all queries in one direction; the last
    term is then cΔ/b₂.
    """
    _positive(threshold_scale=threshold_scale, query_scale=query_scale, sensitivity=sensitivity)
    _whole(answers=answers)
    return sensitivity / threshold_scale + (1 if monotone else 2) * answers * sensitivity / query_scale


def sparse_vector_eps(lam: float, answers: int, delta: float = 0.0, sensitivity: float = 1.0) -> float:
    """The ε at δ of a sparse vector whose threshold is drawn anew after every answer that it pays for, `answers` times.

    The threshold has noise Lap(λ), each query Lap(2λ); it stops after so many answers of one kind, be it "above" or "below",
    and those of the other are free. Each spends 2Δ/λ in pure DP (Dwork and Roth 2014, Theorem 3.23), so δ = 0 costs their sum.
    At δ > 0 the smaller of two: the optimal composition of pure mechanisms (Kairouz, Oh, Viswanath 2015), and the Rényi DP of
    thresholds that are given away, `sparse_vector_rdp`.
    """
    _positive(lam=lam, sensitivity=sensitivity)
    _whole(answers=answers)
    if delta == 0:
        return answers * epoch_eps(sensitivity, lam)
    _chance(delta=delta)
    return min(
        compose_pure(epoch_eps(sensitivity, lam), answers, delta), compose_revealed(sensitivity / (2 * lam), answers, delta)
    )


def sparse_vector_lam(eps: float, answers: int, delta: float = 0.0, sensitivity: float = 1.0) -> float:
    """The least noise scale λ at which `sparse_vector_eps` is at most ε. Relative error 1e-9."""
    _positive(eps=eps, sensitivity=sensitivity)
    _whole(answers=answers)
    if delta == 0:
        return epoch_eps(sensitivity, eps / answers)
    _chance(delta=delta)
    return min(epoch_eps(sensitivity, pure_share(eps, answers, delta)), sensitivity / (2 * revealed_shift(eps, answers, delta)))


def sparse_vector_least_eps(lam: float, answers: int, queries: int, delta: float, sensitivity: float = 1.0) -> float:
    """A lower bound on the ε at δ of the mechanism of `sparse_vector_eps`, by an attack of `queries` queries in all.

    The strongest of some fifty attacks, whose chances are found by quadrature: relative error 1e-6. 0 where none shows
    anything. It says how far `sparse_vector_eps` may be from the truth.
    """
    _positive(lam=lam, sensitivity=sensitivity)
    _whole(answers=answers, queries=queries)
    _chance(delta=delta)
    scale = lam / sensitivity
    values = Calibration("", "", VALUES, lam=lambda *arguments: scale, w=lambda *arguments: 0.0, last=lambda T: T)
    return strongest_witness(values, 1.0, delta, queries, answers - 1).eps


def sparse_vector_rdp(lam: float, answers: int, orders: ArrayLike | None = None, sensitivity: float = 1.0) -> Reals:
    """The Rényi DP at each order above 1, (orders,), of the sparse vector of `sparse_vector_eps`.

    It is to be added to that of whatever else a budget pays for.

    The smaller of two, each an answer's times `answers`: that of randomised response of 2Δ/λ, which no pure mechanism exceeds
    (Mironov 2017, Proposition 5; Kairouz, Oh, Viswanath 2015), and that of one answer with a known threshold, to 10⁻³ of it.
    """
    _positive(lam=lam, sensitivity=sensitivity)
    _whole(answers=answers)
    alpha, eps = _orders(orders), epoch_eps(sensitivity, lam)
    losses = alpha * eps, (1 - alpha) * eps  # of e^ε/(1 + e^ε) : 1/(1 + e^ε), either way round
    response = (np.logaddexp(*losses) - np.logaddexp(0, eps)) / (alpha - 1)
    revealed = epoch_moment(alpha, sensitivity / (2 * lam)) / (alpha - 1)
    return np.asarray(answers * np.minimum(response, revealed))


def stable_labels_eps(lam: float, w: float, bottoms: int, delta: float) -> float:
    """The ε at δ of A_binClas's loop: the label of most votes where a noisy test finds it stable, ⊥ elsewhere (BTT18, C4.1).

    The test is distance + Lap(2λ) > w + Lap(λ), with the distance max(0, ⌈gap/2⌉ − 1), gap between the two labels that lead;
    the threshold is drawn anew after each ⊥, and it stops after so many. Infinite where the labels alone may take all of δ.
    """
    _positive(lam=lam)
    _whole(bottoms=bottoms)
    _chance(delta=delta)
    if not isfinite(w):
        raise _refused("w", w, "a number")
    return certified(DISTANCES["corrected"], lam, w, bottoms, delta, sharp=True)


def a_stab_eps(eps: float, delta: float, votes: int, distance: str = "corrected") -> float:
    """The ε′ that one A_stab(ε, δ) really spends at δ, over all neighbouring tables of `votes` votes (BTT18, T2.4, T3.1).

    distance: "printed", max(0, gap − 1); "corrected", max(0, ⌈gap/2⌉ − 1); or "true", the votes that may change before the
    winner does. Infinite where there is no such ε′. Tolerance 1e-12.
    """
    _positive(eps=eps)
    _chance(delta=delta)
    _whole(votes=votes)
    if distance not in DISTANCES:
        raise _refused("distance", distance, f"one of {', '.join(DISTANCES)}")
    return stab.spent(distance, eps, delta, votes % 2)


def pure_eps(eps: float, mechanisms: int, delta: float) -> float:
    """The ε′ at δ of several pure (ε, 0)-DP mechanisms together, the least that holds for all (Kairouz, Oh, Viswanath 2015)."""
    _positive(eps=eps)
    _whole(mechanisms=mechanisms)
    _chance(delta=delta)
    return compose_pure(eps, mechanisms, delta)


def laplace_eps(scale: float, queries: int, delta: float, sensitivity: float = 1.0) -> float:
    """The ε at δ of Laplace noise on several queries, from above, to 5e-5; beyond 10⁴ queries `pure_eps`."""
    _positive(scale=scale, sensitivity=sensitivity)
    _whole(queries=queries)
    _chance(delta=delta)
    return compose_laplace(sensitivity / scale, queries, delta)


def gaussian_eps(sigma: float, queries: int, delta: float, sensitivity: float = 1.0) -> float:
    """The least ε at δ of Gaussian noise on several queries (Balle, Wang 2018; Dong, Roth, Su 2022). Relative error 1e-10."""
    _positive(sigma=sigma, sensitivity=sensitivity)
    _whole(queries=queries)
    _chance(delta=delta)
    return exact_eps(sensitivity * sqrt(queries) / sigma, delta)


def gaussian_sigma(eps: float, queries: int, delta: float, sensitivity: float = 1.0) -> float:
    """The least σ of Gaussian noise at which `gaussian_eps` is ε. Relative error 1e-10."""
    _positive(eps=eps, sensitivity=sensitivity)
    _whole(queries=queries)
    _chance(delta=delta)
    return sensitivity * sqrt(queries) / gaussian_mu(eps, delta)


def gnmax_eps(sigma: float, queries: int, delta: float) -> float:
    """The ε at δ of GNMax, argmax_j (n_j + N(0, σ²)), on several queries, whatever the votes are.

    One vote moves two counts by 1: all counts are a Gaussian mechanism of shift √2 a query, whose curve is exact. The argmax is
    made of them. At most what `gnmax_rdp` converts to.
    """
    return gaussian_eps(sigma, queries, delta, sqrt(2))


def gnmax_sigma(eps: float, queries: int, delta: float) -> float:
    """The σ of GNMax's noise at which `gnmax_eps` is ε. Relative error 1e-10."""
    return gaussian_sigma(eps, queries, delta, sqrt(2))


def gnmax_rdp(sigma: float, queries: int, orders: ArrayLike | None = None) -> Reals:
    """The Rényi DP of GNMax on several queries, λ/σ² each at order λ, (orders,) (Papernot et al. 2018, Proposition 8)."""
    _positive(sigma=sigma)
    _whole(queries=queries)
    return np.asarray(queries * _orders(orders) / sigma**2)


def gnmax_data_dependent_rdp(votes: ArrayLike, sigma: float, orders: ArrayLike | None = None) -> Reals:
    """The Rényi DP of GNMax on these very votes, (orders,): at most `gnmax_rdp`, and far less where teachers agree.

    votes: how many teachers chose each label, (queries, labels), whole numbers. q, the chance of another winner, is at most
    ½ Σ_j erfc((n_top − n_j)/2σ) (Papernot et al. 2018, Proposition 7); the cost at q is that of Theorem 6, with the orders of
    Proposition 10. It depends on the votes, so that it is no guarantee for others, and must not be published as it is.
    """
    _positive(sigma=sigma)
    return np.asarray(data_dependent_rdp(_log_other(_votes(votes), sigma), sigma, _orders(orders)).sum(axis=0))


def confident_gnmax_eps(sigma: float, sigma_check: float, queries: int, answered: int, delta: float) -> float:
    """The ε at δ of Confident-GNMax, whatever the votes are (Papernot et al. 2018, Algorithm 1).

    Each of `queries` is tested by max_j n_j + N(0, σ₁²) against a threshold, and at most `answered` of them by GNMax of σ:
    shifts of 1/σ₁ and √2/σ, whose squares add. sigma_check: σ₁.
    """
    _positive(sigma=sigma, sigma_check=sigma_check)
    _answered(queries, answered)
    _chance(delta=delta)
    return exact_eps(sqrt(queries / sigma_check**2 + 2 * answered / sigma**2), delta)


def confident_gnmax_rdp(
    sigma: float, sigma_check: float, queries: int, answered: int, orders: ArrayLike | None = None
) -> Reals:
    """The Rényi DP of Confident-GNMax, whatever the votes are: λ/(2σ₁²) a test and λ/σ² an answer at order λ, (orders,)."""
    _positive(sigma=sigma, sigma_check=sigma_check)
    _answered(queries, answered)
    return np.asarray((queries / (2 * sigma_check**2) + answered / sigma**2) * _orders(orders))


def confident_gnmax_data_dependent_rdp(
    votes: ArrayLike, answered: ArrayLike, threshold: float, sigma: float, sigma_check: float, orders: ArrayLike | None = None
) -> Reals:
    """The Rényi DP of confident GNMax on these very votes, (orders,): of the tests of all queries, and the answers given.

    votes: (queries, labels). answered: which of them passed the test, (queries,), true or false. threshold: in votes. A test
    has two outcomes; one vote moves its count by 1 where it moves GNMax's by √2, so it costs what GNMax of noise √2σ₁ does.
    """
    _positive(sigma=sigma, sigma_check=sigma_check)
    counts, passed = _votes(votes), np.asarray(answered)
    if passed.shape != counts.shape[:1] or passed.dtype != np.bool_:
        raise _refused("answered", f"of shape {passed.shape} and type {passed.dtype}", f"{len(counts)} of True and False")
    alpha = _orders(orders)
    log_rarer = log_ndtr(-np.abs(counts.max(axis=1) - threshold) / sigma_check)
    tests = data_dependent_rdp(log_rarer, sqrt(2) * sigma_check, alpha).sum(axis=0)
    return np.asarray(tests + data_dependent_rdp(_log_other(counts[passed], sigma), sigma, alpha).sum(axis=0))


def eps_from_rdp(costs: ArrayLike, delta: float, orders: ArrayLike | None = None) -> float:
    """The ε at δ of a mechanism with these Rényi costs, summed over all that was run, at the best of the orders.

    costs: (orders,). ε = cost + ln(1 − 1/λ) − ln(λδ)/(λ − 1) (Canonne, Kamath, Steinke 2020, Proposition 12), at least 0.
    """
    _chance(delta=delta)
    alpha, cost = _orders(orders), np.asarray(costs, dtype=np.float64)
    if cost.shape != alpha.shape or not (cost >= 0).all():
        raise _refused("costs", f"of shape {cost.shape}", f"{len(alpha)} numbers from 0, one an order")
    return max(0.0, float((cost + np.log1p(-1 / alpha) - (log(delta) + np.log(alpha)) / (alpha - 1)).min()))


def _log_other(votes: Ints, sigma: float) -> Reals:
    """ln of Proposition 7's q, (queries,): the winner's own term, ½, is left out, and q is at most that of votes all equal."""
    ordered = np.sort(votes, axis=1)
    leads = ordered[:, -1:] - ordered[:, :-1]
    labels = votes.shape[1]
    return np.asarray(np.minimum(logsumexp(log_ndtr(-leads / (sqrt(2) * sigma)), axis=1), log(1 - 1 / labels)))


def _votes(votes: ArrayLike) -> Ints:
    counts = np.asarray(votes)
    if counts.ndim != 2 or counts.shape[1] < 2 or counts.dtype.kind not in "iu" or (counts < 0).any():
        shape = f"of shape {counts.shape} and type {counts.dtype}"
        raise _refused("votes", shape, "whole numbers from 0, (queries, labels), of two labels at least")
    return counts.astype(np.int64)


def _orders(orders: ArrayLike | None) -> Reals:
    """Those that are asked for, or ORDERS."""
    alpha = ORDERS if orders is None else np.atleast_1d(np.asarray(orders, dtype=np.float64))
    if alpha.ndim != 1 or not (alpha > 1).all() or not np.isfinite(alpha).all():
        raise _refused("orders", orders, "numbers above 1")
    return alpha


def _answered(queries: int, answered: int) -> None:
    _whole(queries=queries)
    if not 0 <= answered <= queries or answered != int(answered):
        raise _refused("answered", answered, f"a whole number from 0 to {queries}")


def _positive(**numbers: float) -> None:
    for name, value in numbers.items():
        if not 0 < value < inf:
            raise _refused(name, value, "a number above 0")


def _whole(**numbers: int) -> None:
    for name, value in numbers.items():
        if not 1 <= value < inf or value != int(value):
            raise _refused(name, value, "a whole number from 1")


def _chance(**numbers: float) -> None:
    for name, value in numbers.items():
        if not 0 < value < 1:
            raise _refused(name, value, "a number between 0 and 1")


def _refused(name: str, value: object, allowed: str) -> InputError:
    return InputError(f"is {value}; allowed: {allowed}", "harness.accountant", key=name)
