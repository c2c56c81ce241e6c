"""What the numbers of one row have to do with one another, said by the kind of trial that fills it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness.arrays import Bools, Reals

TOLERANCE = 1e-12  # relative, of a quotient


@dataclass(frozen=True)
class Rule:
    """What every row keeps to.

    words: as a formula of columns, such as `misclassification_rate = misclassified / m`. columns: those that it is about.
    keeps: takes them in this order, as reals with NaN for a null, and says of each row whether it keeps to the rule. nulls:
    rows in which one of them is null are asked too, else they are not.
    """

    words: str
    columns: tuple[str, ...]
    keeps: Callable[..., Bools]
    nulls: bool = False


def no_more(less: str, more: str) -> Rule:
    """One column is at most another."""
    return Rule(f"{less} ≤ {more}", (less, more), lambda small, large: small <= large)


def null_with(one: str, other: str) -> Rule:
    """Two columns are null in the same rows."""
    return Rule(f"{one} is null just where {other} is", (one, other), lambda a, b: np.isnan(a) == np.isnan(b), nulls=True)


def vacuous_without(bound: str = "bound") -> Rule:
    """A row is vacuous where the bound is null, and nowhere else."""
    words = f"vacuous just where {bound} is null"
    return Rule(words, ("vacuous", bound), lambda vacuous, most: (vacuous > 0) == np.isnan(most), nulls=True)


def close(value: Reals, expected: Reals) -> Bools:
    """Where reals are equal but for their last digits."""
    found: Bools = np.isclose(value, expected, rtol=TOLERANCE, atol=0)
    return found
