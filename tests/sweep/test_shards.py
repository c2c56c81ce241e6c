"""Shards: together they make the table of a serial run, bit for bit, whatever runs when; each holds what is its own."""

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from harness.sweep.errors import CannotRunError
from harness.sweep.run.batches import Serial
from harness.sweep.run.provenance import provenance
from harness.sweep.run.run import run_sweep
from harness.sweep.run.shards import Shard
from harness.sweep.run.store import Store
from harness.sweep.run.work import Result
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import COUNT
from tests.support.project import RUNS, Quiet

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

MANY: dict[str, str | None] = {"trials": "24"}
COUNTED = {**MANY, "rows": "counted"}
# Every vote is split, so that two claims are decided at the first look.
DECIDED: dict[str, str | None] = {
    **{"trials": "{until: decided, max: 600}", "concept": "ensemble", "distribution": "split", "learner": None, "n": None},
    **{"m": "[40, 60, 80]", "T": "1", "mechanisms": "[A_binClas, majority]", "figure": "{x: m, y: bottoms}"},
    "claims": '["BTT18:A2-cutoff", "BTT18:A2-cutoff-repaired"]',
}


def run(project: "Project", sweep: Sweep, *shards: Shard, batch_seconds: float = 1.0) -> int:
    """How many trials they ran together."""
    stores = [Store(RUNS, sweep.name, provenance(sweep), shard) for shard in shards]
    return sum(run_sweep(sweep, store, Serial(), Quiet(), False, batch_seconds).ran for store in stores)


@pytest.mark.at_once("fixed")
@pytest.mark.usefixtures("blocks_of_one")
@pytest.mark.parametrize("changes", [MANY, COUNTED, DECIDED], ids=["fixed", "counted", "until decided"])
def test_all_shards_together_make_the_serial_table(project: "Project", changes: dict[str, str | None]) -> None:
    sweep = project.sweep(**changes)
    whole = project.run(sweep).table
    expected = whole.rows.drop_columns(["seconds"])
    project.store(sweep).path.unlink()
    shards = [Shard(number, 5) for number in (4, 1, 5, 2, 3)]
    ran = run(project, sweep, *shards)
    assert not project.store(sweep).path.exists()
    assert ran == (sum(expected[COUNT.name].to_pylist()) if COUNT.name in expected.column_names else expected.num_rows) / 2
    outcome = project.run(sweep)
    assert outcome.ran == 0 and outcome.table.rows.drop_columns(["seconds"]).equals(expected)
    assert outcome.table.fingerprint == whole.fingerprint
    assert not list(RUNS.glob(".*/*.parquet"))
    assert run(project, sweep, *shards) == 0  # the table has it all


@pytest.mark.law
@pytest.mark.usefixtures("blocks_of_one")
def test_what_a_lost_shard_would_have_run_is_run_at_the_end(project: "Project") -> None:
    sweep = project.sweep(**MANY)
    expected = project.run(sweep).table.rows.drop_columns(["seconds"])
    project.store(sweep).path.unlink()
    there = run(project, sweep, Shard(1, 3), Shard(3, 3))
    seen = project.store(sweep).seen()
    assert seen is not None and not seen.complete and seen.table.rows.num_rows == 2 * there
    outcome = project.run(sweep)
    assert outcome.ran == 96 - there > 0
    assert outcome.table.rows.drop_columns(["seconds"]).equals(expected)


@pytest.mark.law
@pytest.mark.usefixtures("blocks_of_one")
def test_a_shard_that_is_stopped_resumes(project: "Project") -> None:
    class Stop(Quiet):
        def advance(self, result: Result) -> None:
            raise KeyboardInterrupt

    sweep = project.sweep(**MANY)
    store = Store(RUNS, sweep.name, provenance(sweep), Shard(2, 4))
    with pytest.raises(KeyboardInterrupt):
        run_sweep(sweep, store, Serial(), Stop(), False, 0.01)
    again = run_sweep(sweep, store, Serial(), Quiet(), False, 0.01)
    assert again.resumed > 0 and again.table.rows.num_rows == 2 * 24  # a quarter of 96 trials


@pytest.mark.parametrize(("of", "count", "block", "cells"), list(product((1, 2, 3, 7), (1, 5, 60), (1, 4, 100), (1, 6))))
def test_every_trial_is_in_one_shard_and_no_block_is_cut(of: int, count: int, block: int, cells: int) -> None:
    for place in range(cells):
        shares = [Shard(number, of).trials(place, count, block) for number in range(1, of + 1)]
        assert sorted(trial for share in shares for trial in share) == list(range(count))
        assert all(share.start % block == 0 or not share for share in shares)


def test_cells_of_one_block_are_spread_over_the_shards() -> None:
    counts = [sum(len(Shard(number, 3).trials(place, 10, 10)) for place in range(9)) for number in (1, 2, 3)]
    assert counts == [30, 30, 30]


def test_shards_run_beside_each_other_and_not_beside_a_whole_run(project: "Project") -> None:
    sweep = project.sweep()
    first, second = (Store(RUNS, sweep.name, provenance(sweep), Shard(number, 2)) for number in (1, 2))
    with first.locked():
        with second.locked():
            pass
        with pytest.raises(CannotRunError, match=r"another run is writing results/runs/small@1of2\.parquet; wait for it"):
            project.run(sweep)
    project.run(sweep)


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_the_command_line_takes_shards(project: "Project", harness: "Harness") -> None:
    spec = project.spec()
    for number in (1, 2, 3):
        said = harness("run", spec, "--serial", "--shard", f"{number}/3")
        assert (said.code, said.err) == (0, "") and f"shard {number}/3 is done; once all 3 are, the same command" in said.out
    said = harness("run", spec, "--serial")
    assert "small: nothing to do, 32 rows were there; 4 cells" in said.out
    rows = pd.read_parquet(RUNS / "small.parquet")
    assert len(rows) == 32 and Path("results/runs/small.png").exists()


@pytest.mark.parametrize("wrong", ["0/3", "4/3", "3", "a/b", "1/0", "01/2", "-1/2"])
def test_what_is_no_share_is_told(project: "Project", harness: "Harness", wrong: str) -> None:
    said = harness("run", project.spec(), "--serial", "--shard", wrong)
    assert said.code == 2 and f"error: --shard: '{wrong}' is no share; allowed: I/N, such as 3/8" in said.err
    assert project.files() == set()


def test_a_shard_does_not_start_over(project: "Project", harness: "Harness") -> None:
    said = harness("run", project.spec(), "--serial", "--shard", "1/2", "--fresh")
    assert said.code == 2 and "a share of a run does not start over" in said.err


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_figures_of_what_shards_have_are_drawn_as_of_a_stopped_run(project: "Project", harness: "Harness") -> None:
    spec = project.spec()
    assert harness("run", spec, "--serial", "--shard", "1/2").code == 0
    said = harness("figures", "--results", "results/runs", "--out", "here")
    assert said.code == 0 and Path("here/small.png").exists() and "of 16 trials" in said.out + said.err
    assert harness("run", spec, "--serial").code == 0
