"""The harness from Python: the verbs of the command line, typed, for a notebook or a program. A spec may be a mapping.

>>> import harness
>>> calculation = harness.plan(m=1000, n=10**12)
>>> calculation.solved.k, calculation.wins
(22907, 'gaussian')
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import yaml
from rich.console import Console

from harness.claims.engine import Verdict
from harness.claims.registry import claims
from harness.report.advice.labels import Advice
from harness.report.audits import AuditReport, audit_of
from harness.report.calculators import advise, advise_classifier, advise_release, crossovers, plan, plan_release, plan_scores
from harness.report.defaults import FAMILYWISE_ERROR, RUNS
from harness.report.experiments import all_experiments, spec_path
from harness.report.guard import guarded, told_committed
from harness.report.lines import COLUMN_HEADINGS
from harness.report.plan import Calculation
from harness.report.recomputed import Recomputed, as_stored
from harness.report.regression import Comparison
from harness.report.running import run_all
from harness.report.seen import share_of
from harness.report.show import exit_code, far, refuse_unmeasured, verdict_json
from harness.report.standing import BrokenBound, broken_bounds
from harness.report.stored import Stored, fallen, gather, refuse_kept, stored_in, unfinished
from harness.report.verdicts import Finding, judge
from harness.sweep.engines import engine_for
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.names import distinct
from harness.sweep.files.object_store import Location
from harness.sweep.files.reading import place
from harness.sweep.plugins import bring
from harness.sweep.run.provenance import refuse_without_plugins
from harness.sweep.spec import Sweep
from harness.sweep.table.table import Table
from harness.trials.audited.outcome import ERROR, Audited

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Spec = str | Path | Mapping[str, Any]
"""The path of a spec, the name of one in experiments/, or what one would say, with its `name` among the keys."""


@dataclass(frozen=True)
class Measured:
    """A stored table with the spec that it was made from: its rows and columns as data frames, and its verdicts."""

    stored: Stored

    @property
    def frame(self) -> pd.DataFrame:
        """The rows, one a trial and mechanism."""
        return self.stored.by_trial.frame()

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

    @property
    def broken(self) -> pd.DataFrame:
        """A row for each mechanism and cell in which it breaks its own bound, whatever the spec claims; see `BrokenBound`."""
        return pd.DataFrame(broken_bounds([self.stored]), columns=[*BrokenBound.__dataclass_fields__])

    def figure(self) -> "Figure":
        """What the spec's `figure` asks for, as matplotlib has it."""
        from harness.report import style
        from harness.report.figures import drawn, shown

        with style.used():
            return drawn(*shown(self.stored.table, self.stored.view))


@dataclass(frozen=True)
class Checked:
    """What a check of stored tables found. stored: the tables that are as their specs make them; of any other no more is said
    than where it is not, in recomputed, which has all. findings: by claim. compared: how fresh tables compare with the
    committed reference.

    notes: tables that lack trials, those that do not make true what their spec says was found, and those that are the committed
    ones, as there are no fresh ones.
    """

    stored: list[Stored]
    findings: list[Finding]
    compared: list[Comparison]
    recomputed: list[Recomputed]
    notes: list[str]

    @property
    def as_stored(self) -> dict[str, tuple[str, ...]]:
        """The columns of each kind of trial that nothing here computes again, so that they are as the table says."""
        return as_stored(table.recomputed for table in self.stored)

    @cached_property
    def broken(self) -> list[BrokenBound]:
        """Where a mechanism breaks its own bound, asked of every table whatever its spec claims."""
        return broken_bounds(self.stored)

    @property
    def unsound(self) -> bool:
        """Whether a table is not as its spec makes it, or a mechanism breaks its own bound where no claim expects that."""
        return any(each.departures for each in self.recomputed) or any(not each.expected_by for each in self.broken)

    @property
    def code(self) -> int:
        """The exit code of `harness check`.

        0 every claim as expected and every fresh table of the law of its reference; 1 a claim broke, or a mechanism its own
        bound where no claim expects that, or a table is of another law, for worse or better; 3 undecided, or only a part
        compared; 4 a fresh table that could be compared with nothing.
        Raises CannotRunError where a claim was not measured.
        """
        if self.unsound:
            return 1
        refuse_unmeasured(self.findings, self.stored)
        return exit_code(self.findings, self.compared, self.stored)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each decision."""
        return verdict_frame(self.findings)


def verdict_frame(findings: Sequence[Finding]) -> pd.DataFrame:
    """A frame with a row for each decision on claims, with the verdict that is expected of the claim.

    audited: the largest share of what its mechanism is said to spend that an audit has seen; null where none is stored.
    """
    rows = [
        verdict_json(place, verdict) | {"expected": finding.expected, "audited": share_of(verdict.mechanism or "")}
        for finding in findings
        for place, verdict in finding.verdicts
    ]
    return pd.DataFrame(rows, columns=["experiment", *Verdict.__dataclass_fields__, "slack", "spent_by", "audited", "expected"])


def sweep_of(spec: Spec, overrides: Mapping[str, str] | None = None) -> Sweep:
    """The sweep of a spec, read and validated. Raises InputError on anything that could not be run as written."""
    if isinstance(spec, Mapping):
        content = {key: value for key, value in spec.items() if key != "name"}
        path = Path(f"{spec.get('name', 'unnamed')}.yaml")
        return Sweep(path, overrides, yaml.safe_dump(content, sort_keys=False, allow_unicode=True))
    return Sweep(spec if isinstance(spec, Path) else spec_path(spec), overrides)


def run(
    spec: Spec,
    *,
    out: str | Location = RUNS,
    address: str | None = None,
    serial: bool = False,
    workers: int | None = None,
    patience: float | None = None,
    trials: int | None = None,
    fresh: bool = False,
    plugins: Sequence[str] = (),
    show: Console | None = None,
) -> Measured:
    """Run a sweep, or what is missing of it, and draw its figure: OUT/NAME.parquet and OUT/NAME.{png,pdf}.

    address: a Ray cluster to join; workers: of a local Ray of its own; serial: no Ray. By default what takes seconds runs in
    this process, and what takes longer on a local Ray. patience: seconds to wait for CPUs of a cluster; without, as long as
    others have them. fresh: start over. plugins: users' files. show: where progress is told.

    Raises InputError and CannotRunError.

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
    bring(plugins)
    sweep = sweep_of(spec, {} if trials is None else {"trials": str(trials)})
    refuse_kept(place(out))
    with engine_for(serial, address, workers, patience) as engine:
        ran = run_all([sweep], place(out), engine, elsewhere=address is not None, fresh=fresh, show=show)
    return Measured(ran[0])


def read(table: str | Path, out: str | Location = RUNS, *, plugins: Sequence[str] = ()) -> Measured:
    """A stored table, by its file or by the name of its experiment, fresh in `out` or else committed.

    plugins: users' files that it was made with; no table has any code loaded by itself. Raises InputError where there is none,
    where it is damaged, and where a plugin is needed that is not loaded.
    """
    bring(plugins)
    path = Path(table)
    if path.suffix == ".parquet":
        stored = Table.read(path)
        refuse_without_plugins(stored.provenance, path)
        sweep = Sweep(path.with_suffix(".yaml"), stored.provenance["set"], stored.provenance["spec"])
        return Measured(stored_in(path.parent, sweep))
    return Measured(gather([sweep_of(table)], place(out))[0])


def check(
    *specs: Spec,
    out: str | Location = RUNS,
    run_missing: bool = False,
    error: float = FAMILYWISE_ERROR,
    reference: bool = True,
    plugins: Sequence[str] = (),
    show: Console | None = None,
) -> Checked:
    """Judge stored tables, by default of every spec in experiments/, and compare fresh ones with their committed reference.

    run_missing: first run what has no whole table. error: the chance of any false verdict, and of any false change. reference:
    whether there should be one; without, only claims are judged. plugins: users' files.
    """
    bring(plugins)
    sweeps = [sweep_of(spec) for spec in specs] if specs else all_experiments()
    if not sweeps:
        raise CannotRunError("there is nothing to check: no specs in experiments/")
    distinct(sweep.path for sweep in sweeps)
    missing = [sweep for sweep in sweeps if run_missing and unfinished(sweep, place(out))]
    if missing:
        refuse_kept(place(out))
        with engine_for(False, None, None) as engine:
            run_all(missing, place(out), engine, show=show)
    gathered = gather(sweeps, place(out), changed=True)
    stored, refused = ([each for each in gathered if bool(each.recomputed.departures) is no] for no in (False, True))
    findings = judge([table.evidence for table in stored], error, None if specs else claims())
    silent = _claims_of(refused) - _claims_of(stored)
    findings = [each for each in findings if each.verdicts or each.claim.id not in silent]
    compared = guarded(stored, findings, place(out), error, bool(specs)) if reference else []
    alone = told_committed(stored, place(out)) if reference else ""
    notes = [*far(stored), *fallen(stored), *filter(None, [alone])]
    return Checked(stored, findings, compared, [each.recomputed for each in gathered], notes)


def _claims_of(tables: Sequence[Stored]) -> set[str]:
    """The claims that the specs of some tables list."""
    return {name for table in tables for name in table.sweep.spec.claims}


def audit(
    mechanism: str,
    *,
    seconds: float = 10.0,
    seed: int = 0,
    runs: int | None = None,
    error: float = ERROR,
    plugins: Sequence[str] = (),
    **settings: Any,
) -> Audited:
    """Run a mechanism on neighbours, and say how much ε it spends at least: `lower`, at `delta`, with `confidence`.

    Takes the settings of `harness audit`: m, T, n, eps, delta, beta, alpha, gamma, constants, labels. One half of the runs
    chooses a pair of neighbours and an event, the other half bounds ε. The verdict is `refuted` where the lower end is above
    what is said (`claimed`), which a mechanism that keeps to it meets with a chance of at most `error`. `not refuted` proves
    nothing.

    seconds: about how long, of one core. runs: how many on either data set, instead; with the same seed all is the same again.
    plugins: users' files. Raises InputError.

    >>> found = audit("gaussian", m=1, eps=2, delta=1e-3, runs=40_000)
    >>> found.verdict, found.lower < found.claimed
    ('not refuted', True)
    """
    bring(plugins)
    return audit_of(mechanism, settings, seed, runs, seconds, error)


__all__ = [
    "Advice",
    "AuditReport",
    "Audited",
    "Calculation",
    "CannotRunError",
    "Checked",
    "InputError",
    "Measured",
    "advise",
    "advise_classifier",
    "advise_release",
    "audit",
    "check",
    "crossovers",
    "plan",
    "plan_release",
    "plan_scores",
    "read",
    "run",
]
