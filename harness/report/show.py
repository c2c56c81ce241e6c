"""What `run`, `check` and `claims` say of verdicts: on the terminal, as JSON, and as an exit code."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

import pandas as pd
from rich.console import Console

from harness.claims.engine import Verdict
from harness.claims.engine.claim import Decider
from harness.claims.engine.nature import MEANINGS, MEANS_WHEN_BROKEN
from harness.claims.registry import claims
from harness.mechanisms.accounts import spent_by
from harness.report.comparisons import changes, comparison_json, comparisons_grid
from harness.report.defaults import FAMILYWISE_ERROR
from harness.report.regression import Comparison
from harness.report.replay import commands
from harness.report.seen import measured_of, share_of, told_measured
from harness.report.standing import BrokenBound, told_broken
from harness.report.stored import Stored
from harness.report.terminal import cells_grid, findings_grid, prices_grid
from harness.report.verdicts import Finding, of_other_kind
from harness.sweep.errors import CannotRunError
from harness.sweep.files.object_store import Location
from harness.sweep.plugins import harness_command
from harness.sweep.spec import Sweep
from harness.text import one_line

CHECKS = "identities and self-checks: what only a fault of the program can break"
WORDS = ("holds", "refuted", "undecided", "vacuous", "untested", "seen", "not seen")


def show_cells(console: Console, stored: list[Stored], findings: list[Finding]) -> None:
    """Prints every verdict, by experiment, with the prices of its mechanisms, where it has any."""
    deciders = {finding.claim.id: finding.claim.decider for finding in findings}
    for table in (*stored, None):
        name = table.sweep.name if table else None
        verdicts = [verdict for finding in findings for place, verdict in finding.verdicts if place == name]
        show_place(console, table, verdicts, deciders)
        show_privacy(console, [table] if table else [])
        if table and table.sweep.kind.price:
            console.print()
            console.print(prices_grid(table.frame, table.sweep.kind.price, table.settings))
    console.print()


def show_place(
    console: Console,
    table: Stored | None,
    verdicts: Sequence[Verdict],
    deciders: Mapping[str, Decider],
    of_one_claim: bool = False,
) -> None:
    """Prints the verdicts on one table; those by theory alone where `table` is None. of_one_claim: see `cells_grid`."""
    if verdicts and table is None:
        console.print()
        console.print(cells_grid("by the theory alone", None, verdicts, of_one_claim=of_one_claim))
    elif verdicts and table:
        console.print()
        title = f"{table.sweep.name}: {one_line(table.sweep.spec.question)} ({table.path})"
        console.print(cells_grid(title, table.settings, verdicts, deciders, of_one_claim))
        for line in table.settings.bounds_told:
            console.print(line, style="dim")


def show_privacy(console: Console, stored: Sequence[Stored]) -> None:
    """Prints which mechanisms spend more than ε, whose ε′ is only declared, and what audits have seen, a line each."""
    for table in stored:
        for line in table.privacy_told:
            console.print(line, style="bold red")
        if measured := told_measured(table.spending):
            console.print(measured, style="dim")
        for name in (each for each in table.spending if spent_by(each) == "declared" and share_of(each) is None):
            console.print(f"what runs on neighbours show of it: {harness_command(['audit', name])}", style="dim")


def vouched(stored: Sequence[Stored]) -> list[str]:
    """Lines of text on how the mechanisms of all tables keep to ε, and on what audits measured: notes below verdicts."""
    measured = told_measured(sorted({name for table in stored for name in table.spending}))
    return [*dict.fromkeys(line for table in stored for line in table.privacy_told), *filter(None, [measured])]


def show_broken(console: Console, broken: Sequence[BrokenBound], stored: Sequence[Stored]) -> None:
    """Prints which mechanisms break their own bounds where no claim expects it, a line each with a command that replays it."""
    for line in told_broken(broken, stored):
        console.print(line, style="bold red")


def show_findings(console: Console, findings: Sequence[Finding]) -> None:
    """Prints a line for each claim, by nature; claims that only a fault of the harness can break stand apart."""
    for title, those in by_nature(findings):
        console.print(findings_grid(f"\n{title}", those, findings))


def by_nature(findings: Sequence[Finding]) -> Iterator[tuple[str, list[Finding]]]:
    """The findings under headings by nature, without headings that have none."""
    able = [finding for finding in findings if not finding.claim.check]
    groups = {MEANINGS[nature]: [each for each in able if each.claim.nature == nature] for nature in MEANINGS}
    groups[CHECKS] = [finding for finding in findings if finding.claim.check]
    return ((title, those) for title, those in groups.items() if those)


def far(stored: Sequence[Stored], what: str = "judged on") -> list[str]:
    """A line for each table that lacks trials: how many it has, and `what` was done with these, such as judged on."""
    return [f"{each.far}; {what} what is there" for each in stored if each.far]


def show_far(console: Console, stored: Sequence[Stored], what: str = "judged on") -> None:
    """Prints how far tables are that lack trials, a line each."""
    for line in far(stored, what):
        console.print(line, style="bold yellow")


def tally(findings: Sequence[Finding], error: float) -> str:
    """A sentence on how many claims of each nature have which verdict, and how sure that is."""
    counts = "; ".join(_counted(title.partition(":")[0], those) for title, those in by_nature(findings))
    return f"{counts}; any of these verdicts is false with probability at most {error:g}" if counts else "no claim was judged"


def _counted(title: str, findings: Sequence[Finding]) -> str:
    """How many findings under a heading have which verdict."""
    words, untried = [finding.word for finding in findings], sum(finding.untried for finding in findings)
    worth = {"holds": f" ({untried} untried)"} if untried else {}
    counts = ", ".join(f"{words.count(word)} {word}{worth.get(word, '')}" for word in WORDS if word in words)
    return f"{len(findings)} {title}: {counts}"


def summarise(console: Console, findings: list[Finding], error: float) -> None:
    """Prints how many claims hold, which are not as expected, and how many trials would decide what is undecided."""
    console.print(f"\n{tally(findings, error)}")
    for finding in findings:
        if not finding.as_expected:
            more = finding.untested + (f"; {finding.enough}" if finding.enough else "")
            console.print(f"{finding.claim.id}: {finding.word}, but it {finding.should}{more}", style="bold red")
            if finding.outcome in ("holds", "refuted"):
                console.print(f"  {MEANS_WHEN_BROKEN[finding.claim.nature]}")
        if finding.untouched and finding.verdicts and finding.claim.nature != "reading":  # a reading may be of the change
            console.print(f"{finding.claim.id} is not touched by {' or by '.join(map(str, finding.untouched))}")


def offer_replays(console: Console, findings: list[Finding], stored: list[Stored], out: Location) -> None:
    """Prints the command that replays each counterexample."""
    for claim, command in commands(findings, stored, out).items():
        console.print(f"{claim} refuted: {command}")


def show_comparisons(console: Console, compared: list[Comparison], error: float) -> None:
    """Prints the comparisons of fresh tables with the committed ones."""
    if compared:
        console.print("\nfresh tables against the committed reference:")
        console.print(comparisons_grid(compared))
        tests = sum(comparison.tests for comparison in compared)
        if tests:
            many = f"{tests} two-sample test{'s' if tests > 1 else ''}"
            console.print(f"{many}; any of these changes is false with probability at most {error:g}")
        for line in changes(compared):
            console.print(line)


def refuse_unmeasured(findings: Sequence[Finding], stored: Sequence[Stored]) -> None:
    """Raises CannotRunError where no row speaks of a claim, unless more rows of its experiments are to come."""
    coming = _coming(stored)
    silent: dict[str, list[str]] = {}
    for finding in findings:
        if finding.outcome == "untested" != (finding.expected or "untested") and finding.claim.id not in coming:
            silent.setdefault(one_line(finding.why), []).append(finding.claim.id)
    if silent:
        sentences = (f"nothing was measured for {', '.join(names)}: {why}" for why, names in silent.items())
        raise CannotRunError("; ".join(sentences))


def exit_code(findings: Sequence[Finding], compared: Sequence[Comparison], stored: Sequence[Stored] = ()) -> int:
    """The exit code of a check: 0 when every claim is as expected and all tables have their reference's law, 1 when not.

    3 when some claims are only undecided or only a part was compared, 4 when of any experiment nothing was. Where a table lacks
    trials it is 3 at best, and 1 only for what more trials do not mend: a refuted claim that should hold, or rows that are not
    the reference's. Raises CannotRunError where nothing was measured and nothing compared.
    """
    outcomes, coming, part = {finding.outcome for finding in findings}, _coming(stored), bool(far(stored))
    codes = {comparison.code for comparison in compared}
    if not compared and not outcomes:
        raise CannotRunError("nothing was measured: these specs name no claim, and nothing was compared")
    if not compared and outcomes <= {"vacuous", "untested"} and not part:
        raise CannotRunError("nothing was measured: every bound is vacuous")
    unexpected = {
        "undecided" if finding.claim.id in coming and finding.outcome != "refuted" else finding.outcome
        for finding in findings
        if not finding.as_expected or (finding.expected is None and finding.outcome == "undecided")
    } - {"vacuous"}
    if unexpected - {"undecided"}:
        return 1
    return next((code for code in (1, 4, 3) if code in codes), 3 if unexpected or part else 0)


def uncompared(compared: Sequence[Comparison]) -> str:
    """A sentence on the experiments of which nothing was compared, why, and what to do."""
    nothing = (each for each in compared if each.code == 4)
    return "; ".join(f"nothing was compared of {each.experiment}: {each.nothing}; {each.advice}" for each in nothing)


def _coming(stored: Sequence[Stored]) -> set[str]:
    """The claims of tables that lack trials: their verdicts may change."""
    return {name for each in stored if each.far for name in each.sweep.spec.claims}


def check_json(findings: Sequence[Finding], compared: Sequence[Comparison], notes: Sequence[str]) -> dict[str, Any]:
    """All that a check says, as one object of numbers and words."""
    verdicts = [verdict_json(*verdict) for finding in findings for verdict in finding.verdicts]
    return {"verdicts": verdicts, "compared": [comparison_json(each) for each in compared], "notes": [*notes]}


def verdict_json(experiment: str | None, verdict: Verdict) -> dict[str, Any]:
    """A verdict as one object. spent_by: whose word its mechanism's ε′ is; audited: what audits have seen of it."""
    name = verdict.mechanism
    by, seen = (spent_by(name), measured_of(name)) if name else (None, None)
    vouched = {"spent_by": by, "audited": seen.json if seen else None}
    return {"experiment": experiment} | asdict(verdict) | {"slack": verdict.slack} | vouched


def claim_json(finding: Finding) -> dict[str, Any]:
    """A claim with its verdict as one flat object."""
    claim = finding.claim
    return {
        "id": claim.id,
        "source": claim.source,
        "statement": claim.statement,
        "kind": claim.kind,
        "nature": claim.nature,
        "of": claim.of or None,
        "quote": asdict(claim.quote) if claim.quote else None,
        "check": claim.check or None,
        "expected": finding.expected,
        "verdict": finding.word,
        "challenged": finding.challenged,
        "untried": finding.untried,
        "confidence": 1 - FAMILYWISE_ERROR,
        **finding.sizes._asdict(),
        "untested": finding.why or None,
    }


def foretold(sweep: Sweep) -> list[str]:
    """A line for each claim of a spec that its rows cannot test, with the reason, as the spec alone tells."""
    kind, reasons = sweep.kind, []

    @cache
    def planned_row(place: int, mechanism: str) -> pd.Series:
        return pd.Series(kind.parameters(sweep.cells[place], mechanism), dtype=object)

    for claim in (claims()[name] for name in sweep.spec.claims):
        rows = (planned_row(place, name) for place in range(len(sweep.cells)) for name in sweep.spec.mechanisms)
        if claim.trials not in ("", kind.name):
            reasons.append((claim.id, of_other_kind(claim, kind.name)))
        elif why := claim.unmet(rows):
            reasons.append((claim.id, why))
    return [one_line(f"{sweep.name}: {name} will be untested: {why}") for name, why in reasons]
