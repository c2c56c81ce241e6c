"""Labelled examples that are given, and not drawn: a sampler on which mechanisms and learners see one of two data sets.

To what chooses from a cover, or relabels, it is examples on cells, of which the first has labels of both kinds; to what labels
public points it is the votes on these. Its learner returns the labels that it is given, and tells them by its error.
"""

from dataclasses import dataclass
from math import log
from zlib import crc32

import numpy as np

from harness.arrays import Ints, Labels, Reals
from harness.ballots import Ballot, Queries
from harness.concepts import CALM, Calm, Hypothesis, Trainable
from harness.concepts.relabelled import Relabelling, chosen
from harness.covers.labelled import CoordinateCuts, Labelled
from harness.mechanisms import Streams

MOST_TOLD = 50  # labels that fit into the digits of an error


@dataclass(frozen=True)
class GivenExamples(Trainable):
    """A data set that is given and not drawn, and m public points.
    zeros, ones: private examples of the first cell by their labels. votes: on the points, (2, m).
    """

    m: int
    zeros: int
    ones: int
    votes: tuple[tuple[int, ...], ...] = ((), ())

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        return Queries(np.arange(m, dtype=np.float64), np.zeros(m, np.int8))

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        return self.queries(m, rng)

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        return Ballot(np.array(self.votes, np.int64), k, queries.truth)

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        return self.full(queries, k, s, rng)

    def relabelling(self) -> Relabelling:
        return GivenRelabelling(self)

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        return 0, 0.0  # of the half that is set aside, where nothing changes

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        error = float(labels @ 0.5 ** np.arange(1, len(labels) + 1))
        return Hypothesis(lambda points: labels[points.astype(np.int64)], error)

    def labelled(self) -> Labelled:
        return GivenLabels(self)


@dataclass(frozen=True, eq=False)
class GivenCover(CoordinateCuts):
    """A cover with given private examples, all on the first cell. fixed: their counts by label and cell, (2, 1, m + 1)."""

    fixed: Ints

    def examples(self, n: int, rng: np.random.Generator) -> Ints:
        return self.fixed


@dataclass(frozen=True)
class GivenLabels(Labelled):
    """Given examples with an H̃ of m + 1 cuts, each with an error of its own, so that the error of an h̃ identifies h̃."""

    of: GivenExamples

    def log_size(self, m: int) -> float:
        return log(m + 1)

    def missed(self, m: int, radius: float) -> float:
        return 0.0 if m >= self.of.m else 1.0

    def cover(self, m: int, rng: np.random.Generator) -> GivenCover:
        law, counts = np.zeros((2, 1, m + 1)), np.zeros((2, 1, m + 1), np.int64)
        law[1, 0] = 1 / (m + 1)
        counts[:, 0, 0] = self.of.zeros, self.of.ones
        return GivenCover(law, signed=False, fixed=counts)


@dataclass(frozen=True)
class GivenRelabelling(Relabelling):
    """Relabels given examples that are all at one place: one label is chosen for all, and every chunk votes for it."""

    of: GivenExamples

    def sufficient(self, queries: Queries, k: int, s: int, tilt: float, rng: np.random.Generator) -> Ballot:
        """The votes, drawn on a random part of ks of the examples."""
        ones = int(rng.hypergeometric(self.of.ones, self.of.zeros, k * s))
        label = chosen(np.array([ones, k * s - ones]), tilt, rng)
        return Ballot(np.tile([[k * (1 - label)], [k * label]], len(queries.truth)), k, queries.truth)

    def full(self, queries: Queries, k: int, s: int, tilt: float, rng: np.random.Generator) -> Ballot:
        return self.sufficient(queries, k, s, tilt, rng)


def labels_of(error: float, m: int) -> Reals:
    """The labels of m points that the error of `GivenLabels` tells, (m,)."""
    return np.asarray(np.floor(error * 2.0 ** np.arange(1, m + 1)) % 2)


def by_purpose(rng: np.random.Generator) -> Streams:
    """The streams of one run: each purpose has a generator of its own, which begins anew whenever it is asked for."""
    seed = int(rng.integers(2**62))
    return lambda purpose: np.random.default_rng([crc32(purpose.encode()), seed])
