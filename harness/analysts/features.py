"""The feature that is most correlated with a response; every query is a study of its own, of d features and one response.

A chunk's answer has an exact law: its scores are independent binomials, and of the features that say nothing only the largest
matters.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Annotated, ClassVar

import numpy as np
import scipy
from pydantic import Field

from harness.analysts import Analyst, Poll, QuerySite, Session, cast, of_records, planned
from harness.analysts.modes import MOST_FULL
from harness.arrays import Bools, Ints, Reals
from harness.refusal import Refusal

MOST_WIDE = 10**5  # features whose scores are drawn one by one, where all examples are asked at once
WIDTH = 12  # standard deviations beyond which no score is looked for: 1e-32
MOST_S = 10**10


class Studies(Analyst, frozen=True):
    """The base of analysts whose every query has d features and a response of its own: one feature tells of it, on ⌊T⌋ two."""

    d: Annotated[int, Field(ge=2, le=10**9)] = 10
    rho: Annotated[float, Field(gt=0, le=1)] = 0.5

    @property
    def range_size(self) -> int:
        return self.d

    @property
    def place(self) -> int:
        """The feature that speaks; where two do, the second is next to it."""
        return min(self.d // 2, self.d - 2)


class Features(Studies, frozen=True):
    """An analyst who asks, study by study, which of d features agrees most with a response y = ±1.

    One feature speaks; on ⌊T⌋ studies, at random places, two do, equally.

    Features are ±1 and agree with y independently, the one that speaks with probability (1 + rho)/2, the others with 1/2. A
    chunk answers the feature that agrees most often; a tie goes to the smaller one.
    """

    name: ClassVar[str] = "features"

    @property
    def whole_known(self) -> bool:
        return self.d <= MOST_WIDE

    def chunks(self, site: QuerySite, rng: np.random.Generator) -> Session:
        return _Session(self, site, planned(site, rng), rng)

    def whole(self, site: QuerySite, n: int, rng: np.random.Generator) -> Session:
        return _Session(self, site, planned(site, rng), rng, n)

    def right(self, s: int) -> float:
        return float(winners(self.d, self.rho, s, tied=False).speaking[0])

    def refuse(self, site: QuerySite) -> Refusal | None:
        wide = site.k * site.s * self.d
        if site.full and wide > MOST_FULL:
            return Refusal(f"{wide:.3g} numbers a query would be drawn; allowed: n · d ≤ {MOST_FULL:g} in full", "n")
        if not site.full and site.s > MOST_S:
            return Refusal(f"s = {site.s:.3g}; allowed: s ≤ {MOST_S:g}", "n")
        return None


@dataclass(frozen=True)
class Winners:
    """The probabilities with which a chunk answers each feature: of informative ones, and of all others by the winning score.

    speaking: (1 or 2,), the chance of each feature that speaks. below, above: (values,), the chance that a silent feature
    before or after these wins with each score. ratio: (values,), P(a silent score is less) / P(it is no more).
    """

    speaking: Reals
    below: Reals
    above: Reals
    ratio: Reals


@lru_cache(64)
def winners(d: int, rho: float, s: int, tied: bool) -> Winners:
    """The law of the feature that agrees most often with the response in s examples. Absolute error 1e-10."""
    speak = 2 if tied else 1
    low = min(d // 2, d - 2)
    high = d - low - speak
    middle, spread = s * (1 + rho) / 2, WIDTH * sqrt(s) / 2 + 1  # no winner has fewer than a feature that speaks
    c = np.arange(max(0, int(middle - spread)), min(s, int(middle + spread)) + 1)
    silent, loud = scipy.stats.binom(s, 0.5), scipy.stats.binom(s, (1 + rho) / 2)
    with np.errstate(divide="ignore"):
        log_less, log_no_more = np.log1p(-silent.sf(c - 1)), np.log1p(-silent.sf(c))

    def of(count: int, log: Reals) -> Reals:
        """A chance for all of so many."""
        return np.exp(count * log) if count else np.ones(len(log))

    loud_p, loud_less, loud_no_more = loud.pmf(c), loud.cdf(c - 1), loud.cdf(c)
    beaten = of(low, log_less) * of(high, log_no_more)  # all silent ones, by a feature that speaks
    first = loud_p * beaten * (loud_no_more if tied else 1)
    speaking = [first.sum()] + ([(loud_p * loud_less * beaten).sum()] if tied else [])
    below = (of(low, log_no_more) - of(low, log_less)) * of(high, log_no_more) * loud_no_more**speak
    above = of(low, log_less) * (of(high, log_no_more) - of(high, log_less)) * loud_less**speak
    total = sum(speaking) + below.sum() + above.sum()
    ratio = np.exp(log_less - np.where(np.isinf(log_no_more), 0.0, log_no_more))
    return Winners(np.array(speaking) / total, below / total, above / total, ratio)


@dataclass
class _Session(Session):
    """n: records that are asked at once; 0 where chunks are."""

    analyst: Features
    site: QuerySite
    stable: Bools
    rng: np.random.Generator
    n: int = 0
    number: int = 0

    def ask(self, last: int | None) -> Poll:
        stable, place = bool(self.stable[self.number]), self.analyst.place
        self.number += 1
        if self.n:
            scores = self.rng.binomial(self.n, self._agreement(stable))
            return of_records(np.arange(self.analyst.d), scores, place, stable)
        if self.site.full:
            agree = self.rng.random((self.site.k, self.site.s, self.analyst.d)) < self._agreement(stable)
            return cast(agree.sum(axis=1).argmax(axis=1), place, stable)
        return cast(self._by_law(stable), place, stable)

    def _agreement(self, stable: bool) -> Reals:
        """How often each feature agrees with the response, (d,)."""
        chances = np.full(self.analyst.d, 0.5)
        chances[self.analyst.place : self.analyst.place + (1 if stable else 2)] = (1 + self.analyst.rho) / 2
        return chances

    def _by_law(self, stable: bool) -> Ints:
        """The k answers, (k,), in no order."""
        law, place, speak = winners(self.analyst.d, self.analyst.rho, self.site.s, not stable), self.analyst.place, 2 - stable
        chances = np.array([*law.speaking, law.below.sum(), law.above.sum()])
        *spoken, below, above = self.rng.multinomial(self.site.k, chances / chances.sum())
        high = self.analyst.d - place - speak
        return np.concatenate(
            [
                np.repeat(place + np.arange(speak), spoken),
                self._silent(law.below, law.ratio, place, below),
                place + speak + self._silent(law.above, law.ratio, high, above),
            ]
        ).astype(np.int64)

    def _silent(self, law: Reals, ratio: Reals, size: int, count: int) -> Ints:
        """Which of `size` silent features each of `count` chunks names: the first with the largest score, (count,).

        Given that score, the chance that it is the i-th is ∝ ratio^i.
        """
        if not count:
            return np.empty(0, dtype=np.int64)
        r = ratio[self.rng.choice(len(law), size=count, p=law / law.sum())]
        u = self.rng.random(count)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_r = np.log(r)
            place = np.log1p(u * np.expm1(size * log_r)) / log_r
        place = np.where(r == 0, 0, np.where(r == 1, u * size, place))
        return np.minimum(place.astype(np.int64), size - 1)


ANALYST = Features
