"""Distributions on atoms that a class shatters: r rare ones of equal mass, labelled 0, and a heavy one, labelled 1.

The class has a hypothesis for each labelling of the rare atoms that labels the heavy one 1 (`ConceptClass.rare_atoms`). So an
empirical risk minimiser labels each rare atom by the majority of its own examples, and where they are tied, or where its chunk
has none, by its default: here that is 1, which is wrong. No other learner that minimises the risk errs more.

Points are numbers of atoms, 0 the heavy one. Where labels are noisy, only those of the rare atoms are: each is flipped with
probability η < 1/2, so that the best error in the class is rη times the mass of an atom.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log, sqrt
from typing import Any

import numpy as np
import scipy
from pydantic import Field, model_validator

from harness.arrays import Bools, Indices, Ints, Labels, Reals
from harness.ballots import Ballot, Queries
from harness.concepts import CALM, Calm, Distribution, Hypothesis, Situation, Trainable, trials_of
from harness.concepts.relabelled import OfAtoms, Relabelling
from harness.covers.labelled import Labelled, RareAtoms
from harness.covers.missed_atoms import by_chunk, missed_law, missed_sets, named
from harness.refusal import Refusal

MOST_RARE = 1 << 13  # rare atoms: the time to draw from their law grows like the square of their number
FULL_BLOCK = 1 << 15  # examples held at once by full sampling
CHUNKS = 1 << 16  # chunks held at once; up to so many, each one's mistakes are counted
MOST_SETS = 1 << 10  # sets of rare atoms; up to so many, it is counted how many chunks missed just each of them
TILE = 1 << 6  # examples in a square of the table of a binomial law
TINY = 1e-18  # and of what happens to one chunk on one atom, under noise, what is less likely than this


@dataclass(frozen=True)
class AtomsSampler(Trainable):
    """The sampler of r rare atoms of equal mass and a heavy one.

    rare: r, at least 1. mass: of each rare atom, in (0, 1/r). noise: η, in [0, 1/2).
    """

    rare: int
    mass: float
    noise: float

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        atoms = self._draw((m,), rng)
        best = (atoms == 0).astype(np.int8)
        if self.noise == 0:
            return Queries(atoms.astype(np.float64), best)
        flipped = (atoms > 0) & (rng.random(len(atoms)) < self.noise)
        return Queries(atoms.astype(np.float64), best ^ flipped.astype(np.int8), best)

    def singles(self, m: int, k: int, s: int) -> float:
        return 0

    def at_once(self, m: int, k: int, s: int) -> int:
        if self.noise > 0 or (k <= CHUNKS and not self._by_sets):
            return 1
        return trials_of(2**self.rare if self._by_sets else self.rare)

    @property
    def _by_sets(self) -> bool:
        """Whether there are so few sets of rare atoms that chunks are counted by what they missed."""
        return self.noise == 0 and 2**self.rare <= MOST_SETS

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        """The heavy atom, the rare ones, and with noise once more those of their queries that are labelled 1."""
        right, wrong = self._counts(m, trials, rng)
        heavy = m - right.sum(axis=0) - wrong.sum(axis=0)
        points = np.arange(self.rare + 1.0)
        best = (points == 0).astype(np.int8)
        if self.noise == 0:
            return Queries.of_each(points, best, np.vstack([heavy, right]))
        points, best = np.append(points, points[1:]), np.append(best, best[1:])
        truth = np.append(best[: self.rare + 1], 1 - best[1 : self.rare + 1])
        return Queries.of_each(points, truth, np.vstack([heavy, right, wrong]), best)

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        return self.block(m, k, s, trials, rng)

    def points_at_once(self, m: int, k: int, s: int, calm: Calm = CALM) -> int:
        return trials_of(self.rare) if k == 1 else self.at_once(m, k, s)

    def placed(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> tuple[Queries, Labels]:
        """On each atom one point a label, and one more of that which more have."""
        atoms = queries.points.astype(np.intp)
        by_atom = np.array([np.bincount(atoms, of_label, self.rare + 1) for of_label in labelled])
        number = (by_atom > 0).astype(np.int64) + ((by_atom > by_atom[::-1]) & (by_atom[::-1] > 0))
        label, atom = np.nonzero(number)
        points = Queries(atom.astype(np.float64), (atom == 0).astype(np.int8), size=number[label, atom])
        return points, label.astype(np.int8)

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        of_zero = (1.0 - 2 * labels) * queries.sizes
        ones = np.bincount(queries.points.astype(np.intp), of_zero, self.rare + 1) <= 0
        ones[0] = True  # the heavy atom: every hypothesis has it so
        error = float(self._error(np.count_nonzero(ones[np.newaxis, 1:], axis=1))[0])
        return Hypothesis(lambda points: ones[points.astype(np.intp)].astype(np.int8), error)

    def errors(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> Reals:
        place = queries.points.astype(np.intp)
        if queries.trial is not None:
            place = place + queries.trial * (self.rare + 1)
        of_zero = np.bincount(place, labelled[0] - labelled[1], queries.trials * (self.rare + 1))
        return self._error(np.count_nonzero(of_zero.reshape(queries.trials, -1)[:, 1:] <= 0, axis=1))

    def _error(self, wrong: Indices) -> Reals:
        """The errors of hypotheses that are wrong on so many rare atoms each."""
        return np.asarray(self.mass * (wrong * (1 - self.noise) + (self.rare - wrong) * self.noise))

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        return int(np.minimum(*self._counts(n, 1, rng)).sum()), 0.0

    def _counts(self, n: int, trials: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """How many of n examples each rare atom has with the right label, and with the wrong one, (rare, trials)."""
        hits = rng.multinomial(n, [*[self.mass] * self.rare, 1 - self.rare * self.mass], trials)[:, :-1]
        right = rng.binomial(hits, 1 - self.noise)
        return right.T, (hits - right).T

    def _draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> Indices:
        """I.i.d. atoms of the marginal."""
        place = rng.random(shape) / self.mass
        atoms: Indices = np.where(place < self.rare, place + 1, 0).astype(np.intp)
        return atoms

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        if self._by_sets:
            return self._sets(queries, k, s, rng)
        if self.noise > 0 and k > CHUNKS:
            return replace(_votes(queries, k, self._noisy_votes(k, s, rng)), tv_budget=3 * TINY * k * self.rare)
        if self.noise > 0:
            cast = _Cast(self.rare, queries)
            cast.count(self._noisy_chunks(k, s, rng))
            return cast.votes(k)
        missed = rng.multinomial(k, missed_law(self.rare, self.mass, s), queries.trials)
        if k > CHUNKS:
            return _votes(queries, k, named(missed, rng))
        cast = _Cast(self.rare, queries)
        cast.count(by_chunk(missed[0], rng))
        return cast.votes(k)

    def _sets(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        """Votes by how many chunks missed just which rare atoms; in reals, which hold such whole numbers exactly."""
        sets, law = missed_sets(self.rare, self.mass, s)
        chunks = rng.multinomial(k, law, queries.trials)
        trial = 0 if queries.trial is None else queries.trial
        place = trial * (self.rare + 1) + queries.points.astype(np.intp)
        queries_at = np.bincount(place, queries.sizes, queries.trials * (self.rare + 1)).reshape(queries.trials, -1)
        most = np.where(chunks > 0, queries_at[:, 1:] @ sets.T, 0).max(axis=1)
        return _votes(queries, k, (chunks @ sets).astype(np.int64), most.astype(np.int64))

    def _noisy_chunks(self, chunks: int, s: int, rng: np.random.Generator) -> Iterator[Bools]:
        """Which chunks are wrong on each atom in turn; its examples, of those left, and their right labels are binomial."""
        left = np.full(chunks, s)
        for atom in range(self.rare):
            hits = rng.binomial(left, min(1.0, self.mass / (1 - atom * self.mass)))
            left -= hits
            yield 2 * rng.binomial(hits, 1 - self.noise) <= hits

    def _noisy_votes(self, k: int, s: int, rng: np.random.Generator) -> Ints:
        """How many of k chunks are wrong on each atom, (rare,), at no cost in k.

        Chunks with equally many examples left are exchangeable, so it is enough to know how many have how many left. Of those
        with l left, the numbers with each number of hits on the next atom are multinomial; and of the chunks with so many hits,
        the number that are wrong is binomial.
        """
        wrong = np.zeros(self.rare, dtype=np.int64)
        hits, err = self._hits(np.array([s]), self.mass)
        if float(np.asarray(scipy.stats.binom.pmf(hits, s, self.mass)) @ err) < TINY:
            return wrong  # so many examples that no chunk errs
        left, chunks = np.array([s]), np.array([k])
        for atom in range(self.rare):
            share = min(1.0, self.mass / (1 - atom * self.mass))
            hits, err = self._hits(left, share)
            law = _pmf(hits, left, share)
            drawn = rng.multinomial(chunks, law / law.sum(axis=1, keepdims=True))
            wrong[atom] = rng.binomial(drawn.sum(axis=0), err).sum()
            remaining = left[:, np.newaxis] - hits  # below 0 with probability 0
            least = max(0, int(remaining.min()))
            chunks = np.bincount((remaining - least).clip(0).ravel(), drawn.ravel()).astype(np.int64)
            left = np.flatnonzero(chunks)
            left, chunks = left + least, chunks[left]
        return wrong

    def _hits(self, left: Ints, share: float) -> tuple[Ints, Reals]:
        """The numbers of hits that are likely, and the chance that a chunk with so many is wrong, as it is on a tie."""
        low, most = int(scipy.stats.binom.ppf(TINY, left.min(), share)), int(left.max())
        high = most - int(scipy.stats.binom.ppf(TINY, most, 1 - share))  # its isf takes 1 − TINY for 1
        hits = np.arange(max(0, low - 1), min(most, high + 1) + 1)
        return hits, np.asarray(scipy.stats.binom.cdf(hits // 2, hits, 1 - self.noise), np.float64)

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        cast, width = _Cast(self.rare, queries), self.rare + 1
        rows, columns = max(1, FULL_BLOCK // max(s, width)), min(s, FULL_BLOCK)
        for start in range(0, k, rows):
            chunks = min(rows, k - start)
            lead = np.zeros(chunks * width)  # of right labels over wrong ones, by chunk and atom
            for seen in range(0, s, columns):
                atoms = self._draw((chunks, min(columns, s - seen)), rng)
                right = np.where(rng.random(atoms.size) < self.noise, -1.0, 1.0) if self.noise > 0 else None
                lead += np.bincount((atoms + width * np.arange(chunks)[:, np.newaxis]).ravel(), right, len(lead))
            cast.count(lead.reshape(chunks, width)[:, 1:].T <= 0)
        return cast.votes(k)

    def labelled(self) -> Labelled:
        return RareAtoms(self.rare, self.mass, self.noise)

    def relabelling(self) -> Relabelling:
        return OfAtoms(self.rare, self.mass, self.noise)


def _pmf(hits: Ints, left: Ints, share: float) -> Reals:
    """P(Bin(left, share) = hits), (left, hits), of numbers in rising order."""
    rows, columns = (range(int(each[0]) // TILE, int(each[-1]) // TILE + 1) for each in (left, hits))
    quarter = np.block([[_tile(row, column, share) for column in columns] for row in rows])
    return np.asarray(quarter[np.ix_(left - TILE * rows[0], hits - TILE * columns[0])])


@lru_cache(maxsize=1024)
def _tile(row: int, column: int, share: float) -> Reals:
    """A square of the table of P(Bin(left, share) = hits), which trials of a cell have in common."""
    places = np.arange(TILE)
    return np.asarray(scipy.stats.binom.pmf(TILE * column + places, TILE * row + places[:, np.newaxis], share))


class _Cast:
    """Wrong votes on the rare atoms, (rare,), and the most mistakes of any chunk on the queries, block by block of chunks."""

    def __init__(self, rare: int, queries: Queries) -> None:
        self.queries = queries
        # A wrong vote is right where the query's label is flipped.
        flipped = queries.truth != queries.target
        signed = np.where(flipped, -queries.sizes, queries.sizes)
        self.cost, self.most = np.zeros(rare + 1, dtype=np.int64), 0
        np.add.at(self.cost, queries.points.astype(np.intp), signed)
        self.least = int(queries.sizes[flipped].sum())
        self.wrong = np.zeros(rare, dtype=np.int64)

    def count(self, by_atom: Iterable[Bools]) -> None:
        """Count a block's votes: for each rare atom in turn, which of the chunks are wrong on it."""
        mistakes: Ints = np.array([self.least])
        for atom, wrong in enumerate(by_atom):
            self.wrong[atom] += np.count_nonzero(wrong)
            mistakes = mistakes + wrong * self.cost[atom + 1]
        self.most = max(self.most, int(mistakes.max()))

    def votes(self, k: int) -> Ballot:
        """The votes of all k chunks, every one of which was counted."""
        return _votes(self.queries, k, self.wrong, self.most)


def _votes(queries: Queries, k: int, wrong: Ints, most: int | Ints | None = None) -> Ballot:
    """The votes of k chunks of each trial, of which so many are wrong on each rare atom, (rare,) or (trials, rare)."""
    by_atom = np.insert(np.atleast_2d(wrong), 0, k, axis=1)
    trial = 0 if queries.trial is None else queries.trial
    return Ballot.binary(by_atom[trial, queries.points.astype(np.intp)], k, queries, most)


class _Atoms(Distribution):
    """What the distributions share: how atoms are sized, and when they cannot be."""

    @abstractmethod
    def sizes(self, rare: int, situation: Situation) -> tuple[float, float]:
        """The mass of each of so many rare atoms, and η."""

    @abstractmethod
    def allowed(self, rare: int, situation: Situation) -> tuple[str, str]:
        """What sizes are allowed, and the parameter that they are about."""

    def refuse(self, situation: Situation) -> Refusal | None:
        rare, s, gamma = situation.concept.rare_atoms, situation.s, situation.gamma
        if not 1 <= rare <= MOST_RARE:
            what = f"the class shatters {rare} points beside one whose label is fixed"
            return Refusal(f"{what}; allowed: 1 to {MOST_RARE}", "distribution")
        mass, noise = self.sizes(rare, situation)
        if rare * mass < 1 and noise < 0.5:
            return None
        allowed, key = self.allowed(rare, situation)
        atoms = "rare atom" if rare == 1 else f"{rare} rare atoms"
        heavy = f"at s = {s} and gamma = {gamma:g} the {atoms} would have mass {rare * mass:.3g}"
        return Refusal(f"{heavy}{f' and labels flipped at a rate of {noise:.3g}' if gamma else ''}; allowed: {allowed}", key)

    def at(self, situation: Situation) -> Trainable:
        rare = situation.concept.rare_atoms
        return AtomsSampler(rare, *self.sizes(rare, situation))


class Hard(_Atoms):
    """A hard distribution: rare atoms of mass c/s each, by default c = ln 2; or of a fixed mass; or of a total in units of α.

    A chunk misses each with probability about e^−c and is wrong on it then: c just below ln 3 makes the factor 3 of BTT18
    Lemma 3.3 tight, and c = ln 2 splits the votes in half. With gamma > 0, unless their mass is fixed, the rare atoms have mass
    p = γ/(½ − Δ) together, with Δ = scale·√(r/(sp)) and η = ½ − Δ. A chunk has so few examples on each that their majority is
    wrong with probability about Φ(−2·scale): this is 1/3 at a scale of 0.215.

    The total is what whoever is wrong on all of them errs more than the best hypothesis: with it their mass is 2γ + total·α,
    the same for every mechanism and every n.
    """

    c: float | None = Field(None, gt=0, allow_inf_nan=False)
    mass: float | None = Field(None, gt=0, lt=1)
    total: float | None = Field(None, gt=0, allow_inf_nan=False)
    scale: float = Field(0.2, gt=0, le=10)

    @model_validator(mode="before")
    @classmethod
    def _one_size(cls, fields: dict[str, Any]) -> dict[str, Any]:
        fields = {key: value for key, value in fields.items() if value is not None}
        sizes = {"c", "mass", "total"} & fields.keys()
        if len(sizes) > 1:
            raise ValueError(f"give one of c, mass and total, not {' and '.join(sorted(sizes))}")
        return fields if sizes else {"c": log(2)} | fields

    def refuse(self, situation: Situation) -> Refusal | None:
        if self.total is not None and situation.alpha is None:
            what = "total is in units of alpha, which is not given"
            return Refusal(f"{what}; allowed: c, mass, or total with alpha", "distribution")
        return super().refuse(situation)

    def sizes(self, rare: int, situation: Situation) -> tuple[float, float]:
        gamma, s = situation.gamma, situation.s
        if self.mass is not None:
            return self.mass, gamma / (rare * self.mass)
        if self.total is not None:
            assert situation.alpha is not None
            mass = 2 * gamma + self.total * situation.alpha
            return mass / rare, gamma / mass
        assert self.c is not None
        if gamma == 0:
            return self.c / s, 0.0
        # Δ² + aΔ − a/2 = 0, solved for ½ − Δ so that nothing cancels.
        a = self.scale**2 * rare / (gamma * s)
        noise = 1 / (2 * (a + 1 + sqrt(a * (a + 2))))
        return gamma / (rare * noise), noise

    def allowed(self, rare: int, situation: Situation) -> tuple[str, str]:
        if self.mass is not None:
            return f"mass between {2 * situation.gamma / rare:.3g} and {1 / rare:.3g}", "distribution"
        if self.total is not None:
            return "2·gamma + total·alpha < 1", "distribution"
        if situation.gamma == 0:
            return f"c < s{f'/{rare}' * (rare > 1)}", "distribution"
        most = max(0.0, 0.5 - self.scale * sqrt(rare / situation.s))
        return f"gamma < 1/2 − scale·√({rare}/s), here {most:.3g}", "gamma"


class Balanced(_Atoms):
    """A benign distribution on atoms: all r + 1 have the mass 1/(r+1), so a chunk has seen them all unless it is small."""

    def sizes(self, rare: int, situation: Situation) -> tuple[float, float]:
        return 1 / (rare + 1), situation.gamma * (rare + 1) / rare

    def allowed(self, rare: int, situation: Situation) -> tuple[str, str]:
        return f"gamma < {rare / (2 * (rare + 1)):.3g}", "gamma"


ATOMS: Mapping[str, type[Distribution]] = {"hard": Hard, "balanced": Balanced}
