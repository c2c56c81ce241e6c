"""Sets of trials as ranges of them: as many as there may be, there are few gaps."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

Ranges = tuple[range, ...]
"""Apart, and in rising order."""


def ranges(trials: NDArray[np.integer]) -> Ranges:
    """Trial numbers, each given once and in any order, as the fewest ranges of consecutive numbers, in rising order."""
    ordered = np.sort(trials)
    ends = np.flatnonzero(np.diff(ordered) != 1)
    firsts, lasts = np.append(ordered[:1], ordered[ends + 1]), np.append(ordered[ends], ordered[-1:])
    return tuple(range(first, last + 1) for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True))


def joined(sets: Iterable[Ranges]) -> Ranges:
    """The trials that are in any of several sets of ranges, as ranges."""
    apart: list[range] = []
    for some in sorted((some for each in sets for some in each), key=lambda some: some.start):
        if apart and some.start <= apart[-1].stop:
            apart[-1] = range(apart[-1].start, max(apart[-1].stop, some.stop))
        else:
            apart.append(some)
    return tuple(apart)


def size(some: Ranges) -> int:
    """How many trials there are in a set of ranges."""
    return sum(map(len, some))


def overlap(sets: Iterable[Ranges]) -> bool:
    """Whether a trial is in two of several sets of ranges, or in one set twice."""
    sets_of_trials = [*sets]
    return sum(map(size, sets_of_trials)) > size(joined(sets_of_trials))


def lacking(there: Mapping[str, Ranges], wanted: int) -> Iterator[tuple[tuple[str, ...], range]]:
    """Yields each range of the first `wanted` trials with the mechanisms that lack it. there: the ranges each mechanism has."""
    ends = {end for each in there.values() for some in each for end in (some.start, some.stop) if end < wanted}
    begun: tuple[tuple[str, ...], range] | None = None
    for start, stop in zip(bounds := sorted({0, *ends}), [*bounds[1:], wanted], strict=True):
        names = tuple(name for name, each in there.items() if not any(start in some for some in each))
        if begun is not None and begun[0] == names:
            begun = names, range(begun[1].start, stop)
            continue
        if begun is not None and begun[0]:
            yield begun
        begun = names, range(start, stop)
    if begun is not None and begun[0] and begun[1]:
        yield begun
