"""The six sparse vectors of Lyu, Su, Li 2017 (Figure 1), as mechanisms that answer by votes: their own and Dwork and Roth's are
private (Algorithms 1 and 2), and four that were published are not (Algorithms 3 to 6).

A query is the number of votes for the first label, of sensitivity 1, and the threshold is half of the votes. What is above it
is answered by the first label, what is not by ⊥. Algorithm 3, which releases a number, is a mechanism for scores.
"""

from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any

import numpy as np

from harness.arrays import Bools, Ints, Reals
from harness.ballots import Ballot
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering import Answering
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.scoring import Answered, ScorePlan, ScoreRequest, Scoring
from harness.scores import Scorer
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan, plan_for_chunks

K = 201
"""Votes."""


@dataclass(frozen=True)
class Noise:
    """threshold, query: scales, in units of ε⁻¹; 0 for none. c: how many ⊤s it says before it stops, infinite if it does not.

    redrawn: whether the threshold is drawn anew after a ⊤.
    """

    threshold: float
    query: float
    c: float = inf
    redrawn: bool = False


ALGORITHMS = {
    1: Noise(threshold=2, query=4 * 5, c=5),
    2: Noise(threshold=2 * 5, query=4 * 5, c=5, redrawn=True),
    3: Noise(threshold=2, query=2, c=1),
    4: Noise(threshold=4, query=4 / 3, c=5),
    5: Noise(threshold=2, query=0),
    6: Noise(threshold=2, query=2),
}


def above(values: Reals, noise: Noise, eps: float, rng: np.random.Generator) -> tuple[Bools, Bools]:
    """Which of the values less their thresholds, (runs, m), are ⊤, and which come after the halt; the loop as it is printed."""
    runs, m = values.shape
    rho: Reals = np.asarray(rng.laplace(0, noise.threshold / eps, runs))
    top, after, said = np.zeros((runs, m), np.bool_), np.zeros((runs, m), np.bool_), np.zeros(runs, np.int64)
    for place in range(m):
        nu = rng.laplace(0, noise.query / eps, runs) if noise.query else np.zeros(runs)
        after[:, place] = said >= noise.c
        top[:, place] = (values[:, place] + nu >= rho) & ~after[:, place]
        said += top[:, place]
        if noise.redrawn:
            rho = np.where(top[:, place], rng.laplace(0, noise.threshold / eps, runs), rho)
    return top, after


class SparseVector(Answering[Plan]):
    """One of them. number: as they are numbered there."""

    source = "Lyu, Su, Li 2017 Figure 1"
    private = True
    binary = True

    def __init__(self, number: int) -> None:
        self.number, self.noise = number, ALGORITHMS[number]

    @property
    def name(self) -> str:
        return f"sparse_vector_{self.number}"

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        return replace(plan_for_chunks(task, n, K), accounting=partial(float, task.eps))

    @whole_blocks
    def answer(self, ballot: Ballot, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        values = (ballot.counts[0] - plan.k / 2).reshape(ballot.trials, -1)
        top, after = above(values, self.noise, task.eps, rng)
        given = np.stack([top.ravel(), np.zeros(top.size, np.bool_)]).astype(np.int64)
        return Answers(given, (~top & ~after).ravel().astype(np.int64), after.ravel().astype(np.int64))


class NumericSparseVector(Scoring):
    """Algorithm 3: what is above is answered by its noisy value, which says where the threshold is not."""

    name = "sparse_vector_3"
    source = "Lyu, Su, Li 2017 Figure 1"
    private = True

    def plan(self, asked: ScoreRequest) -> ScorePlan:
        return ScorePlan(n=asked.n, k=K, s=1, accounting=partial(float, asked.task.eps), noise={"eps": asked.task.eps})

    def answer(
        self, plan: ScorePlan, scorer: Scorer, sizes: Ints, votes: np.random.Generator, noise: np.random.Generator
    ) -> Answered:
        counts = scorer.counts(votes, plan.s, plan.k, np.full((scorer.types, 1), 0.5))[:, 1]
        scales, eps = ALGORITHMS[3], plan.noise["eps"]
        rho = noise.laplace(0, scales.threshold / eps, 1)
        nu = noise.laplace(0, scales.query / eps, len(counts))
        noisy: Reals = np.asarray(counts - plan.k / 2 + nu)
        top: Bools = noisy >= rho
        after: Bools = np.asarray(np.cumsum(top) - top >= scales.c)
        scores = np.where(top & ~after, 0.5 + noisy / plan.k, np.nan)
        none = np.zeros_like(sizes)
        return Answered(
            scores, scores, (top & ~after).astype(np.int64), none, (~top & ~after).astype(np.int64), after.astype(int)
        )


def mechanism(number: int) -> Any:
    """That of a number."""
    return NumericSparseVector() if number == 3 else SparseVector(number)
