"""Private training of a homogeneous halfspace by logistic loss: what its constructions share, and what they claim.

Nothing is labelled and no public point is needed. Examples are scaled to length 1, which turns no halfspace, and folded by
their labels ±1. Two data sets are neighbours where one example is another, so that the mean gradient moves by at most 2/n.
Parameters follow from α, ε and n by rules that see no example.

The claim is ours. The law of z = yx, with x scaled from a rotation-invariant law, is that of its mirror images in planes
through the target u, so whatever descends on the expected loss from 0 stays on the axis of u: where it ends is Bu. What is
learned is within some D(n) of that, but for a chance of 2β, by two facts.

- The mean gradient at a fixed point of the axis is off by at most G(1 + √(2 ln(1/β)))/√n, but for a chance of β (McDiarmid
  1989), with G = ½ where γ = 0, as no example is then on the wrong side there, and else G = 1.
- A strongly convex loss moves its minimiser by at most 1/Λ times what moves its gradient; a step of descent no longer than
  2/SMOOTHNESS brings no two points farther apart.

An angle is then at most arcsin(D(n)/B), and the error γ + (1 − 2γ)·angle/π.
"""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cache, lru_cache
from math import asin, log, pi, sqrt

import numpy as np
import scipy

from harness.arrays import Reals
from harness.concepts.halfspaces.samplers import TrainableSampler
from harness.mechanisms import Streams
from harness.refusal import Refusal
from harness.theory.constants.bcmnuw20 import known_least
from harness.theory.plan import Plan
from harness.transfer import FAILED, LearningProblem, PrivateLearner, Run

CHUNK = 10**12  # no distribution that this is for depends on the size of chunks
MOST_EXAMPLES = 10**7  # all are drawn and held: some seconds a run
DRAWN = 1 << 18  # at once
NODES = 200


def source_of(problem: LearningProblem) -> TrainableSampler | None:
    """The sampler of a problem's examples; None where that is no rotation-invariant law with homogeneous halfspaces."""
    sampler = problem.sampler(CHUNK)
    return sampler if isinstance(sampler, TrainableSampler) and not sampler.affine else None


def folded(sampler: TrainableSampler, n: int, rng: np.random.Generator) -> Reals:
    """Draws n examples, scaled to length 1, times their labels ±1: (n, d)."""
    z = np.empty((n, sampler.d))
    for start in range(0, n, DRAWN):
        x, labels = sampler.examples(min(DRAWN, n - start), rng)
        signed = np.where(labels, 1.0, -1.0) / np.linalg.norm(x, axis=1)
        np.multiply(x, signed[:, np.newaxis], out=z[start : start + len(x)])
    return z


class Training(PrivateLearner):
    """The base of private learners that train the direction w of a homogeneous halfspace by logistic loss."""

    private = True

    @property
    def most_examples(self) -> float:
        return MOST_EXAMPLES

    def refuse(self, problem: LearningProblem) -> Refusal | None:
        if source_of(problem) is not None:
            return None
        allowed = "homogeneous halfspaces of few dimensions, sphere or gaussian"
        return Refusal(f"{self.name} is for directions and rotation-invariant examples; allowed: {allowed}", "concept")

    def points(self, problem: LearningProblem) -> int | None:
        return None

    def labelling(self, problem: LearningProblem, n: int) -> tuple[int | None, Plan | None] | None:
        return None, None

    def claimed(self, problem: LearningProblem) -> float:
        """γ + α."""
        return problem.task.gamma + problem.alpha

    def needed(self, problem: LearningProblem) -> int:
        return needed(self, problem)

    def run(self, problem: LearningProblem, n: int, streams: Streams) -> Run:
        sampler = source_of(problem)
        if sampler is None:
            return Run(FAILED)
        return Run(sampler.error_of(self.trained(folded(sampler, n, streams("examples")), problem, streams)))

    @abstractmethod
    def trained(self, z: Reals, problem: LearningProblem, streams: Streams) -> Reals:
        """Trains the direction w, (d,), on folded examples of length ≤ 1, (n, d): (ε, δ)-DP where one of them is replaced."""

    @abstractmethod
    def reach(self, axis: "Axis", problem: LearningProblem, n: int) -> tuple[float, float]:
        """(B, D(n)): where it ends on the axis on the expected loss, and how far from there, but for a chance of 2β."""


@lru_cache(maxsize=256)
def needed(learner: Training, problem: LearningProblem) -> int:
    """The least n from which on a trained halfspace errs at most γ + α, but for a chance of 2β."""
    sampler = source_of(problem)
    if sampler is None:
        raise OverflowError(f"{learner.name} promises nothing of these examples")
    axis = Axis(sampler.d, sampler.gamma)

    def fails(n: int) -> bool:
        end, off = learner.reach(axis, problem, n)
        return off >= end or asin(off / end) > pi * problem.alpha

    return known_least(fails)


@cache
def _along(d: int) -> tuple[Reals, Reals]:
    """|x · u| of an x on the unit sphere, sin φ with φ of density cos^(d−2) φ, and weights."""
    if d == 1:
        return np.ones(1), np.ones(1)
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    angle = (nodes + 1) * pi / 4
    mass = weights * np.cos(angle) ** (d - 2)
    return np.sin(angle), mass / mass.sum()


@dataclass(frozen=True)
class Axis:
    """The expected logistic loss along the target's direction in ℝ^d, where labels are wrong at a rate γ."""

    d: int
    gamma: float

    def pull(self, length: float) -> float:
        """Minus the derivative of the expected loss at a length along the target."""
        x, mass = _along(self.d)
        right = scipy.special.expit(-length * x)
        return float(mass @ (x * ((1 - self.gamma) * right - self.gamma * (1 - right))))

    def least(self, regular: float) -> float:
        """B, where the expected loss with Λ‖w‖²/2 is least."""
        return float(scipy.optimize.brentq(lambda length: self.pull(length) - regular * length, 0.0, 1 / regular))

    def off(self, n: int, chance: float) -> float:
        """How far the mean gradient of n examples is off at a point of the axis, but for that chance."""
        longest = 1.0 if self.gamma > 0 else 0.5
        return longest * (1 + sqrt(2 * log(1 / chance))) / sqrt(n)

    def longest(self, chance: float) -> float:
        """‖v‖ for a v of density ∝ e^(−‖v‖), but for that chance: a Gamma(d) number."""
        return float(scipy.special.gammainccinv(self.d, chance))


def exponential_noise(scale: float, d: int, rng: np.random.Generator) -> Reals:
    """Draws v, (d,), with density ∝ e^(−‖v‖/scale): ε-DP on what moves by at most ε·scale.

    Chaudhuri, Monteleoni, Sarwate 2011.
    """
    v = rng.standard_normal(d)
    noise: Reals = v / np.linalg.norm(v) * rng.gamma(d, scale)
    return noise
