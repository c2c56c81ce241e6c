"""Text in figures, drawn in earnest: what a title, a group, a learner or any column says stands there letter by letter."""

from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.text import Text

from harness.report import style
from harness.report.defaults import EXPERIMENTS, RESULTS
from harness.report.figures import drawn
from harness.report.figures.lettering import fitted, write_out
from harness.report.figures.plot import plots
from harness.report.settings import Settings, View
from harness.sweep.spec import Sweep
from harness.sweep.spec.figure_spec import FigureSpec
from harness.sweep.table.table import Table
from harness.trials.fields import Identified
from tests.bad_input.mutations import NASTY
from tests.support.committed import content
from tests.support.drawn_files import draw

ROOT = Path(__file__).parents[2]
FEW = 50  # trials of a table that are drawn


@cache
def examples() -> dict[str, str]:
    """For each plot the experiment with the smallest committed table that is drawn so."""

    def size(spec: Path) -> int:
        return (ROOT / RESULTS / f"{spec.stem}.parquet").stat().st_size

    specs = sorted((ROOT / EXPERIMENTS).glob("*.yaml"), key=size, reverse=True)
    figures = {spec.stem: FigureSpec.model_validate(content(spec)["figure"]) for spec in specs}
    return {figure.plot: name for name, figure in figures.items()}


def example(plot: str) -> tuple[pd.DataFrame, View]:
    """A committed table that is drawn so, some of its trials, and what its figure is of."""
    name = examples()[plot]
    frame = Table.read(ROOT / RESULTS / f"{name}.parquet").frame()
    return frame[frame["trial"] < FEW], View.of(Sweep(ROOT / EXPERIMENTS / f"{name}.yaml"))


def spoiled(frame: pd.DataFrame, view: View) -> tuple[pd.DataFrame, View]:
    """The same with nasty words for every name and title."""
    frame, words = frame.copy(), [text for text in NASTY if text.strip()]
    for at, column in enumerate(column for column in view.table.values() if column.type == "text" and column.name != "cell"):
        texts = [words[(at + index) % len(words)] + str(index) for index in range(frame[column.name].nunique())]
        frame[column.name] = frame[column.name].map(dict(zip(frame[column.name].unique(), texts, strict=True)))
    cells = [_spoiled_cell(cell, words) for cell in view.settings.cells]
    renamed = {old.identity: new.identity for old, new in zip(view.settings.cells, cells, strict=True)}
    names = list(frame["mechanism"].unique())
    figure: dict[str, Any] = {"finding": None}
    if view.figure.groups:
        figure["groups"] = {words[0]: names[:1], words[1]: names}
    changes = {"title": words[0], "mechanisms": tuple(names), "figure": view.figure.model_copy(update=figure)}
    settings = Settings(view.settings.kind, cells)
    return frame.assign(cell=frame["cell"].map(renamed)), View(view.spec.model_copy(update=changes), settings)


def _spoiled_cell(cell: Identified, words: list[str]) -> Identified:
    """A cell with nasty words for its names, each with the name that it stands for."""
    names = [axis for axis in type(cell).model_fields if isinstance(getattr(cell, axis), str)]
    texts = {axis: words[at % len(words)] + getattr(cell, axis) for at, axis in enumerate(names)}
    return cell.bare().model_copy(update=texts)


@pytest.mark.law
@pytest.mark.parametrize("plot", sorted(plots()))
def test_every_plot_draws_any_text(plot: str, tmp_path: Path) -> None:
    frame, view = spoiled(*example(plot))
    with style.used():
        figure = drawn(frame, view)
        figure.savefig(tmp_path / "figure.png")
    assert imread(tmp_path / "figure.png").std() > 0.05
    texts = [text for text in figure.findobj(Text) if text.get_text()]
    assert NASTY[0] in [text.get_text().strip() for text in texts]
    assert all(line.isprintable() for text in texts for line in text.get_text().split("\n"))
    assert {text.get_text()[:13] for text in texts if text.get_parse_math() and "$" in text.get_text()} <= {r"$\mathdefault"}


@pytest.mark.at_once("text4")
@pytest.mark.parametrize("text", [NASTY[0], NASTY[1] * 4, NASTY[3] * 4, "", "W" * 200, "x " * 100])
def test_a_title_stands_within_its_figure(text: str, tmp_path: Path) -> None:
    frame, view = example("audit")
    figure = view.figure.model_copy(update={"finding": None})
    titled = View(view.spec.model_copy(update={"title": text, "figure": figure}), view.settings)
    (path,) = draw(frame, titled, tmp_path / "figure", ["png"])
    edges = imread(path)[:, [0, 1, -2, -1], :3]
    assert edges.min() == 1, "nothing is drawn over the sides"


def test_lines_that_fit_stay_and_others_are_broken_or_end_in_dots() -> None:
    assert fitted("one\ntwo", 5, 8) == "one\ntwo" and fitted("", 5, 8) == "" and fitted("a\nb\nc", 5, 8, most=2) == "a\nb"
    assert fitted("two words", 0.5, 11) == "two\nwords"
    wide = fitted("W" * 10**6, 2, 11, "bold").split("\n")
    assert len(wide) == 3 and wide[-1].endswith("…") and set(map(len, wide[:-1])) == {11}
    assert fitted("\x1b\u202e中", 5, 8) == r"\x1b\u202e\u4e2d"


def test_only_the_numbers_of_axes_are_formulas() -> None:
    """Also those of ticks that there will be only when the figure is drawn."""
    with style.used():
        figure = Figure()
        ax = figure.subplots()
        ax.set_xscale("log")
        ax.set_xlim(1, 1e4)
        ax.set_xlabel("$x")
        ax.annotate("$\\frac{$", (1, 1))
        ax.legend([ax.plot([1], [1])[0]], ["$y$"])
        write_out(figure)
        ax.set_xlim(1, 1e9)
        figure.canvas.draw()
        ticks = [label.get_text() for label in ax.get_xticklabels()]
    parsed = {text.get_text(): text.get_parse_math() for text in figure.findobj(Text) if text.get_text()}
    assert not parsed["$x"] and not parsed["$\\frac{$"] and not parsed["$y$"]
    assert all(parsed[tick] for tick in ticks if tick)
