"""The bound on ε itself: its law, its arguments and what it refuses."""

from dataclasses import replace
from math import exp, inf, log
from pathlib import Path

import numpy as np
import pytest
import yaml
from scipy.stats import binom

from harness import InputError, audit
from harness.audits.measure import FEW, ends, lower_end, shares
from harness.mechanisms.answering.tables import Tables
from harness.mechanisms.neighbours import NeighbourPair, uncertain
from harness.mechanisms.online import onlines
from harness.report.audits import AuditsReport, audits_of, share_seen
from harness.trials.audited.outcome import audited
from harness.trials.audited.subject import AuditSetting, subjects

RUNS, ERROR, SEED = 200, 0.05, 32


@pytest.mark.parametrize("eps", [0.1, 1.0, 2.0])
def test_a_lower_end_is_too_high_with_at_most_the_stated_chance(eps: float) -> None:
    """By the exact law of both counts, of an event with the ratio e^ε: no simulation."""
    q = 1 / (1 + exp(eps))
    counts = np.arange(RUNS + 1)
    high = lower_end(counts[:, np.newaxis], RUNS, counts, RUNS, 0.0, ERROR) > eps
    missed = float(binom.pmf(counts, RUNS, exp(eps) * q) @ high @ binom.pmf(counts, RUNS, q))
    assert missed <= ERROR
    narrow = lower_end(counts[:, np.newaxis], RUNS, counts, RUNS, 0.0, 0.9) > eps
    assert float(binom.pmf(counts, RUNS, exp(eps) * q) @ narrow @ binom.pmf(counts, RUNS, q)) > ERROR  # it is no empty promise


def test_what_delta_leaves_out_is_left_out() -> None:
    low, high = ends(90, 100, 10, 100, ERROR)
    assert float(lower_end(90, 100, 10, 100, 0.3, ERROR)) == pytest.approx(log((float(low) - 0.3) / float(high)))
    assert float(lower_end(90, 100, 10, 100, 0.9, ERROR)) == 0
    assert float(lower_end(0, 100, 10, 100, 0.0, ERROR)) == 0


def test_the_same_seed_and_runs_give_the_same_audit_and_another_seed_another() -> None:
    setting = AuditSetting(m=1, eps=2, delta=1e-3)
    one, again, other = (audited("gaussian", setting, seed, runs=800) for seed in (1, 1, 2))
    assert one == again and (one.hits, one.others) != (other.hits, other.others)
    assert one.verdict == "not refuted" and one.judged == 400


def test_what_promises_nothing_is_not_refuted_and_far_from_private() -> None:
    found = audit("majority", m=1, runs=1_000)
    assert found.lower > found.setting.eps and found.verdict == "not refuted"


def test_every_sort_of_answer_has_mechanisms_and_a_shared_name_says_its_sort() -> None:
    assert {sort.word for sort, _ in subjects().values()} == {"votes", "scores", "release", "online", "classifier"}
    assert {"A_subSamp", "online/A_subSamp"} <= subjects().keys()
    assert {name.removeprefix("online/") for name, (sort, _) in subjects().items() if sort.word == "online"} == {*onlines()}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"mechanism": "gausian"}, "MECHANISM: no mechanism 'gausian' to audit; did you mean 'gaussian'?"),
        ({"mechanism": "gaussian", "eps": -1}, "--eps: a number ≥ 0.001 is needed, not -1"),
        ({"mechanism": "gaussian", "epsilon": 1}, "--epsilon: it has no say here; allowed: m, T, n"),
        ({"mechanism": "gaussian_mean", "constants": "BTT"}, "no constants 'BTT' for this mechanism; did you mean 'BTT18a'?"),
        (
            {"mechanism": "noisy_majority", "runs": 399},
            "--runs: an event is not found and judged by 399 runs; allowed: at least 400",
        ),
        ({"mechanism": "A_Priv", "m": 60}, "m = 60 public points are too many to be told apart; allowed: m ≤ 50"),
    ],
)
def test_what_cannot_be_audited_is_told(asked: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as error:
        audit(**{"runs": 400} | asked)  # type: ignore[arg-type]
    assert said in str(error.value)


@pytest.mark.law
def test_all_that_are_private_can_be_audited_at_once_and_none_is_refuted() -> None:
    done, left_out = audits_of({"m": "2"}, SEED, 400, 1.0, 1e-3)
    assert {one.mechanism for one in done} == {
        name for name, (sort, known) in subjects().items() if sort.mechanisms()[known].private
    }
    assert left_out == [] and not AuditsReport(done, left_out).refuted


def test_the_committed_audits_are_of_every_mechanism_that_is_private() -> None:
    asked = yaml.safe_load(Path("experiments/audited.yaml").read_text("utf-8"))["mechanisms"]
    assert {*asked} == {name for name, (sort, known) in subjects().items() if sort.mechanisms()[known].private}


def test_what_is_seen_is_a_share_of_what_is_said_and_of_nothing_said_anything_is_too_much() -> None:
    found = audit("gaussian", m=1, runs=400)
    seen = [share_seen(replace(found, lower=lower, claimed=claimed)) for lower, claimed in ((0.2, 0.8), (0.0, 0.0), (0.1, 0.0))]
    assert seen == [0.25, 0.0, inf]
    assert replace(found, lower=0.1, claimed=0.0).verdict == "refuted"


def test_tables_of_more_than_one_vote_are_no_neighbours() -> None:
    before, after = np.array([[3], [2]]), np.array([[1], [4]])
    with pytest.raises(ValueError, match="allowed: tables that differ in one vote of each query"):
        Tables("two votes", before, after, np.array([1]))


def test_gaps_of_a_million_votes_are_found_within_a_twentieth_of_where_a_half_and_a_tenth_are_lost() -> None:
    for scale in np.geomspace(100, 1e5, 60).tolist():
        tenth, half = uncertain(lambda gap, scale=scale: exp(-gap / scale), 10**6)[::-1]  # type: ignore[misc]
        assert half == pytest.approx(scale * log(2), rel=0.05) and tenth == pytest.approx(scale * log(10), rel=0.05)


def test_a_pair_gets_all_runs_unless_its_weight_is_another_and_of_few_as_many_as_others() -> None:
    pair = NeighbourPair("", ("answer",), lambda side, runs, rng: np.zeros((runs, 1)))
    halved, hardly = replace(pair, weight=0.5), replace(pair, weight=1e-3)
    assert [shares(each, 10_000) for each in (pair, halved, hardly)] == [10_000, 5000, FEW]
    assert pair.weight == 1 and pair.sample(1, 7, lambda name: np.random.default_rng(1), "").shape == (7, 1)


def test_tables_that_differ_in_more_than_a_vote_of_a_query_or_have_less_than_none_are_no_neighbours() -> None:
    """Nor are those of other shapes, or without a size for each type."""
    before, sizes = np.array([[3, 0], [1, 4]]), np.array([2, 1])
    assert Tables("", before, np.array([[2, 1], [2, 3]]), sizes).after[0].tolist() == [2, 1]
    for after in ([[4, 0], [1, 4]], [[3, -1], [1, 5]], [[1, 0], [3, 4]], [[3, 1], [1, 4]]):
        with pytest.raises(ValueError, match="these are no neighbours"):
            Tables("", before, np.array(after), sizes)
    for shape, some in (((2, 1), sizes), ((2, 2), sizes[:1])):
        with pytest.raises(ValueError, match="the tables are of shapes"):
            Tables("", before, np.ones(shape, np.int64), some)


def test_no_runs_have_no_outcomes_of_as_many_numbers_as_any() -> None:
    pair = NeighbourPair("", ("one", "other"), lambda side, runs, rng: np.full((runs, 2), side), block=2)
    for runs in (0, 2, 3):
        assert pair.sample(1, runs, lambda purpose: np.random.default_rng(1), "").tolist() == [[1, 1]] * runs
    assert pair.sample(1, 0, lambda purpose: np.random.default_rng(1), "").shape == (0, 2)
