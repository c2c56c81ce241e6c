"""The exponential mechanism over H̃ on as few public points as A_Priv labels by Remark 2: what is compared has the same points.

A hypothesis that agrees with the best one on so many points as a consistent learner needs differs from it by at most α but for
a chance β, and H̃ has such a one. That is the α'/2-cover of the theorem at α' = 2α.
"""

from harness.theory.constants import abm19
from harness.transfer import LearningProblem
from harness.transfer.exponential import Exponential, covered


class ExponentialFew(Exponential):
    """The exponential mechanism over H̃ of the Õ(V/α) public points of BTT18 Remark 2, to an error of γ + 2α."""

    name = "exponential_few"
    source = "Alon, Bassily, Moran 2019, on the public points of BTT18 Remark 2"
    legend = "exponential mechanism over H̃ of Õ(V/α) points"

    def points(self, problem: LearningProblem) -> int:
        return problem.realizable_m

    def claimed(self, problem: LearningProblem) -> float:
        """γ + 2α."""
        return problem.task.gamma + 2 * problem.alpha

    def needed(self, problem: LearningProblem) -> int:
        cover, task = covered(problem), problem.task
        assert cover is not None
        return abm19.needed(cover.log_size(self.points(problem)), 2 * problem.alpha, task.eps, task.beta, task.gamma)


PRIVATE_LEARNER = (ExponentialFew(),)
