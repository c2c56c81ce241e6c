"""BTT18 Theorem 3.2 on rows made by hand: m = 100, T = 12.5, β = 0.05, so the claimed rate is 0.125 and may fail w.p. 0.1.

Few queries: the step that is not uniform in β, along its sequence, and what holds with the repaired cutoff.

Theorem 3.2 by β and by reading: the search against sums by hand, the bounds against a mechanism that is run, the claims.
"""

from dataclasses import replace
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
    bernstein,
    bottom,
    mean_at,
    missed_at_least,
    per_error,
    worst,
)
from harness.claims.btt18.t3_2 import BREAKS, FAILS, LINKS, kept, repaired_plan
from harness.claims.engine import ComputedExponents, Form, NoLogarithms, overall, task_of
from harness.claims.engine.event_seen import EventSeen, RowsSeen
from harness.claims.registry import claims, errata
from harness.report.verdicts import Evidence, judge
from harness.sweep.table.cells import Cells
from harness.theory import pac
from harness.theory.constants import constants
from tests.support.claims import event
from tests.support.given_order import in_order

CLAIM, EVENT = claims()["BTT18:T3.2"], event("BTT18:T3.2")
GOOD = {
    "cell": "c0ffee",
    "mechanism": "A_binClas",
    "constants": "BTT18",
    "k_scale": 1.0,
    "T_target": None,
    "trial": 0,
    "beta": 0.05,
    "m": 100,
    "T": 12.5,
    "bound": 0.125,
    "vacuous": False,
    "halted_at": None,
    "bottoms": 12,
    "misclassification_rate": 0.12,
}


def rows(*changes: dict[str, object], repeat: int = 1) -> pd.DataFrame:
    """One row for each change to a row in which everything is just within the claim."""
    return pd.DataFrame([GOOD | change for change in changes] * repeat)


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        ({}, False),
        ({"halted_at": 99.0}, True),
        ({"halted_at": 0.0}, True),
        ({"bottoms": 13}, True),
        ({"misclassification_rate": 0.13}, True),
        ({"bottoms": 0, "misclassification_rate": 0.0}, False),
        ({"T": 12.0, "bound": 0.12}, False),
        ({"T": 11.99, "bound": 0.1199}, True),
        ({"halted_at": 50.0, "bottoms": 13, "misclassification_rate": 0.6}, True),
    ],
)
def test_each_of_the_three_conditions_alone_fails_a_trial(change: dict[str, object], failed: bool) -> None:
    row = rows(change)
    assert RowsSeen.of(EVENT, row).failed.tolist() == [failed]
    assert any(part.broken for part in EVENT.of_trial(row)) == failed


def test_trials_are_counted_one_by_one() -> None:
    frame = rows({}, {"halted_at": 40.0}, {"bottoms": 13}, {}, {"misclassification_rate": 0.2})
    assert RowsSeen.of(EVENT, frame).failed.tolist() == [False, True, True, False, True]


@pytest.mark.parametrize(
    ("name", "mechanism", "constants"), [("BTT18:T3.2", "A_binClas", "BTT18"), ("BTT18a:C4.1", "A_subSamp", "BTT18a")]
)
@pytest.mark.parametrize(
    ("changes", "asked"),
    [({}, 1), ({"k_scale": 0.5}, 0), ({"T_target": 5.0}, 0), ({"constants": "k_tight"}, 0), ({"mechanism": "A_OQR"}, 0)],
)
def test_it_is_about_its_mechanism_at_its_own_constants_as_printed(
    name: str, mechanism: str, constants: str, changes: dict[str, object], asked: int
) -> None:
    printed: dict[str, object] = {"mechanism": mechanism, "constants": constants}
    assert len(list(claims()[name].questions(rows(printed | changes)))) == asked


def test_it_claims_a_rate_of_T_over_m_but_for_twice_beta_and_sees_down_to_one_query() -> None:
    first = rows({}).iloc[0]
    assert EVENT.allowed(first) == 0.1
    assert EVENT.bound(first) == 0.125
    assert EVENT.resolution(first) == 0.01


@pytest.mark.parametrize("trials", [1, 9, 10, 11, 150])
@pytest.mark.parametrize("beta", [0.05, 1e-6, 0.3, 0.7])
def test_what_is_measured_is_a_rate_that_at_most_a_fraction_2beta_of_the_trials_exceed(trials: int, beta: float) -> None:
    rates = np.random.default_rng(0).random(trials)
    frame = rows(*({"misclassification_rate": rate, "beta": beta} for rate in rates))
    measured = EVENT.measured(EventSeen.of(EVENT, frame))
    assert measured in rates
    assert np.count_nonzero(rates > measured) <= min(1.0, 2 * beta) * trials
    lower = rates[rates < measured]
    assert len(lower) == 0 or np.count_nonzero(rates > lower.max()) >= min(1.0, 2 * beta) * (trials - 1)


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ([{}], "holds"),
        ([{"halted_at": 3.0}], "refuted"),
        ([{"bottoms": 13}], "refuted"),
        ([{"misclassification_rate": 0.13}], "refuted"),
        ([{}] * 9 + [{"halted_at": 3.0}], "undecided"),
        ([{"vacuous": True, "bound": None, "halted_at": 3.0}], "vacuous"),
        ([{"beta": 0.5}], "vacuous"),
    ],
)
def test_200_trials_decide_it(changes: list[dict[str, object]], outcome: str) -> None:
    verdict = CLAIM.decide(rows(*changes, repeat=200 // len(changes)), error=1e-3)
    assert verdict.outcome == outcome


@pytest.mark.parametrize("name", ["BTT18:T3.4-step", "BTT18:T3.5-step"])
def test_the_step_falls_by_growth_along_its_sequence_and_no_constant_saves_it(name: str) -> None:
    decider = claims()[name].decider
    assert isinstance(decider, ComputedExponents)
    ((_, axis, at),) = decider.sweeps()
    assert overall(each.outcome for each in decider.computed("x")) == "refuted"
    scaled = at.assign(**{each: 1e-12 * at[each] for each in ("mean", "low", "high")})
    assert overall(e.outcome for e in replace(decider, sweeps=lambda: [("less", axis, scaled)]).computed("x")) == "refuted"
    level = at.assign(mean=1e9, low=1e9, high=1e9)
    assert overall(e.outcome for e in replace(decider, sweeps=lambda: [("level", axis, level)]).computed("x")) == "holds"


def test_the_repaired_cutoff_is_three_of_bernsteins_bound_at_its_own_alpha() -> None:
    task = task_of(1000, 1e-6, pac_bound=pac.thresholds_extremal)
    plan = repaired_plan(10**12, task)
    assert plan.T == pytest.approx(3 * bernstein(task, plan.alpha))
    assert plan.alpha == pytest.approx(pac.thresholds_extremal(plan.s, 1e-6 / plan.k))


@pytest.mark.parametrize("gamma", [0.0, 0.01])
def test_the_repaired_bound_would_be_missed_with_less_of_a_one_over_m(gamma: float) -> None:
    """It is attained to within four: at a quarter of its last term some m passes it."""
    bound = pac.thresholds_agnostic if gamma else pac.thresholds_extremal
    rates = [number for number in kept(10**18, (10, 100), gamma, bound) if number.where.startswith("T/m")]
    assert all(number.measured <= number.bound for number in rates)
    assert any(number.measured > number.bound / 4 for number in rates)


def by_hand(m: int, p: float, allowed: int) -> float:
    """P(Bin(m, p) > allowed), term by term, exactly."""
    q = Fraction(p)
    return float(1 - sum(comb(m, i) * q**i * (1 - q) ** (m - i) for i in range(allowed + 1)))


def three_b(m: int, alpha: float, beta: float) -> float:
    return 3 * (alpha * m + sqrt(alpha * m * log(m / beta) / 2))


@pytest.mark.at_once("ceiling")
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


@pytest.mark.at_once("ceiling-0.002")
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
    growing = ComputedExponents(Form({"alpha": -0.25}, NoLogarithms()), decider.sweeps)
    assert overall(each.outcome for each in growing.computed("x")) == "refuted"
