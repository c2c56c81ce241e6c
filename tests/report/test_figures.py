"""Figures show what the table holds: measured means with intervals, bounds where there are any, and nothing unseen."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import colors
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from scipy.stats import binomtest, norm

from harness.report import figures
from harness.report.figures.marks import DODGE
from harness.report.figures.means import LEVEL, RESAMPLED, mean_interval
from harness.report.settings import View
from harness.report.style import MARKERS, VACUOUS, style
from harness.sweep.spec import Sweep
from harness.sweep.table.samples import Sample
from harness.trials import kinds
from tests.support.drawn_files import draw

if TYPE_CHECKING:
    from tests.support.project import Project

STEM = Path("figure")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Figure]]:
    """The figures that would have been saved, by file. Nothing is rendered."""
    saved: dict[str, Figure] = {}
    monkeypatch.setattr(Figure, "savefig", lambda figure, file, format, **_: saved.__setitem__(f"figure.{format}", figure))
    monkeypatch.setattr(figures, "lighten", lambda _: b"")
    monkeypatch.setattr(figures, "slim", lambda *_: b"")
    yield saved
    assert "figure.png" in saved


def lines(ax: Axes, marker: str) -> list[tuple[list[float], list[float], Any]]:
    """x, y and face of the marks drawn with a marker, those with points in them."""
    found = [line for line in ax.get_lines() if line.get_marker() == marker and np.size(line.get_xdata())]
    return [(floats(line.get_xdata()), floats(line.get_ydata()), line.get_markerfacecolor()) for line in found]


def dashed(ax: Axes) -> dict[str, list[float]]:
    """Bounds by colour."""
    return {str(line.get_color()): floats(line.get_ydata()) for line in ax.get_lines() if line.get_linestyle() == "--"}


def floats(data: Any) -> list[float]:
    return [float(value) for value in data]


def shaded(ax: Axes) -> list[tuple[float, float]]:
    """The grey stretches of the horizontal axis."""
    grey = colors.to_rgb(VACUOUS)
    patches = [patch for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_facecolor()[:3] == grey]
    return [(patch.get_x(), patch.get_x() + patch.get_width()) for patch in patches]


def made_up(sweep: Sweep, trials: int = 6) -> pd.DataFrame:
    """The sweep's parameters, with 0, 1, 4, 0, 1, 4, ... errors in the trials of each cell and as many ⊥s."""
    rows = []
    for cell in sweep.cells:
        for trial in range(trials):
            for row in kinds()["answers"].rows(cell, sweep.spec.mechanisms, 1, trial):
                errors = (trial % 3) ** 2
                bottoms = errors if row["T"] is not None else 0
                rate = errors / row["m"]
                rows.append(row | {"bottoms": bottoms, "misclassified": errors, "misclassification_rate": rate})
    return pd.DataFrame(rows).convert_dtypes().astype({"T": float, "bound": float, "alpha_target": float})


AXES: dict[str, dict[str, str | None]] = {
    "n": {"n": "[1e9, 4e9, 1e10]"},
    "m": {"m": "[20, 50, 80]"},
    "eps": {"eps": "[0.5, 1, 2]"},
    "delta": {"delta": "[1e-7, 1e-6, 1e-5]"},
    "beta": {"beta": "[0.01, 0.05, 0.1]"},
    "alpha": {"alpha": "[0.001, 0.01, 0.1]", "n": None},
    "k_scale": {"k_scale": "[0.5, 1, 1.5]"},
    "T": {"T": "[1, 2, 5]", "n": None, "concept": "ensemble", "distribution": "split", "learner": None},
}
ONE = {"m": "50", "learner": "leftmost", "mechanisms": "[A_binClas, noisy_majority]", "claims": "[]"}


@pytest.mark.at_once("n-misclassification_rate", "T-bottoms")
@pytest.mark.parametrize("y", ["misclassification_rate", "bottoms"])
@pytest.mark.parametrize("x", AXES)
def test_every_mean_is_at_its_place_on_every_axis(project: "Project", drawn: dict[str, Figure], x: str, y: str) -> None:
    changes: dict[str, str | None] = {**ONE, **AXES[x], "figure": f"{{x: {x}, y: {y}}}"}
    if x == "T":
        changes["mechanisms"] = "[A_binClas]"
    sweep = project.sweep(**changes)
    frame = made_up(sweep)
    draw(frame, View.of(sweep), STEM, ["png"])

    (ax,) = drawn["figure.png"].get_axes()
    column = {"alpha": "alpha_target", "T": "T_target"}.get(x, x)
    values = sorted(frame[column].unique())
    shown = [name for name in sweep.spec.mechanisms if y != "bottoms" or name == "A_binClas"]
    spread = values[-1] / values[0] > 5
    assert (ax.get_xscale(), ax.get_yscale()) == ("log" if spread else "linear", "log")
    for position, mechanism in enumerate(shown):
        rows = frame[frame["mechanism"] == mechanism]
        expected = rows.groupby(column)[y].mean()
        shift = DODGE ** (position - (len(shown) - 1) / 2) if spread else 1
        seen = lines(ax, style(mechanism).marker)
        assert sum(len(xs) for xs, _, _ in seen) == 3
        points = sorted((x_at, y_at) for xs, ys, _ in seen for x_at, y_at in zip(xs, ys, strict=True))
        np.testing.assert_allclose([x_at for x_at, _ in points], [value * shift for value in values])
        np.testing.assert_allclose([y_at for _, y_at in points], expected.to_numpy(float))
        claimed = rows.groupby(column)["T" if y == "bottoms" else "bound"].first().to_numpy(float)
        vacuous = rows.groupby(column)["vacuous"].first().to_numpy(bool)
        bound = dashed(ax).get(style(mechanism).colour, [np.nan] * 3)
        np.testing.assert_allclose(bound, np.where(vacuous, np.nan, claimed))
    assert lines(ax, r"$\downarrow$") == []


def test_zero_is_an_arrow_at_the_least_mean_that_could_have_been_seen(project: "Project", drawn: dict[str, Figure]) -> None:
    sweep = project.sweep(**ONE | {"m": "[20, 50]", "figure": "{x: m}"})
    frame = made_up(sweep, trials=4).assign(misclassification_rate=0.0, bottoms=0)
    draw(frame, View.of(sweep), STEM, ["png"])
    (ax,) = drawn["figure.png"].get_axes()
    arrows = lines(ax, r"$\downarrow$")
    assert [ys for _, ys, _ in arrows] == [[1 / (20 * 4), 1 / (50 * 4)]] * 2
    assert lines(ax, MARKERS[0]) == lines(ax, MARKERS[1]) == []
    texts = [text.get_text() for text in drawn["figure.png"].legends[0].get_texts()]
    assert "none seen in any trial" in texts and not any("vacuous" in text for text in texts)


def test_where_the_bound_is_vacuous_points_are_hollow_the_ground_is_grey_and_no_bound_is_drawn(
    project: "Project", drawn: dict[str, Figure]
) -> None:
    sweep = project.sweep(**ONE | {"n": "[4e5, 1e6, 1e10, 1e11]", "figure": "{x: n}"})
    frame = made_up(sweep)
    binclas = frame[frame["mechanism"] == "A_binClas"]
    assert binclas.groupby("n")["vacuous"].first().tolist() == [True, True, False, False]
    draw(frame, View.of(sweep), STEM, ["png"])

    (ax,) = drawn["figure.png"].get_axes()
    look = style("A_binClas")
    hollow = {tuple(np.round(xs)): face for xs, _, face in lines(ax, look.marker)}
    shift = DODGE**-0.5
    assert hollow == {
        (round(4e5 * shift), round(1e6 * shift)): "white",
        (round(1e10 * shift), round(1e11 * shift)): look.colour,
    }
    bound = dashed(ax)[look.colour]
    assert np.isnan(bound[:2]).all() and bound[2:] == binclas.groupby("n")["bound"].first().tolist()[2:]
    low, high = shaded(ax)[0][0], shaded(ax)[-1][1]
    assert low < 4e5 < 1e6 < high < 1e10 and high == pytest.approx((1e6 * 1e10) ** 0.5)
    assert "bound vacuous (points hollow)" in [text.get_text() for text in drawn["figure.png"].legends[0].get_texts()]


def test_bars_are_intervals_around_the_means(project: "Project", drawn: dict[str, Figure]) -> None:
    sweep = project.sweep(**ONE | {"m": "[20, 50]", "figure": "{x: m, y: misclassified}", "mechanisms": "[majority]"})
    frame = made_up(sweep, trials=9)
    draw(frame, View.of(sweep), STEM, ["png"])
    (ax,) = drawn["figure.png"].get_axes()
    (bars,) = ax.containers
    segments = bars.lines[2][0].get_segments()  # type: ignore[attr-defined]
    low, high = mean_interval(Sample.single(np.array([0, 1, 4] * 3, dtype=float)))
    for segment in segments:
        np.testing.assert_allclose([segment[0][1], segment[1][1]], [low, high])
    assert low < 5 / 3 < high


def test_the_interval_of_the_mean_is_the_bootstraps() -> None:
    """Against the bootstrap written out, resample by resample, and the normal law that it tends to."""
    rng = np.random.default_rng(3)
    values = rng.poisson(3.0, 400).astype(float)
    low, high = mean_interval(Sample.single(values))
    resampled = rng.choice(values, (20_000, 400)).mean(axis=1)
    slow = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    half = norm.ppf((1 + LEVEL) / 2) * values.std() / np.sqrt(400)
    np.testing.assert_allclose([low, high], slow, atol=0.15 * half)
    np.testing.assert_allclose([low, high], [values.mean() - half, values.mean() + half], atol=0.15 * half)
    assert mean_interval(Sample.single(np.full(7, 0.1))) == pytest.approx((0.1, 0.1))


@pytest.mark.law
@pytest.mark.parametrize("more", [0, 1])
def test_the_interval_of_many_different_values_is_the_normal_one(more: int) -> None:
    """On either side of where resampling ends: the same, but for ten standard errors of an end of 2000 resamples."""
    values = np.random.default_rng(4).exponential(size=RESAMPLED + more)
    half = norm.ppf((1 + LEVEL) / 2) * values.std() / np.sqrt(len(values))
    expected, off = [values.mean() - half, values.mean() + half], 0.3 * half * (1 - more) + 1e-12
    np.testing.assert_allclose(mean_interval(Sample.single(values)), expected, atol=off)


def test_a_million_trials_cost_no_more_than_their_values() -> None:
    """A resample is one multinomial draw: 2000 resamples of a million trials in no time and no memory."""
    values = np.repeat([0.0, 1.0, 5.0], [999_000, 900, 100])
    low, high = mean_interval(Sample.single(values))
    half = 1.96 * values.std() / 1000
    assert [low, high] == pytest.approx([values.mean() - half, values.mean() + half], abs=0.3 * half)


@pytest.mark.law
def test_each_combination_of_panel_values_has_its_panel(project: "Project", drawn: dict[str, Figure]) -> None:
    sweep = project.sweep(
        learner="[leftmost, midpoint]",
        distribution="[uniform, {name: hard, c: 0.5}, {name: hard, c: 1}]",
        m="[20, 50]",
        mechanisms="[majority]",
        figure="{x: m, panels: [distribution, learner]}",
    )
    draw(made_up(sweep), View.of(sweep), STEM, ["png"])
    titles = [ax.get_title() for ax in drawn["figure.png"].get_axes()]
    distributions = ("uniform", "hard (c = 0.5)", "hard (c = 1)")
    assert titles == [f"{distribution}, {learner}" for distribution in distributions for learner in ("leftmost", "midpoint")]


def test_the_caption_tells_what_all_points_share_and_nothing_else(project: "Project", drawn: dict[str, Figure]) -> None:
    sweep = project.sweep(**ONE | {"m": "[20, 50]", "n": "[1e9, 1e10]", "zip": "[[m, n]]", "figure": "{x: m}"})
    draw(made_up(sweep, trials=5), View.of(sweep), STEM, ["png"])
    figure = drawn["figure.png"]
    caption = " ".join(text.get_text() for text in figure.texts)
    assert "ε = 1" in caption and "δ = 10⁻⁶" in caption and "β = 0.05" in caption and "constants: BTT18" in caption
    assert "n = " not in caption and "m = " not in caption
    assert "5 trials a point" in caption and "95%" in caption
    assert figure.get_suptitle().startswith("A small sweep")


NULLABLE = [column.name for column in kinds()["answers"].columns if column.null]
QUICK = ("eps_data_dependent", "wrong", "gamma", "vacuous")


@pytest.mark.at_once("gamma-failures")
@pytest.mark.parametrize("plot", ["means", "failures"])
@pytest.mark.parametrize("y", [y if y in QUICK else pytest.param(y, marks=pytest.mark.law) for y in (*NULLABLE, *QUICK[1:])])
def test_any_column_of_numbers_can_be_drawn_also_where_it_is_null(
    project: "Project", drawn: dict[str, Figure], plot: str, y: str
) -> None:
    mechanisms = "[A_binClas, majority]"
    sweep = project.sweep(**ONE | {"n": "[4e5, 1e9]", "mechanisms": mechanisms, "figure": f"{{x: n, y: {y}, plot: {plot}}}"})
    draw(project.run(sweep).table.frame(), View.of(sweep), STEM)
    assert len(drawn["figure.png"].get_axes()) == 1


def test_failures_are_shares_of_trials_with_exact_intervals_beside_beta(project: "Project", drawn: dict[str, Figure]) -> None:
    sweep = project.sweep(
        **ONE | {"m": "[20, 50]", "mechanisms": "[majority]", "figure": "{x: m, y: misclassified, plot: failures}"}
    )
    draw(made_up(sweep, trials=9), View.of(sweep), STEM, ["png"])
    (ax,) = drawn["figure.png"].get_axes()
    ((_, shares, _),) = lines(ax, style("majority").marker)
    assert shares == pytest.approx([6 / 9, 6 / 9])
    interval = binomtest(6, 9).proportion_ci(0.95)
    (bars,) = ax.containers
    segment = bars.lines[2][0].get_segments()[0]  # type: ignore[attr-defined]
    np.testing.assert_allclose([segment[0][1], segment[1][1]], [interval.low, interval.high])
    assert list(dashed(ax).values()) == [[0.05, 0.05]]


@pytest.mark.law
def test_the_files_are_pictures_and_the_same_each_time(project: "Project") -> None:
    sweep = project.sweep(**ONE | {"m": "[20, 50]", "figure": "{x: m}"})
    frame = made_up(sweep)
    contents = []
    for stem in (Path("one"), Path("two")):
        paths = draw(frame, View.of(sweep), stem)
        assert paths == [Path(f"{stem}.{suffix}") for suffix in ("png", "pdf", "svg", "tex")]
        png, pdf, svg, caption = (path.read_bytes() for path in paths)
        assert png.startswith(b"\x89PNG\r\n") and 10_000 < len(png) < 60_000
        assert pdf.startswith(b"%PDF") and pdf.rstrip().endswith(b"%%EOF")
        assert svg.startswith(b"<svg ") and svg.endswith(b"</svg>")
        contents.append((png, pdf, svg, caption))
    assert contents[0] == contents[1]
