"""`harness constants --measured`: of each constant what is printed, what can be proved, and what the instances at hand need."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import pandas as pd
from rich.table import Table as Grid
from rich.text import Text

from harness.report.constants import Listed, listed
from harness.report.provable import provable
from harness.report.stored import Stored
from harness.sweep.errors import CannotRunError
from harness.theory.factors import Factor
from harness.trials import least_constant, least_release, least_scores

KINDS = {least_constant.KIND.name: "answering", least_release.KIND.name: "release", least_scores.KIND.name: "scores"}
PAPERS = {"answering": ("BTT18", "BTT18a"), "release": ("BCMNUW20",), "scores": ("BTT18a",)}
COLUMNS = ("constants", "constant", "printed", "provable", "needed", "printed/needed", "event", "instance that needs most")
ELSEWHERE = {("release", "BCMNUW20", "c_share"): "the n of Lemma 7 is too small for it: see c_n, and repaired"}
"""Why a constant is not measured in a set, of those that are measured in another."""
NUMBERS = ("printed", "provable", "needed", "printed/needed")


@dataclass(frozen=True)
class Needed:
    """A constant of a set for an event, over all instances at hand.

    of: what the set is for. provable: the value that a proof gives, None where none is known. low, high: between them is the
    least value that is enough on all instances; low is 0 where none of them challenges the constant, high None where none of
    the values tried is enough, and both are None where nothing was measured. over: printed over the middle. instance: the one
    that needs most. why: what keeps it from being measured, where that is known.
    """

    of: str
    set: str
    constant: str
    printed: float
    provable: float | None = None
    event: str | None = None
    low: float | None = None
    high: float | None = None
    over: float | None = None
    experiment: str | None = None
    instance: str | None = None
    why: str | None = None

    @property
    def line(self) -> tuple[str, ...]:
        """As tables have it."""
        provable = "–" if self.provable is None else f"{self.provable:.4g}"
        name = self.set if self.of == "answering" else f"{self.set}, for {self.of}"
        between, over = self._said
        told = self.event or self.why or "", self.instance or ""
        return name, self.constant, f"{self.printed:.4g}", provable, between, over, *told

    @property
    def _said(self) -> tuple[str, str]:
        if self.low is None:
            return "not measured", "–"
        if self.high is None:
            return f"more than {self.low:.4g}", "–"
        if not self.low:
            return f"at most {self.high:.4g}", "not challenged"
        return f"{self.low:.4g} to {self.high:.4g}", f"{self.over:.3g}×"


@dataclass(frozen=True)
class Measurements:
    """What was measured of constants."""

    found: Sequence[Needed]

    @property
    def json(self) -> list[dict[str, Any]]:
        """One flat object for each."""
        return [asdict(each) for each in self.found]

    def __rich__(self) -> Grid:
        """A line for each constant."""
        grid = Grid(box=None, pad_edge=False)
        for column in COLUMNS:
            grid.add_column(column, justify="right" if column in NUMBERS else "left")
        for each in self.found:
            grid.add_row(*map(Text, each.line))
        return grid


def needed(stored: Sequence[Stored], name: str | None = None) -> Measurements:
    """A line for each constant of the papers, measured or not, and of each other set that any table is about; or of one set.

    Raises CannotRunError where nothing was measured.
    """
    rows = [(each, row) for each in of_constants(stored) for row in _rows(each)]
    if not rows:
        raise CannotRunError(f"nothing was measured: no table has trials of kind {', '.join(KINDS)}")
    groups: dict[tuple[str, ...], list[tuple[Stored, pd.Series[Any]]]] = {}
    for each, row in rows:
        key = KINDS[each.sweep.kind.name], str(row["constants"]), str(row["constant"]), str(row["event"])
        groups.setdefault(key, []).append((each, row))
    measured = {key: _over_all(key[0], group) for key, group in groups.items()}
    known = {(each.of, each.set, each.factor.name): each.factor for each in listed(None).found}
    seen = {(of, known.get((of, of_set, constant)), constant) for of, of_set, constant, _ in groups}
    others = [_unmeasured(each) for each in _printed() if not _is_seen(each, seen)]
    every = sorted([*measured.values(), *others], key=lambda each: _place(each, known))
    return Measurements([each for each in every if name in (None, each.set)])


def of_constants(stored: Sequence[Stored]) -> list[Stored]:
    """The tables that say how small constants can be."""
    return [each for each in stored if each.sweep.kind.name in KINDS]


def _printed() -> Iterator[Listed]:
    """The constants of the papers, and those of their mechanisms that are in no set."""
    for each in listed(None).found:
        if each.set in PAPERS[each.of] or (each.set.startswith("A_") and each.factor.place.startswith("BTT18")):
            yield each


def _is_seen(each: Listed, seen: set[tuple[str, Factor | None, str]]) -> bool:
    """Whether it is measured, be it in another set that has it; of a mechanism's, in any."""
    own = not each.set.startswith("A_")
    return any(of == each.of and (factor == each.factor if own else name == each.factor.name) for of, factor, name in seen)


def _place(each: Needed, known: dict[tuple[str, str, str], Factor]) -> tuple[int, int]:
    """The papers' own sets first, each in the order of its formulas."""
    printed = [(of, name) for of, names in PAPERS.items() for name in names]
    own = list(known)
    at = each.of, each.set, each.constant
    return (
        printed.index((each.of, each.set)) if (each.of, each.set) in printed else len(printed),
        own.index(at) if at in known else len(own),
    )


def _rows(stored: Stored) -> Iterator["pd.Series[Any]"]:
    yield from (stored.frame.iloc[place] for place in range(len(stored.frame)))


def _over_all(of: str, group: Sequence[tuple[Stored, "pd.Series[Any]"]]) -> Needed:
    """The least value that is enough on all instances is between the largest of the lows and the largest of the highs."""
    stored, most = max(group, key=lambda each: float(each[1]["low"]))
    highs = [None if pd.isna(row["high"]) else float(row["high"]) for _, row in group]
    low, high = float(most["low"]), None if None in highs else max(each for each in highs if each is not None)
    printed, event = float(most["printed"]), str(most["event"])
    return Needed(
        of=of,
        set=str(most["constants"]),
        constant=str(most["constant"]),
        printed=printed,
        provable=high if event == "private" else provable(of, str(most["constants"]), str(most["constant"]), most),
        event=stored.sweep.kind.table["event"].phrases.get(event, event),
        low=low,
        high=high,
        over=printed / sqrt(low * high) if low and high else None,
        experiment=stored.sweep.name,
        instance=_instance(most) if low else None,
    )


def _unmeasured(each: Listed) -> Needed:
    own = each.of, each.set, each.factor.name
    return Needed(*own, each.value, provable(*own, None), why=ELSEWHERE.get(own))


def _instance(row: "pd.Series[Any]") -> str:
    symbols = (("m", "m"), ("T", "T_target"), ("T", "T"), ("α", "alpha_target"), ("α", "alpha"), ("β", "beta"))
    own = [f"{symbol} = {row[name]:g}" for symbol, name in symbols if name in row and pd.notna(row[name])]
    return ", ".join([str(row["distribution"]), *own])
