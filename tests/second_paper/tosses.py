"""The paper's kind of trial: how many of m tosses of a coin are heads."""

from typing import Annotated, ClassVar

from pydantic import Field

from harness.trials.columns import Column
from harness.trials.fields import Identified, Probability, Whole
from harness.trials.kind import Kind, Measure
from harness.trials.seeds import BlockStreams


class Coin(Identified, frozen=True):
    """p: the chance of heads."""

    hashed_as: ClassVar[str] = "Coin"

    tosses: Annotated[Whole, Field(ge=1, le=10**6)]
    p: Probability


def measure(cell: Coin, streams: BlockStreams) -> Measure:
    return lambda name: {"heads": int(streams(name).binomial(cell.tosses, cell.p))}


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
    measure=measure,
    resolved=lambda cell, name: {"expected": cell.tosses * cell.p},
)
