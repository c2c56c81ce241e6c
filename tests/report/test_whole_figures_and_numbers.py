"""Whole figures of audits, words and numbers of constants, and what is left of a picture, of what is made up."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from harness.report import measured, provable
from harness.report.figures.svg import slim
from harness.report.figures.values import MarkValues
from harness.report.measured import NeededConstant
from harness.report.privacy_curve import allowed, curve, draw, refuse, side_by_side
from harness.report.style import shade
from harness.sweep.errors import InputError
from harness.theory.constants import constants
from harness.theory.constants.bcmnuw20 import PROVED, REPAIRED
from harness.theory.least import STANDARD, ConstantSetting
from tests.report.test_told_in_words import ONE
from tests.report.told import of_figure


def ends(line: Any) -> list[tuple[float, float]]:
    points = np.asarray(line.get_xydata(), float)
    return [(float(x), float(y)) for x, y in points]


SEEN = replace(ONE, curve=((0.0, 0.25), (0.4, 0.1), (1.5, 1e-13), (3.0, 1e-3)))


def test_the_curve_of_an_audit_has_what_is_enough_above_what_was_needed_and_what_was_measured() -> None:
    """Points whose δ is rounding are left out; the axis goes as far as the points, and a fifth beyond what is said."""
    ax = Figure().subplots()
    curve(ax, SEEN)
    enough, needed, upright = ax.get_lines()
    assert enough.get_label() == "certified to be enough: (2, 1e-06)" and upright.get_label() == "measured: ε ≥ 0.5 at that δ"
    assert needed.get_label() == "needed, confidence 0.999" and needed.get_marker() == "."
    x, y = np.asarray(enough.get_xydata(), float).T
    assert (x[0], x[-1], len(x)) == (0, 3.0, 200) and np.allclose(y, allowed(x, 2.0, 1e-6))
    assert ends(needed) == [(0, 0.25), (0.4, 0.1), (3, 1e-3)] and ends(upright)[0][0] == 0.5
    colours = [to_hex(line.get_color()) for line in (enough, needed, upright)]
    assert colours == [to_hex(shade(share)) for share in (0.0, 0.5, 0.9)] and upright.get_linestyle() == ":"
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_yscale(), ax.get_title()) == ("ε", "δ", "log", "mine, m = 3")
    assert ax.get_ylim() == pytest.approx((1e-7, 1.5)) and len(ax.get_legend().get_texts()) == 3  # type: ignore[union-attr]
    near = Figure().subplots()
    curve(near, replace(SEEN, curve=((0.1, 0.2),), delta=0.5))
    assert near.get_lines()[0].get_xdata()[-1] == pytest.approx(2.4) and near.get_ylim()[0] == pytest.approx(0.02)  # type: ignore[index]
    nothing = Figure().subplots()
    curve(nothing, replace(SEEN, claimed=np.inf))
    assert [str(line.get_label()).partition(":")[0] for line in nothing.get_lines()] == ["needed, confidence 0.999", "measured"]


def test_audits_side_by_side_have_a_row_a_mechanism_from_above_with_what_is_said_and_what_was_measured() -> None:
    figure = Figure()
    ax = figure.subplots()
    side_by_side(ax, [SEEN, replace(SEEN, mechanism="other", claimed=1.0, lower=0.25)])
    said, seen = ax.containers
    bars = [[(bar.get_width(), bar.get_y() + bar.get_height() / 2) for bar in box] for box in (said, seen)]
    assert bars == [[(2.0, 1.0), (1.0, 0.0)], [(0.5, 1.0), (0.25, 0.0)]]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["mine", "other"] and ax.get_yticks().tolist() == [1, 0]
    assert (ax.get_xlabel(), ax.get_title(), ax.get_ylim()) == ("ε at δ = 1e-06", "m = 3, T = 1", (-0.8, 1.8))
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["certified, or declared", "measured, a lower end"]
    assert not any(line.get_visible() for line in ax.get_ygridlines()) and of_figure(figure)[-2].endswith(shade(0.9).lower())


@pytest.mark.parametrize(("audits", "suffix"), [(SEEN, ".png"), ([SEEN, replace(SEEN, mechanism="other")], ".pdf")])
def test_the_figure_of_audits_is_written_whole_and_says_what_made_it(audits: Any, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"audit{suffix}"
    draw(audits, path)
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG" if suffix == ".png" else b"%PDF") and b"harness" in content
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_figure_of_audits_has_one_of_two_endings_and_takes_nobodys_place(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"audit.svg is no figure; allowed: .png, .pdf"):
        refuse(tmp_path / "audit.svg")
    (tmp_path / "audit.png").write_bytes(b"somebody's own")
    with pytest.raises(InputError, match=r"audit.png"):
        draw(SEEN, tmp_path / "audit.png")
    refuse(tmp_path / "new.png")


LINE = NeededConstant(
    "answering", "BTT18", "c_k", 136.0, 11.9, "answered", 11.5, 12.0, 11.58, "a range", "the range", None, "m = 2"
)


@pytest.mark.parametrize(
    ("changes", "provable", "between", "over"),
    [
        ({}, "11.9", "11.5 to 12", "11.6×"),
        ({"high": 11.5000001}, "11.9", "11.5", "11.6×"),
        ({"high": None}, "11.9", "more than 11.5", "less than 11.6×"),
        ({"high": None, "over": None}, "11.9", "more than 11.5", "–"),
        ({"low": 0.0}, "11.9", "at most 12", "not challenged"),
        ({"low": None}, "11.9", "not measured", "–"),
        ({"provable": None}, "–", "11.5 to 12", "11.6×"),
    ],
)
def test_a_measured_constant_is_told_by_what_is_known_of_it(
    changes: dict[str, Any], provable: str, between: str, over: str
) -> None:
    line = replace(LINE, **changes).line
    assert line == ("BTT18", "c_k", "136", provable, between, over, "answered", "the range", "m = 2")


def test_what_a_constant_is_for_and_why_it_is_not_measured_stand_in_its_line() -> None:
    line = NeededConstant("release", "BCMNUW20", "c_split", 0.5, why="no value is too small", within="this instance").line
    assert line == (
        "BCMNUW20, for release",
        "c_split",
        "0.5",
        "–",
        "not measured",
        "–",
        "no value is too small",
        "this instance",
        "",
    )


def row(**of: Any) -> "pd.Series[Any]":
    shared = {"m": 100, "eps": 1.0, "delta": 1e-6, "beta": 0.05, "distribution": "split", "printed": 10.0}
    return pd.Series(shared | of, dtype=object)


TABLE: Any = SimpleNamespace(sweep=SimpleNamespace(name="least_mine", kind=SimpleNamespace(name="least_constant")))


def test_on_instances_a_constant_is_between_the_largest_that_is_too_small_and_the_largest_that_is_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where of one none is known to be enough, of all none is."""
    monkeypatch.setattr(measured, "provable", lambda of, each: each["proved"])
    key = ("scores", "corrected", "c_k", "mine")
    two = [
        (TABLE, row(low=2.0, high=5.0, proved=4.0, T=3.0, T_target=None)),
        (TABLE, row(low=4.0, high=4.5, proved=7.0, T_target=2.5, alpha=0.25, m=1000)),
    ]
    found = measured._over_instances(key, two)
    assert (found.low, found.high, found.provable, found.printed, found.event) == (4.0, 5.0, 7.0, 10.0, "mine")
    assert (
        found.over == pytest.approx(10 / 20**0.5) and found.within == "these 2 instances" and found.experiment == "least_mine"
    )
    assert found.instance == "split, m = 1000, T = 2.5, α = 0.25, ε = 1, δ = 10⁻⁶, β = 0.05"
    (alone,) = [measured._over_instances(key, two[:1])]
    assert alone.within == "this instance" and alone.instance == "split, m = 100, T = 3, ε = 1, δ = 10⁻⁶, β = 0.05"
    unknown = measured._over_instances(key, [two[0], (TABLE, row(low=1.0, high=None, proved=None, T_target=1.0))])
    assert (unknown.high, unknown.over, unknown.provable, unknown.low) == (None, None, None, 2.0)


def test_a_table_shows_a_constant_to_be_too_small_where_its_place_is_in_the_range(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest of what it and the theory show; privacy has no β, and what is not above 0 shows nothing."""
    places = {1.0: ConstantSetting(100, 1.0, 1.0, 1e-6, 0.05), 9.0: ConstantSetting(100, 1.0, 99.0, 1e-6, 0.05), 3.0: None}
    monkeypatch.setattr(measured, "setting", lambda of, each: places[each["T_target"]])
    family: Any = SimpleNamespace(of="answering", event="answered", within=STANDARD)
    shown = (1.5, ConstantSetting(2, 1.0, 1.0, 1e-10, 0.2))
    rows = [(TABLE, row(low=2.0, T_target=1.0)), (TABLE, row(low=7.0, T_target=9.0)), (TABLE, row(low=8.0, T_target=3.0))]
    place = "m = 100, T = 1, ε = 1, δ = 10⁻⁶, β = 0.05"
    assert measured._too_small(family, shown, rows) == (2.0, place, "least_mine")
    assert measured._too_small(family, shown, rows[1:]) == (1.5, "m = 2, T = 1, ε = 1, δ = 10⁻¹⁰, β = 0.2", None)
    assert measured._too_small(family, None, [(TABLE, row(low=0.0, T_target=1.0))]) == (0.0, None, None)
    beyond = ConstantSetting(100, 1.0, 1.0, 1e-6, 0.9)
    assert not measured._comes_under(family, beyond)
    assert measured._comes_under(SimpleNamespace(event="private", within=STANDARD), beyond)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("of", "row", "expected"),
    [
        ("answering", row(event="private", high=3.5), 3.5),
        ("answering", row(event="private", high=None), None),
        ("answering", row(event="answered", T_target=None, constants="BTT18", constant="c_k"), None),
        ("answering", row(event="stable", T_target=1.0, constants="BTT18", constant="c_k"), None),
        ("answering", row(event="answered", T_target=1.0, constants="BTT18", constant="c_nothing"), None),
        ("scores", row(event="agreed", T=1.0, constants="BTT18a", constant="c_k"), None),
        ("release", row(event="kept", constants="BCMNUW20", constant="c_nothing"), None),
    ],
)
def test_of_an_instance_nothing_is_proved_but_what_a_proof_is_about(of: str, row: Any, expected: float | None) -> None:
    assert provable.provable(of, row) == expected


def test_on_an_instance_as_much_k_is_proved_as_the_union_bound_asks_for_and_of_a_release_what_is_repaired() -> None:
    """k splits of T + half a margin; more is needed where β is smaller. Of a release it is the set's own."""
    small, large = (
        provable.provable("answering", row(event="answered", T_target=1.0, constants="BTT18", constant="c_k", beta=beta))
        for beta in (1e-6, 0.05)
    )
    assert small is not None and large is not None and 0 < large < constants()["BTT18"].factors[0].printed * 1e9
    sets = {"BCMNUW20": PROVED, "repaired": REPAIRED}
    for name, sound in sets.items():
        for factor in sound.factors:
            found = provable.provable("release", row(event="kept", constants=name, constant=factor.name))
            assert found == sound.values[factor]
    assert provable.setting("answering", row(T_target=2.0)) == ConstantSetting(100, 2.0, 1.0, 1e-6, 0.05)
    assert provable.setting("scores", row(T=3.0, T_target=2.0)) == ConstantSetting(100, 3.0, 1.0, 1e-6, 0.05)


@pytest.mark.parametrize(
    ("style", "given"),
    [
        ("font: 7.5px 'DejaVu Sans', sans-serif; text-anchor: start", {"font-size": "7.5"}),
        (
            "font: bold 9px 'DejaVu Sans'; text-anchor: middle",
            {"font-size": "9", "font-weight": "bold", "text-anchor": "middle"},
        ),
        ("font: 400 9px x; opacity: 1; fill: #abcdef", {"font-size": "9", "fill": "#abcdef"}),
    ],
)
def test_a_font_in_one_word_is_a_size_and_a_weight(style: str, given: dict[str, str]) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 36"><text x="1.26" style="{style}">a</text></svg>'
    root = fromstring(slim(svg.encode(), MarkValues([], [], [], False)))
    (text,) = [each for each in root.iter() if each.tag.endswith("text")]
    assert text.attrib == {"x": "1.3", **given} and (root.get("width"), root.get("height")) == ("96", "48")


def test_what_only_groups_is_left_out_of_a_picture_and_what_is_named_or_drawn_stays() -> None:
    inner = (
        '<metadata/><g id="a"><g id="b"><path d="M 1.26 2" fill="#ffffff"/>'
        '<path d="M 1 2" fill="#abcdef" style="opacity: 1"/></g>'
        '<g clip-path="url(#c)"><rect x="1"/></g><g/><defs/></g><defs><clipPath id="c"><rect x="2"/></clipPath></defs>'
        '<use href="#c"/><text transform="rotate(-0 1 2)">a</text>'
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 36">{inner}</svg>'
    root = fromstring(slim(svg.encode(), MarkValues([], [], [], False)))
    told = [(each.tag.rpartition("}")[2], dict(each.attrib)) for each in root.iter()][1:]
    name = next(given["id"] for tag, given in told if tag == "clipPath")
    assert told[:-1] == [
        ("path", {"d": "M 1 2", "fill": "#abcdef"}),
        ("g", {"clip-path": f"url(#{name})"}),
        ("rect", {"x": "1"}),
        ("defs", {}),
        ("clipPath", {"id": name}),
        ("rect", {"x": "2"}),
        ("use", {"href": f"#{name}"}),
        ("text", {}),
    ]
    assert told[-1][0] == "metadata" and len(name) == 7
