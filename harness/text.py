"""Text from anywhere, as it may be shown: it means itself, moves nothing on a terminal or a page, and keeps to its place.

What a specification, a table, a file's name or another's exception says may hold any character at all. Control characters
command a terminal, marks of direction turn the words around them, and others are not seen; such characters are shown as Python
writes them.
"""

import re
import shlex
from collections.abc import Iterable

MESSAGE = 2000  # characters of an error, of which nobody reads more
LINE = 1000  # of a line that says something

UNFIT = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What nobody writes on purpose: control characters but tabs and ends of lines, and marks of direction."""


def printable(text: str, but: str = "") -> str:
    """The text with its invisible characters, such as a line's end within a name, written as Python writes them."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in but else each.encode("unicode_escape").decode() for each in text)


def one_line(text: str, most: int = LINE) -> str:
    """The text on one line of at most so many characters. Any white space is one space; of long text the middle is left out."""
    return shortened(printable(" ".join(shortened(text, 4 * most).split())), most)


def shortened(text: str, most: int) -> str:
    """The text, or its beginning and its end, which together have so many characters."""
    head = 2 * most // 3
    return text if len(text) <= most else f"{text[:head]} … {text[len(text) - (most - head - 3) :]}"


def message(text: str, but: str = "") -> str:
    """The text of an error with invisible characters escaped, and its middle left out if it has over MESSAGE characters."""
    return shortened(printable(shortened(text, MESSAGE), but), MESSAGE)


def command(words: Iterable[object]) -> str:
    """The words as a shell takes them, in visible characters: `$'…'`, which bash and zsh know, where a word has others."""
    return " ".join(shlex.quote(word) if word.isprintable() else _quoted(word) for word in map(str, words))


def _quoted(word: str) -> str:
    """A word with its invisible characters as bytes."""
    return "$'" + "".join(f"\\{each}" if each in "\\'" else each if each.isprintable() else _bytes(each) for each in word) + "'"


def _bytes(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))
