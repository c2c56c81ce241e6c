"""What noise of their own costs: sparse vectors against A_binClas, whose loop is theirs, and noise on counts against gaps."""

from collections.abc import Callable
from functools import partial

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


def test_exponential_noise_on_counts_takes_no_longer_than_laplace_noise_on_gaps(takes_at_most: AtMost) -> None:
    """n = 10⁹, m = 10⁴, tight constants: with less noise there are fewer chunks, and fewer votes that are split."""
    cell = Cell.model_validate({"m": 10**4, "n": 10**9, "constants": "tight"})
    names = "noisy_max_exponential", "noisy_majority"
    for each in names:
        KIND.rows(cell, (each,), 1, 0)
    ours, theirs = (partial(KIND.rows, cell, (each,), 1, 1) for each in names)
    takes_at_most(1.2, ours, theirs, 9)


def test_gaussian_noise_is_found_in_forty_times_what_laplace_noise_takes(takes_at_most: AtMost) -> None:
    """The least noise for 31 ⊥s of 10⁴ queries, beside that of `lean` for as many."""
    ours, theirs = known_shift.__wrapped__, revealed_shift.__wrapped__
    takes_at_most(40.0, lambda: ours(1.0, 10**4, 31, 1e-6), lambda: theirs(1.0, 31, 1e-6), 9)
