"""The caption beside a figure: its message, the question, what to see and on which instance; and LaTeX takes it as it is."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from matplotlib.mathtext import MathTextParser

from harness.report.figures.caption import Caption
from harness.report.figures.plot import plots
from harness.report.mathematics import typeset
from harness.report.settings import View
from harness.sweep.spec import Sweep
from tests.support.committed import SHORT_OF, rows_of, sweep_of

if TYPE_CHECKING:
    from tests.support.project import Project


ROOT = Path(__file__).parents[2]


def committed(name: str) -> tuple[pd.DataFrame, View]:
    """A table and what its figure is of."""
    return rows_of(name), View.of(sweep_of(name))


def test_a_caption_says_what_on_which_instance_and_what_to_see(project: "Project") -> None:
    sweep = project.sweep(figure='{x: m, panels: [learner], see: "Nothing is wrong"}')
    said = Caption.of(project.run(sweep).table.frame(), View.of(sweep)).text()
    start = "A small sweep. Does Theorem 3.2 hold? Nothing is wrong. Instance: class thresholds; distribution uniform; "
    assert said.startswith(f"{start}learner leftmost and midpoint; n = 10⁹, ")
    assert said.endswith("; 4 trials a point; bars: 95% intervals of the mean, down to the axis where they include 0.")


@pytest.mark.parametrize(
    ("name", "instance"),
    [
        ("agnostic_hard", "class cube_stumps (p = 4); distribution hard (c = 0.693, scale = 0.01); learner erm; n = 10¹¹, "),
        ("multiclass", "class intervals (labels = 3) and intervals (labels = 6); distribution uniform; learner leftmost and "),
        ("rate_exponents", "class halfspaces; distribution ladder (first = 5, last = 1e+06); learner svm; δ = 10⁻⁶, "),
        ("utility_transition", "class ensemble; distribution agreement (right = 0.667); m = 1000, "),
        ("soft_label_transition", "distribution atoms (masses = [0.5, 0.5], chances = [0.5, 0.5]); learner agreement; n = "),
        ("stable_queries", "analyst features (d = 20, rho = 0.3) and features (d = 2000, rho = 0.3); m = 1000, "),
        ("audit", "δ = 10⁻⁶; "),
    ],
)
def test_a_caption_names_what_was_learned_from(name: str, instance: str) -> None:
    frame, view = committed(name)
    assert f" Instance: {instance}" in Caption.of(frame, view).text()


def test_the_caption_of_a_table_is_about_numbers_and_not_about_what_is_drawn(project: "Project") -> None:
    sweep = project.sweep(figure='{x: m, panels: [learner], see: "Circles are below the dashed line"}')
    said = Caption.of(project.run(sweep).table.frame(), View.of(sweep)).text(as_table=True)
    assert said.startswith("A small sweep. Does Theorem 3.2 hold? Instance: class thresholds; ")
    assert said.endswith("; 4 trials a point; 95% intervals of the mean.")


@pytest.mark.parametrize("plot", sorted(SHORT_OF))
def test_no_plot_says_of_numbers_where_they_are_drawn(plot: str) -> None:
    said = plots()[plot].of_numbers(View.of(Sweep(SHORT_OF[plot], tried=True)))
    assert said and not re.search(r"\b(bars?|marks?|axis|lines?|left of|right of|blank|colours?|arrows?)\b", said)


def test_bars_of_two_trials_are_these_two_trials() -> None:
    assert (
        "; 2 trials a point; bars: from the least to the largest of them, " in Caption.of(*committed("stable_queries")).text()
    )


def test_what_means_something_to_latex_means_itself() -> None:
    said = typeset(r"\input{x}~^, {a} & #b $c$ 5%")
    assert said == r"\textbackslash{}input$\{x\}\sim$\^{}, \{a\} \& \#$b$ \$$c$\$ 5\%"


def test_captions_of_what_is_committed_have_no_letter_that_pdflatex_lacks() -> None:
    committed = sorted((Path(__file__).parents[2] / "figures").glob("*.tex"))
    assert len(committed) > 80
    for path in committed:
        assert path.with_suffix(".pdf").is_file() and path.with_suffix(".png").is_file()
        assert path.read_text(encoding="utf-8").isascii(), path.name


@pytest.mark.law
def test_formulas_of_committed_captions_are_read_by_a_typesetter() -> None:
    """By matplotlib's, which refuses two subscripts of one letter as LaTeX does, and has other names for ≤ and ≥."""
    captions = [path.read_text(encoding="ascii") for path in (Path(__file__).parents[2] / "figures").glob("*.tex")]
    formulas = {each for caption in captions for each in re.findall(r"(?<!\\)\$([^$]*)\$", caption)}
    assert len(formulas) > 300
    for formula in formulas:
        MathTextParser("path").parse(f"${re.sub(r'(?<=[lg]e) ', 'q ', formula)}$")
