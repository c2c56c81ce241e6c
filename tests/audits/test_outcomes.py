"""What runs of an audit are made of: the numbers of an outcome, and the data sets that they are run on."""

from math import inf
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from harness.analysts import Poll
from harness.arrays import Reals
from harness.covers import Cover
from harness.mechanisms.release.points import MovedPoint
from harness.transfer import private_learners
from harness.trials.audited import classifiers, releases
from harness.trials.audited import online as one_by_one
from harness.trials.audited import scores as audited_scores
from harness.trials.audited.examples import GivenExamples
from harness.trials.audited.outcome import Audited
from harness.trials.audited.subject import AuditSetting, Subject


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def scored(*queries: float | str) -> SimpleNamespace:
    """What a mechanism of scores answers to queries: a score, ⊥ or nothing."""
    low = np.array([each if isinstance(each, float) else np.nan for each in queries])
    return SimpleNamespace(low=low, **{key: np.array([each == key for each in queries]) for key in ("bottoms", "unanswered")})


def test_an_outcome_of_scores_tells_scores_bottoms_and_silence_apart() -> None:
    """Of three queries and of all together, in two runs on the second data set."""
    mechanism, pair = Mock(), Mock()
    mechanism.answer.side_effect = [scored(0.25, "bottoms", "unanswered"), scored(0.5, 0.75, "bottoms")]
    seen = audited_scores.outcomes(mechanism, Mock(), 3, pair, 1, 2, rng())
    told = dict(zip(audited_scores.outputs(3), seen.T.tolist(), strict=True))
    ones = {"score of query 1": [0.25, 0.5], "score of query 2": [0, 0.75], "⊥ of query 2": [1, 0], "⊥ of query 3": [0, 1]}
    whole = {"score of all queries": [0.25, 1.25], "⊥ of all queries": [1, 1], "no answer of all queries": [1, 0]}
    assert {name: values for name, values in told.items() if any(values)} == ones | whole | {"no answer of query 3": [1, 0]}
    assert {call.args[1].learner for call in mechanism.answer.call_args_list} == {pair.after}


@pytest.mark.parametrize("said", [0.25, "bottoms", "unanswered"])
def test_of_one_query_the_outcome_is_its_own_alone(said: float | str) -> None:
    mechanism = Mock()
    mechanism.answer.side_effect = [scored(said)]
    (seen,) = audited_scores.outcomes(mechanism, Mock(), 1, Mock(), 0, 1, rng()).tolist()
    assert seen == [said if isinstance(said, float) else 0, said == "bottoms", said == "unanswered"]
    assert len(audited_scores.outputs(1)) == len(one_by_one.outputs(1)) == 3


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("k", [8, 9, 12, 16])
def test_gaps_between_two_labels_are_tried_as_they_are_and_no_tie_for_them(
    whole: bool, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[int]()

    def said(online: object, plan: object, labels: int, polls: list[Poll], runs: int, rng: object) -> Reals:
        (poll,) = polls
        tried.append(int(poll.counts[0] - poll.counts[1]))
        return np.full((runs, 1), float(tried[-1] < k // 2))

    monkeypatch.setattr(one_by_one, "outcomes", said)
    online = Mock(whole=whole)
    online.neighbours.return_value = []
    one_by_one.neighbours(online, Mock(k=k), 2, 2, rng())
    assert set(tried) == set(range(4 - k % 2, k + 1, 2))


@pytest.mark.parametrize("side", [0, 1])
def test_a_release_is_run_on_the_shares_of_one_of_two_data_sets_as_often_as_there_are_runs(side: int) -> None:
    release, cover = Mock(needs_public=False), Mock(spec=Cover)
    pair = MovedPoint("one is moved", np.array([0.75, 0.25]), np.array([0.5, 0.5]))
    seen = releases.outcomes(release, cover, Mock(), 4, pair, side, 3, rng())
    problem = release.release_block.call_args.args[0]
    assert problem.site.shares.tolist() == [[[0.75, 0.25], [0.5, 0.5]][side]] * 3
    assert seen is release.release_block.return_value.answers


def test_relabelling_is_audited_on_as_few_examples_as_make_chunks_of_one() -> None:
    """Where nothing says how many there are."""
    of, setting = private_learners()["A_Priv_relabelled"], AuditSetting(m=3)
    pairs = classifiers.learner("A_Priv_relabelled", setting).pairs(rng())
    before, after = pairs[0].run.args[1]  # type: ignore[attr-defined]
    n = before.zeros + before.ones
    to_learn = classifiers.problem(setting, GivenExamples(setting.m, 0, 0))
    enough, fewer = of.plan(to_learn, n), of.plan(to_learn, n - 1)  # type: ignore[attr-defined]
    assert after.zeros + after.ones == n and enough.s == 1 and (fewer is None or fewer.s < 1)


@pytest.mark.parametrize(
    ("private", "spent", "claimed", "by_plan"),
    [(True, 0.3, 0.3, 0.3), (True, 2.0, 0.7, 2.0), (True, None, 0.7, inf), (True, inf, 0.7, inf), (False, 0.3, inf, 0.3)],
)
def test_what_is_private_keeps_to_what_was_asked_or_to_less_where_its_plan_says_so(
    private: bool, spent: float | None, claimed: float, by_plan: float
) -> None:
    of = Subject.of(Mock(private=private), 0.7, spent, Mock())
    assert (of.claimed, of.spent) == (claimed, by_plan)


@pytest.mark.parametrize(("lower", "verdict"), [(0.9, "not refuted"), (1.0, "not refuted"), (1.0001, "refuted")])
def test_what_is_said_is_refuted_by_a_lower_end_above_it(lower: float, verdict: str) -> None:
    said: Any = Audited.verdict
    assert said.fget(SimpleNamespace(lower=lower, claimed=1.0)) == verdict
