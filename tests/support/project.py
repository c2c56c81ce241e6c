"""A whole small project in one line, its commands, and what they said."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from harness.sweep.run.batches import BATCH_SECONDS, Batches, Engine, Serial
from harness.sweep.run.probe import ProbedCosts, measured
from harness.sweep.run.provenance import provenance
from harness.sweep.run.run import Outcome, run_sweep
from harness.sweep.run.store import Store
from harness.sweep.run.work import Batch, Result
from harness.sweep.spec import Sweep
from harness.sweep.table.table import Table
from harness.trials.fields import Identified

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


class Here:
    """Measures trials in this process: a test need not wait for another to start."""

    at: Identified | None = None

    def __init__(self, limit: int | None, *rest: object) -> None:
        self.limit = limit

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *of: object) -> None:
        pass

    def measure(self, batch: Batch, patience: float, apart: bool = False) -> ProbedCosts | None:
        return measured(batch)


Harness = Callable[..., Said]
