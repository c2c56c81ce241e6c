"""What does not hold as it is printed: where, why, the number and the command that shows it, and what holds in its place.

Made of the claims that say `why`, and of nothing else, so that a claim of a user's file is among them too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.claims.engine import Verdict
from harness.report.settings import Settings
from harness.report.stored import Stored
from harness.report.summary import escaped
from harness.report.verdicts import Finding
from harness.sweep.plugins import harness_command
from harness.text import one_line

INTRODUCTION = (
    "Each statement below does not hold as it is printed. Beside it stands what was found, the command that shows it, and the "
    "statement that holds in its place. Most are steps of proofs, and the theorems survive them."
)


@dataclass(frozen=True)
class Erratum:
    """A printed statement that was judged, and its repair, likewise. number: what was found against what it allows.

    command: what shows it again: a counterexample rerun, or else the claim in full.
    """

    printed: Finding
    repair: Finding
    number: str
    command: str

    @property
    def paper(self) -> str:
        """The paper, by the first word of its claims."""
        return self.printed.claim.id.partition(":")[0]


def errata(findings: Sequence[Finding], stored: Sequence[Stored], replays: Mapping[str, str]) -> Iterator[Erratum]:
    """Every erratum that the findings have, in their order; of one whose repair was not judged nothing is said.

    replays: claim → the command that replays its counterexample.
    """
    by_id = {finding.claim.id: finding for finding in findings}
    settings = {each.sweep.name: each.settings for each in stored}
    for finding in findings:
        claim = finding.claim
        if claim.why and claim.repair in by_id:
            command = replays.get(claim.id) or harness_command(["claims", claim.id])
            yield Erratum(finding, by_id[claim.repair], _number(finding, settings), command)


def _number(finding: Finding, settings: Mapping[str, Settings]) -> str:
    """Of the verdict that says most: where it is, what was found there, and what the statement allows."""
    verdict = finding.decisive
    if verdict is None or verdict.measured is None or verdict.bound is None:
        return finding.outcome
    place = next((place for place, each in finding.verdicts if each is verdict), None)
    where = one_line(verdict.where) or (settings[place].where(verdict.cell) if place and verdict.cell else "")
    found = f"{verdict.measured:.4g}, where the statement allows {verdict.bound:.4g}"
    return f"{where}: {found}{_trials(verdict)}" if where else found + _trials(verdict)


def _trials(verdict: Verdict) -> str:
    return f" ({verdict.failures:,} of {verdict.trials:,} trials fail)" if verdict.trials > 1 else ""


def markdown(found: Sequence[Erratum]) -> str:
    """All of them, as a page that people read: a section a paper."""
    lines = ["# What does not hold as printed", "", INTRODUCTION, ""]
    for paper in dict.fromkeys(each.paper for each in found):
        lines += [f"## {escaped(paper)}", ""]
        for each in (each for each in found if each.paper == paper):
            lines += _entry(each)
    return "\n".join(lines).rstrip()


def _entry(each: Erratum) -> list[str]:
    printed, repair = each.printed.claim, each.repair.claim
    points = {
        "Printed": f"{escaped(printed.statement)} ({_judged(each.printed)})",
        "Why not": escaped(printed.why),
        "Number": escaped(each.number),
        "Shown by": f"`{each.command}`",
        "Repaired": f"{escaped(repair.statement)} ({_judged(each.repair)})",
    }
    return [f"### {escaped(printed.source)}", "", *(f"- **{name}.** {said}" for name, said in points.items()), ""]


def _judged(finding: Finding) -> str:
    return f"`{finding.claim.id}`: {finding.outcome}"
