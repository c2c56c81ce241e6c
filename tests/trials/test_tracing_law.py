"""The attack's chances by the law of a score: as often as when all rows are written out, and refusals."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binom

from harness.arrays import Reals
from harness.mechanisms.rounding import Averages
from harness.sweep.table.rows import impossible
from harness.sweep.table.schema import tabulated
from harness.theory.tracing import deviation, threshold
from harness.trials import tracing_law
from harness.trials.tracing_law import ATOMS, KIND, CoordinateTypes, TracedByLaw, refuse, too_few, traced


def cell(p: int, alpha: float, n: int, c: float = 0.25) -> TracedByLaw:
    """A cell of so many rows."""
    found = TracedByLaw(p=p, alpha=alpha, share=n * alpha / p**0.5, c=c)
    assert found.n == n
    return found


CELL = cell(2000, 0.25, 30, 1.0)
TRIALS = 100


def written_out(rng: np.random.Generator) -> int:
    """How many rows are named from their averages, all of them drawn."""
    atoms = 4 * CELL.alpha * (2 * (np.arange(ATOMS) + 0.5) / ATOMS - 1)
    mu = rng.choice(atoms, CELL.p)
    rows = np.where(rng.random((CELL.n, CELL.p)) < (1 + mu) / 2, 1.0, -1.0)
    answers = rows.mean(axis=0)
    return int(((rows - mu) @ answers >= threshold(answers, mu, CELL.rate)).sum())


@pytest.mark.law
def test_rows_are_named_as_often_as_when_all_are_written_out() -> None:
    """Means of 20 laws and of 100 runs, within six deviations of each other; and fewer than t/2 no more often than is said."""
    rng = np.random.default_rng(3)
    own = [traced(CELL, "all_averages", CoordinateTypes.drawn(CELL, rng)) for _ in range(20)]
    brute = np.array([written_out(rng) for _ in range(TRIALS)])
    expected = np.array([row["expected"] for row in own])
    assert 3 < brute.mean() < 27
    assert abs(expected.mean() - brute.mean()) < 6 * np.sqrt(expected.var() / 20 + brute.var() / TRIALS) < 5
    assert np.mean([row["few"] for row in own]) > (brute < CELL.half).mean() - 6 * 0.5 / np.sqrt(TRIALS)


@pytest.mark.parametrize(("half", "chance"), [(1, 0.01), (1, 0.2), (3, 0.05), (13, 0.3)])
def test_too_few_is_an_upper_end_and_near(half: int, chance: float) -> None:
    """Of 100 independent rows: above the binomial tail, and at most 30 times that."""
    exact = binom.cdf(half - 1, 100, chance)
    assert exact <= too_few(half, 100, chance) * (1 + 1e-9) <= 30 * exact * (1 + 1e-9)
    assert too_few(half, 100, 0.0) == 1 and too_few(half, 100, 1.0) == 0


def test_types_have_their_law() -> None:
    """Every coordinate is counted, and averages are off by √((1 − μ²)/n): within six deviations of 10⁶ squares."""
    own = cell(10**6, 0.1, 1000)
    types = CoordinateTypes.drawn(own, np.random.default_rng(1))
    assert types.counts.sum() == own.p and np.abs(types.mu).max() < 0.4
    squares = (types.averages - types.mu) ** 2 * own.n / (1 - types.mu**2)
    assert np.average(squares, weights=types.counts) == pytest.approx(1, abs=6 * np.sqrt(2 / own.p))


def test_answers_are_accurate_and_moved_as_far_as_that_allows() -> None:
    own = cell(10**7, 0.25, 1500)
    rows = {row["mechanism"]: row for row in KIND.rows(own, ["all_averages", "rounded_averages"], 1, 0)}
    assert rows["all_averages"]["apart"] < 1e-12 and rows["rounded_averages"]["apart"] == pytest.approx(own.spare)
    assert all(row["error"] < own.alpha for row in rows.values())
    assert rows["rounded_averages"]["chance"] < rows["all_averages"]["chance"]
    assert all(row["few"] < row["rate"] == 1 / 1500**2 for row in rows.values())


@pytest.mark.parametrize(
    ("n", "said"),
    [(500, "may be off by 0.355"), (20_000, "would tell the 256 biases apart; allowed: n ≤ 16,384"), (3000, None)],
)
def test_what_is_refused(n: int, said: str | None) -> None:
    refusal = refuse(cell(10**8, 0.25, n), "all_averages")
    assert refusal is None if said is None else refusal is not None and said in refusal.message


def test_what_a_trial_by_law_says_keeps_to_the_rules() -> None:
    rows = KIND.rows(TracedByLaw(p=10_000, alpha=0.25, share=2), ["all_averages", "rounded_averages"], 1, 0)
    assert impossible(tabulated(rows, "tracing_law"), KIND) is None


def test_answers_that_say_nothing_name_nobody() -> None:
    """Averages of 0 at every coordinate are answered 0, whatever the biases are: all scores are 0."""
    types = CoordinateTypes(np.array([-0.1, 0.1]), np.zeros(2), np.array([1000.0, 1000.0]))
    row = traced(CELL, "all_averages", types)
    assert (row["level"], row["score"], row["chance"], row["expected"]) == (None, 0, 0, 0)


def test_what_answers_the_averages_knows_how_far_biases_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest is half a step of the grid short of it. There is no public row, and each type counts for so many."""
    seen: list[Averages] = []

    def answers(averages: Averages, alpha: float) -> Reals:
        seen.append(averages)
        assert alpha == CELL.spare
        return averages.all

    monkeypatch.setattr(tracing_law, "roundings", lambda: {"own": SimpleNamespace(answers=answers)})
    types = CoordinateTypes.drawn(CELL, np.random.default_rng(1))
    traced(CELL, "own", types)
    (averages,) = seen
    assert averages.largest == pytest.approx(types.mu.max() / (1 - 1 / ATOMS)) and averages.largest == 4 * CELL.alpha
    assert averages.all == pytest.approx(types.averages) and (averages.n, averages.m) == (CELL.n, 0)
    assert np.sum(averages.counts) == CELL.p


def test_a_level_is_the_threshold_in_deviations_of_a_fresh_rows_score() -> None:
    types = CoordinateTypes.drawn(CELL, np.random.default_rng(1))
    row = traced(CELL, "all_averages", types)
    scale = deviation(types.averages, types.mu, types.counts)
    assert row["level"] * scale == pytest.approx(threshold(types.averages, types.mu, CELL.rate, counts=types.counts))
    assert row["score"] * scale == pytest.approx(types.counts @ (types.averages * (types.averages - types.mu)))
    assert scale > 2 and TracedByLaw(p=1000, alpha=0.25, share=1e-3).n == 2


def test_averages_tell_biases_apart_beyond_the_square_of_the_inverse_of_their_distance() -> None:
    """Of 256 biases in [−1, 1] that is 128²."""
    within, beyond = (refuse(cell(10**8, 0.25, n), "all_averages") for n in (128**2, 128**2 + 1))
    assert within is None and beyond is not None and "biases apart; allowed: n ≤ 16,384" in beyond.message


@pytest.mark.parametrize(
    ("row", "keeps"), [((1, 10, 0.1, 3), True), ((0.5, 10, 0.3, 3), True), ((0.5, 10, 0.15, 3), False), ((1, 10, 0.3, 3), True)]
)
def test_a_bound_says_nothing_where_fewer_rows_than_are_to_be_named_are_expected(row: tuple[float, ...], keeps: bool) -> None:
    (rule,) = (rule for rule in KIND.rules if rule.words == "few = 1 where n chance ≤ half − 1")
    assert rule.keeps(*np.array([row], float).T).tolist() == [keeps]
