"""How many examples each construction needs, n*, with its interval and beside what its theorem asks for."""

from collections.abc import Sequence
from typing import ClassVar

import pandas as pd

from harness.report.figures.complexity import ComplexityPlot, needed
from harness.report.figures.plot import Panel
from harness.report.settings import View


class NeededPlot(ComplexityPlot):
    """The upper panels of `complexity` alone, every line with its name beside it."""

    name: ClassVar[str] = "needed"
    stacked: ClassVar[int] = 0
    named: ClassVar[float] = 1

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        return needed(frame, view)

    def size(self, frame: pd.DataFrame, view: View) -> tuple[float, float]:
        return 3.4, 3.0


PLOT = NeededPlot()
