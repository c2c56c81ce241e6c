"""What figures show is true of the rows: of each panel, of each bound that lies on another, at each abscissa, on each axis."""

import numpy as np
import pandas as pd
import pytest

from harness.report.figures.plot import Panel, by_panel, plots
from harness.report.figures.privacy import IN_PLACES, spending, told_of_privacy
from harness.report.settings import View
from harness.report.spending import MARK
from tests.report.pictured import dashed, legend, pictured
from tests.support.committed import ROOT, rows_of, sweep_of


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
    own = dict(by_panel(changed, view))
    said, notes = told_of_privacy(changed, own, panels)
    assert [MARK in note for note in notes] == ([True, False] if spent[0] != spent[1] else [False, False])
    assert list(said.values()) == ([MARK] if spent == (2.0, 2.0) else [])
    half = next(iter(own.values())).assign(spent=lambda rows: np.where(rows["T"] == rows["T"].min(), 2.0, 0.5) * rows["eps"])
    assert list(spending(half).values()) == [IN_PLACES]


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


@pytest.mark.parametrize("panels", [1, 2, 3])
def test_in_one_panel_the_legend_says_that_more_is_spent_in_places_and_in_several_the_panels_do(panels: int) -> None:
    """Half of the rows of the first panel spend more."""
    view, rows = View.of(sweep_of("soft_label_unstable")), rows_of("soft_label_unstable")
    own = next(iter(dict(by_panel(rows, view)).values()))
    spent = own.assign(spent=np.where(own["T"] == own["T"].min(), 2.0, 0.5) * own["eps"].astype(float))
    calm = [own.assign(spent=0.5 * own["eps"].astype(float), constants=f"other {place}") for place in range(panels - 1)]
    parts = {f"panel {place}": each for place, each in enumerate([spent, *calm])}
    said, notes = told_of_privacy(
        pd.concat(list(parts.values())), parts, [Panel(title, "", lambda ax: None) for title in parts]
    )
    assert [IN_PLACES in note for note in notes] == [panels > 1] + [False] * (panels - 1)
    assert any(IN_PLACES in each for each in said.values()) == (panels == 1)
