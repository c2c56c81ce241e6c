"""What calculators answer, and its one printer: an object for a program, and for a person a heading, tables and notes."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from harness.report.grids import Sheet


class Worksheet(ABC):
    """A calculator's answer: numbers for a program, and text for a person."""

    @property
    @abstractmethod
    def json(self) -> Any:
        """What `--json` prints; numbers that do not exist are null."""

    @abstractmethod
    def parts(self) -> Iterator[RenderableType]:
        """What a person reads, one below the other."""

    def __rich__(self) -> Group:
        """All of its parts."""
        return Group(*self.parts())

    def show(self, console: Console, as_json: bool) -> None:
        """Print it in one of the two ways."""
        if as_json:
            print(json.dumps(self.json, indent=2, ensure_ascii=False, allow_nan=False))
        else:
            console.print(self)


def budget(setting: Any) -> str:
    """The ε, δ and β of a setting as text, for headings."""
    return f"ε = {setting.eps:g}, δ = {setting.delta:g}, β = {setting.beta:g}"


def symbols(rows: Iterable[tuple[str, str, str]]) -> Sheet:
    """The sheet of symbols, a line each with its value and what it is."""
    sheet = Sheet("", ("symbol", "value", "meaning"), numbers=("value",), headed=False)
    for symbol, value, meaning in rows:
        sheet.add_row(Text(symbol, style="bold"), value, Text(meaning, style="dim"))
    return sheet


def vacuous(reason: str | None) -> Iterator[Text]:
    """A note that nothing is promised, as text, where there is a reason; else nothing."""
    if reason is not None:
        yield Text(f"\nvacuous: {reason}", style="yellow")


def finite(value: Any) -> Any:
    """A value as JSON has it: null for a real that is infinite or NaN."""
    return None if isinstance(value, float) and not isfinite(value) else value


def halved(low: float, high: float, steps: int, below: Callable[[float], bool]) -> tuple[float, float]:
    """The two ends of an interval after so many halvings, around the place where `below` turns from true to false."""
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return low, high
