"""One A_stab: closed forms where Γ is an integer, brute force elsewhere, and which of the three distances is private."""

from math import exp, inf, log, log1p

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import laplace

from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.stab import hockey_stick, spent

parities = pytest.mark.parametrize("parity", [0, 1])


def winner(g: int) -> int:
    return int(g > 0)


def dist(name: str, g: int) -> int:
    """The distances by their definitions; the true one by changing votes until one more would change the winner."""
    if name == "printed":
        return max(0, abs(g) - 1)
    if name == "corrected":
        return max(0, -(-abs(g) // 2) - 1)
    towards = -2 if winner(g) else 2
    changed = 0
    while winner(g + towards * (changed + 1)) == winner(g):
        changed += 1
    return changed


def literal_hockey_stick(name: str, at: float, eps: float, delta: float, parity: int) -> float:
    """Σ_o max(0, P(o) − e^{at} Q(o)) with plain probabilities, over all gaps up to 400 of the parity, both directions."""
    gaps = range(-402 + parity, 401, 2)
    released = laplace.sf(log(1 / delta) / eps - np.array([dist(name, g) for g in gaps]), scale=1 / eps)
    laws = np.zeros((3, len(gaps)))  # of label 0, label 1 and ⊥, at each gap
    laws[[winner(g) for g in gaps], range(len(gaps))] = released
    laws[2] = 1 - released
    less, more = laws[:, :-1], laws[:, 1:]
    return max(float(np.maximum(0, p - exp(at) * q).sum(axis=0).max()) for p, q in ((more, less), (less, more)))


@pytest.mark.parametrize("name", DISTANCES)
def test_distances_are_those_of_their_definitions(name: str) -> None:
    gaps = np.arange(-30, 31)
    assert DISTANCES[name].of(gaps).tolist() == [dist(name, g) for g in gaps.tolist()]


@pytest.mark.parametrize("name", DISTANCES)
@pytest.mark.parametrize(("eps", "delta"), [(0.1, 1e-3), (1.0, 1e-6), (3.0, 0.05)])
@parities
def test_the_divergence_is_the_one_by_brute_force(name: str, eps: float, delta: float, parity: int) -> None:
    for at in (0.0, 0.3 * eps, eps, 1.9 * eps, 5 * eps):
        expected = literal_hockey_stick(name, at, eps, delta, parity)
        assert hockey_stick(name, at, eps, delta, parity) == pytest.approx(expected, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize(
    ("name", "sensitivity", "parity"), [("true", 1, 0), ("true", 1, 1), ("corrected", 1, 0), ("printed", 2, 1)]
)
@pytest.mark.parametrize(("eps", "threshold"), [(1.0, 14), (0.25, 40), (4.0, 4)])
def test_the_spent_eps_in_closed_form(name: str, sensitivity: int, parity: int, eps: float, threshold: int) -> None:
    """With Γ a distance that occurs, the worst pair goes from Γ to Γ − Δ: ½(1 − e^{ε' − Δε}) = δ."""
    delta = exp(-eps * threshold)
    assert spent(name, eps, delta, parity) == pytest.approx(sensitivity * eps + log1p(-2 * delta), abs=1e-10)


@given(eps=st.floats(0.1, 10), delta=st.floats(1e-9, 0.1), parity=st.sampled_from([0, 1]))
def test_the_true_and_the_corrected_distance_keep_the_promise(eps: float, delta: float, parity: int) -> None:
    """BTT18 T2.4 and the repair of T3.1's step."""
    assert spent("true", eps, delta, parity) <= eps
    assert spent("corrected", eps, delta, parity) <= eps


@given(eps=st.floats(0.1, 10), delta=st.floats(1e-9, 1e-3))
def test_the_printed_distance_spends_twice_the_promise(eps: float, delta: float) -> None:
    """T3.1's step is false: nearly 2ε for odd k where δ is small; the pairs nearest Γ keep it from 2ε itself."""
    assume(delta * exp(eps) <= 0.1)
    assert 2 * eps - 3 * delta * exp(eps) <= spent("printed", eps, delta, parity=1) <= 2 * eps


@pytest.mark.parametrize(("eps", "finite"), [(0.5, True), (0.69, True), (0.7, False), (3.0, False)])
def test_with_even_k_the_printed_distance_has_no_eps_beyond_ln_2(eps: float, finite: bool) -> None:
    """At a gap of 2 the printed distance is 1, so a label that the tie never gives appears with probability ½δe^ε."""
    delta = 1e-6
    assert hockey_stick("printed", inf, eps, delta, parity=0) == pytest.approx(delta * exp(eps) / 2, rel=1e-12, abs=0)
    assert (spent("printed", eps, delta, parity=0) < inf) == finite


def test_nothing_is_spent_where_delta_covers_everything() -> None:
    assert spent("corrected", 1e-3, 0.4, parity=1) == 0.0
