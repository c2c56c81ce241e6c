"""Rows that are others in a second run are refused in the first batch, with whose they are, and none is kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.sweep import plugins
from harness.sweep.run.batches import AGAIN_SECONDS, Batches
from harness.sweep.run.probe import Probe
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


@pytest.mark.at_once("the clock", "the system's chance")
@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_rows_that_differ_between_two_runs_are_told_at_once(project: "Project", harness: "Harness", way: str) -> None:
    """By chance alone two runs of 150 trials are equal with probability 2⁻¹⁵⁰."""
    Path("mine.py").write_text(PLUGIN.format(label=way), encoding="utf-8")
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert said.code == 2 and f"error: {project.root}/mine.py:14: two runs of trial 0 and those after it" in said.err, said
    assert "differ for mine: " in said.err and "allowed: what follows from the cell" in said.err
    assert not [path for path in project.files() if path.endswith(".parquet")]


BETWEEN = {
    "the hash of a text": "hash(str(rng.integers(2**40)))",
    "the order of a set of texts": "[*set(map(str, range(300)))].index(str(rng.integers(300)))",
    "the number of the process": "hash((os.getpid(), int(rng.integers(2**40))))",
}
A_MAPPING = "[*dict.fromkeys(map(str, range(300)))].index(str(rng.integers(300)))"
"""Whose order is that in which it was filled."""


@pytest.fixture
def measured_apart(harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    """As a user has it, and not in the process of the tests."""
    monkeypatch.setattr("harness.report.cost.Probe", Probe)


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures", "measured_apart")
@pytest.mark.parametrize("way", BETWEEN.values(), ids=BETWEEN)
def test_rows_that_differ_between_two_processes_are_told_at_once(project: "Project", harness: "Harness", way: str) -> None:
    """The first trials are measured beforehand, in a process in which texts have other hashes; by chance alike as above."""
    Path("mine.py").write_text(PLUGIN.format(label=way), encoding="utf-8")
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert said.code == 2 and f"error: {project.root}/mine.py:14: two runs of trial 0 and those after it" in said.err, said
    assert (
        " in two processes differ for mine: " in said.err
        and "allowed: what follows from the cell and from the seed" in said.err
    )
    assert not [path for path in project.files() if path.endswith(".parquet")]


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures", "measured_apart")
def test_what_is_alike_in_two_processes_is_kept(project: "Project", harness: "Harness") -> None:
    Path("mine.py").write_text(PLUGIN.format(label=A_MAPPING), encoding="utf-8")
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert said.code == 0, said


def test_the_first_batch_is_run_twice_and_with_plugins_that_of_every_cell(project: "Project") -> None:
    sweep = project.sweep(**SPEC | {"mechanisms": "[majority]"})
    wanted = {cell.identity: 150 for cell in sweep.cells}
    alone = Batches(sweep, wanted, {})
    assert [batch.again for batch in iter(alone.next, None)][:2] == [AGAIN_SECONDS, 0.0]
    Path("mine.py").write_text(PLUGIN.format(label="1"), encoding="utf-8")
    plugins.load("mine.py")
    beside = Batches(sweep, wanted, {})
    assert [batch.again for batch in iter(beside.next, None)][:2] == [float("inf")] * 2
