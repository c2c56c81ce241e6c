"""What k classifiers say about m queries: a ballot of types of queries, and how many there are of each.

A mechanism sees of a query only its votes, and all orders of m i.i.d. queries are equally likely. So nothing is lost where
queries of one point and one truth are counted: most queries are far from where classifiers differ, and the votes on them are
unanimous. Whoever draws queries one by one has a type for each.

The queries and votes of many trials are one ballot: the types of all of them in one row, and of each the trial that it is of.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.arrays import Bools, Indices, Ints, Labels, Reals, Shared, indices_of, shared

MOST_QUERIES = 10**15  # a count of queries fits into a double without loss, and so do sums of a few


def top(counts: NDArray[np.number]) -> Labels:
    """The label with the largest count, (types,), of counts (labels, types), noisy or not; a tie goes to the smaller label."""
    if len(counts) == 2:
        return np.asarray((counts[1] > counts[0]).view(np.int8))
    labels, most = np.zeros(counts.shape[1], dtype=np.int8), counts[0]
    for label, count in enumerate(counts[1:], start=1):
        labels[count > most] = label
        most = np.maximum(most, count)
    return labels


def of_each(law: Callable[[NDArray[Any]], Reals], values: NDArray[Any]) -> Reals:
    """The function `law` applied to each of `values`, (types,); at the largest, which most types have, it is evaluated once."""
    most = values.max(initial=0)
    others = indices_of(values != most)
    by_type = np.full(len(values), law(np.full(1, most))[0])
    by_type[others] = law(values[others])
    return by_type


def by_label(labels: Labels, sizes: Ints, count: int) -> Ints:
    """How many queries of each type get each of `count` labels, (count, types), where all sizes[i] of type i get labels[i]."""
    answers = np.empty((count, len(labels)), dtype=np.int64)
    if count == 2:
        np.multiply(sizes, labels, out=answers[1])
        np.subtract(sizes, answers[1], out=answers[0])
    else:
        for label, of_label in enumerate(answers):
            np.multiply(sizes, labels == label, out=of_label)
    return answers


BY_TYPE = ("points", "truth", "best", "size", "width", "exposure", "trial")


class Block(Shared):
    """The base of classes whose arrays have an entry for each type of query, of one trial or of several together.

    trial: (types,), of which trial each type is, in any order; None where there is one. trials: how many there are.
    """

    trial: Ints | None
    trials: int

    def sums(self, values: NDArray[np.number] | NDArray[np.bool_], which: Bools | None = None) -> Ints:
        """The sum over each trial's types of whole numbers, (types,), or of those of some types: (trials,), exact to 2^53."""
        some = indices_of(values != 0 if which is None else which)  # mostly few; of truths they are found sooner
        if self.trial is None:
            return np.array([values[some].sum()], dtype=np.int64)
        if not len(some):
            return np.zeros(self.trials, dtype=np.int64)
        return np.bincount(self.trial[some], values[some], self.trials).astype(np.int64)

    def types_by_trial(self) -> list[Indices]:
        """The types of each trial, in their order; called where there are several."""
        assert self.trial is not None
        return np.split(np.argsort(self.trial, kind="stable"), np.cumsum(np.bincount(self.trial, minlength=self.trials))[:-1])

    def dots(self, left: Reals, right: Reals, types: Ints) -> Reals:
        """The sum over each trial's types of products of reals of some types, (n,) → (trials,)."""
        if self.trial is None:
            return np.array([left @ right])
        return np.asarray(np.bincount(self.trial[types], left * right, self.trials), np.float64)


@dataclass(frozen=True)
class Queries(Block):
    """Unlabelled queries, counted by types, with the labels that only the evaluation of answers sees.

    points: (types,) or (types, d), as the distribution that drew them represents a point. truth: (types,), their labels. best:
    (types,), the labels of the best hypothesis in the class where labels are noisy; None where they are the same. size:
    (types,), how many queries are of each type; None where that is one. width: (types,), where queries of one type are at many
    points: uniform from its point so far outwards, as the distribution measures it; None where that is 0. dissent: the largest
    share of votes against the winner on such queries, where these are counted as those at its point; 0 where all are alike.
    tv_budget: the total variation distance between the law of what these types leave out and the exact one is at most this.
    exposure: (types,), by how much likelier it is than its votes say that an answer is not the winner, as some of that chance
    was drawn with the queries; None where that is 1. trial, trials: see `Block`.
    """

    points: Reals
    truth: Labels
    best: Labels | None = None
    size: Ints | None = None
    width: Reals | None = None
    dissent: float = 0.0
    tv_budget: float = 0.0
    exposure: Reals | None = None
    trial: Ints | None = None
    trials: int = 1

    @classmethod
    def of_each(cls, points: Reals, truth: Labels, sizes: Ints, best: Labels | None = None) -> "Queries":
        """Queries of several trials whose types have the same points, (types,) or (types, d), with sizes (types, trials)."""
        types, trials = sizes.shape
        return cls(
            np.repeat(points, trials, axis=0),
            np.repeat(truth, trials),
            None if best is None else np.repeat(best, trials),
            sizes.ravel(),
            trial=None if trials == 1 else np.tile(np.arange(trials), types),
            trials=trials,
        )

    @property
    def target(self) -> Labels:
        """The labels of the best hypothesis, (types,)."""
        return self.truth if self.best is None else self.best

    @cached_property
    def sizes(self) -> Ints:
        """How many queries are of each type, (types,)."""
        return shared(np.ones(len(self.truth), dtype=np.int64)) if self.size is None else self.size

    @property
    def widths(self) -> Reals:
        """How far outwards from its point the queries of each type are, (types,)."""
        return np.zeros(len(self.truth)) if self.width is None else self.width

    def only(self, which: slice | Bools | Indices) -> "Queries":
        """The queries of some types alone."""
        return replace(self, **{name: values[which] for name, values in self._by_type().items()})

    def by_trial(self, labelled: Ints) -> "Iterator[tuple[Queries, Ints]]":
        """The queries of each trial alone, and what was counted of their types, (labels, types)."""
        if self.trial is None:
            yield self, labelled
            return
        for types in self.types_by_trial():
            yield replace(self.only(types), trial=None, trials=1), labelled[:, types]

    def of_trials(self, some: Indices, labelled: Ints) -> "tuple[Queries, Ints]":
        """The queries of some trials, numbered anew, and what was counted of their types, (labels, types)."""
        if len(some) == self.trials or self.trial is None:
            return self, labelled
        number = np.full(self.trials, -1)
        number[some] = np.arange(len(some))
        of_each = number[self.trial]
        types = indices_of(of_each >= 0)
        return replace(self.only(types), trial=of_each[types], trials=len(some)), labelled[:, types]

    def joined(self, *others: "Queries") -> "Queries":
        """The queries of this object and of others in one, type after type."""
        more = [each._by_type() for each in others]
        all_: dict[str, Any] = {
            name: np.concatenate([values, *(each[name] for each in more)]) for name, values in self._by_type().items()
        }
        return replace(self, **all_)

    def _by_type(self) -> dict[str, Any]:
        """The arrays that it has."""
        arrays: dict[str, Any] = {name: getattr(self, name) for name in BY_TYPE}
        return {name: values for name, values in arrays.items() if values is not None}

    def exposed(self, chance: float, rng: np.random.Generator) -> "Queries":
        """Queries at many points told apart with this chance each; only those may be answered by no winner then."""
        if chance == 0:
            return self
        far = self.widths != 0
        counts = np.where(far, rng.binomial(self.sizes, chance), 0)
        places = self.only(np.repeat(np.arange(len(far)), counts))
        out = places.widths * rng.random(len(places.truth))
        points = places.points + (out if places.points.ndim == 1 else np.pad(out[:, np.newaxis], ((0, 0), (1, 0))))
        one = np.ones(len(out), dtype=np.int64)
        apart = replace(places, points=points, size=one, width=np.zeros(len(out)), exposure=one / chance)
        return apart.joined(replace(self, size=self.sizes - counts, exposure=np.where(far, 0.0, 1.0)))

    def flipped(self, gamma: float, rng: np.random.Generator) -> "Queries":
        """Random classification noise on one query a type: each binary label of the target flipped with probability gamma."""
        if gamma == 0:
            return self
        return Queries(self.points, self.target ^ (rng.random(len(self.target)) < gamma).astype(np.int8), best=self.target)

    def labelled(self, labels: Labels, count: int) -> Ints:
        """How many queries of each type get each of `count` labels, (count, types), where all of a type get labels[type]."""
        return by_label(labels, self.sizes, count)


@dataclass(frozen=True)
class Ballot(Block):
    """The votes of k classifiers on m queries, counted by types of queries.

    counts: (labels, types); column i says how many of the k classifiers give a query of type i each label. truth: (types,).
    size: (types,), how many queries are of each type; None where that is one. max_mistakes: the largest number of the m queries
    that any one classifier gets wrong; None where it was not drawn. tv_budget: the total variation distance between the law of
    this ballot and the exact one is at most this. exposure: as that of the queries.
    """

    counts: Ints
    k: int
    truth: Labels
    size: Ints | None = None
    max_mistakes: int | Ints | None = None
    tv_budget: float = 0.0
    exposure: Reals | None = None
    trial: Ints | None = None
    trials: int = 1

    @classmethod
    def binary(
        cls, ones: Ints, k: int, queries: Queries, max_mistakes: int | Ints | None = None, tv_budget: float = 0.0
    ) -> "Ballot":
        """The ballot of votes over the labels {0, 1}, from the number of votes for 1, (types,)."""
        counts = np.empty((2, len(ones)), dtype=np.int64)
        np.subtract(k, ones, out=counts[0])
        counts[1] = ones
        if queries.trial is None and max_mistakes is not None:
            max_mistakes = int(np.max(max_mistakes))
        of_queries = max_mistakes, tv_budget + queries.tv_budget, queries.exposure, queries.trial, queries.trials
        return cls(counts, k, queries.truth, queries.size, *of_queries)

    @cached_property
    def sizes(self) -> Ints:
        """How many queries are of each type, (types,)."""
        return shared(np.ones(len(self.truth), dtype=np.int64)) if self.size is None else self.size

    @cached_property
    def m(self) -> int:
        """How many queries there are in a trial."""
        return (len(self.truth) if self.size is None else int(self.size.sum())) // self.trials

    def number(self, which: NDArray[np.bool_]) -> Ints:
        """How many queries of each trial, (trials,), are of the types that are marked, (types,)."""
        return self.sums(self.sizes, which)

    @classmethod
    def of_trials(cls, parts: "Sequence[Ballot]") -> "Ballot":
        """The ballots of several trials, or of several blocks of them, as one."""
        begins = np.cumsum([0, *(part.trials for part in parts)])
        of = [np.zeros(len(part.truth), np.int64) if part.trial is None else part.trial for part in parts]
        most = [np.atleast_1d(part.max_mistakes) for part in parts if part.max_mistakes is not None]
        return replace(
            parts[0],
            counts=np.concatenate([part.counts for part in parts], axis=1),
            truth=np.concatenate([part.truth for part in parts]),
            size=np.concatenate([part.sizes for part in parts]),
            max_mistakes=np.concatenate(most) if len(most) == len(parts) else None,
            tv_budget=max(part.tv_budget for part in parts),
            exposure=None if parts[0].exposure is None else np.concatenate([part.exposure for part in parts]),
            trial=np.concatenate([begin + each for begin, each in zip(begins, of, strict=False)]),
            trials=int(begins[-1]),
        )

    def by_trial(self) -> "Iterator[Ballot]":
        """The ballots of its trials, each alone."""
        if self.trial is None:
            yield self
            return
        most = None if self.max_mistakes is None else np.broadcast_to(self.max_mistakes, self.trials)
        for number, types in enumerate(self.types_by_trial()):
            yield replace(
                self,
                counts=self.counts[:, types],
                truth=self.truth[types],
                size=self.sizes[types],
                max_mistakes=None if most is None else int(most[number]),
                exposure=None if self.exposure is None else self.exposure[types],
                trial=None,
                trials=1,
            )

    @cached_property
    def winner(self) -> Labels:
        """The label with the most votes, of each type, (types,); a tie goes to the smaller label."""
        return shared(top(self.counts))

    @cached_property
    def gap(self) -> Ints:
        """The votes by which the winner leads the next label, ct(top) − ct(second), of each type, (types,)."""
        most, second = np.maximum(self.counts[0], self.counts[1]), np.minimum(self.counts[0], self.counts[1])
        for count in self.counts[2:]:
            second = np.maximum(second, np.minimum(most, count))
            most = np.maximum(most, count)
        apart: Ints = most - second
        return shared(apart)

    def of_truth(self, values: Ints) -> Ints:
        """Of values by label, (labels, types), the value of the right label of each type, (types,)."""
        if len(values) == 2:
            right: Ints = np.where(self.truth, values[1], values[0])  # to choose by an index takes five times as long
            return right
        return np.asarray(values.ravel()[self._right])

    @cached_property
    def _right(self) -> Ints:
        """Where arrays (labels, types) have the right one, in a row, (types,)."""
        types = len(self.truth)
        return np.multiply(self.truth, types, dtype=np.int64) + np.arange(types)

    @cached_property
    def wrong(self) -> Ints:
        """How many of the k votes differ from the truth, (types,)."""
        return shared(self.k - self.of_truth(self.counts))
