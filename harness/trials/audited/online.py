"""Queries that come one by one: neighbouring data sets by what they say to each query (`mechanisms.online.polls`)."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from harness.analysts import Poll
from harness.arrays import Reals
from harness.mechanisms.answering.tables import FEW
from harness.mechanisms.neighbours import AT_ONCE, NeighbourPair, uncertain
from harness.mechanisms.online import Online, onlines
from harness.mechanisms.online.polls import Polls, usual, usual_whole
from harness.theory.constants import constants
from harness.theory.plan import Plan
from harness.trials.audited.subject import AuditSetting, Subject, SubjectSort, named_constants
from harness.trials.stable_cell import StableCell

TRIED = 24  # runs at each gap, in the search for one where the answer is uncertain
BOTTOM, SILENT = -1.0, -2.0  # in the place of a label


def neighbours(online: Online[Any], plan: Plan, m: int, labels: int, rng: np.random.Generator) -> list[NeighbourPair]:
    """The pairs of neighbouring data sets to audit an online mechanism on: its own `neighbours`, then the usual ones."""
    pairs = usual_whole if online.whole else usual

    def lost(gap: int) -> float:
        one = next(iter(pairs(plan.k, 1, [gap]))) if gap == plan.k % 2 else list(pairs(plan.k, 1, [gap]))[-1]
        return float((outcomes(online, plan, labels, one.before, TRIED, rng)[:, 0] != 0).mean())

    queries = min(m, FEW)
    tried: list[Polls] = [*online.neighbours(plan, m), *pairs(plan.k, queries, uncertain(lost, plan.k))]
    return [
        NeighbourPair(each.words, outputs(len(each.before)), partial(on_side, online, plan, labels, each), AT_ONCE)
        for each in tried
    ]


def outputs(m: int) -> tuple[str, ...]:
    """The names of the numbers in one outcome of m queries: labels, ⊥s and missing answers."""
    sorts = ("label", "⊥", "no answer")
    names = [f"{each} of query {place + 1}" for each in sorts for place in range(m)]
    return (*names, *([f"{each} of all queries" for each in sorts] if m > 1 else []))


def on_side(online: Online[Any], plan: Plan, labels: int, pair: Polls, side: int, runs: int, rng: np.random.Generator) -> Reals:
    """The outcomes of so many runs of an online mechanism on one of two data sets, (runs, outputs)."""
    answers = outcomes(online, plan, labels, (pair.before, pair.after)[side], runs, rng)
    parts = np.stack([np.maximum(answers, 0.0), answers == BOTTOM, answers == SILENT], axis=1)
    flat = parts.reshape(runs, -1)
    return flat if answers.shape[1] == 1 else np.concatenate([flat, parts.sum(axis=2)], axis=1)


def outcomes(online: Online[Any], plan: Plan, labels: int, polls: Sequence[Poll], runs: int, rng: np.random.Generator) -> Reals:
    """The answers of so many runs of an online mechanism to given polls, (runs, m): a label, BOTTOM or SILENT."""
    answers = np.full((runs, len(polls)), SILENT)
    for run in answers:
        responder = online.begin(plan, len(polls), labels, rng)
        for place, poll in enumerate(polls):
            if responder.halted:
                break
            answer = responder.answer(poll)
            run[place] = BOTTOM if answer is None else answer
    return answers


def subject(name: str, setting: AuditSetting) -> Subject:
    """The online mechanism of this name as a subject of audits, at the cutoff T on the given n, or on the n that it takes."""
    setting_of = {key: getattr(setting, key) for key in ("m", "T", "n", "eps", "delta", "beta")}
    named_constants(setting, constants, "BTT18a")
    named = {} if setting.constants is None else {"constants": setting.constants}
    cell, online = StableCell.model_validate(setting_of | named), onlines()[name]
    n = setting.n or (cell.calibration.whole_k(cell.task, cell.T) if online.whole else 1)
    plan: Plan = online.plan(cell.calibration, cell.task, n, setting.labels)
    return Subject.of(online, setting.eps, plan.spent, partial(neighbours, online, plan, setting.m, setting.labels))


SORT = SubjectSort("online", onlines, subject)
