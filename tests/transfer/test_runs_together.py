"""Runs of a learner that are drawn together: they have the law of runs alone, and none has another's.

Tests of laws fail on a right implementation with probability below 1e-6 each.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import ks_2samp

from harness.transfer import FAILED, Run, private_learners
from harness.transfer.a_priv import APriv, together
from harness.transfer.free_cutoff import FreeCutoff
from harness.trials.learner import LearnerCell
from tests.support.learnable import learnable
from tests.support.streams import streams

FALSE_FAILURE = 1e-6
COUNT = 400
CELLS: dict[str, tuple[LearnerCell, int]] = {
    "leftmost": (LearnerCell(alpha=0.02, learner="leftmost"), 4 * 10**8),
    "midpoint": (LearnerCell(alpha=0.02, learner="midpoint"), 4 * 10**8),
    "few points": (LearnerCell(alpha=0.1, learner="midpoint", constants="tight"), 10**7),
    "noise": (LearnerCell(alpha=0.05, gamma=0.05, learner="midpoint"), 10**10),
    "one atom": (LearnerCell(alpha=0.05, distribution={"name": "hard", "total": 2}), 10**8),
    "atoms": (LearnerCell(alpha=0.05, concept="cube_stumps", V=4, distribution={"name": "hard", "total": 15}), 10**7),
    "intervals": (LearnerCell(alpha=0.1, concept="intervals", V=2, learner="leftmost"), 10**9),
    "atoms of intervals": (LearnerCell(alpha=0.1, concept="intervals", V=2, distribution={"name": "hard", "total": 5}), 10**8),
    "halfplanes": (LearnerCell(alpha=0.05, concept="halfspaces", V=2), 4 * 10**8),
    "committee": (LearnerCell(alpha=0.05, concept="committee", distribution={"name": "misled", "parts": 15}), 10**9),
}
LEARNERS = ("A_Priv", "A_Priv_erm_noisy_majority", "non_private")


def measured(runs: Sequence[Run]) -> np.ndarray:
    """Error, ⊥s and mistakes of each run, (runs, 3)."""
    return np.array([(run.error, run.bottoms or 0, run.mislabelled or 0) for run in runs], np.float64)


def made(name: str, cell: LearnerCell, n: int) -> tuple[np.ndarray, np.ndarray]:
    """What runs together measure, and what runs alone do."""
    learner, problem = private_learners()[name], cell.problem
    at_once = learner.at_once(problem, n)
    assert at_once > 1
    all_together = learner.runs(problem, n, COUNT, cache(streams(1)))
    alone = [learner.run(problem, n, streams(10 + seed)) for seed in range(COUNT)]
    assert {run.plan for run in all_together} == {run.plan for run in alone}
    assert max(run.tv_budget for run in (*all_together, *alone)) < 1e-6
    return measured(all_together), measured(alone)


def assert_alike(one: np.ndarray, other: np.ndarray, cases: int) -> None:
    """Of each column: its law, and that of what neighbours have in common, which dependence would move."""
    for column, against in zip(one.T, other.T, strict=True):
        assert ks_2samp(column, against, method="asymp").pvalue > FALSE_FAILURE / cases
        mine, theirs = ((each - against.mean())[::2] * (each - against.mean())[1::2] for each in (column, against))
        assert ks_2samp(mine, theirs, method="asymp").pvalue > FALSE_FAILURE / cases


ALONE = {("intervals", "A_Priv")}
"""Whose votes are quicker drawn chunk by chunk."""


def by_tier(cell: str, name: str) -> Any:
    """A case, marked where it is for the night."""
    return pytest.param(cell, name, marks=() if cell in ("leftmost", "atoms") else pytest.mark.law)


@pytest.mark.parametrize(("cell", "name"), [by_tier(*case) for case in product(CELLS, LEARNERS) if case not in ALONE])
def test_runs_together_have_the_law_of_runs_alone_and_neighbours_are_independent(cell: str, name: str) -> None:
    one, other = made(name, *CELLS[cell])
    assert_alike(one, other, 6 * len(CELLS) * len(LEARNERS))


def test_where_some_runs_halt_just_these_fail() -> None:
    """The others learn what they would alone, as often."""
    learner, problem = FreeCutoff(), LearnerCell(alpha=0.02, learner="leftmost", constants="tight").problem
    task = problem.of(learner.points(problem), 0.0)
    plan = learner.with_cutoff(problem, task, 10**7, 128.0)
    sampler = problem.sampler(plan.s)
    together = learner.transfer(problem, sampler, plan, task, cache(streams(2)), COUNT)
    alone = [run for seed in range(COUNT) for run in learner.transfer(problem, sampler, plan, task, streams(10 + seed))]
    assert 0.1 < np.mean([run.halted for run in together]) < 0.9
    assert all((run.error == FAILED) == run.halted for run in together)
    assert_alike(measured(together), measured(alone), 6)


@pytest.mark.parametrize("name", private_learners())
def test_one_run_of_runs_is_a_run(name: str) -> None:
    learner, problem = private_learners()[name], learnable(name, CELLS["few points"][0]).problem
    n = learner.needed(problem) if learner.at_once(problem, 10**9) == 1 else 10**9
    assert list(learner.runs(problem, n, 1, streams(3))) == [learner.run(problem, n, streams(3))]


@pytest.mark.parametrize("name", private_learners())
def test_as_many_runs_are_made_as_are_asked_for_whatever_fits_into_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few at a time go on with the generators of those before, so none repeats another."""
    monkeypatch.setattr("harness.concepts.thresholds.samplers.trials_of", lambda types: 3)
    learner = private_learners()[name]
    problem = learnable(name, CELLS["few points"][0]).problem
    runs = learner.runs(problem, learner.needed(problem), 7, cache(streams(4)))
    assert len(runs) == 7 and len({run.error for run in runs}) > 2


def test_without_a_sampler_for_so_few_examples_all_runs_fail() -> None:
    """Of atoms whose mass follows from the size of chunks, which is more than all there is for one example."""
    cell = LearnerCell(alpha=0.05, concept="cube_stumps", V=4, distribution="hard")
    learner, problem = private_learners()["non_private"], cell.problem
    assert problem.sampler(1) is None and learner.at_once(problem, 1) == 1
    assert list(learner.runs(problem, 1, 3, cache(streams(1)))) == [Run(FAILED)] * 3


def test_points_for_one_voter_are_drawn_for_one_run_alone() -> None:
    """For one chunk they would be drawn together as the examples of a learner are, which votes on none."""
    learner, problem = private_learners()["A_Priv"], CELLS["leftmost"][0].problem
    assert isinstance(learner, APriv)
    task, plan = learner.planned(problem, 10**9) or (None, None)
    assert task is not None and plan is not None
    sampler, counted = problem.sampler(plan.s), learner.counted(problem, task, plan)
    assert sampler is not None
    several = together(problem, sampler, task, plan, counted)
    assert several > 1 == together(problem, sampler, task, replace(plan, k=1), counted)
    assert together(replace(problem, in_blocks=False), sampler, task, plan, counted) == 1
