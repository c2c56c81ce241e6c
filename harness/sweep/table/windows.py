"""The order of many rows that lie in groups, cut into windows, so that of no more rows than those of one it is held."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from harness.arrays import Ints

SIZE = 2**20
"""Rows of groups that begin in a window, before there is another."""


class Span(NamedTuple):
    """The keys of a group of rows: the least, the most, and whether each is above the one before. Of no rows most is less."""

    least: int
    most: int
    rising: bool


class Window(NamedTuple):
    """The rows whose keys are from `begin` to before `end`. groups: those with any, by their numbers. in_order: whether the
    window has all rows of these, and they stand in their order, each once, where one group follows another.
    """

    begin: int
    end: int
    groups: Sequence[int]
    in_order: bool


def windows(spans: Sequence[Span], sizes: Ints) -> list[Window]:
    """Windows on groups of rows, one after another. spans, sizes: the keys of each group, and its number of rows."""
    order = sorted(
        (number for number, span in enumerate(spans) if span.least <= span.most), key=lambda number: spans[number].least
    )
    ends = [*_ends(order, spans, sizes), 1 + max((span.most for span in spans), default=0)]
    cut, waiting, open_groups = list[Window](), order[::-1], list[int]()
    for end in ends if order else ():
        while waiting and spans[waiting[-1]].least < end:
            open_groups.append(waiting.pop())
        begin = cut[-1].end if cut else spans[order[0]].least
        cut.append(Window(begin, end, *_of(open_groups, spans, begin, end)))
        open_groups = [group for group in open_groups if spans[group].most >= end]
    return cut


def _ends(order: Sequence[int], spans: Sequence[Span], sizes: Ints) -> Iterator[int]:
    """Where one window ends and another begins: at the first key of a group, after so many rows."""
    rows, begin = 0, spans[order[0]].least if order else 0
    for group in order:
        if rows >= SIZE and spans[group].least > begin:
            begin, rows = spans[group].least, 0
            yield begin
        rows += int(sizes[group])


def _of(groups: Sequence[int], spans: Sequence[Span], begin: int, end: int) -> tuple[list[int], bool]:
    """The groups of a window, in the order of their files where rows are to be compared, and whether they are in order."""
    within = all(begin <= spans[each].least and spans[each].most < end and spans[each].rising for each in groups)
    apart = all(spans[one].most < spans[other].least for one, other in pairwise(groups))
    return ([*groups], True) if within and apart else (sorted(groups), False)
