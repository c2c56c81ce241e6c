"""Concept classes: distribution, target, learners, PAC bounds and exact samplers of the votes. One file a class."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from pydantic import BaseModel

from harness.arrays import Labels, Reals
from harness.concepts.votes import Queries, Votes
from harness.refusal import Refusal
from harness.registry import parts
from harness.theory.parameters import PacBound

DISSENT = 0.05  # where no more than this share of the votes is wrong, a private label is right but for a tiny chance


class Sampler(ABC):
    """A distribution of labelled examples, concrete at one chunk size, seen through one learner. Equal samplers are one.

    It may be sampled in further ways: see `Distribution.samplings`.
    """

    @abstractmethod
    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        """m i.i.d. points of the marginal, with their labels."""

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        """The votes of k learners on s examples each, drawn through the law of what the votes depend on: no cost in s."""
        raise NotImplementedError("no such law is known here")

    @abstractmethod
    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        """The same law by drawing all ks examples and running the learner on every chunk, in bounded memory."""

    def features(self, points: Reals) -> Reals:
        """Queries' points as any learner takes them, (m, d): see `black_box`."""
        return points.reshape(len(points), -1)

    def examples(self, size: int, rng: np.random.Generator) -> tuple[Reals, Labels]:
        """So many i.i.d. examples for any learner: features (size, d) and labels. Queries are such, with labels as noisy."""
        queries = self.queries(size, rng)
        return self.features(queries.points), queries.truth


Sampling = Callable[[Sampler, Queries, int, int, np.random.Generator], Votes]
"""A way to sample: from (sampler, queries, k, s, rng), the votes of k learners on s examples each."""


def sufficient(sampler: Sampler, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
    """By the law of what the votes depend on."""
    return sampler.sufficient(queries, k, s, rng)


def full(sampler: Sampler, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
    """By drawing all examples."""
    return sampler.full(queries, k, s, rng)


SAMPLINGS: Mapping[str, Sampling] = {"sufficient": sufficient, "full": full}


@dataclass(frozen=True)
class Hypothesis:
    """What a learner makes of labelled points.

    predict: the labels, (points,), of points as `Queries.points` holds them. error: the chance of a wrong label on a fresh
    example of the distribution, with its noise, computed and not estimated.
    """

    predict: Callable[[Reals], Labels]
    error: float


class Trainable(Sampler):
    """A sampler whose learner also learns from given labelled points, so that labels can be transferred (BTT18 Algorithm 3)."""

    @property
    def most_points(self) -> int:
        """From how many points, all of them drawn, it learns in reasonable time and memory."""
        return 10**8

    @abstractmethod
    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        """The learner on points that `public` or `queries` drew, labelled by `labels`, (points,): one of least empirical risk.

        Ties are broken as on a chunk. Points that `public` left out count as labelled by the best hypothesis.
        """

    def public(self, m: int, k: int, s: int, rng: np.random.Generator) -> tuple[Queries, float]:
        """Of m i.i.d. points, in their order, those that matter to transfer; and what that leaves out.

        Left out are points on which all but a share DISSENT of k learners on s examples each agree with the best hypothesis, as
        far as `learn` needs none of them. The second is a bound on the chance that on one of them more disagree, or that
        `learn` would learn otherwise from all m points, whose labels are the best hypothesis' where they are left out or, as on
        the learner's own chunk (k = 1, s = m), the points' own. By default nothing is left out.
        """
        return self.queries(m, rng), 0.0

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        """How many mistakes the learner makes on n i.i.d. examples, learning from these; and what the law leaves out."""
        examples = self.queries(n, rng)
        learned = self.learn(examples, examples.truth)
        return int(np.count_nonzero(learned.predict(examples.points) != examples.truth)), 0.0


class ConceptClass(ABC, BaseModel, frozen=True, extra="forbid"):
    """A class of hypotheses; its fields are its dimensions, where it has any. The first of each mapping is the default.

    synthetic: nothing is learned; the votes are set directly, as a theorem assumes them.
    """

    name: ClassVar[str]
    synthetic: ClassVar[bool] = False
    learners: ClassVar[Mapping[str, str]]
    distributions: ClassVar[Mapping[str, type["Distribution"]]]

    @classmethod
    def known_distributions(cls) -> dict[str, type["Distribution"]]:
        """Its own, and those of other files that are for it."""
        others: Mapping[str, type[Distribution]] = parts("distribution")
        return {**cls.distributions, **{name: each for name, each in others.items() if each.concept == cls.name}}

    @property
    @abstractmethod
    def vc(self) -> int:
        """Its VC dimension."""

    @property
    @abstractmethod
    def dual_vc(self) -> int:
        """Its dual VC dimension."""

    @property
    def label_count(self) -> int:
        """How many labels there are: 0, 1, …, label_count − 1."""
        return 2

    @property
    def rare_atoms(self) -> int:
        """How many points the class shatters while it labels one more 1: V − 1 of any V that it shatters, or even V."""
        return self.vc - 1

    @classmethod
    def of_vc(cls, V: int) -> Self:
        """The class of least dimensions with VC dimension V. Raises ValueError, naming what is allowed, if there is none."""
        only = cls()
        if V != only.vc:
            raise ValueError(f"V = {V} is not attained: the class {cls.name} has VC dimension {only.vc}; allowed: {only.vc}")
        return only

    @abstractmethod
    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        """The sharpest PAC bound known for this class and learner; None stands for any consistent learner."""


@dataclass(frozen=True)
class Situation:
    """What a distribution is made concrete for.

    learner: of the class; empty where another learns, and only the examples count. s: examples a chunk, by which hard
    distributions size their atoms. gamma: the best error in the class, from noisy labels. cutoff: T, where it is given rather
    than solved for. alpha: the error to learn to, where it is given.
    """

    concept: ConceptClass
    learner: str
    s: int
    gamma: float = 0.0
    cutoff: float | None = None
    alpha: float | None = None


class Distribution(ABC, BaseModel, frozen=True, extra="forbid"):
    """The parameters of a distribution as a spec names them; subclasses add validated fields.

    name, concept: of a distribution that has a file of its own, what specs call it, and the class that it is for.
    """

    name: ClassVar[str] = ""
    concept: ClassVar[str] = ""

    def samplings(self, concept: ConceptClass, learner: str) -> Mapping[str, Sampling]:
        """The ways to sample through a learner of the class, by name."""
        return SAMPLINGS

    def refuse(self, situation: Situation) -> Refusal | None:
        """Why there is no such sampler, or None. Here: labels are those of the target."""
        if situation.gamma > 0:
            what = f"the target labels every example, so the best error is 0, not {situation.gamma:g}"
            return Refusal(f"{what}; allowed: 0", "gamma")
        return None

    @abstractmethod
    def at(self, situation: Situation) -> Sampler:
        """The distribution made concrete; called where it does not refuse."""


def refuse_incomplete(part: object) -> None:
    """Raise a ValueError unless it is a class of its own: of hypotheses, of distributions, or a learner's."""
    if not isinstance(part, type):
        raise ValueError(f"{part!r} is no class; allowed: the class itself")


def concepts() -> Mapping[str, type[ConceptClass]]:
    """Every concept class by name."""
    return parts("concept class")
