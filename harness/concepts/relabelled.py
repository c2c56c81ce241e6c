"""Examples that are relabelled by one of the dichotomies of their own points, and the votes of learners on chunks of them.

A dichotomy is chosen with a chance in proportion to e^(−tilt·its mistakes). Labels are then its own, so that every chunk is
learned from without mistakes. A sampler says by `Sampler.relabelling` how that is done with its examples.

Thresholds: the dichotomies are the gaps between neighbouring points, and away from the target mistakes rise by one with chance
1 − η and fall by one with chance η. So the gap that is chosen is among few, whatever n is: beyond the J-th point on a side the
chance is at most Σ_{j>J} e^(−jd²/8) + e^(−tilt·dj/2), d = 1 − 2η, as mistakes have risen by dj/2 but for a chance e^(−jd²/8)
(Hoeffding), and the gap at the target has weight 1. So far points are drawn with their chunks. Beyond them each chunk's own
nearest are drawn by their law, (1 − (l + r)/rest)^left for no point within l to the left and r to the right.

Halfplanes: the dichotomies are the gaps between directions at which an example's label turns, two of each example half a turn
apart. Away from the target it is as for thresholds on either side, up to the opposite direction.

Atoms: every labelling of those that are in the sample, each of which is chosen on its own.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import ceil, exp, expm1, inf, log, pi

import numpy as np
from scipy.special import expit

from harness.arrays import Bools, Ints, Labels, Reals
from harness.ballots import Ballot, Queries
from harness.concepts import CALM, Calm, Hypothesis, Trainable, least_risk, noisy_thresholds
from harness.concepts.linear_votes import linear_votes


class Relabelling(ABC):
    """Draws the votes of learners on chunks of a sampler's examples, relabelled by one of their own dichotomies."""

    @abstractmethod
    def sufficient(self, queries: Queries, k: int, s: int, tilt: float, rng: np.random.Generator) -> Ballot:
        """The votes of k learners on s examples each, all of which are relabelled together, at no cost in s."""

    @abstractmethod
    def full(self, queries: Queries, k: int, s: int, tilt: float, rng: np.random.Generator) -> Ballot:
        """The same law by drawing all examples."""


def chosen(mistakes: Ints | Reals, tilt: float, rng: np.random.Generator) -> int:
    """Draws the index of a dichotomy with chance ∝ e^(−tilt·mistakes), by Gumbel noise; mistakes: (dichotomies,)."""
    return int((rng.gumbel(size=len(mistakes)) - tilt * mistakes).argmax())


@dataclass(frozen=True)
class NearPoints:
    """The examples near a threshold's target: offsets, rising, (points,), with labels and chunks."""

    places: Reals
    labels: Bools
    chunk: Ints

    def gap(self, tilt: float, rng: np.random.Generator) -> int:
        """Before which point the dichotomy is cut that is chosen; past a point it is labelled 0."""
        rises = np.where(self.labels, 1, -1)
        return chosen(np.concatenate([[0], np.cumsum(rises)]), tilt, rng)

    def nearest(self, gap: int, k: int) -> tuple[Reals, Reals]:
        """Of each chunk the last point before a gap and the first after it, (k,); infinite where there is none."""
        below, above = np.full(k, -inf), np.full(k, inf)
        np.maximum.at(below, self.chunk[:gap], self.places[:gap])
        np.minimum.at(above, self.chunk[gap:], self.places[gap:])
        return below, above


def farthest(noise: float, tilt: float) -> int:
    """J: the dichotomy that is chosen cuts beyond the J-th point on either side of the target with chance at most e^−40."""
    d = 1 - 2 * noise
    rate = min(d**2 / 8, tilt * d / 2)
    return ceil((least_risk.BEYOND + log(2 / -expm1(-rate))) / rate)


def near(
    ends: tuple[float, float], noise: float, tilt: float, k: int, s: int, rng: np.random.Generator
) -> tuple[NearPoints, tuple[float, float]]:
    """Draws the at most J points on either side, of k chunks of s, that are nearest the target, and how far out they are."""
    most, total, parts, explored = farthest(noise, tilt), k * s, [], []
    upper = int(rng.binomial(total, ends[1]))
    for end, count in zip(ends, (total - upper, upper), strict=True):
        few = min(count, most)
        # Of N uniform points the next is nearer than all N − i others: see `least_risk.nearest`.
        share = -np.expm1(-np.cumsum(rng.standard_exponential(few) / (count - np.arange(few))))
        parts.append(end * share)
        explored.append(end if few == count else float(end * share[-1]))
    places = np.concatenate([parts[0][::-1], parts[1]])
    place = rng.choice(total, len(places), replace=False, shuffle=True)
    labels = (places >= 0) ^ (rng.random(len(places)) < noise)
    return NearPoints(places, np.asarray(labels), place // s), (explored[0], explored[1])


@dataclass(frozen=True)
class OfThresholds(Relabelling):
    """Relabelling for thresholds on uniform points. noise: the rate at which labels are flipped. rule: what a learner does."""

    ends: tuple[float, float]
    noise: float
    rule: least_risk.Rule

    def sufficient(self, queries: Queries, k: int, s: int, tilt: float, rng: np.random.Generator) -> Ballot:
        points, explored = near(self.ends, self.noise, tilt, k, s, rng)
        gap_ends = points.nearest(points.gap(tilt, rng), k)
        far = self._beyond(explored, s - np.bincount(points.chunk, minlength=k), rng)
        learned = self._learned(*(np.where(np.isinf(seen), other, seen) for seen, other in zip(gap_ends, far, strict=True)))
        return self.votes(learned, queries, 2 * exp(-least_risk.BEYOND))

    def full(self, queries: Queries, k: int, s: int, tilt: float, rng: np.random.Generator) -> Ballot:
        places = self.ends[0] + rng.random(k * s)
        order = places.argsort()
        points = NearPoints(places[order], (places[order] >= 0) ^ (rng.random(k * s) < self.noise), order // s)
        gap_ends = points.nearest(points.gap(tilt, rng), k)
        return self.votes(self._learned(*gap_ends), queries)

    def _beyond(self, explored: tuple[float, float], left: Ints, rng: np.random.Generator) -> tuple[Reals, Reals]:
        """Of each chunk's points that are left the nearest beyond what is explored; infinite where there is none."""
        below, above = beyond(explored, left, rng)
        return np.where(below < self.ends[0], -inf, below), np.where(above > self.ends[1], inf, above)

    def _learned(self, below: Reals, above: Reals) -> Reals:
        """What each chunk learns, (k,), in rising order."""
        return np.sort(self.rule(below.clip(self.ends[0]), above.clip(max=self.ends[1])))

    def votes(self, learned: Reals, queries: Queries, tv_budget: float = 0.0) -> Ballot:
        """The ballot of thresholds at these offsets."""
        k, ones = len(learned), np.searchsorted(learned, queries.points, side="right").astype(np.int64)
        most = noisy_thresholds.most_mistakes(ones, k, queries)
        return Ballot.binary(ones, k, queries, max_mistakes=most, tv_budget=tv_budget)


def beyond(explored: tuple[float, float], left: Ints, rng: np.random.Generator) -> tuple[Reals, Reals]:
    """The nearest of so many points of each chunk, downwards and upwards, (chunks,) each; infinite where there is none.

    They are uniform on what is left of a circle of length 1. Of one alone it is the nearest both ways.
    """
    low, high = explored
    rest = 1 - (high - low)
    with np.errstate(divide="ignore"):
        right = rest * -np.expm1(-rng.standard_exponential(len(left)) / left)
        other = (rest - right) * -np.expm1(-rng.standard_exponential(len(left)) / (left - 1).clip(0))
    return np.where(left == 0, -inf, low - other), np.where(left == 0, inf, high + right)


HALVES = (-0.5, 0.5)
"""A half-turn around the target, in half-turns."""

FEW = 4  # times as many points as are drawn on a side are drawn one by one: so many hardly leave a side without


@dataclass(frozen=True)
class OfHalfplanes(Relabelling):
    """Relabelling for halfplanes on uniform directions. noise: the rate at which labels are flipped.

    A chunk learns the middle of its gap.

    An example is at the offset by which the target may turn until it errs on it. Round the circle of half-turns all are gaps'
    ends, and half a turn further the gaps are those of the opposite directions.
    """

    noise: float

    def sufficient(self, queries: Queries, k: int, s: int, tilt: float, rng: np.random.Generator) -> Ballot:
        if k * s <= FEW * farthest(self.noise, tilt):
            return self.full(queries, k, s, tilt, rng)
        points, explored = near(HALVES, self.noise, tilt, k, s, rng)
        seen = points.nearest(points.gap(tilt, rng), k)
        return self._votes(points, seen, beyond(explored, s - np.bincount(points.chunk, minlength=k), rng), 0, queries)

    def full(self, queries: Queries, k: int, s: int, tilt: float, rng: np.random.Generator) -> Ballot:
        places = rng.random(k * s) - 0.5
        order = places.argsort()
        points = NearPoints(places[order], (places[order] >= 0) ^ (rng.random(k * s) < self.noise), order // s)
        risen = np.cumsum(np.where(points.labels, 1, -1))
        turn, gap = divmod(chosen(np.concatenate([risen, risen[-1] - risen]), tilt, rng) + 1, k * s)
        none = np.full(k, -inf), np.full(k, inf)
        return self._votes(points, points.nearest(gap, k), none, turn, queries)

    def _votes(
        self, points: NearPoints, seen: tuple[Reals, Reals], far: tuple[Reals, Reals], turn: int, queries: Queries
    ) -> Ballot:
        """Of the middles between the nearest points, seen, farther or once round the circle; so many half-turns further."""
        k = len(seen[0])
        first, last = points.nearest(0, k)[1] + 1, points.nearest(len(points.places), k)[0] - 1
        below, above = (
            np.where(np.isfinite(nearest), nearest, np.where(np.isfinite(other), other, around))
            for nearest, other, around in zip(seen, far, (last, first), strict=True)
        )
        angle = pi * ((below + above) / 2 + turn)
        return linear_votes(np.column_stack([np.cos(angle), np.sin(angle)]), queries.points, queries)


@dataclass(frozen=True)
class OfAtoms(Relabelling):
    """Relabelling for rare atoms of equal mass and a heavy one, with labels flipped at a rate `noise`: see `concepts.atoms`."""

    rare: int
    mass: float
    noise: float

    def sufficient(self, queries: Queries, k: int, s: int, tilt: float, rng: np.random.Generator) -> Ballot:
        law = [*[self.mass] * self.rare, 1 - self.rare * self.mass]
        return self._votes(rng.multinomial(s, law, k)[:, :-1], queries, tilt, rng)

    def full(self, queries: Queries, k: int, s: int, tilt: float, rng: np.random.Generator) -> Ballot:
        place = (rng.random((k, s)) / self.mass).astype(np.int64)
        return self._votes(np.stack([(place == atom).sum(axis=1) for atom in range(self.rare)], axis=1), queries, tilt, rng)

    def _votes(self, hits: Ints, queries: Queries, tilt: float, rng: np.random.Generator) -> Ballot:
        """hits: of each chunk on each rare atom, (k, rare), whose own label is 0. A chunk without any says 1."""
        total = hits.sum(axis=0)
        right = rng.binomial(total, 1 - self.noise)
        wrong = rng.random(self.rare) < expit(-tilt * (2.0 * right - total))
        ones = np.concatenate([np.ones((len(hits), 1), np.bool_), (hits == 0) | wrong], axis=1)
        atom, width = queries.points.astype(np.intp), self.rare + 1
        zeros, all_ = (np.bincount(atom, each, width) for each in (queries.sizes * (queries.truth == 0), queries.sizes))
        most = (ones @ zeros + ~ones @ (all_ - zeros)).max().astype(np.int64)
        return Ballot.binary(ones.sum(axis=0)[atom].astype(np.int64), len(hits), queries, max_mistakes=most)


@dataclass(frozen=True)
class RelabelledSampler(Trainable):
    """A sampler whose votes are those of learners on chunks of relabelled examples. Public points are drawn one by one."""

    of: Trainable
    by: Relabelling
    tilt: float

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        return self.of.queries(m, rng)

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        return self.by.sufficient(queries, k, s, self.tilt, rng)

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        return self.by.full(queries, k, s, self.tilt, rng)

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        return self.of.learn(queries, labels)

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        return self.queries(m, rng)
