"""What the kinds of trial share that search for the least value of a constant: the search, its cell and its columns."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from math import exp, log
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import BaseModel, Field, ValidationInfo, field_validator

from harness.arrays import Bools
from harness.registry import nearest
from harness.theory.factors import Changeable, Factor, set_named
from harness.theory.plan import CERTIFIED
from harness.trials.changes import FROM, named_set
from harness.trials.columns import Column
from harness.trials.fields import Probability, Whole
from harness.trials.interval import BUDGET, ERROR, HIGH, LOW, RUNS, Interval
from harness.trials.kind import Row
from harness.trials.rules import Rule, close, null_with
from harness.trials.search import Search

UNIT = 10**6  # the printed value as the search counts
MOST = 10  # times the printed value is the largest tried, and 1/UNIT of it the least
RATIO = 1.002  # between neighbours on the search's grid
COUNTED = 2 / UNIT  # relative, of the largest value: one more in the count
HALVINGS = 26  # of the range of ln c, where both ends are computed


class Sought(BaseModel, ABC, frozen=True):
    """The base of cells of a search for the least value of one constant, with all else in the cell, its instance, held fixed.

    instance_of: the kind of cell that is the instance alone. constant: that is to be as small as it can be there. error: the
    chance that the interval misses its least value. budget: runs at any one value.
    """

    instance_of: ClassVar[type[BaseModel]]

    constant: str
    error: Probability = 1e-6
    budget: Annotated[Whole, Field(ge=1, le=10**6)] = 20_000

    if TYPE_CHECKING:
        constants: str
        eps: float
        event: str

    @classmethod
    @abstractmethod
    def sets(cls) -> Mapping[str, Changeable]:
        """The sets of constants that an instance may have, by name."""

    @classmethod
    def also(cls) -> tuple[Factor, ...]:
        """Constants that are in none of them."""
        return ()

    @classmethod
    def _factors(cls, of: str) -> tuple[Factor, ...]:
        return (*set_named(of, cls.sets()).factors, *cls.also())

    @field_validator("constant")
    @classmethod
    def _known_constant(cls, name: str, info: ValidationInfo) -> str:
        if "constants" in info.data:  # else they have an error of their own
            of = info.data["constants"]
            allowed = [each.name for each in cls._factors(of)]
            if name not in allowed:
                raise ValueError(f"no constant {name!r} of {of}; {nearest(name, allowed)}")
        return name

    @property
    def factor(self) -> Factor:
        """The constant."""
        return next(each for each in self._factors(self.constants) if each.name == self.constant)

    @property
    def stated(self) -> float:
        """The constant's value in the set."""
        return set_named(self.constants, self.sets()).values[self.factor]

    def with_constant(self, value: float) -> Any:
        """The instance with another value of the constant."""
        name = named_set("constants", {FROM: self.constants, self.constant: value}, self.sets(), self.also())
        instance = {field: getattr(self, field) for field in self.instance_of.model_fields}
        return self.instance_of.model_construct(**instance | {"constants": name} | self.following(name))

    def following(self, constants: str) -> Row:
        """The fields of the instance that follow from these constants."""
        return {}


def value_at(factor: Factor, stated: float, count: int) -> float:
    """The value of a constant at a whole count of the search, stated·count/UNIT; never less than the constant may be."""
    return max(factor.least, stated * count / UNIT)


def both_ends(
    factor: Factor, stated: float, certified: Callable[[float], bool], refuted: Callable[[float], bool]
) -> tuple[float, float | None]:
    """The largest value of a constant that is refuted, 0 if none is, and the least value that is certified, or None.

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


INTERVAL = Interval("needed", whole=False)


def shown(cell: Sought, low: float, high: float | None, runs: int) -> tuple[Row, Any]:
    """The columns of a constant's interval and of printed over needed value, a ratio, and the instance at the upper end."""
    row = INTERVAL.row(low, high, runs)
    over = cell.stated / row["needed"] if row["needed"] else None
    return row | {"over": over, "challenged": bool(low)}, None if high is None else cell.with_constant(high)


def least(cell: Sought, broken: Callable[[Any, int, range], Bools], allowed: float, close: bool = False) -> tuple[Row, Any]:
    """The columns of the interval that a search finds for a constant, and the instance at its upper end.
    broken: of an instance, its place in the search and the indices of runs, in which the event fails. close: see `Search`.
    """
    value = partial(value_at, cell.factor, cell.stated)
    at_count = lru_cache(maxsize=64)(lambda count: cell.with_constant(value(count)))
    search = Search(
        lambda count, runs: broken(at_count(count), count, runs),
        allowed,
        MOST * UNIT,
        cell.error,
        cell.budget,
        RATIO,
        close=close,
    )
    ends = search.find(UNIT)
    low, high = value(ends.low) if ends.low else 0.0, None if ends.high is None else value(ends.high)
    return shown(cell, low, high, ends.runs)


def private(cell: Sought, spent: Callable[[float], float], leaked: Callable[[float], float]) -> tuple[Row, Any]:
    """The columns of a computed interval for a constant of privacy, and the instance at its upper end.
    spent, leaked: at a value, the ε certified and the ε shown.
    """
    eps = cell.eps * (1 + CERTIFIED)
    return shown(cell, *both_ends(cell.factor, cell.stated, lambda c: spent(c) <= eps, lambda c: leaked(c) > eps), 0)


def event_column(phrases: Mapping[str, str]) -> Column:
    """The column of the event that must not fail more often than claimed. phrases: its values in words."""
    return Column("event", "text", "parameter", "what must not fail more often than claimed", phrases=dict(phrases))


CONSTANT = Column("constant", "text", "parameter", "constant that is searched for")
SEARCH = (
    BUDGET,
    ERROR.but(meaning="chance that the interval misses the least constant"),
    Column("printed", "real", "claimed", "value in the set"),
)
FOUND = (
    LOW.but(type="real", meaning="the largest value shown to be too small, 0 for none"),
    HIGH.but(type="real"),
    Column("needed", "real", "measured", "least constant", "c*", null=True, worse=True),
    Column("over", "real", "measured", "printed over needed", null=True),
    Column("challenged", "truth", "measured", "whether any value is too small on this instance"),
    RUNS,
)
RULES = (
    *INTERVAL.rules,
    Rule("over = printed / needed", ("over", "printed", "needed"), lambda over, printed, needed: close(over, printed / needed)),
    null_with("over", "needed"),
    Rule(f"low ≤ {MOST} printed", ("low", "printed"), lambda low, printed: low <= MOST * printed * (1 + COUNTED)),
    Rule(f"high ≤ {MOST} printed", ("high", "printed"), lambda high, printed: high <= MOST * printed * (1 + COUNTED)),
    Rule("challenged just where low > 0", ("challenged", "low"), lambda challenged, low: (challenged > 0) == (low > 0)),
)
