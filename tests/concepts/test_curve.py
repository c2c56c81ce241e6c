"""A learner by its learning curve: how it is filled, and the votes, classifier by classifier."""

from collections.abc import Callable
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from harness.concepts import Sampler, Situation
from harness.concepts.curve import Curve, Independent, LearningCurve, Split, SplitSampler
from harness.sweep.errors import InputError
from harness.trials.cell import Cell

if TYPE_CHECKING:
    from tests.support.project import Project

TWO = Curve(errs=("0.01@20000", "0.02@5000"))


def sampler(distribution: Independent | Split, concept: Curve = TWO) -> Sampler:
    return distribution.at(Situation(concept, "curve", 1))


def test_two_points_are_joined_by_a_power_which_goes_on() -> None:
    """Four times the examples halve the error: it falls like 1/√s everywhere."""
    assert TWO.errs == ("0.02@5000", "0.01@20000"), "in the order of their sizes"
    for s in (40, 5000, 7000, 20_000, 10**9):
        assert TWO.curve.error(s) == pytest.approx(min(0.5, 0.02 * sqrt(5000 / s)))
        assert TWO.pac_bound("curve", 0.0)(s, 0.01) == TWO.curve.error(s)
    assert TWO.curve.error(1) == TWO.curve.error(0) == 0.5, "a coin"


def test_of_three_points_each_piece_is_a_power_of_its_own() -> None:
    curve = LearningCurve(((100, 0.1), (1000, 0.01), (10_000, 0.01)))
    assert [curve.error(s) for s in (50, 100, 10**3, 10**4, 10**8)] == pytest.approx([0.2, 0.1, 0.01, 0.01, 0.01])
    assert curve.error(316) == pytest.approx(0.1 * 100 / 316)
    assert curve.rule == "by powers of s from point to point; below them s^−1, beyond them s^−0"


def test_a_single_point_is_filled_with_the_larger_of_two_errors_everywhere() -> None:
    curve = Curve(errs=("0.02@5e3",)).curve
    for s in (300, 5000, 5001, 10**7):
        assert curve.error(s) == pytest.approx(min(0.5, max(0.02 * 5000 / s, 0.02 * sqrt(5000 / s))))


@pytest.mark.parametrize(
    ("errs", "said"),
    [
        (["0.02"], "an error and a number of examples are needed, such as 0.02@5000, not '0.02'"),
        (["0.6@10"], "allowed: 1e-12 to 0.5, which a coin has"),
        (["0@10"], "allowed: 1e-12 to 0.5"),
        (["nan@10"], "allowed: 1e-12 to 0.5"),
        (["0.1@1.5"], "allowed: a whole number from 1 to 1e"),
        (["0.1@inf"], "allowed: a whole number from 1 to 1e"),
        (["0.1@10", "0.05@10"], "two errors at 10 examples"),
        (["0.1@10", "0.2@20"], "errors rise from 0.1@10 to 0.2@20"),
    ],
)
def test_what_is_no_learning_curve_is_refused(project: "Project", errs: list[str], said: str) -> None:
    with pytest.raises(InputError, match=r"experiments/small\.yaml:.*errs") as refused:
        project.sweep(concept=f"{{name: curve, errs: {errs}}}", learner="curve", distribution="split")
    assert said in str(refused.value)


KINDS = {"independent": Independent(), "split": Split(), "nearly all": Split(wrong=0.9), "few": Split(wrong=1e-9)}


@pytest.mark.law
@pytest.mark.parametrize("k", [1, 4, 9])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_votes_are_as_if_each_classifier_were_asked(
    kind: Independent | Split, k: int, assert_same_law: Callable[[NDArray[np.int64], NDArray[np.int64]], None]
) -> None:
    """Joint laws of how many of 40 queries have how many wrong votes; false-failure probability 1e-9 a case (`conftest.py`)."""
    of, s, m, trials, rng = sampler(kind), 40, 40, 4000, np.random.default_rng(k)  # errors of 0.22
    asked = of.block(m, k, s, trials, rng)
    ballot = of.sufficient(asked, k, s, rng)
    assert ballot.trial is not None and (ballot.truth == 1).all() and ballot.trials * m == ballot.sizes.sum()
    quick = np.zeros((trials, k + 1), dtype=np.int64)
    np.add.at(quick, (ballot.trial, ballot.wrong), ballot.sizes)
    slow = np.array([np.bincount(of.full(of.queries(m, rng), k, s, rng).wrong, minlength=k + 1) for _ in range(trials)])
    assert_same_law(quick, slow)


def test_independent_errors_are_binomial(
    assert_binomial: Callable[[NDArray[np.int64], int, NDArray[np.float64]], None],
) -> None:
    """Of 10⁷ queries, how many have each number of wrong votes; false-failure probability 1e-9."""
    m, k, s, of = 10**7, 30, 400, sampler(Independent())
    ballot = of.sufficient(of.types(m, k, s, np.random.default_rng(0)), k, s, np.random.default_rng(1))
    counts = np.bincount(ballot.wrong, ballot.sizes, k + 1).astype(np.int64)
    assert_binomial(counts, m, binom.pmf(np.arange(k + 1), k, TWO.curve.error(s)))


@pytest.mark.parametrize("wrong", [None, 0.01, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("k", [1, 2, 7, 100])
def test_no_classifier_errs_on_more_than_the_curve_says_wherever_votes_are_split(k: int, wrong: float | None) -> None:
    """On the middles of the region's equal parts, which have 1/k of its mass each."""
    of, s = sampler(Split(wrong=wrong)), 300
    assert isinstance(of, SplitSampler)
    middles = (np.arange(k) + 0.5) / k * of.mass(k, s)
    mistakes = of.mistakes(middles, np.arange(k), k, s, np.random.default_rng(0))
    assert mistakes.mean(axis=1) * of.mass(k, s) == pytest.approx(min(of.votes(k, s) / k, TWO.curve.error(s)))
    assert (mistakes.sum(axis=0) == of.votes(k, s)).all()
    if wrong is None:
        assert 2 * of.votes(k, s) >= k > 2 * (of.votes(k, s) - 1), "the fewest that win, or tie, against the truth"


def test_a_spec_runs_with_it(project: "Project") -> None:
    sweep = project.sweep(concept="{name: curve, errs: [0.02@5000, 0.01@2e4]}", learner="curve", distribution="split")
    cell = sweep.cells[0]
    assert isinstance(cell, Cell)
    assert cell.task.pac_bound(20_000, 0.1) == 0.01
    assert cell.bound_told.startswith(
        "a learning curve's error on s examples, whatever the confidence, with curve = 0.02 on 5,000"
    )


def test_a_curve_of_many_points_names_its_first_and_its_last_power_and_errors_keep_their_digits() -> None:
    curve = LearningCurve(((100, 0.1), (1000, 0.05), (10_000, 0.005), (10**5, 0.002)))
    assert curve.rule == "by powers of s from point to point; below them s^−0.3, beyond them s^−0.4"
    for err in ("0.1234567", "0.12345649", "0.02", "0.5"):
        assert Curve(errs=(f"{err}@100",)).errs == (f"{err}@100",)


@pytest.mark.parametrize("distribution", [Independent(), Split()], ids=["independent", "split"])
def test_no_more_mistakes_are_held_at_once_than_a_block_has(
    distribution: Independent | Split, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Votes are the same whatever a block holds: one classifier at least."""
    whole, held = distribution.at(Situation(TWO, "curve", 1)), list[int]()
    queries, expected = whole.queries(30, np.random.default_rng(1)), None
    mistakes = type(whole).mistakes

    def counted(self: Any, points: Any, who: Any, *rest: Any) -> Any:
        held.append(len(who) * len(points))
        return mistakes(self, points, who, *rest)

    monkeypatch.setattr(type(whole), "mistakes", counted)
    for block, most in ((10**6, 210), (100, 90), (1, 30)):
        monkeypatch.setattr("harness.concepts.curve.BLOCK", block)
        held.clear()
        counts = whole.full(queries, 7, 5000, np.random.default_rng(2)).counts.tolist()
        expected = expected or counts
        assert counts == expected and max(held) == most and sum(held) == 210
