"""What is said of what the mechanisms of a figure spend, where it is so: in the legend if everywhere, else of single panels."""

from collections.abc import Mapping, Sequence

import pandas as pd

from harness.report import style
from harness.report.figures.plot import Panel
from harness.report.spending import MARK, marks, over

IN_PLACES = f"{MARK} in places"


def told_of_privacy(
    frame: pd.DataFrame, rows: Mapping[str, pd.DataFrame], panels: Sequence[Panel]
) -> tuple[Mapping[str, str], Sequence[str]]:
    """Notes on what mechanisms spend: for the legend, by the name there, and for the title of each panel, empty where none is.

    rows: of each panel, by its title, or by what it is `of`. What is so in some panels alone is said there.
    """
    everywhere = spending(frame)
    titles = [panel.title if panel.of is None else panel.of for panel in panels]
    partly = {name for name, said in everywhere.items() if IN_PLACES in said}
    if not partly or len(rows) < 2 or not rows.keys() <= set(titles):
        return {style.style(name).legend: said for name, said in everywhere.items()}, [""] * len(panels)
    notes = {
        of: "; ".join(f"{style.style(name).legend} {said}" for name, said in spending(own).items() if name in partly)
        for of, own in rows.items()
    }
    legend = {style.style(name).legend: said for name, said in everywhere.items() if name not in partly}
    return legend, [notes.get(title, "") for title in titles]


def spending(rows: pd.DataFrame) -> dict[str, str]:
    """Notes on what mechanisms spend, by name: more than ε, in all of these rows or in places, or an ε′ only declared."""
    beyond = over(rows).groupby(rows["mechanism"], sort=False).mean()
    return {name: said.replace(MARK, IN_PLACES) if 0 < beyond[name] < 1 else said for name, said in marks(rows).items()}
