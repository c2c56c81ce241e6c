"""Theorem 3.2 by β and by reading: the search against sums by hand, the bounds against a mechanism that is run, the claims."""

from fractions import Fraction
from itertools import pairwise
from math import comb, log, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from harness.claims.btt18.split_votes import (
    CALM,
    EDGES,
    at_most,
    bottom,
    mean_at,
    missed_at_least,
    per_error,
    worst,
)
from harness.claims.btt18.t3_2 import BREAKS
from harness.claims.btt18.t3_2_beta import FAILS, LINKS
from harness.claims.engine import ComputedExponents, Form, Unbent, overall, task_of
from harness.claims.registry import claims, errata
from harness.mechanisms.above_threshold import in_order
from harness.report.verdicts import Evidence, judge
from harness.sweep.table.cells import Cells
from harness.theory.constants import constants
from tests.claims.btt18.test_t3_2 import rows


def by_hand(m: int, p: float, allowed: int) -> float:
    """P(Bin(m, p) > allowed), term by term, exactly."""
    q = Fraction(p)
    return float(1 - sum(comb(m, i) * q**i * (1 - q) ** (m - i) for i in range(allowed + 1)))


def three_b(m: int, alpha: float, beta: float) -> float:
    return 3 * (alpha * m + sqrt(alpha * m * log(m / beta) / 2))


@pytest.mark.parametrize("reading", list(FAILS))
def test_each_reading_fails_from_a_beta_on_downwards_as_far_as_the_search_sees(reading: str) -> None:
    beta = FAILS[reading]
    assert worst(reading, 1.025 * beta).chance < 2 * 1.025 * beta
    for lower in (beta, beta / 10, beta / 1000):
        assert worst(reading, lower).chance > 2 * lower


def test_every_text_says_the_same_beta() -> None:
    said = {"ceiling": "3.4·10⁻⁴", "at-least-one": "7.5·10⁻³", "real": "0.055"}
    assert {reading: f"{beta:.2g}" for reading, beta in FAILS.items()} == {
        "ceiling": "0.00034", "at-least-one": "0.0075", "real": "0.055"
    }  # fmt: skip
    for reading, beta in said.items():
        assert f"from β = {beta} down" in claims()[f"BTT18:T3.2-{reading}"].why
        for text in (claims()["BTT18:T3.2"].why, errata()["chernoff-without-its-constant"].holds):
            assert beta in text


@pytest.mark.parametrize(("reading", "beta"), [("real", 0.05), ("at-least-one", 0.005), ("ceiling", 1e-4)])
def test_the_worst_split_is_one_that_the_reading_allows_and_its_chance_is_a_sum_by_hand(reading: str, beta: float) -> None:
    found = worst(reading, beta)
    mean = three_b(found.m, found.alpha, beta)
    assert mean <= EDGES[reading](found.allowed) and mean > EDGES[reading](found.allowed) * (1 - 1e-9)
    assert {"real": mean, "at-least-one": max(1.0, mean), "ceiling": np.ceil(mean)}[reading] < found.allowed + 1
    region = by_hand(found.m, found.alpha * found.k / found.wrong, found.allowed)
    assert 0.99 * region < found.chance < region


@pytest.mark.parametrize(("reading", "beta"), [("at-least-one", 0.005), ("ceiling", 1e-4)])
def test_no_share_of_wrong_votes_and_no_m_is_worse(reading: str, beta: float) -> None:
    """Every m up to 12, every number of wrong votes of the small k of ε = 100, and every t up to 4."""
    eps, delta, found = 100.0, 1e-6, 0.0
    printed = constants()["BTT18"]
    for allowed in range(1, 5):
        edge = EDGES[reading](allowed)
        for m in range(allowed + 1, 13):
            task = task_of(m, beta, eps=eps, delta=delta)
            lam, w, k = printed.lam(task, edge), printed.w(task, edge), printed.whole_k(task, edge)
            alpha = float(mean_at(edge, log(m / beta))) / m
            wrong = np.arange(1, k // 2 + 1)
            found = max(found, float(missed_at_least(m, alpha, k, wrong, lam, w, allowed).max()))
    assert worst(reading, beta, eps, delta).chance == pytest.approx(found, rel=0.01)


@pytest.mark.law
def test_what_is_below_is_below_and_what_is_above_is_above_the_mechanism_itself() -> None:
    """3,000 runs on eight queries of which each is split with probability ¼: false with probability below 10⁻⁶ either way."""
    m, T, k, wrong, mass, runs = 8, 1.0, 101, 48, 0.25, 3_000
    lam, w = 3.0, 20.0
    rng = np.random.default_rng(1)
    dist = np.where(rng.random((runs, m)) < mass, max(0, k - 2 * wrong - 1), k - 1).astype(float)
    failed = sum(len(in_order(values, lam, w, T, rng)) > T for values in dist)
    at_fresh = float(bottom(k, wrong, lam, w))
    least = binom.sf(1, m, mass) * at_fresh**2
    most = binom.sf(1, m, mass * at_fresh)
    assert least < most < 1.1 * least
    assert binom.cdf(failed, runs, least) > 1e-6 and binom.sf(failed - 1, runs, most) > 1e-6


@pytest.mark.parametrize("beta", [1e-10, 0.05, 0.2])
@pytest.mark.parametrize(("eps", "delta"), [(0.1, 1e-6), (100, 1e-10), (100, 0.2)])
def test_a_query_is_missed_with_chance_at_most_r_times_the_share_of_wrong_votes(beta: float, eps: float, delta: float) -> None:
    for m, T in ((1, 1.0), (1, 4.5), (1000, 1.0), (1000, 30.0)):
        task = task_of(m, beta, eps=eps, delta=delta)
        printed = constants()["BTT18"]
        lam, w, k, r = printed.lam(task, T), printed.w(task, T), printed.whole_k(task, T), per_error(task, T)
        wrong = np.unique(np.linspace(0, k // 2, 20_000).astype(int))
        assert r <= CALM
        assert (bottom(k, wrong, lam, w) <= r * wrong / k + 1e-15).all()


@pytest.mark.parametrize(("reading", "beta"), [("at-least-one", 0.05), ("ceiling", 0.002)])
def test_the_bound_from_above_is_above_every_law_on_a_grid(reading: str, beta: float) -> None:
    most = at_most(reading, beta)
    assert worst(reading, beta).chance < most < 2 * worst(reading, beta).chance
    for m in (2, 5, 50, 299, 301, 2000, 10**5):
        for alpha in np.geomspace(1e-7, 0.3, 60):
            mean = three_b(m, alpha, beta)
            T = max(1.0, mean) if reading == "at-least-one" else float(np.ceil(mean))
            assert binom.sf(int(T), m, min(1.0, CALM * alpha)) <= most * (1 + 1e-9)


def test_the_steps_of_the_proof_cover_the_range_without_a_gap() -> None:
    for reading, betas in LINKS.items():
        assert all(low < high for low, high in pairwise(betas)) and betas[-1] == 0.2
        assert at_most(reading, betas[1]) <= betas[0] < 1.1 * at_most(reading, betas[1])


def test_the_theorem_is_to_be_refuted_where_the_law_says_so_and_nowhere_else() -> None:
    """A table at β = 0.05 is to hold; so is one of learners at any β; one of split votes at small β is to be refuted."""
    broken = {"concept": "arcs", "distribution_parameters": '{"share": 0.5}', "learner": "spread", "k": 21_000, "lam": 21.5,
              "w": 700.0, "T": 1.0, "m": 8, "alpha": 1 / 620, "beta": 1e-6, "gamma": 0.0}  # fmt: skip
    for change, breaks in (
        ({}, True),
        ({"beta": 0.05}, False),
        ({"T": 1.99}, True),
        ({"T": 7.0}, False),
        ({"distribution_parameters": '{"share": 0.41}'}, False),
        ({"concept": "thresholds", "distribution_parameters": "{}"}, False),
        ({"concept": "exact_error", "distribution_parameters": "{}", "learner": "identical"}, True),
        ({"concept": "exact_error", "distribution_parameters": "{}", "learner": "independent"}, False),
    ):
        assert BREAKS.meets(pd.Series(broken | change)) == breaks, change


def test_what_is_refuted_on_some_instances_alone_is_expected_to_hold_on_others() -> None:
    frame = rows({}, repeat=200).assign(concept="arcs", distribution_parameters='{"share": 0.5}', learner="spread", lam=21.5,
                                        w=700.0, k=21_000)  # fmt: skip
    claim = claims()["BTT18:T3.2"]
    found = {}
    for beta in (0.05, 1e-6):
        table = Evidence("small", "answers", Cells(frame.assign(beta=beta, m=8, T=1.0, alpha=1 / 620)), ("BTT18:T3.2",))
        (finding,) = judge([table])
        found[beta] = (finding.expected, finding.should)
    assert claim.expected == "refuted"
    assert found == {0.05: ("holds", "should hold"), 1e-6: ("refuted", "should be refuted")}


def test_the_order_of_the_bound_is_refuted_by_growth_and_not_by_a_constant() -> None:
    """T/m over γ + α grows as a power of 1/α on the way to 0: 0 is refuted, and so would be any constant, however large."""
    decider = claims()["BTT18:T3.2-rate"].decider
    assert isinstance(decider, ComputedExponents)
    ((_, _, at),) = decider.sweeps()
    assert overall(each.outcome for each in decider.computed("x")) == "refuted"
    bounded = ComputedExponents(decider.form, lambda: [("bounded", "alpha", at.assign(mean=1e6, low=1e6, high=1e6))])
    assert overall(each.outcome for each in bounded.computed("x")) == "holds"
    growing = ComputedExponents(Form({"alpha": -0.25}, Unbent()), decider.sweeps)
    assert overall(each.outcome for each in growing.computed("x")) == "refuted"
