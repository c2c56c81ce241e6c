"""What would change an advice: how much more or fewer of what one has, so that another mechanism does better."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple, Protocol, Self

FACTORS = (10, 100, 1000)
CLEARLY = 0.9
"""Another does better where no more than such a share is wrong by it."""


class Blind(NamedTuple):
    """A baseline that looks at no data, such as a coin: its description and its error."""

    words: str
    wrong: float


COIN = Blind("a coin", 0.5)
"""As a classifier."""

HALVINGS = 3


class Movable(Protocol):
    """The protocol of a question of advice whose n or m can be varied, to find what would change the winner."""

    @property
    def blind(self) -> Blind:
        """What answers without data, which has to be beaten too."""
        ...

    def value(self, axis: str) -> int:
        """The value of an axis, such as n."""
        ...

    def moved(self, axis: str, value: int) -> Self:
        """The question with another value of it."""
        ...

    def least(self, name: str, below: float = inf) -> float:
        """What is wrong by a mechanism at its best; infinite where that is not below so much."""
        ...


@dataclass(frozen=True)
class Alternative:
    """What would change an advice: the mechanism that does better from some n or m on.
    name: what does better from `value` of `axis` on, such as n; up: and above it, else below it.
    """

    axis: str
    up: bool
    value: int
    name: str

    @property
    def json(self) -> dict[str, Any]:
        """One flat object."""
        return {"axis": self.axis, "from": self.value, "up": self.up, "wins": self.name}

    def __str__(self) -> str:
        return f"{self.name} from about {self.axis} = {self.value:,} {'up' if self.up else 'down'}, all else the same"


def changes(question: Movable, names: Sequence[str], axes: Mapping[str, int], care: float) -> Iterator[Alternative]:
    """The nearest changes of n or m with which another mechanism wins, up and down along each axis, by a factor up to 1,000.

    names: of mechanisms, the winner first. axes: what may change, with the most that it may be. care: of what is wrong; where
    it is less, nobody would change.
    """
    for axis, most in axes.items():
        for up in (True, False):
            if (nearest := _first(question, names, axis, up, most, care)) is not None:
                yield nearest


def _first(question: Movable, names: Sequence[str], axis: str, up: bool, most: int, care: float) -> Alternative | None:
    here = question.value(axis)
    before = 1.0

    def better(scale: float) -> tuple[int, str | None]:
        value = max(1, int(float(f"{here * scale:.1e}")))
        return value, _better(question.moved(axis, value), names, care)

    for factor in FACTORS:
        scale = float(factor if up else 1 / factor)
        if not 1 <= here * scale <= most:
            return None
        value, name = better(scale)
        if name is None:
            before = scale
            continue
        for _ in range(HALVINGS):
            middle = (before * scale) ** 0.5
            nearer, other = better(middle)
            before, scale, value, name = (middle, scale, value, name) if other is None else (before, middle, nearer, other)
        return Alternative(axis, up, value, name)
    return None


def _better(question: Movable, names: Sequence[str], care: float) -> str | None:
    """What clearly does better than the first of them and than no data at all, if any does."""
    allowed = CLEARLY * min(question.least(names[0]), question.blind.wrong)
    if allowed < care:
        return None
    wrong = {name: question.least(name, allowed) for name in names[1:]}
    best = min(wrong, key=lambda name: wrong[name], default=None)
    return best if best is not None and wrong[best] < allowed else None
