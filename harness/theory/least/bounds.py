"""The least value that is enough everywhere in a box, by branch and bound: nothing is missed, but for rounding."""

from collections.abc import Callable

Box = tuple[tuple[float, float], ...]
"""The two ends of every coordinate."""

SMALLEST = 1e-9


def least_enough(
    box: Box,
    enough: Callable[[float, Box], bool],
    needed: Callable[[tuple[float, ...]], float],
    start: tuple[float, ...],
    tolerance: float,
    least: float = 0.0,
) -> tuple[float, tuple[float, ...]]:
    """The least number that is `enough` on all of a box of ranges, to a relative tolerance, and a place that needs it.

    enough: whether a value is certainly enough in all of a box; where that is not clear the box is halved. needed: the least
    value that is enough at a place, tried at the ends of such boxes, and first at `start`. least: nothing smaller is looked
    for, and it is told exactly.
    """
    best, where, left = max(least, needed(start)), start, [box]
    while left:
        one = left.pop()
        if enough(best * (1 + tolerance) if best > least else best, one):
            continue
        for place in (tuple(low for low, _ in one), tuple(high for _, high in one)):
            if not enough(best, tuple((each, each) for each in place)):
                best, where = needed(place), place
        if max(high - low for low, high in one) < SMALLEST:
            raise ArithmeticError(f"{best} is not told from what is needed near {one}")
        left += halves(one)
    return best * (1 + tolerance) if best > least else best, where


def halves(box: Box) -> tuple[Box, Box]:
    """The two halves of a box, cut across its longest side."""
    side = max(range(len(box)), key=lambda i: box[i][1] - box[i][0])
    low, high = box[side]
    middle = (low + high) / 2
    return (*box[:side], (low, middle), *box[side + 1 :]), (*box[:side], (middle, high), *box[side + 1 :])
