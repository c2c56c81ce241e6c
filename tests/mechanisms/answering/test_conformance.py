"""What every mechanism owes: one suite, and a new mechanism's file joins it by being there.

What differs from one to the next, a mechanism says of itself: whether it is private, what it pays for, what it takes of the
constants, and how many labels it is for.
"""

from dataclasses import FrozenInstanceError, replace
from functools import cache
from math import ceil, inf
from typing import Any

import numpy as np
import pytest
from ray import cloudpickle
from scipy.stats import binom

from harness.ballots import Ballot
from harness.concepts import DISSENT
from harness.mechanisms import refuse_incomplete
from harness.mechanisms.answering import Answering, mechanisms
from harness.theory.constants import constants
from harness.theory.fixed_point import CutoffPlan
from harness.theory.pac import thresholds_agnostic, thresholds_extremal
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan
from tests.support.one_by_one import BOTTOM, UNANSWERED, ballot_of, labels

TASK = Task(m=300, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
SURE = replace(TASK, beta=1e-4)
BTT18 = constants()["BTT18"]
ALL = list(mechanisms().values())


def those(chosen: list[Answering[Plan]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("mechanism", chosen, ids=lambda each: each.name)


every_mechanism = those(ALL)
every_private = those([each for each in ALL if each.private])
every_per_query = those([each for each in ALL if each.pays_for == "queries"])


def at_constants(chosen: list[Answering[Plan]]) -> pytest.MarkDecorator:
    """Each at every set of constants, or at one where all are alike to it: that they are has a test of its own."""
    return pytest.mark.parametrize(
        ("mechanism", "given"),
        [
            pytest.param(mechanism, given, id=f"{mechanism.name}-{name}")
            for mechanism in chosen
            for name, given in constants().items()
            if mechanism.takes == "constants" or given is BTT18
        ],
    )


every_constants = at_constants(ALL)
every_private_constants = at_constants([each for each in ALL if each.private])

TASKS = {
    "printed": (TASK, (1, 10**4, 10**7, 10**10, 10**15)),
    "one query": (replace(TASK, m=1), (1, 10**7, 10**15)),
    "many": (replace(TASK, m=10**6, eps=50.0), (1, 10**7, 10**15)),
    "agnostic": (replace(TASK, gamma=0.01, pac_bound=thresholds_agnostic), (1, 10**7, 10**15)),
}
SIZED = {f"{name}-{n}": (task, n) for name, (task, sizes) in TASKS.items() for n in sizes}


@cache
def planned(mechanism: Answering[Plan], given: Constants, task: Task, n: int) -> Plan:
    """For the tests of answers, which ask for few plans again and again."""
    return mechanism.plan(given, task, n)


def ballot(kind: str, k: int, m: int) -> Ballot:
    """m queries whose k votes are unanimous, evenly split, two thirds for one, or anything."""
    rng = np.random.default_rng(51)
    truth = rng.integers(0, 2, m)
    ones = {
        "unanimous": k * rng.integers(0, 2, m),
        "split": np.full(m, k // 2),
        "anything": rng.integers(0, k + 1, m),
        "two thirds": np.where(truth == 1, -(-2 * k // 3), k // 3),
    }[kind]
    return ballot_of(ones, k, truth.astype(np.int8))


def over(count: int, k: int, m: int) -> Ballot:
    """Unanimous votes for each of so many labels in turn."""
    truth = np.resize(np.arange(count), m).astype(np.int8)
    return Ballot(k * np.eye(count, dtype=np.int64)[truth].T, k, truth)


@every_mechanism
def test_it_says_who_it_is_where_it_comes_from_and_whether_it_is_private(mechanism: Answering[Plan]) -> None:
    refuse_incomplete(mechanism)
    assert mechanisms()[mechanism.name] is mechanism
    assert [each.legend for each in ALL].count(mechanism.legend) == 1
    assert [each.key for each in ALL].count(mechanism.key) == 1
    assert (mechanism.pays_for != "nothing") == mechanism.private


@every_constants
@pytest.mark.parametrize(("task", "n"), SIZED.values(), ids=SIZED.keys())
def test_its_plan_splits_n_and_has_a_bound_or_a_reason(
    mechanism: Answering[Plan], given: Constants, task: Task, n: int
) -> None:
    plan = mechanism.plan(given, task, n)
    assert plan.n == n
    assert plan.k >= 1
    assert plan.s == n // plan.k
    assert plan.alpha > 0
    assert (plan.bound is None) == (plan.reason is not None) == plan.vacuous
    assert plan.bound is None or 0 < plan.bound < 1
    assert isinstance(plan, CutoffPlan) == (mechanism.pays_for == "bottoms")


@every_constants
def test_its_plan_is_a_frozen_value_that_travels(mechanism: Answering[Plan], given: Constants) -> None:
    plan = mechanism.plan(given, TASK, 10**9)
    assert plan == mechanism.plan(given, TASK, 10**9)
    with pytest.raises(FrozenInstanceError):
        plan.k = 1  # type: ignore[misc]
    there = cloudpickle.loads(cloudpickle.dumps(plan))  # type: ignore[no-untyped-call]
    assert (there, there.spent) == (plan, plan.spent)


@every_mechanism
def test_the_noise_of_its_plan_is_named_and_positive_and_there_is_none_without_privacy(mechanism: Answering[Plan]) -> None:
    noise = mechanism.plan(BTT18, TASK, 10**9).noise
    assert bool(noise) == mechanism.private
    assert all(0 < value < inf for value in noise.values())


@every_mechanism
@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_it_takes_of_the_constants_what_it_says(mechanism: Answering[Plan], scale: float) -> None:
    """Whatever k is, the noise is that of the task and the constants: an experiment that scales k is as private as before."""
    plans = [mechanism.plan(given, TASK, 10**9) for given in constants().values()]
    fine, scaled = (mechanism.plan(replace(BTT18, k_scale=each), TASK, 10**9) for each in (1e9, scale))
    assert all(plan == plans[0] for plan in plans) == (mechanism.takes != "constants")
    if mechanism.takes == "k_scale":
        assert scaled.k == ceil(scale * fine.k / 1e9)
        assert (scaled.spent, fine.spent) == (plans[0].spent, plans[0].spent)
    if mechanism.takes == "nothing":
        assert scaled == plans[0]


@every_mechanism
def test_more_examples_never_loosen_its_bound(mechanism: Answering[Plan]) -> None:
    """Where it has one: some guarantees are about distances."""
    plans = [mechanism.plan(BTT18, TASK, int(n)) for n in np.geomspace(1, 10**15, 61)]
    bounds = [1.0 if plan.bound is None else plan.bound for plan in plans]
    assert plans[0].bound is None
    assert bounds == sorted(bounds, reverse=True)
    assert plans[-1].bound is not None or "about distances" in (plans[-1].reason or "")


@every_constants
@pytest.mark.parametrize("kind", ["unanimous", "split", "anything"])
@pytest.mark.parametrize("n", [10**7, 10**12])
@pytest.mark.parametrize("m", [1, 300])
def test_its_answers_are_labels_or_bottom_up_to_a_halt(
    mechanism: Answering[Plan], given: Constants, kind: str, n: int, m: int
) -> None:
    task = replace(TASK, m=m)
    plan = planned(mechanism, given, task, n)
    answers = mechanism.answer(ballot(kind, plan.k, m), plan, task, np.random.default_rng(52))
    said = labels(answers)
    assert said.shape == (m,)
    assert answers.given.dtype == np.int64
    assert set(said.tolist()) <= {0, 1, BOTTOM, UNANSWERED}
    answered = m if answers.halted_at is None else answers.halted_at
    assert 0 < answered <= m
    assert np.count_nonzero(said == UNANSWERED) == m - answered
    assert answers.halted_at is None or (answered < m and BOTTOM in said)
    assert mechanism.pays_for == "bottoms" or UNANSWERED not in said
    assert mechanism.private or BOTTOM not in said


@every_mechanism
@pytest.mark.parametrize("n", [10**7, 10**12])
def test_queries_of_a_type_are_all_accounted_for(mechanism: Answering[Plan], n: int) -> None:
    """Of 0, 1, a few and 10¹⁵ queries of each type, every one is answered, ⊥ or unanswered."""
    plan = mechanism.plan(BTT18, TASK, n)
    ones = plan.k * np.arange(9) // 8
    sizes = np.array([10**15, 0, 1, 7, 10**6, 1, 0, 10**12, 10**15])
    ballot = Ballot(np.array([plan.k - ones, ones]), plan.k, np.resize([0, 1], 9).astype(np.int8), sizes)
    answers = mechanism.answer(ballot, plan, TASK, np.random.default_rng(59))
    parts = [*answers.given, *(each for each in (answers.bottoms, answers.unanswered) if each is not None)]
    assert all((each >= 0).all() and each.dtype == np.int64 for each in parts)
    assert np.sum(parts, axis=0).tolist() == sizes.tolist()
    assert answers.bottom_count + answers.unanswered_count + int(answers.given.sum()) == ballot.m == sizes.sum()


@every_mechanism
@pytest.mark.parametrize("n", [10**7, 10**12])
def test_it_answers_unanimous_votes_by_their_winner(mechanism: Answering[Plan], n: int) -> None:
    """Also where the guarantee is vacuous: k has room for votes that agree in full.

    At β = 10⁻⁴ and m = 300 the least room is that of A_sparseVec, (β/2mT)² for a query by its own theorem, so that some query
    of some case here fails with probability below 1e-10.
    """
    plan = mechanism.plan(BTT18, SURE, n)
    votes = ballot("unanimous", plan.k, TASK.m)
    answers = mechanism.answer(votes, plan, SURE, np.random.default_rng(53))
    assert labels(answers).tolist() == votes.winner.tolist()
    assert answers.halted_at is None


@every_per_query
@pytest.mark.parametrize(("m", "beta"), [(1000, 0.5), (20, 0.1)])
def test_at_its_k_queries_of_two_thirds_miss_with_probability_at_most_beta_over_m(
    mechanism: Answering[Plan], m: int, beta: float
) -> None:
    """200,000 queries at the plan of m, of which each may miss with probability β/m: an exact binomial test at 1e-9."""
    task, queries = replace(TASK, m=m, beta=beta), 200_000
    plan = mechanism.plan(BTT18, task, 10**12)
    votes = ballot("two thirds", plan.k, queries)
    answers = mechanism.answer(votes, plan, task, np.random.default_rng(57))
    assert np.count_nonzero(labels(answers) != votes.truth) <= binom.ppf(1 - 1e-9, queries, beta / m)


@every_mechanism
def test_it_draws_its_noise_from_the_plan_alone(mechanism: Answering[Plan]) -> None:
    """Another task with the same plan changes no answer, and a plan of another noise does."""
    plan = mechanism.plan(BTT18, TASK, 10**7)
    votes = ballot("anything", plan.k, TASK.m)
    other = replace(TASK, m=7 * TASK.m, eps=0.03, delta=1e-3, beta=0.4)
    one, same = (mechanism.answer(votes, plan, task, np.random.default_rng(58)) for task in (TASK, other))
    assert labels(one).tolist() == labels(same).tolist()
    assert (one.halted_at, one.fresh_error) == (same.halted_at, same.fresh_error)
    more: Any = {name: 50 * value for name, value in plan.noise.items()}
    noisier = replace(plan, **more)
    changed = mechanism.answer(votes, noisier, TASK, np.random.default_rng(58))
    assert (labels(changed).tolist() != labels(one).tolist()) == mechanism.private


@every_private_constants
@pytest.mark.parametrize("n", [10**5, 10**9])
def test_it_spends_what_is_allowed(mechanism: Answering[Plan], given: Constants, n: int) -> None:
    """One that keeps the printed distance, which moves by 2, may have noise for one that moves by 1: it then
    spends up to twice ε and a little more."""
    plan = mechanism.plan(given, TASK, n)
    other_distance = isinstance(plan, CutoffPlan) and plan.distance != given.calibration.distance.name
    most = 2.2 if other_distance else 1 + 1e-9
    assert 0.15 * TASK.eps < plan.spent <= most * TASK.eps


@those([each for each in ALL if not each.private])
def test_one_that_is_not_private_certifies_nothing(mechanism: Answering[Plan]) -> None:
    assert mechanism.plan(BTT18, TASK, 10**9).spent == inf


@every_mechanism
def test_a_seed_fixes_its_answers_and_the_votes_stay_as_they_were(mechanism: Answering[Plan]) -> None:
    plan = mechanism.plan(BTT18, TASK, 10**7)
    for kind in ("anything", "split"):
        votes = ballot(kind, plan.k, TASK.m)
        before = [each.tolist() for each in (votes.counts, votes.truth, votes.winner)]
        one, same = (mechanism.answer(votes, plan, TASK, np.random.default_rng(54)) for _ in range(2))
        assert labels(one).tolist() == labels(same).tolist()
        assert one.halted_at == same.halted_at
        assert [each.tolist() for each in (votes.counts, votes.truth, votes.winner)] == before


@every_mechanism
@pytest.mark.parametrize("count", [3, 5])
def test_it_answers_any_labels_or_says_that_it_is_for_two(mechanism: Answering[Plan], count: int) -> None:
    """False-failure probability: β = 1e-8 a mechanism: its own guarantee speaks of votes less unanimous."""
    task = replace(TASK, m=60, beta=1e-8)
    plan = mechanism.plan(BTT18, task, 10**10)
    votes = over(count, plan.k, task.m)
    if mechanism.binary:
        with pytest.raises(ValueError, match=f"{mechanism.name} is for two labels, not {count}"):
            mechanism.answer(votes, plan, task, np.random.default_rng(1))
    else:
        answers = mechanism.answer(votes, plan, task, np.random.default_rng(1))
        assert labels(answers).tolist() == votes.truth.tolist()


@pytest.mark.law
@every_private
@pytest.mark.parametrize("dissent", [DISSENT, 0.3])
def test_stable_queries_fail_no_more_often_than_is_charged(mechanism: Answering[Plan], dissent: float) -> None:
    """On m = 40 queries with just so much dissent, also at a k where failures show, none is missed by the bound.

    400 runs each; more failures than the bound's share by what a binomial exceeds with probability 1e-7.
    """
    task, rng, shown = replace(TASK, m=40), np.random.default_rng(1), 0
    for scale in (0.02, 0.05, 0.1, 0.2, 0.4, 0.8):
        plan = mechanism.plan(replace(BTT18, k_scale=scale), task, 10**12)
        wrong = int(dissent * plan.k)
        votes = Ballot(np.array([[wrong], [plan.k - wrong]]), plan.k, np.ones(1, dtype=np.int8), np.array([task.m]))
        charged = mechanism.stable_failure(plan, task, 2, dissent)
        failed = sum(int(mechanism.answer(votes, plan, task, rng).given[1, 0]) < task.m for _ in range(400))
        shown += failed
        assert 0 <= charged <= 1
        assert failed <= binom.ppf(1 - 1e-7, 400, charged)
    assert shown > 0
