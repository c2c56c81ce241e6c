"""What is learned and from what: the class with its dimensions, its distribution and learner, and the privacy to spend."""

from collections.abc import Mapping
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, Field, SerializeAsAny, ValidationInfo, field_validator
from pydantic_core import PydanticKnownError

from harness.concepts import ConceptClass, Distribution, Sampling, concepts, full
from harness.concepts.black_box import BlackBox
from harness.concepts.thresholds import Thresholds
from harness.registry import parts
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.parameters import PacBound
from harness.trials.black_box_spec import black_box
from harness.trials.changes import constants_of, own_factors
from harness.trials.fields import (
    Identified,
    Positive,
    Probability,
    Share,
    Whole,
    number_at,
    one_of,
    refuse_unknown,
)
from harness.trials.kind import Row

MAX_N = 10**18
Model = TypeVar("Model", bound=BaseModel)
KnownConstants = Annotated[str, constants_of(constants, own_factors)]


class ConceptCell(Identified, frozen=True):
    """A cell about learning a class: the privacy to spend on that, and the constants to spend it by.

    V is the class's VC dimension; where it is named alone, it sets the class's dimensions. k_scale multiplies the k of the
    constants. any_dimension: whether V may be any number where the PAC bound is Blumer's, which holds for every class.
    """

    any_dimension: ClassVar[bool] = False
    spreads: ClassVar[frozenset[str]] = frozenset({"constants"})

    concept: SerializeAsAny[ConceptClass] = Thresholds()
    constants: KnownConstants = "BTT18"
    pac_bound: Literal["class", "blumer"] = "class"
    V: Annotated[Whole, Field(ge=1, le=10**6)] | None = Field(default=None, validate_default=True)
    k_scale: Positive = 1.0
    eps: Positive = 1.0
    delta: Probability = 1e-6
    beta: Probability = 0.05
    gamma: Share = 0.0

    @field_validator("concept", mode="before")
    @classmethod
    def _known_concept(cls, value: Any) -> ConceptClass:
        if isinstance(value, ConceptClass):
            return value
        return named_model("concept class", value, concepts())

    @field_validator("V")
    @classmethod
    def _default_V(cls, V: int | None, info: ValidationInfo) -> int | None:
        if "concept" not in info.data or "pac_bound" not in info.data:
            return V  # those have errors of their own
        concept = info.data["concept"]
        if cls.any_dimension and info.data["pac_bound"] == "blumer":
            return V or concept.vc
        return _of_dimension(concept, V).vc

    @cached_property
    def concept_class(self) -> ConceptClass:
        """The class with its dimensions."""
        return self.concept if self.any_dimension and self.pac_bound == "blumer" else _of_dimension(self.concept, self.V)

    def named(self) -> dict[str, Any]:
        """The fields, with the class in one form however it was written: its name, and its dimensions where it has any."""
        concept = {"name": self.concept_class.name} | self.concept_class.model_dump(mode="json")
        fields = {key: value for key, value in super().named().items() if key != "concept"}
        if concept == {"name": "thresholds"}:
            return fields
        return fields | {"concept": concept if len(concept) > 1 else concept["name"]}

    def meant_by(self, axis: str) -> Any:
        """What the value on an axis comes to: V may set the dimensions of the class."""
        return self.concept_class if axis == "concept" else super().meant_by(axis)

    def class_bound(self, gamma: float) -> PacBound:
        """The class's own PAC bound, for any consistent learner, where its best error is gamma."""
        return self.concept_class.pac_bound(None, gamma)

    def bound(self, gamma: float) -> PacBound:
        """The PAC bound that is asked for, where the best error in the class is gamma."""
        assert self.V is not None
        return (
            self.class_bound(gamma)
            if self.pac_bound == "class"
            else partial(pac.vc_agnostic if gamma > 0 else pac.blumer, V=self.V)
        )


class Drawn(ConceptCell, frozen=True):
    """A cell about a class with the distribution and the learner that make it run.
    These are the class's first ones unless they are named.
    """

    distribution: SerializeAsAny[Distribution] = Field(default="", validate_default=True)
    learner: str | BlackBox = Field(default="", validate_default=True)
    sampling: str = Field(default="sufficient", validate_default=True)

    @field_validator("distribution", mode="before")
    @classmethod
    def _known_distribution(cls, value: Any, info: ValidationInfo) -> Distribution:
        allowed = _class_in(info).known_distributions()
        return named_model("distribution", next(iter(allowed)) if value == "" else value, allowed)

    @field_validator("learner", mode="before")
    @classmethod
    def _known_learner(cls, value: Any, info: ValidationInfo) -> str | BlackBox:
        allowed = list(_class_in(info).learners)
        if isinstance(value, str) and (value in allowed or value not in parts("learner")):
            return one_of("learner", value, [*allowed, *parts("learner")]) if value else allowed[0]
        if not isinstance(value, str | dict | BlackBox):
            raise PydanticKnownError("string_type")
        learner = value if isinstance(value, BlackBox) else black_box({"name": value} if isinstance(value, str) else value)
        if _class_in(info).synthetic:
            raise ValueError(f"nothing is learned in the class {_class_in(info).name}; allowed: {', '.join(allowed)}")
        if info.data.get("alpha") is not None or info.data.get("pac_bound", "class") != "class":
            what = f"{unknown(learner)}, which `alpha` and a `pac_bound` of its own would need"
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
        allowed = info.data["distribution"].samplings(_class_in(info), learner)
        return one_of("sampling", name, list(allowed))

    @property
    def sample(self) -> Sampling:
        """The way in which votes are drawn."""
        if isinstance(self.learner, BlackBox):
            return full
        return self.distribution.samplings(self.concept_class, self.learner)[self.sampling]

    @property
    def distribution_name(self) -> str:
        """The distribution's name in its class."""
        kinds = self.concept_class.known_distributions()
        return next(name for name, kind in kinds.items() if type(self.distribution) is kind)

    @property
    def described(self) -> Row:
        """The columns of what is learned, from what and by what, by name and parameters."""
        return {
            "concept": self.concept_class.name,
            "concept_parameters": self.concept_class.model_dump_json(),
            "distribution": self.distribution_name,
            "distribution_parameters": self.distribution.model_dump_json(exclude_none=True),
            "learner": str(self.learner),
        }

    def named(self) -> dict[str, Any]:
        """The fields, with the distribution's name."""
        fields = super().named()
        return fields | {"distribution": fields["distribution"] | {"name": self.distribution_name}}

    def class_bound(self, gamma: float) -> PacBound:
        """The class's own PAC bound for this learner; infinite for a black box."""
        if isinstance(self.learner, BlackBox):
            return pac.none_known
        return self.concept_class.pac_bound(self.learner, gamma)


def unknown(learner: BlackBox) -> str:
    """The reason, in words, why no theorem speaks of a black box."""
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


def named_model(what: str, value: Any, models: Mapping[str, type[Model]]) -> Model:
    """The model that a spec names, alone or as {name: …, parameter: …}, out of the known models by name."""
    parameters = dict(value) if isinstance(value, dict) else {"name": value}
    model = models[one_of(what, str(parameters.pop("name", None)), list(models))]
    for key, item in parameters.items():
        refuse_unknown(key, model)
        parameters[key] = number_at(key, item)
    return model.model_validate(parameters)
