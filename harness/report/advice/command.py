"""The command that advises."""

from typing import Annotated

import typer

from harness.report.console import Choosing, console, examples

app = typer.Typer()
Number = str | None


@app.command(
    cls=Choosing,
    epilog=examples(
        "harness advise --errs 0.02@5000 --n 4e6 --m 300 --eps 2 --delta 1e-7",
        "harness advise --errs 0.02@5000 --errs 0.01@20000 --n 1e9 --m 1e4",
        "harness advise --release --n 1e5 --m 1000 --concept thresholds",
        "harness advise --release --n 1e5 --grid 200 --alpha 0.05",
        "harness advise --classifier --n 1e6 --concept '{name: stumps, d: 3}'",
        "harness advise --classifier --errs 0.02@5000 --n 4e6 --m 3000",
    ),
)
def advise(
    errs: Annotated[
        list[str] | None,
        typer.Option(metavar="ERROR@EXAMPLES", help="A point of the learner's learning curve; may be repeated."),
    ] = None,
    n: Annotated[Number, typer.Option(help="Private examples.")] = None,
    m: Annotated[Number, typer.Option(help="Queries; with --release and --classifier: public points.")] = None,
    eps: Annotated[Number, typer.Option(help="Privacy ε; by default 1.")] = None,
    delta: Annotated[Number, typer.Option(help="Privacy δ; by default 1e-6.")] = None,
    beta: Annotated[Number, typer.Option(help="Failure probability β of what is promised; by default 0.05.")] = None,
    constants: Annotated[Number, typer.Option(help="For labels, which constants: {constants}; by default lean.")] = None,
    release: Annotated[bool, typer.Option("--release", help="Averages for all queries of a class.")] = False,
    classifier: Annotated[
        bool, typer.Option("--classifier", help="A classifier: by a learning curve, or of a class that is known.")
    ] = False,
    concept: Annotated[
        Number,
        typer.Option(help="With --release, the class: {class of queries}; with --classifier: {concept class}."),
    ] = None,
    distribution: Annotated[
        Number, typer.Option(help="Of the class; with --release by default all of them, with --classifier the first.")
    ] = None,
    learner: Annotated[Number, typer.Option(help="With --classifier, of the class; by default its first.")] = None,
    gamma: Annotated[Number, typer.Option(help="With --classifier, the best error in the class; by default 0.")] = None,
    grid: Annotated[
        Number, typer.Option(help="With --release and no public points: cells whose queries are asked; by default 100.")
    ] = None,
    alpha: Annotated[Number, typer.Option(help="With --release, an error that is to be kept.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say which private mechanism to use: what each promises and does at its own best, which wins, and what would change it."""
    from harness.report import calculators
    from harness.sweep.errors import InputError

    if release and classifier:
        raise InputError(
            "one thing is advised on at a time; allowed: --release, --classifier, or neither, for labels", "advise"
        )
    options = {"errs": errs, "n": n, "m": m, "eps": eps, "delta": delta, "beta": beta, "constants": constants}
    options |= {"concept": concept, "distribution": distribution, "learner": learner, "gamma": gamma, "grid": grid}
    setting = {key: value for key, value in {**options, "alpha": alpha}.items() if value is not None}
    about = calculators.advise_release if release else calculators.advise_classifier if classifier else calculators.advise
    about(**setting).show(console, as_json)
