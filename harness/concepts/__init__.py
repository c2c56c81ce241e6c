"""Concept classes: distribution, target, learners, PAC bounds and exact samplers of the votes. One file a class."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from pydantic import BaseModel

from harness.arrays import Ints, Labels, Reals
from harness.ballots import Ballot, Queries, top
from harness.refusal import Refusal
from harness.registry import parts
from harness.theory.parameters import PacBound

if TYPE_CHECKING:
    from harness.concepts.relabelled import Relabelling
    from harness.covers.labelled import Labelled

MOST_AT_ONCE = 1 << 10  # trials: enough to vectorise, few enough for the cache
TYPES_AT_ONCE = 1 << 16
QUERIES_AT_ONCE = 1 << 28  # of which any may have to be drawn one by one
DISSENT = 0.05  # a share of votes against a label that hardly ever keeps a private answer from being it


def trials_at_once(m: int, singles: float) -> int:
    """How many trials of m queries each are drawn together, if `singles` queries of a trial are drawn one by one."""
    if singles >= m:
        return 1
    # Mechanisms with more chunks than the cell's own have more of them.
    return trials_of(singles) if singles == 0 else max(1, min(trials_of(singles), QUERIES_AT_ONCE // m))


def trials_of(types: float) -> int:
    """How many trials are drawn at once, where each has about `types` types of queries."""
    return max(1, min(MOST_AT_ONCE, int(TYPES_AT_ONCE / (4 + types))))


class Sampler(ABC):
    """Draws queries and the votes on them: a distribution at one chunk size, with one learner. Equal samplers are one.

    It may be sampled in further ways: see `Distribution.samplings`.
    """

    @abstractmethod
    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        """Draws m i.i.d. points of the marginal with their labels, one of each type."""

    def singles(self, m: int, k: int, s: int) -> float:
        """About how many of m queries `types` draws one by one, where k learners on s examples each may differ."""
        return m

    def types(self, m: int, k: int, s: int, rng: np.random.Generator) -> Queries:
        """Draws m i.i.d. queries by types: those on which k learners on s examples each may differ, and how many others.

        Of one generator's state, any two calls have the queries in common that both tell apart, as far as that is known. By
        default they are those of a `block` of one trial, or m types without one.
        """
        in_blocks = type(self).block is not Sampler.block
        return self.block(m, k, s, 1, rng) if in_blocks else self.queries(m, rng)

    def at_once(self, m: int, k: int, s: int) -> int:
        """How many trials' queries `block` draws at once, in reasonable memory."""
        return 1

    def block(self, m: int, k: int, s: int, trials: int, rng: np.random.Generator) -> Queries:
        """Draws the types of m i.i.d. queries of each of some trials, at most `at_once`; those of one trial as from `types`."""
        return self.types(m, k, s, rng)

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        """Draws the votes of k learners on s examples each, by the law of what the votes depend on: at no cost in s.

        The queries are any that `queries` or, for this k and s, `types` or `block` has drawn. Each trial has its own learners.
        """
        raise NotImplementedError("no such law is known here")

    @abstractmethod
    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        """Draws all ks examples and trains the learner on every chunk: votes of the law of `sufficient`, in bounded memory."""

    def labelled(self) -> "Labelled | None":
        """What public points make of its class, with its labels; None, as by default, where no H̃ is known."""
        return None

    def relabelling(self) -> "Relabelling | None":
        """How its examples are relabelled by one of their dichotomies; None, as by default, where that is not known."""
        return None

    def features(self, points: Reals) -> Reals:
        """Queries' points as any learner takes them, (m, d): see `black_box`."""
        return points.reshape(len(points), -1)

    def examples(self, size: int, rng: np.random.Generator) -> tuple[Reals, Labels]:
        """Draws `size` i.i.d. examples for any learner: features (size, d) and labels, as noisy as those of queries."""
        queries = self.queries(size, rng)
        return self.features(queries.points), queries.truth


@dataclass(frozen=True)
class Sampling:
    """One way to sample queries and the votes on them.

    queries: from (sampler, m, k, s, trials, rng), m queries of each of so many trials for k learners on s examples each. votes:
    from (sampler, queries, k, s, rng), what these say. singles: from (sampler, m, k, s), about how many of a trial's queries
    are drawn one by one. at_once: from the same, how many trials are drawn at once.
    """

    queries: Callable[[Sampler, int, int, int, int, np.random.Generator], Queries]
    votes: Callable[[Sampler, Queries, int, int, np.random.Generator], Ballot]
    singles: Callable[[Sampler, int, int, int], float]
    at_once: Callable[[Sampler, int, int, int], int] = lambda sampler, m, k, s: 1

    @classmethod
    def by_type(cls, votes: Callable[[Sampler, Queries, int, int, np.random.Generator], Ballot]) -> "Sampling":
        """Of queries by types."""
        return cls(
            lambda sampler, m, k, s, trials, rng: sampler.types(m, k, s, rng),
            votes,
            lambda sampler, *arguments: sampler.singles(*arguments),
        )


sufficient = Sampling(
    lambda sampler, *arguments: sampler.block(*arguments),
    lambda sampler, *arguments: sampler.sufficient(*arguments),
    lambda sampler, *arguments: sampler.singles(*arguments),
    lambda sampler, *arguments: sampler.at_once(*arguments),
)
"""By the law of what the votes depend on."""

full = Sampling(
    lambda sampler, m, k, s, trials, rng: sampler.queries(m, rng),
    lambda sampler, *arguments: sampler.full(*arguments),
    lambda sampler, m, k, s: m,
)
"""By drawing all queries and all examples."""

SAMPLINGS: Mapping[str, Sampling] = {"sufficient": sufficient, "full": full}


@dataclass(frozen=True)
class Hypothesis:
    """A classifier that a learner makes of labelled points, with its error.

    predict: the labels, (points,), of points as `Queries.points` holds them. error: the chance of a wrong label on a fresh
    example of the distribution, with its noise, computed and not estimated.
    """

    predict: Callable[[Reals], Labels]
    error: float


@dataclass(frozen=True)
class Calm:
    """Which public points are counted and not drawn one by one: those of so one-sided votes that the winner is answered.

    dissent: where no more than this share of the votes is against the winner. exposed: the chance by which each of them is told
    apart all the same: at least that of another answer than the winner, so that those that are not have none. 0 where that
    chance is left out, and charged to the law.
    """

    dissent: float = DISSENT
    exposed: float = 0.0


CALM = Calm()


class Trainable(Sampler):
    """A sampler whose learner also learns from given labelled points, as A_Priv asks (BTT18 Algorithm 3)."""

    @property
    def most_points(self) -> int:
        """The largest number of points, all of them drawn, from which the learner learns in reasonable time and memory."""
        return 10**8

    @abstractmethod
    def learn(self, queries: Queries, labels: Labels) -> Hypothesis:
        """Trains the learner on points that `placed` gave, with `labels`, (points,): a hypothesis of least empirical risk.

        Ties are broken as on a chunk.
        """

    def public(self, m: int, k: int, s: int, rng: np.random.Generator, calm: Calm = CALM, trials: int = 1) -> Queries:
        """Draws m i.i.d. points to be labelled by k learners on s examples each, or for k = 1 and s = m the learner's examples.

        Those of some trials, at most `points_at_once`. Where they come by types, the votes on each of one type are for one
        label, but for a share calm.dissent at most (`Queries.dissent`), and noise may be left out far from the target, as far
        as what is learned from the points' own labels does not depend on it. By default all points are drawn.
        """
        return self.queries(m, rng)

    def points_at_once(self, m: int, k: int, s: int, calm: Calm = CALM) -> int:
        """How many trials' points `public` draws at once, and if k > 1 `sufficient` the votes on them, in reasonable memory."""
        return 1

    def placed(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> tuple[Queries, Labels]:
        """Points, one of each type, and their labels, from which is learned what m public points teach.

        labelled: (labels, types), how many of each type have each label. By default there is one query of each type.
        """
        return queries, top(labelled)

    def errors(self, queries: Queries, labelled: Ints, rng: np.random.Generator) -> Reals:
        """The errors of what is learned from the public points of each trial, (trials,); labelled: as `placed` takes it.

        By default each trial's points are placed and learned from alone.
        """
        return np.array([self.learn(*self.placed(*alone, rng)).error for alone in queries.by_trial(labelled)])

    def least_mistakes(self, n: int, rng: np.random.Generator) -> tuple[int, float]:
        """How many mistakes the learner makes on n i.i.d. examples, learning from these; and what the law leaves out."""
        examples = self.queries(n, rng)
        learned = self.learn(examples, examples.truth)
        return int(np.count_nonzero(learned.predict(examples.points) != examples.truth)), 0.0


class ConceptClass(ABC, BaseModel, frozen=True, extra="forbid"):
    """A concept class: its learners and distributions by name, of each the first being the default; its fields are dimensions.

    synthetic: nothing is learned; the votes are set directly, as a theorem assumes them.
    """

    name: ClassVar[str]
    synthetic: ClassVar[bool] = False
    learners: ClassVar[Mapping[str, str]]
    distributions: ClassVar[Mapping[str, type["Distribution"]]]

    @classmethod
    def known_distributions(cls) -> dict[str, type["Distribution"]]:
        """The class's distributions by name: its own, and those of other files that are for it."""
        others: Mapping[str, type[Distribution]] = parts("distribution")
        return {**cls.distributions, **{name: each for name, each in others.items() if each.concept == cls.name}}

    @property
    @abstractmethod
    def vc(self) -> int:
        """The class's VC dimension."""

    @property
    @abstractmethod
    def dual_vc(self) -> int:
        """The class's dual VC dimension."""

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
    """The numbers that a distribution needs to become a sampler: learner, chunk size, γ, T and α.

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
    """A distribution of labelled examples for a class, by parameters as a spec names them; subclasses add fields.

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
    """Raises a ValueError unless `part` is a class derived for hypotheses, for distributions, or for learners."""
    if not isinstance(part, type):
        raise ValueError(f"{part!r} is no class; allowed: the class itself")


def concepts() -> Mapping[str, type[ConceptClass]]:
    """All registered concept classes, by name."""
    return parts("concept class")
