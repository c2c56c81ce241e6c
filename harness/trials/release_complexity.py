"""Sample complexity of release, measured: the least n at given m, or the least m at given n, at which the error keeps to α.

With probability 1 − β. One trial is one whole search.
"""

from collections.abc import Sequence
from math import sqrt
from time import perf_counter
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from harness.mechanisms.release import releases
from harness.refusal import Refusal
from harness.trials.columns import VACUOUS, Column, N
from harness.trials.concept_cell import MAX_N
from harness.trials.fields import Probability, Whole
from harness.trials.kind import Kind, Price, Row
from harness.trials.release import PARAMETERS, POINTS, PUBLIC, Drawing, described
from harness.trials.release_cell import MOST_FULL, MOST_PUBLIC, ReleaseDrawn
from harness.trials.rules import Rule, interval, vacuous_without
from harness.trials.search import Search
from harness.trials.seeds import stream

MOST_M = 10**5
"""The largest m that is tried."""


class ReleaseSearch(ReleaseDrawn, frozen=True):
    """What is searched for, n or m, which is then left out. error: the chance that the interval misses it.

    budget: runs at any one value.
    """

    find: Literal["n", "m"] = "n"
    error: Probability = 1e-8
    budget: Annotated[Whole, Field(ge=1, le=10**6)] = 1000

    @model_validator(mode="after")
    def _left_out(self) -> Self:
        if getattr(self, self.find) is not None:
            raise ValueError(f"{self.find} is what is searched for; allowed: to leave it out")
        if self.find == "m" and self.n is None:
            raise ValueError("m is searched for at a given n; allowed: n")
        return self

    def most(self) -> int:
        """The largest value that is tried: of m, where the largest cover can still be written down."""
        if self.find == "n":
            return MAX_N if self.sampling == "sufficient" else MOST_FULL
        most = MOST_M
        while most > 1 and self.model_copy(update={"m": most}).refuse(releases()["exact_averages"], self.n) is not None:
            most = int(most / 1.1)
        return min(most, MOST_PUBLIC)


def run(cell: ReleaseSearch, names: Sequence[str], seed: int, trial: int) -> list[Row]:
    """One row for each named mechanism: low < least ≤ high, but for an `error` of it, and `least` between.

    `least` is the geometric middle, null with `high` where no value up to the largest is enough. `asked` is what the
    mechanism's own guarantee asks for.
    """
    return [searched(cell, name, seed, trial) for name in names]


def searched(cell: ReleaseSearch, name: str, seed: int, trial: int) -> Row:
    """The row of one mechanism."""
    start, release, known = perf_counter(), releases()[name], parameters(cell, name)

    def fails(value: int, index: int) -> bool:
        def streams(purpose: str) -> np.random.Generator:
            return stream(cell.identity, seed, trial, f"{value}/{index}/{purpose}")

        n, m = (value, cell.public) if cell.find == "n" else (cell.n or 0, value)
        drawing = Drawing(cell, m, streams)
        return bool(drawing.made(release, drawing.cover(), n)["error"] > cell.alpha)

    most = cell.most()
    found = Search(fails, cell.beta, most, cell.error, cell.budget).find(min(known["asked"] or 10**4, most))
    return known | {
        "trial": trial,
        "low": found.low,
        "high": found.high,
        "least": None if found.high is None else sqrt(max(1, found.low) * found.high),
        "runs": found.runs,
        "seconds": perf_counter() - start,
    }


def parameters(cell: ReleaseSearch, name: str) -> Row:
    """The cell's parameters, and what a mechanism's own guarantee asks for."""
    known = described(cell, name)
    asked = known["needed"] if cell.find == "n" else cell.explicit_m
    return known | {
        "find": cell.find,
        "error": cell.error,
        "budget": cell.budget,
        "n": cell.n,
        "m": cell.public if cell.find == "n" else None,
        "asked": asked,
        "vacuous": asked is None,
    }


def refuse(cell: ReleaseSearch, name: str) -> Refusal | None:
    """Why a mechanism cannot be searched on a cell."""
    release = releases()[name]
    if cell.find == "n" and not release.needs_private:
        others = ", ".join(each.name for each in releases().values() if each.needs_private)
        return Refusal(f"{name} looks at no private point, so there is no n; allowed: {others}", "mechanisms")
    at = cell if cell.find == "n" else cell.model_copy(update={"m": 1})
    return at.refuse(release, None if cell.find == "n" else cell.n)


VALUE = "of what is searched for"
COLUMNS = (
    *PARAMETERS,
    Column("find", "text", "parameter", "what is searched for", phrases={"n": "private points", "m": "public points"}),
    Column("budget", "whole", "parameter", "runs at any one value", unit="runs"),
    N.but(null=True),
    PUBLIC.but(null=True),
    Column("asked", "whole", "plan", f"what its own guarantee asks for, {VALUE}", unit=POINTS, null=True),
    Column("low", "whole", "measured", f"the largest shown to be too small, {VALUE}", unit=POINTS, worse=True),
    Column("high", "whole", "measured", f"the least shown to be enough, {VALUE}", unit=POINTS, null=True, worse=True),
    Column("least", "real", "measured", "points needed,", "n*", POINTS, null=True, worse=True),
    Column("runs", "whole", "measured", "runs that the search took", unit="runs"),
    Column("error", "real", "parameter", "chance that the interval misses what is searched for"),
    VACUOUS,
)

KIND = Kind(
    name="release_complexity",
    cell=ReleaseSearch,
    subjects=lambda: list(releases()),
    columns=COLUMNS,
    refuse=refuse,
    run=run,
    parameters=parameters,
    rules=(
        *interval("low", "high", "least"),
        Rule("n is null just where m is not", ("n", "m"), lambda n, m: np.isnan(n) != np.isnan(m), nulls=True),
        vacuous_without("asked"),
    ),
    price=Price("least", "low", "high", asked="asked", base="exact_averages"),
)
