"""Rows that stand for many trials: what is drawn and decided of them is what is of the trials one by one."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from harness.claims.engine import Capacity
from harness.claims.engine.exponents import points_along
from harness.claims.registry import claims
from harness.report.defaults import EXPERIMENTS, RESULTS
from harness.report.figures import shown, values_of
from harness.report.settings import View
from harness.sweep.run.store import Store
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import COUNT, counted, is_counted
from harness.sweep.table.long import Long, Spread
from harness.sweep.table.samples import Sample
from harness.sweep.table.table import Table
from harness.trials import kinds

PLOTS = {
    "beyond": "small_beta",
    "capacity": "queries_answered_vs_alpha",
    "exponents": "rate_exponents",
    "free": "free_queries",
    "map": "lean_crossover",
    "shares": "baselines_k",
    "slack": "answers_at_alpha",
}
"""Plots that weigh rows, and an experiment with each."""
SLOW = ("capacity", "map", "shares")


def both_ways(name: str) -> tuple[Table, Table]:
    """A committed table with a row for each trial, and with equal rows as one."""
    held = Store(RESULTS, name, {}).seen(None, ())
    assert held
    rows = held.table.rows
    if not is_counted(rows):
        return held.table, Table(counted(rows, kinds()[held.table.provenance["kind"]]), held.table.provenance)
    times = rows[COUNT.name].to_numpy()
    places = np.repeat(np.arange(rows.num_rows), times)
    single = rows.take(pa.array(places)).drop_columns([COUNT.name])
    trial = single.select(["cell", "mechanism"]).to_pandas().groupby(["cell", "mechanism"], observed=True).cumcount()
    alone = single.set_column(2, single.schema.field("trial"), pa.array(trial)).replace_schema_metadata()
    return Table(alone, held.table.provenance), held.table


@pytest.mark.at_once("free")
@pytest.mark.parametrize("plot", [pytest.param(plot, marks=pytest.mark.law if plot in SLOW else ()) for plot in PLOTS])
def test_a_plot_weighs_rows(plot: str) -> None:
    """To every digit that is told, with fewer rows."""
    view = View.of(Sweep(EXPERIMENTS / f"{PLOTS[plot]}.yaml"))
    single, many = both_ways(PLOTS[plot])
    assert view.figure.plot == plot and len(many.rows) < len(single.rows)
    seen, expected = (values_of(*shown(table, view)) for table in (many, single))
    assert seen.headings == expected.headings and sorted(map(tuple, seen.rows)) == sorted(map(tuple, expected.rows))


@pytest.mark.law
@pytest.mark.parametrize("plot", ["beyond", pytest.param("capacity", marks=pytest.mark.law)])
def test_a_plot_of_a_long_table_reads_a_cell_at_a_time(plot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the plots whose committed tables have equal rows as one."""
    view = View.of(Sweep(EXPERIMENTS / f"{PLOTS[plot]}.yaml"))
    single, _ = both_ways(PLOTS[plot])
    single.write(tmp_path / "single.parquet")
    monkeypatch.setattr("harness.sweep.run.store.MANY", 0)
    monkeypatch.setattr(Spread, "frame", None)
    seen = Store(tmp_path, "single", {}).seen(None, ())
    assert seen and isinstance(seen.table, Long)
    assert values_of(*shown(seen.table, view)) == values_of(*shown(single, view))


def test_a_sample_is_that_of_the_trials_one_by_one() -> None:
    rng = np.random.default_rng(5)
    values, times = rng.integers(0, 7, 400) / 1000, rng.integers(1, 90, 400)
    of = Sample([(values, times)])
    single = np.repeat(values, times)
    alone = Sample.single(single)
    assert of.trials == len(single) and of.total == alone.total and of.mean == alone.mean
    assert of.variance == pytest.approx(single.var(ddof=1), rel=1e-12)
    none = Sample([(values[:0], times[:0])])
    assert np.isnan(none.mean) and np.isnan(none.variance) and none.total == 0


@pytest.mark.law
def test_a_power_is_decided_by_weighed_rates() -> None:
    """Of the rates along an axis, and of how many queries are answered at a rate."""
    single, many = (table.frame() for table in both_ways("rate_exponents_composition"))
    line, counted_line = (rows[rows["mechanism"] == rows["mechanism"].iloc[0]] for rows in (single, many))
    expected = points_along(line, "m", 0.01)
    np.testing.assert_allclose(points_along(counted_line, "m", 0.01), expected, rtol=1e-12)
    decider = claims()["BTT18:AC-queries"].decider
    assert isinstance(decider, Capacity)
    mechanisms = (decider.mechanism, decider.baseline)
    verdicts = []
    for table in both_ways("baselines_vs_m"):
        rows = table.frame()
        rows = rows[rows["mechanism"].isin(mechanisms) & (rows["misclassified"].groupby(rows["cell"]).transform("max") > 0)]
        verdicts.append(decider.decide("BTT18:AC-queries", rows, 0.01))
    assert verdicts[0].outcome == verdicts[1].outcome and verdicts[0].trials == verdicts[1].trials
    assert verdicts[0].where == verdicts[1].where
