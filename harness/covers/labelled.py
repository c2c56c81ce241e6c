"""H̃ for classification: what public points without labels make of a class, and the labelled examples on its cells.

A sampler says by its `labelled` which `Labelled` its class, distribution and target are. m public points make a `LabelledCover`
of it, on which n private examples are counts of labels by cells, drawn exactly in law at no cost in n. Each h̃ cuts at public
points. Choosing one with a chance that falls by e^−tilt with each mistake costs one pass over the cells.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import lgamma, log, pi

import numpy as np
from scipy.special import expit

from harness.arrays import Bools, Ints, Reals, indices_of, order_of
from harness.covers.halfspaces import HalfspaceQueries
from harness.covers.line import missed_by_spacing
from harness.covers.missed_atoms import missed_law

GUMBEL_RANGE = 41.0  # Gumbel noise of 53 bits is between −3.61 and 36.74


@dataclass(frozen=True, eq=False)
class LabelledCover(ABC):
    """H̃ of some public points, for classification. law: the chance of each label on each cell, labels first, with noise."""

    law: Reals

    def examples(self, n: int, rng: np.random.Generator) -> Ints:
        """Draws how many of n i.i.d. examples have each label on each cell, in the shape of the law."""
        counts: Ints = rng.multinomial(n, (self.law / self.law.sum()).ravel()).reshape(self.law.shape)
        return counts

    @abstractmethod
    def chosen(self, counts: Ints, tilt: float, rng: np.random.Generator) -> float:
        """Draws an h̃ with chance ∝ e^(−tilt·its mistakes): the error of this h̃ on a fresh example."""


class ListedCover(LabelledCover):
    """H̃ short enough to list: counts the mistakes of every h̃, (|H̃|,), and draws one by them, giving its error."""

    @abstractmethod
    def mistakes(self, counts: Ints | Reals) -> Ints | Reals:
        """The mistakes of each h̃ on counts of labels by cells, (|H̃|,)."""

    @cached_property
    def errors(self) -> Reals:
        """The error of each h̃ on a fresh example, (|H̃|,)."""
        return np.asarray(self.mistakes(self.law), np.float64)

    def chosen(self, counts: Ints, tilt: float, rng: np.random.Generator) -> float:
        return float(self.errors[drawn(-tilt * above_least(self.mistakes(counts)), rng)])

    def first_to_stay(self, counts: Ints, tilt: float, rng: np.random.Generator) -> float:
        """Draws an h̃ by permute-and-flip: the error of this h̃ on a fresh example (Ding et al. 2021).

        Of least mistakes less exponential noise of mean 1/tilt.
        """
        mistakes = above_least(self.mistakes(counts))
        return float(self.errors[(rng.standard_exponential(len(mistakes)) - tilt * mistakes).argmax()])


def above_least(mistakes: Ints | Reals) -> Reals:
    """The mistakes of each hypothesis minus the fewest of any, as floats; whole numbers are subtracted before conversion."""
    return np.asarray(mistakes - mistakes.min(), np.float64)


def drawn(logs: Reals, rng: np.random.Generator) -> int:
    """Draws an index with chance in proportion to e^logs, by Gumbel noise −ln(−ln U).

    U is between 2⁻⁵³ and 1 − 2⁻⁵³, so that of logs far below the highest none can win, and theirs is not found.
    """
    uniform = 1.0 - rng.random(len(logs))
    near = indices_of(logs >= logs.max() - GUMBEL_RANGE)
    return int(near[(logs[near] - np.log(-np.log(uniform[near]))).argmax()])


@dataclass(frozen=True, eq=False)
class CoordinateCuts(ListedCover):
    """H̃ of thresholds (cuts) on one of d independent coordinates; the last decides labels. law: by label, coordinate and cell.

    law: (2, d, m + 1).
    h̃ is 1 on the first j = 0, …, m cells of a coordinate; where `signed` it may also be 1 on all others. A constant stands in
    the list once for each coordinate.
    """

    signed: bool

    def examples(self, n: int, rng: np.random.Generator) -> Ints:
        counts = np.empty(self.law.shape, np.int64)
        last = self.law[:, -1]
        counts[:, -1] = rng.multinomial(n, (last / last.sum()).ravel()).reshape(last.shape)
        for coordinate in range(self.law.shape[1] - 1):
            masses = self.law[:, coordinate].sum(axis=0)
            for label, number in enumerate(counts[:, -1].sum(axis=1)):
                counts[label, coordinate] = rng.multinomial(number, masses / masses.sum())
        return counts

    def mistakes(self, counts: Ints | Reals) -> Ints | Reals:
        zeros, ones = counts[:, -1].sum(axis=1)
        moved = (counts[0] - counts[1])[:, :-1].cumsum(axis=1)
        first = np.concatenate([np.zeros_like(moved, shape=(len(moved), 1)), moved], axis=1).ravel()
        mistakes: Ints | Reals = np.concatenate([ones + first, zeros - first]) if self.signed else ones + first
        return mistakes


@dataclass(frozen=True, eq=False)
class Around(ListedCover):
    """H̃ of halfplanes through the origin. law: (2, 2m), on the arcs between public directions and their opposites.

    The h̃ number k is 1 on the half of the arcs that begins with arc k.
    """

    def mistakes(self, counts: Ints | Reals) -> Ints | Reals:
        half, signed = counts.shape[1] // 2, counts[0] - counts[1]
        moved = np.concatenate([np.zeros_like(signed, shape=1), np.concatenate([signed, signed]).cumsum()])
        mistakes: Ints | Reals = counts[1].sum() + moved[half : 3 * half] - moved[: 2 * half]
        return mistakes


@dataclass(frozen=True, eq=False)
class Chain(LabelledCover):
    """H̃ of partitions of a line, whose cells are labelled in rising order from 0 to the last label. law: (labels, m + 1).

    There are too many h̃ to write down. One is L − 1 places of boundaries in rising order, its mistakes are a sum over the
    boundaries, and so its weight is a product along a chain.
    """

    def boundaries(self, counts: Ints, tilt: float, rng: np.random.Generator) -> Ints:
        """Draws an h̃ as `chosen` does: how many cells lie below each boundary, (labels − 1,)."""
        moved = (counts[1:] - counts[:-1])[:, :-1].cumsum(axis=1)
        later = np.pad(moved, ((0, 0), (1, 0)))  # mistakes more, where so many cells are below a boundary
        totals = [np.zeros(later.shape[1])]  # ln of the weight of all that lies below, for each place of the next boundary
        logs = []
        for steps in later:
            logs.append(totals[-1] - tilt * above_least(steps))
            totals.append(np.logaddexp.accumulate(logs[-1]))
        boundaries = np.empty(len(later), np.int64)
        end = later.shape[1]
        for boundary in reversed(range(len(later))):
            boundaries[boundary] = drawn(logs[boundary][:end], rng)
            end = boundaries[boundary] + 1
        return boundaries

    def chosen(self, counts: Ints, tilt: float, rng: np.random.Generator) -> float:
        return self.error(self.boundaries(counts, tilt, rng))

    def error(self, boundaries: Ints) -> float:
        """The error on a fresh example of the h̃ with these boundaries."""
        cells = np.arange(self.law.shape[1])
        right = self.law[np.searchsorted(boundaries, cells, side="right"), cells].sum()
        return max(0.0, 1 - float(right))


@dataclass(frozen=True, eq=False)
class Shattered(LabelledCover):
    """H̃ of all labellings of the public rare atoms. law: (2, atoms), first the heavy atom, which all h̃ label 1.

    seen: (rare,). On a rare atom that is not public an h̃ says 1, which is wrong: as a learner does that has no example there.
    The weight of a labelling is a product over the atoms, so each label is drawn on its own.
    """

    seen: Bools

    def ones(self, counts: Ints, tilt: float, rng: np.random.Generator) -> Bools:
        """Draws an h̃ as `chosen` does: which rare atoms are labelled 1, (rare,)."""
        lead = (counts[0] - counts[1])[1:].astype(np.float64)
        ones: Bools = (rng.random(len(lead)) < expit(-tilt * lead)) | ~self.seen
        return ones

    def chosen(self, counts: Ints, tilt: float, rng: np.random.Generator) -> float:
        return self.error(self.ones(counts, tilt, rng))

    def error(self, ones: Bools) -> float:
        """The error on a fresh example of a labelling of the rare atoms."""
        return float(self.law[0, 0] + np.where(ones, self.law[0, 1:], self.law[1, 1:]).sum())


class Labelled(ABC):
    """The base of labelled examples' distributions: bounds ln |H̃| and P(H̃ is no cover) for m public points, and draws H̃.

    listed: whether the H̃ that are drawn are `ListedCover`s.
    """

    listed: bool = True

    @abstractmethod
    def log_size(self, m: int) -> float:
        """ln |H̃| for m public points, or an upper bound on it."""

    @abstractmethod
    def missed(self, m: int, alpha: float) -> float:
        """An upper bound on P(the H̃ of m public points is no alpha-cover)."""

    @abstractmethod
    def cover(self, m: int, rng: np.random.Generator) -> LabelledCover:
        """Draws m ≥ 1 i.i.d. public points: the H̃ that these make."""


def noisy(clean: Reals, gamma: float) -> Reals:
    """The law of labels on cells with noise: with probability gamma a label is one of the others, uniformly."""
    if not gamma:
        return clean
    others = len(clean) - 1
    law: Reals = (1 - gamma) * clean + gamma / others * (clean.sum(axis=0) - clean)
    return law


@dataclass(frozen=True)
class Cut(Labelled):
    """Uniform examples on [0, 1]^d, labelled by whether the last coordinate is below the target; thresholds have d = 1.

    What is 1 below the target here is what thresholds label 0, which is the same problem.
    """

    d: int
    target: float
    gamma: float
    signed: bool

    def log_size(self, m: int) -> float:
        return log((1 + self.signed) * self.d * (m + 1))

    def missed(self, m: int, alpha: float) -> float:
        return min(1.0, self.d * missed_by_spacing(m, alpha, 1))

    def cover(self, m: int, rng: np.random.Generator) -> CoordinateCuts:
        return self.of(rng.random((self.d, m)))

    def of(self, points: Reals) -> CoordinateCuts:
        """H̃ of these points, (d, m)."""
        in_order = [coordinate[order_of(coordinate)] for coordinate in points]
        edges = np.pad(in_order, ((0, 0), (1, 1)), constant_values=(0, 1))
        masses = np.diff(edges)
        below = masses * self.target
        below[-1] = np.diff(np.minimum(edges[-1], self.target))
        return CoordinateCuts(noisy(np.stack([masses - below, below]), self.gamma), self.signed)


@dataclass(frozen=True)
class Plane(Labelled):
    """Examples of uniform directions of the plane, labelled by whether the first coordinate is positive."""

    gamma: float

    def log_size(self, m: int) -> float:
        return log(2 * m)

    def missed(self, m: int, alpha: float) -> float:
        return HalfspaceQueries().missed(m, alpha)

    def cover(self, m: int, rng: np.random.Generator) -> Around:
        return self.of(pi * rng.random(m))

    def of(self, directions: Reals) -> Around:
        """H̃ of these directions, in radians, (m,); a direction and its opposite are the same cut."""
        folded = np.sort(directions % pi)
        edges = np.concatenate([folded, folded + pi, folded[:1] + 2 * pi]) / (2 * pi)
        inside = edges // 1 / 2 + np.minimum(edges % 1, 0.25) + np.maximum(edges % 1 - 0.75, 0)
        ones, masses = np.diff(inside), np.diff(edges)
        return Around(noisy(np.stack([masses - ones, ones]), self.gamma))


@dataclass(frozen=True)
class Pieces(Labelled):
    """Uniform examples on [0, 1], labelled by which of several intervals of one width they are in."""

    labels: int
    gamma: float
    listed = False

    def log_size(self, m: int) -> float:
        """ln C(m + L − 1, L − 1)."""
        return lgamma(m + self.labels) - lgamma(self.labels) - lgamma(m + 1)

    def missed(self, m: int, alpha: float) -> float:
        return missed_by_spacing(m, alpha, self.labels - 1)

    def cover(self, m: int, rng: np.random.Generator) -> Chain:
        return self.of(rng.random(m))

    def of(self, points: Reals) -> Chain:
        """H̃ of these points, (m,)."""
        edges = np.pad(points[order_of(points)], 1, constant_values=(0, 1))
        upto = np.minimum(edges, np.arange(1, self.labels + 1)[:, np.newaxis] / self.labels)
        return Chain(noisy(np.diff(np.diff(upto, axis=1), axis=0, prepend=0.0), self.gamma))


@dataclass(frozen=True)
class RareAtoms(Labelled):
    """Examples on rare atoms of equal mass, with labels flipped w.p. `noise`, and on a heavy one: see `concepts.atoms`."""

    rare: int
    mass: float
    noise: float
    listed = False

    def log_size(self, m: int) -> float:
        """That of all labellings of min(m, rare) atoms; where fewer are public there are fewer."""
        return min(m, self.rare) * log(2)

    def missed(self, m: int, alpha: float) -> float:
        masses = self.mass * np.arange(self.rare + 1)
        return min(1.0, float(missed_law(self.rare, self.mass, m)[masses > alpha].sum()))

    def cover(self, m: int, rng: np.random.Generator) -> Shattered:
        return self.of(rng.multinomial(m, [*[self.mass] * self.rare, 1 - self.rare * self.mass])[:-1] > 0)

    def of(self, seen: Bools) -> Shattered:
        """H̃ where these rare atoms are public, (rare,)."""
        flipped = np.append(0.0, np.full(self.rare, self.mass * self.noise))
        right = np.append(1 - self.rare * self.mass, np.full(self.rare, self.mass * (1 - self.noise)))
        law = np.stack([right, flipped])
        law[:, 0] = law[::-1, 0]  # the heavy atom is labelled 1
        return Shattered(law, seen)
