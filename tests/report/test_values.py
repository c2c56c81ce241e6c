"""The numbers of a figure as a table: what is printed is what the rows say, in LaTeX that compiles and in Markdown."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.report.figures import rendered, values_of
from harness.report.figures.plot import by_panel
from harness.report.numerals import number
from harness.report.printed import LONG, Printed
from harness.report.settings import View
from harness.report.style import style
from tests.report.pictured import few_rows
from tests.support.committed import SPECS, sweep_of
from tests.support.latex import compiled

if TYPE_CHECKING:
    from harness.report.figures.values import MarkValues
    from tests.support.project import Harness, Project

FILE = "\\documentclass{article}\\usepackage[utf8]{inputenc}\\usepackage{amsmath,amssymb,booktabs,longtable}\\begin{document}\n"
FEW = ("least_k", "utility_printed", "tracing_scores", "public_learner_hundredth", "small_beta", "release_n_vs_accuracy")


def of(path: Path) -> "MarkValues":
    return values_of(few_rows(path), View.of(sweep_of(path.stem)))


def rounded(value: float) -> str:
    return number(float(f"{value:.3g}"))


def test_means_and_bounds_are_those_of_the_rows() -> None:
    """An independent mean of each group of rows: marks stand beside their place in the picture, and at it in the table."""
    path = Path("experiments/quickstart.yaml").absolute()
    frame, view = few_rows(path), View.of(sweep_of(path.stem))
    found = values_of(frame, view)
    assert found.headings[1:4] == ["queries m", "series", "misclassification rate (⊥ counts)"] and not found.few
    names = {style(name).legend: name for name in frame["mechanism"].unique()}
    places, seen = {number(float(m)): m for m in frame["m"].unique()}, 0
    for title, rows in by_panel(frame, view):
        for panel, m, series, value, *_, bound in found.rows:
            own = rows[(rows["m"] == places[m]) & (rows["mechanism"] == names[series])]
            if panel == title:
                assert (value, bound) == (rounded(own["misclassification_rate"].mean()), rounded(own["bound"].iloc[0]))
                seen += value != "0"
    assert len(found.rows) == frame.groupby(["cell", "mechanism"]).ngroups and seen > 5
    assert all(0 < x < 1 and 0 < y < 1 for x, y in found.points)


@pytest.mark.law
def test_of_two_bounds_of_one_colour_each_has_its_column() -> None:
    """What Lemma 3.3 allows, which is 1 in its own units, and what a claim that it is tight asks for."""
    found = of(Path("experiments/hard_instance_tightness.yaml").absolute())
    assert found.headings[-2:] == ["BTT18 Lemma 3.3, ξ = 1/3", "that Lemma 3.3 is tight at ξ = 1/3"]
    assert {tuple(row[-2:]) for row in found.rows} == {("1", "0.9")}


@pytest.mark.at_once("public_learner_hundredth", "least_k", "small_beta")
@pytest.mark.parametrize("name", FEW)
def test_of_few_points_a_table_says_as_much(name: str) -> None:
    assert of(Path(f"experiments/{name}.yaml").absolute()).few


@pytest.mark.law
@pytest.mark.parametrize("name", ["quickstart", "crossover", "privacy_grid"])
def test_of_many_points_it_does_not(name: str) -> None:
    assert not of(Path(f"experiments/{name}.yaml").absolute()).few


@pytest.mark.law
def test_the_same_rows_give_the_same_svg(project: "Project") -> None:
    sweep = project.sweep(m="20", learner="leftmost", figure="{x: m}")
    frame = project.run(sweep).table.frame()
    assert rendered(frame, View.of(sweep), ["svg"]) == rendered(frame, View.of(sweep), ["svg"])


def test_a_table_is_printed_in_latex_and_in_markdown(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(m="[20, 40]", learner="leftmost", figure="{x: m}"))
    latex, markdown = (harness("table", "small", form) for form in ("--latex", "--markdown"))
    assert (latex.code, latex.err, markdown.code, markdown.err) == (0, "", 0, "")
    assert latex.out.startswith("% needs \\usepackage{booktabs}\n\\begin{table}\n") and "\\midrule" in latex.out
    lines = [line for line in markdown.out.splitlines() if line.startswith("|")]
    assert lines[1] == "| ---: | --- | ---: | ---: |" and len(lines) == 2 + 4
    assert "A small sweep. Does Theorem 3.2 hold?" in latex.out and "A small sweep. Does Theorem 3.2 hold?" in markdown.out


def test_only_one_form_is_printed(project: "Project", harness: "Harness") -> None:
    project.spec()
    for command in (("table", "small", "--csv", "--latex"), ("check", "experiments/small.yaml", "--json", "--latex")):
        said = harness(*command)
        assert said.code == 2 and "one at a time" in said.err and said.err.count("\n") == 1


@pytest.mark.usefixtures("quick_figures")
def test_verdicts_are_printed_in_latex_alone(project: "Project", harness: "Harness") -> None:
    spec = project.spec()
    assert harness("run", spec, "--serial").code == 0
    said = harness("check", spec, "--no-reference", "--latex")
    assert said.out.startswith("% needs \\usepackage{booktabs}") and said.out.rstrip().endswith("\\end{table}")
    assert "\nBTT18:T3.2 & " in said.out and "replay" not in said.out


NASTY = Printed("x", "50% of {a} & b_1 $x$ #2 ~^\\", ("of, ε", "value"), [["[0, 1]", "*"], ["≤ 10⁻⁶", "−1"]] * LONG, {"value"})


def test_what_is_the_same_as_above_is_said_once() -> None:
    rows = [["one", "x1", "1"], ["one", "x1", "2"], ["one", "y1", "3"], ["two", "y1", "4"]]
    lines = Printed("t", "c", ("p", "q", "r"), rows, grouped=2).latex().splitlines()
    body = lines[lines.index("\\midrule") + 1 : lines.index("\\bottomrule")]
    assert body == ["one & x1 & 1 \\\\", " &  & 2 \\\\", " & y1 & 3 \\\\", "two & y1 & 4 \\\\"]


@pytest.mark.law
def test_pdflatex_takes_the_table_of_every_figure(tmp_path: Path) -> None:
    """All of them in one file, the verdicts' form and what means something to TeX as well."""
    tables = [NASTY.latex()]
    for path in SPECS:
        found, name = of(path), path.stem
        tables.append(Printed(name, name, found.headings, found.rows, found.numbers, found.grouped).latex())
    assert all(table.isascii() for table in tables)
    source = f"{FILE}{'clearpage '.join(f'{table}{chr(92)}' for table in tables)}end{{document}}\n"
    assert compiled(source, tmp_path).startswith(b"%PDF")


@pytest.mark.law
@pytest.mark.parametrize("table", [NASTY, Printed("y", "c", ("a",), [["1"]])])
def test_pdflatex_takes_what_means_something_to_it(table: Printed, tmp_path: Path) -> None:
    assert compiled(f"{FILE}{table.latex()}\\end{{document}}\n", tmp_path).startswith(b"%PDF")
