"""What belongs to the same theorem: its steps, readings, repairs and probes, and which of them limit it."""

from collections.abc import Iterator, Mapping, Sequence

from harness.claims.engine import Claim
from harness.report.verdicts import Finding

LIMITING = ("printed", "reading")
"""The natures of what takes something away from a theorem when it is refuted; a false step leaves its conclusion."""


def siblings(finding: Finding, findings: Sequence[Finding]) -> list[Finding]:
    """All other findings on the theorem that a finding belongs to: refuted ones first, then others, and probes last."""
    theorem = of_theorem(finding.claim.id, {each.claim.id: each.claim for each in findings})
    same = [each for each in findings if each.claim.id in theorem - {finding.claim.id}]
    return sorted(same, key=lambda one: (one.claim.nature == "probe", one.outcome != "refuted"))


def of_theorem(id: str, claims: Mapping[str, Claim]) -> set[str]:
    """The ids of all claims that belong to the theorem of the claim `id`, this id among them. claims: all claims, by id."""
    of = {name: claim.of for name, claim in claims.items()}
    *_, head = _up(id, of)
    return {name for name in claims if head in _up(name, of)}


def by_theorem(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    """The findings by the id of the theorem they belong to: the theorem's own first, then refuted ones; probes last."""
    of = {each.claim.id: each.claim.of for each in findings}
    by_head: dict[str, list[Finding]] = {}
    for finding in findings:
        *_, head = (id for id in _up(finding.claim.id, of) if id in of)
        by_head.setdefault(head, []).append(finding)
    for head, those in by_head.items():
        those.sort(key=lambda one: (one.claim.id != head, one.claim.nature == "probe", one.outcome != "refuted"))
    return by_head


def limits(finding: Finding, findings: Sequence[Finding]) -> list[Finding]:
    """The findings that belong to a claim and are refuted, so that the claim holds with a limit.
    They say where, or in which reading, it does not hold.
    """
    of = {each.claim.id: each.claim.of for each in findings}
    limiting = (each for each in findings if each.claim.nature in LIMITING and each.outcome == "refuted")
    return [each for each in limiting if finding.claim.id in list(_up(each.claim.id, of))[1:]]


def limited(finding: Finding, findings: Sequence[Finding]) -> str:
    """What limits a claim that holds, in words beside its verdict; empty where nothing does."""
    limiting = ", ".join(each.claim.id for each in limits(finding, findings))
    return f"but not {limiting}" if limiting and finding.outcome == "holds" else ""


def _up(id: str, of: dict[str, str]) -> Iterator[str]:
    """A claim and what it belongs to, one after the other."""
    while id:
        yield id
        id = of.get(id, "")
