"""What sparse vectors with noise of their own cost, against A_binClas on the same cell, whose loop is theirs."""

from collections.abc import Callable

import pytest

from harness.theory.privacy.known_threshold import known_shift
from harness.theory.privacy.revealed import revealed_shift
from harness.trials.answers import KIND
from harness.trials.cell import Cell

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]


@pytest.mark.parametrize("name", ["gaussian_sparse_vector", "exponential_sparse_vector"])
def test_a_trial_takes_at_most_twice_as_long_as_one_of_a_binclas(name: str, takes_at_most: AtMost) -> None:
    """n = 10¹², m = 10⁶, lean constants: few ⊥s, for with more chunks a mechanism has more of them."""
    cell = Cell.model_validate({"m": 10**6, "n": 10**12, "constants": "lean"})
    for each in (name, "A_binClas"):
        KIND.rows(cell, (each,), 1, 0)
    takes_at_most(2.0, lambda: KIND.rows(cell, (name,), 1, 1), lambda: KIND.rows(cell, ("A_binClas",), 1, 1), 9)


def test_gaussian_noise_is_found_in_forty_times_what_laplace_noise_takes(takes_at_most: AtMost) -> None:
    """The least noise for 31 ⊥s of 10⁴ queries, beside that of `lean` for as many."""
    ours, theirs = known_shift.__wrapped__, revealed_shift.__wrapped__
    takes_at_most(40.0, lambda: ours(1.0, 10**4, 31, 1e-6), lambda: theirs(1.0, 31, 1e-6), 9)
