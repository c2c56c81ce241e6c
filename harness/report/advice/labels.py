"""Advice on labels by votes, for a learner with a known learning curve: which mechanism, in how many chunks."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf, isfinite
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field
from rich.console import Group
from rich.text import Text

from harness.ballots import MOST_QUERIES
from harness.concepts.curve import Curve, by_curve
from harness.mechanisms.accounts import spent_by
from harness.mechanisms.answering import mechanisms
from harness.report.advice.changes import Alternative, changes
from harness.report.advice.means import MeanOfRuns, as_good
from harness.report.advice.votes import Advised, At, VotesTask
from harness.report.grids import Sheet
from harness.theory.constants import constants
from harness.theory.factors import found
from harness.theory.parameters import Constants, Task
from harness.trials.concept_cell import MAX_N, KnownConstants
from harness.trials.fields import Positive, Probability, Whole

AS_GOOD_AS_NONE = 0.05
"""Labels wrong, of all: below it nobody would change a mechanism for another."""

MOST_MOVED = 10**6
"""The most queries by which something may change."""


def _points(given: Any) -> Any:
    """Points of a curve, also as a mapping from examples to errors."""
    if isinstance(given, Mapping):
        return [f"{err}@{examples}" for examples, err in given.items()]
    return [given] if isinstance(given, str) else given


class LabelQuestion(BaseModel, frozen=True, extra="forbid"):
    """What one has and asks for."""

    errs: Annotated[list[str], BeforeValidator(_points)]
    n: Annotated[Whole, Field(ge=1, le=MAX_N)]
    m: Annotated[Whole, Field(ge=1, le=MOST_QUERIES)]
    eps: Positive = 1.0
    delta: Probability = 1e-6
    beta: Probability = 0.05
    constants: KnownConstants = "lean"

    @cached_property
    def asked(self) -> VotesTask:
        """As it is measured."""
        curve = Curve(errs=tuple(self.errs)).curve
        task = Task(self.m, self.eps, self.delta, self.beta, 0.0, partial(by_curve, curve=curve))
        return VotesTask(task, self.n, curve, self.calibration)

    @property
    def calibration(self) -> Constants:
        """The set of constants."""
        return found(self.constants, constants())


@dataclass(frozen=True)
class Advice:
    """What is advised: `wins`, `ties`, `race` and what would change it."""

    question: LabelQuestion

    @cached_property
    def every(self) -> list[Advised]:
        """All private mechanisms."""
        return [self.question.asked.advised(name) for name, each in mechanisms().items() if each.private]

    @cached_property
    def race(self) -> list[Advised]:
        """Those that an accountant certifies, the best first where errors fall together; of those without any wrong label, the
        one that promises most.
        """

        def place(one: Advised) -> tuple[float, float]:
            return max(_at(one).split.mean, AS_GOOD_AS_NONE), inf if one.promised is None else one.promised

        return sorted((one for one in self.every if one.why is None), key=place)

    @property
    def wins(self) -> Advised | None:
        """The least wrong labels where errors fall together as badly as they can."""
        return self.race[0] if self.race else None

    @property
    def ties(self) -> list[str]:
        """Those that are as good as the winner, as far as is measured."""
        return [one.name for one in self.race[1:] if as_good(_at(self.race[0]).split, _at(one).split, AS_GOOD_AS_NONE)]

    @cached_property
    def independent(self) -> list[str]:
        """The best where errors are independent, each at its own k for that, and those that are as good."""
        least = sorted(self.race, key=lambda one: _alone(one).independent.mean)
        return [one.name for one in least if as_good(_alone(least[0]).independent, _alone(one).independent, AS_GOOD_AS_NONE)]

    @cached_property
    def changes(self) -> list[Alternative]:
        """What would change the winner: of the two best, and of the best that pays for every query and the best for ⊥s."""
        kinds = {mechanisms()[one.name].pays_for: one.name for one in reversed(self.race)}
        names = list(dict.fromkeys([*(one.name for one in self.race[:2]), *kinds.values()]))
        return list(changes(self.question.asked, names, {"n": MAX_N, "m": MOST_MOVED}, AS_GOOD_AS_NONE)) if names else []

    def __rich__(self) -> Group:
        """What `harness advise` prints."""
        return as_text(self)

    @property
    def json(self) -> dict[str, Any]:
        """The object of `harness advise --json`; numbers that do not exist are null."""
        asked = self.question.asked
        return {
            "question": self.question.model_dump(mode="json"),
            "curve": f"errors fall {asked.curve.rule}",
            "wins": self.wins.name if self.wins else None,
            "ties": self.ties,
            "wins_if_independent": self.independent,
            "mechanisms": {one.name: _json(one) for one in (*self.race, *(each for each in self.every if each.why))},
            "changes": [{"axis": each.axis, "from": each.value, "up": each.up, "wins": each.name} for each in self.changes],
        }


def _at(one: Advised) -> At:
    assert one.split is not None
    return one.split


def _alone(one: Advised) -> At:
    assert one.independent is not None
    return one.independent


def _json(one: Advised) -> dict[str, Any]:
    spent = one.least.spent
    told = {"spent": spent if isfinite(spent) else None, "spent_by": spent_by(one.name), "out": one.why}
    told |= {"promised": one.promised, "promised_k": one.least.k}
    return told | {"split": _found(one.split), "independent": _found(one.independent)}


def _found(at: At | None) -> dict[str, Any] | None:
    if at is None:
        return None
    together = {"wrong_split": at.split.mean, "wrong_split_within": at.split.margin, "share_of_votes": at.split.share}
    alone = {"wrong_independent": at.independent.mean, "wrong_independent_within": at.independent.margin}
    return {"k": at.plan.k, "s": at.plan.s, "error": at.plan.alpha, **together, **alone}


def as_text(advice: Advice) -> Group:
    """A table and some sentences."""
    question, asked = advice.question, advice.question.asked
    budget = f"ε = {question.eps:g}, δ = {question.delta:g}, β = {question.beta:g}"
    heading = (
        f"labels by votes: n = {question.n:,} examples, m = {question.m:,} queries, {budget}\n"
        f"a learner that errs {asked.curve} examples\n"
        f"Its errors fall {asked.curve.rule}.\n"
    )
    numbers = ("k", "s", "split", "independent", "promised")
    sheet = Sheet("wrong labels of every private mechanism at its own best k", ("mechanism", *numbers), ("s",), numbers)
    for one in (*advice.race, *(each for each in advice.every if each.why)):
        at, promised = one.split, "–" if one.promised is None else told(one.promised)
        measured = (f"{at.plan.k:,}", f"{at.plan.s:,}", _mean(at.split), _mean(at.independent)) if at else ("–",) * 4
        sheet.add_row(one.name, *measured, promised)
    meaning = (
        "split: errors fall together as badly as they can; independent: they do not, at the same k;\n"
        "measured, as means with their margins. A label that is ⊥ or missing is wrong. promised: the most\n"
        f"that is proved, with probability {1 - 2 * question.beta:g}, at the k that the proof needs."
    )
    return Group(Text(heading), sheet, Text(meaning, style="dim"), Text("\n" + "\n".join(_sentences(advice))))


def _sentences(advice: Advice) -> list[str]:
    best = advice.wins
    out = [f"Out of the race: {one.name}, {one.why}." for one in advice.every if one.why]
    if best is None:
        return ["None wins.", *out]
    at, m, curve = _at(best), advice.question.m, advice.question.asked.curve
    share = at.split.share or 0.5
    mass = min(1.0, at.plan.alpha / share)
    chunks = f"k = {at.plan.k:,} chunks of {at.plan.s:,} examples, on each of which the learner errs {at.plan.alpha:.3g}"
    worst = f"{told(at.split.mean)} are wrong where {share:.0%} of the votes are wrong on {mass:.2%} of the queries"
    said = [
        f"{best.name} wins, with {chunks}. Of {m:,} labels {worst}, which is the worst, and "
        f"{told(at.independent.mean)} where errors are independent."
    ]
    behind = [one for one in advice.race[1:] if one.name not in advice.ties]
    if advice.ties:
        said.append(f"As good, as far as is measured: {', '.join(advice.ties)}.")
    if behind:
        more = _at(behind[0]).split.mean / at.split.mean if at.split.mean else inf
        times = f", {more:.2g} times as many" if isfinite(more) else ""
        said.append(f"The next is {behind[0].name}, with {told(_at(behind[0]).split.mean)}{times}.")
    proved = min((one for one in advice.race if one.promised is not None), key=lambda one: one.promised or 0.0, default=None)
    said.append(
        f"By what is proved {proved.name} is best, with k = {proved.least.k:,}: at most {told(proved.promised or 0.0)}."
        if proved
        else "Nothing is proved of any of them here: every bound is vacuous."
    )
    alone = ", ".join(
        f"{name} (k = {_alone(one).plan.k:,})" for name in advice.independent for one in advice.race if one.name == name
    )
    least = min(_alone(one).independent.mean for one in advice.race)
    said.append(f"Were errors independent, best would be, with {told(least)} wrong: {alone}.")
    low, high = curve.points[0][0], curve.points[-1][0]
    if not low <= at.plan.s <= high:
        said.append(f"No point of the curve is near s = {at.plan.s:,}: how it is filled decides. Measure your learner there.")
    return [*said, *_changed(advice), *out]


def _changed(advice: Advice) -> list[str]:
    found = [
        f"{each.name} from about {each.axis} = {each.value:,} {'up' if each.up else 'down'}, all else the same"
        for each in advice.changes
    ]
    if found:
        return [f"Another does better: {'; '.join(found)}."]
    return ["No other does better at up to 1,000 times more or fewer examples or queries."]


def _mean(found: MeanOfRuns) -> str:
    return f"{told(found.mean)} ± {told(found.margin)}"


def told(labels: float) -> str:
    """A number of labels."""
    return f"{labels:,.0f}" if labels >= 99.95 else f"{labels:.2g}" if labels < 9.995 else f"{labels:.1f}"
