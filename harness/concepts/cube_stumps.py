"""Stumps 1[x_i = 1] on {−1, +1}^p. Realizable or with random classification noise.

Uniform examples are labelled by their last coordinate. Their labels, noisy or not, agree with any other coordinate by
independent fair coins. So on s examples the numbers of mistakes of all stumps are independent: Bin(s, γ) of the target, and
Bin(s, ½) of every other. `sufficient` draws which is the least; ties go to the coordinate that comes first, so never to the
target.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np
import scipy
from pydantic import Field

from harness.arrays import Ints, Labels
from harness.ballots import Ballot, Queries
from harness.concepts import ConceptClass, Distribution, Hypothesis, Situation, Trainable, thresholds, trials_at_once
from harness.concepts.atoms import ATOMS
from harness.concepts.stumps import MOST_DRAWN, affinity, too_many
from harness.refusal import Refusal
from harness.theory import pac
from harness.theory.parameters import PacBound

FULL_BLOCK = 1 << 17  # coordinates of examples held at once by full sampling
NEVER = 1e-12  # what is less likely, in all k chunks together, is left out and charged to the budget of `sufficient`


@dataclass(frozen=True)
class _CubeSampler(Trainable):
    """Points are (m, p), of ±1."""

    p: int
    gamma: float

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        points = self._draw((m, self.p), rng)
        return Queries(np.where(points, 1.0, -1.0), points[:, -1]).flipped(self.gamma, rng)

    def singles(self, m: int, k: int, s: int) -> float:
        return m if self._charge(k, s) > NEVER else 0

    def at_once(self, m: int, k: int, s: int) -> int:
        return trials_at_once(m, self.singles(m, k, s))

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        """By label and noise alone, where all learn the target: then points have no other coordinate."""
        if self.singles(m, k, s) >= m:
            return self.queries(m, rng)
        best = np.array([0, 1, 0, 1], dtype=np.int8)
        shares = np.array([1 - self.gamma, 1 - self.gamma, self.gamma, self.gamma]) / 2
        sizes = rng.multinomial(m, shares, trials).T
        return Queries.of_each(
            np.where(best, 1.0, -1.0)[:, np.newaxis], best ^ np.array([0, 0, 1, 1], dtype=np.int8), sizes, best
        )

    def _charge(self, k: int, s: int) -> float:
        """At least the chance that any of k chunks teaches another stump than the target.

        A stump errs no more than the target with probability at most ((1+ρ)/2)^s.
        """
        return float(k * self.p * ((1 + affinity(self.gamma)) / 2) ** s)

    def _draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> Labels:
        return rng.integers(0, 2, shape, dtype=np.int8)

    @property
    def most_points(self) -> int:
        return MOST_DRAWN // self.p

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        i = int(((2.0 * labels - 1) @ queries.points).argmax())  # labels of ±1 that agree, less those that do not
        wrong = 0.0 if i == self.p - 1 else 0.5
        return Hypothesis(lambda points: (points[:, i] > 0).astype(np.int8), self.gamma + (1 - 2 * self.gamma) * wrong)

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        charge = self._charge(k, s)
        if charge <= NEVER:
            label = queries.points[:, -1] > 0
            most = queries.sums(np.where(label != queries.truth, queries.sizes, 0))
            return Ballot.binary(np.multiply(label, k, dtype=np.int64), k, queries, most, charge)
        v = np.arange(s + 1)
        # P(a stump errs at least v times), and the logarithm of P(it errs more | it errs at least v times).
        no_less, exactly = scipy.stats.binom.sf(v - 1, s, 0.5), scipy.stats.binom.pmf(v, s, 0.5)
        with np.errstate(divide="ignore"):
            more = np.log1p(-np.divide(exactly, no_less, out=np.ones(s + 1), where=exactly < no_less))
        # P(the least that one of the others errs is v, and the target errs no less).
        others = self.p - 1
        wrong = no_less**others * -np.expm1(others * more) * scipy.stats.binom.sf(v - 1, s, self.gamma)
        chunks = rng.multinomial(k, np.append(wrong, max(0.0, 1 - wrong.sum())))[:-1]
        # Which one errs v times first is a geometric number, given that it is one of them: by inversion.
        log_ratio = np.repeat(more, chunks)
        first = np.floor(np.log1p(rng.random(len(log_ratio)) * np.expm1(others * log_ratio)) / log_ratio)
        learned = np.minimum(first, self.p - 2).astype(np.int64)
        return self._votes(np.append(learned, np.full(k - len(learned), self.p - 1)), queries)

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        learned = np.empty(k, dtype=np.int64)
        rows = max(1, FULL_BLOCK // (s * self.p))
        columns = max(1, min(s, FULL_BLOCK // self.p))
        for start in range(0, k, rows):
            chunks = min(rows, k - start)
            mistakes = np.zeros((chunks, self.p), dtype=np.int64)
            for seen in range(0, s, columns):
                x = self._draw((chunks, min(columns, s - seen), self.p), rng)
                labels = x[:, :, -1:]
                if self.gamma > 0:
                    labels = labels ^ (rng.random(labels.shape) < self.gamma)
                mistakes += np.count_nonzero(x != labels, axis=1)
            learned[start : start + chunks] = mistakes.argmin(axis=1)
        return self._votes(learned, queries)

    def _votes(self, learned: Ints, queries: Queries) -> Ballot:
        """Votes of stumps by their coordinates, in any order."""
        ones, most = np.zeros(len(queries.truth), dtype=np.int64), 0
        for i, voters in zip(*np.unique(learned, return_counts=True), strict=True):
            label = queries.points[:, i] > 0
            ones += voters * label
            most = max(most, int(queries.sizes[label != queries.truth].sum()))
        return Ballot.binary(ones, len(learned), queries, most)


class Uniform(Distribution):
    """Uniform examples on {−1, +1}^p, labelled by their last coordinate; with gamma > 0 flipped with that probability."""

    def refuse(self, situation: Situation) -> Refusal | None:
        assert isinstance(situation.concept, CubeStumps)
        return too_many(situation.concept.p) or thresholds.Uniform().refuse(situation)

    def at(self, situation: Situation) -> _CubeSampler:
        assert isinstance(situation.concept, CubeStumps)
        return _CubeSampler(situation.concept.p, situation.gamma)


class CubeStumps(ConceptClass, frozen=True):
    """The concept class of stumps 1[x_i = 1] on {−1, +1}^p.

    V points are shattered if each of their 2^V labellings is a coordinate; all label (1, …, 1) 1.
    """

    name: ClassVar[str] = "cube_stumps"
    learners: ClassVar[Mapping[str, str]] = {"erm": "A stump of least empirical risk: of several, the first."}
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"uniform": Uniform, **ATOMS}

    p: int = Field(8, ge=2, le=2**64)

    @property
    def vc(self) -> int:
        """⌊log2 p⌋."""
        return self.p.bit_length() - 1

    @property
    def dual_vc(self) -> int:
        return self.p

    @property
    def rare_atoms(self) -> int:
        return self.vc

    @classmethod
    def of_vc(cls, V: int) -> Self:
        if not 1 <= V <= 64:
            raise ValueError(f"V = {V} is not attained: p = 2^V coordinates would be needed; allowed: 1 to 64")
        return cls(p=2**V)

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        if gamma > 0:
            bounds = partial(pac.finite_agnostic, size=self.p), partial(pac.vc_agnostic, V=self.vc)
        else:
            bounds = partial(pac.finite, size=self.p), partial(pac.blumer, V=self.vc)
        return partial(pac.sharpest, bounds=bounds)


CONCEPT = CubeStumps
