"""Mechanisms at the settings that suit each best: which errs least, by how much, and what would change it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Generic, TypeVar

from rich.console import RenderableType
from rich.text import Text

from harness.report.advice.changes import CLEARLY, Alternative, Blind
from harness.report.advice.means import MeanOfRuns, as_good
from harness.report.grids import Sheet
from harness.report.worksheet import Worksheet

NOTHING = 1e-6
"""An error that is as good as none."""

ROUNDING = 1e-14
"""Less than that is what rounding leaves of an error of 0."""

DECLARED = "(ε, δ)-DP as its author declares, certified by no accountant"
UNCERTIFIED = "not certified to be (ε, δ)-DP"
"""Why a mechanism is out of the race."""


class Entrant(ABC):
    """A mechanism at its best settings: its error, what is promised of it, and why it is out of the race, or None."""

    name: str
    error: MeanOfRuns | None
    promised: float | None
    why: str | None

    @property
    @abstractmethod
    def json(self) -> dict[str, Any]:
        """Numbers that do not exist are null."""

    @property
    def measured(self) -> MeanOfRuns:
        """The error of one that is in the race."""
        assert self.error is not None
        return self.error


Entered = TypeVar("Entered", bound=Entrant)


class RankedAdvice(Worksheet, Generic[Entered]):
    """An advice: private mechanisms ranked by their error at their best settings.

    every: all private mechanisms. moved: what would change the winner, sought when it is asked for; moves: how far, in words,
    empty where it is not sought.
    nothing: an error that is as good as none. times: what stands behind how much larger another is. blind: what sees no data.
    """

    nothing: ClassVar[float] = NOTHING
    times: ClassVar[str] = "times as much"
    moves: str
    every: Sequence[Entered]
    moved: Iterable[Alternative]
    blind: Blind

    @abstractmethod
    def shown(self, error: float) -> str:
        """An error in words."""

    @abstractmethod
    def winning(self, best: Entered) -> str:
        """A sentence that says which entrant wins."""

    @abstractmethod
    def beside(self, best: Entered) -> Iterator[str]:
        """What else there is to say where it wins, a sentence each."""

    @cached_property
    def race(self) -> list[Entered]:
        """The entrants that an accountant certifies and that run, the best first."""
        return ranked(self.every, self.nothing)

    @property
    def wins(self) -> Entered | None:
        """The least error."""
        return self.race[0] if self.race else None

    @property
    def ties(self) -> list[str]:
        """The entrants that are as good as the winner, as far as is measured."""
        return [one.name for one in self.race[1:] if as_good(self.race[0].measured, one.measured, self.nothing)]

    @property
    def out(self) -> list[Entered]:
        """The entrants that are out of the race."""
        return [one for one in self.every if one.why]

    @cached_property
    def changes(self) -> list[Alternative]:
        """What would change the winner."""
        return list(self.moved) if self.race else []

    def named_json(self, question: Any, **more: Any) -> dict[str, Any]:
        """The object of `harness advise --json`. more: what stands between the winner and the mechanisms."""
        return {
            "question": question,
            "wins": self.wins.name if self.wins else None,
            "ties": self.ties,
            **more,
            "mechanisms": {one.name: one.json for one in (*self.race, *self.out)},
            "changes": [change.json for change in self.changes],
        }

    @property
    def proved(self) -> Entered | None:
        """The entrant in the race of which the least error is promised; None where nothing is of any."""
        promising = [one for one in self.race if one.promised is not None]
        return min(promising, key=lambda one: one.promised or 0.0, default=None)

    def within(self, error: MeanOfRuns) -> str:
        """A mean with its margin."""
        return f"{self.shown(error.mean)} ± {self.shown(error.margin)}"

    def sentences(self) -> Iterator[str]:
        """What wins, what comes next, what would change that, and what is out of the race."""
        best = self.wins
        if best is None:
            yield "None wins."
        else:
            yield self.winning(best)
            words, wrong = self.blind
            if best.measured.mean > CLEARLY * wrong:
                yield f"None is clearly better than {words}, which sees no data, with {self.shown(wrong)}."
            if self.ties:
                yield f"As good, as far as is measured: {', '.join(self.ties)}."
            behind = next((one for one in self.race[1:] if one.name not in self.ties), None)
            if behind is not None:
                ratio = behind.measured.mean / best.measured.mean if best.measured.mean else inf
                more = f", {ratio:.2g} {self.times}" if ratio < inf else ""
                yield f"The next is {behind.name}, with {self.shown(behind.measured.mean)}{more}."
            yield from self.beside(best)
            yield self._beyond()
        yield from self._left_out()

    def _beyond(self) -> str:
        if not self.moves:
            return "What would change that was not sought, as a run takes long."
        better = "; ".join(map(str, self.changes))
        return f"By a few runs another does better: {better}." if better else f"No other does better at {self.moves}."

    def _left_out(self) -> Iterator[str]:
        """What is out of the race, those of one reason together. A reason may begin with the name, and go on with a verb."""
        reasons = dict[tuple[bool, str], list[str]]()
        for one in self.out:
            reason = (one.why or "").removeprefix(f"{one.name} ")
            reasons.setdefault((reason != one.why, reason), []).append(one.name)
        for (by_verb, reason), names in reasons.items():
            if len(names) == 1:
                yield f"Out of the race: {names[0]}{' ' if by_verb else ', '}{reason}."
            elif by_verb or reason.startswith("it "):
                yield f"Out of the race: {', '.join(names)}; each {reason.removeprefix('it ')}."
            else:
                yield f"Out of the race: {', '.join(names)}: {reason}."


@dataclass(frozen=True)
class Contender(Entrant):
    """A mechanism at its best settings in a race: its error, what is proved of it, and why it is out of the race, if it is.
    settings: those that change its error, in words by name.
    most: kept in 1 − β of the runs.

    where: the distribution on which it errs most. promised: the error that is proved, and promised_at the settings that it is
    proved at; None where nothing is. why: it is out of the race, in words, or None.
    """

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    error: MeanOfRuns | None = None
    most: float | None = None
    where: str = ""
    promised: float | None = None
    promised_at: Mapping[str, str] = field(default_factory=dict)
    why: str | None = None

    @property
    def json(self) -> dict[str, Any]:
        """Numbers that do not exist are null."""
        error = self.error
        measured: dict[str, Any] = {"error": error and error.mean, "error_within": error and error.margin}
        measured |= {"error_most": self.most, "worst": self.where}
        promised = {"promised": self.promised, "promised_at": dict(self.promised_at)}
        return {"settings": dict(self.settings), **measured, **promised, "out": self.why}


@dataclass(frozen=True)
class Race(RankedAdvice[Contender]):
    """The ranked advice on releases or classifiers, to be shown. question: in words. of: what is ranked, as a heading.
    notes: what the numbers mean, and what else to say.

    beta: in 1 − β of the runs of a contender its error is at most `most`.
    """

    question: str
    of: str
    every: Sequence[Contender]
    moved: Iterable[Alternative]
    beta: float
    notes: Sequence[str]
    moves: str
    blind: Blind

    def shown(self, error: float) -> str:
        """An error to two digits."""
        return small(error)

    @property
    def json(self) -> dict[str, Any]:
        """The object of `harness advise --json`."""
        return self.named_json(self.question)

    def parts(self) -> Iterator[RenderableType]:
        """A table and some sentences."""
        quantile = f"{1 - self.beta:.0%}"
        numbers = ("error", *([quantile] if any(one.most is not None for one in self.race) else []), "promised")
        sheet = Sheet(f"{self.of} at its own best settings", ("mechanism", "settings", *numbers), ("settings",), numbers)
        for one in self.race:
            promised = "–" if one.promised is None else small(one.promised)
            most = [] if quantile not in numbers else ["–" if one.most is None else small(one.most)]
            sheet.add_row(one.name, _in_words(one.settings), self.within(one.measured), *most, promised)
        yield Text(f"{self.question}\n")
        yield sheet
        yield Text(f"{' '.join(self.notes)}\n", style="dim")
        yield Text("\n".join(self.sentences()))

    def winning(self, best: Contender) -> str:
        """With its settings, and where it errs most."""
        where = f" on {best.where}, where it errs most" if best.where else ""
        return f"{best.name} wins{_with(best.settings)}. Its error is {small(best.measured.mean)}{where}."

    def beside(self, best: Contender) -> Iterator[str]:
        """What is promised."""
        proved = self.proved
        if proved is None:
            yield "Nothing is promised of any of them here: every bound is vacuous."
        else:
            most = small(proved.promised or 0.0)
            yield f"By what is promised {proved.name} is best{_with(proved.promised_at)}: at most {most}."


def ranked(every: Sequence[Entered], nothing: float = NOTHING) -> list[Entered]:
    """The entrants that are not ruled out, sorted by measured error, from the least to the largest.
    The first is, of those as good as the best, the one that promises the least error.
    """

    def promise(one: Entered) -> float:
        return inf if one.promised is None else one.promised

    race = [one for one in every if one.why is None and one.error is not None]
    race.sort(key=lambda one: (max(one.measured.mean, nothing), promise(one)))
    good = (place for place, one in enumerate(race) if as_good(race[0].measured, one.measured, nothing))
    best = min(good, key=lambda place: promise(race[place]), default=None)
    return race if best is None else [race[best], *race[:best], *race[best + 1 :]]


def rivals(race: Sequence[Entrant], kind: Callable[[str], object]) -> list[str]:
    """The names of mechanisms that may win when n or m changes: the two best of a race, and the best of each kind."""
    kinds = {kind(one.name): one.name for one in reversed(race)}
    return list(dict.fromkeys([*(one.name for one in race[:2]), *kinds.values()]))


def _in_words(settings: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" if name.endswith(" by") else f"{name} = {value}" for name, value in settings.items())


def _with(settings: Mapping[str, str]) -> str:
    return f", with {_in_words(settings)}" if settings else ""


def small(error: float) -> str:
    """An error as text with two significant digits; 0 where it is so small that rounding may have made it."""
    return f"{error if error > ROUNDING else 0:.2g}"
