"""Mechanisms at the settings that suit each best: which errs least, by how much, and what would change it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any

from rich.console import Group
from rich.text import Text

from harness.report.advice.changes import Alternative
from harness.report.advice.means import MeanOfRuns, as_good
from harness.report.grids import Sheet

NOTHING = 1e-6
"""An error that is as good as none."""


@dataclass(frozen=True)
class Contender:
    """A mechanism at its best. at: the settings that have a say, in words by name. most: what is kept in 1 − β of the runs.

    where: the distribution on which it errs most. promised: the error that is proved, and promised_at the settings that it is
    proved at; None where nothing is. why: it is out of the race, in words, or None.
    """

    name: str
    at: Mapping[str, str] = field(default_factory=dict)
    error: MeanOfRuns | None = None
    most: float | None = None
    where: str = ""
    promised: float | None = None
    promised_at: Mapping[str, str] = field(default_factory=dict)
    why: str | None = None

    @property
    def json(self) -> dict[str, Any]:
        """Numbers that do not exist are null."""
        own = self.error
        measured = {"error": own and own.mean, "error_within": own and own.margin, "error_most": self.most, "worst": self.where}
        promised = {"promised": self.promised, "promised_at": dict(self.promised_at)}
        return {"settings": dict(self.at), **measured, **promised, "out": self.why}


@dataclass(frozen=True)
class Race:
    """What is advised. asked: in words. of: what errs. notes: what the numbers mean, and what else there is to say.

    moved: what would change the winner, which takes longer than all the rest; moves: how far was looked for it, in words.
    """

    asked: str
    of: str
    every: Sequence[Contender]
    moved: Callable[[], Iterable[Alternative]]
    beta: float
    notes: Sequence[str]
    moves: str

    @cached_property
    def race(self) -> list[Contender]:
        """Those that an accountant certifies and that run, the best first."""
        return ranked(self.every)

    @property
    def wins(self) -> Contender | None:
        """The least error."""
        return self.race[0] if self.race else None

    @property
    def ties(self) -> list[str]:
        """Those that are as good as the winner, as far as is measured."""
        return [one.name for one in self.race[1:] if as_good(_error(self.race[0]), _error(one), NOTHING)]

    @cached_property
    def changes(self) -> list[Alternative]:
        """What would change the winner."""
        return list(self.moved()) if self.race else []

    @property
    def json(self) -> dict[str, Any]:
        """The object of `harness advise --json`."""
        return {
            "question": self.asked,
            "wins": self.wins.name if self.wins else None,
            "ties": self.ties,
            "mechanisms": {one.name: one.json for one in (*self.race, *self._out)},
            "changes": [{"axis": each.axis, "from": each.value, "up": each.up, "wins": each.name} for each in self.changes],
        }

    @property
    def _out(self) -> list[Contender]:
        return [one for one in self.every if one.why]

    def __rich__(self) -> Group:
        """A table and some sentences."""
        quantile = f"{1 - self.beta:.0%}"
        numbers = ("error", *([quantile] if any(one.most is not None for one in self.race) else []), "promised")
        sheet = Sheet(f"{self.of} at its own best settings", ("mechanism", "settings", *numbers), ("settings",), numbers)
        for one in self.race:
            promised = "–" if one.promised is None else small(one.promised)
            error = f"{small(_error(one).mean)} ± {small(_error(one).margin)}"
            most = [] if quantile not in numbers else ["–" if one.most is None else small(one.most)]
            sheet.add_row(one.name, _told(one.at), error, *most, promised)
        meaning = " ".join(self.notes)
        said = "\n".join([*self._sentences(), *(f"Out of the race: {_out(one)}." for one in self._out)])
        return Group(Text(f"{self.asked}\n"), sheet, Text(f"{meaning}\n", style="dim"), Text(said))

    def _sentences(self) -> Iterator[str]:
        best = self.wins
        if best is None:
            yield "None wins."
            return
        settings = f", with {_told(best.at)}" if best.at else ""
        where = f" on {best.where}, where it errs most" if best.where else ""
        yield f"{best.name} wins{settings}. Its error is {small(_error(best).mean)}{where}."
        if self.ties:
            yield f"As good, as far as is measured: {', '.join(self.ties)}."
        behind = [one for one in self.race[1:] if one.name not in self.ties]
        if behind:
            times = _error(behind[0]).mean / _error(best).mean if _error(best).mean else inf
            more = f", {times:.2g} times as much" if times < inf else ""
            yield f"The next is {behind[0].name}, with {small(_error(behind[0]).mean)}{more}."
        proved = min((one for one in self.race if one.promised is not None), key=lambda one: one.promised or 0.0, default=None)
        if proved is None:
            yield "Nothing is promised of any of them here: every bound is vacuous."
        else:
            told = f", with {_told(proved.promised_at)}" if proved.promised_at else ""
            yield f"By what is promised {proved.name} is best{told}: at most {small(proved.promised or 0.0)}."
        found = [
            f"{each.name} from about {each.axis} = {each.value:,} {'up' if each.up else 'down'}, all else the same"
            for each in self.changes
        ]
        yield f"Another does better: {'; '.join(found)}." if found else f"No other does better at {self.moves}."


def ranked(entries: Sequence[Contender]) -> list[Contender]:
    """Those that are in the race, the best first; of those without any error, the one that promises most."""

    def place(one: Contender) -> tuple[float, float]:
        return max(_error(one).mean, NOTHING), inf if one.promised is None else one.promised

    return sorted((one for one in entries if one.why is None and one.error is not None), key=place)


def _error(one: Contender) -> MeanOfRuns:
    assert one.error is not None
    return one.error


def _told(settings: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" if name else value for name, value in settings.items())


def _out(one: Contender) -> str:
    why = one.why or ""
    return why if why.startswith(f"{one.name} ") else f"{one.name}, {why}"


def small(error: float) -> str:
    """An error."""
    return f"{error:.2g}"
