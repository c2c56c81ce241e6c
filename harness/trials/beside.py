"""Whose rows are their own: the same whoever is run beside a subject, and whatever ran before."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from harness.trials.columns import SECONDS
from harness.trials.kind import Columns, Kind


def company_counts(kind: Kind, cell: Any, names: Sequence[str], seed: int = 1, block: int = 0) -> list[str]:
    """Where a subject's rows depend on which others are run beside it, in words, a line each; none where they do not.

    The block is run for all subjects together, after another block for one of them, in reverse order, and for each alone. What
    a subject leaves in an array, a mapping or a generator that others share is seen so, and what it keeps from trial to trial.

    names: the subjects, none of which refuses the cell. Raises what a subject raises.
    """
    together = dict(zip(names, kind.run(cell, names, seed, block), strict=True))
    kind.run(cell, names[:1], seed, block + 1)
    reversed_ = dict(zip(names[::-1], kind.run(cell, names[::-1], seed, block), strict=True))
    unequal = [line for name in names for line in unlike(together[name], reversed_[name], f"{name} beside others in reverse")]
    for name in names:
        (alone,) = kind.run(cell, [name], seed, block)
        unequal += unlike(together[name], alone, f"{name} alone")
    return unequal


def unlike(first: Columns, again: Columns, whose: str) -> Iterator[str]:
    """The columns in which two runs of a block differ, in words. whose: whose rows the second ones are, in words."""
    for name in (first.keys() | again.keys()) - {SECONDS.name}:
        was, now = first.get(name), again.get(name)
        if not alike(was, now):
            yield f"{whose}: {name} is {_brief(now, was)}, and was {_brief(was, now)}"


def alike(first: Any, again: Any) -> bool:
    """Whether two values or arrays of a column are equal, NaN being equal to NaN."""
    if isinstance(first, np.ndarray) or isinstance(again, np.ndarray):
        one, other = np.asarray(first), np.asarray(again)
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return type(first) is type(again) and (first == again or (first != first and again != again))


def _brief(values: Any, others: Any) -> str:
    """A value, or of an array the first one that others have not."""
    if isinstance(values, np.ndarray) and isinstance(others, np.ndarray) and values.shape == others.shape:
        return str(values[np.flatnonzero(values != others)[0]])
    return f"{values!s:.80}"
