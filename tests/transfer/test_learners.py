"""The constructions of a private learner: what each does with its examples, and what the labels carry.

Tests of laws fail on a right implementation with probability below 1e-6 each.
"""

from math import log

import numpy as np
import pytest
from scipy.stats import binom, chi2

from harness.ballots import Ballot, Queries
from harness.concepts import Trainable
from harness.concepts.thresholds import Thresholds
from harness.concepts.thresholds.samplers import LEARNERS
from harness.mechanisms import refuse_incomplete
from harness.mechanisms.answering.a_binclas import MECHANISM as A_BINCLAS
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.noise import laplace
from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Task
from harness.transfer import FAILED, LearningProblem, Run, private_learners
from harness.transfer.a_priv import APriv, PACOnly, with_coins
from harness.transfer.estimated import allowance
from harness.trials.learner import Learned, LearnerCell
from tests.support.learnable import learnable
from tests.support.one_by_one import BOTTOM, labels
from tests.support.streams import streams

FALSE_FAILURE = 1e-6
REALIZABLE = LearnerCell(alpha=0.05)
AGNOSTIC = LearnerCell(alpha=0.1, gamma=0.05, learner="midpoint")


def runs(name: str, cell: Learned, n: int, count: int) -> list[Run]:
    return [private_learners()[name].run(cell.problem, n, streams(seed)) for seed in range(count)]


@pytest.mark.parametrize("name", private_learners())
def test_a_construction_is_a_pure_function_of_problem_n_and_streams(name: str) -> None:
    learner = private_learners()[name]
    refuse_incomplete(learner)
    assert learner.name == name
    problem = learnable(name, REALIZABLE).problem
    first, again = (learner.run(problem, learner.needed(problem), streams(1)) for _ in range(2))
    assert first == again
    assert 0 <= first.error <= 1
    assert first.tv_budget < 1e-6


@pytest.mark.parametrize("name", [name for name, learner in private_learners().items() if isinstance(learner, APriv)])
def test_too_few_examples_for_one_a_chunk_make_no_classifier(name: str) -> None:
    assert runs(name, REALIZABLE, 1, 1)[0].error == FAILED
    assert runs(name, REALIZABLE, 1000, 1)[0].error == FAILED


def test_what_estimates_needs_an_example_for_that_and_tells_its_points_from_two_on() -> None:
    of = private_learners()["A_Priv_estimated"]
    for n, m in ((1, None), (2, of.points(REALIZABLE.problem))):
        done = of.run(REALIZABLE.problem, n, streams(1))
        assert (done.error, done.m) == (FAILED, m)


def test_an_estimate_has_laplace_noise_of_one_over_epsilon_and_the_allowance_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the half that is set aside: noise of 1/ε = 10/3 mistakes, to the last digits of their share."""
    cell, learner, known = AGNOSTIC.model_copy(update={"eps": 0.3}), private_learners()["A_Priv_estimated"], list[float]()
    problem, half = cell.problem, 10**9

    def transfer(self: APriv, problem: object, sampler: object, plan: object, task: Task, streams: object) -> list[Run]:
        known.append(task.gamma)
        return [Run(0.25)]

    monkeypatch.setattr(type(learner), "transfer", transfer)
    for seed in range(5):
        assert learner.run(problem, 2 * half + 1, streams(seed)).error == 0.25
        mistakes, _ = cell.large_source.least_mistakes(half, streams(seed)("held out"))
        noise = float(laplace(10 / 3, 1, streams(seed)("estimate"))[0])
        assert known[-1] == pytest.approx((mistakes + noise) / half + allowance(problem, half), abs=1e-13)


@pytest.mark.parametrize("name", [name for name, learner in private_learners().items() if isinstance(learner, APriv)])
def test_runs_that_make_no_classifier_are_alone(name: str) -> None:
    assert [private_learners()[name].at_once(REALIZABLE.problem, n) for n in (1, 1000)] == [1, 1]


@pytest.mark.law
@pytest.mark.parametrize("name", private_learners())
def test_at_the_n_it_needs_a_construction_keeps_to_what_it_claims(name: str) -> None:
    """P(error > claimed) ≤ 3β = 0.15: of 100 runs no more than 39 may fail but with probability 4e-9."""
    learner, cell = private_learners()[name], learnable(name, REALIZABLE)
    failed = sum(run.error > learner.claimed(cell.problem) for run in runs(name, cell, learner.needed(cell.problem), 100))
    assert binom.sf(39, 100, 0.15) < FALSE_FAILURE
    assert failed <= 39


def test_what_leftmost_thresholds_learn_from_private_labels_errs_on_ln_2_over_s() -> None:
    """Where half of the chunks are wrong the label turns: the error is ln 2/s, up to coins and the spacing of public points.

    Queries within 3 % of a tie are ⊥, and where there are coins the least risk is anywhere among them: the mean is within 5 %.
    """
    n = 4 * 10**9
    done = runs("A_Priv", LearnerCell(alpha=0.01), n, 60)
    s = done[0].plan.s if done[0].plan else 0
    errors = np.array([run.error for run in done])
    assert abs(errors.mean() / (log(2) / s) - 1) < 0.05
    assert errors.std() < 0.05 * log(2) / s


@pytest.mark.parametrize("size", [1, 40_000])
def test_a_bottom_is_a_fair_coin_and_so_is_a_query_left_unanswered(size: int) -> None:
    types = 4 * 40_000 // size
    kind = np.repeat(np.arange(4), types // 4)  # labelled 0, labelled 1, ⊥, unanswered
    number = np.full(types, size)
    for count in (2, 5):
        labelled = np.zeros((count, types), dtype=np.int64)
        labelled[:2] = [number * (kind == 0), number * (kind == 1)]
        answers = Answers(labelled, number * (kind == 2), number * (kind == 3))
        given = with_coins(answers, np.random.default_rng(1))
        assert given.shape == (count, types)
        assert (given.sum(axis=0) == size).all()
        assert (given[0, kind == 0] == size).all()
        assert (given[1, kind == 1] == size).all()
        for coins in (given[:, kind == 2], given[:, kind == 3]):
            expected = 40_000 / count
            assert chi2.sf(((coins.sum(axis=1) - expected) ** 2 / expected).sum(), count - 1) > FALSE_FAILURE


def run_on_one_gap(m: int, rng: np.random.Generator) -> np.ndarray:
    """⊥ or not, (m,), of A_binClas on queries that all have one gap, at the threshold."""
    k, lam, w, T = 10_001, 50.0, 2_000.0, 10.0**6
    gap = 2 * round((w + 1) / 2) + 1
    counts = np.tile(np.array([[(k - gap) // 2], [(k + gap) // 2]], dtype=np.int64), m)
    votes = Ballot(counts, k, np.ones(m, dtype=np.int8))
    plan = CutoffPlan(n=k, k=k, s=1, alpha=0.1, bound=None, T=T, lam=lam, w=w)
    task = Task(m, 1.0, 1e-6, 0.05, 0.0, lambda s, q: 0.1)
    return np.asarray(labels(A_BINCLAS.answer(votes, plan, task, rng)) == BOTTOM)


@pytest.mark.law
def test_labels_carry_the_state_of_the_run() -> None:
    """Queries with one and the same gap would be i.i.d. coins of h_priv's; they are not, as ŵ stays until the next ⊥.

    Over 2000 runs of 40 queries the number of ⊥ of i.i.d. labels has the variance mp(1−p). Its sample variance, over that, is
    within 1 ± 0.16 but with probability 1e-6; what is seen is far outside.
    """
    m, rng = 40, np.random.default_rng(1)
    bottoms = np.array([run_on_one_gap(m, rng) for _ in range(2000)])
    p = bottoms.mean()
    assert 0.2 < p < 0.8
    low, high = chi2.interval(1 - FALSE_FAILURE, 1999)
    dispersion = bottoms.sum(axis=1).var(ddof=1) / (m * p * (1 - p))
    assert not low / 1999 < dispersion < high / 1999


def test_answers_without_bottoms_need_no_coin() -> None:
    labelled = np.array([[5, 0], [2, 10**15]])
    assert with_coins(Answers(labelled), np.random.default_rng(3)).tolist() == labelled.tolist()


def test_the_pac_only_learner_outputs_nothing_where_labels_are_no_hypothesis() -> None:
    learner = private_learners()["A_Priv_pac"]
    sampler = Thresholds.distributions["uniform"]().at(REALIZABLE.situation(100))
    queries = Queries(np.array([-0.3, -0.1, 0.1, 0.3]), np.array([0, 0, 1, 1], dtype=np.int8))
    assert isinstance(learner, PACOnly) and isinstance(sampler, Trainable)
    for given, failed in ((queries.truth, False), (np.array([0, 1, 0, 1], dtype=np.int8), True)):
        (error,) = learner.learned(sampler, queries, queries.labelled(given, 2), np.random.default_rng(1))
        assert (error == FAILED) == failed


def test_a_label_private_learner_labels_points_of_its_own_other_half() -> None:
    learner, problem = private_learners()["label_private"], REALIZABLE.problem
    points = problem.agnostic_m
    few = learner.run(problem, 3_000_001, streams(1))
    assert few.m == points
    assert few.plan is not None
    assert few.plan.n == 1_500_001
    assert learner.run(problem, 100, streams(1)).m == 50
    assert learner.needed(problem) >= 2 * private_learners()["A_Priv"].needed(problem)


def test_one_changed_example_moves_the_least_number_of_mistakes_by_at_most_one() -> None:
    """What makes the estimate of Remark 1 private: brute force over all changes of one of 8 examples to one of 20."""
    sampler = AGNOSTIC.large_source
    rng = np.random.default_rng(1)

    def mistakes(points: np.ndarray, said: np.ndarray) -> int:
        predicted = sampler.learn(Queries(points, said), said).predict(points)
        return int(np.count_nonzero(predicted != said))

    moved = set()
    for _ in range(20):
        points, said = rng.uniform(-0.5, 0.5, 8), rng.integers(0, 2, 8, dtype=np.int8)
        before = mistakes(points, said)
        for place in range(8):
            for _ in range(20):
                other, theirs = points.copy(), said.copy()
                other[place], theirs[place] = rng.uniform(-0.5, 0.5), rng.integers(0, 2)
                moved.add(mistakes(other, theirs) - before)
    assert moved == {-1, 0, 1}


@pytest.mark.law
def test_the_estimated_cutoff_is_hardly_ever_too_small() -> None:
    """γ̂⁺ < γ with probability at most β = 0.05: of 100 runs no more than 23 may have a smaller T but with probability 1e-9."""
    learner, known = private_learners()["A_Priv_estimated"], private_learners()["A_Priv"]
    n = 10**11
    estimated = runs("A_Priv_estimated", AGNOSTIC, n, 100)
    (exact,) = runs("A_Priv", AGNOSTIC, n // 2, 1)
    assert isinstance(exact.plan, CutoffPlan)
    plans = [run.plan for run in estimated if isinstance(run.plan, CutoffPlan)]
    assert len(plans) == 100
    assert binom.sf(23, 100, 0.05) < FALSE_FAILURE
    assert sum(plan.T < exact.plan.T for plan in plans) <= 23
    assert all(plan.T < 1.5 * exact.plan.T for plan in plans)
    assert learner.needed(AGNOSTIC.problem) > 2 * known.needed(AGNOSTIC.problem)
    assert allowance(AGNOSTIC.problem, 10**6) < allowance(AGNOSTIC.problem, 10**4)


def test_a_construction_labels_as_many_points_as_its_theorem_asks_for() -> None:
    """Θ's agnostic sample complexity (Theorems 4.2 and 4.3), or the consistent one (Remarks 2 and 3)."""
    problem: LearningProblem = REALIZABLE.problem
    asked = {"A_Priv": problem.agnostic_m, "A_Priv_erm": problem.realizable_m, "A_Priv_pac": problem.realizable_m}
    for name, m in asked.items():
        assert private_learners()[name].points(problem) == m
        assert runs(name, REALIZABLE, private_learners()[name].needed(problem), 1)[0].m == m


def test_the_problem_asks_for_points_as_the_theorems_do() -> None:
    problem: LearningProblem = REALIZABLE.problem
    assert problem.bound(0.1)(problem.agnostic_m, 0.05) <= 0.05 < problem.bound(0.1)(problem.agnostic_m - 1, 0.05)
    assert problem.bound(0.0)(problem.realizable_m, 0.05) <= 0.05 < problem.bound(0.0)(problem.realizable_m - 1, 0.05)
    assert set(LEARNERS) == set(Thresholds.learners)
