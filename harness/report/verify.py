"""A random share of stored rows again, and what that says of the others: trust in a table for a part of what it took to make.

The rows are drawn without replacement. Of N rows of which k are wrong a sample of n has none with probability
C(N − k, n)/C(N, n), the hypergeometric law. So a table that passes may still have wrong rows, and it is told how many would
have been found with which probability. Whoever made a table must not know the sample: its seed is new unless one is given.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, isclose
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.stats import hypergeom

from harness.report.console import Terminal
from harness.report.grids import Sheet
from harness.report.pair import TOLERANCE
from harness.report.replay import Address
from harness.report.stored import Stored, called
from harness.sweep.errors import InputError
from harness.sweep.plugins import harness_command
from harness.sweep.run.work import Batch, run_batch
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import COUNT
from harness.trials.columns import SECONDS
from harness.trials.fields import Identified
from harness.trials.kind import Row

SURE = 0.95
"""The probability with which so many wrong rows as are told would have been found."""

NOT_COMPARED = {SECONDS.name, COUNT.name}
"""How long a row took is no function of spec and seed; of alike rows the first trial is run again, and not all."""

HEADINGS = ("experiment", "rows", "again", "identical", "alike", "wrong", f"found if wrong (p ≥ {SURE})", "found if 1% wrong")


@dataclass(frozen=True)
class Verified:
    """A sample of a table's rows that was made again, with how many came out as stored.

    rows: of the table; again: that were made again, of which so many are identical to the bit, or alike but for the last digits
    of reals. wrong: those that differ by more, or whose trial raised, each by its address, with the columns.
    """

    experiment: str
    rows: int
    again: int
    identical: int
    alike: int
    wrong: tuple[tuple[Address, tuple[str, ...]], ...]

    def chance_seen(self, wrong: int) -> float:
        """The probability that a sample of this size has a wrong row, if so many are."""
        return float(hypergeom.sf(0, self.rows, min(wrong, self.rows), self.again))

    @property
    def least(self) -> int:
        """The least number of wrong rows of which one would have been in the sample with probability SURE."""
        low, high = 1, self.rows
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.chance_seen(middle) >= SURE else (middle + 1, high)
        return low


def share_of(written: str) -> float:
    """A share as the command line has it, such as 1% or 0.01. Raises InputError where it is none."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)(%?)", written.strip())
    share = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < share <= 1:
        raise InputError(f"{written!r} is no share of rows; allowed: above 0 and at most 1, such as 1% or 0.01", "--sample")
    return share


def verified(stored: Stored, share: float, seed: int) -> Verified:
    """Makes a random share of a table's rows again, at least one, and compares them."""
    rows = stored.size
    sample = min(rows, max(1, ceil(share * rows)))
    rng = np.random.default_rng([seed, *stored.sweep.name.encode()])
    picked = stored.some(np.sort(rng.choice(rows, sample, replace=False)))
    identical, alike, wrong = 0, 0, list[tuple[Address, tuple[str, ...]]]()
    for old, new in again(stored.sweep, picked, stored.table.provenance["makes"]["seed"]):
        if columns := differing(old, new):
            wrong.append((Address(called(stored.sweep), old["cell"], old["trial"], old["mechanism"]), tuple(columns)))
        elif all(repr(old[name]) == repr(new[name]) for name in old if name not in NOT_COMPARED):
            identical += 1
        else:
            alike += 1
    return Verified(stored.sweep.name, rows, sample, identical, alike, tuple(wrong))


def again(sweep: Sweep, rows: pa.Table, seed: int) -> Iterator[tuple[Row, Row]]:
    """Runs the trials of some stored rows again: pairs of the stored row and the new one, which is {} where the trial raised.

    Mechanisms of which the same trials are asked for run together, as these share their queries.
    """
    cells: dict[str, Identified] = {cell.identity: cell for cell in sweep.cells}
    drawn: dict[tuple[str, str], dict[int, Row]] = {}
    for row in rows.to_pylist():
        drawn.setdefault((row["cell"], row["mechanism"]), {})[row["trial"]] = row
    together: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for (cell, mechanism), of_place in drawn.items():
        together.setdefault((cell, tuple(sorted(of_place))), []).append(mechanism)
    for (cell, trials), mechanisms in together.items():
        batch = Batch(sweep.kind.name, cells[cell], tuple(mechanisms), trials, seed, omit=sweep.spec.omit)
        made = {(row["mechanism"], row["trial"]): row for row in run_batch(batch).rows.to_pylist()}
        for mechanism, trial in product(mechanisms, trials):
            yield drawn[cell, mechanism][trial], made.get((mechanism, trial), {})


def differing(old: Row, new: Row) -> list[str]:
    """The columns in which a row that was made again differs from the stored one."""
    return [name for name in old if name not in NOT_COMPARED and not same(old[name], new.get(name))]


def same(old: Any, new: Any) -> bool:
    """Whether two values of a row are equal; reals to the digits in which processors agree, and NaN to NaN."""
    if isinstance(old, float) and isinstance(new, float):
        return isclose(old, new, rel_tol=TOLERANCE) or (old != old and new != new)
    return bool(old == new)


def show_verified(console: Terminal, verified: Sequence[Verified], seed: int, as_json: bool) -> int:
    """Prints by table how many rows came out as stored, and which did not; returns an exit code: 1 if any did not, else 0."""
    code = int(any(each.wrong for each in verified))
    if as_json:
        print(json.dumps([_entry(each, seed) for each in verified], indent=2))
        return code
    sheet = Sheet("", HEADINGS, numbers=HEADINGS[1:])
    for table in verified:
        counts = (table.rows, table.again, table.identical, table.alike, len(table.wrong))
        least = f"≥ {table.least:,} ({table.least / table.rows:.2g})"
        sheet.add_row(table.experiment, *(f"{count:,}" for count in counts), least, f"{_one_percent(table):.2g}")
    console.print(sheet)
    for table in verified:
        for address, columns in table.wrong:
            command = harness_command(["replay", address])
            console.print(f"{table.experiment}: another {', '.join(columns)} comes out: {command}", style="bold red")
    console.print(
        f"the sample is that of --seed {seed}. alike: reals differ in their last digits, as processors round. Rows that were "
        "not in the sample may be wrong: found if wrong says of how many wrong rows one would have been in it"
    )
    return code


def _one_percent(verified: Verified) -> float:
    return verified.chance_seen(ceil(verified.rows / 100))


def _entry(verified: Verified, seed: int) -> dict[str, Any]:
    """A table as one flat object."""
    counts = {key: getattr(verified, key) for key in ("experiment", "rows", "again", "identical", "alike")}
    wrong = [{"row": str(address), "columns": list(columns)} for address, columns in verified.wrong]
    return {**counts, "wrong": wrong, "least_found": verified.least, "found_if_1_percent": _one_percent(verified), "seed": seed}
