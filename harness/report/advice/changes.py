"""What would change an advice: how many examples or queries more or fewer, so that another mechanism does better."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf

from harness.mechanisms.answering import mechanisms
from harness.report.advice.votes import Advised, Asked
from harness.trials.concept_cell import MAX_N

FACTORS = (10, 100, 1000)
MOST_QUERIES = 10**6
CLEARLY = 0.9
"""Another does better where no more than such a share of the labels is wrong by it."""

HALVINGS = 3
LEAST_WRONG = 0.05
"""Labels wrong of all: below it nobody would change a mechanism for another."""


@dataclass(frozen=True)
class Change:
    """name: what does better from `value` of `axis` on, n or m; up: and above it, else below it."""

    axis: str
    up: bool
    value: int
    name: str


def changes(asked: Asked, race: Sequence[Advised]) -> Iterator[Change]:
    """The nearest changes of the winner, in either direction along n and along m, up to a factor of 1,000.

    Of the two best, and of the best that pays for every query and the best that pays for ⊥s.
    """
    kinds = {mechanisms()[one.name].pays_for: one.name for one in reversed(race)}
    names = list(dict.fromkeys([*(one.name for one in race[:2]), *kinds.values()]))
    for axis, most in (("n", MAX_N), ("m", MOST_QUERIES)):
        for up in (True, False):
            found = _first(asked, names, axis, up, most)
            if found is not None:
                yield found


def _first(asked: Asked, names: Sequence[str], axis: str, up: bool, most: int) -> Change | None:
    here = asked.n if axis == "n" else asked.task.m
    before = 1.0
    for factor in FACTORS:
        scale = float(factor if up else 1 / factor)
        if not 1 <= here * scale <= most:
            return None
        if _better(_at(asked, axis, here * scale), names) is None:
            before = scale
            continue
        for _ in range(HALVINGS):
            middle = (before * scale) ** 0.5
            before, scale = (before, middle) if _better(_at(asked, axis, here * middle), names) else (middle, scale)
        at = _at(asked, axis, here * scale)
        better = _better(at, names)
        return Change(axis, up, at.n if axis == "n" else at.task.m, better) if better else None
    return None


def _at(asked: Asked, axis: str, value: float) -> Asked:
    whole = max(1, int(float(f"{value:.1e}")))
    return replace(asked, n=whole) if axis == "n" else replace(asked, task=replace(asked.task, m=whole))


def _better(asked: Asked, names: Sequence[str]) -> str | None:
    """What clearly does better than the first of them, if any does."""
    own = asked.best(mechanisms()[names[0]])
    allowed = CLEARLY * own[1] if own else inf
    if allowed < LEAST_WRONG:
        return None
    found = {name: asked.best(mechanisms()[name], below=allowed) for name in names[1:]}
    wrong = {name: best[1] for name, best in found.items() if best is not None and best[1] < allowed}
    return min(wrong, key=lambda name: wrong[name], default=None)
