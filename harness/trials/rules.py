"""What the numbers of one row have to do with one another, said by the kind of trial that fills it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness.arrays import Bools, Reals

TOLERANCE = 1e-12  # relative, of a quotient
ROUNDED = 1e-9  # of a sum of many


@dataclass(frozen=True)
class Rule:
    """A rule that the numbers of every row of a table keep to.

    words: as a formula of columns, such as `misclassification_rate = misclassified / m`. columns: those that it is about.
    keeps: takes them in this order, as reals with NaN for a null, and says of each row whether it keeps to the rule. nulls:
    rows in which one of them is null are asked too, else they are not.
    """

    words: str
    columns: tuple[str, ...]
    keeps: Callable[..., Bools]
    nulls: bool = False


def no_more(less: str, more: str) -> Rule:
    """The rule that one column is at most another."""
    return Rule(f"{less} ≤ {more}", (less, more), lambda small, large: small <= large)


def at_most(column: str, most: float) -> Rule:
    """The rule that a column is at most a number, but for the last digits of a sum."""
    return Rule(f"{column} ≤ {most:g}", (column,), lambda value: value <= most * (1 + ROUNDED))


def at_least(column: str, least: float) -> Rule:
    """The rule that a column is at least a number."""
    return Rule(f"{column} ≥ {least:g}", (column,), lambda value: value >= least)


def null_with(one: str, *others: str) -> Rule:
    """The rule that columns are null in the same rows."""
    where = " and ".join(others)
    return Rule(
        f"{one} is null just where {where} {'is' if len(others) == 1 else 'are'}",
        (one, *others),
        lambda a, *rest: np.all([np.isnan(a) == np.isnan(each) for each in rest], axis=0),
        nulls=True,
    )


def chunks_of_n() -> Rule:
    """The rule that chunks are as large as they can all be: s = ⌊n/k⌋."""
    return Rule(
        "s = ⌊n/k⌋", ("s", "n", "k"), lambda s, n, k: (s <= n / k * (1 + TOLERANCE)) & (s + 1 >= n / k * (1 - TOLERANCE))
    )


def vacuous_without(bound: str = "bound") -> Rule:
    """The rule that a row is vacuous where its bound is null, and nowhere else."""
    words = f"vacuous just where {bound} is null"
    return Rule(words, ("vacuous", bound), lambda vacuous, most: (vacuous > 0) == np.isnan(most), nulls=True)


def close(value: Reals, expected: Reals) -> Bools:
    """Whether reals are equal but for their last digits, element by element."""
    equal: Bools = np.isclose(value, expected, rtol=TOLERANCE, atol=0)
    return equal
