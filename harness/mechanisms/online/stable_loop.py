"""The loop of A_OQR, a query at a time: A_stab under the threshold of a sparse vector (BTT18a Algorithm 3).

It is the loop of `above_threshold`, which settles queries that are all known beforehand; here the next one may depend on what
was said. The noise is drawn for each query whether it is used or not, so that a run is a function of the queries and of the
noise: 2m + 1 numbers.
"""

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from math import floor
from typing import Any

import numpy as np

from harness.analysts import Known, Poll
from harness.arrays import Ints
from harness.mechanisms.above_threshold import in_order_by_run
from harness.mechanisms.noise import laplace
from harness.mechanisms.online import BOTTOM, Online, Responder
from harness.theory.constants.btt18a import CONSTANTS as PRINTED
from harness.theory.constants.btt18a import stable_distance
from harness.theory.constants.ours import sufficient_distance
from harness.theory.factors import SetName
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Constants, Task


class StableLoop(Responder):
    """A run of A_OQR: the i-th query is ⊥ unless dist + noise[i] > ŵ; after a ⊥, ŵ = redrawn[i]; it halts once c > T.

    first: ŵ before the first query. noise: (m,), Lap(2λ). redrawn: (m,), w + Lap(λ). bottoms: the places of the ⊥s so far.
    """

    def __init__(self, plan: CutoffPlan, m: int, distance: Callable[[Poll], int], rng: np.random.Generator) -> None:
        first, *redrawn = (plan.w + laplace(plan.lam, m + 1, rng)).tolist()
        self.first, self.redrawn = float(first), redrawn
        self.noise: list[float] = laplace(2 * plan.lam, m, rng).tolist()
        self.bottoms: list[int] = []
        self._distance, self._allowed = distance, floor(plan.last) + 1
        self._threshold, self._asked = self.first, 0

    def answer(self, poll: Poll) -> int | None:
        i, self._asked = self._asked, self._asked + 1
        if self._distance(poll) + self.noise[i] > self._threshold:
            return poll.winner
        self.bottoms.append(i)
        self._threshold, self.halted = self.redrawn[i], len(self.bottoms) >= self._allowed
        return None


class PaysForBottoms(Online[CutoffPlan]):
    """The base of online mechanisms that answer each stable query, and stop after as many ⊥s as their plan pays for."""

    private = True

    def begin(self, plan: CutoffPlan, m: int, values: int | None, rng: np.random.Generator) -> StableLoop:
        return StableLoop(plan, m, partial(self.distance, plan), rng)

    @abstractmethod
    def distance(self, plan: CutoffPlan, poll: Any) -> Any:
        """The distance to instability that is set against the threshold."""

    def answer_known(self, plan: CutoffPlan, polls: Known, values: int | None, rng: np.random.Generator) -> tuple[Ints, Ints]:
        distances = self.distances(plan, polls)
        if type(self).begin is not PaysForBottoms.begin or distances is None:
            return super().answer_known(plan, polls, values, rng)
        run = np.repeat(np.arange(len(distances)), distances.shape[1])
        bottom, after = in_order_by_run(distances.ravel(), run, plan.lam, plan.w, plan.last, rng)
        answers = np.where(bottom.reshape(distances.shape), BOTTOM, polls.winner)
        return answers, (~after).reshape(distances.shape).sum(axis=1)

    def promised_distance(self, constants: Constants, task: Task, plan: CutoffPlan) -> float:
        """a of Corollary 3.9 at the constants of that text, else a* = w + 2λ ln(2m/(3β)), which is enough.

        With a share of k, the distance that two thirds of so many votes come to.
        """
        printed, c = SetName.read(constants.name).base == PRINTED.name, constants.values
        a = stable_distance.of(c, task, plan.T) if printed else sufficient_distance(c, task, plan.lam, plan.w)
        return constants.k_scale * (a + 1) - 1
