"""What a mechanism says to m queries, by their types."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from harness.arrays import Ints
from harness.ballots import Ballot


@dataclass(frozen=True)
class Answers:
    """given: (labels, types), how many queries of each type get each label. bottoms, unanswered: (types,), how many get ⊥, or
    no answer after an early halt; None where none does.

    fresh: finds `fresh_error`, where the mechanism defines it. eps_data_dependent: the ε that these answers cost by an
    accounting that looks at the votes. It depends on them, so it is not itself releasable, nor a promise for other votes.
    """

    given: Ints
    bottoms: Ints | None = None
    unanswered: Ints | None = None
    fresh: Callable[[], float] | None = None
    eps_data_dependent: float | None = None

    @property
    def fresh_error(self) -> float | None:
        """The chance that a first query, drawn from these m, is answered wrong, a ⊥ counting as a label drawn at random.

        It is an unbiased estimate of err(h_priv) (BTT18 §4).
        """
        return None if self.fresh is None else self.fresh()

    @property
    def bottom_count(self) -> int:
        """How many of the m queries are answered ⊥."""
        return 0 if self.bottoms is None else int(self.bottoms.sum())

    @property
    def unanswered_count(self) -> int:
        """How many of the m queries are not answered."""
        return 0 if self.unanswered is None else int(self.unanswered.sum())

    @property
    def halted_at(self) -> int | None:
        """Queries answered before an early halt, ⊥ included; None where there was none."""
        return int(self.given.sum()) + self.bottom_count if self.unanswered_count else None


def winners(ballot: Ballot, bottoms: Ints | None = None, unanswered: Ints | None = None) -> Answers:
    """The winner of each type, but for so many ⊥s and queries that are not answered, (types,)."""
    given = np.zeros(ballot.counts.shape, dtype=np.int64)
    rest = ballot.sizes - (0 if bottoms is None else bottoms) - (0 if unanswered is None else unanswered)
    given[ballot.winner, np.arange(len(rest))] = rest
    return Answers(given, bottoms, unanswered)


def outvoted(ballot: Ballot, losers: Ints) -> Answers:
    """Of each type so many answers of the label that did not win, (types,), of two; the others of the winner."""
    given = np.zeros(ballot.counts.shape, dtype=np.int64)
    types = np.arange(len(losers))
    given[ballot.winner, types] = ballot.sizes - losers
    given[1 - ballot.winner, types] = losers
    return Answers(given)
