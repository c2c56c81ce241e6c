"""`harness constants --measured`: of each constant what is printed, what is proved to be enough, and what is too small.

Where a proof and an exact law speak of a whole range of m, T, ε, δ and β (`theory.least`), the numbers are its extremes, with
the place where most is needed. Of the others there are the instances that tables are about, and the numbers are for those.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import Any

import pandas as pd
from rich.console import RenderableType
from rich.text import Text

from harness.mechanisms.answering import mechanisms
from harness.report.constants import ListedConstant, known_sets, listed
from harness.report.grids import Sheet
from harness.report.numerals import number
from harness.report.provable import provable, setting
from harness.report.stored import Stored
from harness.report.worksheet import Worksheet
from harness.theory.factors import Factor, factors_in, set_named
from harness.theory.least import STANDARD, ConstantSetting, Range
from harness.theory.least.cutoff import SplitErrors
from harness.theory.least.families import Family, TooSmall, families
from harness.theory.least.ranges import Extreme
from harness.trials import least_constant, least_release, least_scores

KINDS = {least_constant.KIND.name: "answering", least_release.KIND.name: "release", least_scores.KIND.name: "scores"}
PHRASES = {
    of: each.KIND.table["event"].phrases
    for of, each in (("answering", least_constant), ("release", least_release), ("scores", least_scores))
}
PAPERS = {"answering": ("BTT18", "BTT18a"), "release": ("BCMNUW20",), "scores": ("BTT18a",)}
COLUMNS = ("constants", "constant", "printed", "provable", "needed", "printed/needed", "event", "said for", "most is needed at")
ELSEWHERE = {
    ("release", "BCMNUW20", "c_share"): "an axis, α/α': see c_n, and repaired",
    ("release", "BCMNUW20", "c_inner"): "it stands inside the logarithm of n: see c_n",
    ("release", "BCMNUW20", "c_split"): "no value is too small: any two parts of ε are private",
    ("release", "BCMNUW20", "c_level"): "of A_PAP_calibrated alone, of which nothing is claimed",
}
"""Why a constant is not measured in a set, of those that are measured in another."""
NUMBERS = ("printed", "provable", "needed", "printed/needed")
INSTANCES = "this instance"

Measured = tuple[Stored, "pd.Series[Any]"]
Key = tuple[str, str, str, str]
"""What a set is for, the set, the constant and the event."""


def in_words(place: ConstantSetting | SplitErrors) -> str:
    """A setting of a constant in words: its m, T, ε, δ and β."""
    symbols: tuple[tuple[str, float], ...]
    if isinstance(place, SplitErrors):
        symbols = (("m", place.m), ("α", place.alpha), ("β", place.beta))
    else:
        symbols = (("m", place.m), ("T", place.T), ("ε", place.eps), ("δ", place.delta), ("β", place.beta))
    return ", ".join(f"{symbol} = {number(value)}" for symbol, value in symbols)


def said_range(within: Range) -> str:
    """A range of settings in words."""
    ends = (("ε", within.eps), ("δ", within.delta), ("β", within.beta))
    between = (f"{symbol} from {number(low)} to {number(high)}" for symbol, (low, high) in ends)
    return ", ".join((f"m from 1 to {number(within.queries)}", "T from 1 to m", *between))


THE_RANGE = "the range"
"""STANDARD, as lines have it."""


def _short(within: Range) -> str:
    return THE_RANGE if within == STANDARD else f"the range, β ≥ {number(within.beta[0])}"


@dataclass(frozen=True)
class NeededConstant:
    """A constant of a set for an event: its printed value, and between which values the least lies that is enough.

    of: what the set is for. within: the range that the numbers are for, or the instances. provable: the least value that is
    proved to be enough everywhere in it, None where none is. low, high: between them is the least value that is enough; low is
    0 where none is shown to be too small, high None where none is known to be enough, and both are None where nothing was
    measured. over: printed over the middle, or over low where there is no high. instance: where most is needed. why: what keeps
    it from being measured, where that is known.
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
    within: str | None = None
    short: str | None = None
    experiment: str | None = None
    instance: str | None = None
    why: str | None = None

    @property
    def line(self) -> tuple[str, ...]:
        """The constant as a line of a table."""
        provable = "–" if self.provable is None else f"{self.provable:.4g}"
        name = self.set if self.of == "answering" else f"{self.set}, for {self.of}"
        between, over = self._said
        words = self.event or self.why or "", self.short or self.within or "", self.instance or ""
        return name, self.constant, f"{self.printed:.4g}", provable, between, over, *words

    @property
    def _said(self) -> tuple[str, str]:
        if self.low is None:
            return "not measured", "–"
        if self.high is None:
            return f"more than {self.low:.4g}", "–" if self.over is None else f"less than {self.over:.3g}×"
        if not self.low:
            return f"at most {self.high:.4g}", "not challenged"
        if f"{self.low:.4g}" == f"{self.high:.4g}":
            return f"{self.high:.4g}", f"{self.over:.3g}×"
        return f"{self.low:.4g} to {self.high:.4g}", f"{self.over:.3g}×"


@dataclass(frozen=True)
class Measurements(Worksheet):
    """The constants with what was measured of each, to be shown."""

    constants: Sequence[NeededConstant]

    @property
    def json(self) -> list[dict[str, Any]]:
        """One flat object for each."""
        return [asdict(each) for each in self.constants]

    def parts(self) -> Iterator[RenderableType]:
        """A line for each constant, and what the numbers mean."""
        grid = Sheet("", COLUMNS, numbers=NUMBERS)
        for constant in self.constants:
            grid.add_row(*constant.line)
        yield grid
        yield Text(f"\n{NOTE}")


NOTE = (
    f"The range: {said_range(STANDARD)}. Provable is enough everywhere in it, by proof. Up to the first number of needed an "
    "exact law or an event shows at the place named that it is not enough. Numbers for an instance hold at its m, T, ε, δ "
    "and β alone."
)


OverRange = Mapping[tuple[Key, Range], tuple[Extreme | None, TooSmall | None]]
"""Of constants over a range the least value that is proved to be enough in all of it, and the largest shown to be too small."""


def over_ranges(name: str | None = None) -> OverRange:
    """By constant and range of settings: the least value proved enough, the largest shown too small. name: of one set."""
    return {(each.key, each.within): (each.enough(), each.too_small()) for each in families() if name in (None, each.set)}


def needed(stored: Sequence[Stored], name: str | None = None, theory: OverRange | None = None) -> Measurements:
    """The measurements of each constant of the papers, and of each other set that any table is about; or of one set.

    theory: what it says, where that has been worked out.
    """
    proved = over_ranges(name) if theory is None else theory
    groups: dict[Key, list[Measured]] = {}
    for stored_table in of_constants(stored):
        for row in _rows(stored_table):
            key = KINDS[stored_table.sweep.kind.name], str(row["constants"]), str(row["constant"]), str(row["event"])
            groups.setdefault(key, []).append((stored_table, row))
    ranges = families()
    factors = {(each.of, each.set, each.factor.name): each.factor for each in listed(None).constants}
    keys = {*groups, *(each.key for each in ranges)}
    seen = {(of, factors.get((of, of_set, constant)), constant) for of, of_set, constant, _ in keys}
    every = [
        *(
            _over_range(each, *proved[each.key, each.within], groups.get(each.key, []))
            for each in ranges
            if name in (None, each.set)
        ),
        *(_over_instances(key, rows) for key, rows in groups.items() if key not in {each.key for each in ranges}),
        *(_unmeasured(each) for each in _printed() if not _is_seen(each, seen)),
    ]
    return Measurements([each for each in sorted(every, key=lambda one: _place(one, factors)) if name in (None, each.set)])


def of_constants(stored: Sequence[Stored]) -> list[Stored]:
    """The stored tables that say how small constants can be."""
    return [each for each in stored if each.sweep.kind.name in KINDS]


def _printed() -> Iterator[ListedConstant]:
    """The constants of the papers, and those of their mechanisms that are in no set."""
    for constant in listed(None).constants:
        if constant.set in PAPERS[constant.of] or (constant.set.startswith("A_") and constant.factor.place.startswith("BTT18")):
            yield constant


def _is_seen(constant: ListedConstant, seen: set[tuple[str, Factor | None, str]]) -> bool:
    """Whether it is measured, be it in another set that has it; of a mechanism's, in any."""
    of_set = not constant.set.startswith("A_")
    return any(
        of == constant.of and (factor == constant.factor if of_set else name == constant.factor.name)
        for of, factor, name in seen
    )


def _place(constant: NeededConstant, factors: dict[tuple[str, str, str], Factor]) -> tuple[int, int]:
    """The papers' own sets first, each in the order of its formulas."""
    printed = [(of, name) for of, names in PAPERS.items() for name in names]
    order = list(factors)
    key = constant.of, constant.set, constant.constant
    return (
        printed.index((constant.of, constant.set)) if (constant.of, constant.set) in printed else len(printed),
        order.index(key) if key in factors else len(order),
    )


def _rows(stored: Stored) -> Iterator["pd.Series[Any]"]:
    yield from (stored.frame.iloc[place] for place in range(len(stored.frame)))


def _over_range(family: Family, enough: Extreme | None, shown: TooSmall | None, rows: Sequence[Measured]) -> NeededConstant:
    """What is enough is as the family has it; too small is what it or a table shows to be so at any setting in the range."""
    printed = _printed_value(family)
    low, hardest, experiment = _too_small(family, shown, rows)
    high, place = None if enough is None else enough.value, None if enough is None else enough.setting
    if place is not None and high is not None:
        most = in_words(place)
        hardest = f"{hardest}; proof: {most}" if low and low < 0.98 * high else most
    return NeededConstant(
        of=family.of,
        set=family.set,
        constant=family.constant,
        printed=printed,
        provable=high,
        event=PHRASES[family.of].get(family.event, family.event),
        low=low,
        high=high,
        over=_over(printed, low, high),
        within=said_range(family.within),
        short=_short(family.within),
        experiment=experiment,
        instance=hardest,
    )


def _too_small(family: Family, shown: TooSmall | None, rows: Sequence[Measured]) -> tuple[float, str | None, str | None]:
    """The largest value that is shown to be too small in its range, where, and by which experiment if by one."""
    every: list[tuple[float, str | None, str | None]] = []
    if shown is not None:
        every.append((shown[0], in_words(shown[1]), None))
    for stored, row in rows:
        place = setting(family.of, row)
        if place is not None and _comes_under(family, place) and row["low"] > 0:
            every.append((float(row["low"]), in_words(place), stored.sweep.name))
    none: tuple[float, str | None, str | None] = (0.0, None, None)
    return max(every, key=lambda one: one[0], default=none)


def _comes_under(family: Family, place: ConstantSetting) -> bool:
    """Whether a setting is in its range; privacy has no β."""
    return (replace(place, beta=family.within.beta[0]) if family.event == "private" else place) in family.within


def _over(printed: float, low: float, high: float | None) -> float | None:
    if not low:
        return None
    return printed / (low if high is None else sqrt(low * high))


def _printed_value(family: Family) -> float:
    base = set_named(family.set, known_sets()[family.of])
    every = (
        *base.factors,
        *(each for one in mechanisms().values() for each in factors_in(one.formulas)),
    )
    return base.values[next(each for each in every if each.name == family.constant)]


def _over_instances(key: Key, group: Sequence[Measured]) -> NeededConstant:
    """The least value that is enough on all instances is between the largest of the lows and the largest of the highs."""
    of, name, constant, event = key
    stored, most = max(group, key=lambda one: float(one[1]["low"]))
    low, high = float(most["low"]), _largest([None if pd.isna(row["high"]) else float(row["high"]) for _, row in group])
    printed = float(most["printed"])
    return NeededConstant(
        of=of,
        set=name,
        constant=constant,
        printed=printed,
        provable=_largest([provable(of, row) for _, row in group]),
        event=PHRASES[of].get(event, event),
        low=low,
        high=high,
        over=_over(printed, low, high) if high else None,
        within=INSTANCES if len(group) == 1 else f"these {len(group)} instances",
        experiment=stored.sweep.name,
        instance=_instance(most),
    )


def _largest(every: Sequence[float | None]) -> float | None:
    """None where any of them is."""
    there = [each for each in every if each is not None]
    return max(there) if len(there) == len(every) else None


def _unmeasured(constant: ListedConstant) -> NeededConstant:
    key = constant.of, constant.set, constant.factor.name
    return NeededConstant(*key, constant.value, why=ELSEWHERE.get(key))


def _instance(row: "pd.Series[Any]") -> str:
    symbols = (
        *(("m", "m"), ("T", "T_target"), ("T", "T"), ("α", "alpha_target"), ("α", "alpha")),
        *(("ε", "eps"), ("δ", "delta"), ("β", "beta")),
    )
    words = [f"{symbol} = {number(row[name])}" for symbol, name in symbols if name in row and pd.notna(row[name])]
    return ", ".join([str(row["distribution"]), *words])
