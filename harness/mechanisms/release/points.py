"""Neighbouring data sets of private points: one of the n is replaced."""

from collections.abc import Iterator
from dataclasses import dataclass

from harness.arrays import Reals
from harness.covers import Cover


@dataclass(frozen=True)
class MovedPoint:
    """Two neighbouring data sets of n points. words: for a reader. before, after: shares on X̃, as the cover has weights."""

    words: str
    before: Reals
    after: Reals


def usual(cover: Cover, ends: tuple[Reals, Reals], n: int) -> Iterator[MovedPoint]:
    """The neighbouring data sets tried of every release. ends: weights of one point at two places that queries tell apart."""
    low, high = ends
    moved = (high - low) / n
    yield MovedPoint("all points at one place, and one of them moved", low, low + moved)
    half = (n // 2 * high + (n - n // 2) * low) / n
    yield MovedPoint("half of the points at either of two places, and one moved", half, half + moved)
    even = cover.uniform()
    yield MovedPoint("points spread evenly, and one moved", (1 - 1 / n) * even + low / n, (1 - 1 / n) * even + high / n)
