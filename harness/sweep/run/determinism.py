"""One batch run twice, in one process or in two: rows that do not follow from cell and seed alone are seen in the first."""

from typing import TYPE_CHECKING

import pyarrow.compute as pc

from harness.registry import brought
from harness.sweep.errors import InputError
from harness.sweep.plugins.faults import named
from harness.trials.columns import SECONDS

if TYPE_CHECKING:
    from harness.sweep.run.work import Result


KEPT = "from the generator that is given, and nothing that is kept from trial to trial or asked of the clock"
APART = "from the seed, and nothing that differs between processes, as the order of a set of texts does: sort it"


def refuse_nondeterministic(first: "Result", again: "Result", apart: bool = False) -> None:
    """Raises InputError, with the mechanism and a column, where a second run of a batch has other rows than the first.

    What raises in either is told by itself. apart: whether these were runs of two processes.
    """
    if any(each.raised or each.unfit for each in (first, again)):
        return
    batch, runs = first.batch, [each.rows.drop_columns(SECONDS.name) for each in (first, again)]
    if runs[0].equals(runs[1]):  # as nearly always, and quickly told
        return
    for name in batch.mechanisms:
        was, now = (rows.filter(pc.equal(rows["mechanism"], name)).to_pandas() for rows in runs)
        differing = [column for column in was if not was[column].equals(now[column])]
        if differing:
            column = differing[0]
            owners = " and ".join(brought([batch.kind, name, *named(batch.cell)])) or name
            pairs = zip(was[column].tolist(), now[column].tolist(), strict=False)
            once, then = next(((one, other) for one, other in pairs if one != other), (len(was), len(now)))
            of, processes = f"trial {batch.trials[0]} and those after it", " in two processes" * apart
            what = f"two runs of {of} in cell {batch.cell.identity}{processes} differ for {name}"
            raise InputError(
                f"{owners}: {what}: {column} is {once!s:.80} and then {then!s:.80}; allowed: what follows from the cell and "
                f"{APART if apart else KEPT}"
            )
