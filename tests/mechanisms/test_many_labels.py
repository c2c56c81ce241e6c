"""More than two labels: who answers them, and what a ⊥ on them costs."""

from itertools import pairwise

import numpy as np
import pytest
from harness.mechanisms.answers import BOTTOM, UNANSWERED
from scipy.integrate import quad
from scipy.stats import laplace

from harness.concepts.votes import Votes
from harness.mechanisms import Mechanism, mechanisms
from harness.theory.fixed_point import Plan
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import CONSTANTS, Task

TASK = Task(m=60, eps=1.0, delta=1e-6, beta=1e-8, gamma=0.0, pac_bound=thresholds_extremal)


def ballot(labels: int, k: int) -> Votes:
    """Unanimous votes for each label in turn."""
    truth = np.resize(np.arange(labels), TASK.m).astype(np.int8)
    return Votes(k * np.eye(labels, dtype=np.int64)[truth].T, k, truth)


@pytest.mark.parametrize("mechanism", mechanisms().values(), ids=list(mechanisms()))
def test_a_mechanism_answers_any_labels_or_says_that_it_is_for_two(mechanism: Mechanism) -> None:
    """False-failure probability: β = 1e-8 a mechanism, fewer than 20: its own guarantee speaks of votes less unanimous."""
    plan = mechanism.plan(CONSTANTS["BTT18"], TASK, 10**10)
    votes = ballot(5, plan.k)
    if getattr(mechanism, "binary", False):
        with pytest.raises(ValueError, match=f"{mechanism.name} is for two labels, not 5; use "):
            mechanism.answer(votes, plan, TASK, np.random.default_rng(1))
    else:
        answers = mechanism.answer(votes, plan, TASK, np.random.default_rng(1))
        assert answers.labels.tolist() == votes.truth.tolist()


@pytest.mark.parametrize("labels", [2, 3, 7])
def test_a_bottom_is_a_label_drawn_at_random(labels: int) -> None:
    """The error on a fresh query against quadrature over both noises: a ⊥ is wrong with probability 1 − 1/L."""
    k, lam, w, m = 60, 4.0, 20.0, 40
    rng = np.random.default_rng(labels)
    counts = np.array([rng.multinomial(k, rng.dirichlet(np.full(labels, 0.3))) for _ in range(m)]).T
    votes = Votes(counts, k, rng.integers(0, labels, m).astype(np.int8))

    def bottom(ballot: list[int]) -> float:
        first, second = sorted(ballot)[-1], sorted(ballot)[-2]
        dist = max(0, first - second - 1)

        def density(noise: float) -> float:
            return float(laplace.cdf(w + noise - dist, scale=2 * lam) * laplace.pdf(noise, scale=lam))

        edges = sorted([-40 * lam, 0.0, dist - w, 40 * lam])
        return sum(quad(density, low, high)[0] for low, high in pairwise(edges))

    chances = [bottom(each) for each in counts.T.tolist()]
    wrong = (counts.argmax(axis=0) != votes.truth).tolist()
    expected = np.mean([p * (1 - 1 / labels) + (1 - p) * error for p, error in zip(chances, wrong, strict=True)])
    plan = Plan(n=k, k=k, s=1, alpha=1.0, bound=None, reason="set by hand", T=1.0, lam=lam, w=w, distance="printed")
    answers = mechanisms()["A_subSamp"].answer(votes, plan, TASK, np.random.default_rng(0))
    assert answers.fresh_error == pytest.approx(expected, rel=1e-6)
    assert set(answers.labels.tolist()) <= {*range(labels), BOTTOM, UNANSWERED}
