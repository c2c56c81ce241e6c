"""A cell of classification queries: the fully resolved parameters of one setting, and what the theory derives from them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, partial
from math import ceil, inf
from typing import Annotated, Any, Literal, Self, TypeVar

import numpy as np
from pydantic import BaseModel, Field, SerializeAsAny, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticKnownError

from harness.concepts import ConceptClass, Distribution, Situation, Source, concepts
from harness.concepts.black_box import BlackBox, BlackBoxSource, registered_learners, trouble
from harness.concepts.thresholds import Thresholds
from harness.mechanisms import mechanisms
from harness.theory import pac
from harness.theory.fixed_point import Plan, plan_for_alpha, plan_for_n
from harness.theory.parameters import CONSTANTS, Constants, PacBound, Task
from harness.trials.fields import (
    Identified,
    Positive,
    Probability,
    Real,
    Whole,
    complaint,
    exact_number,
    one_of,
    refuse_unknown,
)
from harness.trials.learners import black_box

MAX_N = 10**15
Model = TypeVar("Model", bound=BaseModel)


class Setting(Identified, frozen=True):
    """The numbers of one setting. V is the class's VC dimension; where it is named alone, it sets the class's dimensions.

    n, alpha or T sizes it: n examples; the n at which the learner's error is alpha; or a cutoff T set directly, whatever the
    learner's error is, with the n = k that it needs, or with n examples. k_scale multiplies the k of the constants.
    """

    concept: SerializeAsAny[ConceptClass] = Thresholds()
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

    @field_validator("concept", mode="before")
    @classmethod
    def _known_concept(cls, value: Any) -> ConceptClass:
        if isinstance(value, ConceptClass):
            return value
        return _named("concept class", value, concepts())

    @field_validator("constants")
    @classmethod
    def _known_constants(cls, name: str) -> str:
        return one_of("constants", name, list(CONSTANTS))

    @field_validator("V")
    @classmethod
    def _default_V(cls, V: int | None, info: ValidationInfo) -> int | None:
        if "concept" not in info.data or "pac_bound" not in info.data:
            return V  # those have errors of their own
        concept = info.data["concept"]
        if cls is Setting and info.data["pac_bound"] == "blumer":
            return V or concept.vc
        return _of_dimension(concept, V).vc

    @model_validator(mode="after")
    def _size(self) -> Self:
        if [self.n, self.alpha, self.T].count(None) != 2 and (self.alpha is not None or self.n is None):
            raise ValueError("exactly one of n, alpha and T must be given, or n and T")
        return self

    @cached_property
    def concept_class(self) -> ConceptClass:
        """The class with its dimensions."""
        general = type(self) is Setting and self.pac_bound == "blumer"
        return self.concept if general else _of_dimension(self.concept, self.V)

    def named(self) -> dict[str, Any]:
        """The fields, with the class in one form however it was written: its name, and its dimensions where it has any."""
        concept = {"name": self.concept_class.name} | self.concept_class.model_dump(mode="json")
        fields = {key: value for key, value in super().named().items() if key != "concept"}
        if concept == {"name": "thresholds"}:
            return fields
        return fields | {"concept": concept if len(concept) > 1 else concept["name"]}

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
    learner: str | BlackBox = Field(default="", validate_default=True)
    sampling: str = Field(default="sufficient", validate_default=True)

    @field_validator("distribution", mode="before")
    @classmethod
    def _known_distribution(cls, value: Any, info: ValidationInfo) -> Distribution:
        known = _class_in(info).distributions
        return _named("distribution", next(iter(known)) if value == "" else value, known)

    @field_validator("learner", mode="before")
    @classmethod
    def _known_learner(cls, value: Any, info: ValidationInfo) -> str | BlackBox:
        known = list(_class_in(info).learners)
        if isinstance(value, str) and (value in known or value not in registered_learners()):
            return one_of("learner", value, [*known, *registered_learners()]) if value else known[0]
        if not isinstance(value, str | dict | BlackBox):
            raise PydanticKnownError("string_type")
        learner = value if isinstance(value, BlackBox) else black_box({"name": value} if isinstance(value, str) else value)
        if _class_in(info).synthetic:
            raise ValueError(f"nothing is learned in the class {_class_in(info).name}; allowed: {', '.join(known)}")
        if info.data.get("alpha") is not None or info.data.get("pac_bound", "class") != "class":
            what = f"{_unknown(learner)}, which `alpha` and a `pac_bound` of its own would need"
            raise ValueError(f"{what}; allowed: n, or n and T, with pac_bound: class")
        return learner

    @field_validator("sampling")
    @classmethod
    def _known_sampling(cls, name: str, info: ValidationInfo) -> str:
        if not {"distribution", "learner"} <= info.data.keys():
            return name  # those have errors of their own
        learner = info.data["learner"]
        if isinstance(learner, BlackBox):
            if name != "full":
                raise ValueError(f"no sampling {name!r} with {learner}, which needs the examples themselves; allowed: full")
            return name
        known = info.data["distribution"].samplings(_class_in(info), learner)
        return one_of("sampling", name, list(known))

    @property
    def distribution_name(self) -> str:
        """The distribution's name in its class."""
        known = self.concept_class.distributions
        return next(name for name, kind in known.items() if type(self.distribution) is kind)

    def named(self) -> dict[str, Any]:
        """The fields, with the distribution's name."""
        fields = super().named()
        return fields | {"distribution": fields["distribution"] | {"name": self.distribution_name}}

    def situation(self, mechanism: str) -> Situation:
        """What the distribution is made concrete for under a mechanism; with a black box, that of a learner of the class."""
        situation = Situation(self.concept_class, str(self.learner), self.plan(mechanism).s, self.gamma, self.T)
        if not isinstance(self.learner, BlackBox):
            return situation
        own = [replace(situation, learner=learner) for learner in self.concept_class.learners]
        return next((each for each in own if self.distribution.refuse(each) is None), own[0])

    def source(self, mechanism: str) -> Source:
        """The distribution made concrete, seen through the learner; called where `refuse` has nothing to say."""
        source = self.distribution.at(self.situation(mechanism))
        if not isinstance(self.learner, BlackBox):
            return source
        return BlackBoxSource(source, self.learner, self.concept_class.label_count)

    def refuse(self, mechanism: str) -> tuple[str, str] | None:
        """Why there is no such source, and the parameter at fault, or None."""
        situation = self.situation(mechanism)
        refusal = self.distribution.refuse(situation)
        if refusal is not None or not isinstance(self.learner, BlackBox):
            return refusal
        x, _ = self.distribution.at(situation).examples(1, np.random.default_rng(0))
        refused = trouble(self.learner, situation.s, x.shape[1])
        if refused is not None:
            what = f"{self.learner} does not learn from {situation.s} examples: {refused}"
            return f"{what}; allowed: parameters with which it does", "learner"
        return None

    def plan(self, mechanism: str) -> Plan:
        plan = super().plan(mechanism)
        if isinstance(self.learner, BlackBox) and plan.s >= 1:
            return replace(plan, bound=None, reason=_unknown(self.learner))
        return plan

    @property
    def class_bound(self) -> PacBound:
        """The class's own PAC bound for this cell's learner; infinite for a black box."""
        if isinstance(self.learner, BlackBox):
            return lambda s, q: inf
        return self.concept_class.pac_bound(self.learner, self.gamma)


def _unknown(learner: BlackBox) -> str:
    return f"no PAC bound is known for the learner {learner}"


def _of_dimension(concept: ConceptClass, V: int | None) -> ConceptClass:
    """The class itself if that is its VC dimension, else, where a spec leaves its dimensions open, the one that V sets."""
    if V in (None, concept.vc):
        return concept
    if concept.model_fields_set:
        named = ", ".join(f"{key} = {value}" for key, value in concept.model_dump(exclude_unset=True).items())
        raise ValueError(f"V = {V} is not attained: with {named} the VC dimension is {concept.vc}; allowed: {concept.vc}")
    return type(concept).of_vc(V)


def _class_in(info: ValidationInfo) -> ConceptClass:
    """The class of a cell under validation; the default where it has an error of its own, which is then told first."""
    return _of_dimension(info.data["concept"], info.data["V"]) if {"concept", "V"} <= info.data.keys() else Thresholds()


def _named(what: str, value: Any, known: Mapping[str, type[Model]]) -> Model:
    """The model that a spec names, alone or as {name: …, parameter: …}, out of the known ones."""
    parameters = dict(value) if isinstance(value, dict) else {"name": value}
    model = known[one_of(what, str(parameters.pop("name", None)), list(known))]
    for key, item in parameters.items():
        refuse_unknown(key, model)
        try:
            parameters[key] = exact_number(item)
        except ValueError as error:
            raise complaint(key, str(error)) from None
    return model.model_validate(parameters)
