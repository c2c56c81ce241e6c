"""Rows at constants that somebody changed, seen as a claim sees them: as those of the set that was changed.

Such a set is called what it is, `BTT18 with c_k = 10`, in the column that names the set: `constants`, or `mechanism` where
sets are what is tried. A claim about BTT18 speaks of these rows as of itself where the change is not in what its mechanism
reads, and else as of the claim with that change.
"""

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np
import pandas as pd

from harness.mechanisms.answering import mechanisms
from harness.sweep.table.cells import Cells
from harness.theory.constants import constants
from harness.theory.factors import PRINTED, ConstantValues, SetName
from harness.transfer import private_learners

COLUMNS = ("constants", "mechanism")


def column_of(first: "pd.Series | pd.DataFrame") -> str | None:
    """The name of the column with names of changed sets of constants, or None where no row has one."""
    for name in COLUMNS:
        values = first.get(name, "")
        if any(SetName.read(str(each)).change for each in ([values] if isinstance(values, str) else pd.unique(values))):
            return name
    return None


def as_printed(first: pd.Series) -> pd.Series:
    """A row with the unchanged set of constants in the place of the changed one."""
    column = column_of(first)
    if column is None:
        return first
    row = first.copy()
    row[column] = SetName.read(str(first[column])).base
    return row


def by_change(cells: Cells) -> Iterator[tuple[ConstantValues, Cells]]:
    """Each change of constants, with the cells whose mechanism reads what it changes; sets are named there as if unchanged.
    Of the cells that none touches the change is none.
    """
    heads = cells.heads
    column = column_of(heads)
    if column is None:
        yield PRINTED, cells
        return
    pairs = zip(heads[column], heads["mechanism"], strict=True)
    changes: dict[ConstantValues, int] = {}
    numbers = [changes.setdefault(touching(str(name), str(subject), column), len(changes)) for name, subject in pairs]
    printed = [*heads[column].map(lambda name: SetName.read(name).base, na_action="ignore")]
    for change, number in changes.items():
        yield change, cells.changed(np.flatnonzero(np.equal(numbers, number)), column, printed)


def changes_in(frame: pd.DataFrame) -> Iterable[ConstantValues]:
    """All changes of constants that any rows of a table have."""
    column = column_of(frame)
    return [] if column is None else [*filter(None, (SetName.read(name).change for name in pd.unique(frame[column])))]


@cache
def touching(name: str, mechanism: str, column: str = "constants") -> ConstantValues:
    """The change that a set of constants has in its name, if the mechanism reads any constant it changes; else no change."""
    read = SetName.read(name)
    if not read.change or column == "mechanism":
        return read.change
    if mechanism in mechanisms() and read.base in constants():
        reads = {factor.name for factor in mechanisms()[mechanism].reads(constants()[read.base])}
        return read.change if reads & dict(read.change.changed).keys() else PRINTED
    learner = private_learners().get(mechanism)
    return read.change if learner is None or learner.private else PRINTED
