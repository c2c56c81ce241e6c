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
    ),
)
def advise(
    errs: Annotated[
        list[str] | None,
        typer.Option(metavar="ERROR@EXAMPLES", help="A point of the learner's learning curve; may be repeated."),
    ] = None,
    n: Annotated[Number, typer.Option(help="Private examples.")] = None,
    m: Annotated[Number, typer.Option(help="Queries.")] = None,
    eps: Annotated[Number, typer.Option(help="Privacy ε; by default 1.")] = None,
    delta: Annotated[Number, typer.Option(help="Privacy δ; by default 1e-6.")] = None,
    beta: Annotated[Number, typer.Option(help="Failure probability β of what is promised; by default 0.05.")] = None,
    constants: Annotated[Number, typer.Option(help="Which constants: {constants}; by default lean.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say which private mechanism to use: what each promises and does at its own best, which wins, and what would change it."""
    from harness.report import calculators

    options = {"errs": errs, "n": n, "m": m, "eps": eps, "delta": delta, "beta": beta, "constants": constants}
    given = {key: value for key, value in options.items() if value is not None}
    calculators.show_calculation(console, calculators.advise(**given), as_json)
