"""Queries one by one: ballots with a type for each query, and what is said to each of them."""

import numpy as np

from harness.arrays import Ints, Labels
from harness.ballots import Ballot, Queries
from harness.mechanisms.answering.answers import Answers

BOTTOM, UNANSWERED = -1, -2


def ballot_of(ones: Ints, k: int, truth: Labels) -> Ballot:
    """Votes over two labels on queries of a type each, (m,), by the number of ones."""
    return Ballot.binary(ones, k, Queries(np.zeros(len(truth)), truth))


def labels(answers: Answers) -> Labels:
    """The label that each query gets, or BOTTOM or UNANSWERED, (m,), where there is one query of each type."""
    said = np.where(answers.given.any(axis=0), answers.given.argmax(axis=0), UNANSWERED).astype(np.int8)
    if answers.bottoms is not None:
        said[answers.bottoms > 0] = BOTTOM
    unanswered = 0 if answers.unanswered is None else answers.unanswered
    total = answers.given.sum(axis=0) + (said == BOTTOM) + unanswered
    assert (total == 1).all() and ((said == UNANSWERED) == (unanswered == np.int64(1))).all()
    return said


def given(said: Labels, labels: int) -> Answers:
    """The reverse, over so many labels."""
    counts = np.array([said == label for label in range(labels)]).astype(np.int64)
    return Answers(counts, (said == BOTTOM).astype(np.int64), (said == UNANSWERED).astype(np.int64))
