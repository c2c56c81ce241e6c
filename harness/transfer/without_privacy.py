"""What the learner does without privacy: the price of privacy is n against this."""

from harness.mechanisms import Streams
from harness.theory.pac import least_s
from harness.theory.plan import Plan
from harness.transfer import FAILED, LearningProblem, PrivateLearner, Run


class NonPrivate(PrivateLearner):
    """The learner without privacy, on all n labelled examples; it needs α at the confidence 1 − 3β of Theorems 4.2 and 4.3."""

    name = "non_private"
    source = "the learner itself"
    private = False
    legend = "not private"

    def needed(self, problem: LearningProblem) -> int:
        task = problem.task
        return least_s(problem.bound(task.gamma), min(0.5, 3 * task.beta), problem.alpha)

    def points(self, problem: LearningProblem) -> int | None:
        return None

    def claimed(self, problem: LearningProblem) -> float:
        return problem.task.gamma + problem.alpha

    def labelling(self, problem: LearningProblem, n: int) -> tuple[int | None, Plan | None] | None:
        return None, None

    def run(self, problem: LearningProblem, n: int, streams: Streams) -> Run:
        sampler = problem.sampler(n)
        if sampler is None:
            return Run(FAILED)
        examples = sampler.public(n, 1, n, streams("examples"))
        labels = examples.labelled(examples.truth, problem.label_count)
        learned = sampler.learn(*sampler.placed(examples, labels, streams("places")))
        return Run(learned.error, tv_budget=examples.tv_budget)


class PublicAlone(NonPrivate):
    """The learner without privacy on the public points with their true labels, and no private data; n counts public points.

    What is learned from them has the law of `NonPrivate`; their number is to be set beside the m that A_Priv labels.
    """

    name = "public_alone"
    source = "the learner itself, on labelled public points"
    legend = "public points alone, if labelled"


PRIVATE_LEARNER = (NonPrivate(), PublicAlone())
