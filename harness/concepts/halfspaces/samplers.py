"""Samplers of halfspaces: any number of coordinates, few enough to learn from any labels, and the plane."""

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import exp, log, pi, sin

import numpy as np
from scipy.special import betainc, betaincinv

from harness.arrays import Ints, Labels, Reals
from harness.ballots import Ballot, Queries
from harness.concepts import (
    CALM,
    Calm,
    Hypothesis,
    Sampler,
    Situation,
    Trainable,
    least_risk,
    linear_erm,
    noisy_thresholds,
    thresholds,
)
from harness.concepts import rotation_invariant as marginals
from harness.concepts.hard_margin import HardMargin
from harness.concepts.linear_votes import linear_votes
from harness.concepts.offsets import survives, usual_reach, votes_by_offset
from harness.concepts.relabelled import OfHalfplanes, Relabelling
from harness.concepts.thresholds.samplers import MISSED
from harness.covers.labelled import Labelled, Plane
from harness.theory import pac

FULL_BLOCK = 1 << 20  # coordinates of examples held at once by full sampling, whatever n is
DEFERRED_BLOCK = 1 << 13  # coordinates of directions learned at once by deferred sampling

LEARNERS = {
    "svm": "The hard-margin support vector machine; where no halfspace is consistent, one of least empirical risk.",
    "erm": "A halfspace of least empirical risk, up to V = 4; in the plane the middle of the first such arc, counterclockwise.",
}


@dataclass(frozen=True)
class HalfspaceSampler(Sampler):
    """The sampler of halfspaces in any number of coordinates. affine: whether points (m, d) stand for (x, 1)."""

    marginal: marginals.PointLaw
    d: int
    affine: bool
    learner: str
    gamma: float

    @property
    def V(self) -> int:
        """The number of coordinates of a direction."""
        return self.d + self.affine

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        x = np.ascontiguousarray(self.marginal.draw(m, self.d, 1, rng)[:, :, 0])
        return Queries(x, (x[:, 0] >= 0).astype(np.int8)).flipped(self.gamma, rng)

    def singles(self, m: int, k: int, s: int) -> float:
        if m <= least_risk.FEW_POINTS or self.affine or self.gamma > 0 or self._reach(k, s) > 0.25:
            return m
        return m * self._share(k, s)

    def _share(self, k: int, s: int) -> float:
        """The chance of a query at an angle within reach of the boundary: (x · u/|x|)² has a beta distribution."""
        return float(betainc(0.5, (self.d - 1) / 2, sin(self._reach(k, s) * pi) ** 2))

    def _reach(self, k: int, s: int) -> float:
        """A share of a half-turn that none of k consistent directions is away from the target, but for a chance of 2e^−40.

        Of Poisson(s) examples there are s/2 or more but for a chance of e^(−s/7) each time.
        """
        if s < 7 * (least_risk.BEYOND + log(k)):
            return 1.0
        return min(1.0, pac.blumer(s // 2, exp(-least_risk.BEYOND) / k, V=self.V))

    def types(self, m: int, k: int, s: int, rng: np.random.Generator) -> Queries:
        """Queries at so small an angle to the target's boundary that a learned one may err on them, and how many others."""
        if self.singles(m, k, s) >= m:
            return self.queries(m, rng)
        levels = least_risk.nearest(np.array([m]), self._share(k, s), rng)[0]
        rest = rng.spawn(1)[0]
        x = rest.standard_normal((len(levels), self.d))
        side = x[:, 0].copy()
        across = np.sqrt(betaincinv(0.5, (self.d - 1) / 2, levels))
        x[:, 0] = 0
        x *= (np.sqrt(1 - across**2) / np.linalg.norm(x, axis=1))[:, np.newaxis]
        x[:, 0] = np.copysign(across, side)
        far = m - len(levels)
        ones = int(rng.binomial(far, 0.5))
        x = np.vstack([x, np.eye(1, self.d), -np.eye(1, self.d)])
        size = np.append(np.ones(len(levels), dtype=np.int64), [ones, far - ones])
        return Queries(x, (x[:, 0] >= 0).astype(np.int8), size=size, tv_budget=2 * exp(-least_risk.BEYOND))

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        rows = max(1, FULL_BLOCK // (max(s, self.V) * self.V))  # a direction's support is V × V
        learn = self._least_risk if self.learner == "erm" else self._hard_margin
        return self._votes(np.concatenate([learn(min(rows, k - start), s, rng) for start in range(0, k, rows)]), queries)

    def deferred(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        """The votes of k learners on Poisson(s) examples each, of which those that matter are drawn: a cost of order log s."""
        rows = max(1, DEFERRED_BLOCK // self.d)
        blocks = [marginals.learn(self.marginal, self.d, min(rows, k - start), s, rng) for start in range(0, k, rows)]
        return self._votes(np.concatenate(blocks), queries)

    def _votes(self, w: Reals, queries: Queries) -> Ballot:
        return linear_votes(w, self._lifted(queries.points), queries)

    def _lifted(self, points: Reals) -> Reals:
        """Points (m, d) as directions see them, (m, V)."""
        return np.pad(points, ((0, 0), (0, 1)), constant_values=1) if self.affine else points

    def _folded(self, chunks: int, s: int, rng: np.random.Generator) -> Reals:
        """Examples times their labels −1 and 1, (chunks, V, s)."""
        x = self.marginal.draw(chunks, self.d, s, rng)
        if self.affine:
            x = np.pad(x, ((0, 0), (0, 1), (0, 0)), constant_values=1)
        negative = x[:, :1] < 0
        if self.gamma > 0:
            negative ^= rng.random(negative.shape) < self.gamma
        x *= np.where(negative, -1.0, 1.0)
        return x

    def _hard_margin(self, chunks: int, s: int, rng: np.random.Generator) -> Reals:
        """w of each chunk, (chunks, V). A chunk larger than a block is seen in parts, over and over until all is met."""
        machine, columns = HardMargin.untrained(chunks, self.V), min(s, max(1, FULL_BLOCK // self.V))
        again = rng.bit_generator.state
        while True:
            before = machine.w.copy()
            for seen in range(0, s, columns):
                machine.fit(self._folded(chunks, min(columns, s - seen), rng))
            if columns == s or np.array_equal(machine.w, before):
                return machine.w
            rng.bit_generator.state = again

    def _least_risk(self, chunks: int, s: int, rng: np.random.Generator) -> Reals:
        """w of each chunk, (chunks, V). All of a chunk is held."""
        return linear_erm.least_risk(self._folded(chunks, s, rng))


@dataclass(frozen=True)
class TrainableSampler(HalfspaceSampler, Trainable):
    """The sampler of halfspaces in so few coordinates that they can be learned from any labels."""

    @property
    def most_points(self) -> int:
        return linear_erm.most_examples(self.V) if self.V > 2 else super().most_points

    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        z = (self._lifted(queries.points) * np.where(labels, 1.0, -1.0)[:, np.newaxis]).T
        w = self._learned(z, queries)
        return Hypothesis(lambda points: (self._lifted(points) @ w >= 0).astype(np.int8), self.error_of(w))

    def _learned(self, z: Reals, queries: Queries) -> Reals:
        """w, (V,), for folded examples, (V, s), that stand for so many each."""
        if self.learner == "svm":
            machine = HardMargin.untrained(1, self.V)
            with suppress(FloatingPointError):
                machine.fit(z[np.newaxis])
                direction: Reals = machine.w[0]
                return direction
        of_least_risk: Reals = linear_erm.least_risk(z[np.newaxis])[0]
        return of_least_risk

    def error_of(self, w: Reals) -> float:
        """The chance that a direction, (V,), is wrong on a fresh example."""
        length = float(np.linalg.norm(w[: self.d]))
        if length == 0:
            return 0.5  # it labels all points alike
        angle = float(np.arctan2(np.linalg.norm(w[1 : self.d]), w[0]))
        offset = -float(w[self.d]) / length if self.affine else 0.0
        wrong = self.marginal.disagreement(angle, offset, self.d) if offset else angle / pi
        return self.gamma + (1 - 2 * self.gamma) * wrong


@dataclass(frozen=True)
class PlaneSampler(TrainableSampler):
    """The sampler of halfplanes through the origin, of which only the angles that are nearest for the learner are drawn.

    An offset is the share of a half-turn by which a direction may turn until it errs on a point, with the sign of that turn.
    """

    def _learned(self, z: Reals, queries: Queries) -> Reals:
        w: Reals = linear_erm.least_risk(z[np.newaxis], queries.sizes)[0]
        return w

    def _walk(self, s: int) -> Trainable:
        """A threshold in the middle of [0, 1], whose queries are at the same offsets as here on either side of the boundary."""
        return thresholds.Uniform().at(Situation(thresholds.Thresholds(), "midpoint", s, self.gamma))

    def singles(self, m: int, k: int, s: int) -> float:
        return self._walk(s).singles(m, k, s)

    def types(self, m: int, k: int, s: int, rng: np.random.Generator) -> Queries:
        return self.block(m, k, s, 1, rng)

    def at_once(self, m: int, k: int, s: int) -> int:
        return self._walk(s).at_once(m, k, s)

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        return self._on_sides(self._walk(s).block(m, k, s, trials, rng), rng.spawn(1)[0])

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        return self._on_sides(self._walk(s).public(m, k, s, rng, calm, trials), rng.spawn(1)[0])

    def points_at_once(self, m: int, k: int, s: int, calm: Calm = CALM) -> int:
        return self._walk(s).points_at_once(m, k, s, calm)

    def _on_sides(self, walk: Queries, rng: np.random.Generator) -> Queries:
        """Queries at the walk's offsets, each on a random side of the boundary."""
        one = walk.sizes == 1
        upper = np.zeros(len(one), dtype=np.int64)
        # The nearest first, to either turn: so a query that more are drawn beside stays on its side.
        for turn, stream in zip((walk.points < 0, walk.points >= 0), rng.spawn(2), strict=True):
            single = np.flatnonzero(one & turn)
            upper[single] = stream.random(len(single)) < 0.5
        upper[~one] = rng.binomial(walk.sizes[~one], 0.5)
        both = replace(walk, size=walk.sizes - upper).joined(replace(walk, size=upper))
        side = np.repeat([-1.0, 1.0], len(one))
        target = (side > 0).astype(np.int8)
        flipped = (both.truth != both.target).astype(np.int8)
        types = replace(both, points=_on_circle(both.points, side), truth=target ^ flipped, best=target)
        return types.only(types.sizes > 0)

    def placed(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> tuple[Queries, Labels]:
        type_, offsets, labels, numbers = least_risk.placed(
            _offsets(queries.points), queries.widths, queries.target, labelled, rng
        )
        points = _on_circle(offsets, np.where(queries.target[type_], 1.0, -1.0))
        return Queries(points, queries.truth[type_], size=numbers), labels

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        examples = self.types(n, 1, n, rng)
        near = examples.only(examples.widths == 0)
        learned = self.learn(near, near.truth)
        return int(examples.sizes[learned.predict(examples.points) != examples.truth].sum()), examples.tv_budget

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        offsets = _offsets(queries.points)
        if self.gamma == 0:
            law = partial(_middle_exceeds, s=s)
            return votes_by_offset(replace(queries, points=offsets), k, law, law, usual_reach(k, s), rng)
        if noisy_thresholds.radius(self.gamma, MISSED, s) >= 0.5:
            return self.full(queries, k, s, rng)  # so few examples that the far side matters: drawing them all is quick
        # A random walk on either side, as for a threshold; what is right on one side is 1 there.
        above = (offsets >= 0).astype(np.int8)
        of_walk = replace(queries, points=offsets, truth=above ^ queries.truth ^ queries.target, best=above)
        votes = self._walk(s).sufficient(of_walk, k, s, rng)
        counts = np.where(queries.target == above, votes.counts, votes.counts[::-1])
        return replace(votes, counts=counts, truth=queries.truth)

    def labelled(self) -> Labelled:
        return Plane(self.gamma)

    def relabelling(self) -> Relabelling:
        return OfHalfplanes(self.gamma)


def _offsets(points: Reals) -> Reals:
    """The share of a half-turn by which a direction may turn until it errs on a point, with the sign of that turn, (types,)."""
    across, along = np.abs(points[:, 0]), np.where(points[:, 0] < 0, 1, -1) * points[:, 1]
    return np.copysign(np.arctan2(across, np.abs(along)) / pi, along)


def _on_circle(offsets: Reals, side: Reals) -> Reals:
    """Points of the unit circle with these offsets, on the side −1 or 1 of the target's boundary, (types, 2)."""
    turn = offsets * pi
    return np.column_stack([side * np.sin(np.abs(turn)), -side * np.copysign(np.cos(turn), turn)])


def _middle_exceeds(a: Reals | float, s: int) -> Reals:
    """P(the middle of the consistent arc is more than a half-turn's share a ≥ 0 beyond the target, on one side)."""
    return np.where(np.asarray(a) < 0.5, survives(2 * np.asarray(a), s) / 2, 0.0)
