"""Knowledge transfer: what makes a classifier of private answers and public points. One file a construction."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from harness.ballots import Ballot, Queries
from harness.concepts import Trainable
from harness.mechanisms import Mechanism, Streams
from harness.refusal import Refusal
from harness.registry import parts
from harness.theory.pac import least_s
from harness.theory.parameters import Constants, PacBound, Task
from harness.theory.plan import Plan

FAILED = 1.0  # the error of a run that outputs nothing


@dataclass(frozen=True)
class LearningProblem:
    """What a private learner is asked: to learn to the error α from labelled examples, with a learner Θ and a mechanism.

    alpha: the error that learners are trained to. task: ε, δ, β and γ; its m is not used. bound: the PAC bound of Θ as a
    function of γ. constants: those of the mechanism that answers. sampler: the labelled examples, by the chunk size s that hard
    distributions size their atoms by; None where s is too small for that. vote: the votes of a sampler, as
    `Sampler.sufficient`. label_count: how many labels there are. in_blocks: whether `vote` takes the points of several
    trials together, of which each has its own learners.
    """

    alpha: float
    task: Task
    bound: Callable[[float], PacBound]
    constants: Constants
    sampler: Callable[[int], Trainable | None]
    vote: Callable[[Trainable, Queries, int, int, np.random.Generator], Ballot]
    label_count: int
    in_blocks: bool = False

    def of(self, m: int, gamma: float) -> Task:
        """The task of answering m queries where the best error is, or is taken to be, gamma."""
        return Task(m, self.task.eps, self.task.delta, self.task.beta, gamma, self.bound(gamma))

    @cached_property
    def agnostic_m(self) -> int:
        """The least m at which Θ is an (α, β, m)-agnostic PAC learner (BTT18 Theorems 4.2 and 4.3)."""
        return least_s(self.bound(max(self.task.gamma, AGNOSTIC)), self.task.beta, self.alpha)

    @cached_property
    def realizable_m(self) -> int:
        """The least m at which Θ is an (α, β, m)-PAC learner where labels are consistent (BTT18 Remarks 2 and 3)."""
        return least_s(self.bound(0.0), self.task.beta, self.alpha)


AGNOSTIC = 1e-9  # any γ > 0 asks for the agnostic bound


@dataclass(frozen=True)
class Run:
    """What one run of a private learner outputs: a classifier made of n examples, by its error.

    error: its chance of a wrong label on a fresh example, FAILED if there is none. m, plan: public points and how their labels
    were made; None where none were. bottoms: answers ⊥. mislabelled: public points whose label is not that of the best
    hypothesis. halted: whether the mechanism halted early. tv_budget: the total variation distance of the law of all this from
    the exact one is at most this.
    """

    error: float
    m: int | None = None
    plan: Plan | None = None
    bottoms: int | None = None
    mislabelled: int | None = None
    halted: bool = False
    tv_budget: float = 0.0


class PrivateLearner(Mechanism):
    """A mechanism that makes a classifier of n labelled examples: the base of all constructions of this room.

    realizable_only: whether it needs γ = 0. holds_out: whether it sets examples aside, of which the least number of mistakes is
    asked.
    """

    realizable_only: bool = False
    holds_out: bool = False

    @property
    def most_examples(self) -> float:
        """The largest n that the construction can be run on: infinite, as by default, where an example costs nothing."""
        return inf

    @abstractmethod
    def needed(self, problem: LearningProblem) -> int:
        """The n from which on the construction's own guarantee holds at α: what a theorem asks for, with explicit constants."""

    @abstractmethod
    def points(self, problem: LearningProblem) -> int | None:
        """How many public points the construction labels, if n does not say; None where it labels none."""

    @abstractmethod
    def claimed(self, problem: LearningProblem) -> float:
        """The error that the construction is said to keep with probability at least 1 − 3β, from `needed` examples on."""

    def labelling(self, problem: LearningProblem, n: int) -> tuple[int | None, Plan | None] | None:
        """How many public points are labelled on n examples and by which plan; None, as by default, where a run has a say."""
        return None

    def refuse(self, problem: LearningProblem) -> Refusal | None:
        """Why it cannot be tried on a problem, apart from its size; by default it can."""
        return None

    @abstractmethod
    def run(self, problem: LearningProblem, n: int, streams: Streams) -> Run:
        """Learns from n ≥ 1 examples, a pure function of the arguments."""

    def at_once(self, problem: LearningProblem, n: int) -> int:
        """How many runs on n examples `runs` draws together, of the same random streams; 1, as by default, if each is alone."""
        return 1

    def runs(self, problem: LearningProblem, n: int, count: int, streams: Streams) -> Sequence[Run]:
        """Learns so many times, each time from n examples of its own; of one run what `run` does.

        streams: of all these runs: whoever asks for a purpose once more gets the generator where it stopped. By default they
        are made one after the other.
        """
        return [self.run(problem, n, streams) for _ in range(count)]


def in_parts(drawn: Callable[[int], Sequence[Run]], count: int, at_once: int) -> list[Run]:
    """So many runs in parts of at most `at_once`. drawn: draws a number of runs together, going on from the part before."""
    return [run for done in range(0, count, at_once) for run in drawn(min(at_once, count - done))]


def private_learners() -> Mapping[str, PrivateLearner]:
    """All registered constructions that make a classifier of private examples, by name."""
    return parts("private learner")
