"""Votes set directly, over a range of any size: what the utility theorems assume of queries, and nothing more."""

from dataclasses import dataclass
from math import floor
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from harness.arrays import Bools, Ints
from harness.concepts.analysts import Analyst, Poll, Session, Site, of_records, planned

MANY = 10**6  # of a countable range, the labels that votes are planted on


class Planted(Analyst, frozen=True):
    """On every stable query the share `right` of the votes is for x_f and the others are for one other label.

    values: the size of the range; null means countable. ⌊T⌋ queries, at random places, have their votes split in half. Of all
    n examples at once, each is a record that votes.
    """

    name: ClassVar[str] = "planted"

    values: Annotated[int, Field(ge=2, le=10**9)] | None = 2
    share: Annotated[float, Field(gt=0.5, le=1)] = 2 / 3

    @property
    def range_size(self) -> int | None:
        return self.values

    def chunks(self, site: Site, rng: np.random.Generator) -> Session:
        return _Session(self, site.k, planned(site, rng), rng)

    def whole(self, site: Site, n: int, rng: np.random.Generator) -> Session:
        return _Session(self, n, planned(site, rng), rng, records=True)

    def right(self, s: int) -> float | None:
        return None  # no chunk is random


@dataclass
class _Session(Session):
    analyst: Planted
    votes: int
    stable: Bools
    rng: np.random.Generator
    records: bool = False
    asked: int = 0

    def ask(self, last: int | None) -> Poll:
        stable = bool(self.stable[self.asked])
        self.asked += 1
        truth, other = (int(label) for label in _two(self.analyst.values or MANY, self.rng))
        wrong = floor(self.votes * (1 - self.analyst.share) + 1e-6) if stable else self.votes // 2
        labels, counts = _seen(np.array([truth, other]), np.array([self.votes - wrong, wrong]))
        return of_records(labels, counts, truth, stable) if self.records else Poll(labels, counts, truth, stable)


def _two(values: int, rng: np.random.Generator) -> Ints:
    """Two distinct labels."""
    first, apart = rng.integers(values), rng.integers(1, values)
    return np.array([first, (first + apart) % values])


def _seen(labels: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Those with a vote, in increasing order."""
    some = np.flatnonzero(counts)
    order = some[np.argsort(labels[some])]
    return labels[order], counts[order]


ANALYST = Planted
