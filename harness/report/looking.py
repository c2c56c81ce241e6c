"""The commands that look at what is stored: tables, verdicts on them, single trials of them and their figures."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from harness.report.console import console, examples
from harness.report.defaults import FIGURES, RESULTS, RUNS
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files import reading
from harness.sweep.files.object_store import Location
from harness.sweep.files.reading import local

if TYPE_CHECKING:
    Tables = Location
else:
    Tables = Path  # Typer takes no union, and the parser says what is made
app = typer.Typer()


def place(written: str) -> Path:
    """The value of a command's option as a local path. Raises BadParameter where it is empty, an address, or leads nowhere."""
    try:
        return local(written)
    except InputError as error:
        raise typer.BadParameter(str(error)) from None


def tables_place(written: str) -> Location:
    """The place that an option names for tables, which may be in an object store. Raises BadParameter where it is none."""
    try:
        return reading.place(written)
    except InputError as error:
        raise typer.BadParameter(str(error)) from None


FORMS = "PATH|ADDRESS"
"""What such an option takes, in its help."""

Fresh = Annotated[
    Tables, typer.Option(parser=tables_place, metavar=FORMS, help="Where fresh tables are looked for, before results/.")
]
NAME = "An experiment, by its name in experiments/ or as a spec file"
NAMED = "Experiments, by their names in experiments/ or as spec files"


@app.command(
    name="claims",
    epilog=examples(
        "harness claims",
        "harness claims BTT18:T3.2",
        "harness claims --nature printed --outcome refuted",
        "harness claims MINE:T1 mine.yaml",
    ),
)
def list_claims(
    asked: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID|SPEC.yaml",
            help="One claim, in full; and spec files, to judge it on their tables in place of those of experiments/.",
            show_default=False,
        ),
    ] = None,
    out: Fresh = RUNS,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list of claims.")] = False,
    every: Annotated[
        bool, typer.Option("--all", help="A line a claim; of one claim every decision, not the worst cases alone.")
    ] = False,
    paper: Annotated[list[str] | None, typer.Option(help="List the claims of this paper alone; may be repeated.")] = None,
    outcome: Annotated[list[str] | None, typer.Option(help="List those with this verdict, such as refuted.")] = None,
    nature: Annotated[list[str] | None, typer.Option(help="List those of this nature, such as printed or repair.")] = None,
    as_errata: Annotated[
        bool, typer.Option("--errata", help="What does not hold as printed, why, and its repair; to a pipe as Markdown.")
    ] = False,
    tex: Annotated[
        Path | None,
        typer.Option(parser=place, metavar="PATH", help="With --errata, write it to this file, as a note in LaTeX."),
    ] = None,
    as_coverage: Annotated[
        bool, typer.Option("--coverage", help="Every place of every paper, and what answers for it; judges nothing.")
    ] = False,
) -> None:
    """The registry: papers at a glance, claims with today's verdicts on the stored tables, one in full, or the errata."""
    filters = {"paper": paper or (), "outcome": outcome or (), "nature": nature or ()}
    if as_coverage:
        if asked or as_errata or any(filters.values()):
            raise InputError("--coverage is a table of all places, without an ID, a spec file or --errata", "claims")
        from harness.report.coverage import show_coverage

        show_coverage(console, as_json)
        return
    from harness.report.claims import Wanted, show_claims, show_errata

    wanted = Wanted.of(asked or (), filters)
    if tex is not None and not as_errata:
        raise InputError("it goes with --errata", "--tex")
    if not as_errata:
        show_claims(console, wanted, out, as_json, every)
    elif as_json:
        raise InputError("--errata is a page for people; allowed: without --json", "claims")
    else:
        show_errata(console, wanted, out, tex)


@app.command(epilog=examples("harness replay cutoff/d22b/0/A_binClas", "harness replay mine.yaml/4ea2/17/gaussian --out mine"))
def replay(
    row: Annotated[
        str,
        typer.Argument(
            help="NAME/CELL/TRIAL/MECHANISM; NAME: an experiment or a spec file; of CELL, a few digits.", show_default=False
        ),
    ],
    out: Fresh = RUNS,
) -> None:
    """Rerun one stored trial bit for bit, and explain which quantity broke which bound."""
    from harness.report.replay import Address, replayed
    from harness.report.stored import as_run
    from harness.report.terminal import explanation

    address = Address.parse(row)
    stored = as_run(address.name, out)
    again = replayed(address, stored)
    console.print(explanation(again, stored.path))
    raise typer.Exit(1 if again.differing else 0)


@app.command(name="list", epilog=examples("harness list", "harness list --json"))
def list_experiments(
    out: Fresh = RUNS,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list of experiments.")] = False,
) -> None:
    """Every experiment: its question, how large it is, and how long it takes."""
    from harness.report.catalogue import show_list
    from harness.report.experiments import known_experiments

    show_list(console, known_experiments(), out, as_json)


@app.command(epilog=examples("harness columns", "harness columns quickstart", "harness columns mine.yaml --json"))
def columns(
    name: Annotated[str | None, typer.Argument(help=f"{NAME}; by default all kinds of trial.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list of columns.")] = False,
) -> None:
    """The data dictionary: what every column of an experiment's table holds."""
    from harness.report.dictionary import show_columns
    from harness.trials import kinds

    if name:
        from harness.report.experiments import experiment

        show_columns(console, [experiment(name).kind], as_json)
    else:
        show_columns(console, list(kinds().values()), as_json)


@app.command(
    epilog=examples(
        "harness table quickstart", "harness table mine.yaml --csv > mine.csv", "harness table small_beta --latex > beta.tex"
    )
)
def table(
    name: Annotated[str, typer.Argument(help=f"{NAME}.", show_default=False)],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print all rows as CSV, for other programs.")] = False,
    as_latex: Annotated[
        bool, typer.Option("--latex", help="Print what its figure shows, as a table in LaTeX with booktabs.")
    ] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print the same in Markdown.")] = False,
    out: Fresh = RUNS,
) -> None:
    """A stored table: what it is and its first rows; all of it as CSV; or what its figure shows, for a paper or a page."""
    from harness.report.stored import with_rows
    from harness.report.tables import show_table, show_values

    if as_csv + as_latex + as_markdown > 1:
        raise InputError("only one of --csv, --latex and --markdown is printed; allowed: one at a time", "table")
    if as_latex or as_markdown:
        show_values(console, with_rows(name, out), as_latex)
    else:
        show_table(console, with_rows(name, out), as_csv)


@app.command(epilog=examples("harness figures", "harness figures cutoff epochs --out here"))
def figures(
    names: Annotated[list[str] | None, typer.Argument(help=f"{NAMED}; by default every one with a table.")] = None,
    results: Annotated[Tables, typer.Option(parser=tables_place, metavar=FORMS, help="Where the tables are.")] = RESULTS,
    out: Annotated[Tables, typer.Option(parser=tables_place, metavar=FORMS, help="Where the figures go.")] = FIGURES,
    width: Annotated[
        Literal["column", "text", "slide"] | None,
        typer.Option(help="3.3, 5.5 or 9 inches; by default a PDF as its spec says, and a PNG for a slide."),
    ] = None,
) -> None:
    """Draw figures from stored tables, and of runs that were stopped from the rows that they kept."""
    from harness.report.drawing import show_drawn
    from harness.report.experiments import spec_paths
    from harness.report.show import show_far
    from harness.report.stored import measured, stored_in
    from harness.sweep.spec import Sweep

    names = names or measured(results)
    if not names:
        raise CannotRunError(f"there is nothing to draw: no tables in {results}/")
    stored = [stored_in(results, Sweep(path)) for path in spec_paths(names)]  # all are read before anything is drawn
    show_far(console, stored, "drawn from")
    show_drawn(console, stored, out, width)


@app.command(
    epilog=examples("harness verify quickstart", "harness verify --sample 0.1%", "harness verify mine.yaml --results mine")
)
def verify(
    names: Annotated[list[str] | None, typer.Argument(help=f"{NAMED}; by default every one with a table.")] = None,
    sample: Annotated[str, typer.Option(metavar="SHARE", help="How many of the rows, such as 1% or 0.01.")] = "1%",
    seed: Annotated[int | None, typer.Option(min=0, help="Of the sample; by default a new one.", show_default=False)] = None,
    results: Annotated[Tables, typer.Option(parser=tables_place, metavar=FORMS, help="Where the tables are.")] = RESULTS,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list of tables.")] = False,
) -> None:
    """Make a random share of stored rows again, bit for bit, and say how many wrong ones would have been found."""
    from secrets import randbelow

    from harness.report.experiments import spec_paths
    from harness.report.progress import heartbeat
    from harness.report.stored import measured, stored_in
    from harness.report.verify import Verified, share_of, show_verified, verified
    from harness.sweep.spec import Sweep

    share, drawn = share_of(sample), randbelow(10**9) if seed is None else seed
    names = names or measured(results)
    if not names:
        raise CannotRunError(f"there is nothing to verify: no tables in {results}/")
    stored = [stored_in(results, Sweep(path), changed=True) for path in spec_paths(names)]
    console.stderr = as_json  # stdout is for the JSON alone
    samples: list[Verified] = []
    under_way = [*(each.sweep.name for each in stored), "the last table"]
    with heartbeat(console, lambda: f"making rows of {under_way[len(samples)]} again"):
        samples.extend(verified(each, share, drawn) for each in stored)
    console.stderr = False
    raise typer.Exit(show_verified(console, samples, drawn, as_json))


@app.command(epilog=examples("harness history", "harness history BTT18:T3.2", "harness history --append"))
def history(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Claims whose lines are shown; by default all.", show_default=False)
    ] = None,
    append: Annotated[
        bool, typer.Option("--append", help="Judge the committed tables, and add what changed since the last lines.")
    ] = False,
) -> None:
    """The verdict and slack of each claim by commit, as results/history.csv has them; `harness docs history` draws it."""
    from harness.report import history as kept

    lines = kept.read(kept.PLACE)
    if append:
        added = kept.appended(lines)
        console.print(f"{kept.PLACE}: {len(added)} lines added")
        return
    shown = [line for line in lines if not ids or line.claim in ids]
    for line in shown:
        console.print("  ".join(filter(None, (line.commit, line.date, line.claim, line.verdict, line.slack))))
    if not shown:
        raise CannotRunError(f"{kept.PLACE} has no line of {', '.join(ids) if ids else 'any claim'}")
