"""Fresh tables against the committed ones: what is compared, what cannot be, and what to do about it.

A comparison of nothing is no success: a table without a reference, no table where a fresh one is looked for, and a table that
other code made say so. What to do is a command that works as it is printed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.report.defaults import RESULTS, RUNS
from harness.report.pair import Pair
from harness.report.regression import Comparison, compare
from harness.report.replay import shortened
from harness.report.stored import Stored, called, elsewhere, reference_of
from harness.report.verdicts import Evidence, Finding, judge, untold
from harness.sweep.files.object_store import Location
from harness.sweep.plugins import harness_command
from harness.sweep.run.provenance import makes
from harness.sweep.run.spec_match import spec_match
from harness.sweep.spec import UntilDecided
from harness.sweep.table.table import Table
from harness.text import one_line

NAMED = 3  # experiments that a line tells one by one


def guarded(
    stored: Sequence[Stored], findings: Sequence[Finding], out: Location, error: float, named: bool = False
) -> list[Comparison]:
    """Compares each fresh table with the committed one, its reference; returns a comparison for each.
    Where experiments are named and `out` is one's own, also of those that have no fresh table there.

    The chance that any change among all of them is none is at most `error`. findings: of the claims on these tables. Raises
    InputError where a reference has trials of another kind.
    """
    to_compare = [each for each in stored if not committed(each) or (named and out != RUNS)]
    comparisons: dict[str, Comparison] = {
        each.sweep.name: _nothing(each, out) for each in to_compare if committed(each) or _stale(each)
    }
    references = {each.sweep.name: reference_of(each.sweep) for each in to_compare if each.sweep.name not in comparisons}
    comparisons |= {
        each.sweep.name: _nothing(each, out) for each in to_compare if references.get(each.sweep.name, each) is None
    }
    pairs = {each.sweep.name: (each, table) for each in to_compare if (table := references.get(each.sweep.name)) is not None}
    for compared in compare([pair(*both) for both in pairs.values()], error):
        comparisons[compared.experiment] = _whole(*pairs[compared.experiment], compared, findings, out)
    return [comparisons[each.sweep.name] for each in to_compare]


def committed(stored: Stored) -> bool:
    """Whether a stored table is the reference itself."""
    reference = RESULTS / stored.path.name
    return isinstance(stored.path, Path) and reference.exists() and stored.path.exists() and stored.path.samefile(reference)


def told_committed(stored: Sequence[Stored], out: Location) -> str:
    """A sentence that names the committed tables that were judged for want of fresh ones in `out`; empty without any."""
    names = [each.sweep.name for each in stored if committed(each)]
    others = f" and {len(names) - NAMED} others" if len(names) > NAMED else ""
    which = ", ".join(names[:NAMED]) + others
    return f"no fresh table in {out}/ of {which}: judged on the committed one, and compared with nothing" if names else ""


def pair(fresh: Stored, reference: Table) -> Pair:
    """The pair, to be compared, of a fresh table and its reference."""
    same = reference.provenance["makes"] == fresh.table.provenance["makes"]
    decided = isinstance(fresh.sweep.spec.trials, UntilDecided)
    return Pair(fresh.sweep.name, fresh.sweep.kind, fresh.table.cells, reference.cells, same, decided)


def _nothing(stored: Stored, out: Location) -> Comparison:
    """That of an experiment of which there are not two tables, or the fresh one is not what this code makes."""
    if committed(stored):
        why = f"no fresh table in {out}/, so the committed one was judged"
        advice = f"`{_command('run', stored.sweep.path, out)}` makes one"
    elif stale := _stale(stored):
        why = f"stale: {stored.path} was made with {', '.join(stale)}"
        advice = f"`{_command('run', stored.sweep.path, out, '--fresh')}` makes it anew"
    else:
        why = f"no reference: there is no {RESULTS / stored.path.name}"
        advice = _accepting(stored, out, "where its rows are right")
    return Comparison(stored.sweep.name, 0, False, nothing=why, advice=advice)


def _stale(stored: Stored) -> list[str]:
    """What made a table and is not what is here, in words; none where it is, and so are the rows."""
    return list(_differing(stored.table.provenance["makes"], makes(stored.sweep), "here it is"))


def _whole(stored: Stored, reference: Table, comparison: Comparison, findings: Sequence[Finding], out: Location) -> Comparison:
    """A comparison with all that is to be said of it beside the rows."""
    match, lacking = spec_match(stored.sweep, reference), [*comparison.lacking]
    if not match.whole:
        lacking.append(f"the reference has {match.count} that {stored.sweep.path} asks for")
    if lacking or stored.far or not comparison.identical:
        lacking += _less_decided(stored, reference, findings)
    versions = list(_differing(stored.table.provenance["makes"], reference.provenance["makes"], "the reference's"))
    whole = replace(comparison, lacking=lacking, part=bool(lacking or stored.far), versions=versions)
    return replace(whole, advice=_to_do(stored, whole, out))


def _to_do(stored: Stored, comparison: Comparison, out: Location) -> str:
    """What to do about a comparison; empty where all is well."""
    if not comparison.code:
        return ""
    if comparison.result == "broken":
        change, cells = comparison.changes[0], stored.table.rows["cell"].unique().to_pylist()
        row = f"{called(stored.sweep)}/{shortened(change.cell, cells)}/{change.trial}/{change.mechanism}"
        return f"`{_command('replay', row, out)}` makes the fresh row again, and says whether it is the same"
    return _accepting(stored, out, "where that is meant")


def _accepting(stored: Stored, out: Location, when: str) -> str:
    """How a table becomes the reference; one that lacks trials must first be completed."""
    if stored.far:
        return f"`{_command('run', stored.sweep.path, out)}` completes the fresh table"
    return f"{when}, `{_command('accept', called(stored.sweep), out)}` makes it the reference"


def _command(verb: str, what: Path | str, out: Location, *options: str) -> str:
    return harness_command([verb, what, *options, *elsewhere(out)])


def _differing(made: Mapping[str, Any], other: Mapping[str, Any], whose: str) -> Iterator[str]:
    """What makes rows and is not the same for both, in words; only of plugins and libraries that both had."""
    plugins, others = (versions if isinstance(versions := found.get("plugins"), Mapping) else {} for found in (made, other))
    if made.get("code") != other.get("code") or any(plugins[name] != others[name] for name in plugins.keys() & others.keys()):
        yield "other code"
    for name in sorted((made.keys() & other.keys()) - {"plugins", "code"}):
        if made[name] != other[name]:
            yield one_line(f"{name} {made[name]} ({whose} {other[name]})")


def _less_decided(stored: Stored, reference: Table, findings: Sequence[Finding]) -> Iterator[str]:
    """The claims that say something of fewer cells than of the reference's, and how many of these they decided."""
    names = stored.sweep.spec.claims
    evidence = Evidence(stored.sweep.name, stored.sweep.kind.name, reference.cells, names)
    before = _said(judge([evidence], names=names, theory=untold), stored.sweep.name)
    now = _said(findings, stored.sweep.name)
    for claim, cells in before.items():
        left = now.get(claim, {})
        if gone := [cell for cell in cells if cell not in left]:
            decided = sum(left.get(cell) in ("holds", "refuted") for cell in cells)
            which = f"and says nothing of {gone[0][0][:8]} with {gone[0][1]}"
            yield f"{claim} decided {decided} of {len(cells)} cells of the reference, {which}"


def _said(findings: Sequence[Finding], experiment: str) -> dict[str, dict[tuple[str, str], str]]:
    """Of each claim the verdicts on those cells of an experiment of which it says something."""
    by_claim: dict[str, dict[tuple[str, str], str]] = {}
    for finding in findings:
        for name, verdict in finding.verdicts:
            if name == experiment and verdict.cell and verdict.mechanism and verdict.outcome not in ("vacuous", "untested"):
                by_claim.setdefault(finding.claim.id, {})[verdict.cell, verdict.mechanism] = verdict.outcome
    return by_claim
