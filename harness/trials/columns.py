"""The columns of tables: what each is called, holds and means, said once by the kind of trial that fills it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Type = Literal["text", "whole", "real", "truth"]
Role = Literal["identity", "parameter", "plan", "votes", "measured", "claimed"]


@dataclass(frozen=True)
class Column:
    """A column of a table.

    role: whether it names the row, is a parameter of the cell, follows from the parameters in a mechanism's plan, is of the
    votes, was measured of the answers, or is claimed of what was measured. meaning: in a few words. symbol: as print has it.
    unit: what a number counts. null: whether a row may lack it. label: what the axis of a figure says, by default meaning and
    symbol. phrases: how values that are names are said, any others as that of the empty name. shared: whether figures say a
    value that all cells share. axis: the axis of the cells that it holds, where that has another name. worse: whether it
    differs from trial to trial and more of it is worse.
    """

    name: str
    type: Type
    role: Role
    meaning: str
    symbol: str = ""
    unit: str = ""
    null: bool = False
    label: str = ""
    phrases: Mapping[str, str] = field(default_factory=dict)
    shared: bool = False
    axis: str = ""
    worse: bool = False

    @property
    def in_caption(self) -> bool:
        """Whether a figure says its value where all cells share it."""
        return bool(self.symbol) and self.shared

    @property
    def axis_label(self) -> str:
        """What it is, for the axis of a figure."""
        return self.label or f"{self.meaning} {self.symbol}".rstrip()

    def but(self, **changes: Any) -> "Column":
        """The same, changed where another kind of trial fills it otherwise."""
        return replace(self, **changes)


CELL = Column("cell", "text", "identity", "16 hex digits that name the parameters")
MECHANISM = Column("mechanism", "text", "identity", "what was tried")
TRIAL = Column("trial", "whole", "identity", "its index in the cell")
SECONDS = Column("seconds", "real", "identity", "how long it took; the only one that is no function of spec and seed", unit="s")

V = Column("V", "whole", "parameter", "VC dimension", "V", shared=True)
M = Column("m", "whole", "parameter", "queries", "m", unit="queries", shared=True)
EPS = Column("eps", "real", "parameter", "privacy to spend", "ε", label="privacy ε", shared=True)
DELTA = Column("delta", "real", "parameter", "privacy: the probability that ε leaves out", "δ", label="privacy δ", shared=True)
BETA = Column("beta", "real", "parameter", "failure probability", "β", shared=True)
GAMMA = Column("gamma", "real", "parameter", "best error in the class", "γ", shared=True)
SHARE_OF_K = "k, as a share of what the constants say"
K_SCALE = Column("k_scale", "real", "parameter", SHARE_OF_K, "k/k₀", label=SHARE_OF_K)
ALPHA = Column(
    "alpha",
    "real",
    "parameter",
    "excess error that learners are trained to",
    "α",
    label="learner's excess error α",
    shared=True,
)
T = Column("T", "real", "plan", "cutoff on ⊥ answers", "T", unit="queries", label="cutoff T")
N = Column("n", "whole", "plan", "private examples", "n", unit="examples", shared=True)
K = Column("k", "whole", "plan", "chunks", "k", unit="chunks")
S = Column("s", "whole", "plan", "examples a chunk, ⌊n/k⌋", "s", unit="examples")
TV_BUDGET = Column("tv_budget", "real", "votes", "how far the law of the votes may be from the exact one, in total variation")
VACUOUS = Column("vacuous", "truth", "claimed", "whether nothing is claimed here")

TEXTS = (
    Column("concept", "text", "parameter", "concept class"),
    Column("concept_parameters", "text", "parameter", "its dimensions, as JSON"),
    Column("distribution", "text", "parameter", "distribution of examples and queries"),
    Column("distribution_parameters", "text", "parameter", "what shapes it, as JSON"),
    Column("learner", "text", "parameter", "learner Θ"),
    Column(
        "sampling",
        "text",
        "parameter",
        "sufficient: the exact law of the votes; full: all examples",
        phrases={"": "{} sampling"},
    ),
    Column("constants", "text", "parameter", "set of constants"),
    Column("pac_bound", "text", "parameter", "PAC bound: the class's own, or that of any such V", phrases={"": "{} PAC bound"}),
)
"""The parameters that are names, of kinds of trial that learn."""


def every_kind(columns: Iterable[Column]) -> tuple[Column, ...]:
    """The columns of a table: those that every kind of trial has around a kind's own."""
    return (CELL, MECHANISM, TRIAL, *columns, SECONDS)
