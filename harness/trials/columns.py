"""The columns of tables: what each is called, holds and means, said once by the kind of trial that fills it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Type = Literal["text", "json", "whole", "real", "truth"]
Role = Literal["identity", "parameter", "plan", "votes", "measured", "claimed"]


@dataclass(frozen=True)
class Column:
    """A column of a table: its name, type, role, meaning, symbol and unit.

    role: whether it names the row, is a parameter of the cell, follows from the parameters in a mechanism's plan, is of the
    votes, was measured of the answers, or is claimed of what was measured. meaning: in a few words. symbol: as print has it.
    unit: what a number counts. null: whether a row may lack it. title: what the axis of a figure says, by default meaning and
    symbol. phrases: how values that are names are said, any others as that of the empty name. caption: whether that of a figure
    says it: of a number the value that all cells share, of a name all values. axis: the axis of the cells that it holds, where
    that has another name. worse: whether it differs from trial to trial and more of it is worse. null_best: whether a row lacks
    it where there is nothing bad to count, and not where nothing was promised, shown or answered. of: the column of which it is
    a share. bound: the column with what a mechanism's plan or theorem says that it is at most.
    """

    name: str
    type: Type
    role: Role
    meaning: str
    symbol: str = ""
    unit: str = ""
    null: bool = False
    title: str = ""
    phrases: Mapping[str, str] = field(default_factory=dict)
    caption: bool = False
    axis: str = ""
    worse: bool = False
    null_best: bool = False
    of: str = ""
    bound: str = ""

    @property
    def is_number(self) -> bool:
        """Whether the column can be drawn: a truth is 0 or 1."""
        return self.type not in ("text", "json")

    @property
    def computed(self) -> bool:
        """Whether the column is a function of the cell and the subject alone, the same in every trial."""
        return self.role in ("parameter", "plan", "claimed")

    @property
    def null_is(self) -> Literal["", "best", "worst"]:
        """What a null of a column of which more is worse stands for among its numbers; empty where it may have none."""
        return "" if not (self.null and self.worse) else "best" if self.null_best else "worst"

    @property
    def heading(self) -> str:
        """The column's title for the axis of a figure."""
        return self.title or f"{self.meaning} {self.symbol}".rstrip()

    def but(self, **changes: Any) -> "Column":
        """The column, changed where another kind of trial fills it otherwise."""
        return replace(self, **changes)


CELL = Column("cell", "text", "identity", "16 hex digits that name the parameters")
MECHANISM = Column("mechanism", "text", "identity", "what was tried")
TRIAL = Column("trial", "whole", "identity", "its index in the cell")
SECONDS = Column("seconds", "real", "identity", "how long it took; the only one that is no function of spec and seed", unit="s")

V = Column("V", "whole", "parameter", "VC dimension", "V", caption=True)
M = Column("m", "whole", "parameter", "queries", "m", unit="queries", caption=True)
EPS = Column("eps", "real", "parameter", "privacy to spend", "ε", title="privacy ε", caption=True)
DELTA = Column("delta", "real", "parameter", "privacy: the probability that ε leaves out", "δ", title="privacy δ", caption=True)
BETA = Column("beta", "real", "parameter", "failure probability", "β", caption=True)
GAMMA = Column("gamma", "real", "parameter", "best error in the class", "γ", caption=True)
SHARE_OF_K = "k, as a share of what the constants say"
K_SCALE = Column("k_scale", "real", "parameter", SHARE_OF_K, "k/k₀", title=SHARE_OF_K)
ALPHA = Column(
    "alpha",
    "real",
    "parameter",
    "excess error that learners are trained to",
    "α",
    title="learner's excess error α",
    caption=True,
)
T = Column("T", "real", "plan", "cutoff on ⊥ answers", "T", unit="queries", title="cutoff T")
N = Column("n", "whole", "plan", "private examples", "n", unit="examples", caption=True)
K = Column("k", "whole", "plan", "chunks", "k", unit="chunks")
S = Column("s", "whole", "plan", "examples a chunk, ⌊n/k⌋", "s", unit="examples")
TV_BUDGET = Column("tv_budget", "real", "votes", "how far the law of the votes may be from the exact one, in total variation")
BY_WHOM = "certified by exact accounting, or declared by a plugin"
SPENT = Column("spent", "real", "plan", f"ε that all answers keep to at δ: {BY_WHOM}", "ε′", null=True)
VACUOUS = Column("vacuous", "truth", "claimed", "whether nothing is claimed here")

TEXTS = (
    Column("concept", "text", "parameter", "concept class"),
    Column("concept_parameters", "json", "parameter", "its dimensions"),
    Column("distribution", "text", "parameter", "distribution of examples and queries"),
    Column("distribution_parameters", "json", "parameter", "what shapes it"),
    Column("learner", "text", "parameter", "learner Θ"),
    Column(
        "sampling",
        "text",
        "parameter",
        "sufficient: the exact law of the votes; full: all examples",
        phrases={"": "{} sampling"},
    ),
    Column("constants", "text", "parameter", "set of constants", caption=True),
    Column("pac_bound", "text", "parameter", "PAC bound: the class's own, or that of any such V", phrases={"": "{} PAC bound"}),
)
"""The parameters that are names, of kinds of trial that learn."""


def every_kind(columns: Iterable[Column]) -> tuple[Column, ...]:
    """All columns of a table: those that every kind of trial has, around `columns`, a kind's own."""
    return (CELL, MECHANISM, TRIAL, *columns, SECONDS)
