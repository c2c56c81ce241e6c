"""What is stated of every distance over two labels is so, by going through all gaps of odd and even k."""

import numpy as np
import pytest

from harness.theory.privacy.distance import DISTANCES, OF_GAP, VALUES


@pytest.mark.parametrize("name", DISTANCES)
def test_one_vote_moves_it_by_its_sensitivity_and_changes_winners_up_to_unsettled(name: str) -> None:
    """g = ct(1) − ct(0), which one vote moves by 2; a tie is won by 0."""
    distance = DISTANCES[name]
    moved, unsettled = 0, 0
    for k in (8, 9):
        for g in range(-k, k - 1, 2):
            one, other = (int(distance.of(np.array([gap]))[0]) for gap in (g, g + 2))
            moved = max(moved, abs(one - other))
            if (g > 0) != (g + 2 > 0):
                unsettled = max(unsettled, one, other)
    assert (moved, unsettled) == (distance.sensitivity, distance.unsettled)


def test_the_values_of_c_gap_are_those_of_the_distances_that_have_it() -> None:
    assert OF_GAP == {distance.factors[0].printed: name for name, distance in DISTANCES.items() if distance.factors}
    assert VALUES.of(np.array([-3, 5])).tolist() == [-3, 5] and (VALUES.sensitivity, VALUES.unsettled) == (1, None)
