"""One colour, one thing: what a colour with its marker names is the same in every figure, and is told apart in grey print."""

from collections import defaultdict
from io import BytesIO
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.artist import Artist
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from PIL import Image

from harness.registry import parts
from harness.report.figures.areas import area
from harness.report.figures.joined import over
from harness.report.figures.plot import Plot
from harness.report.looks import LOOKS, PLACES
from harness.report.style import MARKERS, SCALE, Style, lightness, scale, style, tints
from harness.theory.factors import WITH
from harness.trials import kinds
from tests.report.pictured import SHORT_OF, sampled
from tests.support.committed import SPECS, content, plot_of

SHADE = 0.04  # of lightness, that grey print shows
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


def named(figure: Figure) -> dict[str, Artist]:
    """What the legend names, by the name without what else it says."""
    handles = [each for legend in figure.legends for each in legend.legend_handles if each is not None]
    texts = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    return {text.replace("\n", " ").split(" (spends")[0]: handle for text, handle in zip(texts, handles, strict=True)}


def beside(figure: Figure) -> dict[str, str]:
    """The colours of names that stand beside lines."""
    return {text.get_text().replace("\n", " "): to_hex(text.get_color()) for ax in figure.axes for text in ax.texts}


def look_of(handle: Artist) -> tuple[str, object, object]:
    """What grey print shows of an entry, but for its lightness; and its colour."""
    if isinstance(handle, Line2D):
        return to_hex(handle.get_color()).upper(), str(handle.get_marker()), (handle.get_linestyle(), handle.get_linewidth())
    assert isinstance(handle, Patch)
    return to_hex(handle.get_facecolor()).upper(), handle.get_hatch(), "area"


def refuse_confusion(figure: Figure, known: dict[str, set[str]]) -> None:
    """Raises AssertionError where a name has not the colour of the table, two have one, or entries look alike in grey."""
    entries = named(figure)
    for name in entries.keys() & known.keys():
        handle = entries[name]
        if isinstance(handle, Line2D):
            assert look_of(handle)[0] in known[name], name
    for name, colour in beside(figure).items():
        assert name not in known or to_hex(colour).upper() in known[name], name
    told = [colour for name, colour in beside(figure).items() if name in known]
    assert len(set(told)) == len(told), "two names beside lines are of one hue"
    for (one, first), (other, second) in combinations(entries.items(), 2):
        (one_colour, *one_form), (other_colour, *other_form) = look_of(first), look_of(second)
        changed = one.startswith(f"{other} with ") or other.startswith(f"{one} with ")
        assert one_colour != other_colour or changed or not {one, other} <= known.keys(), f"{one} and {other} are of one hue"
        shade = abs(lightness(one_colour) - lightness(other_colour))
        assert one_form != other_form or shade > SHADE, f"{one} and {other} look alike in grey"


def known_colours() -> dict[str, set[str]]:
    """By name, the colour of the table; of names that several have, theirs."""
    found = defaultdict(set)
    for name in (*LOOKS, *PLACES):
        found[style(name).legend].add(style(name).colour.upper())
    return found


def test_there_is_a_figure_of_every_plot() -> None:
    assert set(SHORT_OF) == set(parts("plot"))


@pytest.mark.parametrize("plot", sorted(parts("plot")))
def test_each_plot_gives_names_the_colours_of_the_table(plot: str) -> None:
    refuse_confusion(sampled(SHORT_OF[plot], "column"), known_colours())


@pytest.mark.law
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_each_figure_gives_names_the_colours_of_the_table_and_has_few_lines(path: Path) -> None:
    figure = sampled(path)
    refuse_confusion(figure, known_colours())
    for ax in figure.axes:
        marked = [line for line in ax.get_lines() if line.get_marker() in MARKERS]
        assert len({(line.get_color(), line.get_marker()) for line in marked}) < 10


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
