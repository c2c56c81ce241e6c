"""Gradient descent on logistic loss, each gradient of all examples and with Gaussian noise (Song, Chaudhuri, Sarwate 2013).

One replaced example moves a mean gradient by at most 2/n, as none is longer than 1 and none has to be clipped. T steps with
noise N(0, σ²) are one Gaussian mechanism of shift 2√T/(nσ) (Dong, Roth, Su 2022, Corollary 3.3), so σ = 2√T/(nμ) is exact,
with μ the largest shift that is (ε, δ)-DP. Only the last w is seen: that may spend less, which no accountant here knows.
"""

from functools import lru_cache
from math import ceil, log, sqrt

import numpy as np

from harness.arrays import Reals
from harness.mechanisms import Streams
from harness.theory.privacy.gaussian import gaussian_mu
from harness.transfer import LearningProblem
from harness.transfer.logistic import SMOOTHNESS, gradient
from harness.transfer.training import Axis, Training

STEP = 1 / SMOOTHNESS


class NoisyDescent(Training):
    """Gradient descent on logistic loss with Gaussian noise, in T = ⌈1/(16α)⌉ steps of length 4 from 0.

    Which regularises as Λ = 4α would.
    """

    name = "noisy_descent"
    source = "Song, Chaudhuri, Sarwate 2013, with Dong, Roth, Su 2022, Corollary 3.3"
    legend = "gradient descent with noise"

    def steps(self, problem: LearningProblem) -> int:
        """The number T of steps."""
        return ceil(1 / (16 * problem.alpha))

    def noise(self, problem: LearningProblem, n: int) -> float:
        """The noise σ on each coordinate of a mean gradient."""
        task = problem.task
        return 2 * sqrt(self.steps(problem)) / (n * gaussian_mu(task.eps, task.delta))

    def batch(self, z: Reals, rng: np.random.Generator) -> Reals:
        """The examples of one gradient."""
        return z

    def batch_size(self, n: int) -> int:
        """The number of examples of one gradient."""
        return n

    def trained(self, z: Reals, problem: LearningProblem, streams: Streams) -> Reals:
        n, d = z.shape
        w, scale = np.zeros(d), self.noise(problem, n)
        noise, batches = streams("noise"), streams("batches")
        for _ in range(self.steps(problem)):
            w -= STEP * (gradient(self.batch(z, batches), w) + scale * noise.standard_normal(d))
        return w

    def reach(self, axis: Axis, problem: LearningProblem, n: int) -> tuple[float, float]:
        """Each step adds what its gradient is off by, at the point of the axis, and its noise."""
        steps, chance = self.steps(problem), problem.task.beta / self.steps(problem)
        longest = self.noise(problem, n) * (sqrt(axis.d) + sqrt(2 * log(1 / chance)))
        return _end(axis, steps), STEP * steps * (axis.off(self.batch_size(n), chance) + longest)


@lru_cache(maxsize=256)
def _end(axis: Axis, steps: int) -> float:
    """Where so many steps on the expected loss end, whatever n."""
    end = 0.0
    for _ in range(steps):
        end += STEP * axis.pull(end)
    return end


PRIVATE_LEARNER = NoisyDescent()
