"""Lines between points: from one abscissa of a panel to the next, and not over one at which nothing was seen."""

from collections.abc import Iterable

import numpy as np

from harness.arrays import Reals


def over(places: Iterable[float], x: Iterable[float], *values: Iterable[float]) -> tuple[Reals, ...]:
    """A panel's abscissae in rising order, and series that are known at some of them, extended by NaN at all the others.

    x: where the values are, each of the places.
    """
    across = np.unique(np.asarray(list(places), np.float64))
    here = np.searchsorted(across, np.asarray(list(x), np.float64))
    spread = np.full((len(values), len(across)), np.nan)
    for row, column in zip(spread, values, strict=True):
        row[here] = np.asarray(list(column), np.float64)
    return across, *spread
