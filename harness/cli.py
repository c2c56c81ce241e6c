"""The command line. It ends with 0 as it should, 1 a claim or a law broke, 2 bad input, 3 undecided or in part, 4 could not."""

import sys
from contextlib import suppress
from pathlib import Path
from traceback import print_exc
from typing import Annotated, Literal, NoReturn

import typer

from harness.docs import command as pages
from harness.registry import PartError, installed
from harness.report import looking, planning
from harness.report.advice import command as advice
from harness.report.console import Commands, console, examples, show_version
from harness.report.defaults import EXPERIMENTS, FAMILYWISE_ERROR, RUNS
from harness.report.heard import heard
from harness.report.planning import Changes, Number
from harness.starters import WHAT, begin
from harness.sweep.errors import CannotRunError, InputError
from harness.text import message

app = typer.Typer(
    cls=Commands,
    help="Run theorems about private learning at their printed constants, and say whether they hold.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog=examples("harness run experiments/quickstart.yaml", "harness list", "harness plan --n 1e10 --m 1000"),
)
app.add_typer(planning.app)
app.add_typer(advice.app)
app.add_typer(looking.app)
app.add_typer(pages.app)

Specs = Annotated[list[Path], typer.Argument(help="Spec files, or experiments by their names.", show_default=False)]


@app.callback()
def options(
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=show_version, help="Say it, and end.")] = False,
    plugin: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A file with parts of one's own; may be repeated, and stand anywhere."),
    ] = None,
) -> None:
    """The options before the command: show the version, or load plugins."""
    if plugin or installed():
        from harness.sweep.plugins import bring

        bring(plugin or ())


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
    address: Annotated[str | None, typer.Option(help="A Ray cluster to join.")] = None,
    serial: Annotated[bool, typer.Option("--serial", help="Run in this process, without Ray.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Workers of a local Ray.")] = None,
    patience: Annotated[
        float | None,
        typer.Option(min=0.0, help="Seconds to wait for CPUs of a cluster; by default while others have them."),
    ] = None,
    trials: Annotated[int | None, typer.Option(min=1, help="Trials a cell, in place of the spec's.")] = None,
    settings: Annotated[list[str] | None, typer.Option("--set", help="key=value in place of the spec's.")] = None,
    changes: Changes = None,
    out: Annotated[
        looking.Tables, typer.Option(parser=looking.tables_place, metavar=looking.FORMS, help="Where tables and figures go.")
    ] = RUNS,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over; by default a run takes up what is there.")] = False,
    tables_only: Annotated[
        bool, typer.Option("--tables-only", help="Draw no figures; the same without it draws them.")
    ] = False,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Run the I-th of N shares, for job arrays; then without it, for the table."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would cost, cell by cell, and run nothing.")] = False,
    batch_seconds: Annotated[
        float | None, typer.Option(min=0.0, help="How long a batch of trials should take; by default less than a second.")
    ] = None,
) -> None:
    """Run sweeps: NAME.yaml → OUT/NAME.parquet and OUT/NAME.{png,pdf}, with a verdict at the end."""
    from harness import commands
    from harness.report.running import overriding

    overrides = overriding(settings or [], trials, changes or [])
    commands.run(specs, overrides, out, address, serial, workers, patience, fresh, dry_run, batch_seconds, shard, tables_only)


@app.command(epilog=examples("harness check", "harness check mine.yaml --out mine", "harness check --json"))
def check(
    specs: Annotated[
        list[Path] | None, typer.Argument(help="Spec files, or experiments by their names; by default all of experiments/.")
    ] = None,
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
    as_latex: Annotated[bool, typer.Option("--latex", help="Print the verdicts as a table in LaTeX with booktabs.")] = False,
    summary: Annotated[
        Path | None,
        typer.Option(parser=looking.place, metavar="PATH", help="Add the verdicts to this file, as Markdown: a CI job's page."),
    ] = None,
) -> None:
    """Judge stored tables: is every claim as it should be, and every fresh table of the law of the committed one?"""
    from harness import commands

    if as_json and as_latex:
        raise InputError("only one of --json and --latex is printed; allowed: one at a time", "check")
    form: Literal["text", "json", "latex"] = "json" if as_json else "latex" if as_latex else "text"
    commands.check(specs or (), run_missing, cells, out, error, not no_reference, form, summary)


@app.command(
    epilog=examples(
        "harness audit noisy_majority",
        "harness audit --seconds 3 --figure seen.png",
        "harness audit A_SL_Quer --m 1 --delta 1e-3",
        "harness audit my_noise --plugin my_noise.py --seconds 60",
        "harness audit gaussian --m 1 --eps 2 --figure curve.png",
    )
)
def audit(
    mechanism: Annotated[
        str | None,
        typer.Argument(help="Which one, built in or of a plugin; by default all that are private.", show_default=False),
    ] = None,
    m: Annotated[str, typer.Option(help="Queries.")] = "10",
    n: Annotated[Number, typer.Option(help="Private examples; by default as many as it asks for.")] = None,
    T: Annotated[str, typer.Option("--T", help="Cutoff on ⊥ answers.")] = "1",
    eps: Annotated[str, typer.Option(help="Privacy ε that it is asked for.")] = "1",
    delta: Annotated[str, typer.Option(help="Privacy δ that it is asked for.")] = "1e-6",
    beta: Annotated[str, typer.Option(help="Failure probability β.")] = "0.05",
    alpha: Annotated[Number, typer.Option(help="The error that releases and learners are asked for.")] = None,
    gamma: Annotated[Number, typer.Option(help="The error of the best hypothesis, that learners are told.")] = None,
    labels: Annotated[Number, typer.Option(help="How many labels there are.")] = None,
    constants: Annotated[Number, typer.Option(help="Which constants, of its sort; by default the printed ones.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=1e5, help="About how long each takes, of one core.")] = 10.0,
    runs: Annotated[int | None, typer.Option(min=1, max=10**8, help="Runs on either data set, instead of seconds.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="With the same seed and as many runs all is the same again.")] = 0,
    error: Annotated[float, typer.Option(min=1e-9, max=0.5, help="Chance that a lower end is too high.")] = 1e-3,
    figure: Annotated[
        Path | None,
        typer.Option(
            parser=looking.place, metavar="PATH", help="Draw the privacy curve, or what is seen of all: a .png or .pdf."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure privacy: run a mechanism on neighbours, and say which ε it spends at least; ends with 1 if that is too much."""
    from harness.report.audits import AuditReport, AuditsReport, audit_of, audits_of

    options = {"m": m, "n": n, "T": T, "eps": eps, "delta": delta, "beta": beta, "alpha": alpha}
    options |= {"gamma": gamma, "labels": labels, "constants": constants}
    setting = {key: value for key, value in options.items() if value is not None}
    if figure is not None:
        from harness.report.privacy_curve import draw, refuse

        refuse(figure)  # before anything runs
    arguments = setting, seed, runs, seconds, error
    measured = AuditsReport(*audits_of(*arguments)) if mechanism is None else AuditReport(audit_of(mechanism, *arguments))
    measured.show(console, as_json)
    if figure is not None:
        draw(measured.of, figure)
    raise typer.Exit(int(measured.refuted))


@app.command(epilog=examples("harness report", "harness report mine.yaml --html mine.html"))
def report(
    specs: Annotated[
        list[Path] | None, typer.Argument(help="Spec files, or experiments by their names; by default all of experiments/.")
    ] = None,
    out: looking.Fresh = RUNS,
    html: Annotated[
        Path | None,
        typer.Option(parser=looking.place, metavar="PATH", help="The file to write; by default OUT/report.html."),
    ] = None,
) -> None:
    """Write the report: every verdict, claim, experiment and figure in one HTML file that needs no network."""
    from harness.report.processes import reader
    from harness.sweep.run.memory import uncollected

    with uncollected(), reader(0 if specs else len([*EXPERIMENTS.glob("*.yaml")])) as beside:
        from harness import commands

        commands.report(specs or (), out, html, beside)


@app.command(epilog=examples("harness accept quickstart", "harness accept bounds/rate.yaml --out fresh"))
def accept(
    names: Annotated[list[str], typer.Argument(help=f"{looking.NAMED}, whose fresh table is to be the reference.")],
    out: Annotated[
        looking.Tables, typer.Option(parser=looking.tables_place, metavar=looking.FORMS, help="Where the fresh tables are.")
    ] = RUNS,
    anyway: Annotated[bool, typer.Option("--anyway", help="Also a table that is not all that its spec asks for.")] = False,
) -> None:
    """Make fresh whole tables the reference in results/, together with their figures."""
    from harness.report.experiments import spec_paths
    from harness.report.reference import accepted

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
    """Entry point: errors become one line and an exit code, which stays whatever becomes of standard output."""
    kept = heard("stdout")
    heard("stderr")
    try:
        _ended()
    except SystemExit as ended:
        if kept:
            sys.stdout.flush()
        if kept and kept.lost and ended.code in (0, 3):
            _fail(f"standard output is not whole: {kept.lost}; all else was done", 4)
        raise


def _ended() -> None:
    try:
        app()
    except (InputError, PartError) as error:
        _fail(str(error), 2)
    except (CannotRunError, OSError) as error:  # OSError: a full disk, a folder that cannot be written
        _fail(str(error), 4)
    except MemoryError as error:
        _fail(f"there is not enough memory: {error}".removesuffix(": "), 4)
    except Exception:
        print_exc()
        _fail("this is a fault of the program, not of what it was given; nothing was decided", 4)


def _fail(complaint: str, code: int) -> NoReturn:
    with suppress(OSError):  # of a terminal that is gone
        print("error:", message(complaint, but="\n"), file=sys.stderr)
    raise SystemExit(code)
