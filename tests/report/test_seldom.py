"""What happens seldom: a table that another process read, or that is not there, what does not fit, a process that is killed."""

import os
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from harness.report import cost, halves, processes, recomputed, stored
from harness.report.cost import Forecast
from harness.report.defaults import FIGURES, RESULTS, RUNS
from harness.report.figures import means
from harness.report.figures.marks import Mark, MarkPlot
from harness.report.figures.means import mean_interval, mean_mark
from harness.report.halves import Read
from harness.report.stored import Stored, refuse_kept, unfinished
from harness.report.verdicts import by_theory
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.run.parts import LOCK
from harness.sweep.table.samples import Sample

if TYPE_CHECKING:
    from tests.support.project import Harness, Project


def test_a_table_that_another_process_read_is_as_if_it_had_been_read_here(project: "Project") -> None:
    sweep = project.sweep()
    assert halves._here(sweep, RUNS) is None and halves._read(sweep.path, RUNS) is None
    project.run(sweep)
    read = halves._read(sweep.path, RUNS)
    here = halves._here(sweep, RUNS)
    assert isinstance(read, Read) and here is not None
    there = read.stored(sweep)
    for name in ("recomputed", "message", "privacy_told", "spending", "path", "match", "stopped"):
        assert getattr(there, name) == getattr(here, name), name
    assert {"recomputed", "message", "privacy_told", "spending"} <= vars(
        there
    ).keys() and there.table.digests == here.table.digests
    assert there.table.rows.equals(here.table.rows) and read.size == here.table.size
    assert halves._verdicts([]) == by_theory([])


def test_a_run_may_not_write_where_something_is_kept(project: "Project") -> None:
    refuse_kept(Path("anywhere"))
    for kept in (RESULTS, FIGURES):
        with pytest.raises(InputError, match="is what `harness accept` writes; allowed: any other folder"):
            refuse_kept(Path(".") / kept)
    parts = Path("results/runs/.small")
    parts.mkdir(parents=True)
    refuse_kept(parts)
    (parts / LOCK).touch()
    with pytest.raises(InputError, match="is the folder of a run's parts; allowed: any other folder"):
        refuse_kept(parts)
    (parts.parent / "open").mkdir()
    (parts.parent / "open" / LOCK).touch()
    refuse_kept(parts.parent / "open")


def test_a_sweep_is_unfinished_until_there_is_its_table_and_no_part_of_one(project: "Project") -> None:
    sweep = project.sweep()
    assert unfinished(sweep, RUNS)
    project.run(sweep)
    assert not unfinished(sweep, RUNS)
    match: Any = SimpleNamespace(whole=False, count="3 of 8 trials", made=", made with other code")
    table: Any = None
    assert Stored(sweep, RUNS / "small.parquet", table, match, True).far == "small: stopped at 3 of 8 trials, or still running"
    assert Stored(sweep, RUNS / "a", table, match).far == f"small: {RUNS / 'a'} has 3 of 8 trials, made with other code"
    assert Stored(sweep, RUNS / "a", table, match).view.lacking == "3 of 8 trials" and Stored(sweep, RUNS, table).far == ""
    assert stored._unseen(("mine", ["numba", "torch"])) == (
        "mine loads numba, torch, compiled: that it opens no more than `data` says is its author's word"
    )


@pytest.mark.parametrize(
    ("limit", "one", "said"),
    [
        (None, 8e9, "it is too large"),
        (1e9, 1.4e9, "it is too large; a worker has 1.0 GB here"),
        (1e9, 1.6e9, "it is too large; a worker has 1.0 GB here, with --workers 1 it has 1.6 GB"),
        (1e9, None, "it is too large; a worker has 1.0 GB here"),
    ],
)
def test_a_trial_that_does_not_fit_is_told_with_what_one_worker_would_have(
    limit: float | None, one: float | None, said: str, project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep, engine, nowhere = project.sweep(), SimpleNamespace(workers=3), SimpleNamespace()
    monkeypatch.setattr(cost, "for_a_worker", lambda workers: one if workers == 1 else limit)
    forecast = Forecast(nowhere, engine, elsewhere=False)  # type: ignore[arg-type]
    cell = sweep.cells[0]
    where = f"cell {cell.identity} (leftmost, m = 20)"
    assert forecast._refusal(sweep, cell, "it is too large") == (
        f"experiments/small.yaml: a trial of {where} does not fit in memory: {said}"
    )
    unfit: Any = SimpleNamespace(sweep=sweep, unfit=(cell, "it is too large"))
    with pytest.raises(CannotRunError, match="does not fit in memory: it is too large"):
        forecast._say(unfit, with_cells=False)


def test_what_is_measured_is_told_with_the_cell_that_it_is_at(project: "Project") -> None:
    sweep = project.sweep()
    told = [cost._measuring(sweep, SimpleNamespace(cell=cell)) for cell in (None, sweep.cells[1], "another's")]  # type: ignore[arg-type]
    bare = "small: measuring what it will cost"
    assert told == [bare, f"{bare}, at leftmost, m = 50", bare]


class Pool:
    """A pool of processes that does nothing, and says what becomes of it."""

    def __init__(self, count: int, context: Any, begin: Any, given: Any) -> None:
        self.count, self.ended = count, list[bool]()
        pools.append(self)

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *of: object) -> None:
        pass

    def submit(self, work: Any) -> None:
        self.asked = work.__name__

    def shutdown(self, cancel_futures: bool) -> None:
        self.ended.append(cancel_futures)


pools = list[Pool]()


class Kept:
    """A process that may be killed."""

    killed = False

    def kill(self) -> None:
        self.killed = True


def test_processes_are_gone_at_the_end_and_one_that_was_killed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were there before stay."""
    before, new = Kept(), Kept()
    there = [before]

    @contextmanager
    def unaware() -> Iterator[None]:
        yield

    monkeypatch.setattr(processes, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(processes, "active_children", lambda: list(there))
    monkeypatch.setattr(processes, "children_unaware", unaware)

    def broken() -> None:
        with processes.processes(3, "drew figures"):
            there.append(new)
            raise BrokenProcessPool

    with pytest.raises(CannotRunError, match="a process that drew figures was killed"):
        broken()
    assert (before.killed, new.killed) == (False, True) and (pools[-1].count, pools[-1].ended) == (3, [True])
    with processes.reader(processes.FEW) as none:
        assert none is None
    with processes.reader(processes.FEW + 1) as one:
        assert one is not None
    assert (pools[-1].count, pools[-1].asked, pools[-1].ended) == (1, "_load", [True])
    processes._load()


def test_a_process_ends_when_the_one_that_asks_is_killed_and_has_its_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[Any]()
    parent: Any = SimpleNamespace(join=lambda: seen.append("waited"))
    monkeypatch.setattr(processes, "parent_process", lambda: parent)
    monkeypatch.setattr(os, "_exit", lambda code: seen.append(code))
    monkeypatch.setattr(processes, "restore", lambda plugins: seen.append(plugins))

    class Now:
        def __init__(self, target: Any, daemon: bool) -> None:
            self.target, self.daemon = target, daemon

        def start(self) -> None:
            assert self.daemon
            self.target()

    monkeypatch.setattr(processes, "Thread", Now)
    processes._begin(())
    assert seen == ["waited", 1, ()]
    seen.clear()
    parent = None
    processes._begin(())
    assert seen == [()]


def test_the_mean_of_many_different_values_has_the_normal_interval_and_of_none_there_is_no_mark() -> None:
    values = np.arange(means.RESAMPLED + 1.0)
    low, high = mean_interval(Sample.of(pd.DataFrame({"error": values}), "error"))
    reach = 1.959964 * values.std() / len(values) ** 0.5
    assert (low, high) == pytest.approx((values.mean() - reach, values.mean() + reach), rel=1e-6)
    nothing = mean_mark(Sample.of(pd.DataFrame({"error": [np.nan]}), "error"))
    assert np.isnan([nothing.value, nothing.low, nothing.high]).all() and nothing.bounds == {}


def test_a_plot_with_marks_of_its_own_may_be_made_of_any_columns() -> None:
    class Own(means.Means):
        """One that marks otherwise."""

        def mark(self, rows: Any, view: Any) -> Mark:
            return Mark(1, 1, 1, {})

    class Alike(means.Means):
        """One that does not."""

    assert (Own.drawn, Own.sampled, Alike.drawn, Alike.sampled) == (None, False, (), True) and issubclass(Own, MarkPlot)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("claims", "--tex", "a.tex"), "--tex: it goes with --errata"),
        (("claims", "--errata", "--json"), "--errata is a page for people; allowed: without --json"),
        (("claims", "--errata", "BTT18:T3.2"), "--errata is a page of all that does not hold as printed, or of --paper"),
        (("verify", "small", "--sample", "0"), "'0' is no share of rows; allowed: above 0 and at most 1, such as 1% or 0.01"),
        (("verify", "small", "--sample", "101%"), "'101%' is no share of rows"),
        (("replay", "small/1/2"), "small/1/2"),
        (("table", "small"), "no experiment 'small'"),
        (("columns", "small"), "no experiment 'small'"),
        (("history", "MINE:T1"), "results/history.csv has no line of MINE:T1"),
        (("audit", "gausian"), "no mechanism 'gausian' to audit; did you mean 'gaussian'"),
        (("audit", "gaussian", "--runs", "1"), "run"),
        (("plan", "--n", "1e9"), "--m: this key is required"),
        (("constants", "BTT18", "--with", "c_k=1"), "--with"),
    ],
)
def test_what_commands_cannot_do_is_told_by_option(words: tuple[str, ...], said: str, harness: "Harness") -> None:
    ended = harness(*words)
    assert ended.code in (2, 4) and said in " ".join(ended.err.split()) and ended.out == "" and "Traceback" not in ended.err


def test_a_row_of_a_cell_that_is_unknown_is_passed_over_and_those_after_it_are_computed() -> None:
    again: Any = object.__new__(recomputed._Again)
    kind = SimpleNamespace(
        planned=lambda cell, row: {"k": 5}, computed=(), waits=("k",), table={"k": SimpleNamespace(type="whole")}
    )
    again._sweep, again._now = SimpleNamespace(kind=kind), {("b", "mine"): {}}
    again._rows = pa.table({"cell": ["a", "b", "b"], "mechanism": ["mine"] * 3, "k": [7, 5, 6]})
    again._cells, again._compared, again._known_of = {"b": None}, set(), {("b", "mine"): set()}
    assert list(again._later()) == [recomputed.Departure("b", "mine", "k", 6, 5)] and again._compared == {"k"}
