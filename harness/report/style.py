"""How figures look: one colour for one thing, readable in print, in grey, and by the colour-blind."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from zlib import crc32

from harness.mechanisms.online import onlines
from harness.registry import parts
from harness.report.looks import HATCHES, LOOKS, PLACES, SPARE
from harness.text import one_line
from harness.theory.factors import SetName
from harness.transfer import private_learners
from harness.trials import kinds

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "h")
VACUOUS = "#BBBBBB"
FONT = "DejaVu Sans"
SCALE = ("#200040", "#433A8A", "#256D7B", "#1F958B", "#4DC26B", "#B5DE2B")
"""From dark to light, and so in grey: of the colours of mechanisms none is among them."""


@dataclass(frozen=True)
class Style:
    """The look of one thing in every figure: its colour, marker and name. hatch: of its area on a map."""

    colour: str
    marker: str
    legend: str

    @property
    def hatch(self) -> str:
        """How its area on a map is hatched; empty: not."""
        return HATCHES.get(self.marker, "//")


def style(subject: str) -> Style:
    """The look of a mechanism, or of another subject of a kind of trial.

    Constants that were changed have the colour of those that they were, and a marker by what was changed. A user's mechanism
    has a spare hue by its place among users' own.
    """
    read = SetName.read(subject)
    named = parts("mechanism").get(subject) or onlines().get(subject) or private_learners().get(subject)
    words = one_line(subject.replace("_", " "))
    if subject in LOOKS:
        return Style(*LOOKS[subject], named.legend if named else words)
    if read.base in PLACES:
        place, marker, name = PLACES[read.base]
        changed = MARKERS[crc32(subject.encode()) % len(MARKERS)] if read.change else marker
        return Style(shade(place), changed, words if read.change or not name else name)
    guests = next((names for kind in kinds().values() if subject in (names := _guests(kind.subjects()))), [subject])
    turn, hue = divmod(guests.index(subject), len(SPARE))
    return Style(SPARE[hue], MARKERS[(hue + turn + 1) % len(MARKERS)], named.legend if named else words)


def _guests(subjects: Sequence[str]) -> list[str]:
    """Those that the tables of looks do not have."""
    return [each for each in subjects if each not in LOOKS and each not in PLACES]


def shade(place: float) -> str:
    """The colour at a place of the scale, from 0, dark, to 1, light, as #RRGGBB."""
    step, part = divmod(min(max(place, 0.0), 1.0) * (len(SCALE) - 1), 1)
    low, high = (SCALE[min(int(step) + more, len(SCALE) - 1)] for more in (0, 1))
    mixed = (round((1 - part) * one + part * other) for one, other in zip(_parts_of(low), _parts_of(high), strict=True))
    return "#{:02X}{:02X}{:02X}".format(*mixed)


def scale(names: Sequence[str]) -> Mapping[str, Style]:
    """The looks of values of an axis, or of other things that are no mechanism, by their place among all of them."""
    last = max(1, len(names) - 1)
    return {
        name: Style(shade(place / last if len(names) > 1 else 0.2), MARKERS[place % len(MARKERS)], name)
        for place, name in enumerate(names)
    }


def lightness(colour: str) -> float:
    """How light a colour is in grey print, from 0, black, to 1, white."""
    red, green, blue = _parts_of(colour)
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def tints(subjects: Sequence[str]) -> dict[str, str]:
    """The colours of mechanisms' areas on a map: each in its own hue, in steps of lightness by the order of the looks."""
    order = sorted(subjects, key=lambda name: (list(LOOKS).index(name) if name in LOOKS else len(LOOKS), name))
    lowest, highest = LIGHT
    step = (highest - lowest) / max(1, len(order) - 1)
    return {name: _lightened(style(name).colour, lowest + step * place) for place, name in enumerate(order)}


LIGHT = (0.55, 0.9)
"""The lightness of the darkest and the lightest area: black numbers are read on all."""


def _lightened(colour: str, to: float) -> str:
    """A colour mixed with white, or black, until it is as light as asked for."""
    before = lightness(colour)
    end, share = (255, (to - before) / (1 - before)) if to >= before else (0, (before - to) / before)
    mixed = (round((1 - share) * part + share * end) for part in _parts_of(colour))
    return "#{:02X}{:02X}{:02X}".format(*mixed)


def _parts_of(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, from 0 to 255."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


@contextmanager
def used() -> Iterator[None]:
    """Context manager in which figures are drawn and saved in the program's style, whatever a user's settings are."""
    import matplotlib as mpl
    import seaborn as sns  # a third of a command's start, for those that draw

    with mpl.rc_context():
        sns.set_theme(context="paper", style="ticks", font=FONT)
        mpl.rcParams.update(
            {
                "axes.grid": True,
                "grid.color": "#E6E6E6",
                "grid.linewidth": 0.6,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "savefig.dpi": 200,
                "pdf.fonttype": 42,
                "svg.hashsalt": "harness",
                "svg.fonttype": "none",  # letters are text
                "text.usetex": False,  # text is not TeX
            }
        )
        yield
