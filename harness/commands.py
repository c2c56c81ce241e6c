"""What the larger commands do, with all that they load: a run, a check and the report."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Literal

import typer

from harness import api
from harness.claims.registry import claims
from harness.report import printed
from harness.report.console import console
from harness.report.cost import Forecast
from harness.report.defaults import FAMILYWISE_ERROR, RESULTS, RUNS
from harness.report.experiments import spec_files, spec_named
from harness.report.halves import Halves, halves
from harness.report.progress import heartbeat
from harness.report.recomputed import notices, told_stored
from harness.report.replay import commands
from harness.report.running import run_all
from harness.report.show import (
    check_json,
    foretold,
    offer_replays,
    refuse_unmeasured,
    show_broken,
    show_cells,
    show_comparisons,
    show_far,
    show_findings,
    show_privacy,
    summarise,
    uncompared,
    vouched,
)
from harness.report.standing import broken_bounds, broken_json, told_broken
from harness.report.stored import gather, refuse_kept
from harness.report.summary import append, markdown, refuse_other
from harness.report.verdicts import judge
from harness.sweep.engines import engine_for
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.names import distinct
from harness.sweep.files.object_store import Location
from harness.sweep.files.ownership import refuse_foreign
from harness.sweep.plugins import harness_command
from harness.sweep.run.shards import Shard
from harness.sweep.spec import Sweep


def run(
    specs: Sequence[Path],
    overrides: Mapping[str, str],
    out: Location,
    address: str | None,
    serial: bool,
    workers: int | None,
    patience: float | None,
    fresh: bool,
    dry_run: bool,
    batch_seconds: float | None,
    share: str | None,
    tables_only: bool,
) -> None:
    """Runs sweeps and judges them, or prints what they would cost. batch_seconds: None for what is usual.
    share: such as 3/8. tables_only: no figure is drawn.
    """
    refuse_kept(out)
    shard = Shard.parse(share) if share else None
    if shard and fresh:
        raise InputError("a share of a run does not start over; allowed: another --out, or --fresh without --shard", "--shard")
    paths = [spec_named(each) for each in specs]
    distinct(paths)
    with heartbeat(console, lambda: "reading the specs"):
        sweeps = [Sweep(path, overrides) for path in paths]
    for line in (line for sweep in sweeps for line in foretold(sweep)):
        console.print(line, style="bold yellow")
    with engine_for(serial, address, workers, patience) as engine:
        elsewhere = address is not None
        if dry_run:
            Forecast(console, engine, elsewhere).of(sweeps, out, fresh, alone=True, shard=shard)
            return
        options: Any = {"draw": not tables_only} | ({} if batch_seconds is None else {"batch_seconds": batch_seconds})
        stored = run_all(sweeps, out, engine, elsewhere=elsewhere, fresh=fresh, shard=shard, show=console, **options)
    if shard:
        console.print(f"shard {share} is done; once all {shard.of} are, the same command without --shard makes the table")
        return
    findings = judge([table.evidence for table in stored])
    if findings:
        show_cells(console, stored, findings)
        summarise(console, findings, FAMILYWISE_ERROR)
        offer_replays(console, findings, stored, out)
    else:
        show_privacy(console, stored)
    show_broken(console, broken_bounds(stored), stored)
    if not overrides:  # of other settings than the spec's there is no verdict but this
        read = [] if len(specs) > 1 and sorted(specs) == spec_files() else specs  # without names it is all of them
        named = [*read, *([] if out == RUNS else ["--out", out])]
        check, page = (harness_command([verb, *named]) for verb in ("check", "report"))
        what = "tables" if tables_only else "tables and figures"
        console.print(f"{what} are in {out}/; verdicts: {check}; as a page: {page}")


def check(
    specs: Sequence[Path],
    run_missing: bool,
    cells: bool,
    out: Location,
    error: float,
    reference: bool,
    form: Literal["text", "json", "latex"],
    summary: Path | None,
) -> None:
    """Judges stored tables and compares them with what is committed; ends with the exit code."""
    if summary is not None:
        refuse_other(summary)
    alone = form != "text"
    console.stderr = alone  # stdout is for the JSON, or the table, alone
    checked = api.check(
        *map(spec_named, specs), out=out, run_missing=run_missing, error=error, reference=reference, show=console
    )
    departing = notices(checked.recomputed)
    for line in departing:
        console.print(line, style="bold red")
    console.stderr = False
    stored, findings, compared = checked.stored, checked.findings, checked.compared
    notes = [*departing, *told_broken(checked.broken, stored), *checked.notes]
    whose = vouched(stored) if specs else []  # of all tables there are it is a page
    if summary is not None:
        append(summary, markdown(findings, compared, commands(findings, stored, out), error, [*notes, *whose]))
    if not checked.unsound:  # else that is what there is to say
        refuse_unmeasured(findings, stored)
    if form == "json":
        more = {"broken": broken_json(checked.broken), "as_stored": checked.as_stored}
        print(json.dumps(check_json(findings, compared, notes) | more, indent=2))
    elif form == "latex":
        console.data([printed.verdicts(findings, error, whose).latex().encode()])
    else:
        if specs or cells:
            show_cells(console, stored, findings)
        show_findings(console, findings)
        summarise(console, findings, error)
        offer_replays(console, findings, stored, out)
        show_broken(console, checked.broken, stored)
        if stored:
            console.print(told_stored(checked.as_stored), style="dim")
    console.stderr = alone
    for line in checked.notes:
        console.print(line, style="bold yellow")
    show_comparisons(console, compared, error)
    console.stderr = False
    if checked.code == 4:
        raise CannotRunError(uncompared(compared))
    raise typer.Exit(checked.code)


def report(specs: Sequence[Path], out: Location, html: Path | None, beside: ProcessPoolExecutor | None) -> None:
    """Writes one HTML file of all verdicts, claims, experiments and figures.

    beside: a process that reads some of the tables, or None.
    """
    from harness.report.html import write
    from harness.report.html.figures import Figures

    names, path = None if specs else list(claims()), _page(html, out)
    read = _asked(specs, out, beside)
    if not (stored := read.stored):
        raise CannotRunError(f"there is nothing to report: no tables in {out}/ or {RESULTS}/")
    if html is None:
        out.mkdir(parents=True, exist_ok=True)
    show_far(console, stored)
    figures = Figures(stored)
    findings = judge([table.evidence for table in stored], names=names, theory=read.verdicts)
    write(path, stored, figures, findings, commands(findings, stored, out), read.constants, FAMILYWISE_ERROR)
    console.print(f"{path}: {len(findings)} claims, {len(stored)} experiments, {path.stat().st_size / 1e6:.1f} MB")


def _asked(specs: Sequence[Path], out: Location, beside: ProcessPoolExecutor | None) -> Halves:
    """The experiments of some specs, or of all."""
    if not specs:
        return halves(out, list(claims()), beside)
    sweeps = [Sweep(spec_named(path)) for path in specs]
    distinct(sweep.path for sweep in sweeps)
    return Halves(gather(sweeps, out))


def _page(html: Path | None, out: Location) -> Location:
    """Where the page goes. No folder is made for it but that of fresh tables: a misunderstood option leaves nothing."""
    if html is not None and not html.parent.is_dir():
        raise InputError(f"there is no folder {html.parent}; allowed: a file in one that is there", "--html")
    path = html or out / "report.html"
    refuse_foreign(path, ".html")
    return path
