"""Who asks queries of any finite or countable range, one after another: one file an analyst.

A query is a function of a data set. It is asked of each of k chunks, for A_subSamp, or of all n examples at once, for A_OQR,
which then needs to know how far the data is from where the answer changes. The next query may depend on the answers so far.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from pydantic import BaseModel

from harness.arrays import Bools, Ints, Shared, shared
from harness.refusal import Refusal
from harness.registry import parts

MOST_WHOLE = 10**12
"""The most examples of which a query is asked at once: counts of records stay exact."""


@dataclass(frozen=True)
class Poll(Shared):
    """What k chunks, or n records, say to one query: how many of them speak for each label.

    labels: (seen,), distinct whole numbers from 0 on, in increasing order; every other label of the range has no vote. counts:
    (seen,), how many of the k chunks, or of the n records, speak for each. truth: x_f, the answer that the distribution
    itself gives. stable: whether a chunk answers x_f with at least the chance that the analyst states (`right`). distance: of
    a query on all examples at once, its own distance to instability; None of one asked of chunks.
    """

    labels: Ints
    counts: Ints
    truth: int
    stable: bool = True
    distance: int | None = None

    @cached_property
    def winner(self) -> int:
        """The label with the most votes, f̂ = argmax ct; a tie goes to the smaller label."""
        return int(self.labels[self.counts.argmax()])

    @cached_property
    def gap(self) -> int:
        """ct(top) − ct(second), the second being 0 where only one label was seen."""
        if len(self.counts) == 1:
            return int(self.counts[0])
        second, top = np.partition(self.counts, len(self.counts) - 2)[-2:]
        return int(top - second)


@dataclass(frozen=True)
class Known(Shared):
    """The polls of several trials whose queries depend on no answer, and so can be drawn at once.

    labels: (trials, m, seen), increasing in each. counts: (trials, m, seen), 0 for a label without a vote. truth, stable,
    distance: of each poll, (trials, m), as `Poll` has them.
    """

    labels: Ints
    counts: Ints
    truth: Ints
    stable: Bools
    distance: Ints | None = None

    @cached_property
    def winner(self) -> Ints:
        """The label with the most votes in each poll, (trials, m)."""
        return shared(np.take_along_axis(self.labels, self.counts.argmax(axis=-1)[..., np.newaxis], -1)[..., 0])

    @cached_property
    def gap(self) -> Ints:
        """ct(top) − ct(second) of each poll, (trials, m)."""
        second, top = np.moveaxis(np.partition(self.counts, -2, axis=-1)[..., -2:], -1, 0)
        return shared(np.asarray(top - second))

    def poll(self, trial: int, place: int) -> Poll:
        """The poll at a place of a trial."""
        index, distance = (trial, place), self.distance
        seen = self.counts[index] > 0
        poll = int(self.truth[index]), bool(self.stable[index]), None if distance is None else int(distance[index])
        return Poll(self.labels[index][seen], self.counts[index][seen], *poll)


def cast(votes: Ints, truth: int, stable: bool = True) -> Poll:
    """The poll of one query from the answers of k chunks, (k,)."""
    if votes.max() > 4 * len(votes):
        labels, counts = np.unique(votes, return_counts=True)
    else:
        tallied = np.bincount(votes)
        labels = np.flatnonzero(tallied)
        counts = tallied[labels]
    return Poll(labels, counts, truth, stable)


def of_records(labels: Ints, counts: Ints, truth: int, stable: bool = True) -> Poll:
    """The poll of one query asked of n records: the label that most of them have, with its distance to instability.

    labels: (seen,), increasing. counts: (seen,). Its distance to instability is that of BTT18a Definition 3.1: one record that
    is added or removed moves the lead over each other label by at most 1, and can do so by just 1. A tie goes to the smaller
    label, so a lead over a smaller one is worth 1 less.
    """
    most_frequent = int(counts.argmax())
    top, lead = int(labels[most_frequent]), counts[most_frequent] - counts
    flips = np.delete(lead - (labels < top), most_frequent)
    unseen = next((i for i, label in enumerate(labels.tolist()) if i != label), len(labels))
    alone = int(counts[most_frequent]) - (unseen < top)  # against the smallest label without a record
    return Poll(labels, counts, truth, stable, distance=max(0, min([alone, *flips.tolist()])))


@dataclass(frozen=True)
class QuerySite:
    """The numbers of a setting that an analyst's queries depend on: m queries, and k chunks of s examples each.

    unstable: how many an analyst who plans them has unstable, ⌊T⌋. full: whether examples are drawn one by one, and not what
    the answers depend on.
    """

    m: int
    k: int
    s: int
    unstable: int
    full: bool = False


class Session(ABC):
    """One run of an analyst on one data set, which asks query after query."""

    @abstractmethod
    def ask(self, last: int | None) -> Poll:
        """Asks the next query: its poll. last: the answer to the query before it; None is ⊥, or that there was none."""


class Analyst(BaseModel, ABC, frozen=True, extra="forbid"):
    """The base of analysts: what asks queries, with the distribution of the examples that are asked about.

    at_once: whether `known` has its queries, of many trials; else it asks one query after the other, one trial at a time.
    """

    name: ClassVar[str]
    at_once: ClassVar[bool] = False

    @property
    def whole_known(self) -> bool:
        """Whether the analyst can ask all examples at once, with a distance to instability that can be computed."""
        return True

    @property
    def adaptive(self) -> bool:
        """Whether a query depends on the answers before it."""
        return False

    @property
    @abstractmethod
    def range_size(self) -> int | None:
        """How many labels a query ranges over; None where they are countable."""

    @abstractmethod
    def chunks(self, site: QuerySite, rng: np.random.Generator) -> Session:
        """Begins a session whose queries are asked of k chunks."""

    def whole(self, site: QuerySite, n: int, rng: np.random.Generator) -> Session:
        """Begins a session whose queries are asked of all n examples at once; called where `whole_known`."""
        raise NotImplementedError(f"{self.name} has no distance to instability of its own")

    def known(self, site: QuerySite, trials: int, rng: np.random.Generator, n: int | None = None) -> Known:
        """Draws all polls of several trials, of the chunks or of n examples at once; called where `at_once`."""
        raise NotImplementedError(f"{self.name} asks one query after the other")

    def right(self, s: int) -> float | None:
        """A lower bound on P(a chunk of s examples answers x_f) for every stable query; None where nothing is known."""
        return None

    def refuse(self, site: QuerySite) -> Refusal | None:
        """Why the analyst cannot ask at a site, or None."""
        return None


def planned(site: QuerySite, rng: np.random.Generator) -> Bools:
    """Draws which of the m queries are stable, (m,): all but `unstable` of them, at random places."""
    stable = np.ones(site.m, dtype=np.bool_)
    stable[: site.unstable] = False
    return rng.permutation(stable)


def analysts() -> Mapping[str, type[Analyst]]:
    """All registered analysts, who ask queries one after another, by name."""
    return parts("analyst")
