"""What is said above a figure and below it: what was found, the question, what to see, and the instance with what is drawn."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

import pandas as pd

from harness.report import numerals
from harness.report.figures.plot import Plot, plots
from harness.report.headline import headline
from harness.report.mathematics import typeset
from harness.report.settings import Settings, View
from harness.sweep.table.cells import Cells
from harness.text import one_line

INSTANCE = {"concept": "class", "distribution": "distribution", "learner": "learner", "analyst": "analyst"}
"""Axes of names that say what was learned from, whoever answers; and what a caption calls them."""
FEW = 4  # names in a caption that are said with their parameters; of one name only two
FIRST = ("n", "m", "V", "T", "ε", "δ", "β", "γ")  # of what all panels share; the others follow


@dataclass(frozen=True)
class Caption:
    """The caption of a figure: its title, the settings that all panels share, and how many trials a point is of, in words."""

    view: View
    title: str
    shared: str
    trials: str

    @classmethod
    def of(cls, rows: pd.DataFrame | Cells, view: View, title: str = "") -> "Caption":
        """The caption of a table's figure. title: the headline, where it is known already."""
        cells = view.spread or Cells.of(rows)
        heads, counts = cells.heads, cells.trials
        captioned = [column for column in view.settings.trials.columns if column.caption]
        captioned.sort(key=lambda column: FIRST.index(column.symbol) if column.symbol in FIRST else len(FIRST))
        same = [column for column in captioned if column.is_number and heads[column.name].nunique() == 1]
        shared = [f"{column.symbol} = {numerals.number(heads[column.name].iloc[0])}" for column in same]
        shared += [f"{column.name}: {', '.join(heads[column.name].unique())}" for column in captioned if not column.is_number]
        trials = f"{counts.min():,}" + (f" to {counts.max():,}" if counts.max() > counts.min() else "")
        a_point = f"{trials} trials a point; " if counts.max() > 1 else ""
        return cls(view, title or headline(cells, view), ", ".join(shared), a_point)

    def beneath(self, room: int) -> str:
        """What the panels share and how they are drawn, in one line of so many letters or in two."""
        how = self._drawn(self._plot.caption(self.view))
        return f"{self.shared}; {how}" if len(self.shared) + len(how) < room else f"{self.shared}\n{how}"

    def text(self, as_table: bool = False) -> str:
        """All of it in sentences. as_table: whether of a table of what is drawn, in which there is neither colour nor axis."""
        how = self._drawn(self._plot.of_numbers(self.view) if as_table else self._plot.caption(self.view))
        instance = "; ".join([*_instance(self.view.settings), self.shared, how.replace("\n", "; ")])
        see = "" if as_table else self.view.figure.see
        texts = (self.title, self.view.spec.question, see, f"Instance: {instance}")
        sentences = [one_line(each) for each in texts if each]
        return " ".join(each if each[-1] in ".?!" else f"{each}." for each in sentences)

    def _drawn(self, how: str) -> str:
        """How the panels are drawn, after how many trials there are."""
        return (self.trials + how).removesuffix("; ")

    @property
    def _plot(self) -> Plot:
        return plots()[self.view.figure.plot]


def caption_of(text: str, view: View) -> str:
    """The content of a figure's caption file: the caption, and in a comment a digest of what the spec asked to be drawn."""
    digest = sha256(view.figure.model_dump_json(exclude_defaults=True).encode()).hexdigest()[:12]
    return f"{typeset(text)}\n% drawn as {digest}\n"


def _instance(settings: Settings) -> Iterator[str]:
    """What all cells together were learned from, axis by axis; of many values of one only what they name."""
    for axis in (axis for axis in INSTANCE if axis in type(settings.cells[0]).model_fields):
        cells = list(settings.by_identity)
        values, bare = (list(dict.fromkeys(said(cell, axis) for cell in cells)) for said in (settings.value, settings.bare))
        if len(values) > (2 if len(bare) == 1 else FEW):
            values = bare
        if values != ["none"]:
            yield f"{INSTANCE[axis]} {' and '.join(filter(None, (', '.join(values[:-1]), values[-1])))}"
