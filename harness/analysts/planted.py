"""Votes set directly, over a range of any size: what the utility theorems assume of queries, and nothing more."""

from dataclasses import dataclass
from math import floor
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from harness.analysts import Analyst, Known, Poll, QuerySite, Session, of_records, planned
from harness.arrays import Bools, Ints

MANY = 10**6  # of a countable range, the labels that votes are planted on


class PlantedVotes(Analyst, frozen=True):
    """An analyst whose votes are set: on stable queries a share `share` for x_f, and the rest for one other label.

    values: the size of the range; null means countable. ⌊T⌋ queries, at random places, have their votes split in half. Of all
    n examples at once, each is a record that votes.
    """

    name: ClassVar[str] = "planted"
    at_once: ClassVar[bool] = True

    values: Annotated[int, Field(ge=2, le=10**9)] | None = 2
    share: Annotated[float, Field(gt=0.5, le=1)] = 2 / 3

    @property
    def range_size(self) -> int | None:
        return self.values

    def chunks(self, site: QuerySite, rng: np.random.Generator) -> Session:
        return _Session(self, site.k, planned(site, rng), rng)

    def whole(self, site: QuerySite, n: int, rng: np.random.Generator) -> Session:
        return _Session(self, n, planned(site, rng), rng, records=True)

    def known(self, site: QuerySite, trials: int, rng: np.random.Generator, n: int | None = None) -> Known:
        stable = np.broadcast_to(np.arange(site.m) >= site.unstable, (trials, site.m))
        stable, votes = rng.permuted(stable, axis=1), site.k if n is None else n
        values = self.values or MANY
        truth = rng.integers(values, size=stable.shape)
        other = (truth + rng.integers(1, values, size=stable.shape)) % values
        wrong = np.where(stable, self.wrong(votes), votes // 2)
        labels, counts = np.stack([truth, other], axis=-1), np.stack([votes - wrong, wrong], axis=-1)
        order = np.argsort(labels, axis=-1)
        labels, counts = (np.take_along_axis(each, order, -1) for each in (labels, counts))
        return Known(labels, counts, truth, stable, None if n is None else _distance(labels, counts))

    def wrong(self, votes: int) -> int:
        """How many of `votes` votes on a stable query are for another label than x_f."""
        return floor(votes * (1 - self.share) + 1e-6)

    def right(self, s: int) -> float | None:
        return None  # no chunk is random


@dataclass
class _Session(Session):
    analyst: PlantedVotes
    votes: int
    stable: Bools
    rng: np.random.Generator
    records: bool = False
    number: int = 0

    def ask(self, last: int | None) -> Poll:
        stable = bool(self.stable[self.number])
        self.number += 1
        truth, other = (int(label) for label in _two(self.analyst.values or MANY, self.rng))
        wrong = self.analyst.wrong(self.votes) if stable else self.votes // 2
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


def _distance(labels: Ints, counts: Ints) -> Ints:
    """`of_records` of polls with two labels, (…, 2) each: to where the answer changes, by a record added or removed."""
    first, lead = counts[..., 0] >= counts[..., 1], np.abs(counts[..., 0] - counts[..., 1])
    winner, before = np.where(first, labels[..., 0], labels[..., 1]), ~first & (counts[..., 0] > 0)  # a smaller one is seen
    alone = counts.max(axis=-1) - (winner > before)  # against the smallest label without a record
    against = np.where(counts.min(axis=-1) > 0, lead - before, alone)
    distance: Ints = np.maximum(0, np.minimum(alone, against))
    return distance


ANALYST = PlantedVotes
