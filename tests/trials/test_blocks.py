"""Trials that are drawn together follow the law of trials that are drawn alone, and none shows in another.

Each comparison may fail falsely with probability 1e-9, of fewer than 200 in all.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats

from harness.arrays import Reals
from harness.ballots import Ballot
from harness.mechanisms.answering import Answering, mechanisms
from harness.mechanisms.answering.answers import Answers
from harness.theory.parameters import Task
from harness.trials.answers import KIND
from harness.trials.cell import Cell

NAMES = ("A_binClas", "A_stab_per_query", "noisy_majority", "Confident_GNMax")
CELLS = {
    "uniform": Cell(m=20_000, n=3 * 10**9),
    "both sides": Cell(m=20_000, n=10**10, learner="midpoint"),
    "hard": Cell(m=2000, n=10**8, distribution={"name": "hard", "c": 0.7}),
    "many ⊥": Cell(m=3000, n=10**9, T=3, distribution={"name": "hard", "c": 0.69}),
    "two halves": Cell(m=10**6, n=10**9, T=40, distribution={"name": "hard", "c": 0.69}),
}
COLUMNS = ("bottoms", "wrong", "misclassified", "unstable", "stable_failed", "max_mistakes", "halted_at", "fresh_error")
ERROR = 1e-9


def columns(cell: Cell, names: Sequence[str], trials: int, seed: int) -> dict[tuple[str, str], Reals]:
    """What is measured of so many trials, by mechanism and column."""
    blocks = [KIND.run(cell, names, seed, block) for block in range(-(-trials // cell.block))]

    def drawn(place: int, column: str) -> Reals:
        values = [block[place][column] for block in blocks]
        return np.concatenate([np.broadcast_to(-1.0 if each is None else each, cell.block) for each in values])

    return {(name, column): drawn(place, column) for place, name in enumerate(names) for column in COLUMNS}


@pytest.mark.law
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS.keys())
def test_blocks_follow_the_law_of_single_trials(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cell.block > 30
    many = columns(cell, NAMES, 1500, 1)
    alone = cast(Cell, cell.bare())
    monkeypatch.setattr(Cell, "block", 1)
    one = columns(alone, NAMES, 250, 2)
    spread = [place for place in many if np.ptp(np.append(many[place], one[place])) > 0]
    assert len(spread) > 10
    for place in spread:
        assert stats.ks_2samp(many[place], one[place]).pvalue > ERROR, place
        squares = [(each - many[place].mean()) ** 2 for each in (many[place], one[place])]
        assert stats.ks_2samp(*squares).pvalue > ERROR, place


def test_the_uncertain_mass_is_each_trials_own() -> None:
    """Given the mean mass alone, wrong votes would vary as binomial counts do; those of one trial share its thresholds."""
    cell = CELLS["uniform"]
    most = columns(cell, ["majority"], 3000, 3)["majority", "max_mistakes"]
    assert most.var() > 1.15 * most.mean()  # 7 deviations from 1, and from the 1.33 that it is


class Neighbours(Answering[Any]):
    """Answers a query by its place in the ballot: of several trials at once it would mix them."""

    name = "neighbours"
    source = "a test"
    private = False

    def plan(self, constants: Any, task: Task, n: int) -> Any:
        return mechanisms()["majority"].plan(constants, task, n)

    def answer(self, ballot: Ballot, plan: Any, task: Task, rng: np.random.Generator) -> Answers:
        given = np.zeros(ballot.counts.shape, dtype=np.int64)
        given[0, 0], given[1, 1:] = ballot.sizes[0], ballot.sizes[1:]
        return Answers(given, fresh=lambda: float(rng.random() + len(ballot.truth)))


def test_who_does_not_say_that_it_takes_whole_blocks_sees_one_trial_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"neighbours": Neighbours()}
    for module in ("harness.trials.answers", "harness.trials.cell"):
        monkeypatch.setattr(f"{module}.mechanisms", lambda: known)
    cell = CELLS["hard"]
    (found,) = KIND.run(cell, ["neighbours"], 1, 0)
    assert set(np.floor(found["fresh_error"])) == {2.0} and len(np.unique(found["fresh_error"])) == cell.block
    sizes = cell.sample.queries(cell.sampler("neighbours"), cell.m, 1, 1, 1, np.random.default_rng(1)).sizes
    assert sizes.sum() == cell.m and set(found["answered"]) == {cell.m}
    assert found["misclassified"].max() < cell.m / 2 or found["misclassified"].min() > 0


def test_a_subclass_that_answers_otherwise_does_not_inherit_that_it_takes_whole_blocks() -> None:
    majority = type(mechanisms()["majority"])

    class Own(majority):  # type: ignore[misc,valid-type]
        def answer(self, *given: Any) -> Any:
            return super().answer(*given)

    assert getattr(majority.answer, "whole_blocks", False) and not getattr(Own.answer, "whole_blocks", False)


def test_ballots_of_trials_are_taken_apart_and_put_together() -> None:
    cell = CELLS["both sides"]
    sampler, plan = cell.sampler("A_binClas"), cell.plan("A_binClas")
    rng = np.random.default_rng(4)
    whole = sampler.sufficient(sampler.block(cell.m, plan.k, plan.s, 9, rng), plan.k, plan.s, rng)
    parts = list(whole.by_trial())
    assert [part.m for part in parts] == [cell.m] * 9 == [whole.m] * 9
    again = Ballot.of_trials(parts)
    assert np.array_equal(again.number(again.wrong > 0), whole.number(whole.wrong > 0))
    assert again.max_mistakes is not None and whole.max_mistakes is not None
    assert np.array_equal(again.max_mistakes, whole.max_mistakes)
    assert [int(part.number(part.wrong > 0)[0]) for part in parts] == whole.number(whole.wrong > 0).tolist()


def test_the_seconds_of_a_row_are_those_of_a_trial_and_not_of_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by three seconds whenever it is looked at."""
    clock = iter(range(0, 1000, 3))
    monkeypatch.setattr("harness.trials.kind.perf_counter", lambda: float(next(clock)))
    cell = CELLS["uniform"]
    assert cell.block > 1
    assert [row["seconds"] * cell.block for row in KIND.run(cell, NAMES, 1, 0)] == pytest.approx([3.0] * len(NAMES))


def test_a_row_names_its_trial_and_not_the_place_in_its_block() -> None:
    cell = CELLS["uniform"]
    for trial in (3, cell.block, 2 * cell.block + 1):
        assert [row["trial"] for row in KIND.rows(cell, NAMES[:2], 1, trial)] == [trial] * 2
