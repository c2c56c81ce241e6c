"""Text in figures: drawn as it is, in letters that the figures' font has, within the room that there is for it."""

import re
from collections.abc import Iterator
from functools import cache
from textwrap import TextWrapper

from matplotlib.artist import Artist
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from matplotlib.ticker import FixedFormatter, FuncFormatter

from harness.report.style import FONT
from harness.text import printable, shortened

INCH = 72  # points
LONG = 400  # characters that may be drawn of one text
FEWEST = 8  # in a line that was broken
PARTS = (re.compile(r"(?<=[(,/])(?=\w)"), re.compile(r"(?<=[(_,/])(?=\w)|(?<=[a-z])(?=[A-Z])"))
"""Where a long word ends a line: before what stands in brackets, and where that is not enough within a name."""
HELD = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"  # an equals sign with what stands on both sides of it


class Lines(TextWrapper):
    """Wraps text in lines that end between words, and a word longer than a line between its parts: `GaussianNB(`, `log_`."""

    def _split(self, text: str) -> list[str]:
        pieces = super()._split(text)
        for parts in PARTS:
            pieces = [part for each in pieces for part in ([each] if len(each) <= self.width else parts.split(each)) if part]
        return pieces


def fitted(text: str, inches: float, points: float, weight: str = "normal", most: int = 3) -> str:
    """The text in at most `most` lines no wider than so many inches; of a longer one the end is left out.

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
        parts = _wrapped(line, letters, most)
    return _evened(line, parts, most)


def _wrapped(line: str, letters: int, most: int) -> list[str]:
    """The line in so many parts at most, none longer than so many letters, and none ending at an equals sign."""
    parts = Lines(width=letters, max_lines=most, placeholder=" …").wrap(line.replace(" = ", HELD))
    return [part.replace(HELD, " = ") for part in parts]


def _evened(line: str, parts: list[str], most: int) -> list[str]:
    """Parts of about one length: as many as there are, each as short as it can be with no word broken."""
    while len(parts) > 1 and not parts[-1].endswith("…"):
        shorter = max(map(len, parts)) - 1
        longest = max(map(len, line.replace(" = ", HELD).split(" ")))
        closer = _wrapped(line, shorter, most) if shorter >= longest else []
        if len(closer) != len(parts) or closer[-1].endswith("…"):
            break
        parts = closer
    return parts


def write_out(figure: Figure) -> None:
    """Turns off matplotlib's math mode ($…$) for all texts of a figure but the numbers of axes, so that they appear literally.
    It would take what stands between dollars for formulas.
    """
    for text in list(_texts(figure)):
        text.set_parse_math(False)
        text.set_text("\n".join(map(_drawable, text.get_text().split("\n"))))
    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
        if isinstance(axis.get_major_formatter(), FixedFormatter | FuncFormatter):  # names, or numbers as print has them
            for tick in axis.get_major_ticks():
                tick.label1.set_parse_math(False)
                tick.label2.set_parse_math(False)


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
