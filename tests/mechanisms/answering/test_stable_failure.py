"""How likely queries with few dissenters are not answered by their winner: the bounds a second time, and by draws."""

from dataclasses import replace
from math import exp
from typing import Any

import numpy as np
import pytest
from scipy.stats import laplace

from harness.ballots import Ballot
from harness.mechanisms.answering import NEGLIGIBLE, SHARES, mechanisms
from harness.mechanisms.answering.noisy_majority import SELDOM
from harness.mechanisms.answering.own_noise import OwnNoise
from harness.mechanisms.leak import leaks
from harness.theory.constants import constants
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Task
from harness.theory.privacy.distance import DISTANCES

TASK = Task(m=1000, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
BOTTOMS = [name for name, each in mechanisms().items() if each.pays_for == "bottoms" and not isinstance(each, OwnNoise)]


def planned(name: str, n: int = 10**12) -> Any:
    return mechanisms()[name].plan(constants()["BTT18"], TASK, n)


@pytest.mark.parametrize("name", BOTTOMS)
@pytest.mark.parametrize("dissent", [0.1, 0.2, 0.23])
def test_a_threshold_is_high_or_a_noise_low(name: str, dissent: float) -> None:
    """m noises of scale 2λ are low by 2/3 of the margin, ⌊T⌋ + 1 of λ high by a third; each with chance ½e^{−margin/3λ}."""
    plan = planned(name)
    gap = int((1 - 2 * dissent) * plan.k)
    margin = float(DISTANCES[plan.distance].of(np.array([gap]))[0]) - plan.w
    failure = mechanisms()[name].stable_failure(plan, TASK, 2, dissent)
    assert margin > 0
    parts = TASK.m * laplace.sf(2 * margin / 3, scale=2 * plan.lam) + (plan.last + 1) * laplace.sf(margin / 3, scale=plan.lam)
    assert failure == pytest.approx(min(1.0, parts), rel=1e-9)
    assert mechanisms()[name].stable_failure(replace(plan, w=plan.w + margin), TASK, 2, dissent) == 1.0
    assert mechanisms()[name].stable_failure(replace(plan, k=10), TASK, 2, dissent) == 1.0
    assert mechanisms()[name].stable_failure(replace(plan, w=plan.w + margin - 0.5, lam=0.01), TASK, 2, dissent) < 1e-3


@pytest.mark.parametrize("labels", [2, 5])
@pytest.mark.parametrize("dissent", [0.3, 0.4])
def test_report_noisy_max_errs_where_one_noise_passes_another_by_the_gap(labels: int, dissent: float) -> None:
    mechanism, plan = mechanisms()["report_noisy_max"], planned("report_noisy_max")
    x = (1 - 2 * dissent) * plan.k * plan.eps0 / 2
    failure = mechanism.stable_failure(plan, TASK, labels, dissent)
    assert failure == pytest.approx(min(1.0, TASK.m * (labels - 1) * (2 + x) / 4 * exp(-x)), rel=1e-9)
    assert (failure < 1) == (dissent == 0.3)
    few = replace(plan, eps0=0.05 * plan.eps0)
    rng, gap = np.random.default_rng(0), 0.4 * plan.k
    drawn = rng.laplace(0, 2 / few.eps0, (100_000, 2))  # the tail of two noises, at 7 deviations of as many draws
    share = float((drawn[:, 0] - drawn[:, 1] > gap).mean())
    y = gap * few.eps0 / 2
    assert share == pytest.approx((2 + y) / 4 * exp(-y), abs=7 * 0.5 / 100_000**0.5)


@pytest.mark.parametrize("labels", [2, 5])
def test_exponential_noise_errs_where_that_of_another_label_is_larger_by_the_gap(labels: int) -> None:
    """The difference of two such noises is a Laplace number."""
    mechanism, plan = mechanisms()["noisy_max_exponential"], planned("noisy_max_exponential")
    for k, dissent in ((plan.k, 0.3), (plan.k, 0.35), (plan.k // 2, 0.2), (3, 0.1)):
        expected = TASK.m * (labels - 1) * laplace.sf((1 - 2 * dissent) * k, scale=2 / plan.eps0)
        failure = mechanism.stable_failure(replace(plan, k=k), TASK, labels, dissent)
        assert failure == pytest.approx(min(1.0, expected), rel=1e-9, abs=0)
    assert failure == 1.0


@pytest.mark.parametrize("name", mechanisms())
def test_so_many_may_be_counted_as_are_negligibly_often_answered_otherwise(name: str) -> None:
    mechanism, plan = mechanisms()[name], planned(name)
    calm = mechanism.calm(plan, TASK, 2)
    assert (NEGLIGIBLE, SELDOM) == (1e-12, 1e-3) and SHARES == tuple(round(0.45 - 0.05 * i, 2) for i in range(8))
    if name.startswith("noisy_majority"):
        chances = {share: float(mechanism.loses((1 - 2 * share) * plan.k, plan)) for share in SHARES}  # type: ignore[attr-defined]
        assert calm.dissent == max(share for share, chance in chances.items() if chance <= SELDOM)
        assert calm.exposed == chances[calm.dissent] and 0 < calm.exposed
        few = mechanism.calm(replace(plan, k=3), TASK, 2)
        assert (few.dissent, few.exposed) == (0.05, 0.5)
    else:
        known = [share for share in SHARES if mechanism.stable_failure(plan, TASK, 2, share) <= 1e-12]
        assert calm.dissent == (max(known) if known else 0.05)


def test_a_ballot_of_three_labels_is_refused_by_what_is_for_two() -> None:
    ballot = Ballot(np.array([[5, 5], [1, 1], [1, 1]]), 7, np.zeros(2, np.int8))
    for name, mechanism in mechanisms().items():
        if mechanism.binary:
            with pytest.raises(ValueError, match=f"{name} is for two labels, not 3"):
                mechanism.answer(ballot, planned(name), TASK, np.random.default_rng(0))


def test_a_row_is_published_with_chance_delta_and_the_answers_are_averages_of_these() -> None:
    """7 deviations of a binomial number."""
    (leak,) = leaks().values()
    published = leak.published(100_000, 0.03, np.random.default_rng(1))
    assert published.shape == (100_000,) and abs(published.sum() - 3000) < 7 * (100_000 * 0.03 * 0.97) ** 0.5
    rows = np.array([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    assert leak.answers(rows, 3).tolist() == [1.0, -1.0, 0.0] and leak.answers(rows[:0], 3).tolist() == [0.0, 0.0, 0.0]


def test_where_nothing_is_known_a_failure_is_certain() -> None:
    for name in ("GNMax", "gaussian", "single_learner"):
        assert mechanisms()[name].stable_failure(planned(name), TASK, 2, 0.1) == 1
