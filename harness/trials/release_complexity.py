"""Sample complexity of release, measured: the least n at given m, or the least m at given n, at which the error keeps to α.

With probability 1 − β. One trial is one whole search.
"""

from functools import partial
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from harness.arrays import Bools
from harness.mechanisms.release import releases
from harness.refusal import Refusal
from harness.trials.columns import VACUOUS, Column, N
from harness.trials.concept_cell import MAX_N
from harness.trials.fields import Probability, Whole, kept
from harness.trials.interval import BUDGET, ERROR, HIGH, LOW, RUNS, Interval, OneOfTwo, Runs
from harness.trials.kind import Kind, Measure, Price, Row
from harness.trials.release import PARAMETERS, POINTS, PUBLIC, asked_for, errors
from harness.trials.release_cell import MOST_FULL, MOST_PUBLIC, ReleaseDrawn
from harness.trials.rules import Rule, no_more, vacuous_without
from harness.trials.search import Search
from harness.trials.seeds import BlockStreams

MOST_M = 10**5
"""The largest m that is tried."""


class ReleaseSearch(ReleaseDrawn, OneOfTwo, frozen=True):
    """A cell of a search for a release's least n or m, which is left out. error: the chance that the interval misses it.

    budget: runs at any one value. start: the first value that is tried, by default what a mechanism's own guarantee asks for;
    far below it runs of MWEM have fewer rounds. Whatever it is, the interval is right but for that error.
    """

    hashed_as: ClassVar[str] = "ReleaseSearch"

    error: Probability = 1e-8
    budget: Annotated[Whole, Field(ge=1, le=10**6)] = 1000
    start: Annotated[Whole, Field(ge=1, le=MAX_N)] | None = None

    def most(self) -> int:
        """The largest value that is tried: of m, where the largest cover can still be written down."""
        if self.find == "n":
            return MAX_N if self.sampling == "sufficient" else MOST_FULL
        most = MOST_M
        while most > 1 and self.model_copy(update={"m": most}).refuse(releases()["exact_averages"], self.n) is not None:
            most = int(most / 1.1)
        return min(most, MOST_PUBLIC)


def measure(cell: ReleaseSearch, streams: BlockStreams) -> Measure:
    """Searches in one trial for each release's least n or m: it is in (low, high], but for a chance `error`.

    `least` is the geometric middle, null with `high` where no value up to the largest is enough.
    """
    return lambda name: searched(cell, name, streams)


def searched(cell: ReleaseSearch, name: str, streams: BlockStreams) -> Row:
    """Searches for one release's least n or m: the columns of its interval."""
    runs, most = Runs(streams), cell.most()

    def failures(value: int, indices: range) -> Bools:
        return errors(cell, name, *cell.both(value), indices, partial(runs.streams, value)) > cell.alpha

    search = Search(failures, cell.beta, most, cell.error, cell.budget)
    return INTERVAL.of(search.find(min(cell.start or resolved(cell, name)["asked"] or 10**4, most)))


@kept
def resolved(cell: ReleaseSearch, name: str) -> Row:
    """The columns of what a release's own guarantee asks for."""
    row = asked_for(cell, name)
    if cell.find == "n":
        m, needed, sharp = cell.public, row["needed"], cell.needed(releases()[name], sharp=True)
    else:
        m, needed, sharp = None, cell.explicit_m, cell.explicit_m
    return row | {"m": m, "asked": needed, "asked_sharp": sharp, "vacuous": needed is None}


def refuse(cell: ReleaseSearch, name: str) -> Refusal | None:
    """Why a release's least n or m cannot be searched for on a cell, or None."""
    release = releases()[name]
    if cell.find == "n" and not release.needs_private:
        others = ", ".join(each.name for each in releases().values() if each.needs_private)
        return Refusal(f"{name} looks at no private point, so there is no n; allowed: {others}", "mechanisms")
    if cell.start is not None and cell.start > (most := cell.most()):
        return Refusal(f"a search for {cell.find} cannot begin at {cell.start:,}; allowed: at most {most:,}", "start")
    smallest = cell if cell.find == "n" else cell.model_copy(update={"m": 1})
    return smallest.refuse(release, None if cell.find == "n" else cell.n)


INTERVAL = Interval("least")
VALUE = "of what is searched for"
COLUMNS = (
    *PARAMETERS,
    Column("find", "text", "parameter", "what is searched for", phrases={"n": "private points", "m": "public points"}),
    BUDGET,
    N.but(null=True),
    PUBLIC.but(null=True),
    Column("asked", "whole", "plan", f"what its own guarantee asks for, {VALUE}", unit=POINTS, null=True),
    Column("asked_sharp", "whole", "plan", f"the same by DKW where that is less, {VALUE}", unit=POINTS, null=True),
    LOW.but(meaning=f"the largest shown to be too small, {VALUE}", unit=POINTS),
    HIGH.but(meaning=f"the least shown to be enough, {VALUE}", unit=POINTS),
    Column("least", "real", "measured", "points needed,", "n*", POINTS, null=True, worse=True),
    RUNS,
    ERROR,
    VACUOUS,
)

KIND = Kind(
    name="release_complexity",
    cell=ReleaseSearch,
    subjects=lambda: list(releases()),
    columns=COLUMNS,
    refuse=refuse,
    measure=measure,
    resolved=resolved,
    rules=(
        *INTERVAL.rules,
        Rule("n is null just where m is not", ("n", "m"), lambda n, m: np.isnan(n) != np.isnan(m), nulls=True),
        vacuous_without("asked"),
        no_more("asked_sharp", "asked"),
    ),
    price=Price("least", "low", "high", asked="asked_sharp", base="exact_averages"),
)
