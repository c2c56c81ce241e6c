"""A fixed instance that is hard at every size of chunks: V rare atoms whose masses fall in geometric progression.

`atoms.Hard` sizes its atoms by the mechanism's own s, so its rate follows s whatever a theorem says. Here nothing moves with n,
m or ε. As in `atoms`, the class shatters the rare atoms beside a heavy one; a rare atom's right label is 0, and what a chunk
that cannot tell says is 1. With S_i, i < V, from V·first to V·last in equal ratios, atom i is hard for chunks of up to S_i
examples:

- Without noise its mass is ln 2/S_i: half of the chunks of S_i examples miss it, so for s < S_i it has no right majority. All
  such atoms together have mass of order V/s.
- With noise it has mass p_i = a/√S_i, and each label is flipped with probability η_i = ½ − Δ_i, Δ_i = scale/√(p_i S_i): in S_i
  examples flips are as frequent as not but for `scale` standard deviations. Σ p_i η_i = γ, the best error in the class. The
  atoms that are hard at s add an error of order √(γV/s), as much as any learner may err more than γ (relative deviations).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from typing import ClassVar, Self

import numpy as np
import scipy
from pydantic import Field, model_validator

from harness.arrays import Bools, Ints, Reals
from harness.ballots import Ballot, Queries
from harness.concepts import Distribution, Sampler, Sampling, Situation, full
from harness.concepts.atoms import MOST_RARE
from harness.refusal import Refusal

FULL_BLOCK = 1 << 22  # counts held at once by full sampling
MANY = 1e6  # expected examples on an atom from which what right labels have over wrong ones is as good as normal: to 1e-6


@dataclass(frozen=True)
class LadderSampler(Sampler):
    """The sampler of V rare atoms whose masses fall in geometric progression. masses, noise: of each atom.

    noise is the rate of flipped labels. Equal samplers are one, so both are tuples.
    """

    masses: tuple[float, ...]
    noise: tuple[float, ...]

    @cached_property
    def _ends(self) -> Reals:
        return np.cumsum(self.masses)

    @cached_property
    def _flips(self) -> Reals:
        """The rate of flipped labels on every atom, the heavy one first."""
        return np.concatenate([[0.0], self.noise])

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        """Points are numbers of atoms, 0 the heavy one."""
        place = rng.random(m)
        atoms = np.zeros(m, dtype=np.intp)
        rare = np.flatnonzero(place < self._ends[-1])
        atoms[rare] = np.searchsorted(self._ends, place[rare], side="right") + 1
        best = (atoms == 0).astype(np.int8)
        if not any(self.noise):
            return Queries(atoms.astype(np.float64), best)
        flipped = (rng.random(m) < self._flips[atoms]).astype(np.int8)
        return Queries(atoms.astype(np.float64), best ^ flipped, best)

    def singles(self, m: int, k: int, s: int) -> float:
        return 0

    def types(self, m: int, k: int, s: int, rng: np.random.Generator) -> Queries:
        """The heavy atom, the rare ones, and with noise once more those of their queries that are labelled 1."""
        heavy = max(0.0, 1 - self._ends[-1])
        sizes = rng.multinomial(m, [heavy, *self.masses])
        points, flipped = np.arange(len(sizes), dtype=np.float64), rng.binomial(sizes, self._flips)
        best = (points == 0).astype(np.int8)
        queries = Queries(points, best, best, sizes - flipped)
        return queries.joined(Queries(points, 1 - best, best, flipped)) if any(self.noise) else queries

    def poisson(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        """The votes of k learners on Poisson(s) examples each: then what they see of one atom says nothing of another."""
        wrong = rng.binomial(k, wrong_shares(self.masses, self.noise, s))
        return self._votes(queries, k, wrong)

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        wrong = np.zeros(len(self.masses), dtype=np.int64)
        shares, rows = [*self.masses, 1 - self._ends[-1]], max(1, FULL_BLOCK // (len(self.masses) + 1))
        for start in range(0, k, rows):
            hits = rng.multinomial(s, shares, size=min(rows, k - start))[:, :-1]
            right = rng.binomial(hits, 1 - np.array(self.noise))
            wrong += np.count_nonzero(2 * right <= hits, axis=0)
        return self._votes(queries, k, wrong)

    def _votes(self, queries: Queries, k: int, wrong: Ints) -> Ballot:
        return Ballot.binary(np.append(k, wrong)[queries.points.astype(np.intp)], k, queries)


@lru_cache(maxsize=256)
def wrong_shares(masses: tuple[float, ...], noise: tuple[float, ...], s: int) -> Reals:
    """P(a chunk of Poisson(s) examples has no more right labels than wrong ones) on each atom, (atoms,)."""
    hits, flips = s * np.array(masses), np.array(noise)
    few: Bools = hits < MANY
    shares: Reals = scipy.stats.norm.cdf((0.5 - (1 - 2 * flips) * hits) / np.sqrt(hits))
    shares[few] = np.where(
        flips[few] == 0,
        np.exp(-hits[few]),
        scipy.stats.skellam.cdf(0, hits[few] * (1 - flips[few]), np.maximum(hits[few] * flips[few], 1e-300)),
    )
    shares.setflags(write=False)
    return shares


def _poisson(sampler: Sampler, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
    assert isinstance(sampler, LadderSampler)
    return sampler.poisson(queries, k, s, rng)


poisson = Sampling.by_type(_poisson)
"""By the law of votes whose chunks have Poisson(s) examples."""


class Ladder(Distribution):
    """A distribution hard at every chunk size from `first` to `last` examples per dimension: V rare atoms, in equal ratios.

    scale: with noisy labels, how many standard deviations an atom's flips are off a fair coin at the size it is hard for.
    """

    name: ClassVar[str] = "ladder"
    concept: ClassVar[str] = "halfspaces"

    first: float = Field(20.0, ge=1, le=1e12)
    last: float = Field(1e6, ge=1, le=1e15)
    scale: float = Field(0.02, gt=0, le=0.2)

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if self.first >= self.last:
            raise ValueError(f"first = {self.first:g} is not below last = {self.last:g}; allowed: first < last")
        return self

    def samplings(self, concept: object, learner: str) -> Mapping[str, Sampling]:
        return {"poisson": poisson, "full": full}

    def refuse(self, situation: Situation) -> Refusal | None:
        rare = situation.concept.rare_atoms
        if not 2 <= rare <= MOST_RARE:
            return Refusal(f"the class shatters {rare} points beside one; allowed: 2 to {MOST_RARE}", "distribution")
        masses, _ = self.sizes(rare, situation.gamma)
        if masses.sum() < 1:
            return None
        heavy = f"at gamma = {situation.gamma:g} the {rare} rare atoms would have mass {masses.sum():.3g}"
        return Refusal(f"{heavy}; allowed: below 1, as with a larger first or a smaller gamma", "distribution")

    def sizes(self, rare: int, gamma: float) -> tuple[Reals, Reals]:
        """The masses of so many rare atoms and their rates of flipped labels, (rare,) each."""
        S: Reals = rare * np.geomspace(self.first, self.last, rare)
        if gamma == 0:
            return log(2) / S, np.zeros(rare)

        def noisy(a: float) -> tuple[Reals, Reals]:
            masses = a / np.sqrt(S)
            return masses, 0.5 - np.minimum(0.5, self.scale / np.sqrt(masses * S))

        def excess(log_a: float) -> float:
            masses, flips = noisy(np.exp(log_a))
            return float(masses @ flips) - gamma

        return noisy(float(np.exp(scipy.optimize.brentq(excess, -60.0, 60.0, xtol=1e-13))))

    def at(self, situation: Situation) -> LadderSampler:
        masses, noise = self.sizes(situation.concept.rare_atoms, situation.gamma)
        return LadderSampler(tuple(masses.tolist()), tuple(noise.tolist()))


DISTRIBUTION = Ladder
