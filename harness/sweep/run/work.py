"""The work of one batch: trials, and their rows in columns. Rows depend on this module and on what it imports, on no other."""

import traceback
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import groupby
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from harness import sources
from harness.sweep.plugins import loaded, refuse_what_was_not_followed
from harness.sweep.plugins.data_files import digests
from harness.sweep.plugins.dependencies import Dependencies, followed
from harness.sweep.plugins.faults import fault
from harness.sweep.plugins.patches import hooks_kept
from harness.sweep.run.determinism import refuse_nondeterministic
from harness.sweep.table.counted import Done, alike, counted, holding
from harness.sweep.table.digests import CODED
from harness.sweep.table.ranges import ranges
from harness.sweep.table.schema import schema, timed
from harness.trials import kinds
from harness.trials.columns import SECONDS
from harness.trials.fields import Identified
from harness.trials.kind import Columns, Kind


@dataclass(frozen=True)
class Batch:
    """Trials to run: some of one cell in rising order, mostly a range, for the mechanisms that still lack them.

    looks: None where each trial has a row; else equal rows are one, but for trials on either side of one of these.
    again: seconds up to which it is run a second time, to see whether the same rows come of it. omit: columns left empty.
    """

    kind: str
    cell: Identified
    mechanisms: tuple[str, ...]
    trials: Sequence[int]
    seed: int
    looks: tuple[int, ...] | None = None
    again: float = 0.0
    omit: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """The result of a batch: its rows, how long it took, and the trials that raised, with tracebacks.
    stamp: of the texts that ran. Each text of a column of the rows is held once.

    unfit: what was said when a trial did not fit in memory, with which the batch ended. fault: what a plugin did wrong in the
    first trial that raised by its doing.
    """

    batch: Batch
    rows: pa.Table
    stamp: str
    seconds: float = 0.0
    raised: dict[int, str] = field(default_factory=dict)
    unfit: str = ""
    fault: str = ""


def run_batch(batch: Batch) -> Result:
    """Runs a batch in this process.
    Raises InputError where a plugin has imported a module that the stamp does not cover, and where two runs of it differ.
    """
    result = tried(batch, stamp())
    refuse_what_was_not_followed()
    draw_again(result, batch.again)
    return result


def draw_again(first: Result, limit: float) -> None:
    """Runs a batch a second time if the first took less than so many seconds. Raises InputError where the two differ."""
    if first.seconds < limit and not first.unfit:
        refuse_nondeterministic(first, tried(first.batch, first.stamp))


class BlockPart(NamedTuple):
    """Some trials of a block, which begins at the trial `first`, and for each mechanism the columns of the whole block."""

    first: int
    trials: Sequence[int]
    columns: Sequence[Columns]


def tried(batch: Batch, stamp: str) -> Result:
    """Runs a batch on one thread; each block of which some trials are asked for is drawn whole.

    A block that raises is reported and does not stop the others, unless memory is short. Raises InputError where a plugin
    has taken what Python calls for errors.
    """
    kind, parts = kinds()[batch.kind], list[BlockPart]()
    raised, unfit, faults = dict[int, str](), "", list[str]()
    with _thread_pools().limit(limits=1), _hooks_kept():
        start = perf_counter()
        for block, first, trials in blocks(batch, kind):
            try:
                columns = kind.run(batch.cell, batch.mechanisms, batch.seed, block, batch.omit)
                parts.append(BlockPart(first, trials, columns))
            except MemoryError as error:
                unfit = str(error) or "there is no more memory"
                break
            except BaseException as error:
                blame = fault(error, batch.kind, *batch.mechanisms, cell=batch.cell)
                if not blame and not isinstance(error, Exception):
                    raise
                faults += [blame] if blame else []
                raised |= dict.fromkeys(trials, traceback.format_exc())
        rows = arranged(parts, kind, batch.looks)
        seconds = perf_counter() - start
    return Result(batch, rows, stamp, seconds, raised, unfit, next(iter(faults), ""))


def _hooks_kept() -> AbstractContextManager[None]:
    """See `hooks_kept`; where there are no plugins nothing is looked for."""
    plugins = " or ".join(plugin.argument or plugin.name for plugin in loaded())
    return hooks_kept(plugins) if plugins else nullcontext()


def blocks(batch: Batch, kind: Kind) -> Iterator[tuple[int, int, Sequence[int]]]:
    """The blocks that a batch's trials are in: each one's number, its first trial, and which of its trials these are."""
    size, trials = kind.block(batch.cell), batch.trials
    if isinstance(trials, range):
        for block in range(trials.start // size, -(-trials.stop // size)):
            yield block, block * size, range(max(trials.start, block * size), min(trials.stop, (block + 1) * size))
        return
    for block, some in groupby(trials, lambda trial: trial // size):
        yield block, block * size, tuple(some)


@cache
def _thread_pools() -> ThreadpoolController:
    """Those of the libraries that are loaded. Reading or unpickling a cell has loaded all but what scipy loads when called, and
    what Arrow looks for when it is given its first array.
    """
    import pandas  # noqa: F401  loaded here, so that no trial's time has it in it
    from scipy import integrate, signal, stats  # noqa: F401

    return ThreadpoolController()


def make_ready() -> None:
    """Loads what else the first trial of a process would: it takes seconds of a busy machine."""
    _thread_pools()


def arranged(parts: Sequence[BlockPart], kind: Kind, looks: Sequence[int] | None = None) -> pa.Table:
    """The rows of some trials of some blocks of one cell as a table, mechanism by mechanism.

    looks: None where each trial has a row; else equal rows are one, as in `counted`. These are found before any row is made: of
    thousands of trials mostly few differ.
    """
    whole = schema(kind.name, looks is not None, coded=True)
    if not parts:
        return whole.empty_table()
    trials = np.concatenate([np.asarray(part.trials, dtype=np.int64) for part in parts])
    made, held = list[Columns](), Done()
    for number in range(len(parts[0].columns)):
        columns = {name: _values(name, parts, trials, number) for name in kind.table}
        if looks is not None:
            held[columns["cell"], columns["mechanism"]] = ranges(trials)
            columns = alike(columns, looks)
        made.append(columns)
    tables = [
        pa.table([_column(field, each[field.name], len(each["trial"])) for field in whole], schema=whole) for each in made
    ]
    table = pa.concat_tables(tables).combine_chunks() if len(tables) > 1 else tables[0]
    return table if looks is None else counted(holding(table, held), kind, looks)


def _values(name: str, parts: Sequence[BlockPart], trials: NDArray[np.int64], number: int) -> Any:
    """A column of one of the mechanisms: an array, (trials,), or what all trials have."""
    if name == "trial":
        return trials
    values_by_part = [part.columns[number].get(name) for part in parts]
    if name == SECONDS.name:
        values_by_part = [timed(each or 0.0) for each in values_by_part]
    if not any(isinstance(each, np.ndarray) for each in values_by_part):
        if all(each is values_by_part[0] or each == values_by_part[0] for each in values_by_part):
            return values_by_part[0]
        if len(parts) == len(trials):
            return np.array(values_by_part, dtype=object)
    return np.concatenate([_cut(each, part) for each, part in zip(values_by_part, parts, strict=True)])


def _column(field: pa.Field, values: Any, size: int) -> pa.Array:
    """So many rows of a column as Arrow has them: what all have is repeated, of what each has the nulls are told."""
    if not isinstance(values, np.ndarray):
        if field.type == CODED and values is not None:
            return pa.DictionaryArray.from_arrays(np.zeros(size, np.int32), [values])
        return pa.repeat(pa.scalar(values, field.type), size)
    if values.dtype == object:
        return pa.array(values, field.type)
    absent = values < 0 if field.type == pa.int64() else np.isnan(values)
    return pa.array(values, field.type, mask=absent if field.nullable else None)


def _cut(values: Any, part: BlockPart) -> NDArray[Any]:
    """What the part's trials have of a block's column."""
    if not isinstance(values, np.ndarray):
        return np.full(len(part.trials), np.nan if values is None else values)
    return (
        values[part.trials[0] - part.first : part.trials[-1] + 1 - part.first]
        if isinstance(part.trials, range)
        else (values[np.asarray(part.trials) - part.first])
    )


def needed() -> Dependencies:
    """The source modules that rows made in this process depend on: `work`, the loaded plugins, and all that these import."""
    return _needed(tuple(plugin.name for plugin in loaded()))


@cache
def _needed(plugins: tuple[str, ...]) -> Dependencies:
    return followed([__name__, *plugins], sources.served())


def stamp() -> str:
    """A hash, 16 hex digits, of all that rows depend on: texts to the letter, and what plugins read when loaded.

    Two processes with one stamp make the same rows of a batch.
    """
    return _stamp(tuple(plugin.name for plugin in loaded()))


@cache
def _stamp(plugins: tuple[str, ...]) -> str:
    texts, data = sources.digest(_needed(plugins).modules), digests()
    return sha256("\0".join([texts, *data]).encode()).hexdigest()[:16] if data else texts
