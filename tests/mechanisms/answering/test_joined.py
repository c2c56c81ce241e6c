"""Answers to trials that are put together are those to each, type by type, and what no trial says no whole says."""

import numpy as np
import pytest

from harness.ballots import Ballot
from harness.mechanisms.answering.answers import Answers, joined

VOTES, SIZES = np.array([[3, 2, 1, 0], [0, 1, 2, 3]]), np.array([5, 6, 7, 8])
BALLOT = Ballot(VOTES, 3, np.zeros(4, np.int8), SIZES, trial=np.array([1, 0, 1, 0]), trials=2)
FIRST, SECOND = np.array([[4, 7], [1, 0]]), np.array([[2, 0], [1, 6]])


def test_types_are_in_the_order_of_the_whole_ballot() -> None:
    """Of the first trial are the second and the last type."""
    whole = joined(BALLOT, [Answers(FIRST, bottoms=np.array([1, 1])), Answers(SECOND, unanswered=np.array([2, 1]))])
    assert whole.given.tolist() == [[2, 4, 0, 7], [1, 1, 6, 0]]
    assert whole.bottoms is not None and whole.bottoms.tolist() == [0, 1, 0, 1]
    assert whole.unanswered is not None and whole.unanswered.tolist() == [2, 0, 1, 0]
    whole.refuse_strange(BALLOT)
    assert (whole.bottom_count, whole.unanswered_count, whole.halted_at) == (2, 3, 23)


@pytest.mark.parametrize(("said", "expected"), [((0.25, 0.5), [0.25, 0.5]), ((None, 0.5), [np.nan, 0.5]), ((None, None), None)])
def test_what_is_found_of_each_trial_is_there_where_any_has_it(
    said: tuple[float | None, float | None], expected: list[float] | None
) -> None:
    def found(value: float | None) -> "dict[str, object]":
        return {} if value is None else {"fresh": lambda: value, "eps_by_votes": lambda: value + 1}

    whole = joined(BALLOT, [Answers(own, **found(value)) for own, value in zip((FIRST, SECOND), said, strict=True)])  # type: ignore[arg-type]
    assert whole.bottoms is None and whole.unanswered is None
    if expected is None:
        assert whole.fresh_error is None and whole.eps_data_dependent is None
    else:
        np.testing.assert_array_equal(whole.fresh_error, expected)
        np.testing.assert_array_equal(whole.eps_data_dependent, np.array(expected) + 1)
