"""A_sparseVec: which of a stream of values exceed a threshold, paying only for those that do not (BTT18a Algorithm 1).

The values come by types, in a random order: give each query an arrival time, uniform on [0, 1]. A query can be ⊥ only if its
noisy value is at most the highest threshold that is ever in effect. Only such queries, the candidates, are drawn one by one;
of the others it matters how many arrive before a halt.

The printed loop keeps one noisy threshold ŵ until the next ⊥ and then redraws it. Here each candidate owns the threshold that
would be drawn if it were ⊥. Only one draw is ever used between two ⊥s, so the law is the printed one; but a decision now
depends on the past only through the last ⊥, not through how many there were, and the loop can be vectorised: guess the ⊥s,
look up the threshold that the guess puts in effect at each candidate, decide again, until nothing changes. The i-th decision is
right after i rounds at the latest, and in fact sooner: two guesses that meet in one ⊥ agree from there on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import floor, log

import numpy as np

from harness.arrays import Bools, Ints, Reals
from harness.mechanisms.noise import binomial, laplace
from harness.theory.privacy.laplace import tail, upper_quantile

TINY = 1e-300  # in place of a chance of 0 that something divides
BLOCK = 1 << 12  # candidates settled at a time: enough to vectorise, few enough for tens of rounds
FEW = 1 << 9  # candidates that are settled sooner one by one


@dataclass(frozen=True)
class Stream:
    """The outcome. bottoms: (types,), how many of each type are ⊥. unanswered: (types,), how many come after the halt."""

    bottoms: Ints
    unanswered: Ints


@dataclass(frozen=True)
class Candidates:
    """Queries that may be ⊥, in the order of their arrival: their types, times, noisy values, and the thresholds they own.

    drawn: the place of each in the order in which they were drawn, and were given their thresholds.
    """

    type: Ints
    when: Reals
    noisy: Reals
    owned: Reals
    drawn: Ints

    def counted(self, which: slice | Ints, types: int) -> Ints:
        """How many of these are of each type, (types,)."""
        return np.bincount(self.type[which], minlength=types)


def a_sparse_vec(values: Ints | Reals, sizes: Ints, lam: float, w: float, T: float, rng: np.random.Generator) -> Stream:
    """Run A_sparseVec on sizes[i] values values[i], (types,), in random order; all in units of the values.

    lam: the noise scale λ. w: the threshold. T: the cutoff; the loop runs while c ≤ T, so it lets ⌊T⌋ + 1 ⊥s out before it
    halts.
    """
    types, allowed = len(values), floor(T) + 1
    in_effect = w + float(laplace(lam, 1, rng)[0])
    left, bottoms = sizes, np.zeros(types, dtype=np.int64)
    while True:
        share = share_of_time(values, left, lam, w, in_effect)
        arriving = left if share == 1 else binomial(left, share, rng)
        left = left - arriving
        found = reveal(values, arriving, in_effect, lam, lambda type_: w + laplace(lam, len(type_), rng), rng)
        settled = settle(found.noisy, in_effect, found.owned, allowed)
        bottoms += found.counted(settled, types)
        allowed -= len(settled)
        if not allowed:
            last = int(settled[-1])
            quiet = arriving - found.counted(slice(None), types)  # neither ⊥ nor in danger of it
            later = binomial(quiet, 1 - float(found.when[last]), rng) + found.counted(slice(last + 1, None), types)
            return Stream(bottoms, left + later)
        if not left.any():
            return Stream(bottoms, left)
        in_effect = float(found.owned[settled[-1]]) if len(settled) else in_effect


def in_order(values: Ints | Reals, lam: float, w: float, T: float, rng: np.random.Generator) -> Ints:
    """The same on values, (m,), that are asked in this order: the indices of the ⊥s."""
    first = w + float(laplace(lam, 1, rng)[0])
    noisy = values + laplace(2 * lam, len(values), rng)
    return scan(noisy, first, lambda indices: w + laplace(lam, len(indices), rng), floor(T) + 1)


def scan(noisy: Reals, first: float, redraw: Callable[[Ints], Reals], allowed: int) -> Ints:
    """The loop on given noise in a given order: the indices of the ⊥s, until there are so many.

    noisy: (m,). first: the first noisy threshold. redraw: gives the thresholds that queries own, asked once for each query that
    may be ⊥: as in `reveal`, up to the highest threshold known.
    """
    candidates = np.flatnonzero(noisy <= first)
    owned = redraw(candidates)
    low, reach = first, max(first, owned.max(initial=first))
    while reach > low:
        new = np.flatnonzero((noisy > low) & (noisy <= reach))
        fresh = redraw(new)
        candidates, owned = np.concatenate([candidates, new]), np.concatenate([owned, fresh])
        low, reach = reach, max(reach, fresh.max(initial=reach))
    order = np.argsort(candidates)
    bottoms: Ints = candidates[order][settle(noisy[candidates[order]], first, owned[order], allowed)]
    return bottoms


def settle(noisy: Reals, first: float, owned: Reals, allowed: int) -> Ints:
    """The loop on given noise: which candidates are ⊥, in order, until so many are.

    noisy: (candidates,). first: the threshold in effect at the beginning. owned: (candidates,), the thresholds that are drawn
    after them. A candidate is ⊥ where its noisy value is at most the threshold in effect.
    """
    if len(noisy) <= FEW:
        return _one_by_one(noisy, first, owned, allowed)
    settled: list[Ints] = [np.empty(0, dtype=np.int64)]
    for start in range(0, len(noisy), BLOCK):
        block = slice(start, start + BLOCK)
        bottom = start + np.flatnonzero(_decide(noisy[block], first, owned[block]))
        if len(bottom):
            settled.append(bottom[:allowed])
            first, allowed = float(owned[bottom[-1]]), allowed - len(settled[-1])
        if not allowed:
            break
    return np.concatenate(settled)


def _one_by_one(noisy: Reals, in_effect: float, owned: Reals, allowed: int) -> Ints:
    """`settle` as it is printed."""
    bottoms: list[int] = []
    for place, value in enumerate(noisy.tolist()):
        if value <= in_effect:
            bottoms.append(place)
            if len(bottoms) == allowed:
                break
            in_effect = owned[place]
    return np.array(bottoms, dtype=np.int64)


def _decide(noisy: Reals, first: float, owned: Reals) -> Bools:
    """Which candidates of a block are ⊥, when it begins with `first` in effect."""
    thresholds, bottom = np.append(first, owned), noisy <= first
    while True:
        decided: Bools = noisy <= thresholds[_last_bottom(bottom)]
        if (decided == bottom).all():
            return decided
        bottom = decided


def _last_bottom(bottom: Bools) -> Ints:
    """For each position, 1 + the position of the last ⊥ before it, or 0 if there is none."""
    latest = np.zeros(len(bottom) + 1, dtype=np.int64)
    np.maximum.accumulate(np.arange(1, len(bottom) + 1) * bottom, out=latest[1:])
    return latest[:-1]


def share_of_time(values: Ints | Reals, left: Ints, lam: float, w: float, in_effect: float) -> float:
    """The share of the time left in which about a block of candidates arrives, but for types of one query."""
    many = left > 1
    if not many.any():
        return 1.0
    high = max(in_effect, w + lam * log(BLOCK))  # as high as the thresholds of a block of candidates are
    expected = float(left[many] @ _below(values[many], high, lam))
    return min(1.0, BLOCK / expected) if expected > 0 else 1.0


def reveal(
    values: Ints | Reals,
    arriving: Ints,
    in_effect: float,
    lam: float,
    redraw: Callable[[Ints], Reals],
    rng: np.random.Generator,
) -> Candidates:
    """The queries that could be ⊥ among so many of each type.

    redraw: draws the thresholds that queries of these types own, (queries,). A query can be ⊥ only under a threshold of a
    query that can be ⊥, so noisy values are drawn up to the highest threshold known, with thresholds of their own, until that
    no longer rises. Those of the others stay undrawn and are never needed.
    """
    hidden, low, high = arriving, np.zeros(len(values)), -np.inf
    parts: list[tuple[Ints, Reals, Reals]] = []
    reach = in_effect
    while reach > high:
        high = reach
        up_to = _below(values, high, lam)
        found = binomial(hidden, (up_to - low) / np.maximum(1 - low, up_to - low + TINY), rng)
        type_ = np.repeat(np.arange(len(values)), found)
        chance = low[type_] + (up_to - low)[type_] * (1 - rng.random(len(type_)))
        owned = redraw(type_)
        parts.append((type_, values[type_] - 2 * lam * upper_quantile(chance), owned))
        hidden, low, reach = hidden - found, up_to, max(reach, float(owned.max(initial=reach)))
    type_, noisy, owned = (np.concatenate(each) for each in zip(*parts, strict=True))
    when = rng.random(len(type_))
    order = np.argsort(when)
    return Candidates(type_[order], when[order], noisy[order], owned[order], order)


def _below(values: Ints | Reals, threshold: float, lam: float) -> Reals:
    """P(value + Lap(2λ) ≤ threshold), (types,), accurate where it is tiny."""
    return tail(np.asarray((values - threshold) / (2 * lam)))
