"""What the kinds of trial share that search for a number: how its interval is said, by which rules, and on which runs.

One trial is one whole search, so cells are searched in parallel and a finished search is never repeated.
"""

from abc import abstractmethod
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from pydantic import model_validator

from harness.mechanisms import Streams
from harness.trials.columns import Column
from harness.trials.fields import Identified
from harness.trials.kind import Row
from harness.trials.rules import ROUNDED, Rule, at_least, close
from harness.trials.search import Found

POINTS = 10_000  # of a grid of a search: more than from 1 to 10¹⁸ at a ratio of 1.02, or to 10⁷ at 1.002
SURER = 100  # runs that a guess takes at most

BUDGET = Column("budget", "whole", "parameter", "runs at any one value", unit="runs")
ERROR = Column("error", "real", "parameter", "chance that the interval misses what is searched for")
LOW = Column("low", "whole", "measured", "the largest value shown to be too small", worse=True)
HIGH = Column("high", "whole", "measured", "the least value shown to be enough", null=True, worse=True)
RUNS = Column("runs", "whole", "measured", "runs that the search took", unit="runs")


@dataclass(frozen=True)
class Interval:
    """The columns of a number that is searched for: low < number ≤ high, the number being told as the geometric middle.

    whole: a number of things, which is at least 1. Of any other, nothing is told where low is 0.
    """

    number: str
    low: str = "low"
    high: str = "high"
    whole: bool = True

    def row(self, low: float, high: float | None, runs: int) -> Row:
        """The columns of a search's interval: 0 where no value was too small, None where none was enough, and the runs."""
        least = max(1, low) if self.whole else low
        return {
            self.low: low,
            self.high: high,
            self.number: sqrt(least * high) if least and high is not None else None,
            "runs": runs,
        }

    def of(self, interval: Found) -> Row:
        """The columns of a number that is searched for as it is."""
        return self.row(interval.low, interval.high, interval.runs)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules for every row: no point of the grid has more runs than the budget, or than a guess takes."""
        ends, spare, least = (self.low, self.high), 0 if self.whole else ROUNDED, 1 if self.whole else 0
        return (
            Rule(f"{self.low} < {self.high}", ends, lambda low, high: low < high * (1 + spare)),
            Rule(
                f"{self.number} = √({self.low} {self.high})" + (f", with 1 for 0 in {self.low}" if self.whole else ""),
                (self.number, *ends),
                lambda number, low, high: close(number, np.sqrt(np.maximum(least, low) * high)),
            ),
            Rule(
                f"{self.number} is null just where {self.high} is null" + ("" if self.whole else f" or {self.low} is 0"),
                (self.number, *ends),
                lambda number, low, high: np.isnan(number) == (np.isnan(high) | (np.maximum(least, low) == 0)),
                nulls=True,
            ),
            *([at_least("runs", 1)] if self.whole else []),
            Rule(
                f"runs ≤ {POINTS:,} budget",
                ("runs", "budget"),
                lambda runs, budget: runs <= POINTS * np.maximum(budget, SURER),
            ),
        )


class OneOfTwo(Identified, frozen=True):
    """A cell of a search for n or m, private or public points: the one searched for is left out."""

    find: Literal["n", "m"] = "n"

    if TYPE_CHECKING:
        n: int | None
        m: int | None

    @property
    @abstractmethod
    def public(self) -> int:
        """m, where n is searched for."""

    @model_validator(mode="after")
    def _left_out(self) -> Self:
        if getattr(self, self.find) is not None:
            raise ValueError(f"{self.find} is what is searched for; allowed: to leave it out")
        if self.find == "m" and self.n is None:
            raise ValueError("m is searched for at a given n; allowed: n")
        return self

    def both(self, value: int) -> tuple[int, int]:
        """n and m where the searched one has this value."""
        return (value, self.public) if self.find == "n" else (self.n or 0, value)


@dataclass(frozen=True)
class Runs:
    """The random streams of a search's runs. trial: its trial's streams. of: a mechanism's prefix, empty if they are shared."""

    trial: Streams
    of: str = ""

    def streams(self, value: int, index: int) -> Streams:
        """The streams of one run at a value, or of the runs from that one on which are drawn together."""
        return lambda purpose: self.trial(f"{self.of}{value}/{index}/{purpose}")
