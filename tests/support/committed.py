"""What is committed: experiments, and their tables. Each is read once in a process, however many tests look at it."""

from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from harness.sweep.spec import Sweep
from harness.sweep.spec.figure_spec import FigureSpec
from harness.sweep.table.counted import COUNT
from harness.sweep.table.table import Table

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "experiments").glob("*.yaml"))
NAMES = [path.stem for path in SPECS]
SPEC_OF = dict(zip(NAMES, SPECS, strict=True))


@cache
def content(path: Path) -> Any:
    """A spec as plain YAML, in no time."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def plot_of(path: Path) -> str:
    """The name of its plot."""
    return str(content(path)["figure"].get("plot", FigureSpec.model_fields["plot"].default))


_LONGEST_FIRST = sorted(SPECS, key=lambda path: -(ROOT / f"results/{path.stem}.parquet").stat().st_size)
SHORT_OF = {plot_of(path): path for path in _LONGEST_FIRST}
"""Of each plot the spec with the shortest table."""
SHORT = tuple(sorted({path.stem for path in {content(path).get("kind"): path for path in _LONGEST_FIRST}.values()}))
"""Of each kind of trial the experiment with the shortest: what differs in the table alone is seen of these on every change."""


@cache
def sweep_of(name: str) -> Sweep:
    """A spec as it is read, whose cells keep what they have derived: for tests that change nothing."""
    return Sweep(ROOT / f"experiments/{name}.yaml")


@cache
def table_of(name: str) -> Table:
    """Its table, read and verified once: all of them take a third of a GB."""
    return Table.read(ROOT / f"results/{name}.parquet")


def rows_of(name: str) -> pd.DataFrame:
    """The rows of that."""
    return table_of(name).frame()


def trials_of(name: str) -> pd.DataFrame:
    """A row for each trial of it, where equal ones are one."""
    rows = rows_of(name)
    return rows.loc[rows.index.repeat(rows[COUNT.name])]
