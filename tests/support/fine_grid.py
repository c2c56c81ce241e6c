"""Every private mechanism at every k of a fine grid, against every share of wrong votes of a fine grid: what `advise` searches.

The votes are set by hand: a region on which so many votes are wrong, as large as the classifiers' errors allow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from harness.ballots import Ballot
from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from harness.theory.parameters import Task
from harness.theory.plan import Plan

MOST_BOTTOMS = 30_000


class Least(NamedTuple):
    """The least over k of the most over shares of the mean number of wrong labels; its standard error, and the k."""

    mean: float
    error: float
    k: int


def error_on(s: float, points: Mapping[int, float]) -> float:
    """Of a learner by one or two points of its curve."""
    (at, err), *others = sorted(points.items())
    if not others:
        return min(0.5, err * (at / s if s < at else sqrt(at / s)))
    ((far, low),) = others
    return min(0.5, float(err * np.exp(np.log(low / err) * np.log(s / at) / np.log(far / at))))


def least_wrong(
    points: Mapping[int, float], task: Task, n: int, scales: Sequence[float], shares: Sequence[float], runs: int
) -> dict[str, Least]:
    """Of each mechanism that is certified to keep to ε."""
    found = dict[str, Least]()
    rng = np.random.default_rng(20)
    for name, mechanism in mechanisms().items():
        plan = mechanism.plan(constants()["lean"], task, n)
        if not mechanism.private or not plan.keeps_to(task.eps):
            continue
        tried = set[int]()
        for scale in scales:
            plan = mechanism.plan(replace(constants()["lean"], k_scale=scale), task, n)
            if plan.s < 1 or plan.k in tried or plan.noise.get("T", 0) > MOST_BOTTOMS:
                continue
            tried.add(plan.k)
            rows = np.array([wrong_labels(name, plan, task, error_on(plan.s, points), share, runs, rng) for share in shares])
            worst = rows[rows.mean(axis=1).argmax()]
            mean, error = float(worst.mean()), float(worst.std(ddof=1)) / sqrt(runs)
            if name not in found or mean < found[name].mean:
                found[name] = Least(mean, error, plan.k)
    return found


def wrong_labels(
    name: str, plan: Plan, task: Task, err: float, share: float, runs: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """How many labels are not right in each of so many runs, (runs,)."""
    k, m = plan.k, task.m
    votes = min(k, max(ceil(k * err - 1e-9), 1, ceil(share * k)))
    inside = rng.binomial(m, min(1.0, k * err / votes), runs)
    right = np.repeat([k - votes, k], runs)
    ballot = Ballot(
        np.array([k - right, right]),
        k,
        np.ones(2 * runs, np.int8),
        np.concatenate([inside, m - inside]),
        trial=np.tile(np.arange(runs), 2),
        trials=runs,
    )
    answers = mechanisms()[name].answer_block(ballot, plan, task, rng)
    wrong: NDArray[np.int64] = m - answers.given[1, :runs] - answers.given[1, runs:]
    return wrong
