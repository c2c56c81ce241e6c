"""Concept classes: distribution, target, learners, PAC bounds and exact samplers of the votes. One file a class."""

from collections.abc import Mapping
from functools import cache
from typing import Protocol

import numpy as np
from pydantic import BaseModel

from harness.concepts.votes import Queries, Votes
from harness.registry import parts
from harness.theory.fixed_point import Plan
from harness.theory.parameters import PacBound


class Source(Protocol):
    """A distribution of labelled examples, concrete at one chunk size, seen through one learner."""

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        """m i.i.d. points of the marginal, with their labels."""

    def sufficient(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        """The votes of k learners on s examples each, drawn through the law of what the votes depend on: no cost in s."""

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Votes:
        """The same law by drawing all ks examples and running the learner on every chunk, in bounded memory."""


class Distribution(BaseModel, frozen=True, extra="forbid"):
    """The parameters of a distribution as a spec names them; subclasses add validated fields."""

    def least_s(self) -> int:
        """The least chunk size at which the distribution is defined."""
        return 1

    def at(self, plan: Plan, learner: str) -> Source:
        """The distribution made concrete for a mechanism's plan: s sizes the atoms of hard distributions."""
        raise NotImplementedError


class ConceptClass(Protocol):
    """A class of hypotheses. `vc` and `dual_vc` are its VC and dual VC dimension; the first of each mapping is the default.

    `synthetic` says that nothing is learned: the votes are set directly, as a theorem assumes them.
    """

    name: str
    synthetic: bool
    vc: int
    dual_vc: int
    learners: Mapping[str, str]
    distributions: Mapping[str, type[Distribution]]

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        """The sharpest PAC bound known for this class and learner; None stands for any consistent learner."""


@cache
def concepts() -> dict[str, ConceptClass]:
    """Every concept class by name."""
    return parts("harness.concepts", "CONCEPT")
