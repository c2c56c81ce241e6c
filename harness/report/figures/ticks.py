"""Numbers beside logarithmic axes: few enough that none stands over another."""

from collections.abc import Iterator
from math import ceil, floor, log10

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import (
    FixedFormatter,
    FixedLocator,
    FuncFormatter,
    LogLocator,
    MaxNLocator,
    NullFormatter,
    ScalarFormatter,
)

from harness.report import numerals

DECADES = 1.7  # an axis of so many has two powers of ten at least, and these are enough
FEWEST = 2
NOWHERE = 1e-9  # a share by which two places may differ and be one
LARGE = 1e4  # of numbers that are written with a power of ten


def set_ticks(ax: Axes) -> None:
    """Labels the powers of ten of each logarithmic axis; of an axis with few of them 1, 2 and 5 times each as well.

    An axis whose ticks were given by hand stays as it is.
    """
    _one_place(ax)
    for axis, scale in ((ax.xaxis, ax.get_xscale()), (ax.yaxis, ax.get_yscale())):
        if scale == "log" and isinstance(axis.get_major_locator(), LogLocator):
            low, high = sorted(axis.get_view_interval())
            if low > 0 and high / low < 10**DECADES:
                _few(axis, low, high)
            else:
                axis.set_major_formatter(FuncFormatter(lambda value, _: numerals.number(value)))
                axis.set_minor_formatter(NullFormatter())
        elif scale == "linear" and isinstance(formatter := axis.get_major_formatter(), ScalarFormatter):
            formatter.set_useOffset(False)
            if max(map(abs, axis.get_view_interval())) >= LARGE:
                axis.set_major_formatter(FuncFormatter(lambda value, _: numerals.number(value)))


def _one_place(ax: Axes) -> None:
    """Where all that is drawn is in one place, to the last digits, has it that: else matplotlib sees an axis of no length."""
    for way in ("intervalx", "intervaly"):
        low, high = getattr(ax.dataLim, way)
        if low < high < low * (1 + NOWHERE):
            setattr(ax.dataLim, way, (high, high))


def _few(axis: Axis, low: float, high: float) -> None:
    """Ticks at 1, 2 and 5 of each power of ten within the view, or at round numbers where it is too narrow for these."""
    places = [place for place in _one_two_five(low, high) if low <= place <= high]
    if len(places) < FEWEST:
        places = [float(place) for place in MaxNLocator(4).tick_values(low, high) if low <= place <= high]
    axis.set_major_locator(FixedLocator(places))
    axis.set_major_formatter(FixedFormatter([numerals.number(place) for place in places]))
    axis.set_minor_formatter(FuncFormatter(lambda *_: ""))


def _one_two_five(low: float, high: float) -> Iterator[float]:
    for power in range(floor(log10(low)), ceil(log10(high)) + 1):
        yield from (float(f"{first}e{power}") for first in (1, 2, 5))
