"""What maps, rows, and curves of factors hold is what their rows say; see `test_what_panels_hold`."""

from itertools import pairwise
from typing import Any
from unittest.mock import Mock

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import FillBetweenPolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle
from scipy.stats import beta as beta_law

from harness.arrays import Reals
from harness.report.figures.map import WinnersMap
from harness.report.figures.rows import ARROW, Dot, RowPlot, Rows
from harness.report.numerals import number
from harness.report.settings import View
from harness.report.style import MARKERS, scale, style, tints
from harness.sweep.table.samples import Sample
from harness.theory.factors import SetName
from tests.report.held import bars, by, data, drawing, lines, look, marked
from tests.support.committed import SHORT_OF, rows_of

OURS, BASELINE = "A_binClas", "noisy_majority"


def squares(ax: Axes) -> dict[tuple[int, int], Rectangle]:
    """The areas of a map by column and line, each a square of one."""
    found = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    assert all(patch.get_width() == patch.get_height() == 1 for patch in found)
    return {(round(patch.get_x() + 0.5), round(patch.get_y() + 0.5)): patch for patch in found}


def corners(ax: Axes) -> dict[tuple[int, int], str]:
    """The colours of the lower right corners of areas, each of the same size within its area."""
    found = {}
    for patch in ax.patches:
        if isinstance(patch, Polygon):
            xy = np.round(patch.get_xy()[:3], 9)
            right, low = xy[:, 0].max(), xy[:, 1].min()
            reach = right - xy[:, 0].min()
            assert 0.2 < reach < 0.5 and xy[:, 1].max() - low == pytest.approx(reach)
            assert sorted(np.ravel(xy)) == pytest.approx(sorted([right, low, right - reach, low, right, low + reach]))
            found[round(right - 0.5), round(low + 0.5)] = to_hex(patch.get_facecolor())
    return found


def refuse_untrue_frame(ax: Axes, rows: pd.DataFrame, x: str, y: str) -> None:
    """Raises AssertionError where a map has not a named place for each value of both axes of all panels."""
    across, up = (np.sort(rows[axis].unique()) for axis in (x, y))
    assert ax.get_xlim() == (-0.5, len(across) - 0.5) and ax.get_ylim() == (-0.5, len(up) - 0.5)
    for axis, values in ((ax.xaxis, across), (ax.yaxis, up)):
        assert axis.get_majorticklocs().tolist() == list(range(len(values)))
        assert [text.get_text() for text in axis.get_majorticklabels()] == [number(float(each)) for each in values]
        assert not axis.get_gridlines()[0].get_visible()


def test_a_map_of_errors_has_the_first_that_is_near_the_least_and_in_its_corner_the_next() -> None:
    drawn = drawing("least_error")
    across, up = (np.sort(drawn.rows[axis].unique()) for axis in ("n", "p"))
    colours, named = tints(list(drawn.rows["mechanism"].unique())), set()
    for ax, (_, rows) in zip(drawn.axes, by(drawn.rows, "distribution_parameters"), strict=True):
        refuse_untrue_frame(ax, drawn.rows, "n", "p")
        areas, beside = squares(ax), corners(ax)
        texts = {tuple(map(round, text.get_position())): text.get_text() for text in ax.texts}
        means = rows.groupby(["n", "p", "mechanism"], sort=False)["error"].mean()
        assert len(areas) == len(means.groupby(["n", "p"]))
        for place, patch in areas.items():
            at = means.loc[across[place[0]], up[place[1]]]
            best = next(name for name, mean in at.items() if mean <= 1.1 * at.min())
            rest = at.drop(best).sort_values(kind="stable")
            assert to_hex(patch.get_facecolor()) == to_hex(colours[str(best)])
            assert patch.get_hatch() == style(str(best)).hatch
            assert beside[place] == to_hex(colours[str(rest.index[0])])
            value, _, after = texts[place].partition("\n")
            assert value == (f"{at[best]:.2g}" if at[best] >= 0.01 else f"{at[best]:.1g}")
            times = rest.iloc[0] / at[best]
            assert after == ("≈" if times <= 1.1 else f"×{times:.2g}" if times < 99.5 else f"×{times:.0f}")
            named |= {best, rest.index[0]}
    assert list(drawn.legend)[: len(named)] == [style(name).legend for name in colours if name in named]


N, M = (1.0, 2.0, 4.0, 8.0), (10.0, 20.0, 40.0)
ERRORS = {
    OURS: [[9, 30, 4, 0], [50, 40, 8, 3], [70, 60, 50, 40]],
    BASELINE: [[30, 20, 20, 5], [60, 30, 30, 4], [80, 50, 40, 50]],
    "gaussian": [[40, 25, 10, 6], [55, 45, 5, 5], [60, 70, 60, 45]],
}
"""Of three mechanisms in four trials, a line for each m, at each n."""

BOUNDS = {OURS: [np.nan, 0.3, 0.01, 0.01], BASELINE: [0.2, 0.2, 0.02, np.nan], "gaussian": [np.nan] * 4}
WINS = {
    (0, 0): (OURS, BASELINE), (1, 0): (BASELINE, "gaussian"), (2, 0): (OURS, "gaussian"), (3, 0): None,
    (0, 1): (OURS, "gaussian"), (1, 1): (BASELINE, OURS), (2, 1): None, (3, 1): None,
    (0, 2): ("gaussian", OURS), (1, 2): (BASELINE, OURS), (2, 2): (BASELINE, OURS), (3, 2): (OURS, "gaussian"),
}  # fmt: skip
"""Who errs least and who next; none where the next erred less than ten times."""

OVERTAKES = [1.5, 1.5, 2.5]
"""Where from on, in each line, the first errs no more than the baseline, or too few errors of both were seen to tell."""


def test_a_map_of_winners_has_them_where_ten_errors_were_seen_and_lines_where_the_first_overtakes() -> None:
    rows = pd.DataFrame(
        {"cell": f"{n} {m}", "n": n, "m": m, "mechanism": name, "bound": BOUNDS[name][column]}
        | {"misclassified": errors, "misclassification_rate": errors / (4 * m)}
        for line, m in enumerate(M)
        for column, n in enumerate(N)
        for name, table in ERRORS.items()
        for errors in np.diff(np.linspace(0, table[line][column], 5).round())
    )
    figure = Mock(x="n", by="m", y="misclassification_rate", panels=(), axes=())
    told: dict[str, Any] = {"heading": str, "column": str, "sample": Sample.of, "kept": lambda key, own, find: find()}
    view = Mock(figure=figure, settings=Mock(shown=lambda cell, key: ""), **told)
    ax = Figure().subplots()
    (panel,) = WinnersMap().panels(rows, view)
    panel.draw(ax)
    refuse_untrue_frame(ax, rows, "n", "m")
    areas, beside, colours = squares(ax), corners(ax), tints([*ERRORS])
    texts = {tuple(map(round, text.get_position())): text.get_text() for text in ax.texts}
    assert areas.keys() == WINS.keys() and beside.keys() == texts.keys() == {place for place, pair in WINS.items() if pair}
    for place, pair in WINS.items():
        if pair is None:
            assert to_hex(areas[place].get_facecolor()) == "#f2f2f2" and areas[place].get_hatch() == "////"
            continue
        assert [to_hex(areas[place].get_facecolor()), beside[place]] == [to_hex(colours[name]) for name in pair]
        best, following = (ERRORS[name][place[1]][place[0]] for name in pair)
        assert texts[place] == (f"×{following / best:.2g}" if best else "")
    measured, bounds = ax.get_lines()
    assert (measured.get_linestyle(), bounds.get_linestyle()) == ("-", "--")
    for line, edges in ((measured, OVERTAKES), (bounds, [1.5] * 3)):
        np.testing.assert_array_equal(np.asarray(line.get_xdata(), float), np.repeat(edges, 2))
        assert np.asarray(line.get_ydata(), float).tolist() == [-0.5, 0.5, 0.5, 1.5, 1.5, 2.5]
    legend = [str(each.get_label()) for each in WinnersMap().legend(rows, view)]
    assert set(legend[:3]) == {style(name).legend for name in ERRORS} and legend[3:] == [
        "corner: the next best; ×: how much more it errs",
        "fewer than 10 errors: no winner",
        "from here on A_binClas beats advanced composition",
        "the same, by their bounds",
    ]


def test_least_constants_are_bars_over_what_is_printed_each_with_the_factor() -> None:
    """A made row that nothing is enough for, and one at which all is, have arrows towards it and words."""
    rows = drawing("least").rows
    made = rows.copy().astype({"low": float, "high": float})
    made.loc[made.index[1], "high"] = np.nan
    made.loc[made.index[2], "low"] = 0.0
    drawn = drawing("least", made)
    (ax,) = drawn.axes
    names = [text.get_text().replace("\n", " ") for text in ax.get_yticklabels()]
    printed = [SetName.read(each) for each in rows["constants"]]
    for name, constant, of in zip(names, rows["constant"], printed, strict=True):
        assert name.startswith(f"{constant} of {of.base}")
    assert ax.get_yticks().tolist() == [-place for place in range(len(rows))]
    low, high = (made[end] / made["printed"] for end in ("low", "high"))
    assert ax.get_xlim() == pytest.approx((min(0.02, 0.6 * low[low > 0].min()), 4.0)) and ax.get_xscale() == "log"
    assert ax.get_ylim() == pytest.approx((-len(rows) + 0.4, 0.8))
    (upright,) = lines(ax)
    assert upright.tolist() == [[1, 0], [1, 1]]
    intervals = [data(line) for line in ax.get_lines() if line.get_gid() == "interval"]
    whole = [place for place in range(len(rows)) if place not in (1, 2)]
    for place, points in zip(whole, intervals, strict=True):
        np.testing.assert_allclose(points, [[low.iloc[place], -place], [high.iloc[place], -place]])
    said = {round(-(text.xy if hasattr(text, "xy") else text.get_position())[1]): text for text in ax.texts if text.get_text()}
    for place in whole:
        text, over = said[place], float(made["over"].iloc[place])
        assert text.get_text() == f"{number(float(f'{over:.3g}'))}×"
        left = text.get_horizontalalignment() == "right"
        ends = (float(low.iloc[place]), float(high.iloc[place]))
        assert text.xy == (ends[0] if left else ends[1], -place)  # type: ignore[attr-defined]
        assert text.get_position() == ((-7 if left else 7), 0) and not (left and ends[1] >= 1)
    arrows = [(text.xy, text.get_position()) for text in ax.texts if hasattr(text, "xy") and not text.get_text()]
    right, left_edge = 4.0 * 0.95, ax.get_xlim()[0] * 1.1
    assert arrows == [((right, -1), (1.1, -1)), ((left_edge, -2), (0.9, -2))]
    assert said[1].get_text() == "nothing tried is enough" and said[2].get_text() == "nothing here challenges it"
    assert list(drawn.legend) == ["the least value is in here", "enough at every value tried", "as printed"]
    assert list(drawing("least", rows).legend) == ["the least value is in here", "as printed"]
    assert any(row["distribution"] in name for name, (_, row) in zip(names, rows.iterrows(), strict=True))
    alike = rows.assign(distribution="product", distribution_parameters="{}")
    assert not any("product" in text.get_text() for text in drawing("least", alike).axes[0].get_yticklabels())


class Lines(RowPlot):
    """Rows that are given."""

    limit = "as much as is claimed"

    def __init__(self, rows: Rows, logarithmic: bool) -> None:
        self.given, self.logarithmic = rows, logarithmic  # type: ignore[misc]

    def rows(self, frame: pd.DataFrame, view: View) -> Rows:
        return self.given

    def limit_at(self, frame: pd.DataFrame) -> float:
        return 0.5

    def caption(self, view: View) -> str:
        return ""


@pytest.mark.parametrize("logarithmic", [True, False])
def test_rows_have_their_dots_one_under_another_with_bars_and_zeros_as_arrows_at_half_the_least(logarithmic: bool) -> None:
    given = {"first": [Dot("a", 0.2, 0.1, 0.4), Dot("b", 0.0, 0.0, 0.1)], "second": [Dot("b", 0.8, 0.7, 0.9)], "third": []}
    if not logarithmic:
        given["third"] = [Dot("a", -0.3, -0.5, -0.2)]
    plot, nothing, view = Lines(given, logarithmic), pd.DataFrame(), drawing("widths").view
    ax = Figure(figsize=(9, 5)).subplots()
    with mpl.rc_context({"ytick.labelsize": 7}):
        plot.panels(nothing, view)[0].draw(ax)
    looks = {name: (to_hex(each.colour), each.marker) for name, each in scale(["a", "b"]).items()}
    place = {"a": -0.15, "b": 0.15}  # six tenths of a row, one series above the other
    dots = {
        (looks[dot.series][0], round(row + place[dot.series], 9), dot.value, dot.low, dot.high)
        for row, own in enumerate(given.values())
        for dot in own
        if dot.value or not logarithmic
    }
    seen = set()
    for box in ax.containers:
        line, _, (ends,) = box.lines  # type: ignore[attr-defined]
        for (x, y), part in zip(data(line), ends.get_segments(), strict=True):
            assert line.get_marker() == dict(looks.values())[to_hex(line.get_color())]
            seen.add((to_hex(line.get_color()), round(y, 9), x, round(part[0][0], 9), round(part[1][0], 9)))
    assert seen == dots
    arrows = marked(ax, ARROW)
    assert {colour: points.tolist() for colour, points in arrows.items()} == (
        {looks["b"][0]: [[0.1, 0.15]]} if logarithmic else {}
    )
    assert lines(ax)[0].tolist() == [[0.5, 0], [0.5, 1]] and ax.get_ylim() == (2.5, -0.5)
    assert [text.get_text() for text in ax.get_yticklabels()] == list(given)
    assert ax.yaxis.get_minorticklocs().tolist() == [-0.5, 0.5, 1.5, 2.5]  # lines between rows
    legend = [str(each.get_label()) for each in plot.legend(nothing, view)]
    assert legend == ["a", "b", "as much as is claimed", *(["0 in all trials"] if logarithmic else [])]
    assert plot.size(nothing, view) == pytest.approx((5.2, 0.5 + 3 * 0.42))


@pytest.mark.law
def test_factors_over_advanced_composition_are_of_the_crossings_of_both_curves() -> None:
    """Of m between whose rates each target is, straight in logarithms; the band has the factors of the ends of intervals."""
    some = rows_of(SHORT_OF["capacity"].stem)
    few = (OURS, BASELINE, "gaussian", "report_noisy_max")
    drawn = drawing("capacity", some[(some["constants"] == "tight") & some["mechanism"].isin(few)])
    groups = drawn.view.figure.groups
    expected = [
        (rows, [name for name in names if name != BASELINE])
        for names in groups.values()
        for _, rows in by(drawn.rows, "constants")
    ]
    for ax, (rows, names) in zip(drawn.axes, expected, strict=True):
        assert ax.get_xscale() == ax.get_yscale() == "log"
        bands = [each for each in ax.collections if isinstance(each, FillBetweenPolyCollection)]
        base = sweep(rows, BASELINE, "misclassification_rate")
        curves = [line for line in ax.get_lines() if line.get_marker() in MARKERS]
        shown = [name for name in names if len(sweep(rows, name, "misclassification_rate"))]
        assert [(to_hex(line.get_color()), line.get_marker()) for line in curves] == [look(name) for name in shown]
        for line, name, band in zip(curves, shown, bands, strict=True):
            targets, factor = (np.asarray(each, float) for each in line.get_data())
            assert np.allclose(np.diff(np.log(targets)), np.log(targets[1] / targets[0]))
            crossed = [m_at(sweep(rows, name, "misclassification_rate"), target) for target in targets]
            np.testing.assert_allclose(factor, np.array(crossed) / [m_at(base, target) for target in targets], rtol=1e-9)
            assert to_hex(band.get_facecolor()[0]) == to_hex(line.get_color())  # type: ignore[arg-type]
            corner = band.get_paths()[0].get_extents()
            assert corner.y0 <= np.nanmin(factor) and corner.y1 >= np.nanmax(factor)
        if OURS in names:
            (claimed,) = lines(ax, ":")
            np.testing.assert_allclose(claimed[:, 1] * claimed[:, 0], 1)
            assert all(low <= high for (low, _), (high, _) in pairwise(claimed.tolist()))
            factor = np.asarray(curves[0].get_ydata(), float)
            said = {float(text.get_text()[1:]): text.xy[1] for text in ax.texts}  # type: ignore[attr-defined]
            assert sorted(said) == pytest.approx([np.nanmin(factor), np.nanmax(factor)], rel=0.05)
            assert all(value == pytest.approx(at, rel=0.05) for value, at in said.items())
            bound = sweep(rows, OURS, "bound")
            for by_bounds in lines(ax, colour=style(OURS).colour):
                factors = [m_at(bound, at) / m_at(sweep(rows, BASELINE, "bound"), at) for at in by_bounds[:, 0]]
                np.testing.assert_allclose(by_bounds[:, 1], factors, rtol=1e-9)
        else:
            assert lines(ax, ":") == [] and len(ax.texts) == 0


def sweep(rows: pd.DataFrame, name: str, column: str) -> Reals:
    """(points, 2): m and the largest mean up to it, above zero."""
    own = rows[(rows["mechanism"] == name) & rows[column].notna()].astype({column: float})
    weighted = own.assign(total=own[column] * own["count"]).groupby("m")[["total", "count"]].sum()
    means = weighted["total"] / weighted["count"]
    means = means[means > 0].cummax()
    return np.stack([means.index.to_numpy(float), means.to_numpy(float)], dtype=np.float64).T


def m_at(curve: Reals, target: float) -> float:
    """The m at which a rising curve has a height, straight in logarithms."""
    after = int(np.searchsorted(curve[:, 1], target, side="left"))
    (m0, r0), (m1, r1) = curve[after - 1], curve[after]
    return float(np.exp(np.log(m0) + np.log(m1 / m0) * np.log(target / r0) / np.log(r1 / r0)))


def test_an_audit_stands_between_the_exact_ends_of_both_tables_beside_the_exact_number() -> None:
    drawn = drawing("audit")
    (ax,) = drawn.axes
    for name, own in by(drawn.rows, "mechanism"):
        exact = lines(ax, colour=style(name).colour)
        assert len(exact) == own["eps"].nunique()
        points = next(each for (colour, _), each in bars(ax) if colour == look(name)[0])
        for at, (_, rows) in zip(points, own.groupby("eps"), strict=True):
            runs, hits, others = (int(rows[each].sum()) for each in ("runs", "hits", "hits_neighbour"))
            delta, p, q = (float(rows[each].iloc[0]) for each in ("delta", "p", "q"))
            expected = [
                asked(low, high, delta)
                for low, high in (
                    (ends(hits, runs)[0], ends(others, runs)[1]),
                    (hits / runs, others / runs),
                    (ends(hits, runs)[1], ends(others, runs)[0]),
                )
            ]
            np.testing.assert_allclose(at[1:], expected, rtol=1e-6)
            short = next(each for each in exact if each[0, 0] < at[0] < each[-1, 0])  # at one of two places: nothing between
            assert short[:, 1] == pytest.approx([asked(p, q, delta)] * 2)


def ends(count: int, runs: int) -> tuple[float, float]:
    """Clopper and Pearson's interval of 97.5 %, so that both of two hold with 95 %."""
    low, high = beta_law.ppf(0.0125, count, runs - count + 1), beta_law.ppf(0.9875, count + 1, runs - count)
    return (0.0 if count == 0 else float(low)), (1.0 if count == runs else float(high))


def asked(p: float, q: float, delta: float) -> float:
    """The ε that an event of chances p and q asks for."""
    return max(0.0, float(np.log((p - delta) / q)), float(np.log((1 - q - delta) / (1 - p))))
