"""What the kinds of trial share that search for the least value of a constant: the search, its cell and its columns."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import exp, log, sqrt
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, Field

from harness.registry import nearest
from harness.theory.factors import Changeable, Factor
from harness.trials.changes import FROM, named_set
from harness.trials.columns import Column
from harness.trials.fields import Probability, Whole
from harness.trials.kind import Row
from harness.trials.rules import Rule, close
from harness.trials.search import Search

UNIT = 10**6  # the printed value as the search counts
MOST = 10  # times the printed value is the largest tried, and 1/UNIT of it the least
RATIO = 1.002  # between neighbours on the search's grid
HALVINGS = 26  # of the range of ln c, where both ends are computed


class Sought(BaseModel, frozen=True):
    """What cells of such a kind have beside an instance.

    constant: that is to be as small as it can be there. error: the chance that the interval misses its least value. budget:
    runs at any one value.
    """

    constant: str
    error: Probability = 1e-6
    budget: Annotated[Whole, Field(ge=1, le=10**6)] = 20_000


def known_constant(name: str, of: str, factors: tuple[Factor, ...]) -> Factor:
    """To be called in a validator: the constant of that name."""
    known = {each.name: each for each in factors}
    if name not in known:
        raise ValueError(f"no constant {name!r} of {of}; {nearest(name, list(known))}")
    return known[name]


def value_at(factor: Factor, stated: float, count: int) -> float:
    """The constant as the search counts; never less than it may be."""
    return max(factor.least, stated * count / UNIT)


def both_ends(
    factor: Factor, stated: float, certified: Callable[[float], bool], refuted: Callable[[float], bool]
) -> tuple[float, float | None]:
    """The largest value that is refuted, 0 if none is; and the least that is certified, or None.

    Of a constant of privacy: what is spent falls as it grows. To within a relative 1e-6; of the values that alone make sense,
    where there are such.
    """
    if factor.only:
        return max(filter(refuted, factor.only), default=0.0), min(filter(certified, factor.only), default=None)
    first, most = value_at(factor, stated, 1), value_at(factor, stated, MOST * UNIT)
    high = _turn(certified, first, most) if certified(most) else None
    return (_turn(lambda value: not refuted(value), first, most, below=True) if refuted(first) else 0.0), high


def _turn(enough: Callable[[float], bool], least: float, most: float, below: bool = False) -> float:
    """Where values begin to be enough: the least found that is, or the largest found that is not."""
    low, high = log(least), log(most)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(exp(middle)) else (middle, high)
    return exp(low if below else high)


def changed_name(of: str, constant: str, value: float, sets: Mapping[str, Changeable], also: tuple[Factor, ...] = ()) -> str:
    """The name of a set with another value of a constant."""
    return named_set("constants", {FROM: of, constant: value}, sets, also)


def interval(low: float, high: float | None, stated: float, runs: int) -> Row:
    """What rows say of it: low < the least constant ≤ high, the geometric middle, and how much larger the printed one is."""
    needed = sqrt(low * high) if low and high else None
    over = stated / needed if needed else None
    return {"low": low, "high": high, "needed": needed, "over": over, "challenged": bool(low), "runs": runs}


def least(
    broken: Callable[[Any, int, int], bool],
    with_value: Callable[[float], Any],
    factor: Factor,
    stated: float,
    allowed: float,
    sought: Sought,
) -> tuple[Row, Any]:
    """The interval, and the instance at its upper end. broken: of an instance, its place in the search and the index
    of a run, whether the event fails there.
    """
    at = lru_cache(maxsize=64)(lambda count: with_value(value_at(factor, stated, count)))
    search = Search(
        lambda count, index: broken(at(count), count, index), allowed, MOST * UNIT, sought.error, sought.budget, RATIO
    )
    shown = search.find(UNIT)
    low = value_at(factor, stated, shown.low) if shown.low else 0.0
    high = None if shown.high is None else value_at(factor, stated, shown.high)
    return interval(low, high, stated, shown.runs), None if high is None else with_value(high)


def event_column(phrases: Mapping[str, str]) -> Column:
    """What must not fail more often than claimed."""
    return Column("event", "text", "parameter", "what must not fail more often than claimed", phrases=dict(phrases))


CONSTANT = Column("constant", "text", "parameter", "constant that is searched for")
SEARCH = (
    Column("budget", "whole", "parameter", "runs at any one value", unit="runs"),
    Column("error", "real", "parameter", "chance that the interval misses the least constant"),
    Column("printed", "real", "claimed", "value in the set"),
)
FOUND = (
    Column("low", "real", "measured", "the largest value shown to be too small, 0 for none", worse=True),
    Column("high", "real", "measured", "the least value shown to be enough", null=True, worse=True),
    Column("needed", "real", "measured", "least constant", "c*", null=True, worse=True),
    Column("over", "real", "measured", "printed over needed", null=True),
    Column("challenged", "truth", "measured", "whether any value is too small on this instance"),
    Column("runs", "whole", "measured", "runs that the search took", unit="runs"),
)
RULES = (
    Rule("low < high", ("low", "high"), lambda low, high: low < high * (1 + 1e-9)),
    Rule("needed = √(low high)", ("needed", "low", "high"), lambda needed, low, high: close(needed, np.sqrt(low * high))),
    Rule("over = printed / needed", ("over", "printed", "needed"), lambda over, printed, needed: close(over, printed / needed)),
    Rule("challenged just where low > 0", ("challenged", "low"), lambda challenged, low: (challenged > 0) == (low > 0)),
)
