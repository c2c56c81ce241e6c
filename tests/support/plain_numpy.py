"""Laws of a few settings as a script of a page would draw them, in numpy alone: of many trials at once.

They import nothing of the program. A trial's votes are told by the types of its queries that some chunk may get wrong: of
which trial each is, (types,), how many queries it has, and how many of the k votes on it are wrong. All other votes are right.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from math import comb, log, log1p, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import log_ndtr, ndtr

Ints = NDArray[np.int64]
Rng = np.random.Generator
LN_2 = log(2)
ORDERS = 1 + np.geomspace(1e-2, 1e4, 61)


@dataclass(frozen=True)
class Votes:
    """trial, size, wrong: see above. most: the most queries that any one chunk gets wrong, (trials,)."""

    trial: Ints
    size: Ints
    wrong: Ints
    most: Ints


def uniform(trials: int, m: int, k: int, s: int, rng: Rng) -> Votes:
    """Thresholds, leftmost: (1 − a)^s is the chance that one errs at a distance a. The nearest queries first."""
    reach = (40 + log(k)) / s
    near = rng.binomial(m, reach, trials)
    trial = np.repeat(np.arange(trials), near)
    distance = reach * rng.random(len(trial))
    errs = np.exp(s * np.log1p(-distance[np.lexsort((distance, trial))]))
    rank = np.arange(len(trial)) - np.repeat(np.cumsum(near) - near, near)
    wrong, left, before = np.empty(len(trial), np.int64), np.full(trials, k), np.ones(trials)
    for each in range(near.max()):
        at = np.flatnonzero(rank == each)
        of = trial[at]
        left[of] = wrong[at] = rng.binomial(left[of], errs[at] / before[of])
        before[of] = errs[at]
    return Votes(trial, np.ones(len(trial), np.int64), wrong, np.bincount(trial, wrong > 0, trials).astype(np.int64))


def hard(trials: int, m: int, k: int, s: int, rng: Rng) -> Votes:
    """Thresholds on a rare atom of mass ln 2/s, which a chunk that has missed it gets wrong."""
    asked = rng.binomial(m, LN_2 / s, trials)
    missed = rng.binomial(k, np.exp(s * log1p(-LN_2 / s)), trials)
    return Votes(np.arange(trials), asked, missed, np.where(missed > 0, asked, 0))


def cube_hard(trials: int, m: int, k: int, s: int, rng: Rng) -> Votes:
    """Three such atoms, of stumps on 8 coordinates: so many chunks have missed each set of them."""
    mass, sets = LN_2 / s, np.array(list(product((0, 1), repeat=3)))
    none = [np.exp(s * log1p(-j * mass)) for j in range(4)]  # of j atoms; and of just those, by inclusion and exclusion
    law = [sum((-1) ** i * comb(3 - j, i) * none[j + i] for i in range(4 - j)) for j in range(4)]
    asked = rng.multinomial(m, [mass, mass, mass, 1 - 3 * mass], trials)[:, :3]
    chunks = rng.multinomial(k, np.array(law)[sets.sum(axis=1)], trials)
    most = np.where(chunks > 0, asked @ sets.T, 0).max(axis=1)
    return Votes(np.repeat(np.arange(trials), 3), asked.ravel(), (chunks @ sets).ravel(), most)


def intervals(trials: int, m: int, k: int, s: int, rng: Rng) -> Votes:
    """Three intervals, leftmost: what a chunk errs beside one boundary, and of those that err so much there, beside the other.

    The gaps beside both are taken to be independent, which at these s they are but for a share of 1/s.
    """
    reach = (40 + log(k)) / s
    near = rng.multinomial(m, [reach, reach, 1 - 2 * reach], trials)[:, :2]
    most, wide = np.zeros(trials, np.int64), int(near.max())
    distance = np.sort(np.where(np.arange(wide) < near[..., np.newaxis], reach * rng.random((trials, 2, wide)), np.inf))
    errs = np.exp(s * np.log1p(-np.minimum(distance, 1 - 1e-16))) * (distance < 1)
    wrong = np.zeros((trials, 2, wide + 1), np.int64)
    left = np.full(trials, k)  # chunks that err on the first i queries beside the first boundary
    for i in range(wide + 1):
        on = chain(left, errs[:, 0], i, rng) if i < wide else np.zeros(trials, np.int64)
        alike, wrong[:, 0, i] = left - on, on  # just i of them
        for j in range(wide + 1):
            most = np.where(alike > 0, np.maximum(most, i + j), most)
            if j < wide and alike.any():
                alike = chain(alike, errs[:, 1], j, rng)
                wrong[:, 1, j] += alike
        left = on
    trial, beside, rank = np.nonzero(distance < 1)
    return Votes(trial, np.ones(len(trial), np.int64), wrong[trial, beside, rank], most)


def chain(count: Ints, errs: NDArray[np.float64], rank: int, rng: Rng) -> Ints:
    """Of so many chunks, (trials,), that err on the queries before a rank, those that err on that one too."""
    before = errs[:, rank - 1] if rank else np.ones(len(count))
    return rng.binomial(count, np.divide(errs[:, rank], before, out=np.zeros(len(count)), where=before > 0))


def with_the_others(votes: Votes, m: int) -> Votes:
    """And in each trial as a type those queries that no chunk gets wrong."""
    trials = len(votes.most)
    others = m - np.bincount(votes.trial, votes.size, trials).astype(np.int64)
    trial, size = np.append(votes.trial, np.arange(trials)), np.append(votes.size, others)
    return Votes(trial, size, np.append(votes.wrong, np.zeros(trials, np.int64)), votes.most)


def losing(name: str, votes: Votes, k: int, plan: Mapping[str, float], rng: Rng) -> tuple[Ints, Ints]:
    """By types, answers of the label that did not win, and ⊥s."""
    gap, top, none = np.abs(k - 2 * votes.wrong), np.maximum(votes.wrong, k - votes.wrong), np.zeros_like(votes.size)
    if name == "noisy_majority":
        return rng.binomial(votes.size, np.exp(-gap * plan["eps0"] / 2) / 2), none
    if name == "gaussian":
        return rng.binomial(votes.size, ndtr(-gap / plan["sigma"])), none
    if name == "Confident_GNMax":
        none = rng.binomial(votes.size, ndtr((plan["threshold"] - top) / plan["sigma_check"]))
    return rng.binomial(votes.size - none, ndtr(-gap / (np.sqrt(2) * plan["sigma"]))), none


def sparse_vector(votes: Votes, k: int, plan: Mapping[str, float], trials: int, rng: Rng) -> tuple[Ints, NDArray[np.float64]]:
    """⊥s of A_binClas by types, and a trial's chance of an error on a fresh query, a ⊥ being a coin.

    None reaches its cutoff. Of a type, queries that are ⊥ at the highest of twenty thresholds are told apart, each with a time.
    """
    lam, w, distance = plan["lam"], plan["w"], np.maximum(np.abs(k - 2 * votes.wrong) - 1, 0)
    in_effect = w + rng.laplace(0, lam, trials)
    high = np.maximum(in_effect, w + 20 * lam)[votes.trial]
    x = (distance - high) / (2 * lam)
    below = np.where(x > 0, np.exp(-np.abs(x)) / 2, 1 - np.exp(-np.abs(x)) / 2)
    type_ = np.repeat(np.arange(len(distance)), rng.binomial(votes.size, below))
    chance = below[type_] * rng.random(len(type_))
    noise = np.where(chance < 0.5, np.log(2 * chance), -np.log(2 * (1 - chance)))
    noisy, of = distance[type_] + 2 * lam * noise, votes.trial[type_]
    order = np.lexsort((rng.random(len(of)), of))
    type_, of, noisy = type_[order], of[order], noisy[order]
    rank, bottoms = np.arange(len(of)) - np.searchsorted(of, of), np.zeros_like(votes.size)
    for each in range(rank.max(initial=-1) + 1):
        at = np.flatnonzero(rank == each)
        at = at[noisy[at] <= in_effect[of[at]]]
        np.add.at(bottoms, type_[at], 1)
        in_effect[of[at]] = w + rng.laplace(0, lam, len(at))
    y = np.exp(-np.abs(distance - w) / (2 * lam))
    passes = np.where(distance >= w, 1 - y * (4 - y) / 6, y * (4 - y) / 6)
    error = (1 - passes) / 2 + passes * (2 * votes.wrong > k)
    return bottoms, np.bincount(votes.trial, votes.size * error, trials).astype(np.float64)


def theorem_6(log_q: NDArray[np.float64], sigma: float) -> NDArray[np.float64]:
    """GNMax's Rényi DP at ORDERS, (j, 61), where all but the likeliest outcome have chance q (Papernot et al. 2018)."""
    log_q = log_q[:, np.newaxis]
    with np.errstate(all="ignore"):  # outside of what it is for
        mu = sigma * np.sqrt(-log_q)
        eps_1, eps_2 = (mu + 1) / sigma**2, mu / sigma**2
        few = log_q <= (mu - 1) * eps_2 - mu * (np.log1p(1 / mu) + np.log1p(1 / (mu - 1)))
        a = np.log1p(-np.exp(log_q)) - np.log(-np.expm1((log_q + eps_2) * (1 - 1 / mu)))
        b = eps_1 - log_q / mu
        cost = np.logaddexp(np.log1p(-np.exp(log_q)) + (ORDERS - 1) * a, log_q + (ORDERS - 1) * b) / (ORDERS - 1)
    plain = ORDERS / sigma**2
    return np.where((mu > 1) & (mu + 1 >= ORDERS) & (log_q + eps_2 < 0) & few, np.minimum(cost, plain), plain)


def spent_by_votes(name: str, votes: Votes, bottoms: Ints, m: int, k: int, plan: Mapping[str, float]) -> NDArray[np.float64]:
    """The ε that the answers cost at δ by an accounting that looks at the votes, (trials,), and no more than without."""
    sigma, trials = plan["sigma"], len(votes.most)

    def cost(number: Ints, lead: NDArray[np.number], scale: float, others: float, noise: float) -> NDArray[np.float64]:
        leads, place = np.unique(lead, return_inverse=True)
        by_trial = csr_array((number, (votes.trial, place)), shape=(trials, len(leads)))
        log_q = np.minimum(log_ndtr(-leads / scale) + log(others), log(others / (others + 1)))
        total: NDArray[np.float64] = by_trial @ theorem_6(log_q, noise)
        return total

    gap = np.abs(k - 2 * votes.wrong)
    costs, rate = cost(votes.size - bottoms, gap, sqrt(2) * sigma, plan["labels"] - 1, sigma), m / sigma**2
    if name == "Confident_GNMax":
        check = plan["sigma_check"]
        margin = np.abs(np.maximum(votes.wrong, k - votes.wrong) - plan["threshold"])
        costs, rate = costs + cost(votes.size, margin, check, 1, sqrt(2) * check), 5 * rate
    delta = log(1 / plan["delta"])
    spent: NDArray[np.float64] = np.minimum((costs + delta / (ORDERS - 1)).min(axis=1), rate + 2 * sqrt(rate * delta))
    return spent


def columns(
    votes: Votes, name: str, m: int, k: int, plan: Mapping[str, float], rng: Rng, accounted: bool = False
) -> dict[str, NDArray[np.number]]:
    """What a row has of a trial, (trials,) each. accounted: with what GNMax's answers cost by the votes."""
    trials = len(votes.most)
    votes = with_the_others(votes, m)
    if name == "A_binClas":
        bottoms, fresh = sparse_vector(votes, k, plan, trials, rng)
        lost = np.zeros_like(bottoms)
    else:
        lost, bottoms = losing(name, votes, k, plan, rng)
        fresh = np.zeros(trials)
    mistaken = np.where(2 * votes.wrong > k, votes.size - bottoms - lost, lost)
    unstable = 3 * votes.wrong > k

    def number(values: Ints) -> Ints:
        return np.bincount(votes.trial, values, trials).astype(np.int64)

    misclassified, unstable_count = number(bottoms + mistaken), number(votes.size * unstable)
    return {
        "bottoms": number(bottoms),
        "wrong": number(mistaken),
        "misclassified": misclassified,
        "misclassification_rate": misclassified / m,
        "unstable": unstable_count,
        "stable_failed": number(np.where(unstable, 0, bottoms + mistaken)),
        "max_mistakes": votes.most,
        "share_of_3B": np.where(votes.most > 0, unstable_count / np.maximum(3 * votes.most, 1), np.nan),
        "fresh_error": fresh / m,
    } | ({"eps_data_dependent": spent_by_votes(name, votes, bottoms, m, k, plan)} if accounted else {})


LAWS: Mapping[str, Callable[[int, int, int, int, Rng], Votes]] = {
    "thresholds-uniform": uniform,
    "thresholds-hard": hard,
    "cube_stumps-hard": cube_hard,
    "intervals-uniform": intervals,
}
