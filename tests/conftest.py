"""For all tests: hypothesis tries the same examples in every run and any company, keeps none, and never judges by the clock.

For tests of sweeps, reports and the command line: a whole small project in one line.
"""

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest
import typer.main
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.constants_ast import Constants
from hypothesis.internal.intervalsets import IntervalSet

from harness import cli
from harness.report.console import console
from harness.sweep import plugins
from harness.sweep.run import provenance, work
from harness.sweep.stopping import SIGNALS
from harness.trials.cell import Cell
from tests.support import layers, tiers, turns
from tests.support.picture import stand_in
from tests.support.project import Harness, Here, Project, Said

settings.register_profile("often", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("harness", settings.get_profile("often"), max_examples=40)  # 100 of each property are the night's
settings.register_profile("thorough", settings.get_profile("often"), max_examples=1000)
settings.register_profile("first_failure", settings.get_profile("harness"), phases=[Phase.explicit, Phase.generate])
settings.load_profile("harness")
# One draw in twenty is a constant of a module of the project that is loaded by then: the examples of a test would be others
# whenever other files are run beside it. There is no setting for it.
_for_all = pytest.MonkeyPatch()
_for_all.setattr("hypothesis.internal.conjecture.providers._get_local_constants", Constants)
# UTF-8 has all characters but surrogates. Hypothesis would encode each to see, for six seconds in a folder that is new to it.
_characters = {"utf-8": (IntervalSet([(0, 0xD7FF), (0xE000, sys.maxunicode)]), IntervalSet([]))}
_for_all.setattr("hypothesis.internal.charmap.intervals_from_codec", _characters.__getitem__)
# A program that is started asks both once, and a process of tests thousands of times.
_for_all.setattr("typer.main.get_command", cache(typer.main.get_command))
_for_all.setattr("harness.sweep.run.provenance._git", cache(provenance._git))
# What it guards against, that the machine loses power, no test can do; and it waits for a disk each time.
_for_all.setattr("os.fsync", lambda _: None)


@pytest.fixture(autouse=True)
def without_new_plugins() -> Iterator[None]:
    """No test sees a plugin that another has loaded, nor what was found of one with its name."""
    before = {plugin.name for plugin in plugins.loaded()}
    yield
    new = {plugin.name for plugin in plugins.loaded()} - before
    for name in new:
        plugins.unload(name)
    if new:
        work._needed.cache_clear()
        work._stamp.cache_clear()


@pytest.fixture
def blocks_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials of answers that are drawn one by one in this process: a small sweep has many blocks then."""
    monkeypatch.setattr(Cell, "block", 1)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--stories", type=int, default=16, help="how many stories of edits test_edits.py tells")


def pytest_configure(config: pytest.Config) -> None:
    """What is asked for by the name of its file runs, whatever its tier.

    A shell that runs tests in the background has them ignore Ctrl-C, and nohup a hang-up. What they start shall not."""
    for marker, what in tiers.MARKERS.items():
        config.addinivalue_line("markers", f"{marker}: {what}")
    config.addinivalue_line("markers", tiers.AT_ONCE)
    config.option.markexpr = tiers.expression(config.option.markexpr, config.args)
    for each in SIGNALS:
        if signal.getsignal(each) is signal.SIG_IGN:
            signal.signal(each, lambda *_: None)  # programs that are started have the default


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file all of whose tests are left out need not be imported, nor what a folder of such files shares."""
    place = tiers.place(collection_path.relative_to(config.rootpath).as_posix() + "/" * collection_path.is_dir())
    return True if config.option.markexpr == tiers.FIRST and tiers.marker(place) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is made by then stays: to look through it for what does not, while it grows, takes one second in ten."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Before pytest selects by markers. A case that is renamed does not run by night unseen."""
    for item in items:
        if marker := tiers.marker(tiers.place(item.nodeid)):
            item.add_marker(marker)
        elif tiers.by_night(item):
            item.add_marker("law")
    if not any("[" in asked for asked in config.args) and (wrong := tiers.misnamed(items)):
        raise pytest.UsageError(f"at_once names no case of its test: {', '.join(sorted(wrong))}")
    items.sort(key=lambda item: turns.turn(item.nodeid))


def pytest_collection_finish() -> None:
    """Nothing that is there by now goes before the last test: looking through it again and again takes one second in twenty."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A worker reports of what comes before and after a test only what did not pass, and of one that passed no keywords.

    Nor does it tell that a test begins or ends, of which nothing is printed: all of that takes longer than a small test."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            report.keywords = {} if report.passed else report.keywords
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores where there are tests that wait, for one of them has these."""
    return len(os.sched_getaffinity(0)) + int(config.option.markexpr != tiers.FIRST)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    from tests.support.workers import Dealt  # needs xdist, which is there when this is asked

    return Dealt(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What was left out, and which layer saw which planted fault, where any were planted: from the reports of all workers."""
    if config.option.markexpr == tiers.FIRST:
        terminalreporter.write_line(f"left out: {', '.join(f'-m {marker}' for marker in tiers.MARKERS)}; -m '' selects all")
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.stats.get(outcome, [])]
    found = [str(value) for report in reports for name, value in report.user_properties if name == layers.PROPERTY]
    if found:
        terminalreporter.section(f"{len(found)} planted faults, and what saw them")
        for line in layers.summary(sorted(found)):
            terminalreporter.write_line(line)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty project, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


@pytest.fixture(scope="session")
def shared_project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that tests share, because what they compare took long to make."""
    return Project(tmp_path_factory.mktemp("shared"))


@pytest.fixture(scope="module")
def module_project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The same for the tests of one file."""
    return Project(tmp_path_factory.mktemp("module"))


@pytest.fixture
def quick_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are empty files, where a test is not about them: to draw one takes longer than all trials together."""

    monkeypatch.setattr("harness.report.figures.rendered", stand_in)


@pytest.fixture
def picture_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a figure the picture for screens is drawn, which is looked at; its other files are empty."""
    from harness.report.figures import rendered

    def drawn(frame: Any, view: Any, formats: Sequence[str], *width: str | None) -> dict[str, bytes]:
        return stand_in(frame, view, formats) | rendered(frame, view, ["png"], *width)

    monkeypatch.setattr("harness.report.figures.rendered", drawn)


@pytest.fixture
def theory_untold(monkeypatch: pytest.MonkeyPatch) -> None:
    """What theory alone says of claims is not asked, where a test is about neither: it takes seconds."""
    monkeypatch.setattr("harness.report.verdicts._computed", lambda claim: [])


@pytest.fixture
def harness(project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harness:
    """`harness ...` in this process, in the project."""
    monkeypatch.setattr("harness.report.cost.Probe", Here)
    monkeypatch.setattr("harness.report.progress.PLAIN_SECONDS", inf)

    def command(*words: str | Path) -> Said:
        monkeypatch.setattr(sys, "argv", ["harness", *map(str, words)])
        monkeypatch.setattr(console, "stderr", False)  # as in a new process
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    return command
