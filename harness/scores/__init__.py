"""Learners of scores: what k learners on s examples each predict, numbers in [0, 1], at the points that are asked about.

One file an instance, one file a learner. An instance says how examples fall and which points are asked about, one a type of
query. A learner turns a chunk into a score at each of them. A `Scorer` is the two together with a way to sample: what a
mechanism for soft labels (BTT18a Algorithms 6 to 8) sees of the data.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import BaseModel

from harness.arrays import Ints, Labels, Reals
from harness.refusal import Refusal
from harness.registry import parts

Points = np.ndarray[Any, np.dtype[Any]]
"""Points of X, as their instance holds them: a number each."""

Sampling = Literal["sufficient", "poisson", "full"]
"""How scores are drawn.

sufficient: by the law of what they depend on, at no cost in s, jointly at all points. poisson: the same for chunks of
Poisson(s) examples, point by point, at no cost in k either. full: by drawing all examples and learning from them.
"""

HELD = 1 << 23
"""Examples that are held at once in full sampling."""

TIE = 1e-12
"""How far scores are told apart: one that is less than this below an edge lies on it, whatever rounding made of it."""

REFERENCE = 4096
"""Chunks by which a mean is estimated that has no closed form: it is off by about 1/64 of the standard deviation of a score."""


class Instance(ABC, BaseModel, frozen=True, extra="forbid"):
    """A distribution of labelled examples with the points that are asked about; its fields are its parameters.

    name: as specs have it.
    """

    name: ClassVar[str]

    @property
    @abstractmethod
    def asked(self) -> Points:
        """The points that are asked about, (q,)."""

    @property
    @abstractmethod
    def shares(self) -> Reals:
        """The probability that a query is of each type, (q,); they add up to 1."""

    @property
    def truth(self) -> Reals:
        """p(1|x) of each point that is asked about, (q,)."""
        return self.chance(self.asked)

    @abstractmethod
    def chance(self, points: Points) -> Reals:
        """p(1|x), the probability that x has label 1, of points of any shape."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Points:
        """Draws i.i.d. points of the marginal, in this shape."""

    def labels(self, rng: np.random.Generator, points: Points) -> Labels:
        """Draws the labels of points, 0 or 1."""
        return (rng.random(points.shape) < self.chance(points)).view(np.int8)

    def examples(self, rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Points, Labels]:
        """Draws i.i.d. examples, in this shape: points and their labels."""
        points = self.draw(rng, shape)
        return points, self.labels(rng, points)

    @abstractmethod
    def features(self, points: Points) -> Reals:
        """Points as linear learners take them, of norm at most 1: (…, d)."""

    @property
    @abstractmethod
    def half(self) -> Reals:
        """Weights (d,) whose product with the features of every point is ½, where learning begins."""


class Learner(ABC, BaseModel, frozen=True, extra="forbid"):
    """A learner of scores in [0, 1]; its fields are its parameters. name: as specs have it.

    It is a function of a chunk and of its own coins, which are one whole number.
    """

    name: ClassVar[str]

    def __str__(self) -> str:
        """As tables and figures name it: `sgd(logistic, constant 0.5)`."""
        words = ", ".join(self.said())
        return f"{self.name}({words})" if words else self.name

    def said(self) -> Sequence[str]:
        """The parameters that the learner's name shows in tables and figures: by default those that are not default ones."""
        return [f"{key}={value!r}" for key, value in self.model_dump(exclude_defaults=True).items()]

    @abstractmethod
    def fit(self, instance: Instance, points: Points, labels: Labels, coins: Ints) -> Reals:
        """Trains on K chunks, points and labels (s, K), coins (K,): the predictions at the points asked about, (K, q)."""

    def samplings(self, instance: Instance) -> tuple[Sampling, ...]:
        """The ways to sample the learner's scores on an instance; the first is the default."""
        return ("full",)

    def refuse(self, instance: Instance, s: int) -> Refusal | None:
        """Why the learner cannot learn from s examples of an instance, or None."""
        return None

    def drawn(self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int) -> Iterator[Reals]:
        """Draws the predictions of k learners on s fresh examples each, in blocks (chunks, q)."""
        for chunks in blocks(k, s):
            points, labels = instance.examples(rng, (s, chunks))
            yield self.fit(instance, points, labels, rng.integers(2**62, size=chunks))

    def means(self, instance: Instance, sampling: Sampling, s: int) -> Reals | None:
        """E h(x) at the points asked about, (q,), where that has a closed form; else None."""
        return None

    def changes(self, instance: Instance, s: int) -> Reals | None:
        """α² of BTT18a Definition 5.7 at each of the points asked about, (q,), where it has a closed form.

        That is E|h_D(x) − h_D(j)(x)|², the mean over j = 1, …, s of replacing the j-th example by a fresh one.
        """
        return None

    def counted(
        self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int, edges: Reals, trials: int
    ) -> Ints | None:
        """As `Scorer.counts` of so many trials, (trials, q, e + 1), where that is drawn without the k predictions."""
        return None


@dataclass(frozen=True)
class Scorer:
    """A learner of scores on an instance, and how the scores are sampled. Equal scorers are one."""

    instance: Instance
    learner: Learner
    sampling: Sampling = "full"

    @property
    def types(self) -> int:
        """q: the points that are asked about."""
        return len(self.instance.asked)

    def means(self, s: int) -> Reals:
        """E h(x), (q,), of a learner on s examples: in closed form, or else by REFERENCE chunks of a fixed seed."""
        exact = self.learner.means(self.instance, self.sampling, s)
        return _estimated(self.instance, self.learner, s) if exact is None else exact

    def by_law(self, s: int, edges: Reals) -> bool:
        """Whether `counts` between these edges are drawn by their own law, and not from one prediction after the other."""
        return self.learner.counted(self.instance, self.sampling, np.random.default_rng(0), s, 1, edges, 1) is not None

    def counts(self, rng: np.random.Generator, s: int, k: int, edges: Reals, trials: int | None = None) -> Ints:
        """Draws how many of k predictions at each point fall between which edges: (q, e + 1), rows adding up to k.

        edges: (q, e), ascending in each row. Interval i is [edge_(i−1), edge_i), the first and the last without an end. trials:
        of so many, (trials, q, e + 1).
        """
        counted = self.learner.counted(self.instance, self.sampling, rng, s, k, edges, trials or 1)
        if counted is not None:
            return counted if trials is not None else counted[0]
        if trials is not None:
            return np.array([self.counts(rng, s, k, edges) for _ in range(trials)])
        counts = np.zeros((self.types, edges.shape[1] + 1), np.int64)
        for block in self.learner.drawn(self.instance, self.sampling, rng, s, k):
            counts += histogram(block, edges)
        return counts

    def predictions(self, rng: np.random.Generator, s: int, k: int) -> Reals:
        """Draws the predictions of k learners, (k, q); from chunks of exactly s examples even where sampling is poisson."""
        sampling: Sampling = "sufficient" if self.sampling == "poisson" else self.sampling
        return np.concatenate(list(self.learner.drawn(self.instance, sampling, rng, s, k)))

    def stability(self, s: int) -> float | None:
        """The least α of which the learner is α-on-average stable (BTT18a Definition 5.7) on chunks of s examples, over the
        points asked about; None where it has no closed form."""
        changes = self.learner.changes(self.instance, s)
        return None if changes is None else float(np.sqrt(changes.max()))

    def refuse(self, s: int) -> Refusal | None:
        """Why nothing can be drawn from chunks of s examples, or None."""
        refusal = self.learner.refuse(self.instance, s)
        if refusal is not None:
            return refusal
        samplings = self.learner.samplings(self.instance)
        if self.sampling not in samplings:
            what = f"no sampling {self.sampling!r} of {self.learner.name} on {self.instance.name}"
            return Refusal(f"{what}; allowed: {', '.join(samplings)}", "sampling")
        if self.sampling == "full" and s > HELD:
            return Refusal(f"a chunk of s = {s:.3g} examples would be drawn; allowed: at most {HELD:,}", "n")
        return None


@lru_cache(maxsize=256)
def _estimated(instance: Instance, learner: Learner, s: int) -> Reals:
    rng, sampling = np.random.default_rng(s), learner.samplings(instance)[0]
    total = sum(block.sum(axis=0) for block in learner.drawn(instance, sampling, rng, s, REFERENCE))
    means: Reals = np.asarray(total) / REFERENCE
    means.setflags(write=False)
    return means


def blocks(k: int, s: int) -> Iterator[int]:
    """The sizes of blocks that k chunks of s examples are cut into: at most HELD examples, or one chunk where s is more."""
    size = max(1, HELD // max(1, s))
    yield from (min(size, k - start) for start in range(0, k, size))


def histogram(predictions: Reals, edges: Reals) -> Ints:
    """Counts predictions, (K, q), between edges, (q, e), at each of q points: (q, e + 1)."""
    columns = zip(edges, predictions.T, strict=True)
    return np.array(
        [np.bincount(np.searchsorted(own - TIE, each, side="right"), minlength=edges.shape[1] + 1) for own, each in columns]
    )


def refuse_incomplete(part: object) -> None:
    """Raises a ValueError unless `part` is a class of instances or of learners of scores."""
    if not (isinstance(part, type) and issubclass(part, Instance | Learner)):
        raise ValueError(f"{part!r} is neither an instance nor a learner of scores; allowed: a class derived from either")


def instances() -> Mapping[str, type[Instance]]:
    """All registered instances that scores are learned from, by name."""
    return parts("instance of scores")


def learners() -> Mapping[str, type[Learner]]:
    """All registered learners of scores, by name."""
    return parts("learner of scores")
