"""What answers queries of any finite or countable range one after another, as they are asked: one file a mechanism.

The next query may depend on the answers so far, so each is decided before the next is known. λ, w and k follow from the same
constants as where votes are answered all at once.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic

import numpy as np

from harness.analysts import Known, Poll
from harness.arrays import Ints
from harness.mechanisms import Mechanism, whole_blocks
from harness.mechanisms.answering import Own
from harness.mechanisms.online.polls import Polls
from harness.registry import parts
from harness.theory.parameters import Constants, Task

BOTTOM = -1
"""Among labels: ⊥."""


class Responder(ABC):
    """One run of an online mechanism. halted: whether no more queries are answered."""

    halted: bool = False

    @abstractmethod
    def answer(self, poll: Poll) -> int | None:
        """The answer to the next query: a label, or None for ⊥. Not asked for where the run has halted."""


class Online(Mechanism, Generic[Own]):
    """A mechanism that answers m queries one by one, each before the next is known.

    whole: whether it asks a query of all n examples at once, with the query's own distance to instability, and not of chunks.
    finite: whether it can answer only where the range is finite.
    """

    whole: ClassVar[bool] = False
    finite: ClassVar[bool] = False

    @abstractmethod
    def plan(self, constants: Constants, task: Task, n: int, values: int | None) -> Own:
        """The plan on n examples, with the least k that the guarantee needs on `values` possible labels; None: countable."""

    @abstractmethod
    def begin(self, plan: Own, m: int, values: int | None, rng: np.random.Generator) -> Responder:
        """Begins a run over at most m queries, with noise from `rng` alone."""

    def neighbours(self, plan: Own, m: int) -> Sequence[Polls]:
        """Neighbouring data sets that an audit should try beside the usual ones; by default none."""
        return ()

    def promised_distance(self, constants: Constants, task: Task, plan: Own) -> float | None:
        """The distance from which on the constants promise an answer, if at most T queries are nearer; None where none."""
        return None

    @whole_blocks
    def distance(self, plan: Own, poll: Any) -> Any | None:
        """The distance to instability of a poll; None if none is used. Marked `whole_blocks` it takes `Known` polls too."""
        return None

    def distances(self, plan: Own, polls: Known) -> Ints | None:
        """The distances to instability of all known polls, (trials, m)."""
        if getattr(self.distance, "whole_blocks", False):
            at_once: Ints | None = self.distance(plan, polls)
            return at_once
        one_by_one = [[self.distance(plan, polls.poll(*at)) for at in row] for row in places(polls)]
        return np.array(one_by_one, dtype=np.int64)

    def answer_known(self, plan: Own, polls: Known, values: int | None, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """The answers to known polls, (trials, m), BOTTOM for ⊥; and how many polls each trial hears until it halts, (trials,).

        By default one trial after the other, as they are asked.
        """
        answers, heard = np.full(polls.truth.shape, BOTTOM), np.zeros(len(polls.truth), np.int64)
        for trial, row in enumerate(places(polls)):
            responder = self.begin(plan, len(row), values, rng)
            for place in row:
                if responder.halted:
                    break
                answer = responder.answer(polls.poll(*place))
                answers[place] = BOTTOM if answer is None else answer
                heard[trial] += 1
        return answers, heard


def places(polls: Known) -> list[list[tuple[int, int]]]:
    """The index (trial, number of the query) of every poll of several trials: a list of m such pairs for each trial."""
    trials, m = polls.truth.shape
    return [[(trial, place) for place in range(m)] for trial in range(trials)]


def onlines() -> Mapping[str, Online[Any]]:
    """All registered mechanisms that answer queries one by one, by name."""
    return parts("online mechanism")
