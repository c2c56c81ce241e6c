"""The commands that calculate: plans of mechanisms, and the constants in them."""

from pathlib import Path
from typing import Annotated

import typer

from harness.report import looking
from harness.report.console import Choosing, console, examples
from harness.report.defaults import RUNS

app = typer.Typer()
Number = str | None
Changes = Annotated[
    list[str] | None,
    typer.Option("--with", help="constant=value in place of what is printed; may be repeated: see harness constants."),
]


@app.command(
    cls=Choosing,
    epilog=examples(
        "harness plan --n 1e10 --m 1000",
        "harness plan --alpha 0.01 --m 1e5 --concept halfspaces --V 5 --constants tight",
        "harness plan --n 1e12 --m 1000 --with c_k=10",
        "harness plan --release --alpha 0.01 --concept thresholds",
        "harness plan --scores --n 1e9 --m 1000",
        "harness plan --crossover --constants tight",
        "harness plan --concept '{name: stumps, d: 3}' --n 1e9 --m 1000",
        "harness plan experiments/quickstart.yaml --n 1e12",
    ),
)
def plan(
    spec: Annotated[
        Path | None,
        typer.Argument(help="A spec file, or an experiment by its name: the plans of its cells.", show_default=False),
    ] = None,
    m: Annotated[Number, typer.Option(help="Queries.")] = None,
    n: Annotated[Number, typer.Option(help="Private examples; or give --alpha.")] = None,
    alpha: Annotated[Number, typer.Option(help="The learner's excess error; solves for n.")] = None,
    V: Annotated[Number, typer.Option("--V", help="VC dimension; by default the class's own.")] = None,
    eps: Annotated[Number, typer.Option(help="Privacy ε; by default 1.")] = None,
    delta: Annotated[Number, typer.Option(help="Privacy δ; by default 1e-6.")] = None,
    beta: Annotated[Number, typer.Option(help="Failure probability β; by default 0.05.")] = None,
    gamma: Annotated[Number, typer.Option(help="Best error in the class; above 0, the agnostic bounds apply.")] = None,
    concept: Annotated[
        Number, typer.Option(help="Concept class, as in a spec: {concept class}; with --release: {class of queries}.")
    ] = None,
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
    """The calculator: λ, w, α, T, k, s; each mechanism's k, α, bound and ε spent; or the α at which baselines need more chunks.

    Of a spec: what each mechanism resolves to on each of its cells, with the options in place of its keys. A class with its
    dimensions is a mapping, as in a spec: '{name: stumps, d: 3}'.
    """
    from harness.report import calculators
    from harness.report.pairs import with_changes

    options = {"m": m, "n": n, "alpha": alpha, "V": V, "eps": eps, "delta": delta, "beta": beta, "gamma": gamma}
    options |= {"concept": concept, "constants": constants, "pac_bound": pac_bound, "learner": learner, "p": p, "cover": cover}
    options |= {"T": T, "nu": nu} if scores or spec else {}
    setting = {key: value for key, value in options.items() if value is not None}
    if spec is not None:
        calculators.plan_spec(spec, setting, changes or []).show(console, as_json)
        return
    plain = calculators.plan_release if release else calculators.plan
    calculate = calculators.crossovers if crossover else calculators.plan_scores if scores else plain
    request = with_changes(setting, changes or [], "BCMNUW20" if release else "BTT18a" if scores else "BTT18")
    calculate(**request).show(console, as_json)


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
    from harness.report.constants import listed

    if measured:
        from harness.report.measured import needed
        from harness.report.stored import gather, measured_experiments

        needed(gather(measured_experiments(out), out), set).show(console, as_json)
    else:
        listed(set).show(console, as_json)
