"""How far the tracing attack reaches, measured: up to which n, or to which m, more than m of n + m rows are named.

With chance ½ or more. More than m named rows have a private one among them, so privacy at (1, 1/4n) is contradicted (BCMNUW20
Theorem 13). Of t = c/α² rows, half, less one, are public by default: then t/2 are named (Theorem 14). One trial is one search.
"""

from collections.abc import Sequence
from math import ceil, sqrt
from time import perf_counter
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from harness.refusal import Refusal
from harness.trials.columns import Column, N
from harness.trials.fields import Probability, Real, Whole
from harness.trials.kind import Kind, Row
from harness.trials.release import PUBLIC
from harness.trials.rules import interval
from harness.trials.search import Search
from harness.trials.seeds import stream
from harness.trials.tracing import ATTACKED, ROWS, Attack, Attacked, subjects

CHANCE = 0.5
FARTHEST = 4
"""The largest n that is tried, as a multiple of √p/α, and the largest m, of 1/α²."""


class ReachCell(Attacked, frozen=True):
    """What is searched for: the least n, or the least m, at which the attack fails; it is then left out.

    c: t = c/α² of Theorem 14. m: public rows, by default ⌈t/2⌉ − 1. error: the chance that the interval misses what is searched
    for. budget: runs at any one value.
    """

    find: Literal["n", "m"] = "n"
    c: Annotated[Real, Field(gt=0, le=100)] = 0.25
    n: Annotated[Whole, Field(ge=1, le=10**7)] | None = None
    m: Annotated[Whole, Field(ge=0, le=10**6)] | None = None
    error: Probability = 1e-6
    budget: Annotated[Whole, Field(ge=1, le=10**6)] = 150

    @model_validator(mode="after")
    def _left_out(self) -> Self:
        if getattr(self, self.find) is not None:
            raise ValueError(f"{self.find} is what is searched for; allowed: to leave it out")
        if self.find == "m" and self.n is None:
            raise ValueError("m is searched for at a given n; allowed: n")
        return self

    @property
    def public(self) -> int:
        """m, where n is searched for."""
        return max(0, ceil(self.c / self.alpha**2 / 2) - 1) if self.m is None else self.m

    @property
    def root(self) -> float:
        """√p/α."""
        return sqrt(self.p) / self.alpha

    @property
    def most(self) -> int:
        """The largest value that is tried."""
        return ceil(FARTHEST * (self.root if self.find == "n" else self.alpha**-2)) + 10


def run(cell: ReachCell, names: Sequence[str], seed: int, trial: int) -> list[Row]:
    """One row for each named mechanism: the attack names more than m rows at `low` and not at `high`, but for an `error` of it.

    `least` is the geometric middle, null with `high` where the attack succeeds up to the largest value that is tried.
    """
    return [searched(cell, name, seed, trial) for name in names]


def searched(cell: ReachCell, name: str, seed: int, trial: int) -> Row:
    """The row of one mechanism."""
    start = perf_counter()

    def traced(value: int, index: int) -> bool:
        def streams(purpose: str) -> np.random.Generator:
            return stream(cell.identity, seed, trial, f"{name}/{value}/{index}/{purpose}")

        n, m = (value, cell.public) if cell.find == "n" else (cell.n or 1, value)
        return bool(Attack(cell, n, m, streams).made(name)["named"] > m)

    found = Search(traced, CHANCE, cell.most, cell.error, cell.budget).find(max(2, cell.most // (10 * FARTHEST)))
    return parameters(cell, name) | {
        "trial": trial,
        "low": found.low,
        "high": found.high,
        "least": None if found.high is None else sqrt(max(1, found.low) * found.high),
        "runs": found.runs,
        "seconds": perf_counter() - start,
    }


def parameters(cell: ReachCell, name: str) -> Row:
    """The cell's parameters, and what follows from them."""
    known = {"cell": cell.identity, "mechanism": name, **cell.model_dump()}
    return known | {"m": cell.public if cell.find == "n" else None, "root": cell.root}


def refuse(cell: ReachCell, name: str) -> Refusal | None:
    """Why a mechanism cannot be searched on a cell."""
    n, m = (cell.most, cell.public) if cell.find == "n" else (cell.n or 1, cell.most)
    return cell.refuse(name, n, m)


VALUE = "of what is searched for"
COLUMNS = (
    *ATTACKED,
    Column("find", "text", "parameter", "what is searched for", phrases={"n": "private rows", "m": "public rows"}),
    Column("c", "real", "parameter", "of t = c/α²", "c"),
    Column("budget", "whole", "parameter", "runs at any one value", unit="runs"),
    N.but(role="parameter", meaning="private rows", unit=ROWS, null=True),
    PUBLIC.but(meaning="public rows", unit=ROWS, null=True),
    Column("root", "real", "plan", "√p/α", title="√p/α"),
    Column("low", "whole", "measured", f"the largest at which the attack is shown to succeed, {VALUE}", unit=ROWS),
    Column("high", "whole", "measured", f"the least at which it is shown to fail, {VALUE}", unit=ROWS, null=True),
    Column("least", "real", "measured", "rows from which on the attack fails", unit=ROWS, null=True),
    Column("runs", "whole", "measured", "runs that the search took", unit="runs"),
    Column("error", "real", "parameter", "chance that the interval misses what is searched for"),
)

KIND = Kind(
    name="tracing_reach",
    cell=ReachCell,
    subjects=subjects,
    columns=COLUMNS,
    refuse=refuse,
    run=run,
    parameters=parameters,
    rules=interval("low", "high", "least"),
)
