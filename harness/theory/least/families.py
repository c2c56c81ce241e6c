"""Every constant of which something is said over a whole range: what is enough everywhere in it, what is too small somewhere.

A family says no more than its files prove. `enough` is a value that is proved to be enough at every setting of the range;
`too_small` one that an exact law or an event shows to be too small at a setting in it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import exp, floor, log
from typing import TypeVar

from harness.theory.least import cutoff
from harness.theory.least.answered import StableQueriesAsked, of_distances, of_labels, of_scores
from harness.theory.least.cutoff import SplitErrors
from harness.theory.least.private import (
    BINARY,
    CORRECTED,
    SCORES,
    SCORES_REPAIRED,
    SPARSE,
    SpendingRule,
    least_inner,
    least_lam,
    least_w,
)
from harness.theory.least.ranges import STANDARD, ConstantSetting, Extreme, Range

Of = TypeVar("Of")

TooSmall = tuple[float, ConstantSetting | SplitErrors]
"""A value that is too small, and where."""

NOT_BELOW = 1e-9
"""How much below a constant that is needed to the last digit it is tried."""

ORDINARY = replace(STANDARD, beta=(0.05, 0.2))
"""The same range, but for small β."""


@dataclass(frozen=True)
class Family:
    """A constant of a set, for one event over a range: which values are proved to be enough, which shown to be too small.

    of: what the set is for. enough: the least value proved to be enough everywhere in the range, None where none is; too_small:
    the largest that is shown to be too small somewhere, None where none is, with where. broken: whether a value is shown to be
    too small at a setting.
    """

    of: str
    set: str
    constant: str
    event: str
    enough: Callable[[], Extreme | None]
    too_small: Callable[[], TooSmall | None]
    broken: Callable[[float, ConstantSetting], bool] | None = None
    within: Range = field(default=STANDARD)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What the family is about: what the set is for, the set, the constant and the event."""
        return self.of, self.set, self.constant, self.event


@cache
def families() -> tuple[Family, ...]:
    """Every constant of which it is known, over a whole range, what is enough or what is too small."""
    return (*_of_answers(), *_of_loops(), *_of_privacy(), *_of_cutoffs())


def _known(value: Of) -> Of:
    return value


def _of_answers() -> Iterator[Family]:
    for name, constant in (
        *(("BTT18", each) for each in ("c_k", "c_log", "c_beta")),
        *(("BTT18a", each) for each in ("c_k", "c_log")),
        *((each, "c_k") for each in ("k_tight", "k_tight with c_gap = 2")),
    ):
        yield _asked("answering", name, constant, "answered", partial(of_labels, name, constant))
    for constant in ("c_oqr", "c_oqr_log", "c_sv", "c_sv_log"):
        yield _asked("answering", "BTT18a", constant, "answered", partial(of_distances, constant))
    for name, constant, event in (
        *(("repaired", each, "agreed") for each in ("c_k", "c_log")),
        ("repaired", "c_d", "stable"),
        ("k_tight", "c_k", "agreed"),
    ):
        yield _asked("scores", name, constant, event, partial(of_scores, name, constant))


def _asked(of: str, name: str, constant: str, event: str, made: Callable[[], StableQueriesAsked]) -> Family:
    queries = cache(made)
    enough = cache(lambda: queries().extreme())

    return Family(
        of, name, constant, event, enough, cache(lambda: queries().shown(enough())), lambda c, x: queries().broken(c, x)
    )


def _of_loops() -> Iterator[Family]:
    """Where T is a whole number and as many queries are tied before the others, a loop that ends sooner answers none of these;
    with c ≤ T, and for scores c ≤ 2T since a ⊥ raises c by 2, it does not end. A tied query is ⊥ but for a chance below δ.
    """

    def broken(costs: int, c: float, x: ConstantSetting) -> bool:
        return floor(c * x.T) < costs * floor(x.T) < costs * x.m and 1 - x.delta > x.beta

    setting = ConstantSetting(2, 1.0, 1.0, 1e-10, 0.2)
    for of, name, event, costs in (("answering", "BTT18", "answered", 1), ("scores", "BTT18a", "agreed", 2)):
        least = Extreme(float(costs), setting)
        below = costs * (1 - NOT_BELOW)
        yield Family(
            of, name, "c_loop", event, partial(_known, least), partial(_known, (below, setting)), partial(broken, costs)
        )


def _of_privacy() -> Iterator[Family]:
    for of, name, constant, run, tolerance in (
        ("answering", "BTT18", "c_lam", BINARY, 0.03),
        ("answering", "corrected", "c_lam", CORRECTED, 0.1),  # which needs nearly as much at many T
        ("answering", "BTT18a", "c_sv_lam", SPARSE, 0.03),
        ("scores", "repaired", "c_lam", SCORES_REPAIRED, 0.03),
    ):
        yield Family(of, name, constant, "private", cache(partial(least_lam, run, tolerance=tolerance)), lambda: None)
    for of, name, run in (
        ("answering", "BTT18", BINARY),
        ("scores", "repaired", SCORES_REPAIRED),
        ("scores", "BTT18a", SCORES),
    ):
        yield _threshold(of, name, "c_w", run, cache(partial(least_w, run)))
        if run is not SCORES:  # as printed no c_m is enough
            yield _threshold(of, name, "c_m", run, cache(partial(least_inner, run)))
    yield Family("answering", "BTT18", "c_delta", "private", cache(partial(_smallest, BINARY)), lambda: None)
    yield Family("answering", "BTT18a", "c_sv_delta", "private", cache(partial(_smallest, SPARSE)), lambda: None)
    yield Family("answering", "BTT18", "c_gap", "private", cache(partial(_smallest, BINARY)), lambda: None)


def _threshold(of: str, name: str, constant: str, run: SpendingRule, enough: Callable[[], Extreme]) -> Family:
    """Of c_w or c_m: too small where n labels of which the neighbour gives none are too likely."""

    def changed(c: float) -> SpendingRule:
        return replace(run, threshold=c) if constant == "c_w" else replace(run, inner=c)

    def broken(c: float, x: ConstantSetting) -> bool:
        return changed(c).label(x) > x.delta

    @cache
    def too_small() -> tuple[float, ConstantSetting] | None:
        extreme = enough()
        if extreme.setting is None:
            return None
        low, high = log(extreme.value / 2), log(extreme.value)
        if not broken(exp(low), extreme.setting):
            return None
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if broken(exp(middle), extreme.setting) else (low, middle)
        return exp(low), extreme.setting

    return Family(of, name, constant, "private", enough, too_small, broken)


def _smallest(run: SpendingRule) -> Extreme | None:
    """1, for a g of λ, where even with that λ is at least what the least c makes of it, which is hardest at the largest δ; and
    for a distance that is taken for one of sensitivity 1, where c is enough.
    """
    most = STANDARD.delta[1]
    kept = run.c * min(1.0, log(1 / most) / log(run.g / most))
    return Extreme(1.0, None) if least_lam(run).value <= kept else None


def _of_cutoffs() -> Iterator[Family]:
    """Of these nothing is proved but the additive B of BTT18a. Given the hypotheses, the shares of them that err on the queries
    are m independent numbers in [0, 1] of mean at most γ + α; by Hoeffding's inequality their sum exceeds B with probability at
    most (β/m)^{2 c_B}, for m ≥ 2 and c_B = ½ at most β/2; and at most 3B queries have a third of the votes wrong. Half of β
    is left to stable queries, and k is large enough for that. At m = 1 T ≥ 1 allows everything.
    """
    sets = (
        ("BTT18", "c_T", cutoff.cutoff, None),
        ("BTT18", "c_B", cutoff.deviation, None),
        ("BTT18a", "c_B", cutoff.additive, Extreme(0.5, ConstantSetting(2, 1.0, 1.0, 0.2, 0.2))),
    )
    for name, constant, of, proved in sets:
        for within in (STANDARD, ORDINARY):
            if within is STANDARD or proved is None:
                yield Family(
                    "answering",
                    name,
                    constant,
                    "theorem",
                    partial(_known, proved),
                    cache(partial(_split, of, within.beta)),
                    within=within,
                )


def _split(of: cutoff.Broken, betas: tuple[float, float]) -> tuple[float, SplitErrors]:
    return max((cutoff.too_small(of, beta) for beta in betas), key=lambda value: value[0])
