"""The caption beside a figure: its message, the question, what to see and on which instance; and LaTeX takes it as it is."""

from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from harness.report.figures import described
from harness.report.latex import in_latex
from harness.report.settings import View
from tests.support.committed import rows_of, sweep_of

if TYPE_CHECKING:
    from tests.support.project import Project


ROOT = Path(__file__).parents[2]


def committed(name: str) -> tuple[pd.DataFrame, View]:
    """A table and what its figure is of."""
    return rows_of(name), View.of(sweep_of(name))


def test_a_caption_says_what_on_which_instance_and_what_to_see(project: "Project") -> None:
    sweep = project.sweep(figure='{x: m, panels: [learner], see: "Nothing is wrong"}')
    said = described(project.run(sweep).table.frame(), View.of(sweep))
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
    assert f" Instance: {instance}" in described(frame, view)


def test_bars_of_two_trials_are_these_two_trials() -> None:
    assert "; 2 trials a point; bars: from the least to the largest of them, " in described(*committed("stable_queries"))


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("m = 10⁵, ε = 1", r"m = 10$^{5}$, $\varepsilon$ = 1"),
        ("δ = 10⁻⁶ & 5%", r"$\delta$ = 10$^{-6}$ \& 5\%"),
        ("A_OQR, {a} #1 $x$", r"A\_OQR, \{a\} \#1 \$x\$"),
        (r"\input{x}~^", r"\textbackslash{}input\{x\}\textasciitilde{}\^{}"),
        ("n ≤ √p − 1, H̃, a₁", r"n $\le$ $\surd$p $-$ 1, $\tilde{H}$, a$_{1}$"),
    ],
)
def test_what_means_something_to_latex_means_itself(text: str, latex: str) -> None:
    assert in_latex(text) == f"{latex}\n"


def test_captions_of_what_is_committed_have_no_letter_that_pdflatex_lacks() -> None:
    committed = sorted((Path(__file__).parents[2] / "figures").glob("*.tex"))
    assert len(committed) > 80
    for path in committed:
        assert path.with_suffix(".pdf").is_file() and path.with_suffix(".png").is_file()
        assert path.read_text(encoding="utf-8").isascii(), path.name
