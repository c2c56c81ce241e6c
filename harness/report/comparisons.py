"""What became of fresh tables beside the committed ones, in words and as JSON."""

from collections.abc import Iterable
from dataclasses import asdict
from math import isfinite
from typing import Any

import pandas as pd
from rich.text import Text

from harness.report.grids import Sheet, value
from harness.report.regression import WORST_FIRST, Change, ColumnMean, Comparison
from harness.text import one_line

CHANGED = dict.fromkeys(WORST_FIRST, "bold red") | {"compared nothing": "yellow"}
SHOWN = 10  # changes of one experiment that are told; a fault mostly shows in many cells at once


def comparisons_grid(comparisons: Iterable[Comparison]) -> Sheet:
    """The sheet of comparisons of fresh tables with their references: a line an experiment."""
    grid = Sheet("", ("experiment", "rows", "tests", "result"), ("tests", "rows"))
    for comparison in comparisons:
        result = Text(comparison.label, style=CHANGED.get(comparison.result, "yellow" if comparison.part else ""))
        grid.add_row(comparison.experiment, f"{comparison.rows:,}", f"{comparison.tests:,}", result)
    return grid


def changes(comparisons: Iterable[Comparison]) -> list[Text]:
    """The lines on what changed in fresh tables: of each mechanism and cell, the worst first.
    They also say what was not compared, and what to do.
    """
    lines = []
    for comparison in comparisons:
        by_place: dict[tuple[str, str, str], Change] = {}
        for change in sorted(comparison.changes, key=lambda change: (WORST_FIRST.index(change.result), change.p)):
            by_place.setdefault((change.result, change.cell, change.mechanism), change)
        lines += [_changed(comparison.experiment, change) for change in list(by_place.values())[:SHOWN]]
        if len(by_place) > SHOWN:
            lines.append(Text(f"and {len(by_place) - SHOWN} more changes of cells and mechanisms of {comparison.experiment}"))
        if comparison.versions and not comparison.nothing:
            lines.append(Text(one_line(f"{comparison.experiment}: made with {', '.join(comparison.versions)}"), style="dim"))
        left_out = [f"nothing was compared: {comparison.nothing}"] if comparison.nothing else comparison.lacking
        lines += [Text(one_line(f"{comparison.experiment}: {line}"), style=CHANGED["compared nothing"]) for line in left_out]
        if comparison.advice:
            lines.append(Text(comparison.advice))
    return lines


def _changed(experiment: str, change: Change) -> Text:
    trial = "*" if change.trial is None else change.trial
    where = one_line(f"{experiment}/{change.cell[:8]}/{trial}/{change.mechanism}")
    mean = "mean " if change.p else ""
    values = f"{mean}{change.column} {_told(change.fresh)}, reference {_told(change.reference)}"
    null = f"; null is its {change.null_is}" if change.null_is else ""
    same = " though all that makes rows is the same" if change.result == "broken" else ""
    return Text(f"{change.result} in {where}: {values}{null}{same}", style=CHANGED[change.result])


def _told(shown: Any) -> str:
    """A value, or a mean with the trials that it leaves out."""
    if not isinstance(shown, ColumnMean):
        return value(shown)
    nulls = f"null in {shown.nulls:,} of {shown.trials:,} trials"
    return nulls if shown.nulls == shown.trials else f"{value(shown.value)}{f' and {nulls}' if shown.nulls else ''}"


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """A comparison of a fresh table with its reference as one object, with what changed; null where there is no number."""
    changes = [asdict(each) | {"fresh": _plain(each.fresh), "reference": _plain(each.reference)} for each in comparison.changes]
    return asdict(comparison) | {"result": comparison.result, "code": comparison.code, "changes": changes}


def _plain(value: Any) -> Any:
    if isinstance(value, ColumnMean):
        return asdict(value) | {"value": _plain(value.value)}
    if pd.isna(value):
        return None
    plain = getattr(value, "item", lambda: value)()
    return None if isinstance(plain, float) and not isfinite(plain) else plain
