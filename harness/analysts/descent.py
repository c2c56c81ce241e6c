"""An analyst who asks where most of the data lies, then the same of the part that was named: a heavy path, level by level."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from harness.analysts import Analyst, Poll, QuerySite, Session, cast, of_records
from harness.analysts.modes import MOST_FULL, counted, most_frequent
from harness.arrays import Ints, Reals
from harness.refusal import Refusal


class Descent(Analyst, frozen=True):
    """An analyst who follows the heavy path down a tree: a query is the child in which most of a chunk's points lie.

    Every node has one child with the share `heavy` of its mass; the others share the rest equally.

    The query at a node is the child in which most of a chunk's points lie; a tie, and a chunk without points there, goes to
    the smaller child. The next one is at the child that was answered. After ⊥, or `depth` levels down, the analyst begins anew
    with another attribute and its tree. The deeper, the fewer points a chunk has left: s · heavy^level.
    """

    name: ClassVar[str] = "descent"
    adaptive: ClassVar[bool] = True

    children: Annotated[int, Field(ge=2, le=64)] = 4
    depth: Annotated[int, Field(ge=1, le=40)] = 4
    heavy: Annotated[float, Field(gt=0, lt=1)] = 0.6

    @property
    def range_size(self) -> int:
        return self.children

    @property
    def shares(self) -> Reals:
        """The shares of a node's mass in its children, the heavy child first, (children,)."""
        return np.append(self.heavy, np.full(self.children - 1, (1 - self.heavy) / (self.children - 1)))

    def chunks(self, site: QuerySite, rng: np.random.Generator) -> Session:
        return _Session(self, np.full(site.k, site.s), site.full, rng)

    def whole(self, site: QuerySite, n: int, rng: np.random.Generator) -> Session:
        return _Session(self, np.array([n]), site.full, rng, records=True)

    def right(self, s: int) -> float:
        deepest = self.heavy ** (self.depth - 1)
        return most_frequent(tuple((deepest * self.shares).tolist()), s)

    def refuse(self, site: QuerySite) -> Refusal | None:
        if self.heavy <= (1 - self.heavy) / (self.children - 1):
            return Refusal(f"no child is heavy at {self.heavy:g} of {self.children}; allowed: more than 1/children", "analyst")
        if site.full and site.k * site.s > MOST_FULL:
            return Refusal(f"{site.k * site.s:.3g} points would be drawn; allowed: n ≤ {MOST_FULL:g} in full", "n")
        return None


@dataclass
class _Session(Session):
    """sizes: points of each chunk, (chunks,). here: those of them at the node that is asked about. level: how deep it lies.

    In full, each point has a uniform address, (chunks, points), and the node is the part of [0, 1) that lies from `low` on,
    `mass` wide. Otherwise counts are split when they are asked for: the law is the same, as nothing else of the points shows.
    """

    analyst: Descent
    sizes: Ints
    full: bool
    rng: np.random.Generator
    records: bool = False
    level: int = 0
    here: Ints = field(init=False)
    split: Ints = field(init=False)
    address: Reals = field(init=False)
    low: float = 0.0
    mass: float = 1.0
    edges: Reals = field(init=False)

    def ask(self, last: int | None) -> Poll:
        if last is None or self.level == self.analyst.depth:
            self._begin()
        else:
            self._go(last)
        self.level += 1
        heavy = int(self.rng.integers(self.analyst.children))
        shares = np.roll(self.analyst.shares, heavy)
        self.edges = np.append(0, np.cumsum(shares))
        self.split = self._located() if self.full else counted(self.here, shares, self.rng)
        if self.records:
            return of_records(np.arange(len(shares)), self.split[0], heavy)
        return cast(self.split.argmax(axis=1), heavy)

    def _begin(self) -> None:
        self.level, self.here, self.low, self.mass = 0, self.sizes, 0.0, 1.0
        if self.full:
            self.address = self.rng.random((len(self.sizes), int(self.sizes[0])))

    def _go(self, child: int) -> None:
        self.here = self.split[:, child]
        self.low += self.mass * float(self.edges[child])
        self.mass *= float(self.edges[child + 1] - self.edges[child])

    def _located(self) -> Ints:
        """How many points of each chunk lie in each child, by their addresses, (chunks, children)."""
        place = (self.address - self.low) / self.mass
        child = np.searchsorted(self.edges[1:-1], place, side="right")
        child[(place < 0) | (place >= 1)] = self.analyst.children
        return np.array([np.bincount(row, minlength=self.analyst.children + 1)[:-1] for row in child])


ANALYST = Descent
