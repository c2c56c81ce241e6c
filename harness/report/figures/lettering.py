"""Text in figures: drawn as it is, in letters that the figures' font has, within the room that there is for it."""

from collections.abc import Iterator
from functools import cache
from textwrap import wrap

from matplotlib.artist import Artist
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from harness.report.style import FONT
from harness.text import printable, shortened

INCH = 72  # points
LONG = 400  # characters that may be drawn of one text
FEWEST = 8  # in a line that was broken


def fitted(text: str, inches: float, points: float, weight: str = "normal", most: int = 3) -> str:
    """The text in lines no wider than so many inches, at most so many of them; of a longer one the end is left out.

    Lines that fit stay as they are.
    """
    lines = [_drawable(each) for each in shortened(text, LONG).split("\n")[:most]]
    return "\n".join(part for each in lines for part in _broken(each, inches, points, weight, most // len(lines)))


def _broken(line: str, inches: float, points: float, weight: str, most: int) -> list[str]:
    """A line, or its parts where it is too wide."""
    font = FontProperties(family=FONT, weight=weight, size=points)
    parts, letters = [line], len(line)
    while letters > FEWEST:
        widest = max(text_to_path.get_text_width_height_descent(part, font, ismath=False)[0] for part in parts) / INCH
        if widest <= inches:
            break
        letters = max(FEWEST, min(letters - 1, int(letters * inches / widest)))
        parts = wrap(line, letters, max_lines=most, placeholder=" …")
    return parts


def write_out(figure: Figure) -> None:
    """Have every text but the numbers of the axes drawn letter by letter: to matplotlib, dollars stand around formulas."""
    for text in list(_texts(figure)):
        text.set_parse_math(False)
        text.set_text("\n".join(map(_drawable, text.get_text().split("\n"))))


def _texts(artist: Artist) -> Iterator[Text]:
    """Every text in it but the numbers of axes, which are formulas."""
    if isinstance(artist, Axis):
        yield artist.label
        return
    if isinstance(artist, Text):
        yield artist
    for inner in artist.get_children():
        yield from _texts(inner)


def _drawable(line: str) -> str:
    """A line with what is no visible character, or none of the font, as Python writes it."""
    return "".join(each if ord(each) in _letters() else each.encode("unicode_escape").decode() for each in printable(line))


@cache
def _letters() -> frozenset[int]:
    """The characters that the font has in every weight that figures use."""
    plain, bold = (FT2Font(findfont(FontProperties(family=FONT, weight=weight))).get_charmap() for weight in ("normal", "bold"))
    return frozenset(plain.keys() & bold.keys())
