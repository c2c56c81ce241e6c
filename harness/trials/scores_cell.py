"""What scores are learned from and how: an instance, a learner of scores, and how its predictions are drawn."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar, cast

from pydantic import BaseModel, Field, SerializeAsAny, ValidationInfo, field_validator

from harness.scores import Instance, Learner, Sampling, Scorer, instances, learners
from harness.scores.proba import Proba
from harness.trials.black_box_spec import black_box
from harness.trials.columns import TEXTS, Column
from harness.trials.fields import Identified, one_of, refuse_unknown
from harness.trials.kind import Row

Model = TypeVar("Model", bound=BaseModel)


class ScoresDrawn(Identified, frozen=True):
    """A cell with what scores are learned from and how. distribution: an instance, by its name or as {name: …, its parameters}.
    learner: a learner of scores, likewise, or {sklearn: module.Class, its parameters} of a classifier with predict_proba.
    sampling: one of the learner's; by default its first.
    """

    distribution: SerializeAsAny[Instance] = Field(default="atoms", validate_default=True)
    learner: SerializeAsAny[Learner] = Field(default="means", validate_default=True)
    sampling: str = Field(default="", validate_default=True)

    @field_validator("distribution", mode="before")
    @classmethod
    def _known_distribution(cls, value: Any) -> Instance:
        return value if isinstance(value, Instance) else _named("distribution", value, instances())

    @field_validator("learner", mode="before")
    @classmethod
    def _known_learner(cls, value: Any) -> Learner:
        if isinstance(value, Learner):
            return value
        if isinstance(value, dict) and "sklearn" in value:
            model = black_box(value)
            return Proba(estimator=model.estimator, parameters=model.parameters)
        return _named("learner", value, {name: each for name, each in learners().items() if each is not Proba})

    @field_validator("sampling")
    @classmethod
    def _known_sampling(cls, name: str, info: ValidationInfo) -> str:
        if not {"distribution", "learner"} <= info.data.keys():
            return name  # those have errors of their own
        learner, instance = info.data["learner"], info.data["distribution"]
        allowed = list(learner.samplings(instance))
        return one_of("sampling", name, allowed) if name else allowed[0]

    def named(self) -> dict[str, Any]:
        """The fields, with the instance and the learner by their names, and the sampling that was meant."""
        return super().named() | {
            "distribution": {"name": self.distribution.name} | self.distribution.model_dump(mode="json", exclude_defaults=True),
            "learner": {"name": self.learner.name} | self.learner.model_dump(mode="json", exclude_defaults=True),
            "sampling": self.sampling,
        }

    def meant_by(self, axis: str) -> Any:
        """What the value on an axis comes to: a learner is said in few words."""
        return str(self.learner) if axis == "learner" else super().meant_by(axis)

    @cached_property
    def scorer(self) -> Scorer:
        """The scorer of this cell, which draws predictions of k learners."""
        return Scorer(self.distribution, self.learner, cast(Sampling, self.sampling))

    @property
    def described(self) -> Row:
        """The columns of what scores are learned from and by what, by name and parameters."""
        return {
            "distribution": self.distribution.name,
            "distribution_parameters": self.distribution.model_dump_json(),
            "learner": str(self.learner),
            "learner_parameters": self.learner.model_dump_json(),
        }


def _named(what: str, value: Any, models: Mapping[str, type[Model]]) -> Model:
    """The model that a spec names, alone or as {name: …, parameter: …}."""
    parameters = dict(value) if isinstance(value, dict) else {"name": value}
    model = models[one_of(what, str(parameters.pop("name", None)), list(models))]
    for key in parameters:
        refuse_unknown(key, model)
    return model.model_validate(parameters)


_SAID = {
    "distribution": "instance: distribution of examples and of what is asked",
    "learner": "learner of scores",
    "sampling": "sufficient: the exact law of the scores; poisson: chunks of Poisson(s) examples; full: all examples",
}
NAMES = (
    *(
        column.but(meaning=_SAID.get(column.name, column.meaning))
        for column in TEXTS
        if column.name in (*_SAID, "distribution_parameters")
    ),
    Column("learner_parameters", "json", "parameter", "what shapes it"),
)
"""The columns that say what scores are learned from and how."""
