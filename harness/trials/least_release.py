"""How small a constant of release can be: the least at which PMW's averages are within α of those of D, but for β.

Of privacy both ends are computed: the least at which the accountant certifies (ε, δ), and the largest at which an event shows
that it is not kept.
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Literal

from pydantic import ValidationInfo, field_validator

from harness.mechanisms.release import releases
from harness.mechanisms.release.numeric_sparse import PmwPlan
from harness.mechanisms.release.pmw import PMW
from harness.refusal import Refusal
from harness.theory.factors import Factor, found
from harness.theory.plan import CERTIFIED
from harness.trials.columns import BETA, DELTA, EPS, N, V
from harness.trials.kind import Kind, Row
from harness.trials.least import (
    CONSTANT,
    FOUND,
    RULES,
    SEARCH,
    Sought,
    both_ends,
    changed_name,
    event_column,
    interval,
    known_constant,
    least,
)
from harness.trials.release import ACCURACY, COVER, DUAL, GRID, NAMES, PUBLIC, ReleaseCell
from harness.trials.release import refuse as refuse_release
from harness.trials.release import run as run_release
from harness.trials.release_cell import ReleaseDrawn, pmw_constants

EVENTS = {"averages": "averages within α", "private": "(ε, δ)-DP"}
NOISE = "c_sigma"
"""The constant that privacy rests on."""


class LeastReleaseCell(Sought, ReleaseDrawn, frozen=True):
    """An instance, and a constant of the set that is to be as small as it can be there; n is what the constants ask for.

    event: what must not fail more often than claimed: all averages of the cover within α, but for β; or (ε, δ)-DP.
    """

    event: Literal["averages", "private"] = "averages"

    @field_validator("constant")
    @classmethod
    def _known_constant(cls, name: str, info: ValidationInfo) -> str:
        if "constants" in info.data:
            known_constant(name, info.data["constants"], found(info.data["constants"], pmw_constants()).factors)
        return name

    @property
    def factor(self) -> Factor:
        """The constant."""
        return next(each for each in found(self.constants, pmw_constants()).factors if each.name == self.constant)

    @property
    def stated(self) -> float:
        """Its value in the set."""
        return found(self.constants, pmw_constants()).values[self.factor]

    def with_constant(self, value: float) -> ReleaseCell:
        """The same instance with another value of the constant."""
        own = {field: getattr(self, field) for field in ReleaseCell.model_fields}
        return ReleaseCell.model_construct(
            **own | {"constants": changed_name(self.constants, self.constant, value, pmw_constants())}
        )


def run(cell: LeastReleaseCell, names: Sequence[str], seed: int, trial: int) -> list[Row]:
    """One row for each mechanism, a whole search each."""
    return [_searched(cell, name, seed, trial) for name in names]


def _searched(cell: LeastReleaseCell, name: str, seed: int, trial: int) -> Row:
    start = perf_counter()

    def broken(tried: ReleaseCell, count: int, index: int) -> bool:
        (row,) = run_release(tried, [name], seed, trial * cell.budget + index)
        return bool(row["error_on_cover"] > cell.alpha)

    if cell.event == "private":
        low, high = private_ends(cell, name)
        shown, enough = interval(low, high, cell.stated, 0), None if high is None else cell.with_constant(high)
    else:
        shown, enough = least(broken, cell.with_constant, cell.factor, cell.stated, cell.beta, cell)
    n = enough.needed(releases()[name]) if enough is not None else None
    return parameters(cell, name) | {"trial": trial} | shown | {"n": n, "seconds": perf_counter() - start}


def private_ends(cell: LeastReleaseCell, name: str) -> tuple[float, float | None]:
    """The largest value that an event shows to be too small, 0 if none is; and the least that is certified, or None."""
    mechanism = releases()[name]
    assert isinstance(mechanism, PMW)
    n = mechanism.needed(cell.sizes, cell.on_cover)

    def plan(value: float) -> PmwPlan:
        return mechanism.resolved(cell.sizes, cell.with_constant(value).on_cover, n)

    def certified(value: float) -> bool:
        return plan(value).spent(n, cell.delta) <= cell.eps * (1 + CERTIFIED)

    def refuted(value: float) -> bool:
        return plan(value).shown(n, cell.delta) > cell.eps * (1 + CERTIFIED)

    return both_ends(cell.factor, cell.stated, certified, refuted)


def parameters(cell: LeastReleaseCell, name: str) -> Row:
    """The cell's parameters as columns."""
    own = {field: getattr(cell, field) for field in ("sampling", "constants", "cover", "alpha", "eps", "delta", "beta")}
    return {
        "cell": cell.identity,
        "mechanism": name,
        "concept": cell.query_class.name,
        "concept_parameters": cell.query_class.model_dump_json(),
        "distribution": cell.distribution_name,
        "distribution_parameters": cell.distribution.model_dump_json(exclude_none=True),
        **own,
        "V": cell.query_class.vc,
        "p": cell.query_class.dual_vc,
        "m": cell.public,
        "grid": cell.cells,
        "constant": cell.constant,
        "event": cell.event,
        "budget": cell.budget,
        "error": cell.error,
        "printed": cell.stated,
    }


def refuse(cell: LeastReleaseCell, name: str) -> Refusal | None:
    """Why a constant cannot be searched for: n is given, or what keeps the mechanism from running at all."""
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
    run=run,
    parameters=parameters,
    rules=RULES,
)
