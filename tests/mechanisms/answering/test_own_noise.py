"""Sparse vectors with noise of their own: k by tails worked out again, and the exact law of a run on neighbouring votes."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import exp
from typing import Any

import numpy as np
import pytest
from scipy.stats import expon, kstest, norm

from harness.arrays import Ints, Reals
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.exponential_sparse_vector import epoch_share
from harness.theory.constants import constants
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Task
from harness.theory.privacy.distance import DISTANCES

NAMES = ("gaussian_sparse_vector", "exponential_sparse_vector")
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
Passes = Callable[[Ints, Any], Reals]


def planned(name: str, m: int, delta: float = 1e-6, T: float = 1.0) -> Any:
    set_of = constants()["lean"]
    task = Task(m=m, eps=1.0, delta=delta, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
    return mechanisms()[name].solved(set_of, task, 10**12), task  # type: ignore[attr-defined]


def gaussian_nodes(plan: Any) -> tuple[Reals, Reals]:
    """A threshold that is w for certain."""
    return np.array([plan.w]), np.ones(1)


def exponential_nodes(plan: Any) -> tuple[Reals, Reals]:
    """Thresholds w − E, by quadrature over E up to 40λ, in panels that end at whole distances, where chances have a kink."""
    ends = np.append(plan.w, np.arange(np.floor(plan.w), plan.w - 40 * plan.lam, -1))
    half, middle = (ends[:-1] - ends[1:])[:, np.newaxis] / 2, (ends[:-1] + ends[1:])[:, np.newaxis] / 2
    nodes = (middle + half * NODES).ravel()
    return nodes, (half * WEIGHTS).ravel() * expon.pdf(plan.w - nodes, scale=plan.lam)


LAWS = {
    "gaussian_sparse_vector": (norm(scale=2.5).cdf, None),
    "exponential_sparse_vector": (lambda x: expon.sf(-x, scale=2**0.5 * 2.5), lambda x: expon.sf(-x, scale=2.5)),
}


@pytest.mark.parametrize("name", NAMES)
def test_noise_is_drawn_by_its_laws(name: str) -> None:
    """Kolmogorov–Smirnov at 1e-8 of 5,000 draws each; a threshold that is known has none."""
    plan, _ = planned(name, 10)
    noise, rng = mechanisms()[name].noise(replace(plan, lam=2.5)), np.random.default_rng(3)  # type: ignore[attr-defined]
    of_value, of_threshold = LAWS[name]
    assert kstest(noise.values(5000, rng), of_value).pvalue > 1e-8
    drawn = noise.thresholds(5000, rng)
    assert not drawn.any() if of_threshold is None else kstest(drawn, of_threshold).pvalue > 1e-8
    x = np.array([-9.0, -1.0, 0.0, 0.3])
    assert noise.below(x) == pytest.approx(of_value(x), rel=1e-12)
    assert of_value(noise.quantile(np.array([1e-30, 0.1, 0.9]))) == pytest.approx([1e-30, 0.1, 0.9], rel=1e-9)


def chances(name: str, dist: Ints, threshold: Reals, plan: Any) -> Reals:
    """P(⊥) at each distance and threshold, (nodes, m)."""
    x = threshold[:, np.newaxis] - dist
    if name == "gaussian_sparse_vector":
        return np.asarray(norm.cdf(x, scale=plan.lam))
    return np.asarray(expon.sf(-x, scale=2**0.5 * plan.lam))


def law(name: str, gaps: Ints, plan: Any) -> dict[tuple[int, ...], float]:
    """What all answers are, with their chances: 0 or 1 for labels, 2 for ⊥, 3 for none; T = 1, so two ⊥s at most."""
    nodes, weights = gaussian_nodes(plan) if name == "gaussian_sparse_vector" else exponential_nodes(plan)
    bottom = chances(name, DISTANCES["corrected"].of(gaps), nodes, plan)
    found: dict[tuple[int, ...], float] = {}
    for said in product((False, True), repeat=len(gaps)):
        if sum(said) > 2 or (sum(said) == 2 and not said[-1] and any(said[np.flatnonzero(np.cumsum(said) == 2)[0] + 1 :])):
            continue
        ends = [*np.flatnonzero(said)[:2].tolist(), len(gaps)][:2] if sum(said) < 2 else np.flatnonzero(said)[:2].tolist()
        chance, start = 1.0, 0
        for end in ends:
            passing = np.prod(1 - bottom[:, start : min(end, len(gaps))], axis=1)
            chance *= float(weights @ (passing * bottom[:, end] if end < len(gaps) else passing))
            start = end + 1
        halted = ends[-1] if sum(said) == 2 else len(gaps)
        told = [
            3 if i > halted else 2 if bot else int(gap > 0)
            for i, (gap, bot) in enumerate(zip(gaps.tolist(), said, strict=True))
        ]
        found[tuple(told)] = found.get(tuple(told), 0.0) + chance
    return found


def excess(name: str, plan: Any, before: Ints, after: Ints, eps: float) -> float:
    """The least δ for ε on these two tables, exactly."""
    p, q = law(name, before, plan), law(name, after, plan)
    assert sum(p.values()) == pytest.approx(1, abs=1e-8)
    return sum(max(0.0, chance - exp(eps) * q.get(said, 0.0)) for said, chance in p.items())


def tables(plan: Any, m: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Gaps about the threshold, some ties among them, of which each moves by 2 either way."""
    gaps = 2 * np.rint(plan.w + plan.lam * rng.normal(rng.choice([0, 1, 2]), rng.choice([0.1, 1]), m)).astype(np.int64)
    gaps[rng.random(m) < 0.15] = 0
    moved = gaps + 2 * (rng.choice([-1, 1]) if rng.random() < 0.5 else rng.choice([-1, 1], m))
    return np.maximum(gaps, 0), moved


@pytest.mark.parametrize("name", NAMES)
def test_what_leaks_is_the_chance_of_a_label_on_a_tie(name: str) -> None:
    plan, task = planned(name, 6, delta=1e-3)
    leak = law(name, np.array([0]), plan)[(0,)]
    assert mechanisms()[name].leak(plan) == pytest.approx(leak, rel=1e-5)  # type: ignore[attr-defined]
    assert 2 * leak <= task.delta / 2 * (1 + 1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_exact_law_of_a_run_keeps_to_eps_and_with_a_fifth_of_the_noise_does_not(name: str) -> None:
    """Labels included, over six queries, on sixty pairs of tables."""
    plan, task = planned(name, 6, delta=1e-3)
    rng, worst, faulty = np.random.default_rng(1), 0.0, 0.0
    less = replace(plan, lam=plan.lam / 5, w=plan.w / 5)
    for _ in range(60):
        worst = max(worst, excess(name, plan, *tables(plan, 6, rng), eps=1.0))
        faulty = max(faulty, excess(name, less, *tables(less, 6, rng), eps=1.0))
    assert worst <= task.delta < faulty


def test_an_epoch_with_exponential_noise_reaches_its_eps_and_no_more() -> None:
    """Its first ⊥ on tables that move against one another, up to where the chances are too small to be told."""
    plan, _ = planned("exponential_sparse_vector", 40)
    nodes, weights = exponential_nodes(plan)

    def first(dist: Ints) -> Reals:
        bottom = chances("exponential_sparse_vector", dist, nodes, plan)
        passed = np.cumprod(1 - bottom, axis=1)
        before = np.concatenate([np.ones((len(nodes), 1)), passed[:, :-1]], axis=1)
        return np.append(weights @ (before * bottom), weights @ passed[:, -1])

    largest, rng = 0.0, np.random.default_rng(2)
    for trial in range(200):
        near = plan.w + plan.lam * (rng.normal(0, 1.5, 40) if trial % 2 else np.full(40, rng.uniform(-6, 0)))
        dist = np.rint(near).astype(np.int64)
        dist[-1] = np.rint(plan.w + 3 * plan.lam)
        moved = dist - 1
        moved[-1] = dist[-1] + 1
        p, q = first(dist), first(moved)
        seen = np.minimum(p, q) > 1e-12
        largest = max(largest, float(np.abs(np.log(p[seen] / q[seen])).max()))
    assert 0.8 * epoch_share(plan.lam) < largest <= epoch_share(plan.lam) * (1 + 1e-9)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("m", [100, 10**5])
def test_at_its_k_two_thirds_pass_all_tests_but_for_half_of_beta(name: str, m: int) -> None:
    """The distance of two thirds of k votes, and the chance that a test fails there, by quadrature over the threshold."""
    plan, task = planned(name, m)
    nodes, weights = gaussian_nodes(plan) if name == "gaussian_sparse_vector" else exponential_nodes(plan)
    for k, least, most in ((plan.k, 0.3, 1.0), (int(0.8 * plan.k), 1.5, 1e4)):
        dist = np.array([int(k / 6 - 1)])
        failed = m * float((weights @ chances(name, dist, nodes, plan))[0])
        assert least * task.beta / 2 < failed < most * 1.1 * task.beta / 2


@pytest.mark.parametrize("name", NAMES)
def test_so_many_as_fail_a_test_at_a_share_of_dissenters_are_not_answered_by_the_winner(name: str) -> None:
    """By quadrature over the threshold; all, where that share is not above it."""
    plan, task = planned(name, 1000)
    nodes, weights = gaussian_nodes(plan) if name == "gaussian_sparse_vector" else exponential_nodes(plan)
    for dissent in (0.15, 0.3, 0.49):
        dist = DISTANCES["corrected"].of(np.array([int((1 - 2 * dissent) * plan.k)]))
        expected = task.m * float((weights @ chances(name, dist, nodes, plan))[0]) if dist[0] > plan.w else 1.0
        assert mechanisms()[name].stable_failure(plan, task, 2, dissent) == pytest.approx(min(1.0, expected), rel=1e-6)
    assert expected == 1.0
    near = replace(plan, w=float(dist[0]) - 0.5)  # the chance of one query is that of a test by half a vote
    few = replace(task, m=1)
    assert 0 < mechanisms()[name].stable_failure(near, few, 2, dissent) < 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("m", [10, 1000])
def test_all_of_eps_is_spent(name: str, m: int) -> None:
    _, task = planned(name, m)
    plan = mechanisms()[name].plan(constants()["lean"], task, 10**12)
    assert 0.99 * task.eps < plan.spent <= task.eps * (1 + 1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_a_label_that_differs_is_given_with_half_of_delta(name: str) -> None:
    plan, task = planned(name, 1000)
    nodes, weights = gaussian_nodes(plan) if name == "gaussian_sparse_vector" else exponential_nodes(plan)
    passed = 1 - float((weights @ chances(name, np.array([0]), nodes, plan))[0])
    assert 2 * passed == pytest.approx(task.delta / 2, rel=1e-4)
