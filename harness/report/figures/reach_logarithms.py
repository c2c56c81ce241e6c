"""How far an attack reaches, with what Ω̃ hides put to it: what is left is in proportion to √p/α."""

from collections.abc import Sequence
from typing import ClassVar

import pandas as pd

from harness.claims.bcmnuw20.t14 import quantiles
from harness.report.figures.plot import Panel
from harness.report.figures.reach import ReachPlot
from harness.report.settings import View


class ReachLogarithms(ReachPlot):
    """All rows, times the deviations that a row has to stand out by: BCMNUW20 Theorem 14's r without its logarithm."""

    name: ClassVar[str] = "reach_logarithms"

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        bare = frame.assign(**{end: times_quantiles(frame, end) for end in ("low", "least", "high")})
        label = "rows up to which the attack succeeds, times z₁ − z₂"
        return [Panel(each.title, label, each.draw) for each in super().panels(bare, view)]

    def caption(self, view: View) -> str:
        return f"z₁ − z₂: deviations that named rows stand out by; {super().caption(view)}"


def times_quantiles(frame: pd.DataFrame, end: str) -> "pd.Series[float]":
    """(n + m)(z₁ − z₂) with n in the column `end`."""
    n = frame[end].astype(float)
    return (n + frame["m"].astype(float)) * quantiles(frame.assign(n=n), "m")


PLOT = ReachLogarithms()
