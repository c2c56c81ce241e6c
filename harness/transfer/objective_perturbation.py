"""Objective perturbation: a random linear term in regularised logistic loss (Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2).

With Λ' for the regulariser, v of density ∝ e^(−ε'‖v‖/2) and ε' = ε − 2 ln(1 + c/(nΛ')), c = ¼, the exact minimiser of the loss
with v · w/n is ε-DP (Theorem 9). Where Λ leaves less than ε/2 for ε', Λ' is what leaves ε/2; the paper does so where it leaves
nothing.

What is found is within TOLERANCE/Λ' of that minimiser, and the proof is of the minimiser alone. So a share MASK of ε is kept
for noise on what lies between: given the minimiser, it moves by at most 2·TOLERANCE/Λ' from one data set to its neighbour. That
is how Iyengar, Near, Song, Thakkar, Thakurta, Wang 2019 make approximate minima private.
"""

from math import expm1, log1p

from harness.arrays import Reals
from harness.mechanisms import Streams
from harness.transfer import LearningProblem
from harness.transfer.logistic import SMOOTHNESS, TOLERANCE, minimiser
from harness.transfer.training import Axis, Training, exponential_noise

MASK = 1e-3


class ObjectivePerturbation(Training):
    """Objective perturbation of regularised logistic loss, with Λ = dα/(4ε).

    A smaller one than output perturbation has, as the loss's own curvature divides the noise too.
    """

    name = "objective_perturbation"
    source = "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2 and Theorem 9"
    legend = "objective perturbation"

    def regular(self, problem: LearningProblem, d: int, n: int) -> float:
        """The weight Λ' of the regulariser."""
        eps = problem.task.eps
        least = SMOOTHNESS / (n * expm1((1 - MASK) * eps / 4))
        return max(d * problem.alpha / (4 * eps), least)

    def left(self, problem: LearningProblem, regular: float, n: int) -> float:
        """ε', what is left of ε for the random linear term."""
        return (1 - MASK) * problem.task.eps - 2 * log1p(SMOOTHNESS / (n * regular))

    def mask(self, problem: LearningProblem, regular: float) -> float:
        """The length by which the noise on what lies between falls by a factor e."""
        return 2 * TOLERANCE / (regular * MASK * problem.task.eps)

    def trained(self, z: Reals, problem: LearningProblem, streams: Streams) -> Reals:
        n, d = z.shape
        regular = self.regular(problem, d, n)
        term = exponential_noise(2 / self.left(problem, regular, n), d, streams("noise"))
        return minimiser(z, regular, term / n) + exponential_noise(self.mask(problem, regular), d, streams("mask"))

    def reach(self, axis: Axis, problem: LearningProblem, n: int) -> tuple[float, float]:
        """The chance of β for noise is halved between its two parts."""
        regular, beta = self.regular(problem, axis.d, n), problem.task.beta
        noise = axis.longest(beta / 2) * 2 / self.left(problem, regular, n) / (n * regular)
        rest = TOLERANCE / regular + axis.longest(beta / 2) * self.mask(problem, regular)
        return axis.least(regular), axis.off(n, beta) / regular + noise + rest


PRIVATE_LEARNER = ObjectivePerturbation()
