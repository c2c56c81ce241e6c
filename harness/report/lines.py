"""Verdicts in words, a line each: the same on the terminal, on a CI job's page and in the report."""

from collections.abc import Iterable, Iterator
from typing import Any, cast

import pandas as pd

from harness.claims.engine import Verdict
from harness.report import words
from harness.report.verdicts import Finding
from harness.text import one_line

CELL_HEADINGS = ("claim", "setting", "failed", "P(fail) within", "claimed", "measured", "bound", "slack", "verdict")
CLAIM_HEADINGS = ("claim", "kind", "decisions", "measured", "bound", "slack", "challenged", "verdict")
PRICE_HEADINGS = ("construction", "setting", "n*", "n* within", "its theorem's n", "price", "price within")
NUMBERS = {*CELL_HEADINGS[2:8], *CLAIM_HEADINGS[2:6], *PRICE_HEADINGS[2:]}
"""The headings whose columns are numbers, to be set right."""


def cell_lines(frame: pd.DataFrame | None, verdicts: Iterable[Verdict]) -> Iterator[tuple[str, ...]]:
    """Of each verdict what CELL_HEADINGS says: where it is, what was measured, what was claimed, the outcome.

    frame: the table that they are on; None for those of the theory alone.
    """
    settings = pd.DataFrame() if frame is None else frame.drop_duplicates("cell").set_index("cell")
    axes = varying(settings) if len(settings) else []
    for verdict in verdicts:
        row = cast("pd.Series[Any]", settings.loc[verdict.cell]) if verdict.cell else None
        sequence = verdict.lower is not None and verdict.upper is not None
        yield (
            verdict.claim,
            one_line(verdict.where or "") or ", ".join(words.parameter(row, key) for key in axes if row is not None),
            f"{verdict.failures}/{verdict.trials}" if verdict.outcome != "vacuous" and verdict.trials else "",
            f"[{verdict.lower:.2g}, {verdict.upper:.2g}]" if sequence else "",
            f"≤ {verdict.claimed:g}" if verdict.claimed is not None else "",
            *sizes(verdict),
            verdict.outcome,
        )


def claim_line(finding: Finding) -> tuple[str, ...]:
    """Of a claim what CLAIM_HEADINGS says: what decided it, whether it was challenged, its verdict."""
    return (
        finding.claim.id,
        finding.claim.kind,
        str(len(finding.verdicts)),
        *sizes(finding.decisive),
        "yes" if finding.challenged else "no",
        finding.outcome,
    )


def sizes(verdict: Verdict | None) -> tuple[str, str, str]:
    """Measured, bound and slack."""
    if verdict is None:
        return ("", "", "")
    return (
        "" if verdict.measured is None else f"{verdict.measured:.3g}",
        "" if verdict.bound is None else f"{verdict.bound:.3g}",
        "" if verdict.slack is None else f"{'' if verdict.measured else '> '}{verdict.slack:.3g}×",
    )


def varying(settings: pd.DataFrame) -> list[str]:
    """The parameters that tell the cells of a table apart."""
    shown = settings.copy()
    for key in ("concept", "distribution"):
        if f"{key}_parameters" in shown:
            shown[key] = shown.apply(words.parameter, axis=1, key=key)
    derived = [key for key in ("T", "alpha") if f"{key}_target" in shown] + ["m", "T"] * ("needed" in shown)
    if "needed" in shown and "n" in shown and (shown["n"] == shown["needed"]).all():
        derived.append("n")
    keys = [key for key in (*words.NAMES, *words.SYMBOLS) if key in shown and key not in derived]
    return [key for key in keys if shown[key].nunique(dropna=False) > 1] or [
        key for key in ("m", "alpha", *keys) if key in shown and key not in derived
    ][:1]
