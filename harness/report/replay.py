"""One trial again, bit for bit, and what it means: which quantity of it broke which bound of which claim.

A trial is named NAME/CELL/TRIAL/MECHANISM: its experiment, its cell by any unambiguous beginning of the identity, its index,
and which of its rows.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from harness.claims.engine import Bounded, Event
from harness.claims.registry import claims
from harness.mechanisms.accounts import spent_by
from harness.registry import nearest
from harness.report.seen import measured_of, told_share
from harness.report.stored import Stored, called, elsewhere
from harness.report.verdicts import Finding
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.object_store import Location
from harness.sweep.plugins import harness_command
from harness.sweep.run.provenance import makes
from harness.sweep.run.work import Batch, run_batch
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import Done, done
from harness.sweep.table.schema import schema
from harness.sweep.table.table import Table
from harness.trials.columns import SECONDS
from harness.trials.kind import Kind, Row

FORM = "NAME/CELL/TRIAL/MECHANISM"
SHORT = 8  # hex digits of a cell's identity that are enough but for bad luck
STEPS = {
    "parameter": "the setting",
    "plan": "the plan",
    "claimed": "the plan",
    "votes": "the votes",
    "measured": "what was measured",
}
"""What the columns of a role are told as."""


@dataclass(frozen=True)
class Address:
    """The address of a row: experiment, cell, trial, mechanism. cell: a whole identity or the beginning of one."""

    name: str
    cell: str
    trial: int
    mechanism: str

    def __str__(self) -> str:
        return f"{self.name}/{self.cell}/{self.trial}/{self.mechanism}"

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Raises InputError where the text has not four parts, or the third is no trial's index."""
        parts = re.fullmatch("(.+)/([^/]+)/([0-9]{1,18})/(.+)", text, re.DOTALL)  # names of mechanisms may have a / in them
        if parts is None:
            raise InputError(f"{FORM} is needed, such as cutoff/d22bee86/0/A_binClas, not {text!r}", "replay")
        return cls(parts[1], parts[2], int(parts[3]), parts[4])

    def resolved(self, there: Done, most_trials: Mapping[str, int], mechanisms: Sequence[str]) -> "Address":
        """The address with the whole identity of its cell: of a row that is there, or of one that may yet be run.

        most_trials: how many of each cell a spec may ask for; mechanisms: of which. Raises InputError, saying what there is,
        if the row is neither.
        """
        place, cells = f"replay {self}", list(dict.fromkeys([*(cell for cell, _ in there), *most_trials]))
        matching = [cell for cell in cells if cell.startswith(self.cell)]
        if not matching:
            raise InputError(f"no cell {self.cell!r}; {nearest(self.cell, [shortened(cell, cells) for cell in cells])}", place)
        if len(matching) > 1:
            raise InputError(f"{self.cell!r} is the beginning of {len(matching)} cells: {', '.join(matching)}", place)
        names = list(dict.fromkeys([*(name for cell, name in there if cell == matching[0]), *mechanisms]))
        if self.mechanism not in names:
            raise InputError(f"no mechanism {self.mechanism!r}; {nearest(self.mechanism, names)}", place)
        count, trials = most_trials.get(matching[0], 0), there.get((matching[0], self.mechanism), ())
        if self.trial >= count and not any(self.trial in some for some in trials):
            ends = [*(end for some in trials for end in (some.start, some.stop - 1)), *([0, count - 1] if count else [])]
            raise InputError(f"no trial {self.trial}; allowed: {min(ends)} to {max(ends)}", place)
        return Address(self.name, matching[0], self.trial, self.mechanism)


@dataclass(frozen=True)
class Fact:
    """A number of a replayed trial, by its column, with what it means."""

    name: str
    value: Any
    meaning: str


@dataclass(frozen=True)
class Judgement:
    """A claim on a replayed trial. event: what had to keep within which bound; empty where the claim is vacuous.

    allowed: the share of trials that may fail; 0 unless the claim is about a probability.
    """

    claim: str
    event: Sequence[Bounded]
    allowed: float

    @property
    def failed(self) -> bool:
        """Whether any of it was broken."""
        return any(part.broken for part in self.event)


@dataclass(frozen=True)
class Replay:
    """A trial that was run again, with what explains it.

    stored: whether there was a row to compare with. differing: column → (stored, now), empty if the rows are identical.
    versions: what makes rows and is no longer what it was, → (stored, now). steps: (title, facts). elsewhere: the spec's claims
    that no single trial can fail. meanings: of the columns.
    """

    address: Address
    stored: bool
    differing: Mapping[str, tuple[Any, Any]]
    versions: Mapping[str, tuple[Any, Any]]
    steps: Sequence[tuple[str, Sequence[Fact]]]
    judgements: Sequence[Judgement]
    elsewhere: Sequence[str]
    meanings: Mapping[str, str]


def replayed(address: Address, stored: Stored) -> Replay:
    """Runs a trial again with the table's seed, compares and explains. stored: as `stored.as_run` finds it.

    Or run one that is not stored, such as one that raised. Raises InputError for a row that the spec never asks for,
    also where it raises by a plugin's doing; CannotRunError for one that it no longer asks for or that raises.
    """
    sweep, table = stored.sweep, stored.table
    trials = {cell.identity: sweep.most_trials(cell) for cell in sweep.cells}
    address = address.resolved(done(table.rows), trials, sweep.spec.mechanisms)
    cell = next((cell for cell in sweep.cells if cell.identity == address.cell), None)
    if cell is None or address.mechanism not in sweep.spec.mechanisms:
        origin = table.provenance.get("experiment", sweep.name)
        if origin != sweep.name:
            raise InputError(f"not the table of {sweep.path}: it was made by {origin}", stored.path)
        raise CannotRunError(f"{sweep.path} has changed: it no longer asks for cell {address.cell} with {address.mechanism}")
    made, now = table.provenance["makes"], makes(sweep)
    only = (address.mechanism,), (address.trial,)
    result = run_batch(Batch(sweep.kind.name, cell, *only, made["seed"], omit=sweep.spec.omit))
    if result.fault:
        raise InputError(f"{result.fault}; so it is in trial {address.trial} of cell {address.cell}")
    if result.raised:
        raise CannotRunError(f"trial {address.trial} of cell {address.cell} raised:\n{result.raised[address.trial]}")
    again = Table(result.rows.cast(schema(sweep.kind.name)), table.provenance)
    old, (row,) = stored.trial(address.cell, address.mechanism, address.trial), again.rows.to_pylist()
    judged, elsewhere = _judgements(sweep, again.frame())
    # Every bit, and NaN is NaN.
    unequal = {name: old[name] for name in row if old and name != SECONDS.name and repr(old[name]) != repr(row[name])}
    return Replay(
        address=address,
        stored=old is not None,
        differing={name: (was, row[name]) for name, was in unequal.items()},
        versions={what: (made.get(what), now[what]) for what in now if made.get(what) != now[what] and what != "seed"},
        steps=_steps(row, sweep.kind),
        judgements=judged,
        elsewhere=elsewhere,
        meanings={name: column.meaning for name, column in sweep.kind.table.items()},
    )


def _judgements(sweep: Sweep, row: pd.DataFrame) -> tuple[list[Judgement], list[str]]:
    """The spec's claims that apply to a row, judged on it alone; and those that are about more than one trial."""
    judged, elsewhere = list[Judgement](), []
    for claim in (claims()[name] for name in sweep.spec.claims):
        event = claim.decider
        if not isinstance(event, Event):
            elsewhere.append(claim.id)
        elif claim.trials == sweep.kind.name:
            judged += [
                Judgement(variant.id, event.of_trial(cells.frame), event.allowed(cells.firsts[0]))
                for variant, cells in claim.variants(row)
                if variant.applies(cells.firsts[0])
            ]
    return judged, elsewhere


def _steps(row: Row, kind: Kind) -> list[tuple[str, list[Fact]]]:
    """What the columns say, in the order in which one leads to the next; nulls are left out."""
    by = spent_by(row["mechanism"])
    seen = measured_of(row["mechanism"])
    measured = f"; audits have measured at least {told_share(seen.share)} of it in a setting of theirs" if seen else ""
    origins = {**({"spent": f"here {by}{measured}"} if by else {}), **kind.origins(row)}
    steps: dict[str, list[Fact]] = {title: [] for title in STEPS.values()}
    for column in kind.columns:
        if row[column.name] is not None and column.type != "truth":
            meaning = "; ".join(filter(None, (column.meaning, origins.get(column.name))))
            steps[STEPS[column.role]].append(Fact(column.name, row[column.name], meaning))
    return [(title, facts) for title, facts in steps.items() if facts]


def shortened(cell: str, cells: Iterable[str]) -> str:
    """The shortest beginning of a cell's identity, of at least SHORT digits, that no other of the cells has."""
    others = [other for other in cells if other != cell]
    lengths = range(SHORT, len(cell))
    return next((cell[:n] for n in lengths if not any(other.startswith(cell[:n]) for other in others)), cell)


def commands(findings: Iterable[Finding], stored: Iterable[Stored], out: Location) -> dict[str, str]:
    """For each refuted claim that a single trial can fail, by id, the command that replays the first trial that did."""
    by_name, by_claim = {table.sweep.name: table for table in stored}, dict[str, str]()
    for finding in findings:
        for name, verdict in finding.verdicts:
            if verdict.outcome != "refuted" or finding.claim.kind not in ("certain", "probability"):
                continue
            if name is None or verdict.cell is None or verdict.mechanism is None or verdict.failed_trial is None:
                continue
            sweep, cells = by_name[name].sweep, by_name[name].table.rows["cell"].unique().to_pylist()
            address = Address(called(sweep), shortened(verdict.cell, cells), verdict.failed_trial, verdict.mechanism)
            by_claim.setdefault(finding.claim.id, harness_command(["replay", address, *elsewhere(out)]))
    return by_claim
