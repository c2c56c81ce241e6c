"""Verdicts and columns in words, a line each: the same on the terminal, on a CI job's page and in the report."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from harness.text import one_line
from harness.trials.columns import Column

if TYPE_CHECKING:
    from harness.claims.engine import Verdict
    from harness.report.settings import Settings
    from harness.report.verdicts import Finding

CELL_HEADINGS = ("claim", "setting", "failed", "P(fail) within", "claimed", "measured", "bound", "stands", "slack", "verdict")
CLAIM_HEADINGS = ("claim", "kind", "decisions", "measured", "bound", "stands", "slack", "challenged", "verdict")
COLUMN_HEADINGS = ("name", "type", "role", "symbol", "unit", "null", "meaning")


def price_headings(sought: str) -> tuple[str, ...]:
    """sought: what was searched for, n or m."""
    return ("construction", "setting", f"{sought}*", f"{sought}* within", f"its theorem's {sought}", "price", "price within")


NUMBERS = {*CELL_HEADINGS[2:9], *CLAIM_HEADINGS[2:7], *price_headings("n")[2:], *price_headings("m")[2:]}
"""The headings whose columns are numbers, to be set right."""


def cell_lines(settings: "Settings | None", verdicts: "Iterable[Verdict]") -> Iterator[tuple[str, ...]]:
    """Of each verdict what CELL_HEADINGS says: where it is, what was measured, what was claimed, the outcome.

    settings: of the table that they are on; None for those of the theory alone.
    """
    for verdict in verdicts:
        place = settings.where(verdict.cell) if settings and verdict.cell else ""
        sequence = verdict.lower is not None and verdict.upper is not None
        yield (
            verdict.claim,
            one_line(verdict.where) or place,
            f"{verdict.failures}/{verdict.trials}" if verdict.outcome != "vacuous" and verdict.trials else "",
            f"[{verdict.lower:.2g}, {verdict.upper:.2g}]" if sequence else "",
            f"≤ {verdict.claimed:g}" if verdict.claimed is not None else "",
            *sizes(verdict),
            verdict.outcome,
        )


def claim_line(finding: "Finding") -> tuple[str, ...]:
    """Of a claim what CLAIM_HEADINGS says: what decided it, whether it was challenged, its verdict."""
    return (
        finding.claim.id,
        finding.claim.kind,
        str(len(finding.verdicts)),
        *sizes(finding.decisive),
        "yes" if finding.challenged else "no",
        finding.told,
    )


def column_line(column: Column) -> tuple[str, ...]:
    """Of a column what COLUMN_HEADINGS says."""
    said = {"null": column.null_is or ("yes" if column.null else "")}
    return tuple(said.get(heading, getattr(column, heading)) for heading in COLUMN_HEADINGS)


def sizes(verdict: "Verdict | None") -> tuple[str, str, str, str]:
    """Measured, the bound, the least bound that would stand, and slack."""
    if verdict is None:
        return ("", "", "", "")
    return (
        "" if verdict.measured is None else f"{verdict.measured:.3g}",
        "" if verdict.bound is None else f"{verdict.bound:.3g}",
        "" if verdict.stands is None else f"{verdict.stands:.3g}",
        "" if verdict.slack is None else f"{'' if verdict.measured else '> '}{verdict.slack:.3g}×",
    )
