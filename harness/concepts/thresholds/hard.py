"""The sampler of thresholds on a rare atom beside a heavy one."""

from dataclasses import dataclass

import numpy as np

from harness.arrays import Reals
from harness.ballots import Ballot, Queries
from harness.concepts import CALM, Calm, trials_at_once
from harness.concepts.offsets import survives
from harness.concepts.thresholds.samplers import LEARNERS, ThresholdSampler, votes_of_thresholds
from harness.covers.labelled import Labelled, RareAtoms


@dataclass(frozen=True)
class HardSampler(ThresholdSampler):
    """The sampler of thresholds on a rare atom and a heavy one; a learner that never saw the rare atom gets it wrong."""

    rare: float
    heavy: float
    mass: float

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> Reals:
        return np.where(rng.random(shape) < self.mass, self.rare, self.heavy)

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        offsets = self.draw((1, m), rng)[0] - self.target
        return Queries(offsets, (offsets >= 0).astype(np.int8))

    def singles(self, m: int, k: int, s: int) -> float:
        return 0

    def at_once(self, m: int, k: int, s: int) -> int:
        return trials_at_once(m, 0)

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        rare = rng.binomial(m, self.mass, trials)
        offsets = np.array([self.rare, self.heavy]) - self.target
        return Queries.of_each(offsets, (offsets >= 0).astype(np.int8), np.array([rare, m - rare]))

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        return self.block(m, k, s, trials, rng)

    def points_at_once(self, m: int, k: int, s: int, calm: Calm = CALM) -> int:
        return self.at_once(m, k, s)

    def error(self, learned: Reals) -> Reals:
        atoms = ((self.rare - self.target, self.mass), (self.heavy - self.target, 1 - self.mass))
        return sum((mass * ((learned <= offset) != (offset >= 0)) for offset, mass in atoms), np.zeros_like(learned))

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        # A chunk has seen the rare atom only, the heavy one only, or both.
        rare_only = float(survives(1 - self.mass, s))
        heavy_only = float(survives(self.mass, s))
        law = [rare_only, heavy_only, max(0.0, 1 - rare_only - heavy_only)]
        chunks = rng.multinomial(k, law, queries.trials)
        seen = np.array([[self.rare, np.nan], [np.nan, self.heavy], [self.rare, self.heavy]])
        x_l = np.where(seen < self.target, seen, 0.0).max(axis=1)
        x_r = np.where(seen >= self.target, seen, 1.0).min(axis=1)
        learned = LEARNERS[self.learner](x_l, x_r)
        trial = 0 if queries.trial is None else queries.trial
        at_rare, at_heavy = (chunks[:, learned <= atom].sum(axis=1)[trial] for atom in (self.rare, self.heavy))
        return votes_of_thresholds(np.where(queries.truth == (self.rare >= self.target), at_rare, at_heavy), k, queries)

    def labelled(self) -> Labelled:
        return RareAtoms(1, self.mass, 0.0)
