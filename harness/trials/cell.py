"""A cell: the fully resolved parameters of one setting, and what the theory derives from them."""

import json
from decimal import Decimal, InvalidOperation
from functools import cached_property, partial
from hashlib import sha256
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from harness.concepts import ConceptClass, Distribution, concepts
from harness.mechanisms import mechanisms
from harness.registry import nearest
from harness.theory import pac
from harness.theory.fixed_point import Plan, plan_for_alpha, plan_for_n
from harness.theory.parameters import CONSTANTS, Constants, PacBound, Task


def exact_number(value: Any) -> Any:
    """Numbers as people write them: 1e12 is text to YAML, and an exact integer here. Anything else is left to the model."""
    if isinstance(value, bool):
        raise ValueError("a number is needed, not true or false")
    if not isinstance(value, str | float):
        return value
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise ValueError(f"a number is needed, not {value!r}") from None
    whole = number.is_finite() and abs(number) < 10**18 and number == int(number)
    return int(number) if whole else float(number)


MAX_N = 10**15

Whole = Annotated[int, BeforeValidator(exact_number)]
Real = Annotated[float, BeforeValidator(exact_number)]
LEAST = 1e-100  # far below any use, and far enough above zero that no formula overflows

Probability = Annotated[Real, Field(ge=LEAST, lt=1)]


class Setting(BaseModel, frozen=True, extra="forbid"):
    """The numbers of one setting. Exactly one of n and alpha is given; V is the class's VC dimension unless it is named."""

    concept: str = "thresholds"
    constants: str = "BTT18"
    pac_bound: Literal["class", "blumer"] = "class"
    V: Annotated[Whole, Field(ge=1, le=10**6)] | None = Field(default=None, validate_default=True)
    m: Annotated[Whole, Field(ge=1, le=10**9)]
    n: Annotated[Whole, Field(ge=1, le=MAX_N)] | None = None
    alpha: Probability | None = None
    eps: Annotated[Real, Field(ge=LEAST, allow_inf_nan=False)] = 1.0
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
        if (self.n is None) == (self.alpha is None):
            raise ValueError("exactly one of n and alpha must be given")
        return self

    @property
    def concept_class(self) -> ConceptClass:
        """The registered class."""
        return concepts()[self.concept]

    @property
    def calibration(self) -> Constants:
        """The set of constants."""
        return CONSTANTS[self.constants]

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
        if self.n is not None:
            return plan_for_n(self.calibration, self.task, self.n)
        assert self.alpha is not None
        return plan_for_alpha(self.calibration, self.task, self.alpha)

    def plan(self, mechanism: str) -> Plan:
        """The parameters of a mechanism on this setting's n examples."""
        return mechanisms()[mechanism].plan(self.calibration, self.task, self.solved.n)


class Cell(Setting, frozen=True, extra="forbid"):
    """A setting with the distribution, learner and sampling that make it run.

    The identity of a cell is the SHA-256 of these fields, so neither the order of a sweep nor the mechanisms run on it nor the
    number of trials has a say in any random number.
    """

    distribution: SerializeAsAny[Distribution] = Field(default="uniform", validate_default=True)
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
        parameters = dict(value) if isinstance(value, dict) else {"name": value}
        name = _one_of("distribution", str(parameters.pop("name", None)), list(known))
        for key, item in parameters.items():
            refuse_unknown(key, known[name])
            try:
                parameters[key] = exact_number(item)
            except ValueError as error:
                raise _complaint(key, str(error)) from None
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

    @cached_property
    def identity(self) -> str:
        """16 hex digits of the SHA-256 of the cell's fields."""
        fields = self.model_dump(mode="json", exclude_none=True)
        fields["distribution"]["name"] = self.distribution_name
        return sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def class_bound(self) -> PacBound:
        """The class's own PAC bound for this cell's learner."""
        return self.concept_class.pac_bound(self.learner, self.gamma)


def refuse_unknown(key: Any, model: type[BaseModel]) -> None:
    """To be called in a validator: raise an error at the key, with the nearest name, unless it is a field of the model."""
    if key not in model.model_fields:
        raise _complaint(str(key), f"unknown key; {nearest(str(key), list(model.model_fields))}")


def _complaint(key: str, message: str) -> ValidationError:
    """An error about one key of the mapping that is being validated."""
    kind = PydanticCustomError("value_error", "{message}", {"message": message})
    return ValidationError.from_exception_data("", [InitErrorDetails(type=kind, loc=(key,), input=key)])


def _one_of(what: str, name: str, known: list[str]) -> str:
    if name not in known:
        raise ValueError(f"no {what} {name!r}; {nearest(name, known)}")
    return name
