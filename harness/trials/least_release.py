"""How small a constant of release can be: the least at which PMW's averages are within α of those of D, but for β.

Of privacy both ends are computed: the least at which the accountant certifies (ε, δ), and the largest at which an event shows
that it is not kept.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import BaseModel

from harness.arrays import Bools
from harness.mechanisms.release import releases
from harness.mechanisms.release.numeric_sparse import PmwPlan
from harness.mechanisms.release.pmw import PMW
from harness.refusal import Refusal
from harness.theory.factors import Changeable
from harness.trials.columns import BETA, DELTA, EPS, N, V
from harness.trials.kind import Kind, Measure, Row
from harness.trials.least import CONSTANT, FOUND, RULES, SEARCH, Sought, event_column, least, private
from harness.trials.release import ACCURACY, COVER, DUAL, GRID, NAMES, PUBLIC, ReleaseCell, errors
from harness.trials.release import refuse as refuse_release
from harness.trials.release_cell import ReleaseDrawn, pmw_constants
from harness.trials.rules import at_least, null_with
from harness.trials.seeds import BlockStreams

EVENTS = {"averages": "averages within α", "private": "(ε, δ)-DP"}
NOISE = "c_sigma"
"""The constant that privacy rests on."""


class LeastReleaseCell(Sought, ReleaseDrawn, frozen=True):
    """A cell of a search for a constant of release, as small as it can be on an instance; n is what the constants ask for.

    event: what must not fail more often than claimed: all averages of the cover within α, but for β; or (ε, δ)-DP.
    """

    hashed_as: ClassVar[str] = "LeastReleaseCell"

    instance_of: ClassVar[type[BaseModel]] = ReleaseCell

    event: Literal["averages", "private"] = "averages"

    @classmethod
    def sets(cls) -> Mapping[str, Changeable]:
        return pmw_constants()


def measure(cell: LeastReleaseCell, streams: BlockStreams) -> Measure:
    """Searches in one trial for the least constant of each release."""
    return lambda name: _searched(cell, name, streams)


def _searched(cell: LeastReleaseCell, name: str, streams: BlockStreams) -> Row:
    def broken(tried: ReleaseCell, count: int, indices: range) -> Bools:
        n, runs = tried.needed(releases()[name]), partial(streams.run, tried.identity, cell.budget)
        if n is None:  # no guarantee with this constant, at any n that is reckoned with
            return np.ones(len(indices), dtype=bool)
        return errors(tried, name, n, tried.public, indices, runs, "error_on_cover") > cell.alpha

    row, enough = _ends(cell, name) if cell.event == "private" else least(cell, broken, cell.beta)
    return row | {"n": enough.needed(releases()[name]) if enough is not None else None}


def _ends(cell: LeastReleaseCell, name: str) -> tuple[Row, Any]:
    """By the accountant and by an event, for `event: private`."""
    mechanism = releases()[name]
    assert isinstance(mechanism, PMW)
    n = mechanism.needed(cell.sizes, cell.on_cover)

    def plan(value: float) -> PmwPlan:
        return mechanism.resolved(cell.sizes, cell.with_constant(value).on_cover, n)

    return private(cell, lambda value: plan(value).spent(n, cell.delta), lambda value: plan(value).shown(n, cell.delta))


def refuse(cell: LeastReleaseCell, name: str) -> Refusal | None:
    """Why a release's constant cannot be searched for: n is given, or what keeps the release from running at all. Or None."""
    if cell.n is not None:
        return Refusal("n is given, and the constants have no say in it; allowed: leave n open", "n")
    if cell.event == "private" and not isinstance(releases()[name], PMW):
        allowed = ", ".join(other for other, each in releases().items() if isinstance(each, PMW))
        return Refusal(f"no event is known by which {name} spends its ε; allowed: {allowed}", "mechanisms")
    if cell.event == "private" and cell.constant != NOISE:
        return Refusal(f"{name} is no less private where {cell.constant} is small; allowed: {NOISE}", "constant")
    return refuse_release(cell.with_constant(cell.stated), name)


KIND = Kind(
    name="least_release",
    cell=LeastReleaseCell,
    subjects=lambda: list(releases()),
    columns=(
        *NAMES,
        CONSTANT,
        event_column(EVENTS),
        COVER,
        *(V, DUAL, ACCURACY, EPS, DELTA, BETA, PUBLIC.but(role="parameter")),
        GRID,
        *SEARCH,
        *FOUND,
        N.but(role="measured", meaning="private points at the least value that is enough", null=True, caption=False),
    ),
    refuse=refuse,
    measure=measure,
    resolved=lambda cell, name: {"printed": cell.stated},
    rules=(*RULES, null_with("n", "high"), at_least("n", 1)),
)
