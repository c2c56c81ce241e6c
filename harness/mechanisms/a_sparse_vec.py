"""A_sparseVec: which of a stream of values exceed a threshold, paying only for those that do not (BTT18a Algorithm 1).

The printed loop keeps one noisy threshold ŵ until the next ⊥ and then redraws it. Here query i owns the threshold that would
be drawn if query i were ⊥. Only one draw is ever used between two ⊥s, so the law is the printed one; but a decision now depends
on the past only through the place of the last ⊥, not through how many there were, and the loop can be vectorised:
guess the ⊥s, look up the threshold that the guess puts in effect at each query, decide again, until nothing changes. The i-th
decision is right after i rounds at the latest, and in fact sooner: two guesses that meet in one ⊥ agree from there on. The
longest stretch ruled by one low threshold sets the number of rounds. It grows with the stream, which is therefore settled
block by block.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import floor, log, sqrt

import numpy as np

from harness.arrays import Bools, Ints, Reals
from harness.concepts.votes import Votes
from harness.mechanisms.answers import Answers, release
from harness.mechanisms.noise import laplace
from harness.theory.fixed_point import Plan, plan_for_n, without_rate
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.calibration import sparse_vec_lam
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.spent import certified

BLOCK = 1 << 12  # candidates settled at a time: enough to vectorise, few enough for tens of rounds


@dataclass(frozen=True)
class Stream:
    """The outcome. bottoms: indices of the ⊥s in order. answered: how many of the queries were answered, ⊥s included."""

    bottoms: Ints
    answered: int


def a_sparse_vec(values: Ints | Reals, lam: float, w: float, T: float, rng: np.random.Generator) -> Stream:
    """Run A_sparseVec on values (m,), noise scale λ, threshold w and cutoff T; all in units of the values."""
    first = w + float(laplace(lam, 1, rng)[0])
    noisy = values + laplace(2 * lam, len(values), rng)
    return scan(noisy, first, lambda indices: w + laplace(lam, len(indices), rng), T)


def scan(noisy: Reals, first: float, redraw: Callable[[Ints], Reals], T: float) -> Stream:
    """The loop on given noise: ⊥ where a noisy value is at most the threshold in effect, while c ≤ T.

    noisy: (m,). first: the first noisy threshold. redraw: gives the thresholds that queries own, asked once for each query that
    may be ⊥. The loop runs while c ≤ T, so it lets ⌊T⌋ + 1 ⊥s out before it halts.
    """
    candidates, owned = _reveal(noisy, first, redraw)
    last = floor(T)
    settled, in_effect, c = [np.empty(0, dtype=np.int64)], first, 0
    for start in range(0, len(candidates), BLOCK):
        block = slice(start, start + BLOCK)
        bottom = np.flatnonzero(_decide(noisy[candidates[block]], in_effect, owned[block]))
        if len(bottom):
            settled.append(candidates[block][bottom])
            in_effect = owned[block][bottom[-1]]
            c += len(bottom)
        if c > last:
            break
    bottoms = np.concatenate(settled)
    if c > last:
        return Stream(bottoms[: last + 1], int(bottoms[last]) + 1)
    return Stream(bottoms, len(noisy))


def _decide(noisy: Reals, first: float, owned: Reals) -> Bools:
    """Which candidates of a block are ⊥, when it begins with `first` in effect."""
    bottom = noisy <= first
    while True:
        decided: Bools = noisy <= np.append(first, owned)[_last_bottom(bottom)]
        if np.array_equal(decided, bottom):
            return decided
        bottom = decided


def _reveal(noisy: Reals, first: float, redraw: Callable[[Ints], Reals]) -> tuple[Ints, Reals]:
    """The queries that could be ⊥, in order, with the thresholds they own.

    A query can be ⊥ only under a threshold of a query that can be ⊥, so thresholds are drawn for those within reach of the
    highest one known, until that no longer rises. The others' thresholds stay undrawn and are never needed.
    """
    candidates = np.flatnonzero(noisy <= first)
    owned = redraw(candidates)
    low, reach = first, max(first, owned.max(initial=first))
    while reach > low:
        new = np.flatnonzero((noisy > low) & (noisy <= reach))
        fresh = redraw(new)
        candidates, owned = np.concatenate([candidates, new]), np.concatenate([owned, fresh])
        low, reach = reach, max(reach, fresh.max(initial=reach))
    order = np.argsort(candidates)
    return candidates[order], owned[order]


def _last_bottom(bottom: Bools) -> Ints:
    """For each position, 1 + the position of the last ⊥ before it, or 0 if there is none."""
    latest = np.maximum.accumulate(np.where(bottom, np.arange(1, len(bottom) + 1), 0))
    return np.append(0, latest[:-1])[: len(bottom)]


def spent_by_epochs(plan: Plan, task: Task) -> float:
    """An ε' at which a run with the plan's noise, threshold and distance is certainly (ε', δ)-DP (`theory.privacy.spent`)."""
    assert plan.lam is not None and plan.w is not None and plan.T is not None
    return certified(DISTANCES[plan.distance], plan.lam, plan.w, epochs(task.m, plan.T), task.delta)


def margin(task: Task, T: float) -> float:
    """a = ln(2mT/β) √(512 T ln(1/δ)) / ε: values above w + a are answered ⊤ (BTT18a Theorem 2.8)."""
    return log(2 * task.m * T / task.beta) * sqrt(512 * T * log(1 / task.delta)) / task.eps


class ASparseVec:
    """A_sparseVec on votes: a query whose printed distance passes the threshold is answered ⊤, here by its winner.

    The distance moves by 2 where the theorem has 1, and the label is answered with ⊤: what is spent is counted for that. The
    threshold w, which the theorem leaves open, is a itself; a unanimous query has the least value above w + a.
    """

    name = "A_sparseVec"
    source = "BTT18a Algorithm 1"
    label = "A_sparseVec"

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        plan = plan_for_n(replace(constants, chunks=lambda task, T, lam, w: 2 * margin(task, T) + 1), task, n)
        assert plan.T is not None
        lam = sparse_vec_lam(task.eps, task.delta, plan.T)
        return replace(without_rate(plan), lam=lam, w=margin(task, plan.T), distance="printed")

    def answer(self, votes: Votes, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        assert plan.lam is not None and plan.w is not None and plan.T is not None
        stream = a_sparse_vec(DISTANCES[plan.distance].of(votes.gap), plan.lam, plan.w, plan.T, rng)
        return release(votes.winner, stream.bottoms, stream.answered)

    def spent(self, plan: Plan, task: Task) -> float:
        return spent_by_epochs(plan, task)


MECHANISM = ASparseVec()
