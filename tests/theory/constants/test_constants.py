"""The printed constants against formulas written a second time, worked by hand, and put to the use they are printed for."""

from dataclasses import replace
from math import e, exp, inf, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.theory.constants import constants
from harness.theory.constants.btt18 import mistakes
from harness.theory.constants.btt18a import mistakes_additive
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Constants, Task

CONSTANTS = constants()

BTT18, BTT18a = CONSTANTS["BTT18"], CONSTANTS["BTT18a"]

positive = st.floats(1e-3, 1e3)
probabilities = st.floats(1e-30, 0.99)
tasks = st.builds(
    Task,
    m=st.integers(1, 10**9),
    eps=positive,
    delta=probabilities,
    beta=probabilities,
    gamma=st.floats(0, 0.5),
    pac_bound=st.just(thresholds_extremal),
)
cutoffs = st.floats(1, 1e9)


def close(expected: float) -> object:
    return pytest.approx(expected, rel=1e-12)


@given(tasks, cutoffs)
def test_lam_and_w_are_the_printed_ones_in_every_set_of_the_papers(task: Task, T: float) -> None:
    for each in (BTT18, BTT18a, CONSTANTS["k_tight"]):
        assert each.lam(task, T) * task.eps == close(sqrt(32 * T * log(2 / task.delta)))
        assert each.w(task, T) / each.lam(task, T) == close(2 * log(2 * task.m / task.delta))


@given(tasks, cutoffs)
def test_k_of_BTT18_is_272_and_k_of_BTT18a_136_times_the_same(task: Task, T: float) -> None:
    common = log(4 * task.m * T / min(task.delta, task.beta / 2)) * sqrt(T * log(2 / task.delta)) / task.eps
    assert BTT18.k(task, T) == close(272 * common)
    assert BTT18a.k(task, T) == close(136 * common)
    assert BTT18.k(task, T) == close(2 * BTT18a.k(task, T))


@given(tasks, st.floats(0, 2))
def test_the_papers_differ_in_the_deviation_that_T_allows(task: Task, alpha: float) -> None:
    p, L = task.gamma + alpha, log(task.m) - log(task.beta)
    assert BTT18.T(task, alpha) == close(max(1.0, 3 * p * task.m + 3 * sqrt(p * task.m) * sqrt(L / 2)))
    assert BTT18a.T(task, alpha) == close(max(1.0, 3 * p * task.m + 3 * sqrt(task.m) * sqrt(L / 2)))


def test_lam_w_and_k_worked_by_hand() -> None:
    """ln(2/δ) = 2 and T = 4 make λ = 16; ln(2m/δ) = 2 makes w = 64; ln(4mT/(β/2)) = 5 makes k = 272·5·√8."""
    task = Task(m=1, eps=1.0, delta=2 / e**2, beta=32 / e**5, gamma=0.0, pac_bound=thresholds_extremal)
    assert BTT18.lam(task, 4) == close(16)
    assert BTT18.w(task, 4) == close(64)
    assert BTT18.k(task, 4) == close(1360 * sqrt(8))
    assert BTT18a.k(task, 4) == close(680 * sqrt(8))


def test_T_worked_by_hand() -> None:
    """m = 32, γ+α = 1/4 and ln(m/β) = 16: 8 mistakes expected, and a deviation of √(8·16/2) = 8 or √(32·16/2) = 16."""
    task = Task(m=32, eps=1.0, delta=1e-6, beta=32 / e**16, gamma=0.125, pac_bound=thresholds_extremal)
    assert (mistakes(task, 0.125), BTT18.T(task, 0.125)) == (close(16), close(48))
    assert (mistakes_additive(task, 0.125), BTT18a.T(task, 0.125)) == (close(24), close(72))


@pytest.mark.parametrize("constants", CONSTANTS.values(), ids=list(CONSTANTS))
@given(task=tasks, alphas=st.tuples(st.floats(0, 10), st.floats(0, 10)))
def test_T_is_at_least_1_and_grows_with_alpha(constants: Constants, task: Task, alphas: tuple[float, float]) -> None:
    lower, upper = sorted(alphas)
    assert 1 <= constants.T(task, lower) <= constants.T(task, upper)
    assert constants.T(task, inf) == inf


@pytest.mark.parametrize(("constants", "sensitivity"), [(BTT18a, 1), (BTT18, 2)], ids=["BTT18a", "BTT18"])
@pytest.mark.parametrize("m", [1, 10**4, 10**8])
@pytest.mark.parametrize("beta", [0.5, 0.05, 1e-9])
@pytest.mark.parametrize("delta", [1e-2, 1e-12])
@pytest.mark.parametrize("T_over_m", [0.0, 0.01, 1.0])
def test_the_printed_k_answers_every_query_on_which_two_thirds_agree(
    constants: Constants, sensitivity: int, m: int, beta: float, delta: float, T_over_m: float
) -> None:
    """What k is for. A gap of k/3 is a distance of k/3 − 1, or k/6 − 1 if each example moves the gap by 2 (which is what
    the factor 2 of BTT18 pays for). Each of m tests fails w.p. P(Lap(2λ) − Lap(λ) > x) = ⅔e^(−x/2λ) − ⅙e^(−x/λ) at the slack
    x = distance − w, and by the union bound some test does with probability at most β.
    """
    T = max(1.0, T_over_m * m)
    task = Task(m=m, eps=1.0, delta=delta, beta=beta, gamma=0.0, pac_bound=thresholds_extremal)
    lam, w = constants.lam(task, T), constants.w(task, T)
    slack = constants.k(task, T) / (3 * sensitivity) - 1 - w
    assert slack > 0
    assert m * (2 / 3 * exp(-slack / (2 * lam)) - exp(-slack / lam) / 6) <= beta


@given(tasks, cutoffs)
def test_the_corrected_constants_are_the_printed_ones_for_one_bottom_more(task: Task, T: float) -> None:
    corrected = CONSTANTS["corrected"]
    assert corrected.lam(task, T) == close(BTT18.lam(task, T + 1))
    assert corrected.w(task, T) == close(BTT18.w(task, T + 1))
    assert corrected.k(task, T) == close(BTT18.k(task, T + 1))
    assert corrected.T(task, 0.1) == CONSTANTS["tight"].T(task, 0.1) == BTT18.T(task, 0.1)
    assert corrected.calibration.distance.name == CONSTANTS["tight"].calibration.distance.name == "corrected"


@given(tasks, cutoffs)
def test_the_tight_k_spends_beta_on_the_noise_to_the_last(task: Task, T: float) -> None:
    """At the distance k/6 − 1 of two-thirds agreement, x = k/6 − 1 − w: as k_tight below."""
    tight = CONSTANTS["tight"]
    slack = tight.k(task, T) / 6 - 1 - tight.w(task, T)
    assert log(task.m * 2 / 3) - slack / (2 * tight.lam(task, T)) == pytest.approx(log(task.beta), abs=1e-6)


@given(tasks, cutoffs)
def test_k_tight_spends_beta_on_the_noise_to_the_last(task: Task, T: float) -> None:
    """At the distance k/3 − 1 of two-thirds agreement the m queries miss w.p. at most m·⅔e^(−x/2λ) = β, x = k/3 − 1 − w."""
    tight = CONSTANTS["k_tight"]
    slack = tight.k(task, T) / 3 - 1 - tight.w(task, T)
    assert log(task.m * 2 / 3) - slack / (2 * tight.lam(task, T)) == pytest.approx(log(task.beta), abs=1e-6)
    assert tight.T(task, 0.1) == BTT18.T(task, 0.1)


@given(tasks, cutoffs, st.floats(0.01, 10))
def test_a_scale_multiplies_k_and_nothing_else(task: Task, T: float, scale: float) -> None:
    scaled = replace(BTT18, k_scale=scale)
    assert scaled.k(task, T) == close(scale * BTT18.k(task, T))
    assert (scaled.lam(task, T), scaled.w(task, T)) == (BTT18.lam(task, T), BTT18.w(task, T))


@given(tasks, st.floats(0, 1e6), st.sampled_from([0.0, 0.3, inf]))
def test_a_cutoff_set_directly_is_T_whatever_alpha_is(task: Task, cutoff: float, alpha: float) -> None:
    assert replace(BTT18, cutoff=cutoff).T(task, alpha) == max(1.0, cutoff)
