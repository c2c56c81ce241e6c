"""A claim as a value: what a text says, where it applies, and how rows decide it.

There are four kinds. A `probability` claim has one Bernoulli trial a row and is decided by a confidence sequence; a `certain`
claim is refuted by one counterexample; an `exact` claim sets a number against a number, from a table of computed rows or from
the theory itself; a `rate` claim sets a sweep against the explicit fixed point.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
import pandas as pd

from harness.claims.engine.conditions import Condition, met, unmet
from harness.claims.engine.verdict import Outcome, Verdict
from harness.registry import nearest
from harness.sweep.errors import InputError

Kind = Literal["certain", "probability", "exact", "rate"]

Nature = Literal["theorem", "identity", "self-check"]
"""What a claim can tell: a theorem of a text, or what somebody could believe, may be false and then a correct run says so. An
identity is true by counting or by how its numbers are defined, and a self-check is about the code alone: either fails by a
fault of the harness, and by nothing else."""


class Decider:
    """How rows decide a claim. A claim asks questions of a table: the sets of rows that get one verdict each.

    trials: the kind of trial whose tables it reads, if any. lacking: what a table lacks that answers no question though its
    cells meet the claim's conditions.
    """

    kind: ClassVar[Kind]
    trials: str = ""
    lacking: ClassVar[str] = "there are no rows"

    @property
    def quantity(self) -> str:
        """The column that it bounds, if it is one."""
        return ""

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that it names."""
        return ()

    def questions(self, rows: pd.DataFrame) -> Iterable[pd.DataFrame]:
        """The questions to the rows of all cells that meet the claim's conditions."""
        return ()

    def random(self, rows: pd.DataFrame) -> bool:
        """Whether the verdict on one question takes a share of the error, because chance has a say in it."""
        return self.kind in ("probability", "rate")

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        """The verdict on one question, false with probability at most `error`."""
        return Verdict(claim, "untested")

    def computed(self, claim: str) -> Iterable[Verdict]:
        """Verdicts that need no table."""
        return ()


@dataclass(frozen=True)
class Claim:
    """An explicit statement.

    id: `PAPER:PLACE`, such as `BTT18:T3.2`, with a suffix for a part or a repair of it. source, statement: where, and what is
    claimed, in plain text. decider: what is claimed, as rows or numbers decide it. where: the hypotheses; a later one may rest
    on those before it. expected: the verdict that a correct run ends with. nature: whether it can fail
    otherwise than by a fault of the harness.

    Raises ValueError where one of them says nothing.
    """

    id: str
    source: str
    statement: str
    decider: Decider
    where: tuple[Condition, ...] = ()
    expected: Outcome = "holds"
    nature: Nature = "theorem"
    why: str = ""
    repair: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z0-9]+(:[A-Za-z0-9._-]+)?", self.id):
            raise ValueError(f"a claim's id is PAPER:PLACE, such as BTT18:T3.2, not {self.id!r}")
        for part in ("source", "statement"):
            if not getattr(self, part).strip():
                raise ValueError(f"the claim {self.id} has no {part}")
        if not isinstance(self.decider, Decider) or not all(isinstance(each, Condition) for each in self.where):
            raise ValueError(f"the claim {self.id} wants a decider, and conditions in `where`")
        for what, said, known in (("expected to be", self.expected, Outcome), ("said to be", self.nature, Nature)):
            if said not in get_args(known):
                raise ValueError(f"the claim {self.id} is {what} {said!r}; allowed: {', '.join(get_args(known))}")
        if self.why and self.expected != "refuted":
            raise ValueError(f"the claim {self.id} says why it does not hold, and is expected to be {self.expected}")
        if bool(self.why) != bool(self.repair):
            raise ValueError(f"the claim {self.id} has only one of `why` and `repair`")

    @property
    def kind(self) -> Kind:
        """What kind of statement it is."""
        return self.decider.kind

    @property
    def trials(self) -> str:
        """The kind of trial whose tables it reads; empty where the theory alone decides."""
        return self.decider.trials

    def applies(self, first: pd.Series) -> bool:
        """Whether a cell meets the hypotheses, by its first row."""
        return met(self.where, first) == len(self.where)

    def questions(self, frame: pd.DataFrame) -> Iterable[pd.DataFrame]:
        """The sets of rows of a table that get one verdict each.

        Raises InputError where the table has no such column as the claim names.
        """
        for name in (*(name for each in self.where for name in each.columns), *self.decider.columns):
            if name not in frame:
                raise InputError(f"no column {name!r}; {nearest(name, list(frame.columns))}", f"the claim {self.id}")
        meets = np.array([self.applies(first) for first in firsts(frame)], bool)
        cells = frame.groupby(["cell", "mechanism"], sort=False).ngroup()
        return self.decider.questions(frame[meets[cells]]) if meets.any() else ()

    def decide(self, rows: pd.DataFrame, error: float) -> Verdict:
        """The verdict on one such set, false with probability at most `error`."""
        return self.decider.decide(self.id, rows, error)

    def computed(self) -> Iterable[Verdict]:
        """Verdicts that need no table."""
        return self.decider.computed(self.id)

    def decisions(self, frame: pd.DataFrame, error: float) -> Iterator[bool]:
        """Of each question to a table whether it is decided at this error; one that nothing random decides always is."""
        for rows in self.questions(frame):
            yield not self.decider.random(rows) or self.decide(rows, error).outcome != "undecided"

    def decided(self, frame: pd.DataFrame, error: float) -> bool:
        """Whether it is decided on all its questions."""
        return all(self.decisions(frame, error))

    def unmet(self, cells: Iterable[pd.Series]) -> str:
        """Why none of the cells, given by a row each, meets the hypotheses; empty if one does, as far as the rows tell."""
        found = unmet(self.where, cells)
        return f"{found[0]} and {self._subject} is about {found[1]}" if found else ""

    @property
    def _subject(self) -> str:
        """The theorem by its name, or the claim by its id where it is in no paper."""
        return self.id if self.source.startswith("not in the papers") else re.split("[,:;]", self.source)[0]


def firsts(frame: pd.DataFrame) -> list[pd.Series]:
    """The first row of each cell and mechanism, in order."""
    heads = frame[~frame.duplicated(["cell", "mechanism"])]
    return [heads.iloc[i] for i in range(len(heads))]
