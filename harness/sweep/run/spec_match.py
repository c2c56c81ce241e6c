"""How a table stands to a spec: is it that experiment's, and how much of what the spec asks for does it hold?

What makes an experiment's rows is the kind of its trials, its seed, its cells, mechanisms and trials. Titles, questions,
claims, figures and names may change, and the table is still the experiment's.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from harness.sweep.run.run import enough, wanted
from harness.sweep.spec import Sweep, UntilDecided, option
from harness.sweep.table.counted import trials_before
from harness.sweep.table.groups import GROUP_BY, Group
from harness.sweep.table.table import Table
from harness.text import command, one_line

TOLD = 3  # settings, and values of each, that a message names


@dataclass(frozen=True)
class SpecMatch:
    """How a table compares with a spec. other: what makes the table another experiment's, in words.
    lacking: what it has no row of, in words.

    there, wanted: how many trials it holds of those that the spec asks for; a trial counts that all mechanisms have. more: the
    spec may ask for more once it sees these. made: the experiment and the options that made the table, in brackets, where they
    are not this one's and none.
    """

    other: tuple[str, ...]
    lacking: tuple[str, ...] = ()
    there: int = 0
    wanted: int = 0
    more: bool = False
    made: str = ""

    @property
    def whole(self) -> bool:
        """Whether all trials are there."""
        return self.there == self.wanted

    @property
    def count(self) -> str:
        """How many trials there are of how many."""
        return f"{self.there:,} of {'at least ' * self.more}{self.wanted:,} trials"

    @property
    def strange(self) -> str:
        """What makes the table another experiment's, and where it came from; empty if nothing does."""
        return self._told(self.other)

    @property
    def differences(self) -> str:
        """All that keeps it from being the experiment's whole table, and where it came from; empty if it is that."""
        return self._told((*self.other, *self.lacking, *([] if self.whole else [f"it has {self.count}"])))

    def _told(self, differences: tuple[str, ...]) -> str:
        return one_line("; ".join(differences) + (self.made if differences else ""))


def spec_match(sweep: Sweep, table: Table) -> SpecMatch:
    """How a table stands to a spec: whether it is that experiment's, and how many of the spec's trials it holds."""
    kind = table.provenance["kind"]
    if kind != sweep.kind.name:
        return SpecMatch((f"its trials are of kind {kind}, not {sweep.kind.name}",), made=_made(sweep, table))
    decided = isinstance(sweep.spec.trials, UntilDecided)
    trials = enough(sweep, table.cells) or wanted(sweep, table)
    counts = _found(table.rows, trials)
    there = {cell: min(counts.get((cell, name), 0) for name in sweep.spec.mechanisms) for cell in trials}
    return SpecMatch(
        other=tuple(_other(sweep, table, counts.keys())),
        lacking=tuple(_lacking(sweep, {place for place, count in counts.items() if count})),
        there=sum(there.values()),
        wanted=sum(trials.values()),
        more=there != trials and decided,
        made=_made(sweep, table),
    )


def _found(rows: pa.Table, trials: Mapping[str, int]) -> dict[Group, int]:
    """How many of the trials that are asked for each cell has with each mechanism of which it has any row."""
    most = pa.array(trials.values(), pa.int64()).take(pc.index_in(rows["cell"], pa.array(trials, pa.string())))
    counted = (
        rows.select(GROUP_BY).append_column("asked", trials_before(rows, most)).group_by(GROUP_BY).aggregate([("asked", "sum")])
    )
    return {(each["cell"], each["mechanism"]): each["asked_sum"] for each in counted.to_pylist()}


def _other(sweep: Sweep, table: Table, groups: Set[Group]) -> Iterator[str]:
    """What the table holds that the spec does not ask for."""
    cells, seed = {cell.identity for cell in sweep.cells}, table.provenance["makes"]["seed"]
    if seed != sweep.spec.seed:
        yield f"its seed is {seed}, not {sweep.spec.seed}"
    strange = {cell for cell, _ in groups} - cells
    if strange:
        settings = ", ".join(_settings(sweep, table.rows.filter(pc.is_in(table.rows["cell"], pa.array(strange)))))
        yield f"{len(strange)} of its cells are not among the {len(cells)} asked for{settings and f', with {settings}'}"
    mechanisms = sorted({name for _, name in groups} - {*sweep.spec.mechanisms})
    if mechanisms:
        yield f"it has rows of {', '.join(mechanisms)}, which are not asked for"


def _lacking(sweep: Sweep, groups: Set[Group]) -> Iterator[str]:
    """What the spec asks for that the table has no trial of: cells, then mechanisms in the other cells."""
    cells = {cell for cell, _ in groups}
    absent = [cell for cell in sweep.cells if cell.identity not in cells]
    if absent:
        yield f"it lacks {len(absent)} of the {len(sweep.cells)} cells"
    for name in sweep.spec.mechanisms:
        without = sum((cell.identity, name) not in groups for cell in sweep.cells) - len(absent)
        if without:
            yield f"it lacks {name} in {without} of the {len(sweep.cells)} cells"


def _settings(sweep: Sweep, rows: pa.Table) -> Iterator[str]:
    """The first settings in which rows of cells that the spec does not ask for differ from all that it does."""
    listed = 0
    for key in sweep.axes:
        column = sweep.kind.column(key).name if sweep.kind.column(key).name in rows.column_names else None
        spec_values = {getattr(cell, key) for cell in sweep.cells if isinstance(getattr(cell, key), str | int | float)}
        if column is None or not spec_values or listed == TOLD:
            continue
        values = sorted({*pc.unique(rows[column]).to_pylist()} - {*spec_values, None})
        if values:
            listed += 1
            yield f"{key} = {', '.join(f'{value}' for value in values[:TOLD])}{', …' * (len(values) > TOLD)}"


def _made(sweep: Sweep, table: Table) -> str:
    """The experiment and the options that made a table, where they are not this one's and none; else empty."""
    overrides = table.provenance["set"].items()
    options = [option(key, value) for key, value in overrides]
    words = [word for option in options for word in option]
    origin = table.provenance.get("experiment", sweep.name)
    origins = [f"by {origin}"] * (origin != sweep.name) + [f"with {command(words)}"] * bool(words)
    return f" (made {one_line(' '.join(origins))})" if origins else ""
