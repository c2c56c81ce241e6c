"""A cell of classification queries: the fully resolved parameters of one setting, and what the theory derives from them."""

from dataclasses import replace
from functools import cached_property, partial
from math import ceil
from typing import Annotated, Any, Literal, Self

from pydantic import Field, SerializeAsAny, ValidationInfo, field_validator, model_validator

from harness.concepts import ConceptClass, Distribution, concepts
from harness.mechanisms import mechanisms
from harness.registry import nearest
from harness.theory import pac
from harness.theory.fixed_point import Plan, plan_for_alpha, plan_for_n
from harness.theory.parameters import CONSTANTS, Constants, PacBound, Task
from harness.trials.fields import Identified, Positive, Probability, Real, Whole, complaint, exact_number, refuse_unknown

MAX_N = 10**15


class Setting(Identified, frozen=True):
    """The numbers of one setting. V is the class's VC dimension unless it is named.

    Exactly one of n, alpha and T sizes it: n examples; the n at which the learner's error is alpha; or a cutoff T set directly,
    whatever the learner's error is, with the n = k that it needs. k_scale multiplies the k of the constants.
    """

    concept: str = "thresholds"
    constants: str = "BTT18"
    pac_bound: Literal["class", "blumer"] = "class"
    V: Annotated[Whole, Field(ge=1, le=10**6)] | None = Field(default=None, validate_default=True)
    m: Annotated[Whole, Field(ge=1, le=10**9)]
    n: Annotated[Whole, Field(ge=1, le=MAX_N)] | None = None
    alpha: Probability | None = None
    T: Annotated[Real, Field(ge=1, le=10**9)] | None = None
    k_scale: Positive = 1.0
    eps: Positive = 1.0
    delta: Probability = 1e-6
    beta: Probability = 0.05
    gamma: Annotated[Real, Field(ge=0, lt=1)] = 0.0

    @field_validator("concept")
    @classmethod
    def _known_concept(cls, name: str) -> str:
        return _one_of("concept class", name, list(concepts()))

    @field_validator("constants")
    @classmethod
    def _known_constants(cls, name: str) -> str:
        return _one_of("constants", name, list(CONSTANTS))

    @field_validator("V")
    @classmethod
    def _default_V(cls, V: int | None, info: ValidationInfo) -> int | None:
        if "concept" not in info.data or "pac_bound" not in info.data:
            return V  # those have errors of their own
        vc = concepts()[info.data["concept"]].vc
        if V not in (None, vc) and not (cls is Setting and info.data["pac_bound"] == "blumer"):
            raise ValueError(f"V = {V} is not attained: the class {info.data['concept']} has VC dimension {vc}; allowed: {vc}")
        return V or vc

    @model_validator(mode="after")
    def _size(self) -> Self:
        if [self.n, self.alpha, self.T].count(None) != 2:
            raise ValueError("exactly one of n, alpha and T must be given")
        return self

    @property
    def concept_class(self) -> ConceptClass:
        """The registered class."""
        return concepts()[self.concept]

    @property
    def calibration(self) -> Constants:
        """The set of constants, with this setting's own cutoff and share of k."""
        return replace(CONSTANTS[self.constants], cutoff=self.T, k_scale=self.k_scale)

    @property
    def class_bound(self) -> PacBound:
        """The class's own PAC bound, for any consistent learner."""
        return self.concept_class.pac_bound(None, self.gamma)

    @cached_property
    def task(self) -> Task:
        """What is asked of every mechanism."""
        general = pac.vc_agnostic if self.gamma > 0 else pac.blumer
        assert self.V is not None
        bound = self.class_bound if self.pac_bound == "class" else partial(general, V=self.V)
        return Task(self.m, self.eps, self.delta, self.beta, self.gamma, bound)

    @cached_property
    def solved(self) -> Plan:
        """The fixed point of the constants: for n examples, or for the n = ks that reaches alpha."""
        if self.alpha is not None:
            return plan_for_alpha(self.calibration, self.task, self.alpha)
        return plan_for_n(self.calibration, self.task, self.n or ceil(self.calibration.k(self.task, self.T or 1.0)))

    def plan(self, mechanism: str) -> Plan:
        """The parameters of a mechanism on this setting's n examples."""
        return mechanisms()[mechanism].plan(self.calibration, self.task, self.solved.n)


class Cell(Setting, frozen=True):
    """A setting with the distribution, learner and sampling that make it run; the class's first ones unless they are named."""

    distribution: SerializeAsAny[Distribution] = Field(default="", validate_default=True)
    learner: str = Field(default="", validate_default=True)
    sampling: Literal["sufficient", "full"] = "sufficient"

    @field_validator("gamma")
    @classmethod
    def _realizable(cls, gamma: float) -> float:
        if gamma != 0:
            raise ValueError(f"the target labels every example, so the best error is 0, not {gamma:g}; allowed: 0")
        return gamma

    @field_validator("distribution", mode="before")
    @classmethod
    def _known_distribution(cls, value: Any, info: ValidationInfo) -> Distribution:
        if "concept" not in info.data:
            return Distribution()  # the concept has an error of its own
        known = concepts()[info.data["concept"]].distributions
        parameters = dict(value) if isinstance(value, dict) else {"name": next(iter(known), "") if value == "" else value}
        name = _one_of("distribution", str(parameters.pop("name", None)), list(known))
        for key, item in parameters.items():
            refuse_unknown(key, known[name])
            try:
                parameters[key] = exact_number(item)
            except ValueError as error:
                raise complaint(key, str(error)) from None
        return known[name].model_validate(parameters)

    @field_validator("learner")
    @classmethod
    def _known_learner(cls, name: str, info: ValidationInfo) -> str:
        if "concept" not in info.data:
            return name  # the concept has an error of its own
        known = list(concepts()[info.data["concept"]].learners)
        return _one_of("learner", name, known) if name else known[0]

    @property
    def distribution_name(self) -> str:
        """The distribution's name in its class."""
        known = self.concept_class.distributions
        return next(name for name, kind in known.items() if type(self.distribution) is kind)

    def named(self) -> dict[str, Any]:
        """The fields, with the distribution's name."""
        fields = super().named()
        return fields | {"distribution": fields["distribution"] | {"name": self.distribution_name}}

    @property
    def class_bound(self) -> PacBound:
        """The class's own PAC bound for this cell's learner."""
        return self.concept_class.pac_bound(self.learner, self.gamma)


def _one_of(what: str, name: str, known: list[str]) -> str:
    if name not in known:
        raise ValueError(f"no {what} {name!r}; {nearest(name, known)}")
    return name
