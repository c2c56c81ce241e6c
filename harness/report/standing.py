"""What every mechanism is held to in every table, without being named by a spec: that it keeps its own bound.

A kind of trial says what its subjects promise (`trials.kind.Promise`). It is asked of each mechanism in each cell where that
runs on its own plan: not with fewer chunks, and with no constant changed. A break is expected where a claim of the registry
says that the same quantity breaks there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from harness.arrays import Bools
from harness.claims.engine import Claim, Event
from harness.claims.engine.conditions import met
from harness.claims.engine.verdict import ROUNDING
from harness.claims.registry import claims
from harness.report.defaults import RESULTS
from harness.report.replay import Address, shortened
from harness.report.stored import Stored, called, elsewhere
from harness.sweep.plugins import harness_command
from harness.sweep.plugins.faults import blaming
from harness.sweep.table.cells import Cells
from harness.sweep.table.samples import counts
from harness.theory.confidence import excludes
from harness.theory.factors import SetName
from harness.trials.kind import Promise

STANDING_ERROR = 1e-6
"""The chance that anything at all is told of tables on which every mechanism keeps its own bound."""


@dataclass(frozen=True)
class BrokenBound:
    """A mechanism that breaks its own bound in a cell.

    failures of trials have more of `quantity` than the column `bound` says, which may happen with probability `allowed`; times:
    the largest multiple of the bound that was measured, infinite of a bound of 0. failed_trial: the first. expected_by: a claim
    that says so; empty where none does.
    """

    experiment: str
    cell: str
    mechanism: str
    quantity: str
    bound: str
    trials: int
    failures: int
    allowed: float
    times: float
    failed_trial: int
    expected_by: str = ""


def broken_bounds(stored: Sequence[Stored], error: float = STANDING_ERROR) -> list[BrokenBound]:
    """The mechanisms' own bounds that rows refute; the chance that any of these refutations is false is at most `error`.

    By confidence sequences, as a run may stop where its claims are decided. Tables that are not as their spec makes them are
    left out: see `recomputed`.
    """
    sound = [table for table in stored if not table.recomputed.departures]
    held = [(table, _Held.of(table.table.cells, promise)) for table in sound for promise in table.sweep.kind.promises]
    share = error / max(1, sum(int(each.tested.sum()) for _, each in held))
    return [found for table, each in held for found in each.refuted(table, share)]


@dataclass(frozen=True)
class _Held:
    """A promise beside the rows of a table, by cell and mechanism. tested: which of them."""

    cells: Cells
    promise: Promise
    tested: Bools
    trials: Any
    failures: Any

    @classmethod
    def of(cls, cells: Cells, promise: Promise) -> "_Held":
        """What is measured against what is promised, all cells at once."""
        size = len(cells.heads)
        trials, failures = np.zeros((2, size), np.int64)
        for numbers, rows in cells.pieces([promise.quantity, promise.bound]):
            there, over, times = _there(rows, promise), _over(rows, promise), counts(rows)
            trials += np.bincount(numbers[there], times[there], minlength=size).astype(np.int64)
            failures += np.bincount(numbers[over], times[over], minlength=size).astype(np.int64)
        tested = (
            on_its_own_plan(cells.heads, promise) & (trials > 0) & (promise.betas * _reals(cells.heads, promise.chance) < 1)
        )
        return cls(cells, promise, tested, trials, failures)

    def refuted(self, table: Stored, share: float) -> Iterator[BrokenBound]:
        """Each break that is no chance. share: the chance of one that is."""
        allowed = self.promise.betas * _reals(self.cells.heads, self.promise.chance)
        for number in np.flatnonzero(self.tested & (self.failures > allowed * self.trials)):
            failures, trials, chance = int(self.failures[number]), int(self.trials[number]), float(allowed[number])
            if excludes(chance, failures, trials, share):
                yield self._told(table, int(number), failures, trials, chance)

    def _told(self, table: Stored, number: int, failures: int, trials: int, allowed: float) -> BrokenBound:
        first, names = self.cells.firsts[number], (self.promise.quantity, self.promise.bound, "trial")
        rows = pd.concat([rows[_over(rows, self.promise)] for rows in self.cells.pieces_of(number, names)])
        measured, bound = (_reals(rows, name) for name in (self.promise.quantity, self.promise.bound))
        with np.errstate(divide="ignore"):
            times = float((measured / bound).max())
        return BrokenBound(
            table.sweep.name,
            str(first["cell"]),
            str(first["mechanism"]),
            self.promise.quantity,
            self.promise.bound,
            trials,
            failures,
            allowed,
            times,
            int(rows["trial"].iloc[0]),
            expected_by(first, table.sweep.kind.name, self.promise.quantity),
        )


def _there(rows: pd.DataFrame, promise: Promise) -> Bools:
    """The rows in which the quantity and its bound are known."""
    return np.asarray(~np.isnan(_reals(rows, promise.quantity)) & ~np.isnan(_reals(rows, promise.bound)), bool)


def _over(rows: pd.DataFrame, promise: Promise) -> Bools:
    """Those in which it is more."""
    measured, bound = _reals(rows, promise.quantity), _reals(rows, promise.bound)
    return np.asarray(_there(rows, promise) & (measured > bound * (1 + ROUNDING)), bool)


def on_its_own_plan(heads: pd.DataFrame, promise: Promise) -> Bools:
    """For each row whether its mechanism runs on the plan that its promise is about."""
    on_plan = np.ones(len(heads), bool)
    for name in promise.unset:
        on_plan &= heads[name].isna().to_numpy()
    for name, least in promise.least.items():
        on_plan &= _reals(heads, name) >= least
    for name, value in promise.only.items():
        on_plan &= (heads[name] == value).to_numpy(bool)
    if "constants" in heads:
        on_plan &= ~heads["constants"].astype(str).map(lambda name: bool(SetName.read(name).change)).to_numpy(bool)
    return on_plan


def expected_by(first: pd.Series, kind: str, quantity: str) -> str:
    """The id of the claim whose bound on `quantity` is expected to be refuted in a row's cell; empty where none is."""
    return next((name for name, claim in claims().items() if _breaks_at(claim, first, kind, quantity)), "")


def _breaks_at(claim: Claim, first: pd.Series, kind: str, quantity: str) -> bool:
    """Whether a claim on a quantity is expected to be refuted, and speaks of the cell."""
    decider = claim.decider
    if claim.expected != "refuted" or claim.trials != kind or not isinstance(decider, Event):
        return False
    if quantity not in {limit.quantity for limit in decider.limits}:
        return False
    with blaming(claim.id):
        where = (*claim.where, *claim.breaks)
        return met(where, first) == len(where)


def _reals(rows: pd.DataFrame, name: str) -> Any:
    return rows[name].to_numpy(float, na_value=np.nan)


def told_broken(broken: Sequence[BrokenBound], stored: Sequence[Stored]) -> list[str]:
    """Lines on broken bounds that no claim expects: one a mechanism and table, with a command that replays one."""
    tables = {table.sweep.name: table for table in stored}
    by_mechanism: dict[tuple[str, str, str], list[BrokenBound]] = {}
    for bound in broken:
        if not bound.expected_by:
            by_mechanism.setdefault((bound.experiment, bound.mechanism, bound.quantity), []).append(bound)
    return [_line(some, tables[place]) for (place, _, _), some in by_mechanism.items()]


def _line(some: Sequence[BrokenBound], table: Stored) -> str:
    worst = max(some, key=lambda one: one.failures / one.trials)
    cells = table.table.rows["cell"].unique().to_pylist()
    address = Address(called(table.sweep), shortened(worst.cell, cells), worst.failed_trial, worst.mechanism)
    many = f"in {len(some)} cells of {worst.experiment}, in one of them " if len(some) > 1 else f"in {worst.experiment}, "
    times = max(each.times for each in some)
    much = f", up to {times:,.3g} times as much" if np.isfinite(times) else ""
    replay = harness_command(["replay", address, *(elsewhere(folder) if (folder := table.path.parent) != RESULTS else ())])
    return (
        f"{worst.mechanism} breaks its own bound {many}in {worst.failures:,} of {worst.trials:,} trials, where a share of "
        f"{worst.allowed:g} may: {worst.quantity} is more than {worst.bound}{much}; {replay}"
    )


def broken_json(broken: Sequence[BrokenBound]) -> list[dict[str, Any]]:
    """The broken bounds as one flat object each; `times` is null where the bound is 0."""
    return [asdict(each) | {"times": each.times if np.isfinite(each.times) else None} for each in broken]
