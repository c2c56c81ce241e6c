"""The lower bound's witness: its tables are real, its queries fit, and dp-accounting finds no less for the whole pair."""

from collections.abc import Iterator
from itertools import count
from math import log

import numpy as np
import pytest
from dp_accounting.pld.privacy_loss_distribution import from_two_probability_mass_functions
from scipy.stats import binom

from harness.arrays import Reals
from harness.theory.constants import calibrations
from harness.theory.privacy import witness as witness_module
from harness.theory.privacy.sparse_vector import first_bottom
from harness.theory.privacy.witness import _patterns, strongest_witness

CALIBRATIONS = calibrations()

DELTA = 1e-6
runs = pytest.mark.parametrize(
    ("eps", "m", "T"), [(1.0, 1, 1), (10.0, 7, 2), (0.1, 100_000, 10), (3.0, 1000, 400), (1.0, 500, 600)]
)


@pytest.mark.parametrize("name", CALIBRATIONS)
@runs
def test_the_tables_are_real_and_the_queries_fit(name: str, eps: float, m: int, T: float) -> None:
    """Neighbouring tables, by gaps of one parity that differ by 2 and never change the winner; j + 1 queries an epoch."""
    calibration = CALIBRATIONS[name]
    witness = strongest_witness(calibration, eps, DELTA, m, T)
    p, q = np.array(witness.distances), np.array(witness.moved)
    assert set(np.abs(p - q)) == {calibration.distance.sensitivity}
    if name == "printed":
        p_gap, q_gap = p + 1, q + 1
        assert set(p_gap % 2) == set(q_gap % 2) == {1}
    if calibration.distance.unsettled is not None:
        assert p.min() >= 0 and q.min() >= 0
    assert witness.n <= T + 1
    assert witness.n * (len(p) + 1) < max(m, 3)


@pytest.mark.at_once("5.0-300-printed", "1.0-1-lean", "1.0-1-corrected", "5.0-300-tight", "1.0-1-sparse_vec")
@pytest.mark.parametrize("name", CALIBRATIONS)
@pytest.mark.parametrize(
    ("eps", "T"), [(1.0, 1), (5.0, 300), *(pytest.param(eps, 10, marks=pytest.mark.law) for eps in (0.1, 10.0))]
)
def test_the_event_shows_what_it_says_and_nearly_all_its_pair_can_show(name: str, eps: float, T: float) -> None:
    """From the tables alone: the event's probabilities by the binomial law; the pair's own ε by dp-accounting, rounded up."""
    calibration = CALIBRATIONS[name]
    m = 10_000
    witness = strongest_witness(calibration, eps, DELTA, m, T)
    lam, w = calibration.lam(eps, DELTA, m, T), calibration.w(eps, DELTA, m, T)
    p, q = (first_bottom((np.array(table) - w) / lam) for table in (witness.distances, witness.moved))
    speaking = list(witness.bottoms)
    high, low = (binom.sf(witness.t - 1, witness.n, law[speaking].sum()) for law in (p, q))
    assert high > DELTA
    assert witness.eps == pytest.approx(log((high - DELTA) / low), rel=1e-9)

    step = 2 * calibration.distance.sensitivity / lam / 1000
    loss = from_two_probability_mass_functions(
        dict(zip(count(), np.log(q), strict=False)), dict(zip(count(), np.log(p), strict=False)), True, step
    )
    accounted = loss.self_compose(witness.n).get_epsilon_for_delta(DELTA)
    assert 0.9 * accounted <= witness.eps <= accounted + 1e-9


@pytest.mark.parametrize(("m", "T"), [(40, 9), (41, 9), (50, 9), (51, 9), (3, 1), (1000, 99)])
def test_the_longest_pattern_in_every_epoch_takes_fewer_queries_than_there_are(
    m: int, T: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one that closes the epoch; and one query more an epoch would take too many."""
    tried: list[int] = []

    def patterns(longest: int) -> Iterator[tuple[Reals, Reals]]:
        tried.append(longest)
        return _patterns(longest)

    monkeypatch.setattr(witness_module, "_patterns", patterns)
    witness = strongest_witness(CALIBRATIONS["printed"], 1.0, DELTA, m, T)
    assert witness.n * (tried[0] + 1) < m <= witness.n * (tried[0] + 2)


@pytest.mark.parametrize("longest", [2, 15, 1000])
def test_every_query_of_a_pattern_moves_and_ladders_move_both_ways(longest: int) -> None:
    """Alternating ones begin downwards as often as upwards; of the others all but the last are at one level and move down."""
    tried = {(tuple(levels.tolist()), tuple(signs.tolist())) for levels, signs in _patterns(longest)}
    assert {abs(sign) for _, signs in tried for sign in signs} == {1.0}
    ladders = {each for each in tried if all(a != b for a, b in zip(each[1], each[1][1:], strict=False))}
    assert all((levels, tuple(-sign for sign in signs)) in tried for levels, signs in ladders if len(signs) > 2)
    assert {(0.0,) * len(signs) for levels, signs in ladders} <= {levels for levels, _ in ladders}
    assert 2 in {len(signs) for _, signs in tried} and max(len(signs) for _, signs in tried) <= longest
    for j in {len(signs) for _, signs in tried}:
        ends = {(levels[:-1], levels[-1]) for levels, signs in tried if signs == (-1.0,) * (j - 1) + (1.0,)}
        assert ends >= {((top,) * (j - 1), last) for top in (0.0, 1.0) for last in (-1.0, 0.0)}
