"""Advice on labels by votes, for a learner with a known learning curve: which mechanism, in how many chunks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field
from rich.console import RenderableType
from rich.text import Text

from harness.ballots import MOST_QUERIES
from harness.concepts.curve import Curve, by_curve
from harness.mechanisms.answering import mechanisms
from harness.report.advice.changes import Alternative, Blind, changes
from harness.report.advice.means import as_good
from harness.report.advice.race import RankedAdvice, ranked, rivals
from harness.report.advice.votes import Advised, VotesTask
from harness.report.grids import Sheet
from harness.report.worksheet import budget
from harness.theory import factors
from harness.theory.constants import constants
from harness.theory.parameters import Constants, Task
from harness.trials.concept_cell import MAX_N, KnownConstants
from harness.trials.fields import Positive, Probability, Whole

AS_GOOD_AS_NONE = 0.05
"""Labels wrong, of all: below it nobody would change a mechanism for another."""

MOST_MOVED = 10**6
"""The most queries by which something may change."""


def _points(errs: Any) -> Any:
    """Points of a curve, also as a mapping from examples to errors."""
    if isinstance(errs, Mapping):
        return [f"{err}@{examples}" for examples, err in errs.items()]
    return [errs] if isinstance(errs, str) else errs


class LabelQuestion(BaseModel, frozen=True, extra="forbid"):
    """A question for labels by votes: n, m, the privacy, and points of the learner's learning curve."""

    errs: Annotated[list[str], BeforeValidator(_points)]
    n: Annotated[Whole, Field(ge=1, le=MAX_N)]
    m: Annotated[Whole, Field(ge=1, le=MOST_QUERIES)]
    eps: Positive = 1.0
    delta: Probability = 1e-6
    beta: Probability = 0.05
    constants: KnownConstants = "lean"

    @cached_property
    def votes(self) -> VotesTask:
        """The task of votes for the question. Raises pydantic's ValidationError where the points are those of no curve."""
        curve = Curve(errs=tuple(self.errs)).curve
        task = Task(self.m, self.eps, self.delta, self.beta, 0.0, partial(by_curve, curve=curve))
        return VotesTask(task, self.n, curve, self.calibration)

    @property
    def calibration(self) -> Constants:
        """The set of constants."""
        return factors.set_named(self.constants, constants())


@dataclass(frozen=True)
class Advice(RankedAdvice[Advised]):
    """The advice on labels by votes: mechanisms ranked by wrong labels where classifiers' errors coincide in the worst way."""

    nothing = AS_GOOD_AS_NONE
    times = "times as many"
    moves = "up to 1,000 times more or fewer examples or queries"
    question: LabelQuestion
    every: Sequence[Advised]
    moved: Iterable[Alternative]
    blind: Blind

    @cached_property
    def independent(self) -> list[str]:
        """The best where errors are independent, each at its own k for that, and those that are as good."""
        least = sorted(self.race, key=lambda one: one.alone.independent.mean)
        best = least[0].alone.independent if least else None
        return [one.name for one in least if best and as_good(best, one.alone.independent, AS_GOOD_AS_NONE)]

    def shown(self, error: float) -> str:
        """A number of labels."""
        return labels_shown(error)

    @property
    def json(self) -> dict[str, Any]:
        """The object of `harness advise --json`; numbers that do not exist are null."""
        named = self.named_json(self.question.model_dump(mode="json"), wins_if_independent=self.independent)
        return {"question": named.pop("question"), "curve": f"errors fall {self.question.votes.curve.rule}", **named}

    def parts(self) -> Iterator[RenderableType]:
        """A table and some sentences."""
        question, curve = self.question, self.question.votes.curve
        yield Text(
            f"labels by votes: n = {question.n:,} examples, m = {question.m:,} queries, {budget(question)}\n"
            f"a learner that errs {curve} examples\n"
            f"Its errors fall {curve.rule}.\n"
        )
        numbers = ("k", "s", "split", "independent", "promised")
        sheet = Sheet("wrong labels of every private mechanism at its own best k", ("mechanism", *numbers), ("s",), numbers)
        for one in (*self.race, *self.out):
            sheet.add_row(one.name, *self._measured(one), "–" if one.promised is None else labels_shown(one.promised))
        yield sheet
        yield Text(
            "split: errors fall together as badly as they can; independent: they do not, at the same k; "
            "measured, as means with their margins. A label that is ⊥ or missing is wrong. promised: the most "
            f"that is proved, with probability {1 - 2 * question.beta:g}, at the k that the proof needs.",
            style="dim",
        )
        yield Text("\n" + "\n".join(self.sentences()))

    def _measured(self, one: Advised) -> Sequence[str]:
        if one.split is None:
            return ("–",) * 4
        plan = one.split.plan
        return f"{plan.k:,}", f"{plan.s:,}", self.within(one.split.split), self.within(one.split.independent)

    def winning(self, best: Advised) -> str:
        """With its chunks, and how many labels are wrong at worst and where errors are independent."""
        plan, split, independent = best.together.plan, best.together.split, best.together.independent
        share = split.share or 0.5
        mass = min(1.0, plan.alpha / share)
        chunks = f"k = {plan.k:,} chunks of {plan.s:,} examples, on each of which the learner errs {plan.alpha:.3g}"
        worst = f"{labels_shown(split.mean)} are wrong where {share:.0%} of the votes are wrong on {mass:.2%} of the queries"
        return (
            f"{best.name} wins, with {chunks}. Of {self.question.m:,} labels {worst}, which is the worst, and "
            f"{labels_shown(independent.mean)} where errors are independent."
        )

    def beside(self, best: Advised) -> Iterator[str]:
        """What is proved, what is best where errors are independent, and whether the curve was measured near there."""
        proved = self.proved
        if proved is None:
            yield "Nothing is proved of any of them here: every bound is vacuous."
        else:
            most = labels_shown(proved.promised or 0.0)
            yield f"By what is proved {proved.name} is best, with k = {proved.least.k:,}: at most {most}."
        by_name = {one.name: one.alone for one in self.race}
        alone = ", ".join(f"{name} (k = {by_name[name].plan.k:,})" for name in self.independent)
        least = min(measured.independent.mean for measured in by_name.values())
        yield f"Were errors independent, best would be, with {labels_shown(least)} wrong: {alone}."
        points, s = self.question.votes.curve.points, best.together.plan.s
        if not points[0][0] <= s <= points[-1][0]:
            yield f"No point of the curve is near s = {s:,}: how it is filled decides. Measure your learner there."


def advice(question: LabelQuestion) -> Advice:
    """The advice on labels by votes.
    Also what would change it of the two best, and of the best that pays for every query and the best for ⊥s.

    Raises pydantic's ValidationError where the points are those of no curve.
    """
    every = [question.votes.advised(name) for name, mechanism in mechanisms().items() if mechanism.private]
    names = rivals(ranked(every, AS_GOOD_AS_NONE), lambda name: mechanisms()[name].pays_for)
    moved = changes(question.votes, names, {"n": MAX_N, "m": MOST_MOVED}, AS_GOOD_AS_NONE)
    return Advice(question, every, moved, question.votes.blind)


def labels_shown(labels: float) -> str:
    """A number of wrong labels, as text."""
    return f"{labels:,.0f}" if labels >= 99.95 else f"{labels:.2g}" if labels < 9.995 else f"{labels:.1f}"
