"""Advice on a private classifier for a learner by its learning curve: label public points by votes, and train it on these.

If w of m points are labelled wrong, a hypothesis that disagrees with the labels on as few of them as it can is wrong on at most
2w of them, as the target disagrees on w; beyond them it errs by the curve's error on m examples (BTT18 §4.1, for a learner that
minimises its mistakes). So the error is at most 2w/m and that; w is measured, where errors fall together as badly as they can.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from harness.mechanisms.answering import mechanisms
from harness.report.advice.changes import COIN, changes
from harness.report.advice.labels import MOST_MOVED, LabelQuestion
from harness.report.advice.means import MeanOfRuns
from harness.report.advice.race import NOTHING, Contender, Race, ranked, rivals
from harness.report.advice.votes import VotesTask
from harness.report.worksheet import budget
from harness.trials.concept_cell import MAX_N

FEWER = 2  # times fewer public points are tried, and again
TIMES = 8
FEWEST = 10  # public points


@dataclass(frozen=True)
class Transfer:
    """The question of advice on classifiers trained on public points labelled by votes; at most task.m points are labelled."""

    votes: VotesTask
    blind = COIN

    @property
    def points(self) -> list[int]:
        """The numbers of public points to label that are tried."""
        most = self.votes.task.m
        return [most, *(fewer for power in range(1, TIMES) if (fewer := most // FEWER**power) >= FEWEST)]

    def value(self, axis: str) -> int:
        """n or m."""
        return self.votes.value(axis)

    def moved(self, axis: str, value: int) -> "Transfer":
        """The transfer with another n or m."""
        return Transfer(self.votes.moved(axis, value))

    def least(self, name: str, below: float = inf) -> float:
        """The error by a mechanism at its best."""
        return min(self.error(name, m) for m in self.points)

    def error(self, name: str, m: int) -> float:
        """The error by a mechanism that labels m of the points, in as many chunks as is best; 1 where that says nothing."""
        return self._of_labels(self.votes.moved("m", m).least(name), m)

    def _of_labels(self, wrong: float, m: int) -> float:
        """The error by m labels of which so many are wrong."""
        return min(1.0, 2 * wrong / m + self.votes.curve.error(m))

    def promised(self, name: str, m: int) -> float:
        """The error that is proved of a mechanism that labels m of the points; infinite where none is."""
        moved = self.votes.moved("m", m)
        bound = mechanisms()[name].plan(moved.constants, moved.task, moved.n).bound
        return inf if bound is None else 2 * bound + self.votes.curve.error(m)

    def entry(self, name: str) -> Contender:
        """A mechanism at its best."""
        m = min(self.points, key=lambda one: self.error(name, one))
        proved_m = min(self.points, key=lambda one: self.promised(name, one))
        proved = self.promised(name, proved_m)
        advised = self.votes.moved("m", m).advised(name)
        if advised.split is None:
            return Contender(name, why=advised.why)
        wrong = advised.split.split
        error = MeanOfRuns(self._of_labels(wrong.mean, m), 2 * wrong.error / m)
        settings = {"m": f"{m:,}", "k": f"{advised.split.plan.k:,}"}
        promised: dict[str, Any] = {"promised": proved, "promised_at": {"m": f"{proved_m:,}"}} if proved < 1 else {}
        return Contender(name, settings, error, **promised, why=advised.why)


def advice(question: LabelQuestion) -> Race:
    """The advice on a private classifier that is trained on public points labelled by votes."""
    transfer = Transfer(question.votes)
    every = [transfer.entry(name) for name, each in mechanisms().items() if each.private]
    names = rivals(ranked(every), lambda name: mechanisms()[name].pays_for)
    moved = changes(transfer, names, {"n": MAX_N, "m": MOST_MOVED}, NOTHING)
    heading = "error of a classifier by every private mechanism"
    moves = "up to 1,000 times more or fewer examples or public points"
    return Race(_in_words(question), heading, every, moved, question.beta, list(_notes(question)), moves, COIN)


def _in_words(question: LabelQuestion) -> str:
    curve = question.votes.curve
    return (
        f"a private classifier: n = {question.n:,} examples, m = {question.m:,} public points, {budget(question)}\n"
        f"a learner that errs {curve} examples\nIts errors fall {curve.rule}."
    )


def _notes(question: LabelQuestion) -> Iterator[str]:
    yield (
        "error: at most, of a learner that minimises its mistakes on m labels, of which w are measured to be wrong where "
        "errors fall together: 2w/m and its error on m examples; promised: with what is proved of w, with probability "
        f"{1 - 2 * question.beta:g}."
    )
