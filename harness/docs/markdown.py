"""Markdown that is made: cells of tables, and docstrings."""

import inspect
from collections.abc import Iterable, Sequence
from typing import Any


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The Markdown of a table, whose cells are Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(_cell(each) for each in line)} |\n" for line in lines)


def code(value: object) -> str:
    """A value as Markdown that shows it as it is, in one line; empty for an empty one."""
    return f"`{value}`" if str(value) else ""


def _cell(value: object) -> str:
    """One line, in which a bar divides nothing."""
    return " ".join(str(value).split()).replace("|", "\\|")


def docstring(part: Any) -> str:
    """The docstring of a class or function as Markdown, its examples as blocks of code."""
    paragraphs = (inspect.getdoc(part) or "").split("\n\n")
    return "\n\n".join(f"```python\n{each}\n```" if each.startswith(">>>") else escaped(each) for each in paragraphs)


def escaped(text: str) -> str:
    """Plain text as Markdown: stars, lines, brackets and tags mean themselves, but for what stands between backticks."""
    parts = text.split("`")
    return "`".join(part if number % 2 else _escaped(part) for number, part in enumerate(parts))


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "*_<[" else letter for letter in text)
