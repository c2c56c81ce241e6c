"""The caption beside a figure: its message, the question, what to see and on which instance; and LaTeX takes it as it is."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.report.figures import described
from harness.report.figures.latex import in_latex
from harness.report.settings import View

if TYPE_CHECKING:
    from tests.support.project import Project


def test_a_caption_says_what_on_which_instance_and_what_to_see(project: "Project") -> None:
    sweep = project.sweep(figure='{x: m, panels: [learner], see: "Nothing is wrong"}')
    said = described(project.run(sweep).table.frame(), View.of(sweep))
    assert said.startswith("A small sweep. Does Theorem 3.2 hold? Nothing is wrong. Instance: n = 10⁹, ")
    assert said.endswith("; 4 trials a point; bars: 95% intervals of the mean, down to the axis where they include 0.")


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
