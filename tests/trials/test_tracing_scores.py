"""Trials of the attack on scores: rows are named as when all are written out, and scores of a row are those of fresh ones."""

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from harness.arrays import Reals
from harness.theory.constants.btt18a_scores import score_constants, whole_width
from harness.theory.tracing import threshold
from harness.trials.kind import Row
from harness.trials.seeds import stream
from harness.trials.tracing_scores import ANSWERS, KIND, Scored, ScoresTraced, ScoreTypes, attacked

TRIALS = 400
FEW: dict[str, Any] = {"n": 40, "times": 0.375, "biases": "spread"}


def written_out(cell: ScoresTraced, rng: np.random.Generator) -> int:
    """How many of the n rows are named from their averages, all of them drawn."""
    chance = rng.choice(cell.chances, cell.p)
    rows = (rng.random((cell.n, cell.p)) < chance) * 2.0 - 1
    mu = 2 * chance - 1
    weights = rows.mean(axis=0) - mu
    return int(((rows - mu) @ weights >= threshold(weights, mu, 1 / cell.n**2)).sum())


@pytest.mark.law
def test_rows_are_named_as_often_as_when_all_are_written_out() -> None:
    """Of 40 rows about 30. Numbers named differ by √10 from trial to trial; six deviations of the mean of 400 are ±1."""
    cell, rng = ScoresTraced(**FEW), np.random.default_rng(3)
    own = [KIND.rows(cell, ["mean"], 1, trial)[0] for trial in range(TRIALS)]
    brute = np.array([written_out(cell, rng) for _ in range(TRIALS)])
    assert 8 < brute.mean() < 36
    for column in ("named_private", "expected"):
        named = np.array([row[column] for row in own])
        apart = np.sqrt((named.var() + brute.var()) / TRIALS)
        assert abs(named.mean() - brute.mean()) < 6 * apart < 2, column


def test_from_the_answers_of_a_sl_quer_rows_look_fresh() -> None:
    """Each is named with chance 1/n², but for the few ones that a row has: 2·10⁴ of 2·10⁸."""
    for row in (KIND.rows(ScoresTraced(n=10_000), ["A_SL_Quer"], 2, trial)[0] for trial in range(5)):
        assert row["expected"] == pytest.approx(1 / 10_000, rel=0.3)
        assert (row["named_private"], row["bottoms"], row["unanswered"]) == (0, 0, 0)
        assert row["error"] == pytest.approx(row["width"] / 2, rel=1e-3) and row["error"] < row["within"]


def test_from_averages_on_the_same_queries_all_are_named() -> None:
    (row,) = KIND.rows(ScoresTraced(n=10_000), ["mean"], 2, 0)
    assert row["named_private"] == 10_000 and row["expected"] == pytest.approx(10_000)
    assert row["score"] == pytest.approx(np.sqrt(row["p"] / row["n"]), rel=0.15)


def test_answers_that_follow_rows_would_give_them_away() -> None:
    """Were the midpoints those of bins so narrow that they follow averages, the same attack would name every row."""
    cell = ScoresTraced(n=2000, biases="spread")
    types = ScoreTypes.drawn(cell, np.random.default_rng(1))
    answered, _ = ANSWERS["mean"](cell, types, np.random.default_rng(2))
    rounded = type(answered)((np.floor(answered.score * 1000) + 0.5) / 1000, answered.counts, answered.type_)
    assert attacked(cell, types, rounded, np.random.default_rng(3))["named_private"] == 2000


def test_on_spread_queries_it_halts_and_every_query_is_accounted_for() -> None:
    cell = ScoresTraced(n=10_000, biases="spread")
    types = ScoreTypes.drawn(cell, np.random.default_rng(1))
    answered, missing = ANSWERS["A_SL_Quer"](cell, types, np.random.default_rng(2))
    assert types.counts.sum() == cell.p == answered.counts.sum() + sum(missing.values())
    assert missing["bottoms"] > 0 and missing["unanswered"] > 0.99 * cell.p


def test_types_have_their_law() -> None:
    """Mean and variance of how many rows have a 1, over 6·10⁵ coordinates of a value each: within six deviations."""
    cell = ScoresTraced(n=1000, times=10, biases="spread")
    types = ScoreTypes.drawn(cell, np.random.default_rng(4))
    for value in cell.chances:
        own = types.chance == value
        ones, counts = types.ones[own], types.counts[own]
        mean, variance = np.average(ones, weights=counts), cell.n * value * (1 - value)
        assert abs(mean - cell.n * value) < 6 * np.sqrt(variance / counts.sum())
        assert np.average((ones - mean) ** 2, weights=counts) == pytest.approx(variance, rel=0.01)


def test_mechanisms_share_rows_and_trials_are_pure() -> None:
    cell = ScoresTraced(**FEW)
    together = [{**row, "seconds": 0} for row in KIND.rows(cell, list(ANSWERS), 7, 3)]
    alone = [{**KIND.rows(cell, [name], 7, 3)[0], "seconds": 0} for name in list(ANSWERS)[::-1]][::-1]
    assert together == alone and set(together[0]) == set(KIND.table)
    assert stream(cell.identity, 7, 3, "rows").random() != stream(cell.identity, 8, 3, "rows").random()


def test_unknown_constants_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"constants.*k_tight"):
        ScoresTraced(n=100, constants="none")


@pytest.mark.parametrize(("biases", "nu", "nearest"), [("weak", 0.2, 0.2), ("spread", 0.2, 0.5), ("weak", 0.05, 0.05)])
def test_bins_are_as_wide_as_queries_so_near_to_0_or_1_need(biases: str, nu: float, nearest: float) -> None:
    """A row in place of another moves a prediction by √(2μ(1 − μ)); spread chances may be anywhere up to ½."""
    cell = ScoresTraced.model_validate({"n": 200, "biases": biases, "nu": nu})
    assert cell.chances.min() > 0 and np.minimum(cell.chances, 1 - cell.chances).max() <= nearest
    moved = float(np.sqrt(2 * cell.chances * (1 - cell.chances)).max())
    width = score_constants()["k_tight"].width(moved, 1, nearest)
    assert cell.plan.alpha == pytest.approx(moved) and cell.plan.width == whole_width(width)


@pytest.mark.parametrize("trial", range(5))
def test_one_query_can_be_asked(trial: int) -> None:
    cell = ScoresTraced(n=11, times=1e-3)
    private, plain = KIND.rows(cell, ["A_SL_Quer", "mean"], 1, trial)
    assert cell.p == 1 and private["bottoms"] + private["unanswered"] <= 1 and plain["error"] <= 1


class Drawn:
    """The normal numbers that are written."""

    def __init__(self, *numbers: float) -> None:
        self.numbers = np.array(numbers)

    def normal(self, size: int) -> Reals:
        return np.append(self.numbers, np.zeros(size - len(self.numbers)))


def test_scores_of_rows_vary_as_one_rows_score_and_add_up_to_what_the_averages_say() -> None:
    """Averages as the means are: scores add up to 0, and each has the variance of a fresh row's. As n numbers less their mean
    have 1 − 1/n of their variance, one that is √(1 − 1/n) of the level reaches it; numbers that are all alike are no score.
    """
    cell = ScoresTraced(n=12)
    types = ScoreTypes(np.array([0.25, 0.5, 0.75]), np.array([3, 6, 9]), np.array([300, 200, 100]))
    answered = Scored(np.array([0.3, 0.5, 0.7]), np.array([300.0, 200.0, 100.0]), np.arange(3))

    def row(*numbers: float) -> Row:
        return attacked(cell, types, answered, Drawn(*numbers))  # type: ignore[arg-type]

    least = row()["level"] * np.sqrt(11 / 12)
    assert row()["score"] == pytest.approx(0, abs=1e-9) and row()["error"] == pytest.approx(0.05)
    assert [row(least * times, -least * times)["named_private"] for times in (1 - 1e-6, 1 + 1e-6)] == [0, 1]
    assert row(*[9.0] * 12)["named_private"] == 0


@pytest.mark.parametrize("eps", [0.5, 2.0])
def test_privacy_lets_a_quarter_of_a_row_be_named_and_a_fresh_ones_share(eps: float) -> None:
    """n(e^ε/n² + 1/4n); only what is private says what it spends, and within what its scores are."""
    private, plain = (KIND.resolved(ScoresTraced(n=40, eps=eps, biases="spread"), name) for name in ("A_SL_Quer", "mean"))
    assert private["bound"] == plain["bound"] == pytest.approx(np.exp(eps) / 40 + 0.25)
    assert 0 < private["spent"] <= eps and plain["spent"] is plain["width"] is plain["within"] is None
    assert (private["k"], private["delta"]) == (40, 1 / 160)
