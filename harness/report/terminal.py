"""What the terminal shows: progress, plans and verdicts."""

from collections.abc import Iterable
from time import monotonic
from types import TracebackType
from typing import Any, cast

import pandas as pd
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table as Grid
from rich.text import Text

from harness.report import words
from harness.sweep.batches import Result
from harness.theory.claims.claim import Verdict

COLOURS = {"holds": "green", "refuted": "bold red", "undecided": "yellow", "vacuous": "dim"}
PLAIN_SECONDS = 5.0


class Meter:
    """Progress of one sweep: a live bar on a terminal, a plain line every few seconds elsewhere."""

    def __init__(self, console: Console, name: str) -> None:
        self._console, self._name = console, name
        self._started = self._last = monotonic()
        self._total = self._done = self._untimed = 0
        self._bar: Bar | None = None

    def __enter__(self) -> "Meter":
        return self

    def start(self, trials: int) -> None:
        """Begin: so many trials are missing."""
        self._total = trials
        self._started = self._last = monotonic()
        if self._console.is_terminal:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("trials  {task.fields[rate]}"),
                TimeRemainingColumn(compact=True),
                TextColumn("left"),
            )
            self._bar = Bar(*columns, console=self._console)
            self._task = self._bar.add_task(self._name, total=trials, rate="")
            self._bar.start()

    def advance(self, result: Result) -> None:
        """A batch has come back."""
        now = monotonic()
        self._done += len(result.batch.trials)
        if not self._untimed:  # the clock starts with the first result: before that, Ray was starting
            self._started = self._last = now
            self._untimed = self._done
        rate = (self._done - self._untimed) / max(now - self._started, 1e-9)
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done, rate=f"{rate:,.0f}/s")
        elif now - self._last > PLAIN_SECONDS:
            self._last = now
            left = (self._total - self._done) / max(rate, 1e-9)
            self._console.print(f"{self._name}: {self._done}/{self._total} trials, {rate:,.0f}/s, {left:,.0f} s left")

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()


def verdict_grid(title: str, frame: pd.DataFrame, verdicts: Iterable[Verdict]) -> Grid:
    """One line a cell: where it is, what was measured, what was claimed, the verdict."""
    settings = frame.drop_duplicates("cell").set_index("cell")
    grid = Grid(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for heading in ("claim", "setting", "failed", "P(fail) within", "claimed", "rate", "bound", "slack", "verdict"):
        grid.add_column(heading, justify="left" if heading in ("claim", "setting", "verdict") else "right")
    varying = _varying(settings)
    for verdict in verdicts:
        row = cast("pd.Series[Any]", settings.loc[verdict.cell])
        grid.add_row(
            verdict.claim,
            ", ".join(words.parameter(row, key) for key in varying),
            f"{verdict.failures}/{verdict.trials}" if verdict.outcome != "vacuous" else "",
            f"[{verdict.lower:.2g}, {verdict.upper:.2g}]" if verdict.outcome != "vacuous" else "",
            f"≤ {verdict.claimed:g}" if verdict.outcome != "vacuous" else "",
            f"{verdict.measured:.2g}",
            "" if verdict.bound is None else f"{verdict.bound:.2g}",
            "" if verdict.slack is None else f"{'' if verdict.measured else '> '}{verdict.slack:.3g}×",
            Text(verdict.outcome, style=COLOURS[verdict.outcome]),
        )
    return grid


def _varying(settings: pd.DataFrame) -> list[str]:
    """The parameters that tell the cells of a table apart."""
    keys = ["distribution", "learner", "constants", "sampling", "pac_bound", *words.SYMBOLS]
    shown = settings.assign(distribution=settings.apply(words.distribution, axis=1))
    return [key for key in keys if shown[key].nunique(dropna=False) > 1] or ["n", "m"]
