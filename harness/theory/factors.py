"""The constants in a text's formulas, by name: what is printed, and what stands in their place where somebody asks.

A formula says which constants are in it, and reads them by name. So a set of constants (`theory.constants`) can be had with
some of them changed. A change travels as values, and is text where people and tables have it, in the name of the set:
`BTT18 with c_k = 10, c_lam = 8`. By that name the set is found again.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar

P = ParamSpec("P")

LEAST, MOST = 1e-9, 1e9
"""What may stand in the place of a constant: far beyond any use, and not so far that a formula overflows."""

WITH = " with "


@dataclass(frozen=True)
class Factor:
    """A constant in a formula that a text prints, such as the 32 in λ = √(32 T ln(2/δ)) / ε.

    name: as specs spell it, such as c_k. printed: its value in the text; written: how the text writes that, where it is no
    plain number. formula: the one that it stands in, with its name in it. place: of that in the text. least: nothing smaller
    may stand in its place, so that logarithms stay above 0. only: where these alone make sense.
    """

    name: str
    printed: float
    formula: str
    place: str
    written: str = ""
    least: float = LEAST
    only: tuple[float, ...] = ()

    @property
    def shown(self) -> str:
        """The printed value as the text has it."""
        return self.written or spelled(self.printed)

    def refused(self, value: float) -> str | None:
        """Which values are allowed in the place of the printed one, as text, where `value` is not; else None."""
        if self.only and value not in self.only:
            return f"{' or '.join(map(spelled, self.only))}, or printed, is needed"
        if not (isfinite(value) and self.least <= value <= MOST):
            above = "a number > 0" if self.least == LEAST and value <= 0 else f"a number from {self.least:g} to {MOST:g}"
            return f"{above}, or printed, is needed"
        return None


@dataclass(frozen=True)
class ConstantValues:
    """The values that formulas are evaluated at: those of changed constants, by name, and the printed value of every other.

    It is false where none is changed, and as text such as `c_k = 10, c_lam = 8`.
    """

    changed: tuple[tuple[str, float], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changed)

    def __str__(self) -> str:
        return ", ".join(f"{name} = {spelled(value)}" for name, value in self.changed)

    def __getitem__(self, factor: Factor) -> float:
        if not self.changed:  # as nearly always, and asked for a million times
            return factor.printed
        return next((value for name, value in self.changed if name == factor.name), factor.printed)

    def but(self, changes: Mapping[str, float]) -> "ConstantValues":
        """The values with the constants in `changes` changed too."""
        return ConstantValues(tuple((dict(self.changed) | dict(changes)).items()))


PRINTED = ConstantValues()


@dataclass(frozen=True)
class Formula(Generic[P]):
    """A formula whose constants can be changed. of: a function that takes their values first. factors: the constants."""

    of: Callable[Concatenate[ConstantValues, P], float]
    factors: tuple[Factor, ...]
    values: ConstantValues = PRINTED

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> float:
        return self.of(self.values, *args, **kwargs)

    def with_values(self, values: ConstantValues) -> "Formula[P]":
        """The formula with its constants at these values."""
        return replace(self, values=values)


def formula(*factors: Factor) -> Callable[[Callable[Concatenate[ConstantValues, P], float]], Formula[P]]:
    """A decorator that makes a `Formula` of a function whose first argument holds the values of the constants `factors`."""

    def made(of: Callable[Concatenate[ConstantValues, P], float]) -> Formula[P]:
        return Formula(of, tuple(dict.fromkeys(factors)))

    return made


def factors_in(functions: Iterable[object]) -> tuple[Factor, ...]:
    """All constants of the `Formula`s among some functions, each constant once; other functions have none."""
    return tuple(dict.fromkeys(each for function in functions if isinstance(function, Formula) for each in function.factors))


Function = TypeVar("Function", bound=Callable[..., float])


def with_values(function: Function, values: ConstantValues) -> Function:
    """A `Formula` with its constants at `values`; any other function as it is."""
    changed: Any = function.with_values(values) if isinstance(function, Formula) else function
    return changed  # type: ignore[no-any-return]


class Changeable(Protocol):
    """A set of constants, some of which can be changed. factors: the constants; values: what they are in this set."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def values(self) -> ConstantValues: ...

    @property
    def factors(self) -> tuple[Factor, ...]: ...

    def changed(self, changes: Mapping[str, float]) -> Self:
        """The set with the constants in `changes` at these values, under a name that says so."""


Set = TypeVar("Set", bound=Changeable)


def spelled(value: float) -> str:
    """A number as text, in the fewest digits from which it can be read again."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


@dataclass(frozen=True)
class SetName:
    """The name of a set of constants, or of a claim about one. base: the name without its change; change: what is changed."""

    base: str
    change: ConstantValues = PRINTED

    @classmethod
    def read(cls, text: str) -> "SetName":
        """A name in its parts, from text such as `BTT18 with c_k = 10`; of text that says no change all is the base."""
        if WITH not in text:
            return cls(text)
        try:
            base, changes = split(text)
            return cls(base, ConstantValues(tuple((name, float(value)) for name, value in changes.items())))
        except ValueError:
            return cls(text)

    def __str__(self) -> str:
        return f"{self.base}{WITH}{self.change}" if self.change else self.base


def with_changes(base: str, changes: Mapping[str, float]) -> str:
    """The name of the set `base` with some constants changed, such as `BTT18 with c_k = 10`."""
    return str(SetName(base, ConstantValues(tuple(changes.items()))))


def split(text: str) -> tuple[str, dict[str, str]]:
    """A text such as `BTT18 with c_k = 10` as (`BTT18`, {`c_k`: `10`}), to the letter; no changes for the name of a set.

    Raises ValueError where it is neither.
    """
    base, _, rest = text.partition(WITH)
    parts = [part.partition("=") for part in rest.split(",")] if rest else []
    changes = {constant.strip(): value.strip() for constant, _, value in parts}
    if not all(equals for _, equals, _ in parts) or len(changes) < len(parts):
        raise ValueError(f"a set of constants is named such as 'BTT18 with c_k = 10, c_lam = 8', not {text!r}")
    return base, changes


def set_named(name: str, sets: Mapping[str, Set]) -> Set:
    """The set of constants of that name among `sets`, changed where the name says so. Raises KeyError where none has it."""
    read = SetName.read(name)
    made: Set = _changed(sets[read.base], read.change.changed)
    return made


@lru_cache(maxsize=4096)
def _changed(base: Any, changes: tuple[tuple[str, float], ...]) -> Any:
    """The same object for the same set, which plans are kept by."""
    return base.changed(dict(changes)) if changes else base
