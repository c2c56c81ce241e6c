"""The command line. It ends with 0 as it should, 1 a claim or a law broke, 2 bad input, 3 undecided or in part, 4 could not."""

import json
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from harness import api
from harness.claims.registry import claims
from harness.registry import PartError
from harness.report import looking
from harness.report.console import Choosing, Commands, console, examples, show_version
from harness.report.constants import listed
from harness.report.cost import Forecast
from harness.report.measured import needed
from harness.report.processes import helper
from harness.report.progress import still
from harness.report.recomputed import told
from harness.report.reference import accepted
from harness.report.replay import commands
from harness.report.running import overriding, with_changes
from harness.report.show import (
    check_json,
    foretold,
    offer_replays,
    refuse_unmeasured,
    show_calculation,
    show_cells,
    show_comparisons,
    show_far,
    show_findings,
    summarise,
    uncompared,
)
from harness.report.stored import (
    RESULTS,
    RUNS,
    gather,
    measured_experiments,
    refuse_kept,
    spec_files,
    spec_paths,
)
from harness.report.summary import append, markdown
from harness.report.verdicts import FAMILYWISE_ERROR, by_theory, judge
from harness.starters import WHAT, begin
from harness.sweep.batches import BATCH_SECONDS
from harness.sweep.engines import engine_for
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.memory import uncollected
from harness.sweep.names import distinct
from harness.sweep.plugins import harness_command, load
from harness.sweep.spec import Sweep
from harness.sweep.stopping import children_unaware
from harness.text import message

app = typer.Typer(
    cls=Commands,
    help="Run theorems about private learning at their printed constants, and say whether they hold.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog=examples("harness run experiments/quickstart.yaml", "harness list", "harness plan --n 1e10 --m 1000"),
)
app.add_typer(looking.app)

Specs = Annotated[list[Path], typer.Argument(help="Spec files.", show_default=False)]
Number = str | None
Changes = Annotated[
    list[str] | None,
    typer.Option("--with", help="constant=value in place of what is printed; may be repeated: see harness constants."),
]


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=show_version, help="Say it, and end.")] = False,
    plugin: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A file with parts of one's own; may be repeated, and stand anywhere."),
    ] = None,
) -> None:
    """What comes before the command."""
    for name in plugin or ():
        load(name)


@app.command(
    cls=Choosing,
    epilog=examples(
        "harness plan --n 1e10 --m 1000",
        "harness plan --alpha 0.01 --m 1e5 --concept halfspaces --V 5 --constants tight",
        "harness plan --n 1e12 --m 1000 --with c_k=10",
        "harness plan --release --alpha 0.01 --concept thresholds",
        "harness plan --scores --n 1e9 --m 1000",
        "harness plan --crossover --constants tight",
    ),
)
def plan(
    m: Annotated[Number, typer.Option(help="Queries.")] = None,
    n: Annotated[Number, typer.Option(help="Private examples; or give --alpha.")] = None,
    alpha: Annotated[Number, typer.Option(help="The learner's excess error; solves for n.")] = None,
    V: Annotated[Number, typer.Option("--V", help="VC dimension; by default the class's own.")] = None,
    eps: Annotated[str, typer.Option(help="Privacy ε.")] = "1",
    delta: Annotated[str, typer.Option(help="Privacy δ.")] = "1e-6",
    beta: Annotated[str, typer.Option(help="Failure probability β.")] = "0.05",
    gamma: Annotated[Number, typer.Option(help="Best error in the class; above 0, the agnostic bounds apply.")] = None,
    concept: Annotated[Number, typer.Option(help="Concept class: {concept class}; with --release: {class of queries}.")] = None,
    constants: Annotated[
        Number,
        typer.Option(
            help="Which constants: {constants}; with --release: {constants of release}; with --scores: {constants of scores}."
        ),
    ] = None,
    changes: Changes = None,
    pac_bound: Annotated[Number, typer.Option(help="class: the sharpest known; blumer: any class of that V.")] = None,
    learner: Annotated[
        Number,
        typer.Option(help="Whose bound: a learner of the class, by default its first, as in a run; any: any consistent one."),
    ] = None,
    release: Annotated[
        bool, typer.Option("--release", help="Statistical queries with public data: m public and n private points.")
    ] = False,
    p: Annotated[Number, typer.Option("--p", help="Dual VC dimension, with --release; by default the class's own.")] = None,
    cover: Annotated[
        Number,
        typer.Option(help="With --release, whose m. any: Lemma 11, for every class; spacing: what is special to this one."),
    ] = None,
    scores: Annotated[bool, typer.Option("--scores", help="Soft labels: n examples, scores in [0, 1].")] = False,
    T: Annotated[Number, typer.Option("--T", help="With --scores, queries that may have no stable histogram.")] = None,
    nu: Annotated[Number, typer.Option(help="With --scores, how near to 0 or 1 the means of all others are.")] = None,
    crossover: Annotated[
        bool, typer.Option("--crossover", help="The α from which on each baseline needs more chunks.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The calculator: λ, w, α, T, k, s, and every mechanism's k, α, bound and ε spent; or where each is overtaken."""
    options = {"m": m, "n": n, "alpha": alpha, "V": V, "eps": eps, "delta": delta, "beta": beta, "gamma": gamma}
    options |= {"concept": concept, "constants": constants, "pac_bound": pac_bound, "learner": learner, "p": p, "cover": cover}
    options |= {"T": T, "nu": nu} if scores else {}
    given = {key: value for key, value in options.items() if value is not None}
    calculate = api.crossovers if crossover else api.plan_scores if scores else api.plan_release if release else api.plan
    asked = with_changes(given, changes or [], "BCMNUW20" if release else "BTT18a" if scores else "BTT18")
    show_calculation(console, calculate(**asked), as_json)


@app.command(
    epilog=examples(
        "harness run experiments/quickstart.yaml",
        "harness run mine.yaml --set n=1e9 --trials 1000 --out other",
        'harness run mine.yaml --set "eps=[0.5, 1, 2]" --dry-run',
        "harness run mine.yaml --with c_k=10 --out ten",
        "harness run experiments/*.yaml --address ray://HEAD:10001",
    )
)
def run(
    specs: Specs,
    address: Annotated[str | None, typer.Option(help="A Ray cluster to join; by default a local Ray of its own.")] = None,
    serial: Annotated[bool, typer.Option("--serial", help="Run in this process, without Ray.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Workers; by default one a core.")] = None,
    trials: Annotated[int | None, typer.Option(min=1, help="Trials a cell, in place of the spec's.")] = None,
    settings: Annotated[list[str] | None, typer.Option("--set", help="key=value in place of the spec's.")] = None,
    changes: Changes = None,
    out: Annotated[Path, typer.Option(parser=looking.place, metavar="PATH", help="Where tables and figures go.")] = RUNS,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over; by default a run takes up what is there.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would cost, cell by cell, and run nothing.")] = False,
    batch_seconds: Annotated[float, typer.Option(min=0.0, help="How long a batch of trials should take.")] = BATCH_SECONDS,
) -> None:
    """Run sweeps: NAME.yaml → OUT/NAME.parquet and OUT/NAME.{png,pdf}, with a verdict at the end."""
    overrides = overriding(settings or [], trials, changes or [])
    refuse_kept(out)
    distinct(specs)
    with still(console, lambda: "reading the specs"):
        sweeps = [Sweep(path, overrides) for path in specs]
    for line in (line for sweep in sweeps for line in foretold(sweep)):
        console.print(line, style="bold yellow")
    with engine_for(serial, address, workers) as engine:
        elsewhere = address is not None
        if dry_run:
            Forecast(console, engine, elsewhere).of(sweeps, out, fresh, alone=True)
            return
        measured = api.run_sweeps(
            sweeps, out, engine, elsewhere=elsewhere, fresh=fresh, batch_seconds=batch_seconds, show=console
        )
    stored = [each.stored for each in measured]
    findings = judge([table.evidence for table in stored])
    if findings:
        show_cells(console, stored, findings)
        summarise(console, findings, FAMILYWISE_ERROR)
        offer_replays(console, findings, stored, out)
    if not overrides:  # of other settings than the spec's there is no verdict but this
        asked = [] if len(specs) > 1 and sorted(specs) == spec_files() else specs  # without names it is all of them
        named = [*asked, *([] if out == RUNS else ["--out", out])]
        check, page = (harness_command([verb, *named]) for verb in ("check", "report"))
        console.print(f"tables and figures are in {out}/; verdicts: {check}; as a page: {page}")


@app.command(epilog=examples("harness check", "harness check mine.yaml --out mine", "harness check --json"))
def check(
    specs: Annotated[list[Path] | None, typer.Argument(help="Spec files; by default all of experiments/.")] = None,
    run_missing: Annotated[bool, typer.Option("--run", help="First run what has no whole table.")] = False,
    cells: Annotated[bool, typer.Option("--cells", help="Show every cell also when all of experiments/ is checked.")] = False,
    out: looking.Fresh = RUNS,
    error: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Chance of any false verdict, and of any false change.")
    ] = FAMILYWISE_ERROR,
    no_reference: Annotated[
        bool, typer.Option("--no-reference", help="Judge the claims alone, where there is no table to compare with.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print verdicts and comparisons as JSON.")] = False,
    summary: Annotated[
        Path | None,
        typer.Option(parser=looking.place, metavar="PATH", help="Add the verdicts to this file, as Markdown: a CI job's page."),
    ] = None,
) -> None:
    """Judge stored tables: is every claim as it should be, and every fresh table of the law of the committed one?"""
    console.stderr = as_json  # stdout is for the JSON alone
    reference = not no_reference
    checked = api.check(*(specs or ()), out=out, run_missing=run_missing, error=error, reference=reference, show=console)
    departing = told(checked.recomputed)
    for line in departing:
        console.print(line, style="bold red")
    console.stderr = False
    stored, findings, compared, notes = checked.stored, checked.findings, checked.compared, [*departing, *checked.notes]
    if summary is not None:
        append(summary, markdown(findings, compared, commands(findings, stored, out), error, notes))
    if not departing:  # else no claim may speak of the rows, for that very reason
        refuse_unmeasured(findings, stored)
    if as_json:
        print(json.dumps(check_json(findings, compared, notes), indent=2))
    else:
        if specs or cells:
            show_cells(console, stored, findings)
        show_findings(console, findings)
        summarise(console, findings, error)
        offer_replays(console, findings, stored, out)
    console.stderr = as_json
    for line in checked.notes:
        console.print(line, style="bold yellow")
    show_comparisons(console, compared, error)
    console.stderr = False
    if checked.code == 4:
        raise CannotRunError(uncompared(compared))
    raise typer.Exit(checked.code)


@app.command(name="constants", cls=Choosing, epilog=examples("harness constants BTT18", "harness constants --measured"))
def list_constants(
    set: Annotated[
        str | None,
        typer.Argument(
            help="For labels: {constants}; averages: {constants of release}; scores: {constants of scores}. By default all.",
            show_default=False,
        ),
    ] = None,
    measured: Annotated[bool, typer.Option("--measured", help="How small each can be, over a range or by tables.")] = False,
    out: looking.Fresh = RUNS,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list of constants.")] = False,
) -> None:
    """Every constant: its value, the formula that it stands in, and its place in the text."""
    found = needed(gather(measured_experiments(out), out), set) if measured else listed(set)
    show_calculation(console, found, as_json)


@app.command(epilog=examples("harness report", "harness report mine.yaml --html mine.html"))
def report(
    specs: Annotated[list[Path] | None, typer.Argument(help="Spec files; by default all of experiments/.")] = None,
    out: looking.Fresh = RUNS,
    html: Annotated[
        Path | None,
        typer.Option(parser=looking.place, metavar="PATH", help="The file to write; by default OUT/report.html."),
    ] = None,
) -> None:
    """Write the report: every verdict, claim, experiment and figure in one HTML file that needs no network."""
    from harness.report.html import refuse_foreign, write
    from harness.report.html.figures import Figures

    names = None if specs else list(claims())
    with uncollected(), helper(much=not specs) as helping:
        with children_unaware():
            theory = helping.submit(by_theory, names or [])
        sweeps = [Sweep(path) for path in specs] if specs else measured_experiments(out)
        if not sweeps:
            raise CannotRunError(f"there is nothing to report: no tables in {out}/ or {RESULTS}/")
        distinct(sweep.path for sweep in sweeps)
        stored = gather(sweeps, out)
        path = html or out / "report.html"
        refuse_foreign(path)
        show_far(console, stored)
        figures = Figures(stored, helping)
        findings = judge([table.evidence for table in stored], names=names, known=theory.result())
        write(path, stored, figures, findings, commands(findings, stored, out), FAMILYWISE_ERROR)
    console.print(f"{path}: {len(findings)} claims, {len(stored)} experiments, {path.stat().st_size / 1e6:.1f} MB")


@app.command(epilog=examples("harness accept quickstart", "harness accept bounds/rate.yaml --out fresh"))
def accept(
    names: Annotated[list[str], typer.Argument(help=f"{looking.NAMED}, whose fresh table is to be the reference.")],
    out: Annotated[Path, typer.Option(parser=looking.place, metavar="PATH", help="Where the fresh tables are.")] = RUNS,
    anyway: Annotated[bool, typer.Option("--anyway", help="Also a table that is not all that its spec asks for.")] = False,
) -> None:
    """Make fresh whole tables the reference in results/, together with their figures."""
    for line in accepted(spec_paths(names), out, anyway):
        console.print(line)


@app.command(epilog=examples("harness new experiment mine", "harness new mechanism my_noise", "harness new claim my_claim"))
def new(
    what: Annotated[str, typer.Argument(help=f"What to begin: {', '.join(WHAT)}.", show_default=False)],
    name: Annotated[str, typer.Argument(help="What to call it.", show_default=False)],
) -> None:
    """Write a file to start from, with its test: it runs as it is, and says what to fill in."""
    path, test = begin(what, name)
    console.print(f"{path} runs as it is, and says FILL IN where something is yours to say; its test: python -m pytest {test}")


def main() -> None:
    """Entry point: errors become one line and an exit code."""
    if isinstance(sys.stdout, TextIOWrapper):  # a terminal without ε, or a file's name that is not UTF-8
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except (InputError, PartError) as error:
        _fail(str(error), 2)
    except (CannotRunError, OSError) as error:  # OSError: a full disk, a folder that cannot be written
        _fail(str(error), 4)


def _fail(said: str, code: int) -> NoReturn:
    print("error:", message(said, but="\n"), file=sys.stderr)
    raise SystemExit(code)
