"""What the panels of each plot hold is what its rows say: points, ends of bars, arrows, lines of what is claimed, looks.

Of a few rows of committed tables, each number by an independent way from the rows to it. No page is laid out.
"""

from math import ceil

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from scipy.stats import linregress

from harness.report.style import MARKERS, style
from harness.theory.constants.btt18a_scores import raw_width
from tests.report.held import bars, beside, by, data, drawing, lines, look, marked
from tests.report.pictured import few_rows
from tests.support.committed import SHORT_OF


@pytest.mark.law
def test_what_was_searched_for_stands_between_its_ends_with_what_its_theorem_asks_for() -> None:
    """An arrow where nothing that was tried is enough; below, n* as a multiple of that without privacy."""
    experiment = "sample_complexity_vs_eps"
    rows, _, (above, below), _, legend = drawing("complexity", experiment=experiment)
    reach = (rows["eps"].max() / rows["eps"].min()) ** 0.03
    names = list(rows["mechanism"].unique())
    asked, seen, priced = lines(above), bars(above), dict(bars(below))
    base = rows[rows["mechanism"] == "non_private"].set_index("eps")
    assert list(legend)[:-1] == [style(name).legend for name in names]
    ends = 0
    for place, (name, own) in enumerate(by(rows, "mechanism")):
        own, shift = own.sort_values("eps"), beside(place, len(names), reach)
        needed = own[own["needed"].notna()]
        np.testing.assert_allclose(asked[place], needed[["eps", "needed"]].to_numpy(float))
        found = own[own["n_high"].notna()]
        assert seen[place][0] == look(name)
        expected = found[["eps", "n_low", "n_star", "n_high"]].to_numpy(float) * [shift, 1, 1, 1]
        np.testing.assert_allclose(seen[place][1], expected, rtol=1e-9)
        ends += len(expected)
        if name != "non_private" and len(found):
            one = base.loc[found["eps"]]
            price = [
                found["eps"] * shift,
                found["n_low"].to_numpy(float) / one["n_high"].to_numpy(float),
                found["n_star"].to_numpy(float) / one["n_star"].to_numpy(float),
                found["n_high"].to_numpy(float) / np.maximum(one["n_low"].to_numpy(float), 1),
            ]
            np.testing.assert_allclose(priced.pop(look(name)), np.array(price, float).T, rtol=1e-9)
    assert ends > 20 and priced == {} and lines(below, "-")[0].tolist() == [[0, 1], [1, 1]]
    open_ends = rows.assign(n_high=rows["n_high"].where(rows["eps"] < 0.5), n_star=rows["n_star"].where(rows["eps"] < 0.5))
    arrows = marked(drawing("complexity", open_ends, experiment).axes[0], r"$\uparrow$")
    for place, (name, own) in enumerate(by(rows[rows["eps"] >= 0.5].sort_values("eps"), "mechanism")):
        expected = own[["eps", "n_low"]].to_numpy(float) * [beside(place, len(names), reach), 1]
        np.testing.assert_allclose(arrows[look(name)[0]], expected)


def test_prices_over_what_works_with_any_learner_stand_at_their_places() -> None:
    rows, _, axes, titles, legend = drawing("price")
    assert len(axes) == len(titles) == rows["concept"].nunique()
    dearest, *others = (str(name) for name in rows["mechanism"].unique())  # in a table without `exponential` the first is
    base = rows[rows["mechanism"] == dearest].set_index(["concept", "alpha"])
    assert list(legend) == [*(style(name).legend for name in others), f"1: {style(dearest).legend}"]
    for ax, (concept, own) in zip(axes, by(rows, "concept"), strict=True):
        assert lines(ax, "-")[0].tolist() == [[0, 1], [1, 1]]
        seen = dict(bars(ax))
        places = own["alpha"].nunique()
        for place, (name, of_name) in enumerate(by(own[own["mechanism"] != dearest], "mechanism")):
            of_name = of_name.sort_values("alpha")
            one = base.loc[[(concept, at) for at in of_name["alpha"]]]
            price = of_name["n_star"].to_numpy(float) / one["n_star"].to_numpy(float)
            reach = (own["alpha"].max() / own["alpha"].min()) ** 0.03
            shift = beside(place, len(others), reach) if places > 1 else 1.0
            points = seen[look(name)]
            np.testing.assert_allclose(points[:, 0], of_name["alpha"].to_numpy(float) * shift)
            np.testing.assert_allclose(points[:, 2], price)
            np.testing.assert_allclose(points[:, 1], of_name["n_low"].to_numpy(float) / one["n_high"].to_numpy(float))


def test_the_error_that_all_but_a_share_of_runs_keep_to_stands_over_alpha() -> None:
    """The value of rank ⌈(1 − 3β)(trials − 1)⌉, and no point where it is not above γ."""
    rows, view, (ax,), _, legend = drawing("public_learner")
    x = view.column(view.figure.x)
    assert list(legend) == [style(str(name)).legend for name in rows["mechanism"].unique()]
    (level,) = (points for points in lines(ax, "-") if points.tolist() == [[0, 1], [1, 1]])
    assert len(level) == 2
    for name, own in by(rows, "mechanism"):
        expected = []
        for at, each in own.groupby(x):
            errors, beta = np.sort(each["error"].to_numpy(float)), float(each["beta"].iloc[0])
            gamma, alpha = (float(each[name].iloc[0]) for name in ("gamma", "alpha"))
            expected.append((float(str(at)), (errors[ceil((1 - 3 * beta) * (len(errors) - 1))] - gamma) / alpha))
        np.testing.assert_allclose(marked(ax, style(name).marker)[look(name)[0]], [each for each in expected if each[1] > 0])


def test_errors_as_multiples_of_alpha_stand_over_public_points_as_multiples_of_its_inverse() -> None:
    rows, _, axes, _, legend = drawing("public_points")
    alpha, sizes = float(rows["alpha"].iloc[0]), sorted(rows["n"].unique())
    assert len(legend) == len(sizes) + 1
    for ax, (_, own) in zip(axes, by(rows, "mechanism"), strict=True):
        m = np.sort(own["m"].unique()).astype(float)
        (least,) = lines(ax)
        np.testing.assert_allclose(least, np.stack([m * alpha, 1 / ((m + 1) * alpha)]).T)
        level, upright = [np.asarray(line.get_data(), float) for line in ax.get_lines()[:2]]
        assert level.tolist() == [[0, 1], [1, 1]] and upright.tolist() == [[1 - alpha, 1 - alpha], [0, 1]]
        for (_, points), n in zip(bars(ax), sizes, strict=True):
            means = own[own["n"] == n].groupby("m")["error"].mean() / alpha
            np.testing.assert_allclose(points[:, [0, 2]], np.stack([means.index.to_numpy(float) * alpha, means]).T)
            assert (points[:, 1] <= points[:, 2]).all() and (points[:, 2] <= points[:, 3]).all()
            assert (points[:, 3] > points[:, 1]).any()


def test_as_many_queries_as_have_t_errors_stand_at_each_n_with_both_slopes() -> None:
    """Where the line through the logarithms of two neighbouring m crosses T; the slopes begin at the first point."""
    rows, _, axes, _, legend = drawing("free")
    assert [label for label in legend if label.startswith("slope")] == [
        "slope 1, as M = Ω̃(εn/V)",
        "slope 2/3, as paying for each query",
    ]
    points_seen = 0
    for ax, (_, own) in zip(axes, by(rows, "T_target"), strict=True):
        starts = []
        for name, of_name in by(own, "mechanism"):
            expected = [
                (float(str(n)), m)
                for n, each in of_name.groupby("n")
                for m in crossing(each.groupby("m")["misclassified"].mean(), float(each["T_target"].iloc[0]))
            ]
            drawn = marked(ax, style(name).marker).get(look(name)[0], np.empty((0, 2)))
            np.testing.assert_allclose(drawn, np.array(expected).reshape(-1, 2), rtol=1e-9)
            starts += expected[:1]
            points_seen += len(expected)
        for dashes, slope in ((":", 1.0), ("-.", 2 / 3)):
            slopes = lines(ax, dashes)
            np.testing.assert_allclose([line[0] for line in slopes], starts)
            for line in slopes:
                np.testing.assert_allclose(line[:, 1] / line[0, 1], (line[:, 0] / line[0, 0]) ** slope)
    assert points_seen > 8


def crossing(means: "pd.Series[float]", T: float) -> list[float]:
    """The m at which the means, as they rise, are T; none where they do not reach it."""
    means = means[means > 0].cummax()
    m, errors, most = np.log(means.index.to_numpy(float)), np.log(means.to_numpy(float)), np.log(T)
    after = int(np.searchsorted(errors, most, side="right"))
    if not 0 < after < len(errors):
        return []
    share = (most - errors[after - 1]) / (errors[after] - errors[after - 1])
    return [float(np.exp(m[after - 1] + share * (m[after] - m[after - 1])))]


def test_rates_stand_along_each_axis_with_their_printed_power() -> None:
    """A panel an axis, of the cells where the others have the value that most have; the line goes through the points' level."""
    rows, view, axes, titles, legend = drawing("exponents")
    named = [style(str(name)).legend for name in rows["mechanism"].unique()]
    assert list(legend) == [*named, "printed power", "the same times its logarithms"]
    cells = rows.drop_duplicates("cell")
    common = {axis: cells[axis].mode().iloc[0] for axis in view.figure.axes}
    for ax, title, axis in zip(axes, titles, view.figure.axes, strict=True):
        there = np.logical_and.reduce([rows[other] == value for other, value in common.items() if other != axis])
        own = rows[there]
        for (_, points), (_, of_name) in zip(bars(ax), by(own, "mechanism"), strict=True):
            m = float(of_name["m"].iloc[0]) if axis != "m" else None
            means = of_name.groupby(axis)["misclassification_rate"].mean()
            assert points[:, 0].tolist() == means.index.to_numpy(float).tolist() and (m is None or m > 0)
            assert (points[:, 1] <= points[:, 2]).all() and (points[:, 2] <= points[:, 3]).all()
            gamma = float(of_name["gamma"].iloc[0])
            np.testing.assert_allclose(points[:, 2], means.to_numpy(float) - gamma, rtol=1e-9)
            assert ax.get_xscale() == ax.get_yscale() == "log"
            (power,), (with_logarithms,) = lines(ax), lines(ax, ":")
            seen = linregress(np.log(points[:, 0]), np.log(points[:, 2])).slope
            said = dict(part.rsplit(" ", 1) for part in title.replace("−", "-").split(", "))
            assert float(said["seen"]) == pytest.approx(seen, abs=0.0051)
            whole, _, part = said["printed power"].partition("/")
            expected = float(whole) / float(part or 1)
            assert linregress(np.log(power[:, 0]), np.log(power[:, 1])).slope == pytest.approx(expected, abs=1e-9)
            for line in (power, with_logarithms):
                assert np.log(line[:, 1]).mean() == pytest.approx(np.log(points[:, 2]).mean())


def test_scores_stay_as_stable_as_was_measured_with_their_power_beside_the_line() -> None:
    rows, _, axes, titles, legend = drawing("stability")
    rows = rows[rows["mechanism"] == "on_average"]
    loss = rows["learner_parameters"].str.extract(r'"loss":"(\w+)"')[0]
    assert titles == [f"{each} loss" for each in loss.unique()] and list(legend)[-1] == "α in closed form"
    for ax, (_, own) in zip(axes, by(rows.assign(loss=loss), "loss"), strict=True):
        texts = {to_hex(text.get_color()): text for text in ax.texts}
        for ((colour, _), points), (_, of_learner) in zip(bars(ax), by(own, "learner_parameters"), strict=True):
            assert points[:, 0].tolist() == sorted(of_learner["s"].unique())
            np.testing.assert_allclose(points[:, 2], np.sqrt(of_learner.groupby("s")["mean_square"].mean()), rtol=1e-9)
            closed = of_learner.groupby("s")["closed"].first().dropna()
            shown = [line for line in lines(ax, colour=colour) if len(line)]
            assert len(shown) == bool(len(closed))
            for line in shown:
                np.testing.assert_allclose(line, np.stack([closed.index.to_numpy(float), closed]).T)
            assert texts[colour].xy == (points[-1, 0], points[-1, 2])  # type: ignore[attr-defined]
            slope = linregress(np.log(points[:, 0]), np.log(points[:, 2])).slope
            assert float(texts[colour].get_text().replace("−", "-")) == pytest.approx(slope, abs=0.0051)


@pytest.mark.law
def test_the_largest_errors_stand_over_widths_with_those_of_the_theorem_and_a_cross_where_no_query_has_a_score() -> None:
    rows, _, axes, _, legend = drawing("widths")
    none = [label for label in legend if label.startswith("no query")]
    shares = (rows["bottoms"] + rows["unanswered"]) / rows["m"]
    by_cell = shares.groupby([rows["cell"], rows["mechanism"]], sort=False).mean()
    assert len(none) == bool((by_cell == 1).any())
    assert none and float(none[0].rsplit("at most ", 1)[1].split()[0]) == pytest.approx(by_cell[by_cell < 1].max(), rel=0.05)
    for ax, (_, own) in zip(axes, by(rows, "n"), strict=True):
        first, drawn = own.iloc[0], [line for line in ax.get_lines() if line.get_marker() in MARKERS]
        assert [to_hex(line.get_color()) for line in drawn] == [look(str(name))[0] for name in own["mechanism"].unique()]
        for line, (name, of_name) in zip(drawn, by(own, "mechanism"), strict=True):
            means = of_name.groupby("width")["error"].mean().dropna()
            np.testing.assert_allclose(data(line), np.stack([means.index.to_numpy(float), means]).T)
            without = (of_name["bottoms"] + of_name["unanswered"]).groupby(of_name["width"]).mean() == of_name["m"].iloc[0]
            crosses = marked(ax, "x").get(look(name)[0], np.empty((0, 2)))
            assert crosses.tolist() == [[width, 0.04] for width in without.index[without]]
        s, nu = int(first["s"]), float(first["nu"])
        chosen = {"--": raw_width(float(first["alpha"]), s, nu), ":": raw_width(2 / s, s, nu)}
        upright = {dashes: [points[0, 0] for points in lines(ax, dashes) if np.ptp(points[:, 0]) == 0] for dashes in chosen}
        assert upright == {dashes: [width] if width <= 1 else [] for dashes, width in chosen.items()}
    two = pd.concat([rows.assign(mechanism="zeta"), rows], ignore_index=True)
    for ax in drawing("widths", two).axes:
        colours = [to_hex(line.get_color()) for line in ax.get_lines() if line.get_marker() in MARKERS]
        assert colours == [look(str(name))[0] for name in two["mechanism"].unique()]  # as they come
    some = rows[rows["cell"].map(by_cell.groupby("cell").max()) < 1]
    assert not any(label.startswith("no query") for label in drawing("widths", some).legend)


@pytest.mark.law
def test_marks_of_classifiers_stand_beside_one_another_in_the_middle_of_their_place() -> None:
    """Of two that have a line each, a hundredth of the axis to the left and to the right."""
    rows = few_rows(SHORT_OF["classifiers"])
    some = rows[rows["mechanism"].isin(["A_binClas", "noisy_majority"])]
    drawn = drawing("classifiers", some)
    places = np.sort(some["alpha_target"].unique())
    for ax in drawn.axes:
        for (_, points), shift in zip(bars(ax), (-0.01, 0.01), strict=True):
            at = points[:, 0] - shift * (places[-1] - places[0])
            assert len(at) and np.isclose(at[:, np.newaxis], places, rtol=1e-9).any(axis=1).all()
