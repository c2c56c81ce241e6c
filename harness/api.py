"""The harness from Python: the verbs of the command line, typed, for a notebook or a program. A spec may be a mapping.

>>> import harness
>>> calculation = harness.plan(m=1000, n=10**12)
>>> calculation.solved.k, calculation.wins
(22907, 'gaussian')
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import yaml
from pydantic import BaseModel, ValidationError
from rich.console import Console

from harness.claims.engine import Verdict
from harness.claims.registry import claims
from harness.report.console import Terminal
from harness.report.cost import Forecast
from harness.report.crossover import Crossovers, Question
from harness.report.crossover import crossovers as answered
from harness.report.guard import guarded, told_committed
from harness.report.lines import COLUMN_HEADINGS
from harness.report.plan import Calculation
from harness.report.recomputed import Recomputed, recomputed
from harness.report.regression import Comparison
from harness.report.release_plan import ReleaseCalculation, release_calculation
from harness.report.running import run_all
from harness.report.score_plan import ScoreCalculation
from harness.report.show import exit_code, far, refuse_unmeasured, verdict_json
from harness.report.stored import (
    RUNS,
    Stored,
    all_experiments,
    gather,
    refuse_kept,
    spec_path,
    stored_in,
    unfinished,
)
from harness.report.verdicts import FAMILYWISE_ERROR, Finding, judge
from harness.sweep.batches import BATCH_SECONDS, Engine
from harness.sweep.complaints import first_complaint
from harness.sweep.document import Place
from harness.sweep.engines import engine_for
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files import local
from harness.sweep.names import distinct
from harness.sweep.plugins import load
from harness.sweep.spec import Sweep
from harness.sweep.table import Table
from harness.trials.cell import Planned
from harness.trials.release_cell import ReleaseSetting
from harness.trials.soft_labels import SoftLabelsCell

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Spec = str | Path | Mapping[str, Any]
"""The path of a spec, the name of one in experiments/, or what one would say, with its `name` among the keys."""


@dataclass(frozen=True)
class Measured:
    """A table with the spec that asked for it."""

    stored: Stored

    @property
    def frame(self) -> pd.DataFrame:
        """The rows, one a trial and mechanism."""
        return self.stored.table.frame()

    @property
    def columns(self) -> pd.DataFrame:
        """What each column is: type, role, symbol, unit, whether a row may lack it, and its meaning, by its name."""
        columns = self.stored.sweep.kind.table.values()
        return pd.DataFrame([{key: getattr(column, key) for key in COLUMN_HEADINGS} for column in columns]).set_index("name")

    @property
    def provenance(self) -> dict[str, Any]:
        """Where the rows come from: the spec's text, its seed, the code and the versions that made them."""
        return self.stored.table.provenance

    def verdicts(self, error: float = FAMILYWISE_ERROR) -> pd.DataFrame:
        """A row for each decision of the spec's claims; any of them is false with probability at most `error`."""
        return verdict_frame(judge([self.stored.evidence], error))

    def figure(self) -> "Figure":
        """What the spec's `figure` asks for, as matplotlib has it."""
        from harness.report import style
        from harness.report.figures import drawn

        with style.used():
            return drawn(self.frame, self.stored.view)


@dataclass(frozen=True)
class Checked:
    """Stored tables, judged. findings: by claim. compared: fresh tables with the committed reference. recomputed: plans.

    notes: tables that lack trials, and those that are the committed ones, as there are no fresh ones.
    """

    stored: list[Stored]
    findings: list[Finding]
    compared: list[Comparison]
    recomputed: list[Recomputed]
    notes: list[str]

    @property
    def code(self) -> int:
        """The exit code of `harness check`.

        0 every claim as expected and every fresh table of the law of its reference; 1 a claim broke, or a table is of another
        law, for worse or better; 3 undecided, or only a part compared; 4 a fresh table that could be compared with nothing.
        Raises CannotRunError where a claim was not measured.
        """
        if any(each.departures for each in self.recomputed):
            return 1
        refuse_unmeasured(self.findings, self.stored)
        return exit_code(self.findings, self.compared, self.stored)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each decision."""
        return verdict_frame(self.findings)


def verdict_frame(findings: Sequence[Finding]) -> pd.DataFrame:
    """A row for each decision, with the verdict that is expected of its claim."""
    rows = [
        verdict_json(place, verdict) | {"expected": finding.expected}
        for finding in findings
        for place, verdict in finding.verdicts
    ]
    return pd.DataFrame(rows, columns=["experiment", *Verdict.__dataclass_fields__, "slack", "expected"])


def sweep_of(spec: Spec, overrides: Mapping[str, str] | None = None) -> Sweep:
    """A spec, read and validated. Raises InputError on anything that could not be run as written."""
    if isinstance(spec, Mapping):
        content = {key: value for key, value in spec.items() if key != "name"}
        path = Path(f"{spec.get('name', 'unnamed')}.yaml")
        return Sweep(path, overrides, yaml.safe_dump(content, sort_keys=False, allow_unicode=True))
    return Sweep(spec if isinstance(spec, Path) else spec_path(spec), overrides)


def run(
    spec: Spec,
    *,
    out: str | Path = RUNS,
    address: str | None = None,
    serial: bool = False,
    workers: int | None = None,
    trials: int | None = None,
    fresh: bool = False,
    plugins: Sequence[str] = (),
    show: Console | None = None,
) -> Measured:
    """Run a sweep, or what is missing of it, and draw its figure: OUT/NAME.parquet and OUT/NAME.{png,pdf}.

    address: a Ray cluster to join; by default a local Ray of its own, with so many workers; serial: none. fresh: start over.
    plugins: users' files. show: where progress is told. Raises InputError and CannotRunError.

    >>> spec = {
    ...     "name": "demo", "title": "A few trials", "question": "Does Theorem 3.2 hold?", "seed": 1, "trials": 20,
    ...     "n": 1e9, "m": [20, 50], "mechanisms": ["A_binClas"], "claims": ["BTT18:T3.2"], "figure": {"x": "m"},
    ... }
    >>> measured = run(spec, serial=True, out="demo")
    >>> measured.frame.groupby("m")["misclassified"].max().to_dict()
    {20: 0, 50: 0}
    >>> sorted(measured.verdicts()["outcome"].unique())
    ['undecided']
    """
    for plugin in plugins:
        load(plugin)
    sweep = sweep_of(spec, {} if trials is None else {"trials": str(trials)})
    refuse_kept(local(out))
    with engine_for(serial, address, workers) as engine:
        return run_sweeps([sweep], local(out), engine, elsewhere=address is not None, fresh=fresh, show=show)[0]


def run_sweeps(
    sweeps: Sequence[Sweep],
    out: Path,
    engine: Engine,
    *,
    elsewhere: bool = False,
    fresh: bool = False,
    batch_seconds: float = BATCH_SECONDS,
    show: Console | None = None,
) -> list[Measured]:
    """Run several on one engine. elsewhere: whether its workers may be on other machines."""
    console = show or Terminal(quiet=True)
    run_all(console, sweeps, out, engine, Forecast(console, engine, elsewhere), fresh, batch_seconds)
    return [Measured(stored) for stored in gather(sweeps, out)]


def read(table: str | Path, out: str | Path = RUNS) -> Measured:
    """A stored table, by its file or by the name of its experiment, fresh in `out` or else committed.

    Raises InputError where there is none, or where it is damaged.
    """
    path = Path(table)
    if path.suffix == ".parquet":
        found = Table.read(path)
        sweep = Sweep(path.with_suffix(".yaml"), found.provenance["set"], found.provenance["spec"])
        return Measured(stored_in(path.parent, sweep))
    return Measured(gather([sweep_of(table)], local(out))[0])


def check(
    *specs: Spec,
    out: str | Path = RUNS,
    run_missing: bool = False,
    error: float = FAMILYWISE_ERROR,
    reference: bool = True,
    show: Console | None = None,
) -> Checked:
    """Judge stored tables, by default of every spec in experiments/, and compare fresh ones with their committed reference.

    run_missing: first run what has no whole table. error: the chance of any false verdict, and of any false change. reference:
    whether there should be one; without, only claims are judged.
    """
    sweeps = [sweep_of(spec) for spec in specs] if specs else all_experiments()
    if not sweeps:
        raise CannotRunError("there is nothing to check: no specs in experiments/")
    distinct(sweep.path for sweep in sweeps)
    missing = [sweep for sweep in sweeps if run_missing and unfinished(sweep, local(out))]
    if missing:
        refuse_kept(local(out))
        with engine_for(False, None, None) as engine:
            run_sweeps(missing, local(out), engine, show=show)
    stored = gather(sweeps, local(out))
    findings = judge([table.evidence for table in stored], error, None if specs else claims())
    compared = guarded(stored, findings, local(out), error, bool(specs)) if reference else []
    alone = told_committed(stored, local(out)) if reference else ""
    notes = [*far(stored), *filter(None, [alone])]
    return Checked(stored, findings, compared, list(map(recomputed, stored)), notes)


def plan(**setting: Any) -> Calculation:
    """The calculator: what the theory derives from m queries and n examples, or an error alpha, for every mechanism.

    Takes the parameters of `harness plan`: m, n or alpha, V, eps, delta, beta, gamma, concept, constants, pac_bound, learner.
    Raises InputError.

    >>> calculation = plan(m=1000, alpha=0.01)
    >>> calculation.solved.k, calculation.solved.vacuous
    (192903, False)
    """
    with options(Planned, setting):
        return Calculation(Planned.model_validate(setting))


def plan_release(**setting: Any) -> ReleaseCalculation:
    """The calculator of release: m public and n private points for an error alpha, and what the alternatives need.

    Takes the parameters of `harness plan --release`: alpha, or n or m or both, p, V, eps, delta, beta, concept, constants,
    cover. Raises InputError.

    >>> calculation = plan_release(alpha=0.1)
    >>> calculation.json["m"], calculation.json["n"]
    (2723, 21005705)
    """
    with options(ReleaseSetting, setting):
        return release_calculation(setting)


def plan_scores(**setting: Any) -> ScoreCalculation:
    """The calculator of soft labels: k, λ, w, the bins' width and the bound at n examples, and what an average would cost.

    Takes the parameters of `harness plan --scores`: n, m, T, nu, eps, delta, beta, constants; and those of the kind of trial
    soft_labels. Without a distribution it is one atom, labelled 1 half of the time, and without a learner the mean of its
    labels. Raises InputError.

    >>> calculation = plan_scores(n=10**9)
    >>> calculation.json["k"], round(calculation.json["width"], 4), calculation.json["vacuous"]
    (16706, 0.0909, False)
    """
    with options(SoftLabelsCell, setting):
        return ScoreCalculation(SoftLabelsCell.model_validate(setting))


def crossovers(**question: Any) -> Crossovers:
    """Where paying only for unstable votes overtakes each baseline: the largest error of a learner at which it needs no more k.

    Takes the parameters of `harness plan --crossover`: m, eps, delta, beta, constants. Raises InputError.

    >>> [round(one.T, 1) for one in crossovers(m=10**6, constants="BTT18").found if one.baseline == "gaussian"]
    [16.8]
    """
    with options(Question, question):
        return answered(Question.model_validate(question))


@contextmanager
def options(model: type[BaseModel], setting: Mapping[str, Any]) -> Iterator[None]:
    """What is wrong with a setting is said of the option that gave it, as an InputError."""
    for key in setting:
        if key not in model.model_fields:
            raise InputError(f"it has no say here; allowed: {', '.join(model.model_fields)}", f"--{key.replace('_', '-')}")
    try:
        yield
    except ValidationError as error:
        message, place = first_complaint(error)
        raise InputError(message, option(place)) from None


def option(place: Place) -> str:
    """The option of `harness plan` that gave what stands at a place of a setting; of several together, the first."""
    if place[:1] == ("constants",) and len(place) > 1 and place[1] != "from":
        return f"--with {place[1]}"
    return f"--{str(place[0]).replace('_', '-')}" if place else "--n"


__all__ = [
    "Calculation",
    "CannotRunError",
    "Checked",
    "InputError",
    "Measured",
    "check",
    "crossovers",
    "plan",
    "plan_release",
    "plan_scores",
    "read",
    "run",
]
