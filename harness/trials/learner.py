"""A classifier is made and its true error computed: private learners, and what they are compared with.

The learner's error is exact, not that of a test set. A private learner's chunks, votes and answers are those of the other kinds
of trial; of the public points only those are drawn that matter, so neither n nor m costs anything.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property
from math import inf
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from harness.concepts import Situation, Trainable, sufficient
from harness.refusal import Refusal
from harness.theory.constants import constants
from harness.theory.factors import set_named
from harness.theory.parameters import Task
from harness.theory.plan import Plan
from harness.transfer import LearningProblem, PrivateLearner, private_learners
from harness.trials.columns import (
    ALPHA,
    BETA,
    DELTA,
    EPS,
    GAMMA,
    K_SCALE,
    TEXTS,
    TV_BUDGET,
    VACUOUS,
    Column,
    K,
    M,
    N,
    S,
    T,
    V,
)
from harness.trials.concept_cell import MAX_N, Drawn
from harness.trials.fields import Probability, Whole, kept
from harness.trials.kind import NULL, Columns, Kind, Measure, Promise, Row
from harness.trials.rules import TOLERANCE, Rule, at_most, no_more, null_with, vacuous_without
from harness.trials.seeds import BlockStreams

BLOCK = 16  # trials: of some learners each is drawn alone, and of a block that is begun all are drawn
LARGE = 10**12  # a chunk size at which any distribution that there is can be made concrete


class Learned(Drawn, frozen=True):
    """A cell of learning a class to error alpha, apart from how many examples there are."""

    alpha: Probability

    @property
    def large_source(self) -> Trainable:
        """The examples with chunks as large as any; called where `refuse` has nothing to say."""
        sampler = self.sampler(LARGE)
        assert sampler is not None
        return sampler

    @cached_property
    def problem(self) -> LearningProblem:
        """The problem as constructions take it."""
        return LearningProblem(
            alpha=self.alpha,
            task=Task(1, self.eps, self.delta, self.beta, self.gamma, self.bound(self.gamma)),
            bound=self.bound,
            constants=replace(set_named(self.constants, constants()), k_scale=self.k_scale),
            sampler=self.sampler,
            vote=self.sample.votes,
            label_count=self.concept_class.label_count,
            in_blocks=self.sample is sufficient,
        )

    def situation(self, s: int) -> Situation:
        """The numbers that the distribution is made concrete for, where chunks have s examples."""
        return Situation(self.concept_class, str(self.learner), s, self.gamma, alpha=self.alpha)

    @cached_property
    def block(self) -> int:
        """How many trials are drawn together: the same whatever learners are run, and 1 where each draws all public points."""
        together = self.problem.in_blocks and self.large_source.points_at_once(self.problem.agnostic_m, 1, LARGE) > 1
        return BLOCK if together else 1

    @kept
    def sampler(self, s: int) -> Trainable | None:
        """The examples, with atoms sized by s; None where s is too small for that."""
        situation = self.situation(s)
        if s < 1 or self.distribution.refuse(situation) is not None:
            return None
        sampler = self.distribution.at(situation)
        return sampler if isinstance(sampler, Trainable) else None

    def refuse(self, learner: PrivateLearner) -> Refusal | None:
        """Why a private learner cannot be tried on this cell, or None."""
        problem, situation = self.problem, self.situation(LARGE)
        if learner.realizable_only and self.gamma > 0:
            return Refusal(f"{learner.name} is for labels without noise, not gamma = {self.gamma:g}; allowed: 0", "gamma")
        if self.pac_bound == "class" and self.class_bound(0.0)(LARGE, 0.5) == inf:
            return Refusal(f"no PAC bound is known for the learner {self.learner}; allowed: those of the class", "learner")
        refusal = self.distribution.refuse(situation)
        if refusal is not None:
            return refusal
        sampler = self.sampler(LARGE)
        if sampler is None:
            what = f"{self.learner} on {self.distribution_name} examples does not learn from labels that others gave"
            return Refusal(f"{what}; allowed: another distribution or learner of {self.concept_class.name}", "distribution")
        refused = learner.refuse(problem)
        if refused is not None:
            return refused
        points = learner.points(problem)
        most = most_points(sampler)
        if points is not None and points > most:
            return Refusal(f"{learner.name} would draw m = {points:.3g} public points; allowed: at most {most:g}", "alpha")
        if learner.holds_out and learner.needed(problem) > 2 * most:
            what = f"{learner.name} would draw the n/2 = {learner.needed(problem) / 2:.3g} examples that it sets aside"
            return Refusal(f"{what}; allowed: at most {most:g}", "mechanisms")
        if learner.needed(problem) > MAX_N:
            return Refusal(f"{learner.name} needs n = {learner.needed(problem):.3g}; allowed: n ≤ {MAX_N:g}", "alpha")
        return None


def most_points(sampler: Trainable) -> float:
    """The most points that a sampler can be asked to draw and learn from; infinite where it draws only those that matter."""
    return sampler.most_points if type(sampler).public is Trainable.public else inf


class LearnerCell(Learned, frozen=True):
    """A cell of private learning to error alpha. n: examples; by default what each learner's own theorem asks for at alpha."""

    hashed_as: ClassVar[str] = "LearnerCell"

    n: Annotated[Whole, Field(ge=1, le=MAX_N)] | None = None


MEASURED = ("bottoms", "mislabelled", "halted", "error", "tv_budget")
NEEDED = Column("needed", "whole", "plan", "n that its theorem asks for", unit="examples")
PARAMETERS = (*TEXTS, V, EPS, DELTA, BETA, GAMMA, K_SCALE, ALPHA)


def measure(cell: LearnerCell, streams: BlockStreams) -> Measure:
    """Runs each private learner in a block of trials, with nothing shared.
    `error` is that of the classifier it outputs, 1 where that is none.
    """

    def made(name: str) -> Columns:
        learner = private_learners()[name]
        of_block = cache(lambda purpose: streams(f"{learner.key}/{purpose}"))
        runs = learner.runs(cell.problem, resolved(cell, name)["n"], cell.block, of_block)
        rows = [labelled(run.m, run.plan) | {column: getattr(run, column) for column in MEASURED} for run in runs]
        return {column: in_one([row[column] for row in rows]) for column in rows[0]}

    return made


def in_one(values: Sequence[float | None]) -> NDArray[np.number] | float | None:
    """What trials have of a column: the one value of all of them, or an array, in which a null is as `Columns` has it."""
    if all(value == values[0] for value in values):
        return values[0]
    null = np.nan if any(isinstance(value, float) for value in values) else NULL
    return np.array([null if value is None else value for value in values])


@kept
def resolved(cell: LearnerCell, name: str) -> Row:
    """What a cell's parameters determine for a private learner, by column: n, its bound, and m, k, s, T unless a run has a say.

    `bound` is what is claimed at this n, null where n is too small for the claim or the claim is trivial.
    """
    learner, problem = private_learners()[name], cell.problem
    needed, claimed = learner.needed(problem), learner.claimed(problem)
    n = cell.n or needed
    bound = claimed if n >= needed and claimed < 1 else None
    labelling = learner.labelling(problem, n)
    row = {"n": n, "needed": needed, "bound": bound, "vacuous": bound is None}
    return row | ({} if labelling is None else labelled(*labelling))


def labelled(m: int | None, plan: Plan | None) -> Row:
    """The columns of how many public points are labelled, and by which plan."""
    return {
        "m": m,
        "k": plan.k if plan else None,
        "s": plan.s if plan else None,
        "T": plan.noise.get("T") if plan else None,
    }


def refuse(cell: LearnerCell, name: str) -> Refusal | None:
    """Why a private learner cannot run on a cell, or None."""
    learner = private_learners()[name]
    refusal = cell.refuse(learner)
    if refusal is not None:
        return refusal
    n, most = cell.n or learner.needed(cell.problem), most_examples(learner, cell)
    if n > most:
        return Refusal(f"{name} would draw all n = {n:.3g} examples; allowed: at most {most:g}", "n")
    return None


def most_examples(learner: PrivateLearner, cell: Learned) -> float:
    """The largest n that a private learner can be run on at a cell; called where `refuse` has nothing to say."""
    drawn = inf if learner.points(cell.problem) is not None else most_points(cell.large_source)
    return min(drawn, learner.most_examples)


COLUMNS = (
    *PARAMETERS,
    *(N, NEEDED),
    M.but(role="plan", meaning="public points that are labelled", unit="points", null=True),
    *(K.but(null=True), S.but(null=True)),
    Column("bottoms", "whole", "measured", "public points answered ⊥", unit="points", null=True, worse=True),
    Column("mislabelled", "whole", "measured", "public points labelled wrong", unit="points", null=True, worse=True),
    Column("error", "real", "measured", "error of the classifier", worse=True),
    TV_BUDGET,
    T.but(null=True),
    Column("bound", "real", "claimed", "error that is claimed at this n", null=True),
    Column("halted", "truth", "measured", "whether the mechanism halted early"),
    VACUOUS,
)

RULES = (
    no_more("bottoms", "m"),
    no_more("mislabelled", "m"),
    at_most("error", 1),
    Rule("k s ≤ n", ("k", "s", "n"), lambda k, s, n: k * s <= n * (1 + TOLERANCE)),
    null_with("k", "s"),
    vacuous_without(),
)

KIND = Kind(
    name="learner",
    cell=LearnerCell,
    subjects=lambda: list(private_learners()),
    columns=COLUMNS,
    refuse=refuse,
    measure=measure,
    block=lambda cell: cell.block,
    resolved=resolved,
    rules=RULES,
    promises=(Promise("error", "bound", betas=4),),  # of the four failures that a proof adds up, some have three
)
