"""Long tables take no memory that grows with their rows: to be judged, shown, compared, and taken up by a run."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from harness.sweep.run.provenance import provenance
from harness.sweep.spec import Sweep
from harness.sweep.table.table import Table
from tests.sweep.test_long import SPECS

if TYPE_CHECKING:
    from tests.support.project import Project


def lengthened(sweep: Sweep, table: Table, trials: int) -> Table:
    """Rows of each cell's first trial, so many times, of which each errs otherwise."""
    rng, rows = np.random.default_rng(1), table.rows.filter(pc.equal(table.rows["trial"], 0))
    found = []
    for cell in sweep.cells:
        own = rows.filter(pc.equal(rows["cell"], cell.identity))
        many = own.take(np.tile(np.arange(len(own)), trials))
        error = many["error"].to_numpy() + 1e-9 * rng.random(len(many))
        new: dict[str, Any] = {"trial": np.repeat(np.arange(trials), len(own)), "error": error}
        if "error_on_cover" in many.column_names:
            new["error_on_cover"] = np.minimum(many["error_on_cover"].to_numpy(), error)
        for name, values in new.items():
            at = many.column_names.index(name)
            many = many.set_column(at, many.schema.field(name), pa.array(values, many.schema.field(name).type))
        found.append(many)
    return Table(pa.concat_tables(found).combine_chunks(), table.provenance)


COMMANDS = (
    ("check", "check", "--no-reference"),
    ("report", "report", "--html", "page.html"),
    ("table", "table", "--csv"),
    ("compare", "check"),
)
"""What is asked of a long table; the last reads another one beside it."""


@pytest.mark.parametrize("name", ["means", "slack"])
def test_memory_does_not_grow_with_rows(project: "Project", name: str) -> None:
    """A table of 1.56 million rows, or two of them, takes 60 bytes a row more than one of 600,000, or less, as peaks differ by
    themselves.

    It was some 800 for `check`, and 2000 for `report`, when all rows were held; 80 for `report` when a column of a cell was.
    """
    peaks: dict[str, list[int]] = {which: [] for which, *_ in COMMANDS}
    project.run(project.sweep(**SPECS[name] | {"trials": "1"}))
    first = Table.read(Path("results/runs/small.parquet"))
    for rows in (600_000, 1_560_000):
        sweep = project.sweep(**SPECS[name] | {"trials": str(rows // len(first.rows))})
        made = lengthened(sweep, first, rows // len(first.rows))
        for folder in ("results/runs", "results"):
            Table(made.rows, provenance(sweep)).write(Path(folder) / "small.parquet")
        for which, command, *options in COMMANDS:
            peaks[which].append(peak([command, str(sweep.path), *options]))
    for which, (few, many) in peaks.items():
        assert many - few < 60 * 960_000, (which, peaks)


def test_memory_of_a_run_that_is_taken_up_does_not_grow_with_rows(project: "Project") -> None:
    """Nor that of who looks at what is there of it: 160 bytes a row more, or less."""
    peaks: dict[str, list[int]] = {"check": [], "run": []}
    project.run(project.sweep(**SPECS["slack"] | {"trials": "1"}))
    path = Path("results/runs/small.parquet")
    first = Table.read(path)
    for rows in (600_000, 1_560_000):
        sweep = project.sweep(**SPECS["slack"] | {"trials": str(rows // len(first.rows))})
        made = lengthened(sweep, first, rows // len(first.rows))
        path.unlink()
        Table(made.rows, provenance(sweep)).write(path.parent / ".small/000000001.parquet")
        peaks["check"].append(peak(["check", str(sweep.path), "--no-reference"]))
        peaks["run"].append(peak(["run", str(sweep.path), "--serial"]))
        assert Table.read(path).fingerprint == made.fingerprint
    for which, (few, many) in peaks.items():
        assert many - few < 160 * 960_000, (which, peaks)


def peak(words: list[str]) -> int:
    """The most memory that a command had, in bytes."""
    code = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run([sys.executable, '-m', 'harness', *sys.argv[1:]], capture_output=True)\n"
        "assert done.returncode in (0, 1, 3), done.stderr\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return int(done.stdout)
