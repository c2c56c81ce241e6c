"""A_Priv on few points where labels are noisy: its law by hand, what it spends, and that nothing is claimed of it.

Tests of laws fail on a right implementation with probability below 1e-6 each.
"""

import numpy as np
import pytest

from harness.mechanisms.answering.per_query import SharePlan
from harness.theory.fixed_point import CutoffPlan
from harness.theory.plan import Plan
from harness.transfer import FAILED, private_learners
from harness.trials.audited import classifiers
from harness.trials.audited.examples import labels_of
from harness.trials.audited.outcome import audited
from harness.trials.audited.subject import AuditSetting, NotAuditedError
from harness.trials.learner import LearnerCell, refuse
from tests.support.laws import Ints
from tests.support.same_law import assert_same_law
from tests.support.streams import streams

FEW = ["A_Priv_erm", "A_Priv_erm_noisy_majority"]
RUNS = 1000
NOISY = LearnerCell(alpha=0.3, gamma=0.05, eps=40, constants="tight", learner="leftmost")
"""So few points, chunks and examples a chunk that all of them can be looked at one by one."""


def least_risk(points: np.ndarray, labels: np.ndarray) -> float:
    """Every threshold is tried, the lowest first; labels are 1 from it on."""
    cuts = np.array([0.0, *np.nextafter(np.sort(points), 2)])
    return float(cuts[((points >= cuts[:, np.newaxis]) != labels).sum(axis=1).argmin()])


def error_by_hand(m: int, k: int, s: int, scale: float, gamma: float, rng: np.random.Generator) -> float:
    """Of what is learned from the labels that k learners give m points, with Laplace noise of this scale on each gap."""
    learned = []
    for _ in range(k):
        points = rng.random(s)
        learned.append(least_risk(points, (points >= 0.5) != (rng.random(s) < gamma)))
    public = rng.random(m)
    gaps = 2 * (public[:, np.newaxis] >= np.array(learned)).sum(axis=1) - k
    own = least_risk(public, gaps + rng.laplace(scale=scale, size=m) > 0)
    return gamma + (1 - 2 * gamma) * abs(own - 0.5)


@pytest.mark.law
@pytest.mark.parametrize(("sampling", "s"), [("sufficient", 350), ("full", 10)])
def test_what_few_points_teach_errs_as_by_hand(sampling: str, s: int) -> None:
    """With so many examples a chunk that their law is used, and with few; ten times the noise on votes is told apart."""
    learner, rng = private_learners()["A_Priv_erm_noisy_majority"], np.random.default_rng(3)
    problem = NOISY.model_copy(update={"sampling": sampling}).problem
    made = [learner.run(problem, 23 * s, streams(seed)) for seed in range(RUNS)]
    plan, m = made[0].plan, made[0].m
    assert isinstance(plan, SharePlan) and m is not None and (plan.k, plan.s) == (23, s)
    errors = np.array([[run.error] for run in made])
    by_hand, noisier = (
        np.array([[error_by_hand(m, plan.k, s, times * 2 / plan.eps0, 0.05, rng)] for _ in range(RUNS)]) for times in (1, 10)
    )
    assert_same_law(errors, by_hand)
    with pytest.raises(AssertionError):
        assert_same_law(errors, noisier)


VOTED = AuditSetting(m=20, gamma=0.05, eps=5, constants="tight")
"""Given votes on so few points. At this γ A_binClas may leave 18 of them unanswered, without noise 13."""
VOTED_RUNS = 16_000


def labels_by_hand(plan: Plan, gap: int, times: float, rng: np.random.Generator) -> Ints:
    """How many points of a run are ⊥, and how many get the label of the fewer votes, (runs, 2), all at one gap of votes.

    The loops as they are printed, with `times` the noise; a ⊥, and what comes after the halt, is a fair coin.
    """
    m, bottoms, wrong = VOTED.m, np.zeros(VOTED_RUNS, np.int64), np.zeros(VOTED_RUNS, np.int64)
    if isinstance(plan, SharePlan):
        wrong = (gap + rng.laplace(scale=times * 2 / plan.eps0, size=(VOTED_RUNS, m)) < 0).sum(axis=1)
        return np.stack([bottoms, wrong], axis=1)
    assert isinstance(plan, CutoffPlan)
    lam, above = times * plan.lam, (gap + 1) // 2 - 1 - plan.w
    threshold = rng.laplace(scale=lam, size=VOTED_RUNS)
    for _ in range(m):
        halted = bottoms >= plan.T
        bottom = ~halted & (above + rng.laplace(scale=2 * lam, size=VOTED_RUNS) <= threshold)
        threshold = np.where(bottom, rng.laplace(scale=lam, size=VOTED_RUNS), threshold)
        wrong += (bottom | halted) & (rng.random(VOTED_RUNS) < 0.5)
        bottoms += bottom
    return np.stack([bottoms, wrong], axis=1)


@pytest.mark.law
@pytest.mark.parametrize("name", FEW)
def test_a_tenth_of_the_noise_on_votes_is_told_apart(name: str) -> None:
    """Where about one point in five is ⊥ or labelled wrong, which says most of a scale: nine tenths, as it is, and eleven."""
    learner, rng = private_learners()[name], np.random.default_rng(4)
    any_votes = classifiers.problem(VOTED, classifiers.voted(classifiers.unanimous(VOTED.m)))
    n = learner.needed(any_votes)
    labelling = learner.labelling(any_votes, n)
    assert labelling is not None and labelling[1] is not None
    plan = labelling[1]
    gap = round(2 / plan.eps0) if isinstance(plan, SharePlan) else round(2 * (plan.noise["w"] + 2 * plan.noise["lam"]))
    gap += (gap - plan.k) % 2
    votes = [((plan.k + sign * gap) // 2,) * VOTED.m for sign in (1, -1)]
    problem = classifiers.problem(VOTED, classifiers.voted((votes[0], votes[1])))
    runs = [learner.run(problem, n, streams(seed)) for seed in range(VOTED_RUNS)]
    made = np.array([(run.bottoms, labels_of(run.error, VOTED.m).sum()) for run in runs], np.int64)
    assert_same_law(made, labels_by_hand(plan, gap, 1.0, rng))
    for times in (0.9, 1.1):
        with pytest.raises(AssertionError):
            assert_same_law(made, labels_by_hand(plan, gap, times, rng))


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("gamma", [0.01, 0.1, 0.3])
def test_it_spends_epsilon_at_most_and_nothing_is_claimed(name: str, gamma: float) -> None:
    """By the accountant of what labels, at the T that follows from γ; the claim of Remark 2 is of γ = 0 alone."""
    cell = LearnerCell(alpha=0.1, gamma=gamma, constants="tight")
    learner, without = private_learners()[name], cell.model_copy(update={"gamma": 0.0}).problem
    assert refuse(cell, name) is None
    labelling = learner.labelling(cell.problem, 10**7)
    assert labelling is not None
    m, plan = labelling
    assert plan is not None and m is not None
    assert m == learner.points(without) and m < 0.1 * (private_learners()["A_Priv"].points(cell.problem) or 0)
    assert plan.keeps_to(1.0) and plan.spent > 0.3
    assert learner.claimed(cell.problem) == FAILED and learner.claimed(without) == pytest.approx(1.5)


@pytest.mark.law
@pytest.mark.parametrize("name", FEW)
def test_an_audit_at_noisy_labels_sees_a_budget_that_is_exceeded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By runs with γ = 0.1 on neighbouring votes: nothing beyond ε = 1, and something where noise is for ε = 30."""
    setting = AuditSetting(m=1, gamma=0.1, constants="tight")
    own = classifiers.problem
    assert audited(name, setting, 1, runs=4000, error=1e-6).verdict == "not refuted"
    monkeypatch.setattr(classifiers, "problem", lambda asked, sampler: own(asked.model_copy(update={"eps": 30.0}), sampler))
    assert audited(name, setting, 1, runs=4000, error=1e-6).verdict == "refuted"


def test_what_needs_labels_of_a_hypothesis_is_not_audited_where_they_are_noisy() -> None:
    with pytest.raises(NotAuditedError, match="A_Priv_pac is for labels without noise"):
        audited("A_Priv_pac", AuditSetting(m=1, gamma=0.1), 1, runs=1000)
