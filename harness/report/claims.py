"""What `harness claims` says: papers at a glance, a line a claim, one claim in full, or what does not hold as printed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from harness.claims.engine import Nature
from harness.claims.registry import claims
from harness.registry import nearest
from harness.report.console import Terminal
from harness.report.errata import TITLED, Errata, assembled, markdown, sheets
from harness.report.experiments import spec_files
from harness.report.grids import Sheet
from harness.report.halves import Halves, halves
from harness.report.note import NOTE, write
from harness.report.one_claim import show_claim
from harness.report.papers import by_paper
from harness.report.processes import reader
from harness.report.progress import telling
from harness.report.replay import commands
from harness.report.show import WORDS, claim_json, show_far, show_findings
from harness.report.siblings import of_theorem
from harness.report.stored import Stored, experiments_on, gather
from harness.report.verdicts import Finding, judge
from harness.sweep.errors import InputError
from harness.sweep.files.names import distinct
from harness.sweep.files.object_store import Location
from harness.sweep.files.ownership import refuse_foreign
from harness.sweep.plugins import harness_command
from harness.sweep.run.memory import uncollected
from harness.sweep.spec import Sweep

SPEC = ".yaml"
GROUPS: Mapping[str, tuple[Nature, ...]] = {
    "printed": ("printed",),
    "steps": ("step",),
    "readings": ("reading",),
    "repairs": ("repair",),
    "ours": ("ours",),
    "probes": ("probe",),
}
NAMED = 8  # claims with an unexpected verdict that are named there
FILTERS = ("paper", "outcome", "nature")


@dataclass(frozen=True)
class Wanted:
    """Which claims a command asks for: at most one, by its id; those on the tables of some specs; and by filters.

    filters: by paper, outcome and nature, the values that are let through; without any of one, all are.
    """

    id: str | None
    specs: Sequence[Path]
    filters: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, arguments: Sequence[str], filters: Mapping[str, Sequence[str]]) -> "Wanted":
        """From what a command line says. Raises InputError for an id or a value that there is not, and for several ids."""
        ids, specs = (
            [each for each in arguments if not each.endswith(SPEC)],
            [Path(each) for each in arguments if each.endswith(SPEC)],
        )
        if len(ids) > 1:
            raise InputError(f"{len(ids)} claims: {', '.join(ids)}; allowed: one, and spec files ({SPEC})", "claims")
        distinct(specs)
        if ids and ids[0] not in claims():
            raise InputError(f"no claim {ids[0]!r}; {nearest(ids[0], list(claims()))}", "claims")
        papers = list(dict.fromkeys(each.paper for each in claims().values()))
        for name, allowed in zip(FILTERS, (papers, WORDS, get_args(Nature)), strict=True):
            for value in filters.get(name, ()):
                if value not in allowed:
                    raise InputError(f"no {name} {value!r}; {nearest(value, list(allowed))}", f"--{name}")
        if ids and any(filters.values()):
            raise InputError("--paper, --outcome and --nature choose from a list, and one claim is no list", "claims")
        return cls(ids[0] if ids else None, specs, filters)

    def lets(self, finding: Finding) -> bool:
        """Whether a finding is one of the list."""
        of = {"paper": (finding.claim.paper,), "outcome": (finding.word, finding.outcome), "nature": (finding.claim.nature,)}
        return all(set(of[name]) & set(values) for name, values in self.filters.items() if values)

    @property
    def everything(self) -> bool:
        """Whether nothing narrows it."""
        return not (self.id or self.specs or any(self.filters.values()))


def show_claims(console: Terminal, wanted: Wanted, out: Location, as_json: bool, every: bool) -> None:
    """Prints what was found of claims: an overview by paper, a line for each claim, or one claim in full; or as JSON.

    out: where fresh tables are looked for. every: not the worst alone.
    """
    stored, judged = _judged(console, wanted, out, aside=as_json)
    findings = [finding for finding in judged if wanted.id in (None, finding.claim.id) and wanted.lets(finding)]
    if as_json:
        print(json.dumps([claim_json(finding) for finding in findings], indent=2))
    elif wanted.id is not None:
        others = [each for each in judged if each.claim.id != wanted.id]
        show_claim(console, [*findings, *others], stored, out, every)
    elif wanted.everything and not every:
        show_papers(console, findings, assembled(findings, stored, {}))
    elif findings:
        show_findings(console, findings)
    else:
        console.print("no claim is all of that")


def show_errata(console: Terminal, wanted: Wanted, out: Location, tex: Path | None = None) -> None:
    """Prints what does not hold as printed: for people on a terminal, as Markdown for another program, or as a note in LaTeX.

    Raises InputError where one claim is asked for, or where the note would take the place of another's file.
    """
    if tex is not None:
        refuse_foreign(tex, NOTE)
    if wanted.id is not None or any(wanted.filters.get(name) for name in FILTERS[1:]):
        raise InputError("--errata is a page of all that does not hold as printed, or of --paper", "claims")
    stored, judged = _judged(console, wanted, out, aside=True)
    papers = wanted.filters.get("paper") or None
    shown = assembled(judged, stored, commands(judged, stored, out), papers)
    if tex is not None:
        write(tex, shown.causes)
        console.print(f"{tex}: {len(shown.causes)} causes; pdflatex makes a PDF of it")
    elif console.is_terminal:
        for sheet in sheets(shown):
            console.print(sheet)
            console.print()
    else:
        print(markdown(shown))


def _judged(console: Terminal, wanted: Wanted, out: Location, aside: bool) -> tuple[list[Stored], list[Finding]]:
    """The tables, and all claims on them; of one claim those of its theorem. aside: whether stdout is for something else.

    All tables are read by two processes. The error is split over what is judged.
    """
    console.stderr = aside
    everything = not (wanted.specs or wanted.id)
    names = of_theorem(wanted.id, claims()) if wanted.id else set(claims())
    with reader(len(spec_files()) if everything else 0) as beside, uncollected():
        with telling(console, "reading the stored tables, and computing their plans again"):
            if everything:
                read = halves(out, list(claims()), beside)
            else:
                sweeps = [Sweep(path) for path in wanted.specs] or experiments_on(names, out)
                read = Halves(gather(sweeps, out))
        stored = read.stored
        if wanted.specs:
            names = {name for table in stored for name in table.sweep.spec.claims} | ({wanted.id} if wanted.id else set())
        with telling(console, f"judging {len(names)} claims on {len(stored)} tables"):
            judged = judge([table.evidence for table in stored], names=names, theory=read.verdicts)
    show_far(console, stored)
    console.stderr = False
    return [*stored], judged


def show_papers(console: Terminal, findings: Sequence[Finding], wrong: Errata) -> None:
    """Prints an overview of what was found of claims and errata.
    That is how many claims of each nature hold, what does not by severity, and what is not as expected.
    """
    console.print(_holding(findings))
    console.print()
    console.print(_by_severity(wrong))
    for severity, causes in wrong.by_severity.items():
        for cause in causes if severity in TITLED else ():
            console.print(f"{severity}: {cause.erratum.paper}, {cause.erratum.title}")
    console.print()
    unexpected: dict[str, list[str]] = {}
    for finding in (each for each in findings if not each.as_expected):
        unexpected.setdefault(f"{finding.word}, but {finding.should}", []).append(finding.claim.id)
    for what, ids in unexpected.items():
        more = f" and {len(ids) - NAMED} others" if len(ids) > NAMED else ""
        console.print(f"{what}: {', '.join(ids[:NAMED])}{more}", style="bold red")
    lists = harness_command(["claims", "--all"]), harness_command(["claims", "--paper", "BTT18", "--outcome", "refuted"])
    console.print(f"a line a claim: {lists[0]}, or some: {lists[1]}")
    one, page = harness_command(["claims", "BTT18:T3.2"]), harness_command(["claims", "--errata"])
    console.print(f"one in full: {one}; what does not hold, with counterexamples and repairs: {page}")


def _holding(findings: Sequence[Finding]) -> Sheet:
    """A line a paper, and one for what is in none."""
    shown = [name for name, natures in GROUPS.items() if any(each.claim.nature in natures for each in findings)]
    sheet = Sheet("claims that hold, of all there are; probes that are seen to be false", ("paper", *shown), numbers=shown)
    for paper, those in by_paper(findings).items():
        sheet.add_row(paper, *(_share(each for each in those if each.claim.nature in GROUPS[name]) for name in shown))
    return sheet


def _share(findings: Iterable[Finding]) -> str:
    words = [finding.word for finding in findings]
    return f"{sum(word in ('holds', 'seen') for word in words)} of {len(words)}" if words else ""


def _by_severity(wrong: Errata) -> Sheet:
    """A line a severity, the worst first: how many errata of each paper."""
    papers = list(dict.fromkeys(each.erratum.paper for each in wrong.causes))
    sheet = Sheet("what does not hold as printed, by cause", ("severity", *papers), numbers=papers)
    for severity, causes in wrong.by_severity.items():
        of = [each.erratum.paper for each in causes]
        sheet.add_row(severity, *(str(of.count(paper) or "") for paper in papers))
    return sheet
