"""What one would use instead: a noisy choice among all labels, which pays for every query.

Labels without a vote are alike, and of a finite range there may be far more of them than are seen. Of their noises only the
largest matters, and that has a closed law, so that a query costs the labels seen and not the range.
"""

from abc import abstractmethod
from collections.abc import Callable
from math import ceil, exp, log

import numpy as np
import scipy

from harness.analysts import Poll
from harness.arrays import Reals
from harness.mechanisms.answering import Own
from harness.mechanisms.online import Online, Responder
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan, plan_for_chunks


class NoisyArgmax(Responder):
    """A run that answers a query by argmax_r ct(r) + noise over all labels of a finite range. scale: of the noise, in votes."""

    def __init__(self, values: int, scale: float, rng: np.random.Generator) -> None:
        self.values, self.scale, self.rng = values, scale, rng

    @abstractmethod
    def noise(self, size: int) -> Reals:
        """Independent noises at scale 1, (size,)."""

    @abstractmethod
    def largest(self, size: int) -> float:
        """Draws the largest of `size` independent noises at scale 1."""

    def answer(self, poll: Poll) -> int:
        noisy = poll.counts + self.scale * self.noise(len(poll.labels))
        best = int(noisy.argmax())
        silent = self.values - len(poll.labels)
        if silent and self.scale * self.largest(silent) > noisy[best]:
            return unseen(poll, int(self.rng.integers(silent)))
        return int(poll.labels[best])


def unseen(poll: Poll, place: int) -> int:
    """The label at a place, counted from 0, among the labels that have no vote in a poll."""
    for label in poll.labels.tolist():
        if label > place:
            break
        place += 1
    return place


class PaysForAll(Online[Own]):
    """The base of online mechanisms that pay for every query, by a noisy choice among all labels.

    k: the least at which a label with 2k/3 of the votes wins over one with k/3 and all those of the range without any.

    With probability at least 1 − β over m queries, by the union over labels. The worst others have all of their votes on one.
    """

    private = True
    finite = True

    def divided(
        self, constants: Constants, task: Task, n: int, values: int | None, log_overtakes: Callable[[float], float]
    ) -> Plan:
        """The plan of n examples in the least number of chunks. log_overtakes: ln P(one noise beats another by more votes)."""
        assert values is not None
        chunks = constants.k_scale * least_votes(log_overtakes, values - 2, task.beta / task.m)
        return plan_for_chunks(task, n, max(1, ceil(chunks)))


def least_votes(log_overtakes: Callable[[float], float], silent: int, allowed: float) -> float:
    """The least k, not rounded, with P(noise overtakes a gap k/3) + silent · P(noise overtakes a gap 2k/3) ≤ allowed.

    silent: how many labels have no vote.
    """

    def excess(k: float) -> float:
        logs = [log_overtakes(k / 3)] + ([log_overtakes(2 * k / 3) + log(silent)] if silent else [])
        return max(logs) + log(sum(exp(each - max(logs)) for each in logs)) - log(allowed)

    high = 1.0
    while excess(high) > 0:
        high *= 2
    return float(scipy.optimize.brentq(excess, 0, high, rtol=1e-12)) if excess(0.0) > 0 else 0.0
