"""What the terminal shows: progress, plans and verdicts."""

from collections.abc import Iterable, Sequence
from time import monotonic
from types import TracebackType
from typing import Any, cast

import pandas as pd
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table as Grid
from rich.text import Text

from harness.report import words
from harness.report.verdicts import Finding
from harness.sweep.batches import Result
from harness.theory.claims.claim import Outcome, Verdict

COLOURS = {"holds": "green", "refuted": "bold red", "undecided": "yellow", "vacuous": "dim", "untested": "dim"}
PLAIN_SECONDS = 5.0


class Meter:
    """Progress of one sweep: a live bar on a terminal, a plain line every few seconds elsewhere."""

    _task: TaskID

    def __init__(self, console: Console, name: str) -> None:
        self._console, self._name = console, name
        self._started = self._last = monotonic()
        self._total = self._done = self._untimed = 0
        self._bar: Bar | None = None

    def __enter__(self) -> "Meter":
        return self

    def start(self, trials: int) -> None:
        """So many trials more are missing."""
        self._total += trials
        if self._bar is not None:
            self._bar.update(self._task, total=self._total)
        elif self._console.is_terminal:
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


def cells_grid(title: str, frame: pd.DataFrame | None, verdicts: Iterable[Verdict]) -> Grid:
    """One line a cell: where it is, what was measured, what was claimed, the verdict."""
    settings = pd.DataFrame() if frame is None else frame.drop_duplicates("cell").set_index("cell")
    grid = _grid(
        title, ("claim", "setting"), ("failed", "P(fail) within", "claimed", "measured", "bound", "slack"), ("verdict",)
    )
    varying = _varying(settings) if len(settings) else []
    for verdict in verdicts:
        row = cast("pd.Series[Any]", settings.loc[verdict.cell]) if verdict.cell else None
        sequence = verdict.lower is not None and verdict.upper is not None
        grid.add_row(
            verdict.claim,
            verdict.where if row is None else ", ".join(words.parameter(row, key) for key in varying),
            f"{verdict.failures}/{verdict.trials}" if verdict.outcome != "vacuous" and verdict.trials else "",
            f"[{verdict.lower:.2g}, {verdict.upper:.2g}]" if sequence else "",
            f"≤ {verdict.claimed:g}" if verdict.claimed is not None else "",
            *_sizes(verdict),
            _outcome(verdict.outcome),
        )
    return grid


def findings_grid(title: str, findings: Iterable[Finding]) -> Grid:
    """One line a claim: its verdict, what decided it, and whether it was challenged."""
    grid = _grid(title, ("claim", "kind"), ("decisions", "measured", "bound", "slack"), ("challenged", "verdict", "expected"))
    for finding in findings:
        decisive = finding.decisive
        grid.add_row(
            finding.claim.id,
            finding.claim.kind,
            str(len(finding.verdicts)),
            *(_sizes(decisive) if decisive else ("", "", "")),
            "yes" if finding.challenged else "no",
            _outcome(finding.outcome),
            "" if finding.as_expected else Text(f"not {finding.claim.expected}", style="bold red"),
        )
    return grid


def _grid(title: str, left: Sequence[str], right: Sequence[str], last: Sequence[str]) -> Grid:
    grid = Grid(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for headings, justify in ((left, "left"), (right, "right"), (last, "left")):
        for heading in headings:
            grid.add_column(heading, justify=justify)  # type: ignore[arg-type]
    return grid


def _sizes(verdict: Verdict) -> tuple[str, str, str]:
    """Measured, bound and slack."""
    return (
        "" if verdict.measured is None else f"{verdict.measured:.3g}",
        "" if verdict.bound is None else f"{verdict.bound:.3g}",
        "" if verdict.slack is None else f"{'' if verdict.measured else '> '}{verdict.slack:.3g}×",
    )


def _outcome(outcome: Outcome) -> Text:
    return Text(outcome, style=COLOURS[outcome])


def _varying(settings: pd.DataFrame) -> list[str]:
    """The parameters that tell the cells of a table apart."""
    shown = settings.copy()
    if "distribution_parameters" in shown:
        shown["distribution"] = shown.apply(words.distribution, axis=1)
    derived = "T" if "T_target" in shown else ""
    keys = [key for key in (*words.NAMES, *words.SYMBOLS) if key in shown and key != derived]
    return [key for key in keys if shown[key].nunique(dropna=False) > 1] or ["m"]
