"""What `harness claims ID` says: one claim in full, how loose it is, and the decisions on it, the worst first."""

from collections.abc import Sequence
from statistics import median

from rich.console import Console

from harness.claims.engine import Verdict
from harness.report.numerals import number
from harness.report.show import offer_replays, show_place, show_privacy
from harness.report.siblings import limits, siblings
from harness.report.stored import Stored
from harness.report.verdicts import Finding
from harness.sweep.files.object_store import Location
from harness.text import one_line

SCREEN = 12  # decisions on a claim that are shown unless all are asked for


def show_claim(
    console: Console, findings: Sequence[Finding], stored: Sequence[Stored], out: Location, every: bool = False
) -> None:
    """Prints one claim in full: its verdict, where it applies, and the decisions that came nearest to another, or every one.

    findings: of the claim, and of others, of which those are told that belong to the same theorem.
    """
    finding = findings[0]
    _show_statement(console, finding)
    if looseness := loose(finding):
        console.print(looseness)
    for sibling in siblings(finding, findings):
        limiting = sibling in limits(finding, findings)
        console.print(f"{'but ' if limiting else ''}{_sibling(sibling)}", style="bold red" if limiting else None)
    if finding.claim.where:
        console.print(f"\nwhere: {'; '.join(condition.words for condition in finding.claim.where)}")
    ranked = worst(finding)
    shown = ranked if every else ranked[:SCREEN]
    by_name = {table.sweep.name: table for table in stored}
    for name in dict.fromkeys(place for place, _ in shown):  # the table with the worst place first
        verdicts = [verdict for place, verdict in shown if place == name]
        show_place(
            console, by_name[name] if name else None, verdicts, {finding.claim.id: finding.claim.decider}, of_one_claim=True
        )
        show_privacy(console, [by_name[name]] if name else [])
    console.print()
    if left := len(ranked) - len(shown):
        console.print(f"and {left} others, which are further from another verdict: --all")
    offer_replays(console, [finding], list(stored), out)


def _show_statement(console: Console, finding: Finding) -> None:
    """What a claim says, and its verdict."""
    claim = finding.claim
    belongs = f", {claim.nature} of {claim.of}" if claim.of else f", {claim.nature}"
    console.print(f"{claim.id} ({claim.kind}{belongs}), {claim.source}\n\n{claim.statement}\n")
    if claim.quote:
        console.print(f"“{claim.quote.text}” ({claim.quote.place})\n")
    correct = "as it should be" if finding.as_expected else finding.should
    console.print(f"verdict: {finding.label}{finding.untested}{f', {correct}' if finding.should else ''}")
    if claim.why:
        console.print(f"why not: {claim.why}")
    if claim.nature == "repair":
        console.print(f"proof: {claim.proof or 'none; it was not seen to fail'}")


def _sibling(finding: Finding) -> str:
    claim = finding.claim
    return f"{finding.label}: {claim.id} ({claim.nature}), {one_line(claim.statement)}"


def worst(finding: Finding) -> list[tuple[str | None, Verdict]]:
    """A claim's verdicts, with their experiments, the worst first.
    First are those of the claim's outcome, and of these the one with the least slack.
    """

    def order(judged: tuple[str | None, Verdict]) -> tuple[bool, float]:
        slack = judged[1].slack
        return (judged[1].outcome != finding.outcome, float("inf") if slack is None else slack)

    return sorted(finding.verdicts, key=order)


def loose(finding: Finding) -> str:
    """A sentence on how many times larger a claim's bound is than what was measured, where it holds; empty if it holds nowhere.

    Where nothing was measured it is larger than what a trial could show by so many times at least.
    """
    held = [verdict for _, verdict in finding.verdicts if verdict.outcome == "holds" and verdict.slack is not None]
    parts = []
    if seen := sorted(verdict.slack or 0.0 for verdict in held if verdict.measured):
        times = f"{_ends(seen)} times what was measured, where anything was"
        parts.append(f"{times} (median {median(seen):.3g}; {_settings(seen)})")
    if nothing := sorted(verdict.slack or 0.0 for verdict in held if not verdict.measured):
        parts.append(f"more than {_ends(nothing)} times what a trial could show, where nothing was ({_settings(nothing)})")
    return f"how loose: where it holds the bound is {', and '.join(parts)}" if parts else ""


def _ends(sizes: Sequence[float]) -> str:
    """The first and the last of a list in order."""
    first, last = number(float(f"{sizes[0]:.3g}")), number(float(f"{sizes[-1]:.3g}"))
    return first if first == last else f"{first} to {last}"


def _settings(sizes: Sequence[float]) -> str:
    return f"{len(sizes)} setting{'s' if len(sizes) > 1 else ''}"
