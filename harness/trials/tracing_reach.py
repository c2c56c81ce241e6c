"""How far the tracing attack reaches, measured: up to which n, or to which m, more than m of n + m rows are named.

With chance ½ or more. More than m named rows have a private one among them, so privacy at (1, 1/4n) is contradicted (BCMNUW20
Theorem 13). Of t = c/α² rows, half, less one, are public by default: then t/2 are named (Theorem 14). One trial is one search.
"""

from math import ceil, sqrt
from typing import Annotated, ClassVar

from pydantic import Field

from harness.refusal import Refusal
from harness.trials.columns import Column, N
from harness.trials.fields import Probability, Real, Whole
from harness.trials.interval import BUDGET, ERROR, HIGH, LOW, RUNS, Interval, OneOfTwo, Runs
from harness.trials.kind import Kind, Measure, Row
from harness.trials.release import PUBLIC
from harness.trials.search import Search, one_by_one
from harness.trials.seeds import BlockStreams
from harness.trials.tracing import ATTACKED, ROWS, Attack, Attacked, subjects

CHANCE = 0.5
FARTHEST = 4
"""The largest n that is tried, as a multiple of √p/α, and the largest m, of 1/α²."""


class ReachCell(Attacked, OneOfTwo, frozen=True):
    """A cell of a search for the least n, or the least m, at which the tracing attack fails; the one searched for is left out.

    c: t = c/α² of Theorem 14. m: public rows, by default ⌈t/2⌉ − 1. error: the chance that the interval misses what is searched
    for. budget: runs at any one value.
    """

    hashed_as: ClassVar[str] = "ReachCell"

    c: Annotated[Real, Field(gt=0, le=100)] = 0.25
    n: Annotated[Whole, Field(ge=1, le=10**7)] | None = None
    m: Annotated[Whole, Field(ge=0, le=10**6)] | None = None
    error: Probability = 1e-6
    budget: Annotated[Whole, Field(ge=1, le=10**6)] = 150

    @property
    def public(self) -> int:
        return max(0, ceil(self.c / self.alpha**2 / 2) - 1) if self.m is None else self.m

    @property
    def root(self) -> float:
        """√p/α."""
        return sqrt(self.p) / self.alpha

    @property
    def most(self) -> int:
        """The largest value that is tried."""
        return ceil(FARTHEST * (self.root if self.find == "n" else self.alpha**-2)) + 10


def measure(cell: ReachCell, streams: BlockStreams) -> Measure:
    """Searches in one trial for the n or m from which on the attack fails: it is in (low, high], but for a chance `error`.

    `least` is the geometric middle, null with `high` where the attack succeeds up to the largest value that is tried.
    """
    return lambda name: searched(cell, name, streams)


def searched(cell: ReachCell, name: str, streams: BlockStreams) -> Row:
    """Searches for the least n or m at which the attack on one mechanism fails: the columns of its interval."""
    runs = Runs(streams, f"{name}/")

    def traced(value: int, index: int) -> bool:
        n, m = cell.both(value)
        return bool(Attack(cell, n, m, runs.streams(value, index)).made(name)["named"] > m)

    search = Search(one_by_one(traced), CHANCE, cell.most, cell.error, cell.budget)
    return INTERVAL.of(search.find(max(2, cell.most // (10 * FARTHEST))))


def refuse(cell: ReachCell, name: str) -> Refusal | None:
    """Why the attack's reach cannot be searched for on a mechanism and a cell, or None."""
    return cell.refuse(name, *cell.both(cell.most))


INTERVAL = Interval("least")
VALUE = "of what is searched for"
COLUMNS = (
    *ATTACKED,
    Column("find", "text", "parameter", "what is searched for", phrases={"n": "private rows", "m": "public rows"}),
    Column("c", "real", "parameter", "of t = c/α²", "c"),
    BUDGET,
    N.but(role="parameter", meaning="private rows", unit=ROWS, null=True),
    PUBLIC.but(meaning="public rows", unit=ROWS, null=True),
    Column("root", "real", "plan", "√p/α", title="√p/α"),
    LOW.but(meaning=f"the largest at which the attack is shown to succeed, {VALUE}", unit=ROWS, worse=False),
    HIGH.but(meaning=f"the least at which it is shown to fail, {VALUE}", unit=ROWS, worse=False),
    Column("least", "real", "measured", "rows from which on the attack fails", unit=ROWS, null=True),
    RUNS,
    ERROR,
)

KIND = Kind(
    name="tracing_reach",
    cell=ReachCell,
    subjects=subjects,
    columns=COLUMNS,
    refuse=refuse,
    measure=measure,
    resolved=lambda cell, name: {"m": cell.public if cell.find == "n" else None},
    rules=INTERVAL.rules,
)
