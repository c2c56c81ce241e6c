"""Advice on a private classifier for a class that is known: which construction, at which error and constants for its learners.

Each is run at every error that its learners could be trained to, every set of constants and every multiple of their k, on one
distribution of the class. The error of a classifier is exact. What has a say is found by trying: nothing here knows a
construction by its name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Annotated, Any

import numpy as np
from pydantic import Field, field_validator

from harness.arrays import Reals
from harness.mechanisms.accounts import basis
from harness.report.advice.changes import COIN, Blind, changes
from harness.report.advice.means import MeanOfRuns, mean
from harness.report.advice.race import DECLARED, NOTHING, UNCERTIFIED, Contender, Race, ranked
from harness.report.advice.search import GridSearch, Setting, TriedQuestion
from harness.report.worksheet import budget
from harness.theory.constants import constants
from harness.transfer import FAILED, PrivateLearner, private_learners
from harness.trials.concept_cell import MAX_N
from harness.trials.fields import Positive, Probability, Share, Whole
from harness.trials.learner import LearnerCell, refuse
from harness.trials.seeds import BlockStreams

ALPHAS = (0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001)
"""Errors that learners may be trained to."""

SCALES = tuple(2.0**power for power in range(-8, 3))
"""Of k, in units of what the constants say."""

FINER = np.geomspace(1e-6, 0.9, 60)
"""Errors at which a guarantee is asked for."""

RUNS = (6, 200)
"""Of one setting: while settings are sought, and of what is told."""

MOST_BOTTOMS = 2_000  # ⊥s of a run: they come one after the other
MOST_DRAWN = 3_000  # public points of a run that are drawn one by one, as learners may differ on them
MOST_EXAMPLES = 100_000  # of a run that draws them all
TRUTHS = 3  # failures that a guarantee adds up


class ClassifierQuestion(TriedQuestion, frozen=True, extra="forbid"):
    """A question for a private classifier: the class, n, m and the privacy that one has.

    distribution, learner: of the class, its first ones unless they are named.
    """

    concept: Any = "thresholds"
    distribution: Any = ""
    learner: Any = ""
    n: Annotated[Whole, Field(ge=1, le=MAX_N)]
    m: Annotated[Whole, Field(ge=1, le=MAX_N)] | None = None
    eps: Positive = 1.0
    delta: Probability = 1e-6
    beta: Probability = 0.05
    gamma: Share = 0.0

    @field_validator("gamma")
    @classmethod
    def _some_case(cls, value: float) -> float:
        if value >= 0.5:
            raise ValueError(f"gamma = {value:g}: such labels say nothing; allowed: below 0.5")
        return value

    def cell(self, alpha: float = 0.1, **more: Any) -> LearnerCell:
        """The cell of trials for the question. Raises pydantic's ValidationError."""
        setting = {key: getattr(self, key) for key in type(self).model_fields if key != "m"}
        return LearnerCell.model_validate({**setting, "alpha": alpha, **more})

    @property
    def blind(self) -> Blind:
        """Whose error is ½."""
        return COIN

    def tried(self, name: str) -> tuple[Setting, MeanOfRuns] | None:
        """A construction at its best of half of the settings."""
        return TriedConstruction(self, name, coarse=True).best()


@dataclass(frozen=True)
class TriedConstruction:
    """A search for a private learner's best settings for a question, by trial runs. coarse: on a thinner grid."""

    question: ClassifierQuestion
    name: str
    coarse: bool = False

    @property
    def learner(self) -> PrivateLearner:
        """The construction."""
        return private_learners()[self.name]

    @cached_property
    def search(self) -> GridSearch:
        """Over all that it could be given."""
        step = 1 + self.coarse
        axes = {"alpha": ALPHAS[::step], "constants": list(constants()), "k_scale": SCALES[::step]}
        return GridSearch(axes, lambda setting: None if (runs := self.runs(setting, 0)) is None else mean(runs))

    def best(self) -> tuple[Setting, MeanOfRuns] | None:
        """The settings at which it errs least, and how much; None where it cannot be run."""
        first = self.search.axes["constants"][0]
        starts = [
            {"alpha": alpha, "constants": first, "k_scale": scale}
            for alpha in self.search.axes["alpha"]
            for scale in (1.0, 0.0625)
        ]
        return self.search.best(starts, "constants")

    def cell(self, setting: Setting) -> LearnerCell:
        """The cell of trials at these settings."""
        return self.question.cell(**setting)

    def runs(self, setting: Setting, stage: int) -> Reals | None:
        """The errors of some runs; None where it cannot be run. stage: 0 while one seeks, 1 to tell."""
        cell, n = self.cell(setting), self.question.n
        if self._why(cell) is not None:
            return None
        streams = [BlockStreams("advise/classifier", stage, index) for index in range(RUNS[stage])]
        return np.array([self.learner.run(cell.problem, n, each).error for each in streams])

    def _why(self, cell: LearnerCell) -> str | None:
        refused = refusal_of(cell, self.name)
        if refused is not None:
            return refused
        most, points = self.question.m, self.learner.points(cell.problem)
        if most is not None and points is not None and points > most:
            return f"it labels m = {points:,} public points or more, and there are {most:,}"
        if self.learner.most_examples < inf and self.question.n > MOST_EXAMPLES:
            return (
                f"it is not measured: it would draw n = {self.question.n:,} examples a run, and {MOST_EXAMPLES:,} are the most"
            )
        labelling = self.learner.labelling(cell.problem, self.question.n)
        if labelling is None and (points or 0) > MOST_DRAWN:
            return f"it is not measured: it labels m = {points:,} public points by a plan that it searches for"
        plan = labelling[1] if labelling else None
        if plan is None:
            return None
        sampler = cell.sampler(plan.s)
        drawn = sampler.singles(labelling[0] or 0, plan.k, plan.s) if labelling and sampler else 0
        if drawn > MOST_DRAWN:
            return f"it is not measured: learners may differ on {drawn:,.0f} public points of a run"
        if plan.noise.get("T", 0.0) > MOST_BOTTOMS:
            return f"it is not measured: up to T = {plan.noise['T']:,.0f} points of a run may be ⊥"
        return None if plan.keeps_to(self.question.eps) else UNCERTIFIED

    def reason(self) -> str:
        """Why nothing could be run: first at the largest error, where fewest public points are labelled."""
        first = self.search.axes["constants"][0]
        reasons = [self._why(self.cell({"alpha": alpha, "constants": first})) for alpha in (ALPHAS[0], ALPHAS[2])]
        return next((why for why in reasons if why is not None), "it cannot be run at any setting that was tried")


def refusal_of(cell: LearnerCell, name: str) -> str | None:
    """Why a private learner cannot be tried on a cell, in words, or None."""
    try:
        refusal = refuse(cell, name)
    except (OverflowError, ValueError):  # a fixed point that no float holds
        return "it asks for more examples than are reckoned with"
    return None if refusal is None else refusal.message.partition("; allowed:")[0]


def promised(question: ClassifierQuestion, name: str) -> tuple[float, dict[str, str]] | None:
    """The least error below 1 that a private learner's own theorem claims at n, and the constants used; None where none is."""
    proved, learner = list[tuple[float, str]](), private_learners()[name]
    for constants_name in constants():
        for alpha in FINER:
            cell = question.cell(float(alpha), constants=constants_name)
            if refusal_of(cell, name) is not None or learner.needed(cell.problem) > question.n:
                continue
            points = learner.points(cell.problem)
            if question.m is not None and points is not None and points > question.m:
                continue
            if (claimed := learner.claimed(cell.problem)) < 1:
                proved.append((claimed, constants_name))
            break  # a larger error is claimed of larger ones
    if not proved:
        return None
    best = min(proved)
    return best[0], {"constants": best[1]} if len({claimed for claimed, _ in proved}) > 1 else {}


def entry(question: ClassifierQuestion, name: str) -> Contender:
    """A private learner at its best settings, as an entrant of a race."""
    trying, proved = TriedConstruction(question, name), promised(question, name)
    promise: dict[str, Any] = {"promised": proved[0], "promised_at": proved[1]} if proved else {}
    best = trying.best()
    runs = trying.runs(best[0], 1) if best else None
    if best is None or runs is None:
        return Contender(name, why=trying.reason(), **promise)
    if (runs == FAILED).all():
        return Contender(name, why=f"n = {question.n:,} examples are too few at each setting that was tried", **promise)
    setting, symbols = best[0], {"alpha": "α", "k_scale": "k ×"}
    shown = {axis: f"{value:g}" if isinstance(value := setting[axis], float) else value for axis in trying.search.says(setting)}
    points = trying.learner.points(trying.cell(setting).problem)
    settings = {"public points": f"{points:,}"} if points else {}
    settings |= {symbols.get(axis, axis): value for axis, value in shown.items()}
    why = DECLARED if basis(private_learners()[name]) != "certified" else None
    most = float(np.quantile(runs, 1 - question.beta, method="higher"))
    return Contender(name, settings, mean(runs), most, why=why, **promise)


def advice(question: ClassifierQuestion) -> Race:
    """The ranked advice on which private classifier to use, for a question. Raises pydantic's ValidationError.

    That is raised where no cell of trials can be made of the question.
    """
    question.cell()
    every = [entry(question, name) for name, each in private_learners().items() if each.private]
    names = [one.name for one in ranked(every)[:3]]
    axes = {"n": MAX_N, **({"m": MAX_N} if question.m else {})}
    moved = changes(question, names, axes, NOTHING)
    moves = f"up to 1,000 times more or fewer examples{' or public points' * (question.m is not None)}"
    heading = "error of every private classifier"
    return Race(_in_words(question), heading, every, moved, question.beta, list(_notes(question)), moves, COIN)


def _in_words(question: ClassifierQuestion) -> str:
    cell = question.cell()
    points = "as many public points as are asked for" if question.m is None else f"m = {question.m:,} public points"
    dimensions = "".join(f", {key} = {value}" for key, value in cell.concept_class.model_dump().items())
    return (
        f"a private classifier of {cell.concept_class.name}{dimensions}: n = {question.n:,} examples, {points}\n"
        f"{budget(question)}, γ = {question.gamma:g}; "
        f"distribution: {cell.distribution_name}; learner: {cell.learner}"
    )


def _notes(question: ClassifierQuestion) -> Iterator[str]:
    yield (
        "error: the exact chance of a wrong label on a fresh example, as a mean of runs with its margin; "
        f"{1 - question.beta:.0%}: not exceeded in so many runs; promised: claimed by its theorem with probability "
        f"{1 - TRUTHS * question.beta:g}; k ×: times the k of the constants."
    )
