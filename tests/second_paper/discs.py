"""The paper's class: discs around the origin, of uniform points of a square."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from harness.ballots import Ballot, Queries
from harness.concepts import ConceptClass, Distribution, Sampler, Sampling, Situation, full
from harness.theory.parameters import PacBound


@dataclass(frozen=True)
class Square(Sampler):
    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        x = rng.uniform(-1, 1, (m, 2))
        return Queries(x, (np.hypot(*x.T) > 0.5).astype(np.int8))

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        chunks = (self.examples(s, rng) for _ in range(k))
        learned = np.sort([np.hypot(*x[label == 0].T).max(initial=0) for x, label in chunks])
        wrong = np.asarray(np.searchsorted(learned, np.hypot(*queries.points.T)), dtype=np.int64)
        return Ballot.binary(wrong, k, queries)


class Uniform(Distribution):
    def samplings(self, concept: ConceptClass, learner: str) -> Mapping[str, Sampling]:
        return {"full": full}

    def at(self, situation: Situation) -> Square:
        return Square()


class Discs(ConceptClass, frozen=True):
    name: ClassVar[str] = "discs"
    learners: ClassVar[Mapping[str, str]] = {"smallest": "The smallest disc that holds every example labelled 0."}
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"uniform": Uniform}

    @property
    def vc(self) -> int:
        return 1

    @property
    def dual_vc(self) -> int:
        return 1

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        return lambda s, q: float(np.log(1 / q) / s)


CONCEPT = Discs
