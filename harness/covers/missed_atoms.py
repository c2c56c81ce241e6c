"""Which of r atoms of equal mass k chunks of s examples have none of, each chunk by itself."""

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, comb, log, log1p, sqrt

import numpy as np

from harness.arrays import Bools, Ints, Reals

TAIL = 50  # what is less likely than e^−50 is left out of a law


@lru_cache(maxsize=64)
def missed_law(rare: int, mass: float, s: int) -> Reals:
    """P(a chunk of s examples misses exactly j of the rare atoms) for each j, (rare + 1,), up to events of chance e^−50.

    The examples on rare atoms are binomial in number; so many balls into `rare` boxes fill a number of boxes that is a Markov
    chain. All terms are positive, so nothing cancels.
    """
    total = rare * mass
    likely = s * total + 12 * sqrt(s * total) + 80  # Bernstein: more are less likely than e^−50
    most = min(s, ceil(likely), ceil(rare * (log(rare) + TAIL)))  # with more than the last, no box is empty
    n = np.arange(most)
    log_hits = np.concatenate([[0.0], np.cumsum(np.log((s - n) / (n + 1)) + log(total) - log1p(-total))]) + s * log1p(-total)
    filled, law = np.zeros(rare + 1), np.zeros(rare + 1)
    filled[0] = 1
    stays = np.arange(rare + 1) / rare
    for hits in np.exp(log_hits):
        law += hits * filled
        filled[1:] = filled[1:] * stays[1:] + filled[:-1] * (1 - stays[:-1])
        filled[0] = 0
    law[-1] += max(0.0, 1 - law.sum())  # more hits than `most`
    missed: Reals = law[::-1] / law.sum()
    missed.setflags(write=False)
    return missed


@lru_cache(maxsize=64)
def missed_sets(rare: int, mass: float, s: int) -> tuple[Reals, Reals]:
    """Every set of rare atoms as a row of 0s and 1s, (2^rare, rare), and P(a chunk of s examples has none of just these).

    All atoms are alike, so it depends on their number alone.
    """
    law, sets = missed_law(rare, mass, s), np.zeros((1, 0))
    for _ in range(rare):
        sets = np.concatenate([np.pad(sets, ((0, 0), (0, 1)), constant_values=member) for member in (0, 1)])
    of_one = np.array([each / comb(rare, size) for size, each in enumerate(law)])
    return sets, of_one[sets.sum(axis=1).astype(np.intp)]


def named(missed: Ints, rng: np.random.Generator) -> Ints:
    """Draws how many chunks of each trial missed each atom, (trials, rare), where missed[:, j] chunks missed j atoms.

    All atoms are alike, so given how many of them a chunk missed, these are any so many: the next of `atoms` is among the
    `left` that are still to be named with probability left/atoms.
    """
    left, rare = missed.copy(), missed.shape[1] - 1
    wrong = np.zeros((len(left), rare), dtype=np.int64)
    for atom, atoms in enumerate(range(rare, 0, -1)):
        of_each = rng.binomial(left[:, : atoms + 1], np.arange(atoms + 1) / atoms)
        left[:, : atoms + 1] -= of_each
        left[:, :atoms] += of_each[:, 1:]
        wrong[:, atom] = of_each.sum(axis=1)
    return wrong


def by_chunk(missed: Ints, rng: np.random.Generator) -> Iterator[Bools]:
    """Draws which chunks missed each atom in turn, (chunks,), where missed[j] chunks missed j atoms."""
    left = np.repeat(np.arange(len(missed)), missed)
    for atoms in range(len(missed) - 1, 0, -1):
        of_each = rng.random(len(left)) * atoms < left
        left -= of_each
        yield of_each
