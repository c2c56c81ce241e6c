"""How many chunks err on each query near a boundary, where each boundary is put at the nearest example on one side.

Let l_r be the distance from boundary r to that example. Near the boundaries, where the stretches beside them do not overlap,
P(l_1 > a_1, …, l_R > a_R) = (1 − Σ a_r)^s for s uniform examples. A chunk errs on the queries beside r that are nearer than
l_r. So what it does is told by the gap between such queries in which each l_r lies, and chunks are counted by these: boundary
after boundary, and gap by gap, each time a binomial share of those that have the same gaps so far.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from harness.arrays import Ints, Reals, binomials, indices_of
from harness.concepts.offsets import survives


@dataclass(frozen=True)
class _ChunkGroups:
    """Groups of chunks that have the same gaps at the boundaries so far: of which trial, how many, and their mistakes.

    mass: (groups, terms), and signs: (terms,), such that P(these gaps, and l > b at the next boundary) is the sum of
    sign · (1 − mass − b)^s, as each gap is a difference of two tails.
    """

    trial: Ints
    number: Ints
    mistakes: Ints
    mass: Reals
    signs: Reals

    def chance(self, groups: Ints, beyond: Reals | float, s: int) -> Reals:
        """P(these gaps, and l > beyond at the next boundary), (groups,)."""
        return np.asarray(survives(self.mass[groups] + np.atleast_1d(beyond)[:, np.newaxis], s) @ self.signs)

    def parted(self, gaps: "list[_Gaps]") -> "_ChunkGroups":
        """By the gaps at one more boundary."""
        group, number, mistakes, low, high = (np.concatenate(each) for each in zip(*gaps, strict=True))
        some = number > 0
        group, mass = group[some], self.mass[group[some]]
        return _ChunkGroups(
            self.trial[group],
            number[some],
            self.mistakes[group] + mistakes[some],
            np.hstack([mass + low[some, np.newaxis], mass + high[some, np.newaxis]]),
            np.append(self.signs, -self.signs),
        )


_Gaps = tuple[Ints, Ints, Ints, Reals, Reals]
"""Of some groups, how many of their chunks lie in one gap: group, number, mistakes of a chunk there, and its two ends."""


@dataclass(frozen=True)
class BesideBoundaries:
    """The types of queries beside boundaries, on the side where chunks err, (types,), to draw how many chunks err on each.

    distances: from their boundary, a number from 0 on. sizes: how many queries there are of each. trial: of which trial.
    """

    distances: Reals
    sizes: Ints
    boundary: Ints
    trial: Ints

    def errors(self, k: int, s: int, shape: tuple[int, int], rng: np.random.Generator) -> tuple[Ints, Ints]:
        """How many of k chunks of each trial err on each type, (types,), and the most mistakes of any of them, (trials,).

        shape: how many trials there are, and how many boundaries.
        """
        order = np.lexsort((self.distances, self.boundary, self.trial))
        place = self.trial * shape[1] + self.boundary
        numbers = np.bincount(place, minlength=shape[0] * shape[1])
        begins, numbers = (np.cumsum(numbers) - numbers).reshape(shape), numbers.reshape(shape)
        of = indices_of(np.bincount(self.trial, minlength=shape[0]) > 0)
        chunks = _ChunkGroups(of, np.full(len(of), k), np.zeros_like(of), np.zeros((len(of), 1)), np.ones(1))
        line = _Line(self.distances[order], np.append(0, np.cumsum(self.sizes[order])), np.zeros_like(order))
        for begin, number in zip(begins.T, numbers.T, strict=True) if len(of) else ():
            chunks = chunks.parted(list(_gaps(chunks, line, begin[chunks.trial], number[chunks.trial], s, rng)))
        wrong, most = np.empty_like(order), np.zeros(shape[0], dtype=np.int64)
        wrong[order] = line.wrong
        np.maximum.at(most, chunks.trial, chunks.mistakes)
        return wrong, most


@dataclass(frozen=True)
class _Line:
    """The types by trial and boundary, nearest first. passed: queries of all types before. wrong: chunks that err, so far."""

    distances: Reals
    passed: Ints
    wrong: Ints


def _gaps(chunks: _ChunkGroups, line: _Line, begin: Ints, number: Ints, s: int, rng: np.random.Generator) -> Iterator[_Gaps]:
    """The chunks in each gap of a boundary, from the nearest on; where each group's types begin, and how many there are."""
    group, left, low = np.arange(len(chunks.trial)), chunks.number, np.zeros(len(chunks.trial))
    passed, place, end, chance = line.passed[begin], begin, begin + number, chunks.chance(group, low, s)
    while len(group):
        inside = indices_of(place < end)
        high, types = np.ones(len(group)), place[inside]
        high[inside] = line.distances[types]
        upper = chunks.chance(group, high, s)
        stay = np.divide(upper, chance, out=np.zeros(len(group)), where=chance > 0)
        beyond = binomials(left, np.minimum(np.maximum(stay, 0, out=stay), 1, out=stay), rng)
        np.add.at(line.wrong, types, beyond[inside])
        yield group, left - beyond, line.passed[place] - passed, low, high
        on = indices_of(beyond > 0)
        group, left, place, end, passed = (each[on] for each in (group, beyond, place + 1, end, passed))
        low, chance = high[on], upper[on]
