"""What does not hold as it is printed, by cause: the text to the letter, why not, what shows it, and what holds instead.

An entry is a cause that somebody wrote down, with what was found today of the claims in which it shows. What fails and is no
sentence of a text stands apart: a reading of it that fails.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ulp
from typing import get_args

from harness.claims.engine import Erratum, Severity, Verdict
from harness.claims.registry import errata as on_record
from harness.report.grids import Sheet
from harness.report.lines import where
from harness.report.settings import Settings
from harness.report.stored import Stored
from harness.report.summary import escaped
from harness.report.verdicts import Finding
from harness.sweep.plugins import harness_command

INTRODUCTION = (
    "Each entry is one cause, with all places of the papers in which it shows, and how much falls with it. The quotations are "
    "the papers' own words. Of each there is a small program that shows the counterexample and needs nothing of this one."
)
READINGS = "Readings that fail"
OF_READINGS = (
    "These texts can be read in several ways, and read so they fail. That refutes no sentence of a paper: a printed statement "
    "falls only with all its readings."
)


@dataclass(frozen=True)
class Shown:
    """A claim that is refuted for a cause. number: what was found against what it allows. command: what shows it again."""

    finding: Finding
    number: str
    command: str


@dataclass(frozen=True)
class ErratumFound:
    """An erratum with what was found today: of the claims in which it shows, and of those that hold in their place."""

    erratum: Erratum
    shown: Sequence[Shown]
    repairs: Sequence[Finding]

    @property
    def script(self) -> str:
        """The program that shows the counterexample; empty where there is none."""
        return f"tests/errata/{self.erratum.script}.py" if self.erratum.script else ""


def entries(findings: Sequence[Finding], stored: Sequence[Stored], replays: Mapping[str, str]) -> list[ErratumFound]:
    """Every erratum on record, by paper and then the worst first, with what was found of its claims.

    replays: claim → the command that replays its counterexample.
    """
    by_id = {finding.claim.id: finding for finding in findings}
    settings = {each.sweep.name: each.settings for each in stored}
    on_tables = [
        ErratumFound(
            erratum,
            [_shown(by_id[id], settings, replays) for id in erratum.claims if id in by_id],
            [by_id[id] for id in erratum.repairs if id in by_id],
        )
        for erratum in on_record().values()
    ]
    worst_first = get_args(Severity)
    return sorted(on_tables, key=lambda one: (one.erratum.paper, worst_first.index(one.erratum.severity)))


def failing_readings(findings: Sequence[Finding], stored: Sequence[Stored], replays: Mapping[str, str]) -> Iterator[Shown]:
    """The readings that are refuted, in the order of the findings."""
    settings = {each.sweep.name: each.settings for each in stored}
    for finding in findings:
        if finding.claim.nature == "reading" and finding.outcome == "refuted":
            yield _shown(finding, settings, replays)


def by_severity(shown: Sequence[ErratumFound]) -> dict[str, int]:
    """How many errata of each severity, the worst first, without those of which there are none."""
    severities = [each.erratum.severity for each in shown]
    return {severity: severities.count(severity) for severity in get_args(Severity) if severity in severities}


def counted(shown: Sequence[ErratumFound]) -> str:
    """How many errata of each severity, in words."""
    return ", ".join(f"{count} {severity}" for severity, count in by_severity(shown).items())


def _shown(finding: Finding, settings: Mapping[str, Settings], replays: Mapping[str, str]) -> Shown:
    id = finding.claim.id
    return Shown(finding, _number(finding, settings), replays.get(id) or harness_command(["claims", id]))


def _number(finding: Finding, settings: Mapping[str, Settings]) -> str:
    """Of the verdict that says most: where it is, what was found there, and what the statement allows."""
    verdict = finding.decisive
    if verdict is None or verdict.measured is None or verdict.bound is None:
        return finding.outcome
    place = next((place for place, each in finding.verdicts if each is verdict), None)
    here = where(verdict, settings[place] if place else None)
    allowed = "less than 0" if verdict.bound == -ulp(0) else f"{verdict.bound:.4g}"
    measured = f"{verdict.measured:.4g}, where the statement allows {allowed}"
    return f"{here}: {measured}{_trials(verdict)}" if here else measured + _trials(verdict)


def _trials(verdict: Verdict) -> str:
    return f" ({verdict.failures:,} of {verdict.trials:,} trials fail)" if verdict.failures and verdict.trials > 1 else ""


def markdown(shown: Sequence[ErratumFound], readings: Sequence[Shown]) -> str:
    """All of them, as a page that people read: a section a paper, and one of readings."""
    lines = ["# What does not hold as printed", "", f"{INTRODUCTION} {len(shown)} causes: {counted(shown)}.", ""]
    for paper in dict.fromkeys(each.erratum.paper for each in shown):
        lines += [f"## {escaped(paper)}", ""]
        for entry in (each for each in shown if each.erratum.paper == paper):
            lines += _entry(entry)
    if readings:
        lines += [f"## {READINGS}", "", OF_READINGS, ""]
        lines += [line for each in readings for line in _reading(each)]
    return "\n".join(lines).rstrip()


def shown_errata(causes: Sequence[ErratumFound], readings: Sequence[Shown]) -> Iterator[Sheet]:
    """Errata and readings for a terminal."""
    for entry in causes:
        erratum = entry.erratum
        sheet = Sheet(f"{erratum.paper}: {erratum.title} ({erratum.severity})", ("", "said"), headed=False)
        for quote in erratum.quotes:
            sheet.add_row("printed", f"“{quote.text}” ({quote.place})")
        sheet.add_row("why not", erratum.why)
        sheet.add_row("against it", " ".join(filter(None, (erratum.counterexample, entry.script))))
        for shown in entry.shown:
            sheet.add_row("shown by", f"{shown.finding.claim.id}: {shown.finding.outcome}, {shown.number}: {shown.command}")
        sheet.add_row("what holds", erratum.holds)
        for repair in entry.repairs:
            sheet.add_row("repair", f"{repair.claim.statement} ({repair.claim.id}: {repair.outcome})")
        sheet.add_row("the authors", erratum.answer + "\n")
        yield sheet
    for reading in readings:
        claim = reading.finding.claim
        sheet = Sheet(f"{READINGS}: {claim.source}", ("", "said"), headed=False)
        sheet.add_row("read as", f"{claim.statement} ({claim.id}: {reading.finding.outcome})")
        sheet.add_row("why not", claim.why)
        sheet.add_row("shown by", f"{reading.number}: {reading.command}\n")
        yield sheet


def _entry(entry: ErratumFound) -> list[str]:
    erratum = entry.erratum
    points = [
        *(("Printed", f"“{escaped(quote.text)}” ({escaped(quote.place)})") for quote in erratum.quotes),
        ("Why not", escaped(erratum.why)),
        ("Counterexample", escaped(erratum.counterexample) + (f" (`{entry.script}`)" if entry.script else "")),
        *(("Shown by", f"{_judged(shown.finding)}, {escaped(shown.number)}: `{shown.command}`") for shown in entry.shown),
        ("What holds", escaped(erratum.holds)),
        *(("Repair", f"{escaped(repair.claim.statement)} ({_judged(repair)})") for repair in entry.repairs),
        ("The authors might answer", escaped(erratum.answer)),
    ]
    head = f"### {escaped(erratum.title)} ({escaped(erratum.severity)})"
    return [head, "", *(f"- **{name}.** {said}" for name, said in points), ""]


def _reading(reading: Shown) -> list[str]:
    claim = reading.finding.claim
    points = {
        "Read as": f"{escaped(claim.statement)} ({_judged(reading.finding)})",
        "Why not": escaped(claim.why),
        "Number": escaped(reading.number),
        "Shown by": f"`{reading.command}`",
    }
    return [f"### {escaped(claim.source)}", "", *(f"- **{name}.** {said}" for name, said in points.items() if said), ""]


def _judged(finding: Finding) -> str:
    return f"`{finding.claim.id}`: {finding.outcome}"
