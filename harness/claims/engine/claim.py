"""A claim as a value: what a text says, where it applies, and how rows decide it.

There are four kinds. A `probability` claim has one Bernoulli trial a row and is decided by a confidence sequence; a `certain`
claim is refuted by one counterexample; an `exact` claim sets a number against a number, from a table of computed rows or from
the theory itself; a `rate` claim sets a sweep against the explicit fixed point.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self, get_args

import numpy as np
import pandas as pd

from harness.claims.engine.changed import as_printed, by_change, column_of
from harness.claims.engine.conditions import Condition, met, unmet
from harness.claims.engine.nature import PROBE, Check, Nature, Quote
from harness.claims.engine.verdict import Outcome, Verdict
from harness.registry import nearest
from harness.sweep.errors import InputError
from harness.sweep.run.claim_protocol import DecidableClaim
from harness.sweep.table.cells import Cells
from harness.theory.factors import PRINTED, ConstantValues, SetName

Kind = Literal["certain", "probability", "exact", "rate"]

NOWHERE = "not in the papers"
"""Begins the source of a claim that no paper makes."""


class Decider:
    """How rows decide a claim. A claim asks questions of a table: the sets of rows that get one verdict each.

    trials: the kind of trial whose tables it reads, if any. lacking: what a table lacks that answers no question though its
    cells meet the claim's conditions. by_cell: whether a question is always about one cell and mechanism, whatever others
    there are. counts: whether it takes rows that stand for many trials each.
    """

    kind: ClassVar[Kind]
    trials: str = ""
    lacking: ClassVar[str] = "there are no rows"
    by_cell: ClassVar[bool] = False
    counts: ClassVar[bool] = False

    @property
    def quantity(self) -> str:
        """The column that the claim bounds, if it is one."""
        return ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the decider reads, as far as it names them."""
        return ()

    @property
    def reads_any(self) -> bool:
        """Whether the decider may read other columns than it names."""
        return False

    @property
    def changed(self) -> Self:
        """The decider of the claim with a constant changed."""
        return self

    def questions(self, rows: pd.DataFrame) -> Iterable[pd.DataFrame]:
        """The questions to the rows of all cells that meet the claim's conditions."""
        return ()

    def question(self, rows: pd.DataFrame, first: pd.Series) -> "Question":
        """The question to the rows of one cell and mechanism. first: the first of them."""
        return HeldQuestion(self, rows)

    def far_question(self, cells: Cells, number: int, first: pd.Series) -> "Question":
        """The question to one of the cells and mechanisms of a long table. first: the first of its rows."""
        return self.question(cells.rows(number), first)

    def questions_to(self, cells: Cells, meeting: Sequence[int]) -> "Iterable[Question]":
        """The questions to these cells. meeting: the numbers of the cells that meet the claim's conditions, at least one."""
        if self.by_cell and cells.far:
            return (FarQuestion(self, cells.heads.iloc[[number]], cells, number) for number in meeting)
        if self.by_cell:
            return (self.question(cells.rows(number), cells.firsts[number]) for number in meeting)
        meets = np.isin(np.arange(len(cells.firsts)), meeting)
        return (HeldQuestion(self, rows) for rows in self.questions(cells.frame[meets[cells.numbers]]))

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        """The verdict on one question, false with probability at most `error`."""
        return Verdict(claim, "untested")

    def computed(self, claim: str) -> Iterable[Verdict]:
        """The verdicts of the decider that need no table."""
        return ()


@dataclass(frozen=True)
class Question(ABC):
    """The base of questions: the trials of a table on which a claim's decider gives one verdict."""

    decider: Decider

    @property
    def random(self) -> bool:
        """Whether the verdict takes a share of the error, because chance has a say in it."""
        return self.decider.kind in ("probability", "rate")

    @abstractmethod
    def decide(self, claim: str, error: float) -> Verdict:
        """The verdict on the question, false with probability at most `error`. claim: its id."""

    @property
    def near(self) -> "Question":
        """The question with its rows held in memory."""
        return self


@dataclass(frozen=True)
class HeldQuestion(Question):
    """A question to rows that are held in memory."""

    rows: pd.DataFrame

    def decide(self, claim: str, error: float) -> Verdict:
        return self.decider.decide(claim, self.rows, error)


@dataclass(frozen=True)
class FarQuestion(Question):
    """A question to one cell, whose rows are read when needed and not held in memory. head: the first of the rows."""

    head: pd.DataFrame
    cells: Cells
    number: int

    @property
    def random(self) -> bool:
        return self.decider.question(self.head, self.head.iloc[0]).random

    @property
    def near(self) -> Question:
        return self.decider.far_question(self.cells, self.number, self.head.iloc[0])

    def decide(self, claim: str, error: float) -> Verdict:
        return self.near.decide(claim, error)


@dataclass(frozen=True)
class Claim(DecidableClaim):
    """A claim as a value: what is stated, under which hypotheses, and how rows or numbers decide it.

    id: `PAPER:PLACE`, such as `BTT18:T3.2`, with a suffix for a part, a reading or a repair of it; a probe's begins with
    `probe:`. source, statement: where, and what is claimed, in plain text. decider: what is claimed, as rows or numbers decide
    it. where: the hypotheses; a later one may rest on those before it. expected: the verdict that a correct run ends with.
    breaks: of one that is refuted on some instances alone, what these are; on others it is expected to hold.
    nature: whose words these are. of: the claim that it is a step, reading, repair or probe of. quote: what the text says to
    the letter. check: which of those it is that only a fault of the harness can break. why: of one that is refuted, why it does
    not hold. proof: of a repair, in words; one without has not been seen to fail.

    change: of constants, with which it is another claim, of which nobody has said what to expect: `with_change` makes that.

    Raises ValueError where one of them says nothing.
    """

    id: str
    source: str
    statement: str
    decider: Decider
    where: tuple[Condition, ...] = ()
    expected: Outcome | None = "holds"
    breaks: tuple[Condition, ...] = ()
    nature: Nature = "printed"
    of: str = ""
    quote: Quote | None = None
    check: Check = ""
    why: str = ""
    proof: str = ""
    change: ConstantValues = PRINTED

    def __post_init__(self) -> None:
        id = self.id if self.expected else SetName.read(self.id).base
        if not re.fullmatch(rf"({PROBE})?[A-Za-z0-9]+(:[A-Za-z0-9._-]+)?", id):
            raise ValueError(f"a claim's id is PAPER:PLACE, such as BTT18:T3.2, not {self.id!r}")
        for part in ("source", "statement"):
            if not getattr(self, part).strip():
                raise ValueError(f"the claim {self.id} has no {part}")
        if not isinstance(self.decider, Decider) or not all(isinstance(each, Condition) for each in self.where):
            raise ValueError(f"the claim {self.id} wants a decider, and conditions in `where`")
        self._refuse_contradictions()

    def _refuse_contradictions(self) -> None:
        """Raises ValueError where its nature, what is expected of it, and what it says do not go together."""
        allowed = (("expected to be", self.expected, Outcome), ("said to be", self.nature, Nature), ("a", self.check, Check))
        for what, word, words in allowed:
            if word is not None and word not in get_args(words):
                raise ValueError(f"the claim {self.id} is {what} {word!r}; allowed: {', '.join(filter(None, get_args(words)))}")
        if self.why and self.expected != "refuted":
            raise ValueError(f"the claim {self.id} says why it does not hold, and is expected to be {self.expected}")
        if self.breaks and self.expected not in ("refuted", None):
            raise ValueError(f"the claim {self.id} says where it breaks, and is expected to be {self.expected}")
        if self.proof and self.nature != "repair":
            raise ValueError(f"the claim {self.id} has a proof, and is no repair")
        if (self.nature == "probe") != self.id.startswith(PROBE):
            raise ValueError(f"the claim {self.id} is of nature {self.nature}; a probe's id begins with {PROBE}, and no other")
        if (self.nature == "ours") > self.source.startswith(NOWHERE):
            raise ValueError(f"the claim {self.id} is ours, and its source does not begin with {NOWHERE!r}")

    @property
    def in_a_paper(self) -> bool:
        """Whether a text has the claim; if not, its source says so."""
        return not self.source.startswith(NOWHERE)

    @property
    def place(self) -> str:
        """Where the claim stands, or what it is about if in no paper."""
        return self.source.removeprefix(f"{NOWHERE}: ")

    @property
    def paper(self) -> str:
        """The paper, or the room of ours, by the first word of its id."""
        return self.id.removeprefix(PROBE).partition(":")[0]

    @property
    def kind(self) -> Kind:
        """How the claim is decided."""
        return self.decider.kind

    @property
    def trials(self) -> str:
        """The kind of trial whose tables it reads; empty where the theory alone decides."""
        return self.decider.trials

    @property
    def by_cell(self) -> bool:
        """Whether each of its questions is to the rows of one cell."""
        return self.decider.by_cell

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the claim's hypotheses and its decider name."""
        return (*(name for each in self.where for name in each.columns), *self.decider.columns)

    def with_change(self, change: ConstantValues) -> "Claim":
        """The claim with constants changed: the same event, that may fail as often."""
        if not change:
            return self
        id, what = str(SetName(self.id, change)), f"{self.statement} (Here with {change}.)"
        return replace(self, id=id, statement=what, decider=self.decider.changed, expected=None, why="", change=change)

    def variants(self, rows: pd.DataFrame | Cells) -> Iterator[tuple["Claim", Cells]]:
        """The claim, and the claim with each change that rows have, with the rows of each.

        A claim that does not name any set of constants is about all of them: no change makes it another.
        """
        names = {name for each in self.where for name in each.columns}
        cells = Cells.of(rows)
        if column_of(cells.heads) not in names:
            yield self, cells
            return
        for change, changed in by_change(cells):
            yield self.with_change(change), changed

    def applies(self, first: pd.Series) -> bool:
        """Whether a cell meets the hypotheses, by its first row."""
        return met(self.where, first) == len(self.where)

    def spares(self, cells: Cells) -> bool:
        """Whether the claim is refuted on some instances alone, and none of the cells that it speaks of is one."""
        where = (*self.where, *self.breaks)
        return bool(self.breaks) and not any(met(where, each) == len(where) for each in cells.firsts)

    def questions(self, rows: pd.DataFrame | Cells) -> Sequence[Question]:
        """The questions to a table: the same, with all that was found to decide them, whoever asks.

        Raises InputError where the table has no such column as the claim names.
        """
        cells = Cells.of(rows)
        if self.id not in cells.memo:
            cells.memo[self.id] = list(self._questions(cells))
        questions: list[Question] = cells.memo[self.id]
        return questions

    def _questions(self, cells: Cells) -> Iterable[Question]:
        columns = cells.heads.columns
        for name in self.columns:
            if name not in columns:
                raise InputError(f"no column {name!r}; {nearest(name, list(columns))}", f"the claim {self.id}")
        meeting = [number for number, first in enumerate(cells.firsts) if self.applies(first)]
        return self.decider.questions_to(cells, meeting) if meeting else ()

    def decide(self, question: Question | pd.DataFrame, error: float) -> Verdict:
        """The verdict on a question, or on rows that are one; false with probability at most `error`."""
        return (
            question.decide(self.id, error) if isinstance(question, Question) else self.decider.decide(self.id, question, error)
        )

    def computed(self) -> Iterable[Verdict]:
        """The verdicts on the claim that need no table."""
        return self.decider.computed(self.id)

    def decisions(self, rows: pd.DataFrame | Cells, error: float) -> Iterator[bool]:
        """For each question to a table whether it is decided at this error; one that nothing random decides always is."""
        for claim, part in self.variants(rows):
            for question in claim.questions(part):
                yield not question.random or claim.decide(question, error).outcome != "undecided"

    def decided(self, rows: pd.DataFrame | Cells, error: float) -> bool:
        """Whether the claim is decided on all its questions to a table, at this error."""
        return all(self.decisions(rows, error))

    def unmet(self, cells: Iterable[pd.Series]) -> str:
        """Why none of the cells, given by a row each, meets the hypotheses; empty if one does, as far as the rows tell."""
        lacking = unmet(self.where, map(as_printed, cells))
        return f"{lacking[0]} and {self._subject} is about {lacking[1]}" if lacking else ""

    @property
    def _subject(self) -> str:
        """The theorem by its name, or the claim by its id where it is in no paper."""
        return re.split("[,:;]", self.source)[0] if self.in_a_paper else self.id
