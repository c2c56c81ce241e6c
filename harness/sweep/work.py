"""The work of one batch: trials, and their rows in columns. Rows depend on this module and on what it imports, on no other."""

import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter

import pyarrow as pa
from threadpoolctl import ThreadpoolController

from harness import sources
from harness.sweep.dependencies import Dependencies, followed
from harness.sweep.plugins import loaded, refuse_what_was_not_followed
from harness.trials import kinds
from harness.trials.columns import Column
from harness.trials.fields import Identified
from harness.trials.kind import Row

TYPES = {"text": pa.string(), "json": pa.string(), "whole": pa.int64(), "real": pa.float64(), "truth": pa.bool_()}


@dataclass(frozen=True)
class Batch:
    """Some trials of one cell, for the mechanisms that still lack them."""

    kind: str
    cell: Identified
    mechanisms: tuple[str, ...]
    trials: tuple[int, ...]
    seed: int


@dataclass(frozen=True)
class Result:
    """A batch's rows, how long it took, and the trials that raised, with their tracebacks. stamp: of the texts that ran.

    unfit: what was said when a trial did not fit in memory, with which the batch ended.
    """

    batch: Batch
    rows: pa.Table
    stamp: str
    seconds: float = 0.0
    raised: dict[int, str] = field(default_factory=dict)
    unfit: str = ""


def run_batch(batch: Batch) -> Result:
    """Run a batch in this process. Raises InputError where a plugin has imported a module that the stamp does not cover."""
    result = tried(batch, stamp())
    refuse_what_was_not_followed()
    return result


def tried(batch: Batch, stamp: str) -> Result:
    """Run a batch on one thread. A trial that raises is reported and does not stop the others, unless memory is short."""
    rows: list[Row] = []
    raised, unfit = {}, ""
    with _thread_pools().limit(limits=1):
        start = perf_counter()
        for trial in batch.trials:
            try:
                rows += kinds()[batch.kind].run(batch.cell, batch.mechanisms, batch.seed, trial)
            except MemoryError as error:
                unfit = str(error) or "there is no more memory"
                break
            except Exception:
                raised[trial] = traceback.format_exc()
        seconds = perf_counter() - start
    return Result(batch, tabulated(rows, batch.kind), stamp, seconds, raised, unfit)


@cache
def _thread_pools() -> ThreadpoolController:
    """Those of the libraries that are loaded. Reading or unpickling a cell has loaded all but what scipy loads when called."""
    from scipy import integrate, signal, stats  # noqa: F401  loaded here, so that no trial's time has it in it

    return ThreadpoolController()


def schema(kind: str) -> pa.Schema:
    """The columns of a kind of trial, with those that every kind has: `cell`, `mechanism` and `trial` name a row.

    `seconds`, the time the row took, is the only column that is not a function of spec and seed.
    """
    return pa.schema(list(map(_field, kinds()[kind].table.values())))


def _field(column: Column) -> pa.Field:
    """A column with what is said of it."""
    said = {key: value for key in ("role", "meaning", "symbol", "unit") if (value := getattr(column, key))}
    return pa.field(column.name, TYPES[column.type], nullable=column.null, metadata=said)


def tabulated(rows: Iterable[Row], kind: str) -> pa.Table:
    """Rows as trials return them, in columns."""
    # Of the time that a row took, more digits are noise, and were half of a table's size.
    timed = [row | {"seconds": round(row["seconds"], 4)} for row in rows]
    return pa.Table.from_pylist(timed, schema=schema(kind))


def needed() -> Dependencies:
    """All that rows depend on in this process: this module and the loaded plugins, and what these import."""
    return _needed(tuple(plugin.name for plugin in loaded()))


@cache
def _needed(plugins: tuple[str, ...]) -> Dependencies:
    return followed([__name__, *plugins], sources.served())


def stamp() -> str:
    """16 hex digits over the texts of all of it, to the letter: two processes with one stamp make the same rows of a batch."""
    return _stamp(tuple(plugin.name for plugin in loaded()))


@cache
def _stamp(plugins: tuple[str, ...]) -> str:
    return sources.digest(_needed(plugins).modules)
