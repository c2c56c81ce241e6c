"""What a plot is: how the rows at one point become a mark with an interval and a bound."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pandas as pd

from harness.sweep.spec import Spec


@dataclass(frozen=True)
class Mark:
    """One mechanism at one point.

    value with [low, high]: measured. bounds: what is claimed, by the name that the legend gives it. hollow: drawn without fill,
    as nothing is claimed there. floor: where a value of zero is shown on a logarithmic axis, by an arrow.
    """

    value: float
    low: float
    high: float
    bounds: Mapping[str, float]
    hollow: bool = False
    floor: float = 0.0


class Plot(Protocol):
    """A way to look at a table.

    name: as specs spell it. logarithmic: whether the vertical axis is. shared_bound: whether what is claimed is the same for
    all mechanisms.
    """

    name: str
    logarithmic: bool
    shared_bound: bool

    def mark(self, rows: pd.DataFrame, spec: Spec) -> Mark:
        """The mark of the rows of one mechanism at one point."""

    def mechanisms(self, frame: pd.DataFrame, spec: Spec) -> Sequence[str]:
        """Those with something to show, in the order of the legend."""

    def axis_label(self, spec: Spec) -> str:
        """What the vertical axis shows."""

    def caption(self, spec: Spec) -> str:
        """What the bars are."""
