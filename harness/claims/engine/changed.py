"""Rows at constants that somebody changed, seen as a claim sees them: as those of the set that was changed.

Such a set is called what it is, `BTT18 with c_k = 10`, in the column that names the set: `constants`, or `mechanism` where
sets are what is tried. A claim about BTT18 speaks of these rows as of itself where the change is not in what its mechanism
reads, and else as of the claim with that change.
"""

from collections.abc import Iterable, Iterator
from functools import cache

import pandas as pd

from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from harness.theory.factors import base_of, change_of, split
from harness.transfer import private_learners

COLUMNS = ("constants", "mechanism")


def column_of(first: "pd.Series | pd.DataFrame") -> str | None:
    """The column that names sets, some of them changed; None where no row has a changed one."""
    for name in COLUMNS:
        values = first.get(name, "")
        if any(change_of(str(each)) for each in ([values] if isinstance(values, str) else pd.unique(values))):
            return name
    return None


def as_printed(first: pd.Series) -> pd.Series:
    """A row with the set in the place of the changed one."""
    column = column_of(first)
    if column is None:
        return first
    row = first.copy()
    row[column] = base_of(str(first[column]))
    return row


def by_change(frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows by the change that touches them, empty where none does, with the set in the place of the changed one."""
    column = column_of(frame)
    if column is None:
        yield "", frame
        return
    pairs = zip(frame[column], frame["mechanism"], strict=True)
    change = pd.Series([touching(str(name), str(mechanism), column) for name, mechanism in pairs], index=frame.index)
    printed = frame.assign(**{column: frame[column].map(base_of, na_action="ignore")})
    for each in pd.unique(change):
        yield each, printed[change == each]


def changes_in(frame: pd.DataFrame) -> Iterable[str]:
    """All changes that any rows have, such as `c_k = 10`."""
    column = column_of(frame)
    return [] if column is None else [*filter(None, map(change_of, pd.unique(frame[column])))]


@cache
def touching(name: str, mechanism: str, column: str = "constants") -> str:
    """The change in a set's name, if it has a constant that the mechanism reads; else an empty text."""
    base, changes = split(name)
    change = change_of(name)
    if not changes or column == "mechanism":
        return change
    if mechanism in mechanisms() and base in constants():
        read = {factor.name for factor in mechanisms()[mechanism].reads(constants()[base])}
        return change if read & changes.keys() else ""
    learner = private_learners().get(mechanism)
    return change if learner is None or learner.private else ""
