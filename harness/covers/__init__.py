"""Query classes: what public points make of them, H̃ and X̃, and the exact numbers that errors are computed from (BCMNUW20).

One file a class. A statistical query is h ∈ H, h: X → {±1}, and asks for E h(x) under a distribution D. Algorithm 3 of BCMNUW20
takes one h̃ for each labelling of the distinct public points, the cover H̃, and one point of each cell on which all h̃ are
constant, the representative domain X̃. Here averages are shares in [0, 1]: q = P(h = 1), and E h = 2q − 1.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from pydantic import BaseModel

from harness.arrays import Bools, Ints, Reals, Shared
from harness.registry import parts
from harness.theory.constants.bcmnuw20 import labellings, missed_by_any

Points = np.ndarray[Any, np.dtype[Any]]
"""Points of the domain, one a row; what a row holds is the class's own."""

MOST_QUERIES = 2_000_000
"""The largest |H̃| of a cover that is written down."""

MOST_BITS = 10**9
"""The most numbers, of all public points together, that are drawn."""


ALL = slice(None)


class Size(NamedTuple):
    """The size that a cover may have at most: |H̃| and ln |X̃|.

    Of ordered cells, `directions` in which points are ordered, each with |X̃|^(1/directions) cells, and how many cumulative sums
    of cells an average is made of; 0 elsewhere.
    """

    queries: float
    log_cells: float
    directions: int = 0
    sums: int = 0


@dataclass(frozen=True, eq=False)
class Cover(Shared, ABC):
    """A cover: H̃ and X̃, with the masses of a distribution D. Weights are one number a point of X̃, or one a coordinate.

    masses: D on X̃, as weights. public: the public points on X̃, each as often as it was drawn. low, high: (|H̃|,), the least and
    the largest P(h = 1) of all h ∈ H that are projected onto an h̃. radius: the least α of which H̃ is an α-cover,
    sup P(h ≠ h̃). distinct: m̂, the number of distinct public points. log_cells: ln |X̃|. locate: shares of given points on X̃.
    separate: whether multiplicative weights, moved for one query, keep the answers of all others.
    """

    separate: ClassVar[bool] = False

    masses: Reals
    public: Reals
    low: Reals
    high: Reals
    radius: float
    distinct: int
    log_cells: float
    locate: Callable[[Points], Reals]

    @property
    def queries(self) -> int:
        """|H̃|, the number of functions in the cover."""
        return len(self.low)

    @abstractmethod
    def answers(self, weights: Reals, part: slice = ALL) -> Reals:
        """P(h̃ = 1) under weights on X̃ for every h̃, (…, |H̃|), or for part of them; the first axis may be that of trials."""

    @abstractmethod
    def table(self) -> Bools:
        """Every h̃ on every cell of X̃, (|H̃|, |X̃|), written out; for small covers."""

    @abstractmethod
    def uniform(self) -> Reals:
        """The weights of the uniform distribution on X̃."""

    @abstractmethod
    def tilted(self, weights: Reals, query: int, by: float) -> Reals:
        """The weights with those of the cells on which a query is 1 multiplied by e^by, and normalised."""

    def tilted_each(self, weights: Reals, queries: Ints, by: Reals) -> Reals:
        """The weights of several trials, (trials, …), `tilted` each for a query and by a number of its own, (trials,)."""
        trials = zip(weights, queries.tolist(), by.tolist(), strict=True)
        return np.array([self.tilted(own, query, move) for own, query, move in trials])

    @abstractmethod
    def private(self, n: int, rng: np.random.Generator, trials: int | None = None) -> Reals:
        """Draws the shares of n i.i.d. points of D on X̃, exactly in law, at no cost in n; of several trials, (trials, …)."""

    @cached_property
    def expected(self) -> Reals:
        """P(h̃ = 1) under D, (|H̃|,)."""
        return self.answers(self.masses)

    def error(self, answers: Reals) -> Any:
        """sup over H of |G(h) − E h|, where G(h) is the answer, as a share, of the h̃ that h is projected onto.

        A number, or of answers (trials, |H̃|) one a trial.
        """
        return 2 * np.maximum((answers - self.low).max(axis=-1), (self.high - answers).max(axis=-1))

    def cover_error(self, answers: Reals) -> Any:
        """sup over H̃ of |G(h̃) − E h̃|, as `error` has it over H."""
        apart = answers - self.expected
        return 2 * np.maximum(np.abs(apart.max(axis=-1)), np.abs(apart.min(axis=-1)))


def raised(weights: Reals, holds: Bools, by: Reals) -> Reals:
    """Weights, (trials, |X̃|), multiplied by e^by, (trials,), where a trial's query is 1 on a point of X̃, and normalised."""
    moved = weights * np.where(holds, np.exp(by)[:, np.newaxis], 1.0)
    return np.asarray(moved / moved.sum(axis=1, keepdims=True))


class Marginal(ABC, BaseModel, frozen=True, extra="forbid"):
    """The base of distributions D of points; the fields are its parameters, as a spec names them."""


class QueryClass(ABC, BaseModel, frozen=True, extra="forbid"):
    """A class of queries, whose averages are released; its fields are its dimensions. The first distribution is the default.

    ordered: whether its covers are runs of ordered cells (`runs`). inequality: whose it is that `deviation` follows from.
    """

    name: ClassVar[str]
    ordered: ClassVar[bool] = False
    inequality: ClassVar[str] = ""
    distributions: ClassVar[Mapping[str, type[Marginal]]]

    @property
    @abstractmethod
    def vc(self) -> int:
        """The class's VC dimension V."""

    @property
    @abstractmethod
    def dual_vc(self) -> int:
        """The class's dual VC dimension p."""

    @classmethod
    def of(cls, V: int | None, p: int | None) -> Self:
        """The class of these dimensions. Raises ValueError, naming what is allowed, if there is none."""
        made = cls.of_dual(p) if p is not None else cls.of_vc(V) if V is not None else cls()
        for symbol, wanted, there in (("V", V, made.vc), ("p", p, made.dual_vc)):
            if wanted not in (None, there):
                raise ValueError(f"{symbol} = {wanted} is not attained: {cls.name} has {symbol} = {there}; allowed: {there}")
        return made

    @classmethod
    def of_dual(cls, p: int) -> Self:
        """The class of this dual VC dimension, where a dimension sets it; else the only one that there is."""
        return cls()

    @classmethod
    def of_vc(cls, V: int) -> Self:
        """The smallest class of this VC dimension, where a dimension sets it; else the only one that there is."""
        return cls()

    @abstractmethod
    def draw(self, marginal: Any, size: int, rng: np.random.Generator) -> Points:
        """Draws `size` i.i.d. points of a distribution."""

    @abstractmethod
    def cover(self, marginal: Any, points: Points) -> Cover:
        """The cover that public points make, at least one."""

    @abstractmethod
    def grid(self, marginal: Any, size: int) -> Cover:
        """The cover that a fixed grid makes, of `size` places along each direction, which no data have a say in."""

    def most_bits(self, m: int) -> float:
        """How many numbers m public points take."""
        return m

    def sizes(self, m: int) -> Size:
        """The largest cover that m public points can make. By default by Sauer's lemma, twice."""
        queries = labellings(m, self.vc)
        return Size(queries, log(labellings(queries, self.dual_vc)))

    def grid_sizes(self, size: int) -> Size:
        """An upper bound on the size of the cover that a grid makes."""
        return self.sizes(size - 1)

    def numbers(self, size: Size) -> float:
        """About how many numbers all averages on such a cover come from: one a query, but where covers are matrices."""
        return size.queries

    def missed(self, m: int, alpha: float) -> float:
        """An upper bound on P(m public points make no alpha-cover): by what is special to the class, where that is known."""
        return missed_by_any(m, alpha, self.vc)

    @abstractmethod
    def deviation(self, m: int, alpha: float) -> float:
        """An upper bound on P(the averages of m i.i.d. points miss some E h by more than alpha)."""


def refuse_incomplete(part: object) -> None:
    """Raises a ValueError unless `part` is a class of queries."""
    if not (isinstance(part, type) and issubclass(part, QueryClass)):
        raise ValueError(f"{part!r} is no class of queries; allowed: a class derived from harness.covers.QueryClass")


def query_classes() -> Mapping[str, type[QueryClass]]:
    """All registered classes of queries, by name."""
    return parts("class of queries")
