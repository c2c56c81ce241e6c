"""Stored tables of experiments, fresh or committed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from harness.registry import nearest
from harness.report.regression import Pair
from harness.report.verdicts import Evidence
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.provenance import provenance
from harness.sweep.spec import Sweep
from harness.sweep.store import Store
from harness.sweep.table import Table
from harness.sweep.work import tabulated

EXPERIMENTS, RESULTS, RUNS, FIGURES = Path("experiments"), Path("results"), Path("results/runs"), Path("figures")
FORMATS = ("png", "pdf")


@dataclass(frozen=True)
class Stored:
    """An experiment with its table."""

    sweep: Sweep
    path: Path
    table: Table

    @property
    def evidence(self) -> Evidence:
        """What claims are judged on."""
        return Evidence(self.sweep.name, self.sweep.kind.name, self.table.frame(), self.sweep.spec.claims)


def figure_paths(stem: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """The files of a figure; stem: their path without the suffix."""
    return [stem.with_name(f"{stem.name}.{suffix}") for suffix in formats]


def spec_path(name: str) -> Path:
    """Where the spec of an experiment is. name: as in experiments/NAME.yaml, or the path of a spec anywhere."""
    return Path(name) if name.endswith(".yaml") else EXPERIMENTS / f"{name}.yaml"


def spec_files() -> list[Path]:
    """Every committed spec."""
    return sorted(EXPERIMENTS.glob("*.yaml"))


def all_experiments() -> list[Sweep]:
    """The sweeps of all of them."""
    return [Sweep(path) for path in spec_files()]


def table_path(sweep: Sweep, out: Path) -> Path | None:
    """The fresh table of a spec if there is one, else the committed one, else None."""
    candidates = (out / f"{sweep.name}.parquet", RESULTS / f"{sweep.name}.parquet")
    return next((path for path in candidates if path.exists()), None)


def gather(sweeps: Sequence[Sweep], out: Path) -> list[Stored]:
    """Each experiment with its table. Raises CannotRunError where there is none, or where it lacks cells of the spec."""
    found = []
    for sweep in sweeps:
        path = table_path(sweep, out)
        if path is None:
            raise CannotRunError(f"nothing was measured for {sweep.path}; `harness check --run` runs what is missing")
        table = Table.read(path)
        absent = {cell.identity for cell in sweep.cells} - set(table.rows["cell"].to_pylist())
        if absent:
            raise CannotRunError(f"{path} lacks {len(absent)} of the {len(sweep.cells)} cells of {sweep.path}; run it again")
        found.append(Stored(sweep, path, table))
    return found


def pairs(stored: Sequence[Stored]) -> list[Pair]:
    """Each fresh table with the committed reference of the same experiment, where there is one."""
    found = []
    for fresh in stored:
        path = RESULTS / f"{fresh.sweep.name}.parquet"
        if path.exists() and not path.samefile(fresh.path):
            reference = Table.read(path)
            same = reference.provenance["makes"] == fresh.table.provenance["makes"]
            found.append(Pair(fresh.sweep.name, fresh.sweep.kind, fresh.table.frame(), reference.frame(), same))
    return found


def as_run(name: str, out: Path) -> Stored:
    """One experiment with its table and the settings that it was run with. name: as in NAME.yaml, or a spec's path.

    Of a run in `out` that has not come to its end the rows that it kept, maybe none. Raises InputError where there is no such
    experiment.
    """
    path = spec_path(name)
    if not path.exists():
        known = [spec.stem for spec in spec_files()]
        raise InputError(f"no experiment {name!r}; {nearest(name, known)}")
    sweep = Sweep(path)
    kept = Store(out, sweep.name, provenance(sweep)).parts()
    found = table_path(sweep, out)
    if found is None or (kept and found.parent != out):
        found = out / f"{sweep.name}.parquet"
        tables = [Table.read(part) for part in kept] or [Table(tabulated([], sweep.kind.name), provenance(sweep))]
        table = Table(pa.concat_tables(each.rows for each in tables), tables[0].provenance)
    else:
        table = Table.read(found)
    return Stored(Sweep(path, table.provenance["set"]), found, table)
