"""DP-SGD: the same descent, each gradient of a batch (Abadi, Chu, Goodfellow, McMahan, Mironov, Talwar, Zhang 2016).

Batches are of a fixed size and drawn without replacement, as Poisson ones are accounted for under another relation of
neighbours: see `harness.theory.privacy.subsampled`. Any gradient here is no longer than 1, so none is clipped.
"""

import numpy as np

from harness.arrays import Reals
from harness.theory.privacy.subsampled import noise_multiplier
from harness.transfer import LearningProblem
from harness.transfer.noisy_descent import NoisyDescent

BATCHES = 4  # would make up all examples
MOVED = 2.0  # a sum of gradients, by one replaced example


class DPSGD(NoisyDescent):
    """DP-SGD: noisy gradient descent on logistic loss, each gradient of a batch that is drawn without replacement.

    As many steps as `NoisyDescent`, at a quarter of the cost. A batch is an i.i.d. sample of its own size.
    """

    name = "dp_sgd"
    source = "Abadi et al. 2016, with Wang, Balle, Kasiviswanathan 2019, Theorem 27"
    legend = "DP-SGD"

    def noise(self, problem: LearningProblem, n: int) -> float:
        task = problem.task
        sigma = noise_multiplier(BATCHES, self.steps(problem), task.eps, task.delta)
        return MOVED * sigma / self.batch_size(n)

    def batch_size(self, n: int) -> int:
        """At most a quarter of n, and 1 of fewer than four."""
        return max(1, n // BATCHES)

    def batch(self, z: Reals, rng: np.random.Generator) -> Reals:
        return z[rng.choice(len(z), self.batch_size(len(z)), replace=False, shuffle=False)]


PRIVATE_LEARNER = DPSGD()
