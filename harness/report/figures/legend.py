"""What the signs of a figure mean: below all panels, or in a quarter that no panel takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.report.figures.lettering import fitted
from harness.report.figures.page import LEVEL, LINE, PageLayout

SIGN = 0.5  # inches of a sign with what is around it


@dataclass(frozen=True)
class Quarter:
    """The place of an unused panel, and its width and height in inches, in which a legend may be drawn."""

    ax: Axes
    wide: float
    high: float

    @classmethod
    def of(cls, unused: Sequence[Axes], wide: float, high: float) -> "Quarter | None":
        """The first of the axes that are not drawn; the others are removed, and it has no lines."""
        for ax in unused[1:]:
            ax.remove()
        for ax in unused[:1]:
            ax.set_axis_off()
            return cls(ax, wide, high)
        return None

    def holds(self, labels: Sequence[str], points: float) -> bool:
        """Whether a legend of one column fits, below the numbers of the panel above."""
        return (sum(1 + label.count("\n") for label in labels) + 2) * points * LINE / 72 <= self.high


def legend(
    figure: Figure, handles: Sequence[Artist], page: PageLayout, marked: Mapping[str, str], quarter: Quarter | None
) -> int:
    """Draws the legend below all panels, in as many columns as there is room for; gives how many lines it takes.

    Where a quarter among the panels is free and holds it, it is there. marked: what else is to be said, by what the signs mean.
    """
    if not handles:
        return 0
    label_texts = [str(handle.get_label()) for handle in handles]
    label_texts = [f"{each} ({marked[each]})" if each in marked else each for each in label_texts]
    look: dict[str, Any] = {"fontsize": page.tick, "frameon": False, "columnspacing": 1.2}
    columns = 1
    labels = [fitted(each, quarter.wide - SIGN - LEVEL, page.tick, most=3) for each in label_texts] if quarter else []
    inside = quarter is not None and quarter.holds(labels, page.tick)
    if quarter is not None and inside:
        look |= {"loc": "center", "bbox_to_anchor": (0.5, 0.5), "bbox_transform": quarter.ax.transAxes}
    else:
        labels = [fitted(each, page.inches - 0.6, page.tick, most=2) for each in label_texts]
        letters = max(len(line) for label in labels for line in label.split("\n"))
        fitting = max(1, int(page.inches / (SIGN + 0.0078 * page.tick * letters)))  # inches a column of the legend takes
        columns = min(4, fitting, len(handles))
        look["loc"] = "outside lower center"
    blanks = [""] * len(handles)  # what begins with _ would be left out
    figure.legend(handles, blanks, ncols=columns, **look)
    for text, label in zip(figure.legends[0].get_texts(), labels, strict=True):
        text.set_text(label)
    return 0 if inside else -(-sum(1 + label.count("\n") for label in labels) // columns)
