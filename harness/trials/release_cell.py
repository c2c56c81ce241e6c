"""A cell of statistical queries: the class and D, how many private and public points there are, and what is asked for."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, SerializeAsAny, ValidationInfo, field_validator

from harness.covers import MOST_BITS, MOST_QUERIES, Cover, Marginal, QueryClass, Size, query_classes
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.release import Release, ReleaseRequest, releases
from harness.refusal import Refusal
from harness.registry import parts
from harness.theory.constants.bcmnuw20 import PmwConstants, least, missed_by_any
from harness.theory.factors import set_named
from harness.trials.changes import constants_of
from harness.trials.concept_cell import MAX_N, named_model
from harness.trials.fields import Identified, Real, Whole
from harness.trials.kind import Row

MOST_PUBLIC = 10**7
MOST_FULL = 10**8
"""The most private points that are drawn one by one."""


def pmw_constants() -> Mapping[str, PmwConstants]:
    """Every set of constants for release by name."""
    return parts("constants of release")


class ReleaseSetting(Identified, frozen=True):
    """What is asked of a release: the class, α, β, the privacy, and how many private and public points there are.

    m: public points; 0 means the private ones alone, on a fixed grid of `grid` cells, by default ⌈4/alpha⌉; by default what the
    `cover` asks for: any, Lemma 11 of BCMNUW20 for any class; spacing, what is special to this one. n: private points; 0 means
    the public ones alone; by default what each mechanism's own guarantee needs at m. p, V: the dual and the VC dimension; where
    named, they set those of the class.
    """

    hashed_as: ClassVar[str] = "ReleaseSetting"

    spreads: ClassVar[frozenset[str]] = frozenset({"constants"})

    concept: SerializeAsAny[QueryClass] = ThresholdQueries()
    p: Annotated[Whole, Field(ge=1, le=10**6)] | None = None
    V: Annotated[Whole, Field(ge=0, le=10**6)] | None = None
    alpha: Annotated[Real, Field(ge=1e-9, lt=1)]
    n: Annotated[Whole, Field(ge=0, le=MAX_N)] | None = None
    m: Annotated[Whole, Field(ge=0, le=10**15)] | None = None
    cover: Literal["any", "spacing"] = "any"
    grid: Annotated[Whole, Field(ge=2, le=10**6)] | None = None
    constants: Annotated[str, constants_of(pmw_constants)] = "BCMNUW20"
    eps: Annotated[Real, Field(ge=1e-3, le=5000)] = 1.0
    delta: Annotated[Real, Field(ge=1e-15, le=0.5)] = 1e-6
    beta: Annotated[Real, Field(ge=1e-15, lt=1)] = 0.05

    @field_validator("concept", mode="before")
    @classmethod
    def _known_concept(cls, value: Any) -> QueryClass:
        return value if isinstance(value, QueryClass) else named_model("class of queries", value, query_classes())

    @field_validator("p", "V")
    @classmethod
    def _attained(cls, value: int | None, info: ValidationInfo) -> int | None:
        if "concept" in info.data:
            fields = {"p": info.data.get("p"), "V": None} | {info.field_name: value}
            dimensioned(info.data["concept"], fields["V"], fields["p"])
        return value

    @cached_property
    def query_class(self) -> QueryClass:
        """The class of functions, with its dimensions."""
        return dimensioned(self.concept, self.V, self.p)

    def named(self) -> dict[str, Any]:
        """The fields, with the class by its name and its dimensions, however these were given."""
        concept = {"name": self.query_class.name} | self.query_class.model_dump(mode="json")
        return {key: value for key, value in super().named().items() if key not in ("p", "V")} | {"concept": concept}

    def meant_by(self, axis: str) -> Any:
        """What the value on an axis comes to: V and p may set the dimensions of the class."""
        derived = {"concept": self.query_class, "V": self.query_class.vc, "p": self.query_class.dual_vc, "m": self.public}
        return derived.get(axis, super().meant_by(axis))

    @property
    def asked(self) -> ReleaseRequest:
        """The request that every release gets."""
        return ReleaseRequest(self.alpha, self.beta, self.eps, self.delta, set_named(self.constants, pmw_constants()))

    @property
    def on_cover(self) -> ReleaseRequest:
        """The request for the cover's averages: with public points half of α and of β are left for the cover."""
        return self.asked.halved() if self.public else self.asked

    @property
    def sharp(self) -> ReleaseRequest:
        """The request, with the sharper of two inequalities for the sample."""
        return replace(self.on_cover, sharp=True)

    @cached_property
    def explicit_m(self) -> int | None:
        """The least m at which an α/4-cover is missed with chance at most β/2; None where it is beyond all reckoning."""
        special = self.query_class.missed if self.cover == "spacing" else None
        vc = max(1, self.query_class.vc)
        return least(
            lambda m: (special(m, self.alpha / 4) if special else missed_by_any(m, self.alpha / 4, vc)) > self.beta / 2
        )

    @property
    def public(self) -> int:
        """m: public points."""
        return (self.explicit_m or 10**18) if self.m is None else self.m

    def needed(self, release: Release, sharp: bool = False) -> int | None:
        """n that a mechanism's own guarantee asks for on the largest cover that m points can make; None where it has none.

        sharp: as `ReleaseRequest` has it.
        """
        if not release.needs_private:
            return 0
        return release.needed(self.sizes, self.sharp if sharp else self.on_cover)

    @cached_property
    def sizes(self) -> Size:
        """The largest cover of the public points, or that of the grid where there are none."""
        return self.query_class.sizes(self.public) if self.public else self.query_class.grid_sizes(self.cells)

    @property
    def cells(self) -> int:
        """The number of cells that the fixed grid has."""
        return self.grid if self.grid is not None else max(2, -int(-4 // self.alpha))

    def refuse(self, release: Release, n: int | None) -> Refusal | None:
        """Why a mechanism cannot be tried, or None."""
        others = releases().values()
        if self.public == 0 and release.needs_public:
            allowed = ", ".join(other.name for other in others if not other.needs_public)
            return Refusal(f"{release.name} is made of public points, and m = 0 means none; allowed: {allowed}", "mechanisms")
        if n == 0 and release.needs_private:
            allowed = ", ".join(other.name for other in others if not other.needs_private)
            return Refusal(f"{release.name} releases what private points say, and n = 0 means none; allowed: {allowed}", "n")
        if release.ordered and not self.query_class.ordered:
            allowed = ", ".join(name for name, each in query_classes().items() if each.ordered)
            return Refusal(f"{release.name} is for cells in an order; allowed: {allowed}", "concept")
        bits = self.query_class.most_bits(self.public)
        if self.public > MOST_PUBLIC or bits > MOST_BITS:
            what = f"m = {self.public:.3g} public points of {self.query_class.name} would be drawn, {bits:.3g} numbers"
            return Refusal(f"{what}; allowed: m ≤ {MOST_PUBLIC:,}, {MOST_BITS:,} numbers", "m" if self.m else "alpha")
        if self.public and self.sizes.queries > MOST_QUERIES:
            return _too_large(f"m = {self.public:,} public points", self.query_class, self.sizes, "m" if self.m else "alpha")
        if (self.public == 0 or release.on_grid) and (sizes := self.query_class.grid_sizes(self.cells)).queries > MOST_QUERIES:
            return _too_large(f"a grid of {self.cells:,} cells", self.query_class, sizes, "grid" if self.grid else "alpha")
        return None


def _too_large(what: str, of: QueryClass, sizes: Size, parameter: str) -> Refusal:
    why = f"{what} would make |H̃| up to {sizes.queries:.3g} of {of.name}, ln |X̃| up to {sizes.log_cells:.3g}"
    return Refusal(f"{why}; allowed: |H̃| ≤ {MOST_QUERIES:,}", parameter)


def dimensioned(concept: QueryClass, V: int | None, p: int | None) -> QueryClass:
    """The class of functions with dimensions V and p; unchanged where its own parameters are set and have these dimensions.
    Raises ValueError where there is none.
    """
    if not concept.model_fields_set:
        return concept if V is None and p is None else type(concept).of(V, p)
    for symbol, wanted, there in (("V", V, concept.vc), ("p", p, concept.dual_vc)):
        if wanted not in (None, there):
            options = ", ".join(f"{key} = {value}" for key, value in concept.model_dump(exclude_unset=True).items())
            raise ValueError(f"{symbol} = {wanted} is not attained: with {options} it is {there}; allowed: {there}")
    return concept


class ReleaseDrawn(ReleaseSetting, frozen=True):
    """What is asked of a release, with D and how private points are drawn.
    sampling: `sufficient`, by counts of cells; `full`, one by one.
    """

    distribution: SerializeAsAny[Marginal] = Field(default="", validate_default=True)
    sampling: Literal["sufficient", "full"] = "sufficient"

    @field_validator("distribution", mode="before")
    @classmethod
    def _known_distribution(cls, value: Any, info: ValidationInfo) -> Marginal:
        allowed: Mapping[str, type[Marginal]] = info.data.get("concept", ThresholdQueries()).distributions
        return named_model("distribution", next(iter(allowed)) if value == "" else value, allowed)

    def named(self) -> dict[str, Any]:
        """The fields with D by its name and its parameters."""
        return super().named() | {"distribution": {"name": self.distribution_name} | self.distribution.model_dump(mode="json")}

    @property
    def distribution_name(self) -> str:
        """The distribution's name as specs spell it."""
        return next(name for name, each in self.query_class.distributions.items() if each is type(self.distribution))

    @property
    def described(self) -> Row:
        """The class and D by name and parameters, and what was left open."""
        return {
            "concept": self.query_class.name,
            "concept_parameters": self.query_class.model_dump_json(),
            "distribution": self.distribution_name,
            "distribution_parameters": self.distribution.model_dump_json(exclude_none=True),
            "V": self.query_class.vc,
            "p": self.query_class.dual_vc,
            "m": self.public,
            "grid": self.cells,
        }

    @cached_property
    def grid_cover(self) -> Cover:
        """The cover of the fixed grid."""
        return self.query_class.grid(self.distribution, self.cells)
