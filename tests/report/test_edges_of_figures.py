"""Edges of figures: letters that are no formula, marks that are not seen, sizes, rates of two points, and what a page reads."""

import json
from types import SimpleNamespace
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, ScalarFormatter

from harness.report import style
from harness.report.figures import exponents, map, means, public_points, slack
from harness.report.figures import widths as of_widths
from harness.report.figures.capacity import capacities
from harness.report.figures.lettering import write_out
from harness.report.figures.map import FewestPoints
from harness.report.figures.marks import Mark, MarkPlot, draw_marks, hollow_entry
from harness.report.figures.reach import draw_reach
from harness.report.figures.rows import room_beside
from harness.report.figures.slack import MeasuredPlot
from harness.report.figures.svg import slim
from harness.report.figures.values import MarkValues
from tests.report.held import data, drawing
from tests.report.test_marks import axes
from tests.report.test_reach import ROWS
from tests.report.test_read_back import reading

NOTHING: Any = None


def test_letters_of_a_figure_are_drawn_as_they_are_and_what_is_none_as_python_writes_it() -> None:
    """Nothing between dollars is a formula, but for numbers of axes that matplotlib writes itself."""
    figure = Figure()
    ours, theirs = figure.subplots(1, 2)
    figure.suptitle("$5 and $6\x07")
    ours.set(xlabel="a_$b$", ylabel="two\nlines\x00", title="$t$")
    ours.xaxis.set_major_formatter(FuncFormatter(lambda x, at: f"${x}$"))
    theirs.xaxis.set_major_formatter(ScalarFormatter())
    figure.legend(handles=[hollow_entry()], labels=["$hollow$"])
    write_out(figure)
    assert figure.get_suptitle() == "$5 and $6\\x07" and ours.get_ylabel() == "two\nlines\\x00"
    texts = [*figure.texts, ours.xaxis.label, ours.yaxis.label, ours.title, *figure.legends[0].get_texts()]
    assert texts and not any(text.get_parse_math() for text in texts)
    for ax, formulas in ((ours, False), (theirs, True)):
        numbers = [label for tick in ax.xaxis.get_major_ticks() for label in (tick.label1, tick.label2)]
        assert numbers and all(label.get_parse_math() == formulas for label in numbers)


def test_a_picture_has_its_numbers_as_text_in_their_own_letters_with_the_place_of_each_to_a_tenth() -> None:
    """Places as shares from the upper left of what is 200 by 50 points."""
    values = MarkValues(["series", "ε"], [["Théorème", "0.5"], ["b", "–"]], [(0.5, 0.25), (0.12349, 1.0)], True)
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 50"/>'
    slimmed = slim(svg.encode(), values).decode()
    (told,) = [each.text or "" for each in fromstring(slimmed).iter() if each.tag.endswith("metadata")]
    assert json.loads(told) == {
        **{"columns": ["series", "ε"], "numbers": [0, 1], "rows": [["Théorème", "0.5"], ["b", "–"]]},
        **{"at": [[100.0, 12.5], [24.7, 50.0]], "few": True},
    }
    assert '"ε"' in told and "Théorème" in told and ", " not in told


def test_nothing_and_what_is_below_it_has_no_place_on_a_logarithmic_axis() -> None:
    ax, look = axes(), style.Style("#112233", "s", "any")
    marks = {x: Mark(value, value, value, {}, floor=0.5) for x, value in ((1.0, 2.0), (2.0, -1.0), (3.0, 0.0), (4.0, 5.0))}
    draw_marks(ax, marks, look, 1.0, True)
    squares = [data(line).tolist() for line in ax.get_lines() if line.get_marker() == "s" and len(data(line))]
    arrows = [data(line).tolist() for line in ax.get_lines() if str(line.get_marker()).startswith("$") and len(data(line))]
    assert (squares, arrows) == ([[[1.0, 2.0], [4.0, 5.0]]], [[[3.0, 0.5]]])


@pytest.mark.parametrize(
    ("limited", "said"),
    [(["a"], ["bound vacuous (points hollow)"]), (["a", "b"], ["all bounds vacuous", "hollow: nothing is claimed"])],
)
def test_a_grey_ground_says_of_one_mechanism_that_its_points_are_hollow_and_of_several_that_all_bounds_are_vacuous(
    limited: list[str], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pd.DataFrame({"mechanism": ["a", "b"], "cell": ["1", "1"]})
    monkeypatch.setattr("harness.report.figures.marks.by_panel", lambda frame, view: [("", frame)])
    monkeypatch.setattr("harness.report.figures.marks._vacuous", lambda *given: iter([(1.0, 2.0)]))
    plot = SimpleNamespace(_marks=lambda rows, view: {})
    view = SimpleNamespace(has_cutoff=lambda rows: rows["mechanism"].iloc[0] in limited)
    seen = [Mark(1.0, 1.0, 1.0, {}, hollow=True)]
    handles = MarkPlot._hollow(plot, frame, view, seen)  # type: ignore[arg-type]
    assert [str(each.get_label()) for each in handles] == said


@pytest.mark.parametrize(
    ("most", "words", "expected"),
    [
        ("T", "", "claimed: T₀"),
        ("2*m", "", "MINE 1"),
        (5, "", "MINE 1"),
        ("2*m", "so many", "claimed: so many"),
        ("T", "so many", "claimed: so many"),
    ],
)
def test_a_bound_is_called_by_what_it_is_or_its_symbol_or_else_by_its_place(most: Any, words: str, expected: str) -> None:
    limit = SimpleNamespace(most=most, said=words)
    claim: Any = SimpleNamespace(place="MINE 1")
    view: Any = SimpleNamespace(table={"T": SimpleNamespace(symbol="T₀")})
    assert means._said(claim, SimpleNamespace(limits=[limit]), view) == expected  # type: ignore[arg-type]


def of_sizes(sizes: list[float], monkeypatch: pytest.MonkeyPatch, low: float = 0.1) -> Axes:
    """A panel with the errors of releases from so many private points, all of one mean."""
    monkeypatch.setattr(public_points, "mean_interval", lambda errors: (low, 0.4))
    rows = pd.DataFrame([{"alpha": 0.1, "m": m, "n": n} for n in sizes for m in (10, 100)])
    view: Any = SimpleNamespace(
        figure=SimpleNamespace(y="error"),
        sample=lambda own, column: SimpleNamespace(mean=0.2),
        kept=lambda key, own, find: find(),
    )
    ax = axes()
    public_points._lines(ax, rows, view, public_points.of_sizes(rows))
    return ax


def test_marks_of_more_points_are_smaller_and_none_is_too_small_to_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    ax = of_sizes([1e3, 1e4, 1e5, 1e6, 1e7], monkeypatch)
    sizes = [line.get_markersize() for line in ax.get_lines() if line.get_marker() in style.MARKERS]
    assert sizes == [7, 5, 3, 3, 3]


def test_a_mean_that_rounding_puts_beyond_its_interval_has_no_bar_there(monkeypatch: pytest.MonkeyPatch) -> None:
    ax = of_sizes([1e3], monkeypatch, low=np.nextafter(0.2, 1))
    (box,) = ax.containers
    ends = [tuple(np.round(part[:, 1], 9)) for part in box.lines[2][0].get_segments()]  # type: ignore[attr-defined]
    assert ends == [(2.0, 4.0)] * 2


@pytest.mark.parametrize("sizes", [1, 2, 3])
def test_scores_of_two_sizes_have_a_power_already(sizes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = pd.DataFrame({"mean": [1 / s for s in range(1, sizes + 1)]}, index=pd.Index(range(1, sizes + 1), name="s"))
    found = found.assign(low=found["mean"], high=found["mean"])
    rows = pd.DataFrame({"learner_parameters": '{"steps": "constant"}', "s": found.index, "closed": np.nan})
    view: Any = SimpleNamespace(by_value=lambda *given: {s: found.loc[[s]] for s in found.index})
    ax = axes()
    exponents._stability(ax, rows, view)
    assert [text.get_text() for text in ax.texts] == (["−1.00"] if sizes > 1 else [])
    found.iloc[-1] = 0.0
    ax = axes()
    exponents._stability(ax, rows, view)
    assert list(ax.texts) == []


def test_attacks_are_drawn_in_the_order_in_which_they_come() -> None:
    """Which is not that of their names."""
    ax = Figure().subplots()
    names = ["rounded_averages", "all_averages"]
    draw_reach(ax, pd.concat([ROWS.assign(mechanism=name) for name in names]), "root", "least")
    dashed = [to_hex(line.get_color()) for line in ax.get_lines() if line.get_linestyle() == "--"]
    assert dashed == [to_hex(style.style(name).colour) for name in names]


@pytest.mark.parametrize(
    ("rows", "share"),
    [
        ([(0.5, 0.25)], 0.5),
        ([(0.5, 0.25), (2.0, 1.5)], 0.75),
        ([(0.5, 0.0)], 0.0),
        ([(0.0, 0.0)], None),
        ([(0.0, 0.25)], 0.25),
        ([(np.nan, 3.0), (4.0, 1.0)], 0.25),
        ([(np.nan, 3.0)], None),
        ([(4.0, 0.0)], 0.0),
    ],
)
def test_what_audits_see_is_a_share_of_what_is_said_and_of_nothing_itself(
    rows: list[tuple[float, float]], share: float | None
) -> None:
    assert slack._share(pd.DataFrame(rows, columns=["claimed", "lower"])) == share


def test_cells_of_an_audited_mechanism_have_their_dots_in_the_order_in_which_they_come() -> None:
    rows = pd.DataFrame({"cell": ["b", "b", "a"], "claimed": 1.0, "lower": [0.25, 0.5, 0.75]})
    view: Any = SimpleNamespace(
        figure=SimpleNamespace(x="m", panels=("eps",)),
        settings=SimpleNamespace(where=lambda cell, axes: f"{cell} on {', '.join(axes)}"),
        once=lambda key, own, find, drawn: find(own),
    )
    assert [(dot.series, dot.value) for dot in slack._audited(rows, view)] == [("b on m, eps", 0.5), ("a on m, eps", 0.75)]


def test_the_least_of_a_search_is_of_all_but_the_one_that_is_not_private(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they are called."""
    price = SimpleNamespace(base="middle", number="n", low="low", high="high")
    monkeypatch.setattr(map, "price_of", lambda view: price)
    names = ["after", "middle", "zeta", "none"]
    rows = pd.DataFrame({"mechanism": names, "a": 1, "b": 2, "n": [30.0, 1, 20, 5], "low": [25.0, 1, 10, 5]})
    rows["high"] = [35.0, 1, 27, np.nan]
    view: Any = SimpleNamespace(column=lambda axis: axis, figure=SimpleNamespace(x="a", by="b"))
    (point,) = FewestPoints().best(rows, view)[0].to_dict("records")
    assert (point["mechanism"], point["n"], point["next"], point["times"], point["alike"]) == ("zeta", 20, "after", 1.5, True)


@pytest.mark.parametrize(("low", "left"), [(0.01, 0.006), (0.03, 0.018), (0.1, 0.02)])
def test_least_constants_have_room_to_the_left_of_the_smallest(low: float, left: float) -> None:
    rows = drawing("least").rows.astype({"low": float, "high": float})
    rows = rows.assign(low=rows["printed"] * low, high=rows["printed"] * 0.2)
    assert drawing("least", rows).axes[0].get_xlim()[0] == pytest.approx(left)


def test_a_plot_of_what_audits_see_is_higher_by_as_much_for_each_row(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    for rows in (1, 2, 4):
        monkeypatch.setattr(MeasuredPlot, "rows", lambda self, frame, view, rows=rows: dict.fromkeys(range(rows), ()))
        sizes.append(MeasuredPlot().size(NOTHING, NOTHING)[1])
    one, two, four = sizes
    assert 0 < two - one < 0.5 and four - two == pytest.approx(2 * (two - one))


def test_names_beside_rows_have_their_share_of_the_width_but_neither_too_little_nor_too_much() -> None:
    column, text, slide = (room_beside(inches) for inches in (3.3, 5.5, 9.0))
    assert column == room_beside(1.0) < text < slide == room_beside(99.0) and text == pytest.approx(5.5 / 5 * room_beside(5.0))


@pytest.mark.parametrize("widths", [(0.5, 0.25), (1.0, 0.5), (1.0, 1.0), (1.0001, 0.5), (1.9, 1.5)])
def test_widths_of_the_theorem_that_are_above_all_scores_are_not_drawn(
    widths: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = iter(widths)
    monkeypatch.setattr(of_widths, "raw_width", lambda alpha, s, nu: next(given))
    ax = axes()
    of_widths._chosen(ax, pd.DataFrame({"s": [50], "nu": [0.02], "alpha": [0.1]}))
    drawn = [(line.get_linestyle(), float(np.asarray(line.get_xdata(), float)[0])) for line in ax.get_lines()]
    assert drawn == [(dashes, width) for dashes, width in zip(("--", ":"), widths, strict=True) if width <= 1]


def test_capacities_are_by_what_errs_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where T is reached between two m, their logarithms are interpolated; an m without an error is none of them."""
    rows = pd.DataFrame([{"n": 1e6, "m": m, "T_target": 2.0, "errors": e} for m, e in ((10, 0.0), (100, 1.0), (10_000, 4.0))])
    rows = pd.concat([rows, rows.assign(n=1e3, errors=0.0), rows.assign(n=1e9, errors=[0.1, 0.2, 0.3])])
    view: Any = SimpleNamespace(mean=lambda column, own: float(own["errors"].mean()))
    n, m = capacities(rows, view)
    assert n.tolist() == [1e6] and m.tolist() == [pytest.approx(1000)]


def test_a_mark_is_of_the_series_of_its_colour_and_sign_and_of_no_place_beyond_nothing() -> None:
    handles = [Line2D([], [], color="red", marker=marker, label=marker) for marker in ("D", "o", "s")]
    seen = reading([1.0, 10.0], handles=handles)
    for marker in ("s", "o", "D"):
        assert seen._series(Line2D([], [], color="red", marker=marker)) == marker
    assert seen._series(Line2D([], [], color="red", marker="X")) == "D" and seen._series(Line2D([], [], color="blue")) == ""
    assert [seen._place(x) for x in (1.1, 9.0, 3.0, 0.0, -1.0)] == [1.0, 10.0, 3.0, 0.0, -1.0]
