"""The terminal: what is shown there is text and nothing else, whoever wrote it."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text
from typer import Exit
from typer.core import TyperCommand, TyperGroup

import harness
from harness.registry import names
from harness.text import message, printable


class Terminal(Console):
    """A rich console that prints text literally: no markup, and invisible characters escaped as Python writes them.

    On a terminal lines end between words, and a word that is longer than a line is left to the terminal; elsewhere nothing is
    wrapped or cut.
    """

    def __init__(self, **options: Any) -> None:
        wide = not sys.stdout.isatty()
        settings = {"width": 160 if wide else None, "soft_wrap": wide} | options
        super().__init__(highlight=False, markup=False, emoji=False, **settings)

    def print(self, *objects: Any, **options: Any) -> None:
        """Nothing is cut at the end of a line."""
        super().print(*objects, **{"crop": False} | options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Text as it is set and measured."""
        return super().render_str(printable(text, but="\n"), **options)

    def data(self, pieces: Iterable[bytes]) -> None:
        """UTF-8 for another program as it is, and on a terminal as text."""
        for piece in pieces:
            if sys.stdout.isatty():
                self.print(piece.decode(), end="", soft_wrap=True)
            else:
                sys.stdout.buffer.write(piece)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """All that is ever shown, whatever it was before; rich's own segments of control move the cursor of a progress bar."""
        drawing = options or self.options
        if isinstance(renderable, Text) and not drawing.no_wrap:
            renderable = unbroken(renderable, drawing.max_width)
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text, but="\n"))


def unbroken(text: Text, width: int) -> Text:
    """The text with line breaks put between words where a word is wider than a line, since rich would split such a word."""
    if all(cell_len(word) <= width for word in text.plain.split()):
        return text
    whole = Text("\n").join(line for each in text.split("\n") for line in broken(each, width))
    whole.overflow = "ignore"
    return whole


def broken(line: Text, width: int) -> list[Text]:
    """A line of text as lines of at most so many characters, broken between words alone."""
    lines, begun = list[Text](), Text()
    for word in line.split(" "):
        if begun.plain.strip() and begun.cell_len + 1 + word.cell_len > width:
            lines.append(begun)
            begun = Text()
        begun.append(" " if len(begun) else "").append_text(word)
    return [*lines, begun]


def show_version(wanted: bool) -> None:
    """Prints the version and ends the program, where `wanted`."""
    if wanted:
        print(f"harness {harness.__version__}")
        raise Exit


console = Terminal()
"""The one that commands speak on."""


def examples(*commands: str) -> str:
    """The text of examples that ends a command's help."""
    return "\n\n".join(("Examples:", *commands))


def named_parts(help_text: str) -> str:
    """The help of an option, with the names of all parts of a sort, users' too, in the place of {sort}."""
    return re.sub(r"\{([a-z ]+)\}", lambda match: ", ".join(names(match[1])), help_text)


class Choosing(TyperCommand):
    """A command whose help lists available parts, users' too: {constants} in it becomes the names of all sets of constants."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        named = copy(self)
        named.params = [copy(param) for param in self.params]
        for param in named.params:
            if help_text := getattr(param, "help", None):
                vars(param)["help"] = named_parts(help_text)
        super(Choosing, named).format_help(ctx, formatter)


class Commands(TyperGroup):
    """Commands whose complaints about options and arguments, which may hold what was typed, are text as well.

    Plugins may be named after a command too.
    """

    def make_context(self, *arguments: Any, **more: Any) -> Any:
        with _plain_complaints():
            return super().make_context(*arguments, **more)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _plugins_first(args))

    def invoke(self, ctx: Any) -> Any:
        with _plain_complaints(), _plugins_blamed():
            return super().invoke(ctx)


def _plugins_first(words: Sequence[str]) -> list[str]:
    """The same words with every --plugin, and its file, before all others; what follows a -- stays."""
    first, others, left = list[str](), list[str](), list(words)
    while left and left[0] != "--":
        word = left.pop(0)
        if word == "--plugin" and left:
            first += [word, left.pop(0)]
        else:
            (first if word.startswith("--plugin=") else others).append(word)
    return first + others + left


@contextmanager
def _plugins_blamed() -> Iterator[None]:
    """Before the parser takes some of what a plugin raises for an end that was asked for."""
    try:
        yield
    except BaseException:
        from harness.sweep.plugins.faults import blaming  # which only what went wrong needs

        with blaming():
            raise


@contextmanager
def _plain_complaints() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message") and hasattr(error, "message"):  # one of the parser's own
            error.message = message(error.message, but="\n")
        raise
