"""The verdict and the slack of every claim by commit: a small file, to which a line is added only where one of them changed.

A line has the commit whose committed tables were judged, its date, the claim, its verdict, and the slack of the verdict that
says most, to three digits; empty where there is none. A claim that is no longer in the registry has a last line that says so.
"""

import csv
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from io import StringIO
from pathlib import Path

from harness.claims.registry import claims
from harness.report.defaults import RESULTS
from harness.report.experiments import all_experiments
from harness.report.stored import gather
from harness.report.verdicts import Finding, judge
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.reading import read_regular

PLACE = Path("results/history.csv")
GONE = "no longer claimed"
MOST = 50_000_000  # bytes


@dataclass(frozen=True)
class HistoryLine:
    """One line of the history of verdicts. commit: twelve hex digits. date: of the commit, as 2026-11-25.
    slack: a number, or nothing.
    """

    commit: str
    date: str
    claim: str
    verdict: str
    slack: str


HEAD = tuple(field.name for field in fields(HistoryLine))


def read(path: Path) -> list[HistoryLine]:
    """The lines of a history file, in the order in which they were added; none where there is no file.

    Raises InputError, naming file and line, where it is no history.
    """
    if not path.exists():
        return []
    text = read_regular(path, MOST).decode("utf-8", errors="replace")
    head, *rows = list(csv.reader(StringIO(text))) or [[]]
    if tuple(head) != HEAD:
        raise InputError(f"is no history; allowed: a first line {','.join(HEAD)}", path, 1)
    for number, row in enumerate(rows, 2):
        if len(row) != len(HEAD):
            raise InputError(f"has {len(row)} fields; allowed: {len(HEAD)}", path, number)
    return [HistoryLine(*row) for row in rows]


def latest(lines: Iterable[HistoryLine]) -> dict[str, HistoryLine]:
    """The last line of each claim in a history, by claim."""
    return {line.claim: line for line in lines}


def changes(lines: Sequence[HistoryLine], findings: Iterable[Finding], commit: str, date: str) -> list[HistoryLine]:
    """The lines to add to a history: one for each claim that is new, gone, or has another verdict or slack than before."""
    before = latest(lines)
    now = {finding.claim.id: (finding.label, _slack(finding)) for finding in findings}
    now |= dict.fromkeys(before.keys() - now.keys(), (GONE, ""))
    last = {claim: (line.verdict, line.slack) for claim, line in before.items()}
    return [HistoryLine(commit, date, claim, *said) for claim, said in sorted(now.items()) if last.get(claim) != said]


def appended(lines: Sequence[HistoryLine]) -> list[HistoryLine]:
    """Judges all committed tables, appends to the history a line for each changed verdict or slack; returns these lines.

    lines: the history so far. Raises CannotRunError where there is no experiment, no commit, or no whole table of one.
    """
    commit, date = head()
    sweeps = all_experiments()
    stored = gather(sweeps, RESULTS)
    added = changes(lines, judge([each.evidence for each in stored], names=claims()), commit, date)
    append(PLACE, added)
    return added


def append(path: Path, added: Sequence[HistoryLine]) -> None:
    """Adds lines to a history file, or begins one. Raises CannotRunError where it cannot be written."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([] if path.exists() else [HEAD])
    writer.writerows(map(astuple, added))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a", encoding="utf-8") as file:
            file.write(text.getvalue())
    except OSError as error:
        raise CannotRunError(f"{path} cannot be written: {error.strerror}") from None


def head() -> tuple[str, str]:
    """The hash and the date of the git commit that is checked out. Raises CannotRunError where there is none."""
    try:
        words = ("git", "show", "--no-patch", "--format=%h %cs", "--abbrev=12", "HEAD")
        commit = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        raise CannotRunError("a history is by commit, and no commit is checked out here") from None
    return commit[0], commit[1]


def _slack(finding: Finding) -> str:
    return "" if finding.sizes.slack is None else f"{finding.sizes.slack:.3g}"
