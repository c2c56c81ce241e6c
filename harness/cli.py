"""The command line. Exit codes: 0 as expected, 1 a claim broke, 2 bad input, 3 undecided, 4 could not run."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from shutil import copyfile
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.console import Console

from harness.report import plan as calculator
from harness.report.terminal import Meter, verdict_grid
from harness.report.verdicts import FAMILYWISE_ERROR, judge
from harness.sweep.batches import BATCH_SECONDS, Engine, Serial
from harness.sweep.cluster import Cluster
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.provenance import provenance
from harness.sweep.run import run_sweep
from harness.sweep.spec import Sweep, first_complaint
from harness.sweep.store import Store
from harness.sweep.table import Table
from harness.theory.claims import claims
from harness.theory.claims.claim import Verdict
from harness.trials.cell import Setting

EXPERIMENTS, RESULTS, RUNS, FIGURES = Path("experiments"), Path("results"), Path("results/runs"), Path("figures")

app = typer.Typer(
    help="Run theorems about private learning at their printed constants, and say whether they hold.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
terminal = sys.stdout.isatty()
console = Console(width=None if terminal else 160, highlight=False, markup=False, emoji=False, soft_wrap=not terminal)

Specs = Annotated[list[Path], typer.Argument(help="Spec files.", show_default=False)]
Number = str | None


@app.command()
def plan(
    m: Annotated[str, typer.Option(help="Queries.")],
    n: Annotated[Number, typer.Option(help="Private examples; or give --alpha.")] = None,
    alpha: Annotated[Number, typer.Option(help="The learner's excess error; solves for n.")] = None,
    V: Annotated[Number, typer.Option("--V", help="VC dimension; by default the class's own.")] = None,
    eps: Annotated[str, typer.Option(help="Privacy ε.")] = "1",
    delta: Annotated[str, typer.Option(help="Privacy δ.")] = "1e-6",
    beta: Annotated[str, typer.Option(help="Failure probability β.")] = "0.05",
    gamma: Annotated[str, typer.Option(help="Best error in the class; above 0, the agnostic bounds apply.")] = "0",
    concept: Annotated[str, typer.Option(help="Concept class.")] = "thresholds",
    constants: Annotated[str, typer.Option(help="BTT18 or BTT18a.")] = "BTT18",
    pac_bound: Annotated[str, typer.Option(help="class: the sharpest known; blumer: any class of that V.")] = "class",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """The calculator: λ, w, α, T, k, s, the bound, and each baseline's k, α and bound."""
    given = {key: value for key, value in locals().items() if key != "as_json" and value is not None}
    try:
        setting = Setting.model_validate(given)
    except ValidationError as error:
        message, place = first_complaint(error)
        raise InputError(message, "".join(f"--{str(part).replace('_', '-')}" for part in place[:1]) or "--n") from None
    if as_json:
        print(json.dumps(calculator.as_json(setting), indent=2, allow_nan=False))
    else:
        console.print(calculator.as_text(setting))


@app.command()
def run(
    specs: Specs,
    address: Annotated[str | None, typer.Option(help="A Ray cluster to join; by default a local Ray of its own.")] = None,
    serial: Annotated[bool, typer.Option("--serial", help="Run in this process, without Ray.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Workers; by default one a core.")] = None,
    trials: Annotated[int | None, typer.Option(min=1, help="Trials a cell, in place of the spec's.")] = None,
    settings: Annotated[list[str] | None, typer.Option("--set", help="key=value in place of the spec's.")] = None,
    out: Annotated[Path, typer.Option(help="Where tables and figures go.")] = RUNS,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over; by default a run takes up what is there.")] = False,
    batch_seconds: Annotated[float, typer.Option(min=0.0, help="How long a batch of trials should take.")] = BATCH_SECONDS,
) -> None:
    """Run sweeps: NAME.yaml → OUT/NAME.parquet and OUT/NAME.{png,pdf}, with a verdict at the end."""
    overrides = _overrides(settings or [], trials)
    sweeps = [Sweep(path, overrides) for path in specs]
    _distinct(sweeps)
    with engine_for(serial, address, workers) as engine:
        for sweep in sweeps:
            _run_one(sweep, out, engine, fresh, batch_seconds)
    judged = judge((Table.read(out / f"{sweep.name}.parquet").frame(), sweep.spec.claims) for sweep in sweeps)
    for sweep, verdicts in zip(sweeps, judged, strict=True):
        _show(sweep, out / f"{sweep.name}.parquet", verdicts)


@app.command()
def check(
    specs: Annotated[list[Path] | None, typer.Argument(help="Spec files; by default all of experiments/.")] = None,
    run_missing: Annotated[bool, typer.Option("--run", help="First run what has no table.")] = False,
    out: Annotated[Path, typer.Option(help="Where fresh tables are looked for, before results/.")] = RUNS,
    error: Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance of any false verdict.")] = FAMILYWISE_ERROR,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list of verdicts.")] = False,
) -> None:
    """Judge stored tables: does every claim hold, and by how much?"""
    sweeps = [Sweep(path) for path in specs or sorted(EXPERIMENTS.glob("*.yaml"))]
    if not sweeps:
        raise CannotRunError(f"there is nothing to check: no specs in {EXPERIMENTS}/")
    _distinct(sweeps)
    missing = [sweep for sweep in sweeps if _table_path(sweep, out) is None]
    if missing and not run_missing:
        names = ", ".join(str(sweep.path) for sweep in missing)
        raise CannotRunError(f"nothing was measured for {names}; `harness check --run` runs what is missing")
    if missing:
        console.stderr = as_json  # stdout is for the JSON alone
        with engine_for(False, None, None) as engine:
            for sweep in missing:
                _run_one(sweep, out, engine, fresh=False, batch_seconds=BATCH_SECONDS)
        console.stderr = False
    paths = [path for sweep in sweeps if (path := _table_path(sweep, out)) is not None]
    frames = [Table.read(path).frame() for path in paths]
    for sweep, path, frame in zip(sweeps, paths, frames, strict=True):
        absent = {cell.identity for cell in sweep.cells} - set(frame["cell"])
        if absent:
            raise CannotRunError(f"{path} lacks {len(absent)} of the {len(sweep.cells)} cells of {sweep.path}; run it again")
    judged = judge(((frame, sweep.spec.claims) for frame, sweep in zip(frames, sweeps, strict=True)), error)
    for sweep, path, verdicts in zip(sweeps, paths, judged, strict=True):
        silent = set(sweep.spec.claims) - {verdict.claim for verdict in verdicts}
        if silent:
            raise CannotRunError(f"nothing was measured for {', '.join(sorted(silent))}: it speaks of no row of {path}")
    if as_json:
        pairs = zip(sweeps, judged, strict=True)
        print(json.dumps([_as_json(sweep, verdict) for sweep, table in pairs for verdict in table], indent=2))
    else:
        for sweep, path, verdicts in zip(sweeps, paths, judged, strict=True):
            _show(sweep, path, verdicts)
    raise typer.Exit(_summary([verdict for table in judged for verdict in table], error, quiet=as_json))


@app.command()
def figures(
    names: Annotated[list[str] | None, typer.Argument(help="Experiments; by default every one with a table.")] = None,
    results: Annotated[Path, typer.Option(help="Where the tables are.")] = RESULTS,
    out: Annotated[Path, typer.Option(help="Where the figures go.")] = FIGURES,
) -> None:
    """Draw figures from stored tables."""
    names = names or sorted(path.stem for path in results.glob("*.parquet"))
    if not names:
        raise CannotRunError(f"there is nothing to draw: no tables in {results}/")
    for name in names:
        _draw(Sweep(EXPERIMENTS / f"{name}.yaml"), Table.read(results / f"{name}.parquet"), out)


@app.command()
def accept(names: Annotated[list[str], typer.Argument(help="Experiments whose fresh table is to be the reference.")]) -> None:
    """Make fresh tables of results/runs the reference in results/, with its figures."""
    tables = {name: Table.read(RUNS / f"{name}.parquet") for name in names}
    for name, table in tables.items():
        sweep = Sweep(EXPERIMENTS / f"{name}.yaml")
        copyfile(RUNS / f"{name}.parquet", RESULTS / f"{name}.parquet")
        console.print(f"{RESULTS / name}.parquet: {table.rows.num_rows} rows, fingerprint {table.fingerprint}")
        _draw(sweep, table, FIGURES)


@contextmanager
def engine_for(serial: bool, address: str | None, workers: int | None) -> Iterator[Engine]:
    """The engine that the options ask for."""
    if serial and (address is not None or workers is not None):
        raise InputError("runs in this process: it goes with neither --address nor --workers", "--serial")
    with nullcontext(Serial()) if serial else Cluster(address, workers) as engine:
        yield engine


def _overrides(settings: list[str], trials: int | None) -> dict[str, str]:
    overrides = {"trials": str(trials)} if trials is not None else {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise InputError(f"key=value is needed, not {setting!r}", "--set")
        overrides[key] = value
    return overrides


def _distinct(sweeps: list[Sweep]) -> None:
    seen: dict[str, Path] = {}
    for sweep in sweeps:
        if sweep.name in seen:
            raise InputError(f"has the same name as {seen[sweep.name]}, so both would write one table", sweep.path)
        seen[sweep.name] = sweep.path


def _run_one(sweep: Sweep, out: Path, engine: Engine, fresh: bool, batch_seconds: float) -> None:
    store = Store(out, sweep.name, provenance(sweep))
    with Meter(console, sweep.name) as meter:
        outcome = run_sweep(sweep, store, engine, meter, fresh, batch_seconds)
    did = f"{outcome.ran:,} trials run" if outcome.ran else "nothing to do"
    console.print(f"{sweep.name}: {did}, {outcome.resumed:,} rows were there; {len(sweep.cells)} cells")
    console.print(f"  table   {store.path} (fingerprint {outcome.table.fingerprint})")
    drawn = [out / f"{sweep.name}.{suffix}" for suffix in ("png", "pdf")]
    same_spec = outcome.table.provenance["spec"] == sweep.text  # a new title or figure needs no trials
    if outcome.written or not same_spec or not all(path.exists() for path in drawn):
        _draw(sweep, outcome.table, out)
    else:
        console.print(f"  figure  {', '.join(map(str, drawn))}")


def _draw(sweep: Sweep, table: Table, out: Path) -> None:
    from harness.report.figures import draw  # matplotlib and seaborn take a second to load

    out.mkdir(parents=True, exist_ok=True)
    paths = draw(table.frame(), sweep.spec, out / sweep.name)
    console.print(f"  figure  {', '.join(str(path) for path in paths)}")


def _table_path(sweep: Sweep, out: Path) -> Path | None:
    """The fresh table of a spec if there is one, else the committed one."""
    candidates = (out / f"{sweep.name}.parquet", RESULTS / f"{sweep.name}.parquet")
    return next((path for path in candidates if path.exists()), None)


def _show(sweep: Sweep, path: Path, verdicts: list[Verdict]) -> None:
    if verdicts:
        console.print()
        console.print(verdict_grid(f"{sweep.name}: {sweep.spec.question}", Table.read(path).frame(), verdicts))


def _summary(verdicts: list[Verdict], error: float, quiet: bool) -> int:
    """Say how it went, and return the exit code."""
    if not verdicts:
        raise CannotRunError("nothing was measured: no table has a row that a claim speaks of")
    if all(verdict.outcome == "vacuous" for verdict in verdicts):
        raise CannotRunError("nothing was measured: every bound is vacuous")
    settled = ("vacuous", "undecided")
    broken = [verdict for verdict in verdicts if verdict.outcome not in (*settled, claims()[verdict.claim].expected)]
    undecided = [verdict for verdict in verdicts if verdict.outcome == "undecided"]
    if not quiet:
        tally = ", ".join(
            f"{count} {outcome}"
            for outcome in ("holds", "refuted", "undecided", "vacuous")
            if (count := sum(verdict.outcome == outcome for verdict in verdicts))
        )
        console.print(f"\n{tally}; any of these is false with probability at most {error:g}")
        for verdict in broken:
            console.print(f"broken: {verdict.claim} in cell {verdict.cell} is {verdict.outcome}", style="bold red")
    return 1 if broken else 3 if undecided else 0


def _as_json(sweep: Sweep, verdict: Verdict) -> dict[str, Any]:
    return {"experiment": sweep.name} | asdict(verdict) | {"slack": verdict.slack}


def main() -> None:
    """Entry point: errors become one line and an exit code."""
    try:
        app()
    except InputError as error:
        _fail(str(error), 2)
    except (CannotRunError, OSError) as error:  # OSError: a full disk, a folder that cannot be written
        _fail(str(error), 4)
    except KeyboardInterrupt:
        _fail("stopped; what was finished is kept, and the same command takes up from there", 130)


def _fail(message: str, code: int) -> None:
    print(f"error: {message}", file=sys.stderr)
    raise SystemExit(code)
