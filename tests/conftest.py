"""For all tests: hypothesis tries the same examples in every run, keeps none on disk, and never judges by the clock.

For tests of sweeps, reports and the command line: a whole small project in one line.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import settings

from harness import cli
from harness.report.evidence import FORMATS, figure_paths
from harness.sweep.batches import BATCH_SECONDS, Batches, Engine, Serial
from harness.sweep.probe import Measured, measured
from harness.sweep.provenance import provenance
from harness.sweep.run import Outcome, run_sweep
from harness.sweep.spec import Spec, Sweep
from harness.sweep.stopping import SIGNALS
from harness.sweep.store import Store
from harness.sweep.table import Table
from harness.sweep.work import Batch, Result
from harness.trials.fields import Identified

settings.register_profile("harness", derandomize=True, deadline=None)
settings.load_profile("harness")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--stories", type=int, default=32, help="how many stories of edits test_edits.py tells")


def pytest_configure() -> None:
    """A shell that runs tests in the background has them ignore Ctrl-C, and nohup a hang-up. What they start shall not."""
    for each in SIGNALS:
        if signal.getsignal(each) is signal.SIG_IGN:
            signal.signal(each, lambda *_: None)  # programs that are started have the default


SMALL: Mapping[str, str] = {
    "title": "A small sweep",
    "question": "Does Theorem 3.2 hold?",
    "seed": "7",
    "trials": "4",
    "concept": "thresholds",
    "distribution": "uniform",
    "learner": "[leftmost, midpoint]",
    "n": "1e9",
    "m": "[20, 50]",
    "mechanisms": "[A_binClas, noisy_majority]",
    "claims": '["BTT18:T3.2"]',
    "figure": "{x: m, panels: [learner]}",
}
"""Four cells of four trials, 32 rows in a few milliseconds. One line a key, in this order: title is on line 1."""

FULL: dict[str, str | None] = {"sampling": "full", "n": "6e3", "T": "1", "constants": "k_tight", "k_scale": "0.03"}
"""What to change where a learner of one's own is to learn from all examples, of which there are few."""

RUNS = Path("results/runs")


@dataclass(frozen=True)
class Said:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


class Quiet:
    """Progress that nobody watches."""

    def start(self, batches: Batches, store: Store) -> None:
        pass

    def advance(self, result: Result) -> None:
        pass


@dataclass(frozen=True)
class Project:
    """A folder, with specs in experiments/. Paths are relative to it, and it is the working directory of its commands."""

    root: Path

    def text(self, content: str, name: str = "small") -> Path:
        """experiments/NAME.yaml with just this text."""
        path = Path("experiments") / f"{name}.yaml"
        (self.root / path).parent.mkdir(exist_ok=True)
        (self.root / path).write_text(content, encoding="utf-8")
        return path

    def spec(self, name: str = "small", /, **changes: str | None) -> Path:
        """experiments/NAME.yaml: the small sweep with keys changed, added at the end, or with None left out."""
        keys: dict[str, str | None] = {**SMALL, **changes}
        return self.text("".join(f"{key}: {value}\n" for key, value in keys.items() if value is not None), name)

    def sweep(self, name: str = "small", /, **changes: str | None) -> Sweep:
        """The small sweep with changes, written and read."""
        return Sweep(self.spec(name, **changes))

    def store(self, sweep: Sweep) -> Store:
        """The store that a run of the sweep has."""
        return Store(RUNS, sweep.name, provenance(sweep))

    def run(
        self, sweep: Sweep, engine: Engine | None = None, fresh: bool = False, batch_seconds: float = BATCH_SECONDS
    ) -> Outcome:
        """Run the sweep in this process, without figures."""
        return run_sweep(sweep, self.store(sweep), engine or Serial(), Quiet(), fresh, batch_seconds)

    def process(
        self, *words: str | Path, program: Sequence[str] = ("-m", "harness"), environment: Mapping[str, str] | None = None
    ) -> Said:
        """`python -m harness ...`, or another program, as a process of its own, not on a terminal."""
        command = [sys.executable, *program, *map(str, words)]
        ended = subprocess.run(
            command,
            cwd=self.root,
            capture_output=True,
            text=True,
            env={**os.environ, **(environment or {})},
            timeout=280,  # of a machine that has much else to do
            check=False,
        )
        return Said(ended.returncode, ended.stdout, ended.stderr)

    def table(self, name: str = "small", out: Path = RUNS) -> Table:
        """A stored table."""
        return Table.read(self.root / out / f"{name}.parquet")

    def rows(self, name: str = "small", out: Path = RUNS) -> pd.DataFrame:
        """All of a stored table but the one column that may differ between two runs of a spec."""
        return self.table(name, out).frame().drop(columns="seconds")

    def files(self) -> set[str]:
        """All files but specs, by their paths."""
        paths = (path.relative_to(self.root) for path in self.root.rglob("*") if path.is_file())
        return {str(path) for path in paths if path.parts[0] != "experiments"}


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

    def touch(frame: pd.DataFrame, spec: Spec, stem: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
        paths = figure_paths(stem, formats)
        for path in paths:
            path.touch()
        return paths

    monkeypatch.setattr("harness.report.figures.draw", touch)


class Here:
    """Measures trials in this process: a test need not wait for another to start."""

    at: Identified | None = None

    def __init__(self, limit: int | None, *rest: object) -> None:
        self.limit = limit

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *of: object) -> None:
        pass

    def measure(self, batch: Batch, patience: float) -> Measured | None:
        return measured(batch)


Harness = Callable[..., Said]


@pytest.fixture
def harness(project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harness:
    """`harness ...` in this process, in the project."""
    monkeypatch.setattr("harness.report.cost.Probe", Here)
    monkeypatch.setattr("harness.report.progress.PLAIN_SECONDS", inf)

    def command(*words: str | Path) -> Said:
        monkeypatch.setattr(sys, "argv", ["harness", *map(str, words)])
        monkeypatch.setattr(cli.console, "stderr", False)  # as in a new process
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    return command
