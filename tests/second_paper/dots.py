"""The paper's plot: a dot for each trial."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from harness.report.figures.plot import Panel, Plot, by_panel
from harness.report.settings import View


class Dots(Plot):
    name = "dots"

    def panels(self, frame: pd.DataFrame, view: View) -> Sequence[Panel]:
        x, y = view.column(view.figure.x), view.figure.y

        def panel(title: str, rows: pd.DataFrame) -> Panel:
            def draw(ax: Axes) -> None:
                ax.plot(rows[x], rows[y], "k.")

            return Panel(title, view.heading(y), draw)

        return [panel(title, rows) for title, rows in by_panel(frame, view)]

    def legend(self, frame: pd.DataFrame, view: View) -> Sequence[Artist]:
        return [Line2D([], [], color="black", marker=".", linestyle="none", label="a trial")]

    def caption(self, view: View) -> str:
        return "a dot for each trial"


PLOT = Dots()
