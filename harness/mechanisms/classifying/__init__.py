"""What answers every query by one classifier, made of all examples and of public points without labels. It takes no votes."""

from abc import abstractmethod
from collections.abc import Mapping

from harness.concepts import Sampler
from harness.mechanisms import Mechanism, Streams
from harness.refusal import Refusal
from harness.registry import parts
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan


class Classifying(Mechanism):
    """A way to make a classifier, with as many public points as there are queries, which are drawn apart from these."""

    @abstractmethod
    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        """Its own parameters on n examples, with k = 1."""

    @abstractmethod
    def refuse(self, sampler: Sampler, m: int) -> Refusal | None:
        """Why it cannot be made of the sampler's examples and m public points, or None."""

    @abstractmethod
    def error(self, sampler: Sampler, plan: Plan, task: Task, streams: Streams) -> float:
        """The chance that the classifier is wrong on a fresh query; called where `refuse` has nothing to say."""


def classifiers() -> Mapping[str, Classifying]:
    """Every mechanism that makes a classifier, by name."""
    return parts("mechanism", of=Classifying)
