"""What a mechanism says to m queries, by their types."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from harness.arrays import Ints, Reals
from harness.ballots import Ballot, by_label


@dataclass(frozen=True)
class Answers:
    """What a mechanism answers to m queries, by types: how many queries of each type get each label, ⊥, or no answer.

    given: (labels, types), how many queries of each type get each label. bottoms, unanswered: (types,), how many get ⊥, or
    no answer after an early halt; None where none does.

    fresh, eps_by_votes: find `fresh_error` and `eps_data_dependent`, where the mechanism defines them. Both are of each trial,
    (trials,), where the types are of several.
    """

    given: Ints
    bottoms: Ints | None = None
    unanswered: Ints | None = None
    fresh: Callable[[], float | Reals] | None = None
    eps_by_votes: Callable[[], float | Reals] | None = None

    def refuse_strange(self, ballot: Ballot) -> None:
        """Raises a ValueError unless the answers are to the queries of a ballot, each once."""
        shape, dtype = np.shape(self.given), getattr(self.given, "dtype", type(self.given))
        if shape != ballot.counts.shape or np.dtype(dtype).kind not in "iu":
            what = f"answers given are {dtype} of shape {shape}; allowed: whole numbers"
            raise ValueError(f"{what} of shape {ballot.counts.shape}, labels and types of queries")
        others = (each for each in (self.bottoms, self.unanswered) if each is not None)
        if (reduce(np.add, [*self.given, *others]) != ballot.sizes).any():
            raise ValueError("answers, ⊥s and queries without one are not as many as the queries of each type")

    @property
    def fresh_error(self) -> float | Reals | None:
        """P(a query drawn from these m, asked first, is answered wrong), a ⊥ counting as a label drawn at random.

        It is an unbiased estimate of err(h_priv) (BTT18 §4).
        """
        return None if self.fresh is None else self.fresh()

    @property
    def eps_data_dependent(self) -> float | Reals | None:
        """The ε that the answers cost on these very votes, by an accounting that looks at the votes.

        It depends on them, so it is not itself releasable, nor a promise for other votes.
        """
        return None if self.eps_by_votes is None else self.eps_by_votes()

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
    """The answers in which each query gets its type's winner, but for the numbers of ⊥s and of unanswered queries, (types,)."""
    rest = ballot.sizes - (0 if bottoms is None else bottoms) - (0 if unanswered is None else unanswered)
    return Answers(by_label(ballot.winner, rest, len(ballot.counts)), bottoms, unanswered)


def outvoted(ballot: Ballot, losers: Ints) -> Answers:
    """Answers over two labels: losers[i] queries of type i get the loser of the votes, and the others the winner."""
    given = np.empty((2, len(losers)), np.int64)
    given[1] = np.where(ballot.winner, ballot.sizes - losers, losers)
    np.subtract(ballot.sizes, given[1], out=given[0])
    return Answers(given)


def joined(ballot: Ballot, parts: Sequence[Answers]) -> Answers:
    """The answers to all trials of a ballot in one, from the answers to each trial."""
    assert ballot.trial is not None
    place = np.argsort(np.argsort(ballot.trial, kind="stable"))  # of each type, in the order of the trials

    def by_type(name: str) -> Ints | None:
        arrays = [getattr(part, name) for part in parts]
        if all(values is None for values in arrays):
            return None
        sizes = (part.given.shape[1] for part in parts)
        return np.concatenate([np.zeros(n, np.int64) if v is None else v for n, v in zip(sizes, arrays, strict=True)])[place]

    def by_trial(values: Sequence[float | Reals | None]) -> Callable[[], Reals] | None:
        numbers = np.array([np.nan if value is None else float(value) for value in values])
        return None if np.isnan(numbers).all() else lambda: numbers

    return Answers(
        np.concatenate([part.given for part in parts], axis=1)[:, place],
        by_type("bottoms"),
        by_type("unanswered"),
        by_trial([part.fresh_error for part in parts]),
        by_trial([part.eps_data_dependent for part in parts]),
    )
