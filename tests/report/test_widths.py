"""Figures for papers: as wide as a column, the text or a slide, in letters that are read at that size."""

from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from harness.report.figures import rendered
from harness.report.figures.lettering import fitted
from harness.report.figures.page import panel_order
from harness.report.settings import View
from tests.report.pictured import sampled
from tests.report.test_each_figure import apart
from tests.support.committed import ROOT

if TYPE_CHECKING:
    from tests.support.project import Harness, Project


@pytest.mark.law
@pytest.mark.parametrize(("name", "beside"), [("utility_transition", True), ("misclassification_vs_n", False)])
def test_a_legend_stands_in_the_quarter_that_no_panel_takes_if_it_fits(name: str, beside: bool) -> None:
    """Beside the last of three panels, and below the one above it; else below them all."""
    figure = sampled(ROOT / f"experiments/{name}.yaml", "column")
    boxes = [ax.get_tightbbox() for ax in figure.axes if ax.axison]
    legend, (_, above, last) = figure.legends[0].get_window_extent(), boxes
    assert above is not None and last is not None
    if beside:
        assert legend.x0 > last.x1 and legend.x1 <= figure.bbox.width and legend.y1 < above.y0 and legend.y0 > last.y0
    else:
        assert legend.y1 < last.y0


@pytest.mark.parametrize(
    ("count", "stacked", "columns", "order"),
    [(6, 2, 3, [0, 1, 2, 3, 4, 5]), (6, 2, 2, [0, 1, 3, 4, 2, None, 5, None]), (4, 2, 1, [0, 2, 1, 3]), (3, 0, 2, [0, 1, 2])],
)
def test_what_stands_above_one_another_stays_so(count: int, stacked: int, columns: int, order: list[int | None]) -> None:
    assert panel_order(count, stacked, columns) == order


@pytest.mark.law
@pytest.mark.parametrize(("width", "inches"), [("column", 3.3), ("text", 5.5), ("slide", 9.0)])
def test_a_width_is_that_of_the_pictures(project: "Project", harness: "Harness", width: str, inches: float) -> None:
    project.run(project.sweep(m="20", learner="leftmost", figure="{x: m}"))
    assert harness("figures", "small", "--results", "results/runs", "--width", width).code == 0
    with Image.open("figures/small.png") as image:
        assert image.width == round(200 * inches)


@pytest.mark.law
def test_by_default_a_screen_gets_a_slide_and_a_paper_what_the_spec_asks_for(project: "Project") -> None:
    for asked, inches in (("", 5.5), (", width: column", 3.3)):
        sweep = project.sweep(m="20", learner="leftmost", figure=f"{{x: m{asked}}}")
        made = rendered(project.run(sweep).table.frame(), View.of(sweep))
        with Image.open(BytesIO(made["png"])) as image:
            assert image.width == 1800
        assert f"/MediaBox [ 0 0 {72 * inches:g} ".encode() in made["pdf"]


def test_another_width_is_refused(project: "Project", harness: "Harness") -> None:
    said = harness("run", project.spec(figure="{x: m, panels: [learner], width: wide}"), "--serial")
    assert said.code == 2 and "width" in said.err and "allowed: column, text, slide" in said.err


def test_a_long_word_ends_a_line_at_one_of_its_parts() -> None:
    assert fitted("DecisionTreeClassifier(max_depth=1)", 1.3, 7) == "DecisionTreeClassifier(\nmax_depth=1)"
    assert fitted("LinearDiscriminantAnalysis", 1.0, 7) == "LinearDiscriminant\nAnalysis"
    assert fitted("log_uniform", 2.0, 7) == "log_uniform"


@pytest.mark.law
def test_names_of_rows_are_read_to_their_ends_in_a_column() -> None:
    """Of several settings that differ in their last parameter alone."""
    figure = sampled(ROOT / "experiments/release_lemma7.yaml", "column")
    names = [label.get_text() for label in figure.axes[0].get_yticklabels() if label.get_text()]
    assert len(set(names)) == len(names) == 9 and not any("…" in name for name in names)
    assert apart(figure.axes[0].get_yticklabels())


@pytest.mark.law
@pytest.mark.parametrize("name", ["public_or_private", "crossover"])
def test_numbers_of_a_map_do_not_touch_in_a_column(name: str) -> None:
    for ax in sampled(ROOT / f"experiments/{name}.yaml", "column").axes:
        boxes = sorted((round(box.y0), box.x0, box.x1) for box in (text.get_window_extent() for text in ax.texts))
        assert all(right <= left for (row, _, right), (other, left, _) in pairwise(boxes) if row == other)


@pytest.mark.at_once("least_release")
@pytest.mark.parametrize("name", ["least_release", "least_pmw"])
def test_a_number_beside_an_interval_keeps_clear_of_what_is_printed(name: str) -> None:
    (ax,) = sampled(ROOT / f"experiments/{name}.yaml", "column").axes
    printed = ax.transData.transform((1, 0))[0]
    numbers = [text.get_window_extent() for text in ax.texts if text.get_text().endswith("×")]
    assert numbers and not any(box.x0 < printed < box.x1 for box in numbers)
