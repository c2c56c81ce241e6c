"""Trials of soft labels that are drawn together follow the law of trials that are drawn alone, and none shows in another.

Each of fewer than 100 comparisons may fail falsely with probability 1e-9.
"""

from dataclasses import fields
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats

from harness.arrays import Ints, Reals
from harness.mechanisms.scoring import Answered, ScorePlan, Scoring, average, scorings
from harness.mechanisms.scoring.a_sl_quer import ASLQuer
from harness.mechanisms.scoring.two_tests import two_tests
from harness.trials import soft_labels
from harness.trials.seeds import BlockStreams
from harness.trials.soft_labels import KIND, STABLE, SoftLabelsCell
from tests.mechanisms.scoring.test_two_tests import FIRST, LAM, SECOND, SIZES, W

ERROR = 1e-9
TWO = {"name": "atoms", "masses": [0.5, 0.5], "chances": [0.1, 0.6]}
CELLS = {
    "means": SoftLabelsCell.model_validate(
        {"n": 3000, "m": 12, "T": 2, "k": 60, "width": 0.25, "eps": 60, "delta": 0.05, "nu": 0.02, "distribution": TWO}
        | {"sampling": "poisson"}
    ),
    "one atom": SoftLabelsCell(n=10**6, m=40, T=4, k=200, width=0.1, eps=20, delta=0.01, constants="k_tight"),
    "edge": SoftLabelsCell.model_validate(
        {"n": 10**8, "m": 200, "hard": 40, "T": 3, "k": 500, "eps": 10, "learner": {"name": "first_label", "bins": 10}}
        | {"distribution": {"name": "atoms", "masses": [0.5, 0.5], "chances": [0.6, 0.6]}}
    ),
    "tied": SoftLabelsCell.model_validate(
        {
            "n": 10**12,
            "m": 1000,
            "hard": 10,
            "T": 8,
            "width": 0.1,
            "constants": "k_tight",
            "k_scale": 0.7,
            "learner": "agreement",
        }
        | {"distribution": {"name": "atoms", "masses": [0.5, 0.5], "chances": [0.5, 0.5]}}
    ),
}
COLUMNS = ("unsure", "bottoms", "second", "unanswered", "error", *STABLE)


def measured(cell: SoftLabelsCell, trials: int, seed: int) -> dict[tuple[str, str], Reals]:
    """So many trials, by mechanism and column; of what is null, −1."""
    names = list(scorings())
    blocks = [KIND.run(cell, names, seed, block) for block in range(-(-trials // cell.block))]

    def drawn(place: int, column: str) -> Reals:
        values = [block[place][column] for block in blocks]
        each = [np.broadcast_to(-1.0 if value is None else np.asarray(value, float), cell.block) for value in values]
        found: Reals = np.nan_to_num(np.concatenate(each), nan=-1)
        return found

    return {(name, column): drawn(place, column) for place, name in enumerate(names) for column in COLUMNS}


@pytest.mark.law
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_blocks_follow_the_law_of_single_trials(cell: SoftLabelsCell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cell.block == soft_labels.MOST_TRIALS
    many = measured(cell, 640, 1)
    alone = cast(SoftLabelsCell, cell.bare())
    monkeypatch.setattr(SoftLabelsCell, "block", 1)
    one = measured(alone, 250, 2)
    assert alone.block == 1
    spread = [place for place in many if np.ptp(np.append(many[place], one[place])) > 0]
    assert len(spread) > 3
    for place in spread:
        assert stats.ks_2samp(many[place], one[place]).pvalue > ERROR, place
    ours = [many["A_SL_Quer", each] for each in ("bottoms", "second", "unanswered")]
    theirs = [one["A_SL_Quer", each] for each in ("bottoms", "second", "unanswered")]
    assert stats.ks_2samp(np.dot([1, 2, 5], ours), np.dot([1, 2, 5], theirs)).pvalue > ERROR


@pytest.mark.law
def test_trials_of_a_block_are_independent() -> None:
    """Neighbours in a block, and a trial's place in its block: rank correlations of 1,280 trials."""
    for name in ("edge", "one atom"):
        found = measured(CELLS[name], 1280, 3)
        for column in ("bottoms", "second", "error"):
            values = found["A_SL_Quer", column]
            for first, second in ((values[1:], values[:-1]), (values, np.arange(len(values)) % CELLS[name].block)):
                assert np.ptp(values) == 0 or stats.spearmanr(first, second).pvalue > ERROR


def test_the_loop_of_many_runs_is_that_of_each() -> None:
    """Of runs with nothing in common but their number; one that halts at once leaves the others as they are."""
    cutoff, trials, rng = 4, 1500, np.random.default_rng(5)
    tiled = [np.tile(each, (trials, 1)) for each in (FIRST, SECOND, SIZES)]
    tiled[0][::3], tiled[1][::3] = -(10**6), -(10**6)  # every third run is all ⊥
    many = two_tests(tiled[0], tiled[1], tiled[2], LAM, W, cutoff, rng)
    assert (many.bottoms[::3].sum(axis=1) == 3).all() and (many.second[::3] == 0).all()
    assert np.array_equal(many.first + many.second + many.bottoms + many.unanswered, tiled[2])
    alone = [two_tests(FIRST, SECOND, SIZES, LAM, W, cutoff, rng) for _ in range(500)]
    for name in (each.name for each in fields(many)):
        ours, theirs = getattr(many, name)[1::3].sum(axis=1), [getattr(each, name).sum() for each in alone]
        assert stats.ks_2samp(ours, theirs).pvalue > ERROR, name


class OneAtATime(Scoring):
    """The average of one trial only, with noise that it draws one by one."""

    name, source, private, averages = "one_at_a_time", "tests", True, True

    def plan(self, asked: Any) -> ScorePlan:
        return scorings()["gaussian_mean"].plan(asked)

    def answer(
        self, plan: ScorePlan, scorer: Any, sizes: Ints, votes: np.random.Generator, noise: np.random.Generator
    ) -> Answered:
        assert sizes.ndim == 1
        drawn = average(scorer, votes, plan.s, plan.k) + plan.noise["sigma"] * noise.normal(size=len(sizes))
        return Answered.all_of(drawn, drawn, sizes)


class Own(ASLQuer):
    def answer(self, *given: Any) -> Answered:
        assert given[2].ndim == 1
        return super().answer(*given)


def test_what_takes_one_trial_is_given_one_after_the_other() -> None:
    cell = CELLS["edge"]
    sizes = cell.sizes(5, np.random.default_rng(1))
    assert sizes.shape == (5, 2) and (sizes.sum(axis=1) == cell.m).all()
    for mechanism in (OneAtATime(), Own()):
        plan = mechanism.plan(cell.asked)
        rngs = [np.random.default_rng(seed) for seed in (2, 3)]
        done = mechanism.answer_block(plan, cell.scorer, sizes, *rngs)
        rngs = [np.random.default_rng(seed) for seed in (2, 3)]
        first = mechanism.answer(plan, cell.scorer, sizes[0], *rngs)
        assert done.low.shape == (5, 2) and np.array_equal(done.low[0], first.low, equal_nan=True)
        assert np.array_equal(done.bottoms[0], first.bottoms)
        assert (done.seen is None) == (first.seen is None)
    assert done.seen is not None and done.seen.plain.top.shape == (5, 2)


def test_predictions_that_are_drawn_one_by_one_have_blocks_of_one() -> None:
    for sampling in ("full", "sufficient"):
        assert SoftLabelsCell.model_validate({"n": 300, "k": 60, "distribution": TWO, "sampling": sampling}).block == 1
    assert SoftLabelsCell.model_validate({"n": 10**9, "learner": "sgd"}).block == 1


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
@pytest.mark.parametrize("trials", [1, 3])
def test_every_number_of_a_block_is_one_of_each_trial(cell: SoftLabelsCell, trials: int) -> None:
    """Of all points together, however many there are; queries answered and not are all that there are."""
    made = soft_labels.measured_in(cell, trials, BlockStreams(cell.identity, 1, 0))
    for name in scorings():
        columns = made(name)
        assert {np.shape(column) for column in columns.values() if column is not None} == {(trials,)}
        answers = [np.asarray(columns[key]) for key in ("bottoms", "second", "unanswered")]
        assert (np.sum(answers, axis=0) <= cell.m).all() and (np.array(answers) >= 0).all()
