"""Trials of release that are drawn together follow the law of trials that are drawn alone, and none shows in another.

Each of fewer than 200 comparisons may fail falsely with probability 1e-9.
"""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from harness.arrays import Reals
from harness.mechanisms.release import Problem, Release, Released, releases
from harness.mechanisms.release.noisy import GaussianAverages
from harness.mechanisms.release.pmw import PMW
from harness.trials import release
from harness.trials.release import KIND, ReleaseCell, errors, together
from harness.trials.seeds import BlockStreams

ERROR = 1e-9
NAMES = ("PMW", "gaussian_averages", "laplace_averages", "exact_averages", "private_grid")
COLUMNS = ("error", "error_on_cover", "updates", "halted")
SMALL: dict[str, Any] = {"m": 0, "alpha": 0.2, "delta": 0.1, "beta": 0.1, "constants": {"from": "proved", "c_threshold": 0.5}}
CELLS = {
    "thresholds": ReleaseCell(**SMALL, n=20_000, distribution={"name": "atoms", "total": 0.4, "first": 0.03}),
    "unions": ReleaseCell(**SMALL, n=30_000, concept={"name": "interval_unions", "intervals": 2}, grid=6),
    "product": ReleaseCell(**SMALL, n=10_000, concept={"name": "cube_stumps", "dimension": 8}),
    "mixture": ReleaseCell(
        **SMALL,
        n=3000,
        concept={"name": "cube_stumps", "dimension": 6},
        distribution={"name": "mixture", "bias": 0.9, "other": -0.9},
    ),
}


def measured(cell: ReleaseCell, names: tuple[str, ...], trials: int, seed: int) -> dict[tuple[str, str], Reals]:
    """So many trials, by mechanism and column; of what is null, −1."""
    size = KIND.block(cell)
    blocks = [KIND.run(cell, names, seed, block) for block in range(-(-trials // size))]

    def drawn(place: int, column: str) -> Reals:
        values = [block[place][column] for block in blocks]
        return np.concatenate([np.broadcast_to(-1.0 if each is None else np.asarray(each, float), size) for each in values])

    return {(name, column): drawn(place, column) for place, name in enumerate(names) for column in COLUMNS}


def names_of(cell: ReleaseCell) -> tuple[str, ...]:
    return (*NAMES, *(["gaussian_sums", "gaussian_tree"] if cell.query_class.ordered else []))


@pytest.mark.law
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_blocks_follow_the_law_of_single_trials(cell: ReleaseCell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert KIND.block(cell) > 100
    many = measured(cell, names_of(cell), 1000, 1)
    monkeypatch.setattr(release, "MOST_TRIALS", 1)
    one = measured(cell, names_of(cell), 250, 2)
    spread = [place for place in many if np.ptp(np.append(many[place], one[place])) > 0]
    assert len(spread) > 8
    for place in spread:
        assert stats.ks_2samp(many[place], one[place]).pvalue > ERROR, place


@pytest.mark.parametrize("name", NAMES)
def test_trials_of_a_block_are_independent(name: str) -> None:
    """Neighbours in a block, and a trial's place in its block and what it errs: rank correlations of 1,000 trials."""
    for cell in (CELLS["thresholds"], CELLS["mixture"]):
        found = measured(cell, (name,), 1000, 3)[name, "error"]
        places = np.arange(len(found)) % KIND.block(cell)
        for first, second in ((found[1:], found[:-1]), (found, places)):
            assert np.ptp(found) == 0 or stats.spearmanr(first, second).pvalue > ERROR


def test_a_search_tries_its_runs_as_blocks_do(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = CELLS["thresholds"]
    found = errors(cell, "PMW", 20_000, 0, range(7, 607), lambda index: BlockStreams(cell.identity, 5, index))
    assert len(found) == 600 and together(cell, 0) < 300
    assert stats.ks_2samp(found, measured(cell, ("PMW",), 600, 1)["PMW", "error"]).pvalue > ERROR


class OneAtATime(Release):
    """Gaussian noise on averages, of one trial only."""

    name, source, private = "one_at_a_time", "tests", True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        assert problem.site.averages.ndim == 1 and problem.grid().averages.ndim == 1
        return GaussianAverages().release(problem, rng)


def test_what_takes_one_trial_is_given_one_after_the_other() -> None:
    """The same numbers in the same order, so the same answers."""
    cell = CELLS["thresholds"]
    drawing = release.ReleaseBlock(cell, 0, BlockStreams(cell.identity, 1, 0), 5)
    site = drawing.site(drawing.cover(), 10**4)
    problem = Problem(cell.asked, site, False, lambda: drawing.site(drawing.cover(), 10**4, "grid"))
    one, many = (each.release_block(problem, np.random.default_rng(1)) for each in (OneAtATime(), GaussianAverages()))
    assert one.answers.shape == (5, site.cover.queries)
    assert np.array_equal(one.answers, many.answers)
    assert one.halted is not False and one.updates is None
    assert PMW.at_once and not releases()["mwem_public"].at_once


@pytest.mark.parametrize("size", [1, 2, 3])
def test_so_many_runs_have_so_many_errors_however_few_are_drawn_together(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "together", lambda cell, m: size)
    cell, begun = CELLS["thresholds"], list[int]()

    def runs(start: int) -> BlockStreams:
        begun.append(start)
        return BlockStreams("any", 1, start)

    found = errors(cell, "gaussian_averages", 20_000, 0, range(4, 11), runs)
    assert found.shape == (7,) and len(np.unique(found)) > 1 and begun == list(range(4, 11, size))
    (block,) = KIND.run(cell, ["gaussian_averages"], 1, 0)
    assert np.shape(block["error"]) == ((size,) if size > 1 else ())
