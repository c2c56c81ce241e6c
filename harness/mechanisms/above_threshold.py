"""A_sparseVec: which of a stream of values exceed a threshold, paying only for those that do not (BTT18a Algorithm 1).

The printed loop keeps one noisy threshold ŵ until the next ⊥ and then redraws it. Here query i owns the threshold that would
be drawn if query i were ⊥. Only one draw is ever used between two ⊥s, so the law is the printed one; but a decision now depends
on the past only through the place of the last ⊥, not through how many there were, and the loop can be vectorised:
guess the ⊥s, look up the threshold that the guess puts in effect at each query, decide again, until nothing changes. The i-th
decision is right after i rounds at the latest, and in fact sooner: two guesses that meet in one ⊥ agree from there on. The
longest stretch ruled by one low threshold sets the number of rounds. It grows with the stream, which is therefore settled
block by block.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import floor

import numpy as np

from harness.arrays import Bools, Ints, Reals
from harness.mechanisms.noise import laplace

BLOCK = 1 << 12  # candidates settled at a time: enough to vectorise, few enough for tens of rounds


@dataclass(frozen=True)
class Stream:
    """The outcome. bottoms: indices of the ⊥s in order. answered: how many of the queries were answered, ⊥s included."""

    bottoms: Ints
    answered: int


def a_sparse_vec(values: Ints | Reals, lam: float, w: float, T: float, rng: np.random.Generator) -> Stream:
    """Run A_sparseVec on values (m,), noise scale λ, threshold w and cutoff T; all in units of the values."""
    first = w + float(laplace(lam, 1, rng)[0])
    noisy = values + laplace(2 * lam, len(values), rng)
    return scan(noisy, first, lambda indices: w + laplace(lam, len(indices), rng), T)


def scan(noisy: Reals, first: float, redraw: Callable[[Ints], Reals], T: float) -> Stream:
    """The loop on given noise: ⊥ where a noisy value is at most the threshold in effect, while c ≤ T.

    noisy: (m,). first: the first noisy threshold. redraw: gives the thresholds that queries own, asked once for each query that
    may be ⊥. The loop runs while c ≤ T, so it lets ⌊T⌋ + 1 ⊥s out before it halts.
    """
    candidates, owned = _reveal(noisy, first, redraw)
    last = floor(T)
    settled, in_effect, c = [np.empty(0, dtype=np.int64)], first, 0
    for start in range(0, len(candidates), BLOCK):
        block = slice(start, start + BLOCK)
        bottom = np.flatnonzero(_decide(noisy[candidates[block]], in_effect, owned[block]))
        if len(bottom):
            settled.append(candidates[block][bottom])
            in_effect = owned[block][bottom[-1]]
            c += len(bottom)
        if c > last:
            break
    bottoms = np.concatenate(settled)
    if c > last:
        return Stream(bottoms[: last + 1], int(bottoms[last]) + 1)
    return Stream(bottoms, len(noisy))


def _decide(noisy: Reals, first: float, owned: Reals) -> Bools:
    """Which candidates of a block are ⊥, when it begins with `first` in effect."""
    bottom = noisy <= first
    while True:
        decided: Bools = noisy <= np.append(first, owned)[_last_bottom(bottom)]
        if np.array_equal(decided, bottom):
            return decided
        bottom = decided


def _reveal(noisy: Reals, first: float, redraw: Callable[[Ints], Reals]) -> tuple[Ints, Reals]:
    """The queries that could be ⊥, in order, with the thresholds they own.

    A query can be ⊥ only under a threshold of a query that can be ⊥, so thresholds are drawn for those within reach of the
    highest one known, until that no longer rises. The others' thresholds stay undrawn and are never needed.
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
    return candidates[order], owned[order]


def _last_bottom(bottom: Bools) -> Ints:
    """For each position, 1 + the position of the last ⊥ before it, or 0 if there is none."""
    latest = np.maximum.accumulate(np.where(bottom, np.arange(1, len(bottom) + 1), 0))
    return np.append(0, latest[:-1])[: len(bottom)]
