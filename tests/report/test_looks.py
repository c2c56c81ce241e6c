"""One colour, one thing: what a colour with its marker names is the same in every figure, and is told apart in grey print."""

from collections import defaultdict
from io import BytesIO
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from harness.registry import parts
from harness.report.figures.joined import over
from harness.report.figures.map import area
from harness.report.figures.plot import Plot
from harness.report.looks import LOOKS, PLACES
from harness.report.style import SCALE, Style, _lightened, lightness, scale, style, tints
from harness.theory.factors import WITH
from harness.trials import kinds
from tests.report.pictured import SHADE
from tests.support.committed import SPECS, content, plot_of

ONE_THING = {
    ("majority, not private", "plurality, not private", "average, not private", "no privacy", "not private"),
    ("A_Priv by noisy majority", "noisy majority (advanced composition)"),
    ("A_Priv", "A_SL-Quer (histogram stability)", "A_binClas"),
    ("Gaussian noise", "Gaussian noise on all averages", "Gaussian noise on all counts", "average, Gaussian noise"),
    ("public points alone", "public points alone, if labelled"),
    ("A_OQR", "online/A OQR"),
    ("online/A subSamp", "subsample and aggregate (any labels)"),
}
"""Names that one thing has in different kinds of trial."""


def subjects() -> list[str]:
    """All that a trial may have a row of."""
    return sorted({name for kind in kinds().values() for name in kind.subjects()})


def test_everything_that_is_drawn_has_a_place_in_the_one_table() -> None:
    assert [name for name in subjects() if name not in LOOKS and name not in PLACES] == []
    assert set(LOOKS) | set(PLACES) >= set(subjects())


def test_a_colour_with_its_marker_names_one_thing() -> None:
    by_look = defaultdict(set)
    for name in LOOKS:
        by_look[LOOKS[name]].add(style(name).legend)
    together = {tuple(sorted(names)) for names in by_look.values() if len(names) > 1}
    assert together == {tuple(sorted(names)) for names in ONE_THING}


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_no_two_in_one_figure_share_a_hue_but_where_each_row_is_named(path: Path) -> None:
    """A set of constants and the same with a change are one thing: of these the markers are two."""
    spec = content(path)
    bases = {str(name).partition(WITH)[0] for name in spec["mechanisms"]}
    hues = [style(name).colour for name in bases]
    plot = parts("plot")[plot_of(path)]
    assert len(set(hues)) == len(hues) or type(plot).names is not Plot.names, sorted(zip(hues, bases, strict=True))


def test_constants_and_values_are_on_a_scale_that_no_mechanism_has_a_colour_of() -> None:
    mechanisms = {colour for colour, _ in LOOKS.values()}
    assert not mechanisms & {style(name).colour for name in PLACES} and not mechanisms & set(SCALE)
    shades = [lightness(look.colour) for look in scale([str(value) for value in range(8)]).values()]
    assert shades == sorted(shades) and min(np.diff(shades)) > SHADE


def test_changed_constants_keep_their_colour_and_have_a_marker_of_their_own() -> None:
    plain, changed = style("k_tight"), style("k_tight with c_gap = 2")
    assert plain.colour == changed.colour and plain.marker != changed.marker
    assert changed.legend == "k tight with c gap = 2"


def test_mechanisms_of_users_files_have_spare_hues_each_another(monkeypatch: pytest.MonkeyPatch) -> None:
    guests = dict.fromkeys(("mine", "yours", "theirs", "his", "hers"))
    monkeypatch.setattr("harness.report.style.kinds", lambda: {"answers": type("", (), {"subjects": lambda _: list(guests)})()})
    looks = {(style(name).colour, style(name).marker) for name in guests}
    assert len(looks) == len(guests) and not {colour for colour, _ in looks} & {colour for colour, _ in LOOKS.values()}


def grey(figure: Figure) -> Image.Image:
    """The figure as grey print has it."""
    written = BytesIO()
    figure.savefig(written, format="png")
    return Image.open(written).convert("L")


def test_areas_of_a_map_are_told_apart_in_grey_print() -> None:
    """As they are printed: by their mean, or by the spread that hatching makes."""
    names = ["public_averages", "private_grid", "gaussian_averages", "gaussian_tree", "mwem_public", "A_PAP"]
    hues = tints(names)
    seen = []
    for name in names:
        figure = Figure(figsize=(1, 1), dpi=100)
        ax = figure.add_axes((0, 0, 1, 1))
        ax.axis("off")
        ax.axvspan(0, 1, **area(name, hues))
        ax.set_xlim(0, 1)
        pixels = np.asarray(grey(figure), float) / 255
        seen.append((float(np.median(pixels)), style(name).hatch))
    for (shade, hatch), (other_shade, other_hatch) in combinations(seen, 2):
        assert abs(shade - other_shade) > SHADE and hatch != other_hatch
    assert min(shade for shade, _ in seen) > 0.5  # black numbers are read on it


def test_a_line_breaks_where_nothing_was_seen() -> None:
    across, values = over([4, 1, 2, 3], [3, 1], [30, 10])
    np.testing.assert_array_equal(across, [1, 2, 3, 4])
    np.testing.assert_array_equal(values, [10, np.nan, 30, np.nan])


def test_styles_are_of_their_own_colour_everywhere() -> None:
    """A name that a table does not have is no mechanism's look."""
    assert isinstance(style("nobody"), Style) and style("nobody").colour not in {colour for colour, _ in LOOKS.values()}


@pytest.mark.parametrize("colour", ["#202020", "#EEEEEE", "#3366CC", "#FFDD44"])
@pytest.mark.parametrize("to", [0.55, 0.7, 0.9])
def test_a_colour_is_mixed_with_white_or_black_until_it_is_as_light_as_asked_for(colour: str, to: float) -> None:
    mixed = _lightened(colour, to)
    assert lightness(mixed) == pytest.approx(to, abs=0.004)  # of 256 steps
    parts, own = ([int(each[place : place + 2], 16) for place in (1, 3, 5)] for each in (mixed, colour))
    assert all((one >= other) == (lightness(colour) <= to) or one == other for one, other in zip(parts, own, strict=True))
