"""What the learner does without privacy: the price of privacy is n against this."""

from collections.abc import Sequence
from functools import cache, partial

from harness.concepts import Trainable
from harness.mechanisms import Streams
from harness.theory.pac import least_s
from harness.theory.plan import Plan
from harness.transfer import FAILED, LearningProblem, PrivateLearner, Run, in_parts


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
        return self.runs(problem, n, 1, streams)[0]

    def at_once(self, problem: LearningProblem, n: int) -> int:
        sampler = problem.sampler(n)
        return 1 if sampler is None else sampler.points_at_once(n, 1, n)

    def runs(self, problem: LearningProblem, n: int, count: int, streams: Streams) -> Sequence[Run]:
        sampler = problem.sampler(n)
        if sampler is None:
            return [Run(FAILED)] * count
        return in_parts(partial(_learned, sampler, n, problem.label_count, cache(streams)), count, self.at_once(problem, n))


def _learned(sampler: Trainable, n: int, labels: int, streams: Streams, trials: int) -> list[Run]:
    """What is learned in each trial from n examples with labels of so many kinds."""
    examples = sampler.public(n, 1, n, streams("examples"), trials=trials)
    errors = sampler.errors(examples, examples.labelled(examples.truth, labels), streams("places"))
    return [Run(error, tv_budget=examples.tv_budget) for error in errors.tolist()]


class PublicAlone(NonPrivate):
    """The learner without privacy on the public points with their true labels, and no private data; n counts public points.

    What is learned from them has the law of `NonPrivate`; their number is to be set beside the m that A_Priv labels.
    """

    name = "public_alone"
    source = "the learner itself, on labelled public points"
    legend = "public points alone, if labelled"


PRIVATE_LEARNER = (NonPrivate(), PublicAlone())
