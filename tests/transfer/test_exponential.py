"""The exponential mechanism as a private learner: what it draws, what it is refused, and that labels and class matter."""

import numpy as np
import pytest

from harness.covers.labelled import LabelledCover
from harness.mechanisms import Streams
from harness.theory.constants import abm19
from harness.transfer import private_learners
from harness.transfer.exponential import Exponential
from harness.trials.learner import LearnerCell, refuse
from tests.support.exponential import drawn_in_full
from tests.support.same_law import assert_same_law
from tests.support.streams import streams

LEARNERS = [private_learners()[name] for name in ("exponential", "permute_and_flip")]


@pytest.mark.law
@pytest.mark.parametrize("gamma", [0.0, 0.1])
def test_the_error_has_the_law_of_full_sampling(gamma: float) -> None:
    """In hundredths, of 2000 runs; fails on a right implementation with probability 1e-9."""
    cell = LearnerCell(alpha=0.3, gamma=gamma, eps=1.0, learner="midpoint")
    learner, n, rng = LEARNERS[0], 30, np.random.default_rng(3)
    m = learner.points(cell.problem)
    assert m is not None
    own = [learner.run(cell.problem, n, streams(seed)).error for seed in range(2000)]
    full = [drawn_in_full(m, n, gamma, 0.5, rng) for _ in range(2000)]
    assert_same_law(*(np.array(each)[:, np.newaxis] * 100 // 1 for each in (own, full)))
    sharper = [drawn_in_full(m, n, gamma, 1.0, rng) for _ in range(2000)]
    with pytest.raises(AssertionError):
        assert_same_law(*(np.array(each)[:, np.newaxis] * 100 // 1 for each in (own, sharper)))


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: each.name)
def test_n_and_m_are_those_of_the_theorem(learner: object) -> None:
    problem = LearnerCell(alpha=0.05).problem
    exponential = LEARNERS[0]
    m = exponential.points(problem)
    assert m is not None
    assert (m + 1) * (1 - 0.025) ** m <= 0.05 < m * (1 - 0.025) ** (m - 1)
    assert exponential.needed(problem) == abm19.needed(np.log(m + 1), 0.05, 1.0, 0.05, 0.0)
    assert exponential.claimed(problem) == 0.05
    a_priv = private_learners()["A_Priv"].points(problem)
    assert a_priv is not None and m < a_priv


@pytest.mark.parametrize("name", ["exponential", "exponential_few", "permute_and_flip"])
@pytest.mark.parametrize("eps", [0.2, 1.0, 6.0])
def test_a_mistake_costs_half_of_epsilon(name: str, eps: float, monkeypatch: pytest.MonkeyPatch) -> None:
    learner, asked = private_learners()[name], list[tuple[int, float]]()

    def learned(self: Exponential, cover: LabelledCover, n: int, tilt: float, streams: Streams) -> float:
        asked.append((n, tilt))
        return 0.25

    monkeypatch.setattr(type(learner), "learned", learned)
    assert learner.run(LearnerCell(alpha=0.1, eps=eps).problem, 77, streams(1)).error == 0.25
    assert asked == [(77, eps / 2)]


def test_cost_is_free_of_n() -> None:
    """At n = 10¹⁷ the error is that of the best h̃ on the public points, whatever the private examples."""
    problem = LearnerCell(alpha=0.1).problem
    m = LEARNERS[0].points(problem)
    assert m is not None
    for seed in range(20):
        points = streams(seed)("public").random((1, m))
        best = min(0.5, float(np.abs(points - 0.5).min()))
        done = LEARNERS[0].run(problem, 10**17, streams(seed))
        assert done.error == pytest.approx(best, abs=1e-12)
        assert done.m == m


def test_atoms_that_are_worth_a_total_are_learned() -> None:
    """At its theorem's n the error is at most α but for a chance 3β; of 200 runs more than 60 fail with chance 1e-7."""
    total = {"concept": "cube_stumps", "V": 4, "distribution": {"name": "hard", "total": 30}, "alpha": 0.01}
    learner, problem = LEARNERS[0], LearnerCell.model_validate(total).problem
    m, n = learner.points(problem), learner.needed(problem)
    assert m is not None
    assert 4 * (1 - 0.075) ** m <= 0.052
    assert n == abm19.needed(4 * np.log(2), 0.01, 1.0, 0.05, 0.0)
    assert sum(learner.run(problem, n, streams(seed)).error > 0.01 for seed in range(200)) <= 60
    assert sum(learner.run(problem, 2, streams(seed)).error > 0.01 for seed in range(200)) > 150


@pytest.mark.parametrize(
    ("fields", "learner", "told", "key"),
    [
        ({"distribution": "hard"}, "exponential", "whose mass is fixed or worth a total", "distribution"),
        ({"concept": "intervals"}, "permute_and_flip", "allowed: other classes", "concept"),
        ({"alpha": 1e-6}, "exponential", "allowed: at most 1,000,000", "alpha"),
        ({"concept": "stumps"}, "release_learner", "allowed: thresholds, uniform", "concept"),
    ],
)
def test_what_is_refused(fields: dict[str, object], learner: str, told: str, key: str) -> None:
    refusal = refuse(LearnerCell.model_validate({"alpha": 0.1} | fields), learner)
    assert refusal is not None
    assert refusal.message.endswith(told)
    assert refusal.parameter == key
