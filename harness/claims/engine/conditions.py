"""Where a claim applies: conditions on a cell, each with the words that say why a cell does not meet it."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

MANY = 3  # values that are told one by one


@dataclass(frozen=True)
class Condition:
    """A hypothesis of a claim. words: what it asks for, such as `k_scale = 1`. columns: those that decide it.
    meets: of a cell's row.
    """

    words: str
    columns: tuple[str, ...]
    meets: Callable[[pd.Series], bool]


def among(column: str, *allowed: object) -> Condition:
    """The condition that a column has one of these values."""
    return Condition(f"{column} = {_listed(allowed)}", (column,), lambda first: first[column] in allowed)


def parameters(first: pd.Series, part: str) -> dict[str, Any]:
    """The parameters of the concept class, the distribution or another part of a cell, which its row holds as JSON."""
    by_name: dict[str, Any] = json.loads(first[f"{part}_parameters"])
    return by_name


def shaped(part: str, key: str, value: float) -> Condition:
    """The condition that a parameter of the concept class or of the distribution has this value."""
    words = f"{key} = {value:.4g}"
    return Condition(words, (f"{part}_parameters",), lambda first: bool(parameters(first, part).get(key) == value))


def at_most(column: str, most: float) -> Condition:
    """The condition that a column's number is no larger than `most`."""
    return Condition(f"{column} ≤ {most:g}", (column,), lambda first: bool(first[column] <= most))


def unset(column: str, words: str) -> Condition:
    """The condition that the spec leaves a column open. words: what follows then."""
    return Condition(words, (column,), lambda first: bool(pd.isna(first[column])))


def known(column: str) -> Condition:
    """The condition that trials measure a column."""
    return Condition(f"trials that measure {column}", (column,), lambda first: bool(pd.notna(first[column])))


def promised() -> Condition:
    """The condition that the mechanism's own bound is not vacuous."""
    return Condition("a bound that is not vacuous", ("vacuous",), lambda first: not first["vacuous"])


def realizable() -> Condition:
    """The condition that labels have no noise: γ = 0."""
    return among("gamma", 0)


def agnostic() -> Condition:
    """The condition that labels are noisy: γ > 0."""
    return Condition("gamma > 0", ("gamma",), lambda first: bool(first["gamma"] > 0))


def met(where: Sequence[Condition], first: pd.Series) -> int:
    """How many conditions, in order, a cell's first row meets before one that it does not; each may rest on earlier ones."""
    return next((i for i, each in enumerate(where) if not each.meets(first)), len(where))


def unmet(where: Sequence[Condition], cells: Iterable[pd.Series]) -> tuple[str, str] | None:
    """Why no cell meets all conditions: what those that meet most have, and the condition unmet, in words; None if one does.

    cells: a row each. Of columns that rows do not have, as before a run, nothing is asked.
    """
    far, nearest = -1, list[pd.Series]()
    for cell in cells:
        where = [each for each in where if all(name in cell for name in each.columns)]
        reached = met(where, cell)
        if reached == len(where):
            return None
        if reached > far:
            far, nearest = reached, []
        if reached == far:
            nearest.append(cell)
    if not nearest:
        return None
    facts = [f"{name} is {_listed(cell[name] for cell in nearest)}" for name in where[far].columns]
    return ", ".join(facts), where[far].words


def _listed(values: Iterable[object]) -> str:
    words = list(dict.fromkeys(f"{value:.4g}" if isinstance(value, float) else str(value) for value in values))
    return " or ".join(words) if len(words) <= MANY else f"{words[0]}, {words[1]} or another"
