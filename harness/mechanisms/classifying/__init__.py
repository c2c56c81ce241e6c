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
    """A mechanism that makes a classifier of n examples and of m public points without labels, drawn apart from the queries."""

    @abstractmethod
    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        """The plan of the mechanism on n examples, with k = 1."""

    @abstractmethod
    def refuse(self, sampler: Sampler, m: int) -> Refusal | None:
        """Why no classifier can be made of the sampler's examples and m public points, or None."""

    @abstractmethod
    def error(self, sampler: Sampler, plan: Plan, task: Task, streams: Streams) -> float:
        """The chance that the classifier is wrong on a fresh query; called where `refuse` has nothing to say."""


def classifiers() -> Mapping[str, Classifying]:
    """All registered mechanisms that make a classifier of private examples and public points, by name."""
    return parts("mechanism", of=Classifying)
