"""Rows that stand for many trials: the table of single trials, with those that are alike as one."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from harness.claims.engine import Certain, Claim, Event, Limit
from harness.claims.engine.conditions import known
from harness.claims.registry import claims
from harness.mechanisms.answering import mechanisms
from harness.registry import parts
from harness.report.replay import Address, replayed
from harness.report.stored import Stored
from harness.report.two_sample import two_sample
from harness.sweep.errors import InputError
from harness.sweep.run.batches import Batches, Serial
from harness.sweep.run.store import Store
from harness.sweep.run.work import Batch, Result, tried
from harness.sweep.spec import Sweep
from harness.sweep.table.counted import HELD, counted, done
from harness.sweep.table.ranges import size
from harness.sweep.table.table import Table
from harness.trials import kinds
from harness.trials.cell import Cell

if TYPE_CHECKING:
    from tests.support.project import Project

KIND = kinds()["answers"]
FEW: dict[str, str | None] = {"m": "[3000, 20000]", "n": "1e11", "learner": "leftmost", "trials": "3000"}
FEW |= {"mechanisms": "[A_binClas, noisy_majority]", "figure": "{x: m}"}
WHOLE = next(name for name, claim in claims().items() if not claim.decider.counts)
DRAWN = [column.name for column in KIND.drawn if column.name != "fresh_error"]


class Stopping(Serial):
    """Ends after so many batches, as when it is interrupted."""

    def __init__(self, batches: int) -> None:
        self.batches = batches

    def run(self, batches: Batches) -> Iterator[Result]:
        for _, result in zip(range(self.batches), super().run(batches), strict=False):
            yield result
        raise KeyboardInterrupt


def of_rows(table: Table) -> Counter[tuple[Any, ...]]:
    """How many trials have what, by mechanism and cell."""
    frame = table.frame()
    times = frame["count"] if "count" in frame else np.ones(len(frame), int)
    found = Counter[tuple[Any, ...]]()
    for row, number in zip(frame[["cell", "mechanism", *DRAWN]].astype(str).itertuples(index=False), times, strict=True):
        found[tuple(row)] += int(number)
    return found


def test_counted_rows_are_those_of_single_trials(project: "Project") -> None:
    each = project.run(project.sweep("each", **FEW)).table
    many = project.run(project.sweep("many", **FEW, rows="counted")).table
    assert of_rows(each) == of_rows(many)
    assert many.rows.num_rows < each.rows.num_rows / 20
    firsts = {(row["cell"], row["mechanism"], row["trial"]) for row in many.rows.to_pylist()}
    assert firsts == {(row["cell"], row["mechanism"], row["trial"]) for row in counted(each.rows, KIND).to_pylist()}
    assert set(done(many.rows).values()) == {(range(3000),)}


@pytest.mark.at_once("thresholds-hard-1000000000-looks1", "halfspaces-hard-1000000000-looks1")
@pytest.mark.parametrize("looks", [(), (700, 1500)])
@pytest.mark.parametrize(
    ("concept", "distribution", "n"),
    [
        ("thresholds", "uniform", 10**9),
        ("thresholds", "hard", 10**9),
        ("intervals", "uniform", 10**10),
        ("cube_stumps", "hard", 10**9),
        ("halfspaces", "hard", 10**9),
    ],
)
def test_a_batch_counts_as_one_counts_its_rows(concept: str, distribution: str, n: int, looks: tuple[int, ...]) -> None:
    """Of all mechanisms in two thousand trials or more; how long they took differs."""
    cell = Cell.model_validate({"concept": concept, "distribution": distribution, "n": n, "m": 2000})
    names = tuple(name for name in mechanisms() if KIND.refuse(cell, name) is None)
    batch = Batch("answers", cell, names, range(5, 2 * max(cell.block, 1000) + 7), 3)
    single, few = tried(batch, "stamp"), tried(replace(batch, looks=looks), "stamp")
    assert not single.raised and len(names) > 3
    rows = counted(single.rows, KIND, looks)
    assert few.rows.drop(["seconds"]).equals(rows.drop(["seconds"]))
    assert done(few.rows) == done(rows)
    assert len(names) * (1 + len(looks)) < few.rows.num_rows < single.rows.num_rows / 2


@pytest.mark.law
def test_batches_and_interruptions_do_not_show(project: "Project") -> None:
    whole = project.run(project.sweep("whole", **FEW, rows="counted")).table
    for batches in (1, 3):
        with pytest.raises(KeyboardInterrupt):
            project.run(project.sweep(**FEW, rows="counted"), Stopping(batches), batch_seconds=0)
    ended = project.run(project.sweep(**FEW, rows="counted"), batch_seconds=0.001)
    assert ended.resumed > 0 and ended.ran < 6000
    assert ended.table.fingerprint == whole.fingerprint


@pytest.mark.law
@pytest.mark.parametrize(("few", "parts"), [(1000, 1), (0, 5)])
def test_there_are_more_parts_only_as_more_rows_differ(
    project: "Project", monkeypatch: pytest.MonkeyPatch, few: int, parts: int
) -> None:
    """And the same trials in them; some are on disk at any time."""
    monkeypatch.setattr(Store, "flush_seconds", -1.0)
    monkeypatch.setattr("harness.sweep.run.store.FEW_ROWS", few)
    sweep = project.sweep(**FEW, rows="counted")
    with pytest.raises(KeyboardInterrupt):
        project.run(sweep, Stopping(5), batch_seconds=0)
    store = project.store(sweep)
    assert len(store.parts()) == parts
    there = sum(map(size, done(store.finished().rows).values())) // len(sweep.spec.mechanisms)
    ended = project.run(sweep)
    assert there > 0 and there + ended.ran == 2 * 3000
    assert ended.table.fingerprint == project.run(project.sweep("whole", **FEW, rows="counted")).table.fingerprint


@pytest.mark.law
def test_more_trials_are_added_to_what_is_counted(project: "Project") -> None:
    project.run(project.sweep(**FEW | {"trials": "1500"}, rows="counted"))
    more = project.run(project.sweep(**FEW, rows="counted"))
    assert more.ran == 2 * 1500
    assert more.table.fingerprint == project.run(project.sweep("whole", **FEW, rows="counted")).table.fingerprint
    with pytest.raises(InputError, match="holds trials"):
        project.run(project.sweep(**FEW | {"trials": "1500"}, rows="counted"))


def test_rows_of_one_kind_are_not_added_to_those_of_the_other(project: "Project") -> None:
    project.run(project.sweep(**FEW))
    with pytest.raises(InputError, match="rows None, this run has counted"):
        project.run(project.sweep(**FEW, rows="counted"))


@pytest.mark.law
def test_a_claim_is_judged_alike(project: "Project") -> None:
    claim = claims()["BTT18:T3.2"]
    found = [project.run(project.sweep(f"t{rows}", **FEW, rows=rows)).table.frame() for rows in ("each", "counted")]
    each, many = ([claim.decide(question, 1e-3) for question in claim.questions(frame)] for frame in found)
    assert each == many and {verdict.trials for verdict in many} == {3000}


@pytest.mark.law
def test_trials_until_decided_are_as_many(project: "Project") -> None:
    few = FEW | {"trials": "{until: decided, max: 5000}", "beta": "0.004"}
    each, many = (project.run(project.sweep(f"t{rows}", **few, rows=rows)) for rows in ("each", "counted"))
    assert each.ran == many.ran and 2 * 256 < each.ran
    assert of_rows(each.table) == of_rows(many.table)


def test_a_row_is_replayed_by_its_first_trial(project: "Project") -> None:
    sweep = project.sweep(**FEW, rows="counted")
    table = project.run(sweep).table
    row = table.rows.to_pylist()[-1]
    address = Address("small", row["cell"], row["trial"], row["mechanism"])
    again = replayed(address, Stored(sweep, Path("results/runs/small.parquet"), table))
    assert again.stored and not again.differing


@pytest.mark.law
def test_rows_that_differ_in_what_is_left_empty_alone_are_one(project: "Project") -> None:
    """At n = 10⁹ a query is near the threshold in many trials, so that errors on a fresh one are of many values."""
    near = FEW | {"m": "3000", "n": "1e9", "rows": "counted"}
    sweep = project.sweep("few", **near, omit="[fresh_error]")
    whole, few = project.run(project.sweep("whole", **near)).table, project.run(sweep).table
    assert few.rows["fresh_error"].null_count == few.rows.num_rows < whole.rows.num_rows / 4
    assert of_rows(few) == of_rows(whole)
    with pytest.raises(InputError, match=r"omit None, this run has \['fresh_error'\]"):
        project.run(project.sweep("whole", **near, omit="[fresh_error]"))
    row = few.rows.to_pylist()[-1]
    address = Address("few", row["cell"], row["trial"], row["mechanism"])
    again = replayed(address, Stored(sweep, Path("results/runs/few.parquet"), few))
    assert again.stored and not again.differing


def test_a_table_whose_counts_are_not_its_trials_is_refused(project: "Project") -> None:
    table = project.run(project.sweep(**FEW, rows="counted")).table
    path = Path("results/runs/small.parquet")
    place = table.rows.column_names.index("count")
    counts = pa.array(table.rows["count"].to_numpy() + 1)
    Table(table.rows, table.provenance).write(path)
    wrong = Table(table.rows.set_column(place, table.rows.schema.field(place), counts), table.provenance)
    with pytest.raises(Exception, match="count is not that of the trials"):
        wrong.write(path)
    told = pq.read_metadata(path).metadata
    rows = pq.read_table(path)
    for held in (b"[]", b"{", b'[["a"]]', json.dumps([["a", "b", [[0, 9]]]]).encode()):
        pq.write_table(rows.replace_schema_metadata({**told, HELD: held}), path)
        with pytest.raises(InputError):
            Table.read(path)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"claims": f'["{WHOLE}"]'}, f"{WHOLE} is not decided by rows that are counted"),
        ({"figure": "{x: m, plot: reach}"}, "does not draw rows that are counted; allowed: "),
        ({"rows": "few"}, "allowed: 'each', 'counted'"),
        ({"omit": "[wrong]"}, "no column to omit 'wrong'; allowed: fresh_error"),
    ],
)
def test_what_looks_at_single_trials_is_refused(project: "Project", changes: dict[str, str], said: str) -> None:
    with pytest.raises(InputError) as error:
        project.sweep(**FEW | {"rows": "counted"} | changes)
    assert said in str(error.value) or "allowed: each, counted" in str(error.value)


TITLE = "what the figure's finding says"
READERS: list[tuple[str, dict[str, str]]] = [
    ("the figure", {"figure": "{x: m, y: fresh_error}"}),
    ("BTT18:C4.1", {"claims": '["BTT18:C4.1"]'}),
    ("of:known", {"claims": "['of:known']"}),
    ("of:reads", {"claims": "['BTT18:T3.2', 'of:reads']"}),
    (TITLE, {"figure": "{x: m, finding: {says: a, where: fresh_error > 0}}"}),
    (TITLE, {"figure": "{x: m, finding: {says: 'a {q}', numbers: {q: 'mean(m, known(fresh_error))'}}}"}),
    (TITLE, {"figure": "{x: m, finding: {says: a, holds: ['mean(fresh_error) > 0']}}"}),
    (TITLE, {"figure": "{x: m, finding: {says: 'a {fresh_error}'}}"}),
]


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claims of a user's that read fresh_error: one by a hypothesis, one by a limit that says so, one by one that does not."""
    of = Limit("off", 1, of=lambda rows: rows["fresh_error"])
    for name, where, limit in (
        ("known", (known("fresh_error"),), Limit("wrong", 1)),
        ("reads", (), replace(of, reads=("fresh_error",))),
        ("silent", (), of),
    ):
        made = Claim(f"of:{name}", "not in the papers: a", "a", Certain((limit,)), where, nature="ours")
        monkeypatch.setitem(cast("dict[str, Claim]", parts("claim")), made.id, made)


@pytest.mark.parametrize(("reader", "changes"), READERS)
@pytest.mark.usefixtures("readers")
def test_what_anything_in_a_spec_needs_is_not_left_empty(project: "Project", reader: str, changes: dict[str, str]) -> None:
    with pytest.raises(InputError) as error:
        project.sweep(**FEW | {"omit": "[eps_data_dependent, fresh_error]"} | changes)
    said = f"small.yaml:13: omit: {reader} needs fresh_error; allowed: eps_data_dependent"
    assert str(error.value).endswith(said), error.value


@pytest.mark.usefixtures("readers")
def test_a_claim_that_may_read_any_column_needs_all(project: "Project") -> None:
    silent = FEW | {"claims": "['of:silent']"}
    assert project.sweep(**silent).spec.claims
    with pytest.raises(InputError, match=r"small.yaml:\d+: claims: of:silent does not say which columns .*; allowed "):
        project.sweep(**silent, omit="[eps_data_dependent]")


def test_limits_read_the_columns_that_they_say() -> None:
    """Each is found of a row that has no others."""
    said = 0
    for claim in claims().values():
        for limit in claim.decider.limits if isinstance(claim.decider, Event) else ():
            assert limit.columns is not None, claim.id
            row = {name: "leftmost" if name == "learner" else 0.5 if name == "beta" else 2.0 for name in limit.columns}
            assert len(limit.values(pd.DataFrame([row]))) == 1
            said += limit.of is not None
    assert said > 20


def test_more_trials_than_a_table_may_have_rows_are_counted_or_refused(project: "Project") -> None:
    sweep = project.sweep(**FEW | {"trials": "1e9"}, rows="counted")
    assert isinstance(sweep, Sweep) and sweep.spec.trials == 10**9
    with pytest.raises(InputError, match="or count those that are alike by rows: counted"):
        project.sweep(**FEW | {"trials": "1e8"})


def test_two_samples_are_compared_by_how_often_values_are_there() -> None:
    rng = np.random.default_rng(1)
    fresh, reference = rng.poisson(1.0, 300), rng.poisson(1.6, 200)
    (new, often), (old, seldom) = (np.unique(each, return_counts=True) for each in (fresh, reference))
    whole = two_sample(fresh.astype(float), reference.astype(float))
    parts = two_sample(new.astype(float), old.astype(float), (often, seldom))
    assert whole[0] < 1e-3 and whole[0] == pytest.approx(parts[0]) and whole[1] == parts[1]
