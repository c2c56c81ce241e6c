"""What is run on private data and says how private it is: one file a mechanism, in a room for each kind of answer.

`answering` turns votes into labels, and `scoring` predictions into scores; `online` answers one query after another; `release`
gives averages; `classifying` needs no votes. Noise and tests that several mechanisms use lie beside the rooms.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import numpy as np

Streams = Callable[[str], np.random.Generator]
"""The generator of each purpose in one run, such as "votes": randomness is seeded by what it is for."""

Answer = TypeVar("Answer", bound=Callable[..., Any])


def whole_blocks(answer: Answer) -> Answer:
    """Marks a mechanism's method `answer` as able to answer the ballots of many trials in one call; a decorator.

    Such a method treats types or trials separately.
    """
    setattr(answer, "whole_blocks", True)  # noqa: B010  no attribute that functions have
    return answer


class Mechanism(ABC):
    """Anything that is run on private data: the base of all mechanisms.

    may_change: what a class derived from it may define anew, as ε′ still follows from the noise that it draws: see `accounts`.
    """

    may_change: ClassVar[frozenset[str]] = frozenset()

    @property
    @abstractmethod
    def name(self) -> str:
        """The name, as specs and tables spell it."""

    @property
    @abstractmethod
    def source(self) -> str:
        """The paper that the mechanism is from, with the number of the algorithm or theorem."""

    @property
    @abstractmethod
    def private(self) -> bool:
        """Whether the mechanism promises any privacy."""

    @property
    def legend(self) -> str:
        """The mechanism's name in a figure's legend."""
        return self.name.replace("_", " ")

    @property
    def key(self) -> str:
        """The name of the mechanism's random streams, which stays where the mechanism's own name changes."""
        return self.name


def refuse_incomplete(part: object) -> None:
    """Raises a ValueError unless `part` is a mechanism that says where it comes from and whether it is private."""
    if not isinstance(part, Mechanism):
        raise ValueError(f"{part!r} is no mechanism; allowed: an object of a class derived from harness.mechanisms.Mechanism")
    if not (isinstance(part.source, str) and part.source):
        raise ValueError(f"{part.name} does not say where it comes from; allowed: a source, such as 'BTT18 Algorithm 2'")
    if not isinstance(part.private, bool):
        raise ValueError(f"{part.name} does not say whether it is private; allowed: private = True or private = False")
