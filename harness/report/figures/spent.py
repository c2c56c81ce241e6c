"""The ε that a run really spends at the claimed δ, against the ε that is claimed."""

from collections.abc import Sequence

import pandas as pd

from harness.report.figures.plot import Mark
from harness.sweep.spec import Spec


class Spent:
    """The certified upper bound, with a bar down to what an attack shows to be spent at least."""

    name = "spent"
    logarithmic = True

    def mark(self, rows: pd.DataFrame, spec: Spec) -> Mark:
        first = rows.iloc[0]
        upper = float(first["spent_upper"])
        return Mark(upper, float(first["spent_lower"]), upper, {"claimed ε": float(first["eps"])})

    def mechanisms(self, frame: pd.DataFrame, spec: Spec) -> Sequence[str]:
        return list(frame["mechanism"].unique())

    def axis_label(self, spec: Spec) -> str:
        return "ε spent at the claimed δ"

    def caption(self, spec: Spec) -> str:
        return "marks: certified upper bound, bars: down to what an attack shows"


PLOT = Spent()
