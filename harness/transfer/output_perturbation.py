"""Output perturbation: noise on the minimiser of regularised logistic loss (Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1).

One replaced example moves the minimiser by at most 2/(nΛ) (Corollary 8), and so noise of density ∝ e^(−nΛε‖v‖/2) is ε-DP
(Theorem 6). What is found is within TOLERANCE/Λ of the minimiser, on either data set: that is added to how far it moves.

Gaussian noise would be (ε, δ)-DP. In as few coordinates as there are here it is longer: at ε = 1, δ = 10⁻⁶ and d = 2 about
2.6 times on average.
"""

from harness.arrays import Reals
from harness.mechanisms import Streams
from harness.transfer import LearningProblem
from harness.transfer.logistic import TOLERANCE, minimiser
from harness.transfer.training import Axis, Training, exponential_noise


class OutputPerturbation(Training):
    """Output perturbation of the minimiser of regularised logistic loss, with Λ = 4dα/ε.

    About where noise and sampling turn w by as much. What is learned depends little on it.
    """

    name = "output_perturbation"
    source = "Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 1 and Theorem 6"
    legend = "output perturbation"

    def regular(self, problem: LearningProblem, d: int) -> float:
        """The weight Λ of the regulariser."""
        return 4 * d * problem.alpha / problem.task.eps

    def scale(self, problem: LearningProblem, d: int, n: int) -> float:
        """The length by which noise falls by a factor e."""
        return 2 * (1 / n + TOLERANCE) / (self.regular(problem, d) * problem.task.eps)

    def trained(self, z: Reals, problem: LearningProblem, streams: Streams) -> Reals:
        n, d = z.shape
        noise = exponential_noise(self.scale(problem, d, n), d, streams("noise"))
        return minimiser(z, self.regular(problem, d)) + noise

    def reach(self, axis: Axis, problem: LearningProblem, n: int) -> tuple[float, float]:
        regular, beta = self.regular(problem, axis.d), problem.task.beta
        return axis.least(regular), axis.off(n, beta) / regular + axis.longest(beta) * self.scale(problem, axis.d, n)


PRIVATE_LEARNER = OutputPerturbation()
