"""Verdicts and columns in words, a line each: the same on the terminal, on a CI job's page and in the report."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

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
    """The headings of a table of prices. sought: what was searched for, n or m."""
    return ("construction", "setting", f"{sought}*", f"{sought}* within", f"its theorem's {sought}", "price", "price within")


NUMBERS = {*CELL_HEADINGS[2:9], *CLAIM_HEADINGS[2:7], *price_headings("n")[2:], *price_headings("m")[2:]}
"""The headings whose columns are numbers, to be set right."""


class Sizes(NamedTuple):
    """What a verdict measured, its bound, the least bound that would stand, and slack; None where there is no such number."""

    measured: float | None = None
    bound: float | None = None
    stands: float | None = None
    slack: float | None = None

    @classmethod
    def of(cls, verdict: "Verdict | None") -> "Sizes":
        """The sizes of a verdict; of no verdict none."""
        return cls() if verdict is None else cls(verdict.measured, verdict.bound, verdict.stands, verdict.slack)

    @property
    def words(self) -> tuple[str, str, str, str]:
        """The sizes as texts for tables; empty where there is no number."""
        measured, bound, stands, slack = ("" if size is None else f"{size:.3g}" for size in self)
        return measured, bound, stands, slack and f"{'' if self.measured else '> '}{slack}×"


def cell_lines(settings: "Settings | None", verdicts: "Iterable[Verdict]") -> Iterator[tuple[str, ...]]:
    """A line for each verdict under CELL_HEADINGS: where it is, what was measured, what was claimed, the outcome.

    settings: of the table that they are on; None for those of the theory alone.
    """
    for verdict in verdicts:
        sequence = verdict.lower is not None and verdict.upper is not None
        yield (
            verdict.claim,
            where(verdict, settings),
            f"{verdict.failures}/{verdict.trials}" if verdict.outcome != "vacuous" and verdict.trials else "",
            f"[{verdict.lower:.2g}, {verdict.upper:.2g}]" if sequence else "",
            f"≤ {verdict.claimed:g}" if verdict.claimed is not None else "",
            *Sizes.of(verdict).words,
            verdict.outcome,
        )


def where(verdict: "Verdict", settings: "Settings | None") -> str:
    """Where a verdict applies, as text: in its own words or, without any, the setting of its cell; empty without both."""
    return one_line(verdict.where) or (settings.where(verdict.cell) if settings and verdict.cell else "")


def claim_line(finding: "Finding", headings: Sequence[str] = CLAIM_HEADINGS) -> tuple[str, ...]:
    """A finding as a row of a table of claims: a text under each heading, such as the claim's id, its verdict and its slack.
    They say what decided it, whether it was challenged, its verdict, and whether it is as expected.
    """
    measured, bound, stands, slack = finding.sizes.words
    words = {
        "claim": finding.claim.id,
        "kind": finding.claim.kind,
        "decisions": str(len(finding.verdicts)),
        "measured": measured,
        "bound": bound,
        "stands": stands,
        "slack": slack,
        "challenged": "yes" if finding.challenged else "no",
        "verdict": finding.label,
        "as it should be": "–" if not finding.should else "yes" if finding.as_expected else f"no, it {finding.should}",
    }
    return tuple(words[heading] for heading in headings)


def column_line(column: Column) -> tuple[str, ...]:
    """A line for a column under COLUMN_HEADINGS."""
    words = {"null": column.null_is or ("yes" if column.null else "")}
    return tuple(words.get(heading, getattr(column, heading)) for heading in COLUMN_HEADINGS)
