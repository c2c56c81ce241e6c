"""What advice makes of votes by a learning curve: k by a search, laws of the votes, wrong labels and what a classifier errs."""

from collections.abc import Callable
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness.concepts.curve import IndependentSampler, LearningCurve, SplitSampler
from harness.mechanisms.answering import mechanisms
from harness.report.advice import transfers, votes
from harness.report.advice.labels import Advice, LabelQuestion
from harness.report.advice.means import MeanOfRuns
from harness.report.advice.transfers import Transfer
from harness.report.advice.votes import NEARER, SHARES, Advised, VotesTask, WrongLabels
from harness.theory.constants import constants
from harness.theory.parameters import Task

CURVE = LearningCurve(((100, 0.1),))


def task(m: int = 20, n: int = 10_000) -> VotesTask:
    return VotesTask(Task(m, 1.0, 1e-6, 0.05, 0.0, lambda s, q: CURVE.error(s)), n, CURVE, constants()["lean"])


def plan(**changes: Any) -> Any:
    values: dict[str, Any] = {"k": 9, "s": 100, "alpha": 0.1, "noise": {}, "spent": 1.0, "bound": None}
    return SimpleNamespace(**values | changes, keeps_to=lambda eps: changes.get("keeps", True))


@pytest.mark.parametrize("best", [-9.4, -4.0, -1.13, 0.0, 0.6, 2.9, -10.0, 3.0, -30.0, 8.0])
def test_k_is_sought_by_quarters_of_a_power_within_its_range(best: float, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[float]()

    def wrong(self: VotesTask, mechanism: Any, power: float, laws: Any, below: float) -> tuple[Any, float]:
        asked.append(power)
        return power, abs(power - best)

    monkeypatch.setattr(VotesTask, "_wrong", wrong)
    found: Any = task().best(mechanisms()["gaussian"])
    nearest = min(max(best, -10.0), 3.0)
    assert abs(found[0] - nearest) <= 0.125 and found[1] == abs(found[0] - best)
    assert {-4.0, -1.0, 0.0, 2.0} <= set(asked) and len(asked) == len(set(asked)) and min(asked) >= -10 and max(asked) <= 3


def test_where_nothing_runs_at_any_k_there_is_no_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VotesTask, "_wrong", lambda self, *given: (None, inf))
    assert task().best(mechanisms()["gaussian"]) is None and task().least("gaussian") == inf
    monkeypatch.setattr(VotesTask, "_wrong", lambda self, *given: ("a plan", 3.0))
    assert [task().least("gaussian", below) for below in (inf, 3.1, 3.0)] == [3.0, 3.0, inf]


@pytest.mark.parametrize(
    ("changes", "below", "found"),
    [
        ({}, inf, 7.0),
        ({"s": 1}, inf, 7.0),
        ({"s": 0}, inf, None),
        ({"noise": {"T": 30_000}}, inf, 7.0),
        ({"noise": {"T": 30_001}}, inf, None),
        ({}, 2.0, None),  # of twenty labels classifiers that err 0.1 have two wrong
        ({}, 2.001, 7.0),
    ],
)
def test_at_one_k_the_worst_law_counts_where_a_run_is_possible(
    changes: dict[str, Any], below: float, found: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    scaled = list[float]()

    def planned(values: Any, of: Any, n: int) -> Any:
        scaled.append(values.k_scale)
        return plan(**changes)

    monkeypatch.setattr(VotesTask, "means", lambda self, *given: [MeanOfRuns(mean, 0.1) for mean in (3.0, 7.0, 5.0)])
    mechanism: Any = SimpleNamespace(plan=planned)
    told, wrong = task()._wrong(mechanism, -3.0, lambda of: [], below)
    assert scaled == [task().constants.k_scale / 8]
    assert (told is None, wrong) == (found is None, inf if found is None else found)


@pytest.mark.parametrize(
    ("m", "stage", "runs"), [(20, 0, 24), (5000, 0, 20), (10**6, 0, 8), (20, 1, 600), (10_000, 1, 300), (10**6, 1, 40)]
)
def test_of_long_runs_there_are_few(m: int, stage: int, runs: int) -> None:
    """A law each has as many, all in one ballot; labels that are all wrong are counted as such."""
    seen = list[Any]()

    def answer_block(ballot: Any, *given: Any) -> Any:
        seen.append(ballot)
        return SimpleNamespace(given=np.stack([ballot.sizes, 0 * ballot.sizes]))

    laws = [SplitSampler(CURVE, 0.5), IndependentSampler(CURVE)]
    mechanism: Any = SimpleNamespace(answer_block=answer_block)
    found = task(m).means(mechanism, plan(), laws, stage)
    assert seen[0].trials == 2 * runs and [each.share for each in found] == [0.5, None]
    assert [(each.mean, each.error) for each in found] == [(m, 0)] * 2


def test_wrong_labels_are_those_of_the_law() -> None:
    """Where all votes are wrong on as many queries as classifiers err, and where there is one voter: six standard errors."""
    majority = mechanisms()["majority"]
    together, alone = (
        task(200).means(majority, plan(k=k), [law], 1)[0]
        for k, law in ((9, SplitSampler(CURVE, 1.0)), (1, IndependentSampler(CURVE)))
    )
    for found in (together, alone):
        assert abs(found.mean - 20) < 6 * found.error and found.error == pytest.approx((18 / 600) ** 0.5, rel=0.25)


def test_shares_of_wrong_votes_are_tried_from_the_least_that_turns_the_vote() -> None:
    assert [law.wrong for law in task()._splits(plan(k=9)) if isinstance(law, SplitSampler)] == [5 / 9, *SHARES]
    assert [law.wrong for law in task()._splits(plan(k=8)) if isinstance(law, SplitSampler)] == [4 / 8, *SHARES]


@pytest.mark.parametrize(("peak", "told"), [(0.47, 0.47), (0.459, 0.46), (0.452, 0.45), (1.0, 1.0), (0.2, 0.2), (0.19, 0.19)])
def test_wrong_labels_are_told_at_the_share_that_is_worst_of_all_and_near_it(
    peak: float, told: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = list[tuple[int, list[Any]]]()

    def means(self: VotesTask, mechanism: Any, of: Any, laws: Any, stage: int = 0) -> list[MeanOfRuns]:
        shares = [getattr(law, "wrong", None) for law in laws]
        calls.append((stage, shares))
        return [MeanOfRuns(9 - abs((share or 0) - peak), 0.1, share) for share in shares]

    monkeypatch.setattr(VotesTask, "means", means)
    found = task()._wrong_labels(mechanisms()["gaussian"], plan(k=9))
    assert found.split.share == pytest.approx(told) and found.independent.share is None
    near = calls[1][1]
    assert near[0] in SHARES and near[1:] == [near[0] + step for step in NEARER if near[0] + step <= 1]
    assert [stage for stage, _ in calls] == [0, 0, 1, 1] and found.json["share_of_votes"] == found.split.share


def test_who_is_out_is_told_by_whose_word_it_is_and_by_what_it_spends(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = mechanisms()["gaussian"]
    assert task()._why(mechanism, plan()) is None
    assert task()._why(mechanism, plan(keeps=False)) == "not certified to be (ε, δ)-DP"
    monkeypatch.setattr(votes, "spent_by", lambda name: "declared")
    assert task()._why(mechanism, plan()) == "(ε, δ)-DP as its author declares, certified by no accountant"


def test_what_could_not_be_measured_is_told_why() -> None:
    assert votes._unmeasured(plan(noise={"T": 30_001.0}), 5) == "it is not measured: up to T = 30,001 queries of a run may be ⊥"
    few = "n = 5,000 examples are too few for any number of chunks that was tried"
    assert votes._unmeasured(plan(noise={"T": 30_000.0}), 5000) == few == votes._unmeasured(plan(), 5000)


@pytest.mark.parametrize(
    ("together", "alone", "bottoms", "measured"),
    [(9, 17, 30_000.0, True), (None, 17, 0.0, False), (9, None, 0.0, False), (9, 17, 30_001.0, False)],
)
def test_a_mechanism_is_told_of_where_it_runs_under_both_laws_and_lets_few_out(
    together: int | None, alone: int | None, bottoms: float, measured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each law at its own k; and what is promised is of the least k that its guarantee needs, whatever is measured."""
    ks = {"_splits": together, "_independent": alone}

    def best(self: VotesTask, mechanism: Any, laws: Any, below: float = inf) -> Any:
        k = ks[laws.__name__]
        return None if k is None else (plan(k=k), 1.0)

    monkeypatch.setattr(VotesTask, "best", best)
    monkeypatch.setattr(VotesTask, "_wrong_labels", lambda self, mechanism, of: wrong_labels(of.k, of.k / 2, of.k / 4))
    least = plan(k=33, bound=0.25, noise={"T": bottoms})
    own = SimpleNamespace(name="gaussian", plan=lambda values, of, n: least)
    monkeypatch.setattr(votes, "mechanisms", lambda: {"gaussian": own})
    found = task(20).advised("gaussian")
    assert found.promised == 5 and found.least is least and (found.why is None) == measured
    if measured:
        assert (found.together.plan.k, found.alone.plan.k) == (9, 17)
        assert found.error == found.together.split and found.error is not None and found.error.mean == 4.5
    else:
        assert found.error is None and found.split is None and found.independent is None
    own.plan = lambda values, of, n: plan()
    assert task(20).advised("gaussian").promised is None


def test_a_task_of_votes_is_moved_along_n_or_m() -> None:
    here = task(20, 10_000)
    assert (here.value("n"), here.value("m"), here.blind.wrong) == (10_000, 20, 10)
    assert (here.moved("n", 7).n, here.moved("n", 7).task.m, here.moved("m", 7).n, here.moved("m", 7).task.m) == (
        7,
        20,
        10_000,
        7,
    )


def wrong_labels(k: int, split: float, independent: float, share: float | None = 0.5) -> WrongLabels:
    return WrongLabels(plan(k=k, s=60), MeanOfRuns(split, 0.01, share), MeanOfRuns(independent, 0.01))


def advised(name: str, split: float, alone: float, promised: float | None = None) -> Advised:
    own = wrong_labels(9, split, alone + 1), wrong_labels(17, split + 1, alone)
    return Advised(name, plan(k=33, spent=inf), promised, None, own[0].split, *own)


def label_advice(*every: Advised) -> Advice:
    question = LabelQuestion(errs=["0.1@100"], n=10_000, m=20)
    return Advice(question, every, [], question.votes.blind)


def test_what_is_best_where_errors_are_independent_is_told_by_its_own_k() -> None:
    found = label_advice(advised("a", 2.0, 3.0, 18.0), advised("b", 4.0, 1.0), advised("c", 5.0, 1.02, 19.0))
    assert [one.name for one in found.race] == ["a", "b", "c"] and found.independent == ["b", "c"]
    said = list(found.sentences())
    assert said[0] == (
        "a wins, with k = 9 chunks of 60 examples, on each of which the learner errs 0.1. Of 20 labels 2 are wrong where 50% "
        "of the votes are wrong on 20.00% of the queries, which is the worst, and 4 where errors are independent."
    )
    assert "The next is b, with 4, 2 times as many." in said
    assert "By what is proved a is best, with k = 33: at most 18.0." in said
    assert "Were errors independent, best would be, with 1 wrong: b (k = 17), c (k = 17)." in said
    assert "No point of the curve is near s = 60: how it is filled decides. Measure your learner there." in said
    assert found.json["wins_if_independent"] == ["b", "c"] and found.json["curve"].startswith("errors fall of one point")
    own = found.json["mechanisms"]["a"]
    assert (own["spent"], own["promised"], own["promised_k"], own["split"]["k"], own["independent"]["k"]) == (
        None,
        18.0,
        33,
        9,
        17,
    )
    assert own["split"]["error"] == 0.1 and own["split"]["wrong_split_within"] == pytest.approx(0.033)


def test_points_of_a_curve_are_taken_as_texts_or_as_a_mapping() -> None:
    asked: list[Any] = ["0.1@100", ["0.1@100"], {100: 0.1}]
    assert {tuple(LabelQuestion(errs=errs, n=10, m=2).errs) for errs in asked} == {("0.1@100",)}
    of = LabelQuestion(errs=["0.1@100"], n=10, m=2, eps=2, delta=1e-7, beta=0.1).votes
    assert (of.n, of.task.m, of.task.eps, of.task.delta, of.task.beta, of.task.gamma) == (10, 2, 2, 1e-7, 0.1, 0)
    assert of.task.pac_bound(400, 0.5) == pytest.approx(0.05)


def transfer(most: int, least: Callable[[int], float] = lambda m: 0.0) -> Any:
    """Of a mechanism that has so many wrong labels of m."""

    def at(m: int) -> Any:
        of = SimpleNamespace(task=SimpleNamespace(m=m), n=7, constants=None, curve=CURVE, value=lambda axis: m)
        of.moved = lambda axis, value: at(value)
        of.least = lambda name: least(m)
        return of

    return Transfer(at(most))


@pytest.mark.parametrize(
    ("most", "points"),
    [(1000, [1000, 500, 250, 125, 62, 31, 15]), (5, [5]), (20, [20, 10]), (10**6, [10**6 >> power for power in range(8)])],
)
def test_fewer_points_are_labelled_by_halves(most: int, points: list[int]) -> None:
    assert transfer(most).points == points


def test_the_error_by_labels_is_twice_what_is_wrong_of_them_and_what_the_curve_says() -> None:
    of = transfer(400, lambda m: m / 100)
    assert of.error("any", 400) == pytest.approx(0.02 + 0.05) and of.error("any", 100) == pytest.approx(0.02 + 0.1)
    assert of.least("any") == pytest.approx(0.07) and of.value("m") == 400 and of.moved("m", 30).points == [30, 15]
    assert transfer(400, lambda m: float(m)).least("any") == 1 and transfer(400, lambda m: 9 * (m > 200)).least("any") > 0.07


def test_what_is_promised_of_labels_is_twice_their_bound_and_what_the_curve_says(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = {"none": None, "some": 0.1}
    own = {name: SimpleNamespace(plan=lambda values, of, n, bound=bound: plan(bound=bound)) for name, bound in bounds.items()}
    monkeypatch.setattr(transfers, "mechanisms", lambda: own)
    assert transfer(400).promised("some", 100) == pytest.approx(0.3) and transfer(400).promised("none", 100) == inf
