"""The privacy of relabelling: all data sets of a few examples, with all dichotomies listed; and of a random part."""

from itertools import combinations, product
from math import exp, expm1, log

import pytest

from harness.theory.privacy.relabelling import dichotomies, largest_share, of_a_part

Example = tuple[int, int]
PLACES = 3
CUTS = [tuple(int(place >= cut) for place in range(PLACES)) for cut in range(PLACES + 1)]
EVERY = list(product((0, 1), repeat=PLACES))
"""Hypotheses on three places: thresholds, and all that there are."""


def chances(data: tuple[Example, ...], of: list[tuple[int, ...]], tilt: float) -> dict[tuple[int, ...], float]:
    """Of the labels of all but the first example under what is chosen."""
    weights = {
        labels: exp(-tilt * sum(label != y for label, (_, y) in zip(labels, data, strict=True)))
        for labels in {tuple(each[x] for x, _ in data) for each in of}
    }
    found: dict[tuple[int, ...], float] = {}
    for labels, weight in weights.items():
        found[labels[1:]] = found.get(labels[1:], 0.0) + weight / sum(weights.values())
    return found


@pytest.mark.parametrize("of", [CUTS, EVERY], ids=["cuts", "every"])
@pytest.mark.parametrize("tilt", [0.1, 0.5, 2.0])
def test_neighbours_choose_labels_for_the_others_with_chances_no_farther_apart(of: list[tuple[int, ...]], tilt: float) -> None:
    """By thresholds some are more than half of it apart, and farther than on a list that no data have a say in."""
    examples, worst = list(product(range(PLACES), (0, 1))), 1.0
    for others in product(examples, repeat=2):
        of_each = [chances((first, *others), of, tilt) for first in examples]
        for left, right in product(of_each, repeat=2):
            assert left.keys() == right.keys()
            worst = max(worst, *(left[labels] / right[labels] for labels in left))
    assert (max(dichotomies(tilt) / 2, 2 * tilt) if of is CUTS else 0) < log(worst) <= dichotomies(tilt)
    assert dichotomies(tilt) == pytest.approx(2 * log(1 + exp(tilt)))


@pytest.mark.parametrize(("n", "size", "eps"), [(3, 1, 1.0), (4, 2, 3.0), (5, 4, 0.2)])
def test_a_part_spends_what_randomised_response_on_its_sum_does(n: int, size: int, eps: float) -> None:
    """Of n zeros, or one 1 among them, whether the part has the 1 is told by randomised response: no other does worse."""
    part = sum(0 in each for each in combinations(range(n), size)) / len(list(combinations(range(n), size)))
    true = exp(eps) / (1 + exp(eps))
    one = part * true + (1 - part) * (1 - true)
    assert of_a_part(size / n, eps) == pytest.approx(log(one / (1 - true)))
    assert expm1(of_a_part(1.0, eps)) == pytest.approx(expm1(eps))


@pytest.mark.parametrize("eps", [0.01, 1.0, 2.5])
def test_the_largest_share_is_that_which_spends_epsilon(eps: float) -> None:
    share = largest_share(eps, 2.95)
    assert 0 < share < 1 and of_a_part(share, 2.95) == pytest.approx(eps)
    assert largest_share(3.0, 2.95) == 1.0
