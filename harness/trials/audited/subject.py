"""What is audited: a mechanism at a setting, with what is said of its privacy there, and the neighbours it is run on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import inf, isfinite
from typing import Annotated, ClassVar, TypeVar

import numpy as np
from pydantic import Field

from harness.mechanisms import Mechanism
from harness.mechanisms.accounts import basis
from harness.mechanisms.neighbours import NeighbourPair
from harness.registry import nearest
from harness.sources import submodules
from harness.theory.factors import Changeable, SetName, set_named
from harness.trials.concept_cell import MAX_N
from harness.trials.fields import Identified, Real, Share, Whole


class NotAuditedError(ValueError):
    """A mechanism cannot be audited at a setting: what is wrong, and what is allowed."""


class AuditSetting(Identified, frozen=True):
    """The setting of an audit: what is asked of the mechanism, as a calculator or a spec would ask it.

    m: queries. T: the cutoff on ⊥ answers of those that have one. n: private examples; by default as many as its constants ask
    for at T, or as its own guarantee needs. alpha: the error that releases and learners are asked for. gamma: the error of the
    best hypothesis that learners are told. constants: a set of constants of its sort; by default the printed one. labels: how
    many there are, where votes or an analyst's queries have any.
    """

    hashed_as: ClassVar[str] = "AuditSetting"

    m: Annotated[Whole, Field(ge=1, le=10**6)] = 10
    T: Annotated[Real, Field(ge=1, le=10**6)] = 1.0
    n: Annotated[Whole, Field(ge=1, le=MAX_N)] | None = None
    eps: Annotated[Real, Field(ge=1e-3, le=100)] = 1.0
    delta: Annotated[Real, Field(ge=1e-15, le=0.5)] = 1e-6
    beta: Annotated[Real, Field(ge=1e-15, le=0.5)] = 0.05
    alpha: Annotated[Real, Field(ge=1e-6, le=0.5)] = 0.1
    gamma: Annotated[Share, Field(lt=0.5)] = 0.0
    constants: str | None = None
    labels: Annotated[Whole, Field(ge=2, le=100)] = 2


@dataclass(frozen=True)
class Subject:
    """A subject of audits: a mechanism at a setting, with the ε that it is said to spend and the data sets it is run on.

    claimed: the ε that it is said to keep to at δ: what it was asked for, or what its plan says is spent, where that is less;
    infinite where it promises nothing. spent: what its plan says, infinite where that is nothing. pairs: what it is run on.
    """

    claimed: float
    spent: float
    pairs: Callable[[np.random.Generator], Sequence[NeighbourPair]]

    @classmethod
    def of(
        cls,
        mechanism: Mechanism,
        eps: float,
        spent: float | None,
        pairs: Callable[[np.random.Generator], Sequence[NeighbourPair]],
    ) -> "Subject":
        """The subject of a mechanism. spent: the ε by its plan; None or infinite where that does not say."""
        by_plan = inf if spent is None else float(spent)
        claimed = min(eps, by_plan) if isfinite(by_plan) else eps
        return cls(claimed if mechanism.private else inf, by_plan, pairs)


@dataclass(frozen=True)
class SubjectSort:
    """A sort of audited mechanisms. word: tells its mechanisms from others of the same name. subject: makes one at a setting.

    Raises NotAuditedError where it cannot be run there.
    """

    word: str
    mechanisms: Callable[[], Mapping[str, Mechanism]]
    subject: Callable[[str, AuditSetting], Subject]


Set = TypeVar("Set", bound=Changeable)


def named_constants(setting: AuditSetting, sets: Callable[[], Mapping[str, Set]], printed: str) -> Set:
    """The set of constants that a setting names, or else the printed one.
    Raises NotAuditedError where there is none of that name.
    """
    name = setting.constants or printed
    if SetName.read(name).base not in sets():
        raise NotAuditedError(f"no constants {name!r} for this mechanism; {nearest(name, list(sets()))}")
    return set_named(name, sets())


@cache
def sorts() -> tuple[SubjectSort, ...]:
    """All sorts of mechanisms that can be audited, in the order of their files."""
    home = __name__.rpartition(".")[0]
    return tuple(sort for name in submodules(home) if (sort := getattr(import_module(name), "SORT", None)))


def subjects() -> dict[str, tuple[SubjectSort, str]]:
    """Every mechanism that can be audited by its name, with its sort; a second one of a name has the name word/name."""
    by_name: dict[str, tuple[SubjectSort, str]] = {}
    for sort in sorts():
        for name in sort.mechanisms():
            by_name[f"{sort.word}/{name}" if name in by_name else name] = sort, name
    return by_name


def whose(name: str) -> str:
    """Whose word is what a mechanism spends: `certified` by an accountant, `declared` by its author, or `nothing` is said."""
    sort, key = subjects()[name]
    mechanism = sort.mechanisms()[key]
    return basis(mechanism) if mechanism.private else "nothing"


def subject(name: str, setting: AuditSetting) -> Subject:
    """The mechanism of this name as a subject of audits, at a setting. Raises NotAuditedError where it cannot be run there."""
    sort, key = subjects()[name]
    return sort.subject(key, setting)
