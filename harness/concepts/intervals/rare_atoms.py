"""The sampler of labelled intervals on rare atoms beside a heavy one."""

from dataclasses import dataclass, replace

import numpy as np

from harness.arrays import Ints, Labels, Reals
from harness.ballots import Ballot, Queries
from harness.concepts import CALM, Calm, Hypothesis, Trainable, atoms


@dataclass(frozen=True)
class IntervalAtomsSampler(Trainable):
    """Rare atoms r = 1, …, L − 1 that are labelled r − 1, or wrongly r, and a heavy atom to their right, labelled L − 1.

    Either label of each rare atom is possible whatever those of the others are: the numbers of boundaries left of them rise by
    0, 1 or 2 from one to the next. The learner takes one of these two, the wrong one unless the right one is more frequent.
    """

    labels: int
    binary: atoms.AtomsSampler

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        return self._told(self.binary.queries(m, rng))

    def singles(self, m: int, k: int, s: int) -> float:
        return self.binary.singles(m, k, s)

    def at_once(self, m: int, k: int, s: int) -> int:
        return self.binary.at_once(m, k, s)

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        return self._told(self.binary.block(m, k, s, trials, rng))

    def _told(self, queries: Queries) -> Queries:
        """Labels 0 and 1 of the atoms as those of intervals."""
        heavy = queries.points == 0
        last = (queries.points - 1).astype(np.int8)
        truth, best = (
            np.where(heavy, self.labels - 1, last + given).astype(np.int8) for given in (queries.truth, queries.target)
        )
        return replace(queries, truth=truth, best=best)

    def _asked(self, queries: Queries, labels: Labels) -> Labels:
        """Labels of intervals as 0 and 1."""
        return np.where(queries.points == 0, labels == self.labels - 1, labels >= queries.points).astype(np.int8)

    def _votes(self, queries: Queries, votes: Ballot) -> Ballot:
        upper = np.where(queries.points == 0, self.labels - 1, queries.points).astype(np.intp)
        counts = np.zeros((self.labels, len(upper)), dtype=np.int64)
        query = np.arange(len(upper))
        counts[upper, query] = votes.counts[1]
        counts[np.maximum(upper - 1, 0), query] += votes.counts[0]
        return replace(votes, counts=counts, truth=queries.truth)

    def _in_binary(self, queries: Queries) -> Queries:
        return replace(queries, truth=self._asked(queries, queries.truth), best=self._asked(queries, queries.target))

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        return self._votes(queries, self.binary.sufficient(self._in_binary(queries), k, s, rng))

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        return self._votes(queries, self.binary.full(self._in_binary(queries), k, s, rng))

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        # A third label, as a coin may give it, is wrong whichever of the two the atom has.
        telling = (queries.points == 0) | (labels == queries.points) | (labels == queries.points - 1)
        few = queries.only(telling)
        learned = self.binary.learn(few, self._asked(few, labels[telling]))

        def predict(points: Reals) -> Labels:
            ones = learned.predict(points)
            return np.where(points == 0, self.labels - 1, points - 1 + ones).astype(np.int8)

        return Hypothesis(predict, learned.error)

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        return self.block(m, k, s, trials, rng)

    def points_at_once(self, m: int, k: int, s: int, calm: Calm = CALM) -> int:
        return self.binary.points_at_once(m, k, s, calm)

    def errors(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> Reals:
        atom, type_ = queries.points.astype(np.intp), np.arange(len(queries.points))
        return self.binary.errors(queries, np.stack([labelled[np.maximum(atom - 1, 0), type_], labelled[atom, type_]]), rng)

    def placed(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> tuple[Queries, Labels]:
        label, type_ = np.nonzero(labelled)
        return replace(queries.only(type_), size=labelled[label, type_]), label.astype(np.int8)

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        return self.binary.least_mistakes(n, rng)
