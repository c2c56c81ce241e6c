"""A cell of classification queries: the fully resolved parameters of one setting, and what the theory derives from them."""

from dataclasses import replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticKnownError

from harness.ballots import MOST_QUERIES
from harness.concepts import TYPES_AT_ONCE, Sampler, Situation
from harness.concepts.black_box import BlackBox, BlackBoxSampler, trouble
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.classifying import classifiers
from harness.refusal import Refusal
from harness.registry import PartError, parts, place
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.factors import set_named
from harness.theory.fixed_point import CutoffPlan, plan_for_alpha, plan_for_n
from harness.theory.parameters import Constants, PacBound, Task
from harness.theory.plan import Plan
from harness.trials.black_box_spec import black_box
from harness.trials.concept_cell import MAX_N, ConceptCell, Drawn, unknown
from harness.trials.fields import Probability, Real, Whole, kept, one_of, shown

ANY = "any"


class Setting(ConceptCell, frozen=True):
    """The numbers of a cell of classification queries: m, the privacy, and one of n, alpha or T that sizes it.

    n, alpha or T sizes it: n examples; the n at which the learner's error is alpha; or a cutoff T set directly, whatever the
    learner's error is, with the n = k that it needs, or with n examples.
    """

    hashed_as: ClassVar[str] = "Setting"

    any_dimension: ClassVar[bool] = True

    m: Annotated[Whole, Field(ge=1, le=MOST_QUERIES)]
    n: Annotated[Whole, Field(ge=1, le=MAX_N)] | None = None
    alpha: Probability | None = None
    T: Annotated[Real, Field(ge=1, le=10**9)] | None = None

    @model_validator(mode="after")
    def _size(self) -> Self:
        if [self.n, self.alpha, self.T].count(None) != 2 and (self.alpha is not None or self.n is None):
            raise ValueError("exactly one of n, alpha and T must be given, or n and T")
        return self

    @property
    def calibration(self) -> Constants:
        """The set of constants, with this setting's own cutoff and share of k."""
        return replace(set_named(self.constants, constants()), cutoff=self.T, k_scale=self.k_scale)

    @cached_property
    def task(self) -> Task:
        """The task that every mechanism gets."""
        return Task(self.m, self.eps, self.delta, self.beta, self.gamma, self.bound(self.gamma))

    @cached_property
    def solved(self) -> CutoffPlan:
        """The fixed point of the constants: for n examples, or for the n = ks that reaches alpha."""
        if self.alpha is not None:
            return plan_for_alpha(self.calibration, self.task, self.alpha)
        return plan_for_n(self.calibration, self.task, self.n or self.calibration.whole_k(self.task, self.T or 1.0))

    @property
    def bound_told(self) -> str:
        """The PAC bound of its plan in words, and whose it is."""
        return pac.in_words(self.task.pac_bound, self.solved.s, self.beta / self.solved.k)

    @kept
    def plan(self, mechanism: str) -> Plan:
        """The plan of a mechanism on this setting's n examples; the same object whenever it is asked for."""
        return self.resolved(mechanism)

    def resolved(self, mechanism: str) -> Plan:
        """The plan, solved anew."""
        answerer = classifiers().get(mechanism) or mechanisms()[mechanism]
        plan = answerer.plan(self.calibration, self.task, self.solved.n)
        if not isinstance(plan, Plan):
            where = place("mechanism", mechanism)
            raise PartError(f"{where}: the plan of {mechanism} is {shown(plan)}; allowed: a harness.theory.plan.Plan")
        return plan


class Planned(Setting, frozen=True):
    """A setting with the learner whose PAC bound is taken for plans: the class's first learner unless one is named.

    `any` stands for any consistent learner, or any of least empirical risk. With pac_bound `blumer` it has no say. Of a
    registered learner, or one that a mapping names, no PAC bound is known: mechanisms have a k then, and no bound.
    """

    hashed_as: ClassVar[str] = "Planned"

    learner: str | BlackBox = Field(default="", validate_default=True)

    @field_validator("learner", mode="before")
    @classmethod
    def _known_learner(cls, entry: Any, info: ValidationInfo) -> str | BlackBox:
        if "concept" not in info.data:
            return ""  # it has an error of its own
        allowed = [*info.data["concept"].learners, ANY]
        if entry in ("", *allowed):
            return str(entry) or allowed[0]
        ours = list(parts("learner"))
        if isinstance(entry, str) and entry not in ours:
            return one_of("learner", entry, [*allowed, *ours])
        if not isinstance(entry, str | dict | BlackBox):
            raise PydanticKnownError("string_type")
        learner = entry if isinstance(entry, BlackBox) else black_box({"name": entry} if isinstance(entry, str) else entry)
        if info.data.get("n") is None:
            raise ValueError(f"{unknown(learner)}, which `alpha` would need; allowed: n")
        return learner

    def class_bound(self, gamma: float) -> PacBound:
        if isinstance(self.learner, BlackBox):
            return pac.none_known
        return self.concept_class.pac_bound(None if self.learner == ANY else self.learner, gamma)

    def resolved(self, mechanism: str) -> Plan:
        return without_bound(super().resolved(mechanism), self.learner)


class Cell(Drawn, Setting, frozen=True):
    """A cell of classification queries: a setting with the distribution, learner and sampling that make it run."""

    hashed_as: ClassVar[str] = "Cell"

    any_dimension: ClassVar[bool] = False

    def situation(self, mechanism: str) -> Situation:
        """The numbers that the distribution is made concrete for under a mechanism."""
        situation = Situation(self.concept_class, str(self.learner), self.plan(mechanism).s, self.gamma, self.T, self.alpha)
        if not isinstance(self.learner, BlackBox):
            return situation
        candidates = [replace(situation, learner=learner) for learner in (*self.concept_class.learners, "")]
        return next((each for each in candidates if self.distribution.refuse(each) is None), candidates[0])

    @kept
    def sampler(self, mechanism: str) -> Sampler:
        """The distribution made concrete, seen through the learner; called where `refuse` has nothing to say."""
        sampler = self.distribution.at(self.situation(mechanism))
        if not isinstance(self.learner, BlackBox):
            return sampler
        return BlackBoxSampler(sampler, self.learner, self.concept_class.label_count)

    @cached_property
    def block(self) -> int:
        """How many trials are drawn together, of the same random streams: the same whatever mechanisms are run.

        As many as the ensemble of the constants' own plan allows. Where ⊥s may be many, fewer.
        """
        solved = self.solved
        situation = Situation(self.concept_class, str(self.learner), solved.s, self.gamma, self.T, self.alpha)
        if isinstance(self.learner, BlackBox) or solved.s < 1 or self.distribution.refuse(situation) is not None:
            return 1
        at_once = self.sample.at_once(self.distribution.at(situation), self.m, solved.k, solved.s)
        return max(1, min(at_once, int(TYPES_AT_ONCE / (1 + min(solved.T, self.m)))))

    def refuse(self, mechanism: str) -> Refusal | None:
        """Why a mechanism has no sampler on this cell, or None."""
        situation = self.situation(mechanism)
        refusal = self.distribution.refuse(situation)
        if refusal is not None or not isinstance(self.learner, BlackBox):
            return refusal
        x, _ = self.distribution.at(situation).examples(1, np.random.default_rng(0))
        refused = trouble(self.learner, situation.s, x.shape[1])
        if refused is not None:
            what = f"{self.learner!s:.200} does not learn from {situation.s} examples: {refused}"
            return Refusal(f"{what}; allowed: parameters with which it does", "learner")
        return None

    def resolved(self, mechanism: str) -> Plan:
        return without_bound(super().resolved(mechanism), self.learner)


def without_bound(plan: Plan, learner: str | BlackBox) -> Plan:
    """The plan as it is, or without its bound where the learner is a black box, of which no theorem speaks."""
    if isinstance(learner, BlackBox) and plan.s >= 1:
        return replace(plan, bound=None, reason=unknown(learner))
    return plan
