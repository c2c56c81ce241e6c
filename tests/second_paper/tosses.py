"""The paper's kind of trial: how many of m tosses of a coin are heads."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from harness.trials.columns import Column
from harness.trials.fields import Identified, Probability, Whole
from harness.trials.kind import Kind, Row, rows_of
from harness.trials.seeds import stream


class Coin(Identified, frozen=True):
    """p: the chance of heads."""

    tosses: Annotated[Whole, Field(ge=1, le=10**6)]
    p: Probability


def run(cell: Coin, names: Sequence[str], seed: int, trial: int) -> list[Row]:
    def measure(name: str) -> Row:
        heads = int(stream(cell.identity, seed, trial, name).binomial(cell.tosses, cell.p))
        return {"heads": heads, "expected": cell.tosses * cell.p}

    return rows_of(cell, names, trial, measure)


KIND = Kind(
    name="tosses",
    cell=Coin,
    subjects=lambda: ["coin"],
    columns=(
        Column("tosses", "whole", "parameter", "tosses", "N", unit="tosses", caption=True),
        Column("p", "real", "parameter", "chance of heads", "p", caption=True),
        Column("heads", "whole", "measured", "heads", unit="tosses", worse=True),
        Column("expected", "real", "claimed", "heads that are expected", unit="tosses"),
    ),
    refuse=lambda cell, name: None,
    run=run,
)
