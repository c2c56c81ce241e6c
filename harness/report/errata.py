"""What does not hold as it is printed, by cause: the text to the letter, why not, what shows it, and what holds instead.

An entry is a cause that somebody wrote down, with what was found today of the claims in which it shows. What fails and is no
sentence of a text stands apart: a reading of it that fails.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
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

TITLED: tuple[Severity, ...] = get_args(Severity)[:2]
"""The severities, the worst, whose errata are named where there is little room."""


@dataclass(frozen=True)
class Point:
    """A labelled statement in the entry of an erratum: a name with a text, and perhaps a place, a claim's finding or a command.

    name: what it is about. text: in plain words, or to the letter where it is from a place of a text. finding: the claim that
    it speaks of. code: the program or the command that stands behind it.
    """

    name: str
    text: str
    place: str = ""
    finding: Finding | None = None
    code: str = ""


@dataclass(frozen=True)
class Shown:
    """A refuted claim that is evidence of an erratum. number: found against allowed. command: reproduces the refutation."""

    finding: Finding
    number: str
    command: str

    @property
    def reading(self) -> Iterator[Point]:
        """The points on a refuted reading where it stands by itself."""
        claim = self.finding.claim
        yield Point("Read as", claim.statement, finding=self.finding)
        yield Point("Why not", claim.why)
        yield Point("Shown by", self.number, code=self.command)


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

    @property
    def points(self) -> Iterator[Point]:
        """The points that are said of the erratum, in the order in which they are read."""
        erratum = self.erratum
        for quote in erratum.quotes:
            yield Point("Printed", quote.text, place=quote.place)
        yield Point("Why not", erratum.why)
        yield Point("Counterexample", erratum.counterexample, code=self.script)
        for shown in self.shown:
            yield Point("Shown by", shown.number, finding=shown.finding, code=shown.command)
        yield Point("What holds", erratum.holds)
        for repair in self.repairs:
            yield Point("Repair", repair.claim.statement, finding=repair)
        yield Point("The authors might answer", erratum.answer)


@dataclass(frozen=True)
class Errata:
    """All errata with what was found of each, by paper and the worst first (`causes`), and all refuted readings."""

    causes: Sequence[ErratumFound]
    readings: Sequence[Shown]

    @property
    def by_severity(self) -> dict[Severity, list[ErratumFound]]:
        """The causes of each severity, the worst first, without those of which there are none."""
        groups = {severity: [one for one in self.causes if one.erratum.severity == severity] for severity in get_args(Severity)}
        return {severity: causes for severity, causes in groups.items() if causes}

    @property
    def counted(self) -> str:
        """How many causes of each severity there are, in words."""
        return ", ".join(f"{len(causes)} {severity}" for severity, causes in self.by_severity.items())

    @property
    def introduction(self) -> str:
        """The text on what an entry is, and how many there are."""
        return f"{INTRODUCTION} {len(self.causes)} causes: {self.counted}."


def assembled(
    findings: Sequence[Finding], stored: Sequence[Stored], replays: Mapping[str, str], papers: Container[str] | None = None
) -> Errata:
    """The errata on record with what was found of their claims, and the readings that are refuted.

    replays: claim → the command that replays its counterexample. papers: those that it is about; without, all of them.
    """
    by_id = {finding.claim.id: finding for finding in findings}
    settings = {each.sweep.name: each.settings for each in stored}

    def shown(finding: Finding) -> Shown:
        id = finding.claim.id
        return Shown(finding, _number(finding, settings), replays.get(id) or harness_command(["claims", id]))

    causes = [
        ErratumFound(
            erratum,
            [shown(by_id[id]) for id in erratum.claims if id in by_id],
            [by_id[id] for id in erratum.repairs if id in by_id],
        )
        for erratum in on_record().values()
        if papers is None or erratum.paper in papers
    ]
    worst_first = get_args(Severity)
    failing = [
        shown(finding)
        for finding in findings
        if (finding.claim.nature, finding.outcome) == ("reading", "refuted")
        and (papers is None or finding.claim.paper in papers)
    ]
    return Errata(sorted(causes, key=lambda one: (one.erratum.paper, worst_first.index(one.erratum.severity))), failing)


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


def markdown(errata: Errata) -> str:
    """All errata as Markdown, for a page that people read: a section a paper, and one of readings."""
    lines = ["# What does not hold as printed", "", errata.introduction, ""]
    for paper, causes in groupby(errata.causes, lambda one: one.erratum.paper):
        lines += [f"## {escaped(paper)}", ""]
        for cause in causes:
            lines += _listed(f"{cause.erratum.title} ({cause.erratum.severity})", cause.points)
    if errata.readings:
        lines += [f"## {READINGS}", "", OF_READINGS, ""]
        for shown in errata.readings:
            lines += _listed(shown.finding.claim.source, shown.reading)
    return "\n".join(lines).rstrip()


def _listed(title: str, points: Iterable[Point]) -> list[str]:
    """An entry in Markdown: a line a point, with what it rests on in brackets."""
    lines = [f"### {escaped(title)}", ""]
    for point in points:
        rests = [escaped(point.place)] if point.place else []
        rests += [f"`{point.finding.claim.id}`: {point.finding.outcome}"] if point.finding else []
        rests += [f"`{point.code}`"] if point.code else []
        text = escaped(f"“{point.text}”" if point.place else point.text)
        lines.append(f"- **{point.name}.** {text}" + (f" ({'; '.join(rests)})" if rests else ""))
    return [*lines, ""]


def sheets(errata: Errata) -> Iterator[Sheet]:
    """The sheets of errata and readings for a terminal, one each."""
    for cause in errata.causes:
        yield _sheet(f"{cause.erratum.paper}: {cause.erratum.title} ({cause.erratum.severity})", cause.points)
    for shown in errata.readings:
        yield _sheet(f"{READINGS}: {shown.finding.claim.source}", shown.reading)


def _sheet(title: str, points: Iterable[Point]) -> Sheet:
    """An entry on a terminal: a row a point."""
    sheet = Sheet(title, ("", "said"), headed=False)
    for point in points:
        judged = f"{point.finding.claim.id}: {point.finding.outcome}" if point.finding else ""
        rests = "; ".join(filter(None, (point.place, judged, point.code)))
        text = f"“{point.text}”" if point.place else point.text
        sheet.add_row(point.name, text + (f" ({rests})" if rests else ""))
    return sheet
