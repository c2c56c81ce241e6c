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
    """One line an experiment: what was compared, and what came of it."""
    grid = Sheet("", ("experiment", "rows", "tests", "result"), ("tests", "rows"))
    for each in comparisons:
        result = Text(each.told, style=CHANGED.get(each.result, "yellow" if each.part else ""))
        grid.add_row(each.experiment, f"{each.rows:,}", f"{each.tests:,}", result)
    return grid


def changes(comparisons: Iterable[Comparison]) -> list[Text]:
    """What changed of each mechanism in each cell, the worst first; what was not compared; and what to do."""
    told = []
    for each in comparisons:
        found: dict[tuple[str, str, str], Change] = {}
        for change in sorted(each.changes, key=lambda change: (WORST_FIRST.index(change.result), change.p)):
            found.setdefault((change.result, change.cell, change.mechanism), change)
        told += [_changed(each.experiment, change) for change in list(found.values())[:SHOWN]]
        if len(found) > SHOWN:
            told.append(Text(f"and {len(found) - SHOWN} more changes of cells and mechanisms of {each.experiment}"))
        if each.versions and not each.nothing:
            told.append(Text(one_line(f"{each.experiment}: made with {', '.join(each.versions)}"), style="dim"))
        left_out = [f"nothing was compared: {each.nothing}"] if each.nothing else each.lacking
        told += [Text(one_line(f"{each.experiment}: {line}"), style=CHANGED["compared nothing"]) for line in left_out]
        if each.advice:
            told.append(Text(each.advice))
    return told


def _changed(experiment: str, change: Change) -> Text:
    trial = "*" if change.trial is None else change.trial
    where = one_line(f"{experiment}/{change.cell[:8]}/{trial}/{change.mechanism}")
    mean = "mean " if change.p else ""
    values = f"{mean}{change.column} {_told(change.fresh)}, reference {_told(change.reference)}"
    null = f"; null is its {change.null_is}" if change.null_is else ""
    same = " though all that makes rows is the same" if change.result == "broken" else ""
    return Text(f"{change.result} in {where}: {values}{null}{same}", style=CHANGED[change.result])


def _told(found: Any) -> str:
    """A value, or a mean with the trials that it leaves out."""
    if not isinstance(found, ColumnMean):
        return value(found)
    nulls = f"null in {found.nulls:,} of {found.trials:,} trials"
    return nulls if found.nulls == found.trials else f"{value(found.value)}{f' and {nulls}' if found.nulls else ''}"


def comparison_json(found: Comparison) -> dict[str, Any]:
    """A comparison as one object, with what changed; where there is no number, there is null."""
    changes = [asdict(each) | {"fresh": _plain(each.fresh), "reference": _plain(each.reference)} for each in found.changes]
    return asdict(found) | {"result": found.result, "code": found.code, "changes": changes}


def _plain(found: Any) -> Any:
    if isinstance(found, ColumnMean):
        return asdict(found) | {"value": _plain(found.value)}
    if pd.isna(found):
        return None
    plain = getattr(found, "item", lambda: found)()
    return None if isinstance(plain, float) and not isfinite(plain) else plain
