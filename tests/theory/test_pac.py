"""Each PAC bound against the law of a learner it covers, or solved back for the probability it came from; least_s by search."""

from collections.abc import Callable
from functools import partial
from math import e, inf, log, log2, sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import kstwo

from harness.concepts import concepts
from harness.theory import pac
from harness.theory.pac import (
    blumer,
    least_s,
    sharpest,
    stable_compression,
    stumps,
    thresholds_agnostic,
    thresholds_consistent,
    thresholds_extremal,
    vc_agnostic,
)
from harness.theory.parameters import PacBound

BOUNDS: dict[str, PacBound] = {
    "extremal": thresholds_extremal,
    "consistent": thresholds_consistent,
    "agnostic": thresholds_agnostic,
    "blumer V=1": partial(blumer, V=1),
    "blumer V=7": partial(blumer, V=7),
    "stable compression": partial(stable_compression, size=5),
    "vc agnostic V=1": partial(vc_agnostic, V=1),
    "vc agnostic V=7": partial(vc_agnostic, V=7),
}
every_bound = pytest.mark.parametrize("bound", BOUNDS.values(), ids=list(BOUNDS))

sizes = st.integers(1, 10**12)
confidences = st.floats(1e-30, 0.999)


def extremal_fails(a: float, s: int) -> float:
    """P(err > a) of the leftmost or rightmost consistent threshold: no example in a mass of a."""
    return (1 - a) ** s


def worst_consistent_fails(a: float, s: int) -> float:
    """P(err > a) of the consistent threshold that errs most: no example in a mass of a on one side or the other."""
    return 2 * (1 - a) ** s - max(0.0, 1 - 2 * a) ** s


@pytest.mark.parametrize("q", [0.5, 0.05, 1e-9])
@pytest.mark.parametrize("s", [30, 1000, 10**6])
@pytest.mark.parametrize(
    ("bound", "fails", "spent"),
    [
        (thresholds_extremal, extremal_fails, 0.3),
        (thresholds_consistent, worst_consistent_fails, 0.3),
        (partial(blumer, V=1), worst_consistent_fails, 0.0),
    ],
    ids=["extremal", "consistent", "blumer"],
)
def test_a_threshold_exceeds_its_bound_with_probability_at_most_q(
    bound: PacBound, fails: Callable[[float, int], float], spent: float, s: int, q: float
) -> None:
    """Exact laws. The two class-specific bounds are also nearly sharp once they are small: they spend the q they are given."""
    a = min(bound(s, q), 1.0)
    assert fails(a, s) <= q
    if a < 0.05:
        assert fails(a, s) >= spent * q


@pytest.mark.parametrize("q", [0.2, 0.01, 1e-6])
@pytest.mark.parametrize("s", [100, 1000, pytest.param(10**6, marks=pytest.mark.law)])
def test_the_agnostic_threshold_bound_is_four_deviations_of_an_empirical_distribution(s: int, q: float) -> None:
    """The risk of a threshold is made of two empirical distributions, and the excess of a minimiser is at most twice the
    largest deviation of the risk. So each may deviate by a quarter of the bound w.p. at most q/2, here by its exact law.
    Massart's constant is the sharp one, so at least half of that is spent.
    """
    assert q / 4 <= kstwo.sf(thresholds_agnostic(s, q) / 4, s) <= q / 2


@given(st.integers(1, 50), sizes, confidences)
def test_blumer_solves_the_double_sample_bound(V: int, s: int, q: float) -> None:
    """2 (2es/V)^V 2^(−as/2) = q, the growth function of 2s examples against the chance of an error unseen in half of them."""
    assume(s >= V)
    a = blumer(s, q, V)
    assert log(2) + V * (1 + log(2 * s) - log(V)) - a * s / 2 * log(2) == pytest.approx(log(q), abs=1e-9 * a * s)


@given(st.integers(1, 1000), st.integers(2, 10**12), confidences)
def test_the_bound_on_stumps_solves_the_union_over_those_that_one_example_makes(d: int, s: int, q: float) -> None:
    """2ds stumps, of which none that errs by more than a is consistent with the other s − 1 examples w.p. above e^(−a(s−1))."""
    assert log(2 * d * s) - stumps(s, q, d) * (s - 1) == pytest.approx(log(q), rel=1e-9, abs=1e-9)
    assert stumps(1, q, d) == inf


@given(st.integers(1, 50), sizes, confidences)
def test_vc_agnostic_is_a_generalisation_gap_and_two_deviations_at_half_of_q(V: int, s: int, q: float) -> None:
    """By Hoeffding one risk deviates by d w.p. e^(−2sd²) = q/2. The rest is √(2 ln Π(s)/s) with Π(s) = (es/V)^V."""
    assume(s >= V)
    deviation = sqrt(log(2 / q) / s / 2)
    complexity = vc_agnostic(s, q, V) - 2 * deviation
    assert complexity**2 * s / 2 == pytest.approx(V * (log(s / V) + 1), rel=1e-6)


@every_bound
@given(s=sizes, growth=st.integers(0, 10**12), q=confidences)
def test_bounds_fall_with_s_and_rise_with_confidence(bound: PacBound, s: int, growth: int, q: float) -> None:
    # At s = V the derivative of √(2V ln(es/V)/s) is zero, and rounding shows.
    assert bound(s + growth, q) <= bound(s, q) * (1 + 1e-12)
    assert bound(s, q) <= bound(s, q / 2)


@every_bound
def test_no_examples_no_bound(bound: PacBound) -> None:
    assert bound(0, 0.05) == inf


@pytest.mark.parametrize("bound", [blumer, vc_agnostic])
def test_fewer_examples_than_the_dimension_are_no_bound(bound: Callable[[int, float, int], float]) -> None:
    assert bound(6, 0.05, 7) == inf
    assert 1 <= bound(7, 0.05, 7) < inf


@every_bound
@pytest.mark.parametrize("alpha", [0.99, 0.5, 0.31])
@pytest.mark.parametrize("q", [0.9, 0.01])
def test_least_s_is_the_first_s_of_a_linear_search(bound: PacBound, alpha: float, q: float) -> None:
    first = next(s for s in range(1, 10**6) if bound(s, q) <= alpha)
    assert least_s(bound, q, alpha) == first


@every_bound
@given(q=confidences, alpha=st.floats(1e-9, 0.999))
def test_least_s_reaches_alpha_and_one_less_does_not(bound: PacBound, q: float, alpha: float) -> None:
    s = least_s(bound, q, alpha)
    assert bound(s, q) <= alpha
    assert s == 1 or bound(s - 1, q) > alpha


def test_least_s_of_the_extremal_bound_in_closed_form() -> None:
    assert least_s(thresholds_extremal, e**-12, 0.25) == 48
    assert least_s(thresholds_extremal, e**-12, 0.2499) == 49


@pytest.mark.parametrize("q", [0.5, 1e-3, 1e-9])
@pytest.mark.parametrize("gamma", [0.0, 0.1])
@pytest.mark.parametrize("name", ["halfspaces", "cube_stumps", "stumps", "affine_halfspaces"])
def test_a_classs_bound_is_the_sharpest_of_all_that_hold_and_rises_with_the_dimension(
    name: str, gamma: float, q: float
) -> None:
    """Blumer's and the agnostic bound hold for every class; and a class of less dimension is no harder to learn."""
    concept, s, alphas = concepts()[name], 10**5, []
    for V in (1, 2, 4, 8, 16, 32, 64):
        try:
            bound = concept.of_vc(V).pac_bound(None, gamma)
        except ValueError:
            continue
        alphas.append(bound(s, q))
        assert alphas[-1] <= (vc_agnostic if gamma else blumer)(s, q, V)
    assert alphas == sorted(alphas)


@pytest.mark.parametrize("q", [0.5, 1e-3, 1e-9])
def test_on_the_line_there_are_two_halfspaces_and_the_bound_says_so(q: float) -> None:
    """The wrong one survives s examples with probability (1 − a)^s, where it errs on mass a."""
    s = 1000
    for learner in ("svm", "erm", None):
        line, plane = (concepts()["halfspaces"].of_vc(V).pac_bound(learner, 0.0)(s, q) for V in (1, 2))
        assert (1 - line) ** s <= q
        assert line <= plane <= 2 * line


def test_the_sharpest_is_whichever_is_least() -> None:
    bounds = (partial(blumer, V=3), partial(stable_compression, size=3))
    for s in (5, 30, 10**6):
        assert sharpest(s, 0.01, bounds) == min(bound(s, 0.01) for bound in bounds)


def test_a_bound_says_what_it_is_and_of_several_the_one_that_is_least_there() -> None:
    for bound, said in (
        (pac.thresholds_extremal, "ln(1/q)/s: the leftmost or rightmost consistent threshold, which errs on one side only"),
        (
            partial(pac.finite, size=7),
            "ln(size/q)/s: any consistent learner of a class of so many hypotheses, by the union of them, with size = 7",
        ),
        (lambda s, q: 0.5, "that of its class"),
    ):
        assert pac.in_words(bound, 100, 0.01) == said
    either = partial(sharpest, bounds=(partial(blumer, V=3), partial(stable_compression, size=3)))
    assert ["Blumer" in pac.in_words(either, s, 0.01) for s in (5, 10**6)] == [True, False]


@pytest.mark.parametrize("size", [1, 3, 10])
def test_a_bound_is_said_from_the_first_number_of_examples_on_at_which_it_is_one(size: int) -> None:
    """Below that it is infinite; where it begins, and later, it is the printed formula."""
    formulas: dict[str, tuple[int, Callable[[int], float]]] = {
        "finite_agnostic": (1, lambda s: 2 * sqrt(log(2 * size / 0.01) / (2 * s))),
        "stable_compression": (2 * size + 1, lambda s: 2 * (size * log(4) + log(100)) / (s - 2 * size)),
        "blumer": (size, lambda s: 2 / s * (size * log2(2 * e * s / size) + log2(200))),
        "vc_agnostic": (size, lambda s: sqrt(2 * size * log(e * s / size) / s) + 2 * sqrt(log(200) / (2 * s))),
    }
    for name, (first, formula) in formulas.items():
        bound = getattr(pac, name)
        assert bound(first - 1, 0.01, size) == inf
        for s in (first, first + 1, 50 * first):
            assert bound(s, 0.01, size) == pytest.approx(formula(s), rel=1e-12), name
