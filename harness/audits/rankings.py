"""Ways to rank what a run says by how much likelier it is on one data set than on its neighbour, each learned from runs.

An event is then a threshold on a rank. By Neyman and Pearson the best events are those of the likelihood ratio; where it cannot
be counted it is learned (DP-Sniper: Bichsel, Steffen, Bogunovic, Vechev 2021).
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from harness.arrays import Indices, Reals

LEARNED = 30_000  # outcomes of either data set that a ranking is learned from at most
OFTEN = 4  # times that an outcome is seen on the average, for outcomes to be counted one by one
TOLD = 3  # parts of an event that are told


class Ranking(ABC):
    """A ranking of a mechanism's outcomes: the larger the rank, the likelier on the first of two data sets."""

    @abstractmethod
    def ranks(self, outcomes: Reals) -> Reals:
        """The rank of each outcome, (runs,), from outcomes (runs, outputs)."""

    @abstractmethod
    def in_words(self, sign: str, threshold: float) -> str:
        """The event that a rank is ≥ or < a threshold, in words."""


@dataclass(frozen=True)
class Output(Ranking):
    """Ranks outcomes by one of their numbers, as it is."""

    name: str
    place: int

    def ranks(self, outcomes: Reals) -> Reals:
        return outcomes[:, self.place]

    def in_words(self, sign: str, threshold: float) -> str:
        return f"{self.name} {sign} {threshold:.4g}"


@dataclass(frozen=True)
class Counted(Ranking):
    """Ranks outcomes by the log ratio of how often each was seen on either data set; one that was not seen ranks 0.

    seen: the bytes of the outcomes, ascending. ratios: of each. examples: the outcomes, (seen, outputs).
    """

    names: tuple[str, ...]
    seen: np.ndarray[Any, np.dtype[np.void]]
    ratios: Reals
    examples: Reals

    @classmethod
    def of(cls, names: tuple[str, ...], first: Reals, second: Reals) -> "Counted | None":
        """Learned from outcomes; None where too many of them differ."""
        both = np.concatenate([first, second])
        seen, where, inverse = np.unique(keys(both), return_index=True, return_inverse=True)
        if len(seen) * OFTEN > len(both):
            return None
        here, there = (np.bincount(part, minlength=len(seen)) for part in np.split(inverse, [len(first)]))
        return cls(names, seen, np.log((here + 0.5) / (there + 0.5)), both[where])

    def ranks(self, outcomes: Reals) -> Reals:
        wanted = keys(outcomes)
        places = np.minimum(np.searchsorted(self.seen, wanted), len(self.seen) - 1)
        return np.where(self.seen[places] == wanted, self.ratios[places], 0.0)

    def in_words(self, sign: str, threshold: float) -> str:
        inside = np.flatnonzero(self.ratios >= threshold if sign == "≥" else self.ratios < threshold)
        order = inside[np.argsort(-np.abs(self.ratios[inside]), kind="stable")]
        listed = "; or ".join(self._outcome(place) for place in order[:TOLD])
        more = len(inside) - TOLD
        return listed + (f"; or one of {more} other outcomes" if more > 0 else "") if listed else "an outcome not seen before"

    def _outcome(self, place: int) -> str:
        values = self.examples[place]
        counted = [f"{name} = {value:g}" for name, value in zip(self.names, values, strict=True) if value]
        return ", ".join(counted) or "all that is counted is 0"


@dataclass(frozen=True)
class Linear(Ranking):
    """Ranks outcomes by a weighted sum of their numbers, by logistic regression."""

    names: tuple[str, ...]
    weights: Reals

    @classmethod
    def of(cls, names: tuple[str, ...], first: Reals, second: Reals) -> "Linear":
        """Learned from outcomes."""
        from sklearn.linear_model import LogisticRegression  # half a second to load

        both, labels = labelled(first, second)
        scale = np.maximum(both.std(axis=0), 1e-300)
        varies = both.std(axis=0) > 0
        with warnings.catch_warnings():  # one that is not quite the best is a ranking too
            warnings.simplefilter("ignore")
            model = LogisticRegression().fit(both[:, varies] / scale[varies], labels)
        weights = np.zeros(len(names))
        weights[varies] = model.coef_[0] / scale[varies]
        return cls(names, weights)

    def ranks(self, outcomes: Reals) -> Reals:
        return outcomes @ self.weights

    def in_words(self, sign: str, threshold: float) -> str:
        order = np.argsort(-np.abs(self.weights), kind="stable")
        order = order[self.weights[order] != 0]
        terms = [f"{self.weights[place]:+.3g} ({self.names[place]})" for place in order[:TOLD]]
        more = f" and {len(order) - TOLD} smaller terms" if len(order) > TOLD else ""
        return f"{' '.join(terms)}{more} {sign} {threshold:.4g}"


@dataclass(frozen=True)
class Tree(Ranking):
    """Ranks outcomes by a tree of decisions on their numbers, for what no weighted sum tells apart."""

    names: tuple[str, ...]
    model: Any

    @classmethod
    def of(cls, names: tuple[str, ...], first: Reals, second: Reals) -> "Tree":
        """Learned from outcomes."""
        from sklearn.tree import DecisionTreeClassifier

        both, labels = labelled(first, second)
        least = max(20, len(both) // 1000)
        return cls(names, DecisionTreeClassifier(max_depth=8, min_samples_leaf=least, random_state=0).fit(both, labels))

    def ranks(self, outcomes: Reals) -> Reals:
        ranks: Reals = self.model.predict_proba(outcomes)[:, 1]
        return ranks

    @cached_property
    def used(self) -> list[str]:
        """The numbers that it looks at, the most telling first."""
        importance = self.model.feature_importances_
        return [self.names[place] for place in np.argsort(-importance, kind="stable") if importance[place] > 0]

    def in_words(self, sign: str, threshold: float) -> str:
        share = "at least" if sign == "≥" else "less than"
        listed = ", ".join(self.used[:TOLD]) + (" and others" if len(self.used) > TOLD else "")
        return f"a decision tree on {listed or 'nothing'} gives the first data set a chance of {share} {threshold:.4g}"


def rankings(names: tuple[str, ...], first: Reals, second: Reals) -> Iterator[Ranking]:
    """All rankings that are learned from outcomes of the first data set and of its neighbour, (runs, outputs) each."""
    first, second = (part[np.linspace(0, len(part) - 1, min(LEARNED, len(part))).astype(int)] for part in (first, second))
    counted = Counted.of(names, first, second)
    if counted is not None:
        yield counted
    varying = np.flatnonzero(np.ptp(np.concatenate([first, second]), axis=0) > 0)
    yield from (Output(names[place], int(place)) for place in telling(first, second, varying))
    if len(varying) > 1:
        yield Linear.of(names, first, second)
        yield Tree.of(names, first, second)


def telling(first: Reals, second: Reals, places: Indices) -> Sequence[int]:
    """Indices of outputs, rising: at most 2·TOLD of `places`, whose means on the two data sets differ by most deviations."""
    spread = np.concatenate([first, second]).std(axis=0) + 1e-300
    far = np.abs(first.mean(axis=0) - second.mean(axis=0)) / spread
    return sorted(places[np.argsort(-far[places], kind="stable")[: 2 * TOLD]].tolist())


def labelled(first: Reals, second: Reals) -> tuple[Reals, Reals]:
    """The outcomes of both data sets in one array, and for each 1 if it is of the first data set, else 0."""
    return np.concatenate([first, second]), np.repeat([1.0, 0.0], [len(first), len(second)])


def keys(outcomes: Reals) -> np.ndarray[Any, np.dtype[np.void]]:
    """The outputs of each run as one value, (runs,), two of which are equal where all outputs are."""
    rows = np.ascontiguousarray(outcomes + 0.0)  # −0 is 0
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
