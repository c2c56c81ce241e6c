"""Neighbouring predictions: one example changes one chunk, and so one prediction of every query, in any way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from harness.arrays import Ints, Labels, Reals
from harness.scores import Instance, Learner, Sampling, histogram

LOW, HIGH = 0.0, 1.0  # the scores of a chunk: no average moves further


class SingleQueries(Instance, frozen=True):
    """An instance of scores for audits: m distinct points, equally likely, one for each of the m queries."""

    name: ClassVar[str] = "places of an audit"
    m: int

    @property
    def asked(self) -> Reals:
        return np.arange(self.m, dtype=np.float64)

    @property
    def shares(self) -> Reals:
        return np.full(self.m, 1 / self.m)

    def chance(self, points: Reals) -> Reals:
        return np.full(np.shape(points), 0.5)

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Reals:
        return rng.integers(self.m, size=shape).astype(np.float64)

    def features(self, points: Reals) -> Reals:
        return np.asarray(points / self.m)[..., np.newaxis]

    @property
    def half(self) -> Reals:
        return np.array([0.5])


class Written(Learner, frozen=True):
    """A learner for audits whose predictions are fixed: chunks[i] of the k chunks predict scores[i], one score a query."""

    name: ClassVar[str] = "predictions of an audit"
    chunks: tuple[int, ...]
    scores: tuple[tuple[float, ...], ...]

    def fit(self, instance: Instance, points: Reals, labels: Labels, coins: Ints) -> Reals:
        return np.repeat(np.array(self.scores), self.chunks, axis=0)[: len(coins)]

    def drawn(self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int) -> Iterator[Reals]:
        yield np.repeat(np.array(self.scores), self.chunks, axis=0)

    def means(self, instance: Instance, sampling: Sampling, s: int) -> Reals:
        return np.average(self.scores, axis=0, weights=self.chunks)

    def counted(
        self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int, edges: Reals, trials: int
    ) -> Ints:
        groups = (size * histogram(np.array([scores]), edges) for size, scores in zip(self.chunks, self.scores, strict=True))
        return np.tile(np.sum(list(groups), axis=0), (trials, 1, 1))


@dataclass(frozen=True)
class Predictions:
    """Two neighbouring data sets, by what chunks predict at m queries. words: for a reader. before, after: (groups, m).

    Raises ValueError where more than one chunk differs.
    """

    words: str
    before: Written
    after: Written

    def __post_init__(self) -> None:
        sides = (dict[tuple[float, ...], int](), dict[tuple[float, ...], int]())
        for side, data in zip(sides, (self.before, self.after), strict=True):
            for size, scores in zip(data.chunks, data.scores, strict=True):
                side[scores] = side.get(scores, 0) + size
        moved = [sides[1].get(scores, 0) - sides[0].get(scores, 0) for scores in {*sides[0], *sides[1]}]
        if sum(moved) or sum(map(abs, moved)) > 2:
            raise ValueError(f"{self.words}: these are no neighbours; allowed: predictions of which one chunk's differ")


def usual(k: int, m: int, gaps: Sequence[int]) -> Iterator[Predictions]:
    """The neighbouring predictions tried of every mechanism for scores. gaps: where the mechanism's answer is uncertain."""
    tie = 2 - k % 2  # a tie goes to the smaller score
    back = [tie if place % 2 else tie - 2 for place in range(m)]
    yield split("as many predictions of 0 as of 1, but for the one that changes", k, [tie] * m, [tie - 2] * m)
    if m > 1:
        yield split(
            "as many predictions of 0 as of 1, but for the one that changes, up and down in turn",
            k,
            [2 * tie - 2 - gap for gap in back],
            back,
        )
        last = [tie] * (m - 1) + [tie - 2], [tie - 2] * (m - 1) + [tie]
        yield split("as many predictions of 0 as of 1, but for the one that changes, at the last query the other way", k, *last)
    yield split("all predictions alike but for the one that changes", k, [k] * m, [k - 2] * m)
    for gap in gaps:
        words = f"{gap} and {gap - 2} more predictions of 1 than of 0, about where the answer is uncertain"
        yield split(words, k, [gap] * m, [gap - 2] * m)


def split(words: str, k: int, before: Sequence[int], after: Sequence[int]) -> Predictions:
    """Neighbouring data sets of k chunks, by how many more predict HIGH than LOW at each query before and after a change."""
    high, low = (tuple([score] * len(before)) for score in (HIGH, LOW))
    most = max(*before, *after)  # where the chunk that changes predicts HIGH
    up = (k + most) // 2 - 1
    sides = []
    for gaps in (before, after):
        changed = tuple(HIGH if gap == most else LOW for gap in gaps)
        sides.append(Written(chunks=(up, k - 1 - up, 1), scores=(high, low, changed)))
    return Predictions(words, *sides)
