"""Long tables of rows that are all different: judged and drawn a cell at a time, as if they were held whole."""

from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from harness.claims.engine.sampled import Sampled
from harness.claims.registry import claims
from harness.report.defaults import EXPERIMENTS, RESULTS
from harness.report.figures import shown, values_of
from harness.report.figures.caption import Caption
from harness.report.pair import Pair
from harness.report.regression import Comparison, compare
from harness.report.settings import View
from harness.sweep.run.store import Store
from harness.sweep.spec import Sweep
from harness.sweep.table import parquet, pieces, row_reader
from harness.sweep.table.cells import Cells
from harness.sweep.table.long import Long, Part, Spread
from harness.sweep.table.table import Table
from harness.trials import kinds
from tests.sweep.test_store import Stopping

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

RELEASE: dict[str, str | None] = {
    "kind": "release",
    "alpha": "[0.1, 0.2]",
    "n": "1e8",
    "m": "300",
    "cover": "spacing",
    "distribution": "{name: atoms, total: 0.3, first: 0.05}",
    "mechanisms": "[A_PAP, gaussian_tree, public_averages]",
    "claims": '["BCMNUW20:L11-spacing", "probe:BCMNUW20:T10-spacing"]',
    **dict.fromkeys(("eps", "delta", "learner", "V")),
    "trials": "7",
}
FINDING = (
    "finding: {says: 'At {m} it errs {times}', where: \"mechanism != 'A_PAP'\", "
    "numbers: {times: \"most(mean(error, mechanism == 'gaussian_tree') / mean(error), by=cell)\", "
    "low: 'least(error, error > 0)'}, "
    "holds: ['low > 0', 'times > 0']}"
)
LEARNER: dict[str, str | None] = {
    "kind": "learner",
    "alpha": "[0.05, 0.02]",
    "learner": "leftmost",
    "constants": "[BTT18, BTT18a]",
    "mechanisms": "[A_Priv, A_Priv_pac]",
    "claims": '["BTT18:T4.2", "BTT18:T4.2-repaired", "BTT18:R3-error"]',
    **dict.fromkeys(("m", "n")),
    "trials": "8",
}
CHANGED: dict[str, str | None] = {
    "constants": "{from: BTT18, c_k: [20, printed]}",
    "claims": '["BTT18:T3.2", "BTT18:T3.2-k"]',
    "figure": "{plot: slack, x: m, y: misclassified, panels: [constants]}",
    "learner": "leftmost",
    "trials": "8",
}
SPECS = {
    "changed": CHANGED,
    "means": RELEASE | {"figure": f"{{x: alpha, y: error, {FINDING}}}"},
    "until": RELEASE | {"figure": "{x: alpha, y: error}", "trials": "{until: decided, max: 200}"},
    "slack": LEARNER | {"figure": "{plot: slack, x: alpha, y: error, by: constants}"},
    "public_learner": LEARNER | {"constants": "BTT18", "figure": "{plot: public_learner, x: alpha, y: error}"},
    "series": LEARNER | {"figure": "{plot: series, x: alpha, y: error, by: constants}"},
}


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """From when `setattr` of its MANY is 0 on, every table is long, and a piece a few rows."""
    monkeypatch.setattr(pieces, "PIECE", 7)
    monkeypatch.setattr(parquet, "PIECE", 8)
    monkeypatch.setattr(row_reader, "PIECE", 5)
    monkeypatch.setattr("harness.sweep.table.pieces.SIZE", 16)
    monkeypatch.setattr("harness.sweep.table.table.ROW_GROUP", 11)
    return monkeypatch


@pytest.mark.law
@pytest.mark.parametrize("name", SPECS)
def test_verdicts_findings_and_figures_are_the_same(
    project: "Project", harness: "Harness", far: pytest.MonkeyPatch, name: str
) -> None:
    spec = project.spec(**SPECS[name])
    commands = [
        ("check", spec, "--no-reference"),
        ("check", spec, "--no-reference", "--json"),
        ("table", "small"),
        ("table", "small", "--csv"),
        ("report", spec, "--html", "page.html"),
    ]
    assert harness("run", spec, "--serial").code == 0
    before = [harness(*words) for words in commands]
    assert before[-1].code == 0, before[-1]
    page = Path("page.html").read_text(encoding="utf-8")
    far.setattr("harness.sweep.run.store.MANY", 0)
    far.setattr(Spread, "frame", None)
    far.setattr(Part, "narrow", None)  # nor all rows of a cell
    far.setattr(Long, "whole", None)
    assert [harness(*words) for words in commands] == before
    assert Path("page.html").read_text(encoding="utf-8") == page


DRAWN = {
    "audit": "audit",
    "measured": "audited",
    "map": "lean_crossover",
    "free": "free_queries",
    "classifiers": "private_classifier",
    "least_error": "public_or_private",
    "public_points": "public_points_needed",
    "exponents": "rate_exponents",
    "stability": "sgd_stability_vs_n",
    "widths": "soft_label_width",
}
"""Plots of what trials drew, and an experiment with each."""


@pytest.mark.law
@pytest.mark.parametrize("plot", DRAWN)
def test_what_is_drawn_of_a_committed_table_is_the_same(monkeypatch: pytest.MonkeyPatch, plot: str) -> None:
    name = DRAWN[plot]
    store, view = Store(RESULTS, name, {}), View.of(Sweep(EXPERIMENTS / f"{name}.yaml"))
    held = store.seen(None, ())
    assert held and view.figure.plot == plot
    expected = values_of(*shown(held.table, view)), Caption.of(*shown(held.table, view)).text()
    monkeypatch.setattr("harness.sweep.run.store.MANY", 0)
    monkeypatch.setattr(Spread, "frame", None)
    seen = store.seen(None, ())
    assert seen and isinstance(seen.table, Long)
    told = shown(seen.table, view)
    assert len(told[0]) < len(held.table.rows) or plot in ("audit", "measured")
    assert (values_of(*told), Caption.of(*told).text()) == expected


@pytest.mark.law
def test_rates_at_several_cells_are_judged_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a committed table, of which no more than samples of columns is looked at."""
    name = "rate_exponents"
    store, names = Store(RESULTS, name, {}), Sweep(EXPERIMENTS / f"{name}.yaml").spec.claims
    held = store.seen(None, ())
    monkeypatch.setattr("harness.sweep.run.store.MANY", 0)
    for whole in (Spread, Part):
        monkeypatch.setattr(whole, "frame", None)
    far = store.seen(None, ())
    assert held and far and isinstance(far.table, Long)
    rates = [claim for claim in map(claims().__getitem__, names) if isinstance(claim.decider, Sampled)]
    assert rates
    for claim in rates:
        asked = [list(claim.questions(cells)) for cells in (held.table.cells, far.table.cells)]
        near, piecewise = ([claim.decide(question, 1e-3) for question in each] for each in asked)
        assert near and near == piecewise


@pytest.mark.law
@pytest.mark.parametrize("name", ["means", "until"])
def test_a_run_that_was_stopped_is_looked_at_and_taken_up_the_same(
    project: "Project", harness: "Harness", far: pytest.MonkeyPatch, name: str
) -> None:
    """Of a table and parts, of which some trials are in both; the table at the end is the same to the bit."""
    far.setattr(Store, "flush_seconds", -1.0)
    few, sweep = project.sweep(**SPECS[name] | {"trials": "3"}), project.sweep(**SPECS[name])
    project.run(few)
    with pytest.raises(KeyboardInterrupt):
        project.run(sweep, Stopping(4), batch_seconds=0)
    first = Table.read(Path("results/runs/small.parquet"))
    Table(first.rows.slice(2, 5), first.provenance).write(Path("results/runs/.small/000000099.parquet"))
    commands = [
        ("check", sweep.path, "--no-reference", "--json"),
        ("table", "small"),
        ("table", "small", "--csv"),
    ]
    before = [harness(*words) for words in commands]
    assert before[-1].code == 0, before[-1]
    with far.context() as now:
        now.setattr("harness.sweep.run.store.MANY", 0)
        now.setattr(Spread, "frame", None)
        now.setattr(Long, "whole", None)
        assert [harness(*words) for words in commands] == before
        outcome = project.run(sweep)
    whole = Table.read(Path("results/runs/small.parquet"))
    assert isinstance(outcome.table, Long) and outcome.table.digest == whole.digest
    assert whole.fingerprint == project.run(sweep, fresh=True).table.fingerprint


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_reference_is_replaced_by_the_same_rows(project: "Project", harness: "Harness", far: pytest.MonkeyPatch) -> None:
    """Also where the one before had a trial that is not there any more, which is told."""
    spec = project.spec(**SPECS["means"])
    said = []
    for threshold in (10**6, 0):
        far.setattr("harness.sweep.run.store.MANY", threshold)
        assert harness("run", spec, "--serial", "--fresh", "--trials", "9").code == 0
        assert harness("accept", spec, "--anyway").code == 0
        assert harness("run", spec, "--serial", "--fresh").code == 0
        with far.context() as now:
            for whole, name in ((Spread, "frame"), (Long, "whole"), (Table, "of")) if not threshold else ():
                now.setattr(whole, name, None)
            said.append(harness("accept", spec))
        fresh = Table.read(Path("results/runs/small.parquet"))
        assert fresh.fingerprint in said[-1].out and Table.read(Path("results/small.parquet")).digest == fresh.digest
    assert said[0] == said[1] and said[0].code == 0 and "that it has not" in said[0].out, said[0]


@pytest.mark.law
@pytest.mark.parametrize("part", [4, 11, 1000])
def test_rows_of_a_cell_are_those_of_the_table(project: "Project", far: pytest.MonkeyPatch, part: int) -> None:
    """Also where a group, of 11 rows here, is several parts. Each is decoded once in turn, unless a cell is in many."""
    sweep = project.sweep(**SPECS["means"])
    whole = project.run(sweep).table
    far.setattr("harness.sweep.run.store.MANY", 0)
    far.setattr(row_reader, "PART", part)
    decoded = Mock(wraps=row_reader._Part)
    far.setattr(row_reader, "_Part", decoded)
    seen = Store(Path("results/runs"), "small", {}).seen(None, ())
    assert seen and isinstance(seen.table, Long) and (seen.table.digest, seen.table.size) == (whole.digest, whole.size)
    for number in range(len(whole.cells.heads)):
        expected, found = whole.cells.rows(number).reset_index(drop=True), seen.table.cells.rows(number)
        pd.testing.assert_frame_equal(found.reset_index(drop=True), expected)
        for names in ([], ["error"], ["alpha", "error", "mechanism"], ["alpha"]):  # of which some are alike in all rows
            together = pd.concat([*seen.table.cells.pieces_of(number, names)], ignore_index=True)
            pd.testing.assert_frame_equal(together, expected[names] if names else expected)
    groups = [min(11, whole.rows.num_rows - start) for start in range(0, whole.rows.num_rows, 11)]
    assert part < 11 or decoded.call_count <= 2 * len(groups)  # once with all columns, and with those that differ
    assert seen.table.frame().equals(whole.frame()) and seen.table.rows.num_rows < whole.rows.num_rows


@pytest.mark.law
@pytest.mark.parametrize("same", [True, False])
def test_two_tables_are_compared_as_if_they_were_held(project: "Project", far: pytest.MonkeyPatch, same: bool) -> None:
    """Of others' seeds, one with a row changed, one with fewer trials of one mechanism, and one without another; and one whose
    rows are in another order. Of no place all rows are asked for.
    """
    tables = [project.run(project.sweep(**SPECS["means"] | {"seed": seed}), fresh=True).table for seed in ("7", "8")]
    first, other = tables
    mechanism, trial = (first.rows[name] for name in ("mechanism", "trial"))
    at = first.rows.schema.get_field_index("error")
    error = pc.if_else(pc.equal(trial, 5), pc.add(first.rows["error"], 1e-6), first.rows["error"])
    kept = pc.or_(pc.equal(mechanism, "A_PAP"), pc.and_(pc.equal(mechanism, "gaussian_tree"), pc.less(trial, 3)))
    changed = first.rows.set_column(at, first.rows.schema.field(at), error)
    expected = (
        (first.rows, True, False),
        (other.rows, False, False),
        (changed, False, False),
        (first.rows.filter(kept), True, True),
        (first.rows.take(pa.array(np.arange(first.rows.num_rows)[::-1])), True, False),
    )
    for rows, identical, part in expected:
        fresh = Table(rows.combine_chunks(), first.provenance)
        held = compared(Cells(fresh.frame()), Cells(first.frame()), same)
        with far.context() as now:
            now.setattr("harness.sweep.run.store.MANY", 0)
            spread, reference = read(fresh), read(first)
            for whole, name in ((Spread, "frame"), (Spread, "rows"), (Spread, "some"), (Long, "whole")):
                now.setattr(whole, name, None)
            assert compared(spread, reference, same) == held
        assert (held.identical, held.part) == (identical, part), held


def compared(fresh: Cells, reference: Cells, same: bool) -> Comparison:
    """A comparison of two tables of releases."""
    (found,) = compare([Pair("small", kinds()["release"], fresh, reference, same)], 1e-3)
    return found


def read(table: Table) -> Cells:
    """A table by its cells, as it is read from its file."""
    table.write(Path("results/runs/small.parquet"))
    seen = Store(Path("results/runs"), "small", {}).seen(None, ())
    assert seen and isinstance(seen.table, Long)
    return seen.table.cells
