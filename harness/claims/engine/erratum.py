"""An erratum: one cause for which something that is printed does not hold, with all places where it shows."""

from dataclasses import dataclass
from typing import Literal, get_args

from harness.claims.engine.nature import Quote

Severity = Literal[
    "conclusion false",
    "conclusion false outside ordinary values",
    "step false, conclusion open",
    "step false, conclusion stands",
    "condition not stated",
    "slip of the pen",
]
"""How much falls, the worst first. A conclusion stands where it is proved otherwise, and is open where nobody has: it was not
seen to fail, or depends on how the text is read."""


@dataclass(frozen=True)
class Erratum:
    """A cause for which a printed text does not hold, told so that a reader of the paper can check it without this program.

    id: the cause in a few words, joined by hyphens. quotes: each place where it shows, to the letter. why: what is wrong.
    counterexample: with its numbers. holds: what holds instead, and where. answer: what the authors would answer. claims: the
    printed claims and steps in which it shows and that are refuted for it. repairs: the claims that hold in their place.
    script: the name of a program that shows the counterexample and imports nothing of the harness, tests/errata/SCRIPT.py.

    Raises ValueError where one of the words is missing, or the severity is none.
    """

    id: str
    title: str
    severity: Severity
    quotes: tuple[Quote, ...]
    why: str
    counterexample: str
    holds: str
    answer: str
    claims: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    script: str = ""

    def __post_init__(self) -> None:
        for part in ("id", "title", "why", "counterexample", "holds", "answer"):
            if not getattr(self, part).strip():
                raise ValueError(f"the erratum {self.id} has no {part}")
        if not self.quotes:
            raise ValueError(f"the erratum {self.id} quotes nothing")
        if self.severity not in get_args(Severity):
            raise ValueError(f"the erratum {self.id} is {self.severity!r}; allowed: {'; '.join(get_args(Severity))}")

    @property
    def paper(self) -> str:
        """The paper in which the erratum shows first."""
        return self.quotes[0].place.split()[0]
