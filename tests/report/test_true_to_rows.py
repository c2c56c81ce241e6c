"""What figures show is true of the rows: of each panel, of each bound that lies on another, at each abscissa, on each axis."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axis import Axis
from matplotlib.figure import Figure

from harness.registry import parts
from harness.report.figures import plots
from harness.report.figures.marks import BAND
from harness.report.figures.plot import by_panel
from harness.report.figures.privacy import IN_PLACES, spending, told_of_privacy
from harness.report.overspent import MARK
from harness.report.settings import View
from tests.report.pictured import SHORT_OF, dashed, legend, pictured, sampled
from tests.support.committed import ROOT, SPECS, rows_of, sweep_of


def test_what_one_panel_spends_is_not_said_of_the_other() -> None:
    """The repaired constants keep to ε."""
    _, figure = pictured("soft_label_unstable")
    printed, repaired = (ax.get_title() for ax in figure.axes)
    assert MARK in printed.replace("\n", " ") and repaired == "repaired"
    assert not any(MARK in said for said in legend(figure))


@pytest.mark.parametrize("spent", [(2.0, 2.0), (2.0, 0.5), (0.5, 0.5)])
def test_where_more_is_spent_is_said_of_all_or_of_each_panel(spent: tuple[float, float]) -> None:
    path = ROOT / "experiments/soft_label_unstable.yaml"
    view, frame = View.of(sweep_of(path.stem)), rows_of(path.stem)
    panels = plots()[view.figure.plot].panels(frame, view)
    changed = frame.assign(spent=np.where(frame["constants"] == "BTT18a", *spent) * frame["eps"].astype(float))
    said, notes = told_of_privacy(changed, view, panels)
    assert [MARK in note for note in notes] == ([True, False] if spent[0] != spent[1] else [False, False])
    assert list(said.values()) == ([MARK] if spent == (2.0, 2.0) else [])
    own = dict(by_panel(changed, view))
    half = next(iter(own.values())).assign(spent=lambda rows: np.where(rows["T"] == rows["T"].min(), 2.0, 0.5) * rows["eps"])
    assert list(spending(half).values()) == [IN_PLACES]


def pale(figure: Figure) -> bool:
    """Whether any panel has a band where a bound lies on another's."""
    lines = (line for ax in figure.axes for line in ax.get_lines())
    return any(line.get_linewidth() == BAND and np.isfinite(np.asarray(line.get_ydata(), float)).any() for line in lines)


def numbered(axis: Axis) -> int:
    """How many numbers or names stand beside an axis, within what is seen of it."""
    low, high = sorted(axis.get_view_interval())
    places, minor = (list(map(float, at)) for at in (axis.get_majorticklocs(), axis.get_minorticklocs()))
    said = [*axis.get_major_formatter().format_ticks(places), *axis.get_minor_formatter().format_ticks(minor)]
    return sum(low <= place <= high and bool(text) for place, text in zip([*places, *minor], said, strict=True))


def refuse_untrue(figure: Figure) -> None:
    """Raises AssertionError where a band is in the figure or in the legend alone, or an axis has less than two numbers."""
    entries = legend(figure) if figure.legends else []
    assert pale(figure) == any(entry.startswith("pale: ") for entry in entries)
    figure.draw_without_rendering()
    for ax in figure.axes:
        for name, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
            several = axis.get_view_interval()[0] != axis.get_view_interval()[1] and ax.get_lines()
            assert not several or numbered(axis) > 1 or single(axis), f"{ax.get_title()}: {name}"


def single(axis: Axis) -> bool:
    """Whether all of an axis is one value, or one row."""
    places = axis.get_majorticklocs()
    return len(places) == 1 and axis.get_scale() == "linear"


@pytest.mark.parametrize("plot", sorted(parts("plot")))
def test_each_plot_is_true_of_its_rows(plot: str) -> None:
    refuse_untrue(sampled(SHORT_OF[plot], "column"))


@pytest.mark.law
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_each_figure_is_true_of_its_rows(path: Path) -> None:
    refuse_untrue(sampled(path))


def test_no_line_runs_over_a_number_of_examples_at_which_nothing_was_seen() -> None:
    """Of the exponential mechanism no error was seen at the fourth n, nor in some places of others."""
    frame, figure = pictured("stable_queries")
    for ax in figure.axes:
        for container in ax.containers:
            line = container.lines[0]
            x, y = (np.asarray(values, float) for values in line.get_data())
            assert len(x) == frame["n"].nunique() and (y[np.isfinite(y)] > 0).all()
    lines = [np.asarray(box.lines[0].get_ydata(), float) for ax in figure.axes for box in ax.containers]
    assert any(np.isnan(values[1:-1]).any() for values in lines)


def test_a_bound_at_two_places_is_as_short_at_both_of_a_logarithmic_axis() -> None:
    frame, figure = pictured("small_beta")
    ends = [np.asarray(line.get_xdata(), float) for line in dashed(figure.axes[0])]
    middles = sorted(float(np.sqrt(low * high)) for low, high in ends)
    np.testing.assert_allclose(middles, sorted(frame["beta"].unique()))
    assert all(high / low < 3 for low, high in ends) and np.ptp([high / low for low, high in ends]) < 1e-9


def test_a_bound_at_a_single_place_is_seen() -> None:
    _, figure = pictured("tracing_accurate")
    (line,) = dashed(figure.axes[0])
    figure.draw_without_rendering()
    assert line.get_window_extent().width > 20
