"""The most frequent value of a discrete attribute, an attribute a query.

A chunk's counts are multinomial, drawn value by value as binomials of what is left, so that a trial costs the same whatever n
is and whether the range is finite or countable.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Annotated, ClassVar

import numpy as np
import scipy
from pydantic import Field

from harness.analysts import Analyst, Poll, QuerySite, Session, cast, of_records, planned
from harness.arrays import Bools, Ints, Reals
from harness.refusal import Refusal

LEVELS = 60  # of a countable range: the values beyond have a mass of 2⁻⁶⁰ together, and are one value here
MOST_FULL = 10**7


class Modes(Analyst, frozen=True):
    """An analyst who asks for the most frequent value of each of m independent attributes; x_f is the likeliest value.

    values: how many there are; null means countable. The first two have masses in the ratio 1 + lead to 1 − lead, in either
    order, and each further one half the mass of the one before; the third has 2/3 of their mean. On ⌊T⌋ attributes, at random
    places, the first two are equally likely. A chunk's tie goes to the smaller value.
    """

    name: ClassVar[str] = "modes"

    values: Annotated[int, Field(ge=2, le=LEVELS)] | None = None
    lead: Annotated[float, Field(gt=0, le=1)] = 1 / 3

    @property
    def range_size(self) -> int | None:
        return self.values

    def masses(self, lead: float) -> Reals:
        """The masses of the values, likeliest first, (values,)."""
        further = 2 / 3 * 0.5 ** np.arange((self.values or LEVELS) - 2)
        weights = np.concatenate([[1 + lead, 1 - lead], further])
        masses: Reals = weights / weights.sum()
        return masses

    def chunks(self, site: QuerySite, rng: np.random.Generator) -> Session:
        return _Session(self, site, planned(site, rng), rng)

    def whole(self, site: QuerySite, n: int, rng: np.random.Generator) -> Session:
        return _Session(self, site, planned(site, rng), rng, n)

    def right(self, s: int) -> float:
        return most_frequent(tuple(self.masses(self.lead).tolist()), s)

    def refuse(self, site: QuerySite) -> Refusal | None:
        if site.full and site.k * site.s > MOST_FULL:
            return Refusal(f"{site.k * site.s:.3g} values a query would be drawn; allowed: n ≤ {MOST_FULL:g} in full", "n")
        return None


@dataclass
class _Session(Session):
    """n: records that are asked at once; 0 where chunks are."""

    analyst: Modes
    site: QuerySite
    stable: Bools
    rng: np.random.Generator
    n: int = 0
    number: int = 0

    def ask(self, last: int | None) -> Poll:
        stable = bool(self.stable[self.number])
        self.number += 1
        masses, truth = self.analyst.masses(self.analyst.lead if stable else 0), int(self.rng.integers(2))
        if truth:
            masses[:2] = masses[1::-1]
        if self.n:
            counts = counted(np.array([self.n]), masses, self.rng)[0]
            seen = np.flatnonzero(counts)
            return of_records(seen, counts[seen], truth, stable)
        if self.site.full:
            return cast(_drawn_modes(self.site, masses, self.rng), truth, stable)
        sizes = np.full(self.site.k, self.site.s)
        return cast(counted(sizes, masses, self.rng).argmax(axis=1), truth, stable)


def counted(sizes: Ints, masses: Reals, rng: np.random.Generator) -> Ints:
    """Draws how many of sizes[j] independent draws have each value, (chunks, values).

    Value by value, each a binomial of the draws that are left, until none is.
    """
    left, counts = sizes.copy(), np.zeros((len(sizes), len(masses)), dtype=np.int64)
    later = np.cumsum(masses[::-1])[::-1]
    for value, mass in enumerate(masses):
        if not left.any():
            break
        counts[:, value] = rng.binomial(left, min(1.0, mass / later[value]))
        left = left - counts[:, value]
    return counts


def _drawn_modes(site: QuerySite, masses: Reals, rng: np.random.Generator) -> Ints:
    """The most frequent value in each of k chunks of s values that are drawn one by one, (k,)."""
    values = rng.choice(len(masses), size=(site.k, site.s), p=masses)
    return np.array([np.bincount(chunk).argmax() for chunk in values])


@lru_cache(256)
def most_frequent(masses: tuple[float, ...], s: int) -> float:
    """A lower bound on P(the first value is the most frequent of s draws, without a tie); masses may leave out other values.

    The union over the others of P(it occurs as often as the first): of the t ~ Bin(s, p + q) draws that are one of these two
    at least half are the other. Exact for two values but for ties; 1e-12 of the chance is left out.
    """
    first, misses = masses[0], 0.0
    for other in masses[1:]:
        both = first + other
        spread = 8 * sqrt(s * both * (1 - min(both, 1.0)) + 1)
        t = np.arange(max(0, int(s * both - spread)), min(s, int(s * both + spread)) + 1)
        as_often = scipy.stats.binom.sf((t + 1) // 2 - 1, t, other / both)
        misses += float(scipy.stats.binom.pmf(t, s, min(both, 1.0)) @ as_often) + 1e-12
    return max(0.0, 1 - misses)


ANALYST = Modes
