"""Atoms: points x of mass q_x, each labelled 1 with probability p_x. What is left of the mass lies where nobody asks."""

from functools import cache
from math import fsum
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from harness.arrays import Indices, Ints, Labels, Reals, shared
from harness.scores import Instance, Points, Sampling

SLACK = 1e-12  # of masses that add up to 1 but for rounding
MOST_ATOMS = 1000
FEW = 16  # ends with each of which to compare is faster than to search among them


class ScoreAtoms(Instance, frozen=True):
    """An instance on atoms x of mass q_x, each labelled 1 with probability p_x.

    masses: q_x, at most 1 together. chances: p_x, one a mass. By default a single atom, labelled 1 half of the time.

    Points are numbers of atoms, the last one standing for all that is not asked about. The others are asked about in proportion
    to their masses. Features have one coordinate an atom.
    """

    name: ClassVar[str] = "atoms"

    masses: Annotated[tuple[Annotated[float, Field(gt=0, le=1)], ...], Field(min_length=1, max_length=MOST_ATOMS)] = (1.0,)
    chances: tuple[Annotated[float, Field(ge=0, le=1)], ...] = (0.5,)

    @model_validator(mode="after")
    def _one_chance_a_mass(self) -> Self:
        if len(self.masses) != len(self.chances):
            raise ValueError(f"{len(self.masses)} masses and {len(self.chances)} chances; allowed: as many of both")
        if fsum(self.masses) > 1 + SLACK:
            raise ValueError(f"the masses add up to {fsum(self.masses):.6g}; allowed: at most 1")
        return self

    @property
    def law(self) -> Reals:
        """The masses and what is left, (q + 1,)."""
        return np.array([*self.masses, max(0.0, 1 - fsum(self.masses))])

    @property
    def asked(self) -> Indices:
        return np.arange(len(self.masses))

    @property
    def shares(self) -> Reals:
        return np.array(self.masses) / fsum(self.masses)

    def chance(self, points: Points) -> Reals:
        return np.array([*self.chances, 0.5])[points]

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Points:
        return self.examples(rng, shape)[0]

    def examples(self, rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Indices, Labels]:
        """One uniform number an example says both its atom and its label."""
        chances = np.array([*self.chances, 0.5])
        upto = np.cumsum(np.stack([self.law * (1 - chances), self.law * chances], axis=1))
        both = _places(upto[:-1] / upto[-1], rng.random(shape))
        return both >> 1, (both & 1).astype(np.int8)

    def features(self, points: Points) -> Reals:
        return _corners(len(self.masses) + 1).take(points, axis=0)

    @property
    def half(self) -> Reals:
        return np.full(len(self.masses) + 1, 0.5)

    def visits(self, sampling: Sampling, rng: np.random.Generator, s: int, k: int) -> Ints:
        """Draws how many of each chunk's s examples fall on each atom, (k, q); of Poisson(s) where sampling is poisson."""
        if sampling == "poisson":
            return rng.poisson(s * np.array(self.masses), (k, len(self.masses)))
        return rng.multinomial(s, self.law / self.law.sum(), k)[:, :-1]


@cache
def _corners(atoms: int) -> Reals:
    """A unit vector of each atom."""
    return shared(np.eye(atoms))


def _places(ends: Reals, numbers: Reals) -> Indices:
    """How many of ascending ends are at most each number: among few ends, by a comparison with each."""
    if len(ends) > FEW:
        return np.searchsorted(ends, numbers, side="right")
    places = np.zeros(numbers.shape, np.int8)
    for end in ends:
        places += numbers >= end
    return places.astype(np.intp)


INSTANCE = ScoreAtoms
