"""The baselines' accounting: each k is sufficient and the least, by tails worked out again; what is spent, by dp-accounting."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from dp_accounting import GaussianDpEvent, SelfComposedDpEvent
from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism, from_laplace_mechanism
from dp_accounting.rdp import RdpAccountant
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import laplace, norm

from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Task
from harness.theory.privacy.composition import advanced_share, pure_share, sharper_share
from harness.theory.privacy.gnmax import ORDERS

TASK = Task(m=1000, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)

tasks = st.builds(
    replace,
    st.just(TASK),
    m=st.integers(1, 10**8),
    eps=st.floats(0.01, 20),
    delta=st.floats(1e-15, 0.1),
    beta=st.floats(1e-15, 0.4),
)
BTT18 = constants()["BTT18"]
EVERY = [name for name, mechanism in mechanisms().items() if mechanism.pays_for == "queries"]


def planned(name: str, task: Task = TASK) -> Any:
    return mechanisms()[name].plan(BTT18, task, 10**9)


def chunks(name: str, task: Task = TASK) -> float:
    """k before it is rounded."""
    k: int = mechanisms()[name].plan(replace(BTT18, k_scale=1e12), task, 1).k
    return k / 1e12


def two_laplaces(x: float, scale: float) -> float:
    """P(Lap − Lap > x), by integrating over the first."""
    ends = [-60 * scale, 0.0, max(0.0, x), max(0.0, x) + 60 * scale]
    pieces = pairwise(ends)
    return sum(quad(lambda t: laplace.pdf(t, scale=scale) * laplace.cdf(t - x, scale=scale), a, b)[0] for a, b in pieces)


def stab_refuses(gap: float, task: Task) -> float:
    """P(gap/2 − 1 + Lap(1/ε₀) ≤ ln(2m/δ)/ε₀), half of δ for the composition."""
    share = advanced_share(task.eps, task.m, task.delta / 2)
    return float(laplace.cdf(log(2 * task.m / task.delta) / share - (gap / 2 - 1), scale=1 / share))


def confident_fails(gap: float, task: Task) -> float:
    """With 2k/3 of k votes the top count is k/12 above the threshold: a quarter of the gap k/3."""
    plan = planned("Confident_GNMax", task)
    return float(norm.sf(gap / 4, scale=plan.sigma_check) + norm.sf(gap, scale=sqrt(2) * plan.sigma))


MISSES: dict[str, Callable[[float, Task], float]] = {
    "noisy_majority": lambda gap, task: laplace.sf(gap, scale=2 / advanced_share(task.eps, task.m, task.delta)),
    "noisy_majority_t320": lambda gap, task: laplace.sf(gap, scale=2 / sharper_share(task.eps, task.m, task.delta)),
    "report_noisy_max": lambda gap, task: two_laplaces(gap, 2 / advanced_share(task.eps, task.m, task.delta)),
    "noisy_max_exponential": lambda gap, task: laplace.sf(gap, scale=2 / pure_share(task.eps, task.m, task.delta)),
    "A_stab_per_query": stab_refuses,
    "gaussian": lambda gap, task: norm.sf(gap, scale=planned("gaussian", task).sigma),
    "GNMax": lambda gap, task: norm.sf(gap, scale=sqrt(2) * planned("GNMax", task).sigma),
    "Confident_GNMax": confident_fails,
}
"""The chance that a query of this gap is not answered right, of those where it is worked out again here."""


@pytest.mark.parametrize("name", MISSES)
@pytest.mark.parametrize("m", [1, 1000, 10**6])
@pytest.mark.parametrize(("eps", "delta", "beta"), [(1.0, 1e-6, 0.05), (0.1, 1e-9, 0.3), (8.0, 1e-3, 1e-4)])
def test_k_is_the_least_at_which_m_queries_of_two_thirds_are_right(
    name: str, m: int, eps: float, delta: float, beta: float
) -> None:
    """At a gap of k/3 the union over m of the chance to miss is β to the last digit."""
    task = replace(TASK, m=m, eps=eps, delta=delta, beta=beta)
    k = chunks(name, task)
    assert m * MISSES[name](k / 3, task) == pytest.approx(beta, rel=1e-5)
    assert m * MISSES[name](0.999 * k / 3, task) > beta


@pytest.mark.at_once("Confident_GNMax", "gaussian", "GNMax", "noisy_max_exponential", "noisy_majority")
@pytest.mark.parametrize("name", EVERY)
@given(task=tasks)
def test_it_spends_at_most_what_is_allowed(name: str, task: Task) -> None:
    """At any m that dp-accounting composes in milliseconds."""
    task = replace(task, m=1 + task.m % 3000)
    assert 0 <= planned(name, task).spent <= task.eps * (1 + 1e-9)


@pytest.mark.parametrize("m", [1, 30, 1000, 10**5])
@pytest.mark.parametrize(("eps", "delta"), [(1.0, 1e-6), (0.2, 1e-4), (6.0, 1e-8)])
def test_the_gaussian_spends_exactly_eps_by_dp_accounting(m: int, eps: float, delta: float) -> None:
    """m releases of sensitivity 2, composed on a grid."""
    sigma = planned("gaussian", replace(TASK, m=m, eps=eps, delta=delta)).sigma
    loss = from_gaussian_mechanism(sigma, sensitivity=2, value_discretization_interval=4e-3 / sqrt(m)).self_compose(m)
    assert loss.get_epsilon_for_delta(delta) == pytest.approx(eps, rel=1e-3)


@pytest.mark.parametrize("m", [1, 1000, 10**6])
def test_gnmax_spends_exactly_eps_by_the_renyi_accountant_with_the_conversion_of_its_paper(m: int) -> None:
    """GNMax moves two counts by 1: a Gaussian of sensitivity √2 and noise σ."""
    task = replace(TASK, m=m)
    orders = np.unique(np.concatenate([ORDERS, 1 + np.geomspace(1e-2, 1e3, 4001)])).tolist()
    plain, confident = planned("GNMax", task), planned("Confident_GNMax", task)
    for multipliers in ([plain.sigma / sqrt(2)], [confident.sigma / sqrt(2), confident.sigma_check]):
        accountant = RdpAccountant(orders)
        for multiplier in multipliers:
            accountant.compose(SelfComposedDpEvent(GaussianDpEvent(multiplier), m))
        eps = (accountant.rdp + log(1 / task.delta) / (np.array(orders) - 1)).min()
        assert eps == pytest.approx(task.eps, rel=1e-6)
        assert accountant.get_epsilon(task.delta) < task.eps  # by a sharper conversion


@pytest.mark.parametrize("name", ["GNMax", "Confident_GNMax"])
@pytest.mark.parametrize("m", [1, 300])
def test_gnmax_really_spends_what_its_gaussians_do(name: str, m: int) -> None:
    """Exactly, by the composition of all its noises: less than ε, which the Rényi conversion rounds up to."""
    plan, step = planned(name, replace(TASK, m=m)), 1e-3 / sqrt(m)
    loss = from_gaussian_mechanism(plan.sigma, sensitivity=sqrt(2), value_discretization_interval=step).self_compose(m)
    if "sigma_check" in plan.noise:
        loss = loss.compose(from_gaussian_mechanism(plan.sigma_check, value_discretization_interval=step).self_compose(m))
    assert plan.spent == pytest.approx(loss.get_epsilon_for_delta(TASK.delta), rel=1e-3)
    assert 0.6 * TASK.eps < plan.spent < 0.9 * TASK.eps


@pytest.mark.parametrize("m", [1, 100, 3000])
def test_the_laplace_baselines_spend_what_dp_accounting_composes(m: int) -> None:
    task = replace(TASK, m=m)
    for name, shares, sensitivity, count, delta in (
        ("noisy_majority", 2, 2, m, task.delta),
        ("noisy_majority_t320", 2, 2, m, task.delta),
        ("report_noisy_max", 2, 1, 2 * m, task.delta),
        ("A_stab_per_query", 1, 1, m, 0.75 * task.delta),
    ):
        plan = planned(name, task)
        scale = shares / plan.eps0
        step = sensitivity / scale / 40
        loss = from_laplace_mechanism(scale, sensitivity=sensitivity, value_discretization_interval=step).self_compose(count)
        exact = loss.get_epsilon_for_delta(delta)
        assert exact * (1 - 1e-6) <= plan.spent <= exact * (1 + 2e-4)


@pytest.mark.parametrize("m", [1, 100, 3000])
def test_exponential_noise_spends_no_less_than_its_law_over_two_labels(m: int) -> None:
    """Which is that of Laplace noise on the gap; and exactly ε as a composition of any pure mechanisms, up to 5% more."""
    plan = planned("noisy_max_exponential", replace(TASK, m=m))
    scale = 2 / plan.eps0
    loss = from_laplace_mechanism(scale, sensitivity=2, value_discretization_interval=2 / scale / 40).self_compose(m)
    assert plan.spent == pytest.approx(TASK.eps, rel=1e-6)
    assert 0.9 * plan.spent < loss.get_epsilon_for_delta(TASK.delta) <= plan.spent * (1 + 2e-4)


def test_the_labels_of_A_stab_leak_a_quarter_of_delta() -> None:
    """m queries at distance 0, each answered with P(Lap(1/ε₀) > Γ)."""
    plan = planned("A_stab_per_query")
    leaked = TASK.m * laplace.sf(plan.threshold, scale=1 / plan.eps0)
    assert leaked == pytest.approx(TASK.delta / 4, rel=1e-9, abs=0)


def test_the_scales_at_the_settings_of_the_figures() -> None:
    """ε = 1, δ = 10⁻⁶, m = 1000, worked by hand: √(2000 ln 10⁶) = 166.2 and σ = √1000/√ρ, √ρ = √(1 + ln 10⁶) − √ln 10⁶."""
    assert 2 / planned("noisy_majority").eps0 == pytest.approx(4 * sqrt(2000 * log(1e6)), rel=1e-12)
    rate = (sqrt(1 + log(1e6)) - sqrt(log(1e6))) ** 2
    assert planned("GNMax").sigma == pytest.approx(sqrt(1000 / rate), rel=1e-9)
    assert planned("Confident_GNMax").sigma == pytest.approx(sqrt(5000 / rate), rel=1e-9)
    assert planned("noisy_majority").k == 18372


@pytest.mark.parametrize("share", [1e-6, 0.01, 3.0])
def test_confident_gnmax_divides_beta_nearly_as_well_as_can_be(share: float) -> None:
    """k is proportional to √(72z₁² + 18z₂²), Φ(−z₁) + Φ(−z₂) = β/m: the best division is at most 2% better for β/m ≤ 10⁻³."""
    chance = share * 1e-3 / 3

    def relative_k(part: float) -> float:
        first, second = norm.isf(chance * part), norm.isf(chance * (1 - part))
        return sqrt(72 * first**2 + 18 * second**2)

    assert min(map(relative_k, np.linspace(0.01, 0.99, 99))) > 0.98 * relative_k(0.5)


def test_report_noisy_max_over_more_labels_misses_hardly_more_often() -> None:
    """Two thirds against a third on one label: each of 98 others, without a vote, adds the tail at twice the gap."""
    gap = chunks("report_noisy_max") / 3
    near, far = (MISSES["report_noisy_max"](lead, TASK) for lead in (gap, 2 * gap))
    assert 98 * far < 0.05 * near
