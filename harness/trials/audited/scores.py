"""Scores: neighbouring predictions of k chunks (`mechanisms.scoring.predictions`)."""

from functools import partial

import numpy as np

from harness.arrays import Reals
from harness.mechanisms.neighbours import AT_ONCE, NeighbourPair, uncertain
from harness.mechanisms.scoring import DRAWN, ScorePlan, ScoreRequest, Scoring, scorings
from harness.mechanisms.scoring.predictions import HIGH, Predictions, SingleQueries, split, usual
from harness.scores import Scorer
from harness.theory.constants.btt18a_scores import ScoreTask, score_constants
from harness.trials.audited.subject import AuditSetting, Subject, SubjectSort, named_constants

TRIED = 24  # runs at each gap, in the search for one where the answer is uncertain
CHUNKS = 100  # of those that see averages alone, whose noise is in proportion to 1/k


def neighbours(mechanism: Scoring, plan: ScorePlan, m: int, rng: np.random.Generator) -> list[NeighbourPair]:
    """The pairs of neighbouring predictions to audit a mechanism of scores on: its own `neighbours`, then the usual ones."""

    def lost(gap: int) -> float:
        answers = outcomes(mechanism, plan, m, split("", plan.k, [gap] * m, [gap] * m), 0, TRIED, rng)
        return float((np.abs(answers[:, 0] - HIGH) > 0.5).mean() if mechanism.averages else (answers[:, m] > 0).mean())

    pairs = [*mechanism.neighbours(plan, m), *usual(plan.k, m, uncertain(lost, plan.k))]
    return [NeighbourPair(each.words, outputs(m), partial(outcomes, mechanism, plan, m, each), AT_ONCE) for each in pairs]


def outputs(m: int) -> tuple[str, ...]:
    """The names of the numbers in one outcome of m queries: scores, ⊥s and missing answers."""
    sorts = ("score", "⊥", "no answer")
    one_by_one = [f"{each} of query {place + 1}" for each in sorts for place in range(m)]
    return (*one_by_one, *([f"{each} of all queries" for each in sorts] if m > 1 else []))


def outcomes(
    mechanism: Scoring, plan: ScorePlan, m: int, pair: Predictions, side: int, runs: int, rng: np.random.Generator
) -> Reals:
    """What so many runs answer on one of two data sets, (runs, outputs); a query without a score has 0 there."""
    scorer = Scorer(SingleQueries(m=m), (pair.before, pair.after)[side], "sufficient")
    ones = np.ones(m, np.int64)
    answers = np.empty((runs, 3, m))
    for run in answers:
        done = mechanism.answer(plan, scorer, ones, rng, rng)
        run[:] = np.nan_to_num(done.low), done.bottoms, done.unanswered
    flat = answers.reshape(runs, -1)
    return flat if m == 1 else np.concatenate([flat, answers.sum(axis=2)], axis=1)


def subject(name: str, setting: AuditSetting) -> Subject:
    """The mechanism of scores with this name as a subject of audits at a setting: it is run on predictions of its k chunks.

    No mechanism's noise depends on s, the examples of a chunk.
    """
    task = ScoreTask(setting.m, setting.T, setting.eps, setting.delta, setting.beta)
    mechanism, constants = scorings()[name], named_constants(setting, score_constants, "BTT18a")
    chunks = min(setting.n or CHUNKS, DRAWN) if mechanism.averages else None
    request = ScoreRequest(
        task, constants, setting.n or 10**9, 0.0, lambda s: None, lambda s: np.full(setting.m, 0.5), chunks=chunks
    )
    plan = mechanism.plan(request)
    return Subject.of(mechanism, setting.eps, plan.spent, partial(neighbours, mechanism, plan, setting.m))


SORT = SubjectSort("scores", scorings, subject)
