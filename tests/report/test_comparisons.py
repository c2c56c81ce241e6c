"""The two figures that set mechanisms against each other: who errs least on a map, and who answers how many queries."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import colors
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from harness.report.settings import View
from harness.report.style import style, tints
from harness.sweep.spec import Sweep
from harness.trials import kinds
from tests.support.drawn_files import draw

if TYPE_CHECKING:
    from tests.support.project import Project

MECHANISMS = ("A_binClas", "noisy_majority", "gaussian")
NS, MS = (10**8, 10**9, 10**10), (1000, 10**5)
SPEC = {"n": "[1e8, 1e9, 1e10]", "m": "[1e3, 1e5]", "learner": "leftmost", "claims": "[]"}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Figure]]:
    """The figures that would have been saved. Nothing is rendered."""
    saved: list[Figure] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, file, **_: saved.append(figure))
    monkeypatch.setattr("harness.report.figures.lighten", lambda _: b"")
    monkeypatch.setattr("harness.report.figures.slim", lambda *_: b"")
    yield saved
    assert saved


def table(sweep: Sweep, rates: dict[tuple[int, int], tuple[float, float, float]]) -> pd.DataFrame:
    """Two trials at each (n, m) around the given rates of the three mechanisms; bounds are ten times the rates."""
    rows = []
    for (n, m), values in rates.items():
        for mechanism, rate in zip(MECHANISMS, values, strict=True):
            for trial, factor in enumerate((0.5, 1.5)):
                row = {"cell": f"{n}/{m}", "mechanism": mechanism, "trial": trial, "n": n, "m": m}
                row |= {"misclassified": round(1e6 * rate * factor)}
                rows.append(row | {"misclassification_rate": rate * factor, "bound": 10 * rate if rate < 0.05 else np.nan})
    return filled(rows)


def filled(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Rows with what all share, and with nulls in all other columns of their kind."""
    shared: dict[str, Any] = {"eps": 1.0, "delta": 1e-6, "beta": 0.05, "constants": "BTT18", "vacuous": False, "spent": 0.9}
    return pd.DataFrame(rows).assign(**shared).reindex(columns=list(kinds()["answers"].table))


MAP = {
    (10**8, 1000): (0.02, 0.01, 0.002),
    (10**9, 1000): (0.002, 0.004, 0.001),
    (10**10, 1000): (0.0001, 0.001, 0.0005),
    (10**9, 10**5): (0.03, 0.02, 0.01),
    (10**10, 10**5): (4e-6, 1e-6, 0.0),
}


def test_a_map_shows_the_winner_its_lead_and_where_ours_overtakes(project: "Project", drawn: list[Figure]) -> None:
    sweep = project.sweep(**SPEC, mechanisms="[A_binClas, noisy_majority, gaussian]", figure="{plot: map, x: n, by: m}")
    draw(table(sweep, MAP), View.of(sweep), Path("figure"))
    (ax,) = drawn[0].get_axes()
    cells = {
        (round(patch.get_x() + 0.5), round(patch.get_y() + 0.5)): colors.to_hex(patch.get_facecolor()[:3]).upper()
        for patch in ax.patches
        if isinstance(patch, Rectangle)
    }
    assert set(cells) == {(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)}  # nothing was run at n = 1e8, m = 1e5
    hues = tints(MECHANISMS)
    assert cells[0, 0] == cells[1, 0] == cells[1, 1] == hues["gaussian"]
    assert cells[2, 0] == hues["A_binClas"]
    assert cells[2, 1] not in hues.values()  # too few errors
    leads = {tuple(round(place) for place in text.get_position()): text.get_text() for text in ax.texts}
    assert leads == {(0, 0): "×5", (1, 0): "×2", (2, 0): "×5", (1, 1): "×2"}
    corners = {
        (round(tip[0] - 0.5), round(tip[1] + 0.5)): colors.to_hex(patch.get_facecolor()[:3]).upper()
        for patch in ax.patches
        if isinstance(patch, Polygon)
        for tip in [patch.get_xy()[0]]
    }
    following = {(0, 0): "noisy_majority", (1, 0): "A_binClas", (2, 0): "gaussian", (1, 1): "noisy_majority"}
    assert corners == {place: hues[name] for place, name in following.items()}
    measured, claimed = ax.get_lines()
    assert (measured.get_linestyle(), claimed.get_linestyle()) == ("-", "--")
    # Below from the second n on; above from the third, where there are too few errors and nothing speaks against it.
    np.testing.assert_allclose(np.asarray(measured.get_xdata(), float), [0.5, 0.5, 1.5, 1.5])
    np.testing.assert_allclose(np.asarray(measured.get_ydata(), float), [-0.5, 0.5, 0.5, 1.5])


def test_what_spends_more_than_epsilon_wins_nowhere(project: "Project", drawn: list[Figure]) -> None:
    """Gaussian noise is the second best everywhere; the best one is not what it is asked to be."""
    sweep = project.sweep(**SPEC, mechanisms="[A_binClas, noisy_majority, gaussian]", figure="{plot: map, x: n, by: m}")
    rates = {(n, m): (0.06, 0.01, 0.07) for n in NS for m in (1000, 10**5)}
    frame = table(sweep, rates)
    frame.loc[frame["mechanism"] == "noisy_majority", "spent"] = 1.5
    draw(frame, View.of(sweep), Path("figure"))
    faces = {
        colors.to_hex(patch.get_facecolor()[:3]).upper()
        for patch in drawn[0].get_axes()[0].patches
        if isinstance(patch, Rectangle)
    }
    assert faces == {tints(MECHANISMS)["A_binClas"]}


@pytest.mark.law
def test_a_vacuous_bound_of_ours_overtakes_nothing(project: "Project", drawn: list[Figure]) -> None:
    sweep = project.sweep(**SPEC, mechanisms="[A_binClas, noisy_majority, gaussian]", figure="{plot: map, x: n, by: m}")
    rates = {(n, 1000): (0.06, 0.07, 0.01) for n in NS} | {(n, 10**5): (0.01, 0.06, 0.001) for n in NS}
    draw(table(sweep, rates), View.of(sweep), Path("figure"))
    _, claimed = drawn[0].get_axes()[0].get_lines()
    np.testing.assert_allclose(np.asarray(claimed.get_xdata(), float), [np.nan, np.nan, -0.5, -0.5])


def test_capacity_is_the_ratio_between_two_sweeps(project: "Project", drawn: list[Figure]) -> None:
    """Ours answers 1e8·α queries at rate α and the baseline 1e10·α²: the factor is 1/(100α)."""
    sweep = project.sweep(
        **SPEC | {"n": "1e9", "m": "[1e3, 1e4, 1e5, 1e6]", "claims": '["BTT18:AC-queries"]'},
        mechanisms="[A_binClas, noisy_majority, gaussian]",
        figure="{plot: capacity, x: m}",
    )
    ms = [10**power for power in range(3, 7)]
    rates = {(10**9, m): (m / 1e8, np.sqrt(m) / 1e5, 0.0) for m in ms}
    draw(table(sweep, rates), View.of(sweep), Path("figure"))
    (panel,) = drawn[0].get_axes()
    ours = style("A_binClas").colour
    (factor,) = [line for line in panel.get_lines() if line.get_color() == ours and line.get_linestyle() == "-"]
    alpha = np.asarray(factor.get_xdata(), float)
    assert 3e-4 < alpha.min() < alpha.max() < 1e-2
    np.testing.assert_allclose(np.asarray(factor.get_ydata(), float), 1 / (100 * alpha))
    (claimed,) = [line for line in panel.get_lines() if line.get_linestyle() == ":"]
    np.testing.assert_allclose(np.asarray(claimed.get_ydata(), float), 1 / np.asarray(claimed.get_xdata(), float))


@pytest.mark.law
def test_groups_show_their_mechanisms_alone_and_more_than_a_few_share_one_entry_for_their_bounds(
    project: "Project", drawn: list[Figure]
) -> None:
    names = ("A_binClas", "noisy_majority", "report_noisy_max", "gaussian", "GNMax")
    sweep = project.sweep(
        **SPEC | {"n": "1e10", "m": "[1e3, 1e4]", "mechanisms": f"[{', '.join(names)}]"},
        figure="{x: m, groups: {Laplace: [A_binClas, noisy_majority, report_noisy_max], Gauss: [A_binClas, gaussian, GNMax]}}",
    )
    rows = [
        {"cell": m, "mechanism": name, "trial": 0, "m": m, "misclassification_rate": 0.01, "bound": 0.1 * times, "T": np.nan}
        for m in (1000, 10**4)
        for times, name in enumerate(names, 1)
    ]
    draw(filled(rows), View.of(sweep), Path("figure"))
    left, right = drawn[0].get_axes()
    assert (left.get_title(), right.get_title()) == ("Laplace", "Gauss")
    shown = [{line.get_marker() for line in ax.get_lines()} & {style(name).marker for name in names} for ax in (left, right)]
    assert shown[0] == {style(name).marker for name in names[:3]}
    assert shown[1] == {style(name).marker for name in ("A_binClas", "gaussian", "GNMax")}
    beside = [{text.get_text().replace("\n", " ") for text in ax.texts} for ax in (left, right)]
    assert beside[0] == {style(name).legend for name in names[:3]}
    assert beside[1] == {style(name).legend for name in ("A_binClas", "gaussian", "GNMax")}
    assert [text.get_text() for text in drawn[0].legends[0].get_texts()] == ["its bound"]


@pytest.mark.law
def test_a_bound_that_is_the_same_for_all_is_one_line_and_what_no_group_shows_is_in_no_legend(
    project: "Project", drawn: list[Figure]
) -> None:
    names = ("A_binClas", "noisy_majority", "gaussian")
    sweep = project.sweep(
        **SPEC | {"n": "1e10", "m": "[1e3, 1e4]", "mechanisms": f"[{', '.join(names)}]"},
        figure="{x: m, groups: {'': [A_binClas, noisy_majority]}}",
    )
    rows = [
        {"cell": m, "mechanism": name, "trial": 0, "m": m, "misclassification_rate": 0.01, "bound": bound, "T": np.nan}
        for m in (1000, 10**4)
        for name, bound in zip(names, (100 / m, 100 / m, 0.2), strict=True)
    ]
    draw(filled(rows), View.of(sweep), Path("figure"))
    (ax,) = drawn[0].get_axes()
    dashed = [line for line in ax.get_lines() if line.get_linestyle() == "--"]
    heights = sorted(float(np.mean(np.asarray(line.get_ydata(), float))) for line in dashed)
    assert heights == pytest.approx([0.01, 0.1])  # a short line at each of two points
    assert len({line.get_color() for line in dashed} | {style(name).colour for name in names}) == len(names) + 1
    entries = [text.get_text() for text in drawn[0].legends[0].get_texts()]
    assert entries == [*(style(name).legend for name in names[:2]), "claimed misclassification rate"]
