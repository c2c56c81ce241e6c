"""What `check` found, as Markdown for a page that people read: the summary of a CI job.

Appended, as GitHub's $GITHUB_STEP_SUMMARY wants it, so that the steps of a job may each add theirs.
"""

import os
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from harness.report.comparisons import changes
from harness.report.lines import NUMBERS, claim_line
from harness.report.regression import Comparison
from harness.report.show import tally
from harness.report.siblings import limited
from harness.report.verdicts import Finding
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.reading import kind, unread
from harness.text import one_line

HEADINGS = ("claim", "verdict", "as it should be", "measured", "bound", "stands", "slack", "challenged")
MARKUP = re.compile(r"[\\`*_\[\]<>|~&$]")
LINKED = re.compile(r"(?<=[@#])(?=\w)|(?<=:)(?=//|[^\s:]+:)|(?<=www)(?=\.)|(?<=GH)(?=-\d)", re.IGNORECASE)
"""Where to come between what GitHub would make a mention, an issue, an address or a picture of."""

APART = "<!-- -->"
HEADED = re.compile(rb"^## \d+ of \d+ claims as expected$", re.MULTILINE)
MOST = 10**7  # bytes of a page that are looked at
PAGE = "GITHUB_STEP_SUMMARY"
"""The variable with the file to which all steps of a job add."""


def markdown(
    findings: Sequence[Finding],
    compared: Sequence[Comparison],
    replays: Mapping[str, str],
    error: float,
    notes: Sequence[str] = (),
) -> str:
    """The Markdown of a check: the tally, a table of claims, those not as expected first, and one of fresh tables.

    replays: claim → the command that replays its counterexample. error: the chance that any verdict is false. notes: what
    else is to be known of the tables.
    """
    wrong = [finding.claim.id for finding in findings if not finding.as_expected]
    lines = [f"## {len(findings) - len(wrong)} of {len(findings)} claims as expected", "", escaped(tally(findings, error)), ""]
    lines += [line for each in notes for line in (escaped(each), "")]
    ordered = sorted(findings, key=lambda finding: finding.as_expected)
    lines += table(HEADINGS, [_claim(finding, findings) for finding in ordered])
    lines += table(("not as expected", "a counterexample"), [each for each in replays.items() if each[0] in wrong])
    if compared:
        lines += ["## Fresh tables against the reference", ""]
        rows = [(each.experiment, f"{each.rows:,}", f"{each.tests:,}", each.label) for each in compared]
        lines += table(("experiment", "rows", "tests", "result"), rows, ("rows", "tests"))
        lines += table(("what changed, what was not compared, what to do",), [(line.plain,) for line in changes(compared)])
    return "\n".join(lines)


def refuse_other(path: Path) -> None:
    """Raises InputError where a file has text but no verdicts of this program; a CI job's summary page may have any."""
    if kind(path) == "a link" and not path.exists():
        raise InputError("is a link to nothing; allowed: a new file, or one that is there", path)
    if not path.is_file() or str(path) == os.environ.get(PAGE):
        return
    try:
        with open(path, "rb") as file:
            content = file.read(MOST)
    except OSError as error:
        raise unread(error, path) from None
    if content and not HEADED.search(content):
        raise InputError(
            "has no verdicts of this program, and is not added to; allowed: a new or empty file, or such a page", path
        )


def append(path: Path, text: str) -> None:
    """Appends text to a file of verdicts, on lines of its own; makes the file where there is none.
    Raises CannotRunError when it cannot be written, and as `refuse_other` does. No pipe that nobody reads is waited for.
    """
    refuse_other(path)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o666)
        os.set_blocking(descriptor, True)
        with open(descriptor, "a", encoding="utf-8") as file:
            file.write(f"\n{text}\n")
    except OSError as error:
        raise CannotRunError(f"--summary {path} cannot be written: {error.strerror}") from None


def _claim(finding: Finding, findings: Sequence[Finding]) -> tuple[str, ...]:
    id, verdict, *others = claim_line(finding, HEADINGS)
    return (id, " ".join(filter(None, (verdict, limited(finding, findings)))), *others)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[str] = NUMBERS) -> list[str]:
    """The lines of a Markdown table and a blank one after it; [] where there are no rows. numbers: right-aligned columns."""
    rules = ["---:" if heading in numbers else "---" for heading in headings]
    lines = (f"| {' | '.join(cells)} |" for cells in (map(escaped, headings), rules, *(map(escaped, row) for row in rows)))
    return [*lines, ""] if rows else []


def escaped(text: str) -> str:
    """Text on one line with Markdown's special characters escaped, so that a page shows the text as it is."""
    return LINKED.sub(APART, MARKUP.sub(r"\\\g<0>", one_line(text)))
