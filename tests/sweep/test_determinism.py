"""Rows that are others in a second run are refused in the first batch, with whose they are, and none is kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.sweep import plugins
from harness.sweep.run.batches import AGAIN_SECONDS, Batches
from tests.support.doctored import ONE
from tests.support.one_plugin import forgotten

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

PLUGIN = """
import os
import time

import numpy as np

from harness.mechanisms.answering import majority
from harness.mechanisms.answering.answers import Answers

CALLS, OWN = [], np.random.default_rng()


class Mine(majority.Majority):
    name, source, legend = "mine", "Me", "mine"

    def answer(self, ballot, plan, task, rng):
        CALLS.append(1)
        given = np.zeros(ballot.counts.shape, dtype=np.int64)
        given[int({label}) % 2] = ballot.sizes
        return Answers(given)


MECHANISM = Mine()
"""
WAYS = {
    "a generator of its own": "OWN.integers(0, 2**40) // 7 % 2",
    "what it keeps": "len(CALLS) // 97",
    "the clock": "len(CALLS) * time.perf_counter_ns() // 1000",
    "the system's chance": "os.urandom(1)[0]",
}
SPEC: dict[str, str | None] = ONE | {"m": "[20, 30]", "mechanisms": "[mine, majority]", "claims": "[]"}


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    yield
    forgotten()


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_rows_that_differ_between_two_runs_are_told_at_once(project: "Project", harness: "Harness", way: str) -> None:
    """By chance alone two runs of 150 trials are equal with probability 2⁻¹⁵⁰."""
    Path("mine.py").write_text(PLUGIN.format(label=way), encoding="utf-8")
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert said.code == 2 and f"error: {project.root}/mine.py:14: two runs of trial 0 and those after it" in said.err, said
    assert "differ for mine: " in said.err and "allowed: what follows from the cell" in said.err
    assert not [path for path in project.files() if path.endswith(".parquet")]


def test_the_first_batch_is_run_twice_and_with_plugins_that_of_every_cell(project: "Project") -> None:
    sweep = project.sweep(**SPEC | {"mechanisms": "[majority]"})
    wanted = {cell.identity: 150 for cell in sweep.cells}
    alone = Batches(sweep, wanted, {})
    assert [batch.again for batch in iter(alone.next, None)][:2] == [AGAIN_SECONDS, 0.0]
    Path("mine.py").write_text(PLUGIN.format(label="1"), encoding="utf-8")
    plugins.load("mine.py")
    beside = Batches(sweep, wanted, {})
    assert [batch.again for batch in iter(beside.next, None)][:2] == [float("inf")] * 2
