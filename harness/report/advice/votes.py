"""What each mechanism makes of the votes of a learner with a known learning curve, at the number of chunks that suits it.

A curve does not say how errors fall together. So wrong labels are measured twice: where the k classifiers err independently of
one another, and where they err on the same queries, with that share of the votes wrong on each at which most labels come out
wrong (`concepts.curve`). A label that is ⊥ or missing counts as wrong. k is the one that is best in the second case.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from typing import Any

import numpy as np

from harness.arrays import Reals
from harness.ballots import Ballot
from harness.concepts.curve import CurveSampler, IndependentSampler, LearningCurve, SplitSampler
from harness.mechanisms.accounts import spent_by
from harness.mechanisms.answering import Answering, mechanisms
from harness.report.advice.changes import Blind
from harness.report.advice.means import MeanOfRuns
from harness.report.advice.race import DECLARED, UNCERTIFIED, Entrant
from harness.report.worksheet import finite
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan
from harness.trials.seeds import stream

SHARES = (0.2, 0.3, 0.35, 0.4, 0.44, 0.47, 0.5, 0.52, 0.54, 0.57, 0.61, 0.66, 0.75, 1.0)
"""Shares of wrong votes that are tried at every k, beside the least that makes the vote wrong."""

NEARER = (-0.02, -0.01, 0.01, 0.02)
"""And at the k that is chosen, off the worst of them."""

LEAST, MOST, STARTS = -10, 3, (-1.0, -4.0, 0.0, 2.0)
"""Powers of 2 between which k is sought, in units of what a mechanism's own guarantee needs; and where one starts."""

STEPS = (1.0, 0.5, 0.25)
"""Of the power: at each, the search goes on while it gets better."""

RUNS, QUERIES = (24, 600), (100_000, 3_000_000)
"""The most runs while k is sought, and of what is told; and about how many queries these have in all."""

LEAST_RUNS = 8, 40
MOST_BOTTOMS = 30_000
"""⊥s of a run. Of a mechanism that may let more out at the k that its guarantee needs nothing is told."""


Laws = Callable[[Plan], Sequence[CurveSampler]]
"""The laws of the votes that a plan is measured under."""


@dataclass(frozen=True)
class WrongLabels:
    """How many of m labels a mechanism gives wrong at one k: where classifiers' errors coincide, and where they do not."""

    plan: Plan
    split: MeanOfRuns
    independent: MeanOfRuns

    @property
    def json(self) -> dict[str, Any]:
        """One flat object."""
        split, independent = self.split, self.independent
        together = {"wrong_split": split.mean, "wrong_split_within": split.margin, "share_of_votes": split.share}
        alone = {"wrong_independent": independent.mean, "wrong_independent_within": independent.margin}
        return {"k": self.plan.k, "s": self.plan.s, "error": self.plan.alpha, **together, **alone}


@dataclass(frozen=True)
class Advised(Entrant):
    """A mechanism of labels by votes with its wrong labels at its own best k, as an entrant of a race.

    least: its plan at the least k that its own theorem needs. promised: how many wrong labels that theorem allows; None where
    it promises nothing. error: wrong labels where errors fall together. split, independent: at the k that is best where errors
    fall together, and where they are independent. None where nothing could be measured. why: it is out of the race, or None.
    """

    name: str
    least: Plan
    promised: float | None
    why: str | None
    error: MeanOfRuns | None = None
    split: WrongLabels | None = None
    independent: WrongLabels | None = None

    @property
    def together(self) -> WrongLabels:
        """At the k that is best where errors fall together, of what could be measured."""
        assert self.split is not None
        return self.split

    @property
    def alone(self) -> WrongLabels:
        """At the k that is best where errors are independent, of what could be measured."""
        assert self.independent is not None
        return self.independent

    @property
    def json(self) -> dict[str, Any]:
        """Numbers that do not exist are null."""
        spent = {"spent": finite(self.least.spent), "spent_by": spent_by(self.name), "out": self.why}
        promised = {"promised": self.promised, "promised_k": self.least.k}
        measured = {"split": self.split and self.split.json, "independent": self.independent and self.independent.json}
        return spent | promised | measured


@dataclass(frozen=True)
class VotesTask:
    """The task to answer task.m queries with n examples, by a learner of which a learning curve is known."""

    task: Task
    n: int
    curve: LearningCurve
    constants: Constants
    seed: int = 0

    @property
    def blind(self) -> Blind:
        """Half of all labels are wrong."""
        return Blind("a coin for each label", self.task.m / 2)

    def value(self, axis: str) -> int:
        """n or m."""
        return self.n if axis == "n" else self.task.m

    def moved(self, axis: str, value: int) -> "VotesTask":
        """The task with another n or m."""
        return replace(self, n=value) if axis == "n" else replace(self, task=replace(self.task, m=value))

    def least(self, name: str, below: float = inf) -> float:
        """Wrong labels of a mechanism at its best k, where errors fall together; infinite where they are not below."""
        best = self.best(mechanisms()[name], below=below)
        return best[1] if best is not None and best[1] < below else inf

    def advised(self, name: str) -> Advised:
        """What is known of a private mechanism."""
        mechanism = mechanisms()[name]
        least = mechanism.plan(self.constants, self.task, self.n)
        why, promised = self._why(mechanism, least), None if least.bound is None else least.bound * self.task.m
        together, alone = (self.best(mechanism, laws) for laws in (self._splits, self._independent))
        if together is None or alone is None or least.noise.get("T", 0.0) > MOST_BOTTOMS:
            return Advised(name, least, promised, why or _unmeasured(least, self.n))
        split, independent = (self._wrong_labels(mechanism, plan) for plan, _ in (together, alone))
        return Advised(name, least, promised, why, split.split, split, independent)

    def _why(self, mechanism: Answering[Any], plan: Plan) -> str | None:
        if spent_by(mechanism.name) != "certified":
            return DECLARED
        return None if plan.keeps_to(self.task.eps) else UNCERTIFIED

    def _wrong_labels(self, mechanism: Answering[Any], plan: Plan) -> WrongLabels:
        """By many runs: at the share of wrong votes that is worst for it."""
        near = self.means(mechanism, plan, self._splits(plan))
        worst = max(near, key=lambda one: one.mean).share or 0.5
        shares = [share for share in (worst, *(worst + step for step in NEARER)) if 0 < share <= 1]
        near = self.means(mechanism, plan, [SplitSampler(self.curve, share) for share in shares])
        share = max(near, key=lambda one: one.mean).share
        laws = SplitSampler(self.curve, share), IndependentSampler(self.curve)
        return WrongLabels(plan, *(self.means(mechanism, plan, [law], 1)[0] for law in laws))

    def _splits(self, plan: Plan) -> list[CurveSampler]:
        return [SplitSampler(self.curve, share) for share in ((plan.k + 1) // 2 / plan.k, *SHARES)]

    def _independent(self, plan: Plan) -> list[CurveSampler]:
        return [IndependentSampler(self.curve)]

    def best(self, mechanism: Answering[Any], laws: Laws | None = None, below: float = inf) -> tuple[Plan, float] | None:
        """A mechanism's plan at the k that is best in the worst of the laws, and how many labels are wrong; None if none runs.

        laws: of the votes at a plan; by default errors that fall together. below: numbers that are not below it need not be
        told from one another.
        """
        tried = dict[float, tuple[Plan | None, float]]()

        def wrong(power: float) -> float:
            if power not in tried:
                within = LEAST <= power <= MOST
                tried[power] = self._wrong(mechanism, power, laws or self._splits, below) if within else (None, inf)
            return tried[power][1]

        best = min(STARTS, key=wrong)
        for step in STEPS:
            while (better := min((best, best - step, best + step), key=wrong)) != best:
                best = better
        plan, mean = tried[best]
        return None if plan is None else (plan, mean)

    def _wrong(self, mechanism: Answering[Any], power: float, laws: Laws, below: float) -> tuple[Plan | None, float]:
        scaled = replace(self.constants, k_scale=self.constants.k_scale * 2.0**power)
        plan = mechanism.plan(scaled, self.task, self.n)
        if plan.s < 1 or plan.noise.get("T", 0.0) > MOST_BOTTOMS:
            return None, inf
        if self.task.m * self.curve.error(plan.s) >= below:  # half of the votes wrong on twice as many are no help
            return None, inf
        return plan, max(each.mean for each in self.means(mechanism, plan, laws(plan)))

    def means(self, mechanism: Answering[Any], plan: Plan, laws: Sequence[CurveSampler], stage: int = 0) -> list[MeanOfRuns]:
        """Wrong labels under each of several laws of the votes, all in one block. stage: 0 while one seeks, 1 to tell."""
        m, k, s = self.task.m, plan.k, plan.s
        runs = int(min(RUNS[stage], max(LEAST_RUNS[stage], QUERIES[stage] / m)))
        votes = []
        for law in laws:
            draws = stream("advise", self.seed, stage, "votes")
            votes.append(law.sufficient(law.block(m, k, s, runs, draws), k, s, draws))
        ballot = Ballot.of_trials(votes)
        answers = mechanism.answer_block(ballot, plan, self.task, stream("advise", self.seed, stage, "noise"))
        right = ballot.sums(answers.given[ballot.truth, np.arange(len(ballot.truth))])
        wrong: Reals = (m - right).reshape(len(laws), runs).astype(np.float64)
        shares = [getattr(law, "wrong", None) for law in laws]
        return [
            MeanOfRuns(float(row.mean()), float(row.std(ddof=1)) / sqrt(runs), share)
            for row, share in zip(wrong, shares, strict=True)
        ]


def _unmeasured(plan: Plan, n: int) -> str:
    if plan.noise.get("T", 0.0) > MOST_BOTTOMS:
        return f"it is not measured: up to T = {plan.noise['T']:,.0f} queries of a run may be ⊥"
    return f"n = {n:,} examples are too few for any number of chunks that was tried"
