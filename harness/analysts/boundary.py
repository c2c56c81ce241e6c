"""Classification queries, random ones or those of an analyst who searches for the place where the labels change.

Each chunk has a threshold classifier on [0, 1], and a query is what it says of a point.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from harness.analysts import Analyst, Poll, QuerySite, Session, cast
from harness.analysts.modes import MOST_FULL
from harness.arrays import Reals
from harness.refusal import Refusal

FINE = 1e-12  # no bisection goes further


class Points(Analyst, frozen=True):
    """An analyst who asks the labels of random points of [0, 1]: a chunk says 1 from its least example of label 1 on.

    The label of x is 1[x ≥ target].
    """

    name: ClassVar[str] = "points"
    whole_known: ClassVar[bool] = False  # one added example changes the answer at any point below the threshold

    target: Annotated[float, Field(gt=0, lt=1)] = 0.5

    @property
    def range_size(self) -> int:
        return 2

    def chunks(self, site: QuerySite, rng: np.random.Generator) -> Session:
        return _Session(self, thresholds(self.target, site, rng), rng)

    def refuse(self, site: QuerySite) -> Refusal | None:
        if site.full and site.k * site.s > MOST_FULL:
            return Refusal(f"{site.k * site.s:.3g} examples would be drawn; allowed: n ≤ {MOST_FULL:g} in full", "n")
        return None


class BoundarySearch(Points, frozen=True):
    """An analyst who searches for the target of a threshold by bisection, from the answers so far.

    After ⊥ the search starts again on [0, 1], with a first point drawn at random so that it does not come the same way.
    """

    name: ClassVar[str] = "search"
    adaptive: ClassVar[bool] = True


def thresholds(target: float, site: QuerySite, rng: np.random.Generator) -> Reals:
    """Draws the threshold of each chunk, (k,): the chunk's least example from the target on, or 1 if there is none.

    P(it is more than a beyond the target) = (1 − a)^s.
    """
    if site.full:
        x = rng.random((site.k, site.s))
        least: Reals = np.where(x >= target, x, 1.0).min(axis=1)
        return least
    beyond = -np.expm1(np.log1p(-rng.random(site.k)) / site.s)
    return np.minimum(target + beyond, 1.0)


@dataclass
class _Session(Session):
    analyst: Points
    thresholds: Reals
    rng: np.random.Generator
    low: float = 0.0
    high: float = 0.0
    x: float = 0.0

    def ask(self, last: int | None) -> Poll:
        if last == 1:
            self.high = self.x
        elif last == 0:
            self.low = self.x
        if not self.analyst.adaptive or last is None or self.high - self.low < FINE:
            self.low, self.high, self.x = 0.0, 1.0, float(self.rng.random())
        else:
            self.x = (self.low + self.high) / 2
        votes = (self.thresholds <= self.x).astype(np.int64)
        return cast(votes, int(self.x >= self.analyst.target))


ANALYST = (Points, BoundarySearch)
