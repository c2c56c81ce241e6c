"""Tables are written whole or not at all, and a file that is not what was written is named and refused."""

import errno
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from re import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pandas.testing import assert_frame_equal

from harness.report.stored import stored_in
from harness.report.verdicts import judge
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.run.run import in_order
from harness.sweep.spec import Sweep
from harness.sweep.table.rows import impossible
from harness.sweep.table.schema import schema, tabulated
from harness.sweep.table.table import KEY, Table
from harness.trials import kinds
from harness.trials.answers import KIND
from harness.trials.cell import Cell
from tests.support.project import SMALL

if TYPE_CHECKING:
    from tests.support.project import Project

PATH = Path("results/runs/small.parquet")
FLIPS = 800


@pytest.fixture(scope="module")
def made() -> list[Table]:
    """The table, once it was made."""
    return []


@pytest.fixture
def table(project: "Project", made: list[Table]) -> Table:
    """A small stored table, at PATH, with a vacuous cell, ⊥s and nulls in it."""
    sweep = project.sweep(trials="2", n="[4e5, 1e9]", m="50", figure="{x: n, panels: [learner]}")
    made[:] = made or [project.run(sweep).table]
    PATH.parent.mkdir(parents=True, exist_ok=True)
    made[0].write(PATH)
    return made[0]


def test_a_table_is_read_as_it_was_written(table: Table) -> None:
    again = Table.read(PATH)
    assert again.rows.equals(table.rows) and again.rows.schema == schema("answers")
    assert again.provenance == table.provenance
    assert again.fingerprint == table.fingerprint


def test_digests_are_of_values_however_they_are_encoded(table: Table) -> None:
    """Texts each one once as they come or backwards, with one that no row has, or each as often as rows have it."""
    for name in ("cell", "learner"):
        values = table.rows[name].to_pylist()
        texts = list(dict.fromkeys(values))
        for known, places in (
            (texts, map(texts.index, values)),
            (texts[::-1], map(texts[::-1].index, values)),
            ([*texts, "unused"], map(texts.index, values)),
            (values, range(len(values))),
        ):
            indices = pa.array(places, pa.int32())
            encoded = pa.DictionaryArray.from_arrays(indices, pa.array(known))
            again = Table(table.rows.set_column(table.rows.column_names.index(name), name, encoded), table.provenance)
            assert (again.digest, again.fingerprint) == (table.digest, table.fingerprint)


def test_the_frame_has_the_rows_with_integers_where_they_are_whole(table: Table) -> None:
    frame = table.frame()
    for name in table.rows.column_names:
        assert [None if pd.isna(value) else value for value in frame[name]] == table.rows[name].to_pylist()
    assert {str(frame[name].dtype) for name in ("halted_at", "max_mistakes")} == {"Int64"}
    view = table.cells.frame
    assert_frame_equal(view, frame.astype(view.dtypes))
    texts = {name for name in frame if view[name].dtype != frame[name].dtype}
    assert texts <= {name for name in frame if pa.types.is_string(table.rows.schema.field(name).type)}
    with pytest.raises(ValueError, match="read-only"):
        view["trial"].to_numpy()[0] = 7
    assert frame["vacuous"].any() and not frame["vacuous"].all() and frame["bound"].isna().equals(frame["vacuous"])


def test_the_fingerprint_is_blind_to_seconds_and_to_nothing_else(table: Table) -> None:
    def changed(column: str, value: Any) -> str:
        rows = table.rows.to_pylist()
        rows[3] = rows[3] | {column: value}
        return Table(tabulated(rows, "answers"), table.provenance).fingerprint

    assert changed("seconds", 99.0) == table.fingerprint
    others = {"cell": "ab", "trial": 17, "bound": 0.25, "vacuous": not table.rows["vacuous"][3].as_py(), "halted_at": 5}
    prints = {changed(column, value) for column, value in others.items()}
    assert len(prints | {table.fingerprint}) == len(others) + 1
    alpha = table.rows["alpha"][3].as_py()
    assert changed("alpha", float(np.nextafter(alpha, 1))) != table.fingerprint


@pytest.mark.law
def test_a_flipped_bit_is_noticed_or_harmless(table: Table) -> None:
    """Any single bit: the file is refused as damaged, or reads as exactly what was written. Nothing else is ever raised."""
    content, rng = PATH.read_bytes(), np.random.default_rng(20180503)
    places = np.sort(rng.choice(8 * len(content), FLIPS, replace=False)).tolist()
    places += range(8 * (len(content) - 20), 8 * len(content))  # how long the footer is, and the magic word
    refused = 0
    for place in places:
        damaged = bytearray(content)
        damaged[place // 8] ^= 1 << place % 8
        PATH.write_bytes(damaged)
        try:
            read = Table.read(PATH)
        except InputError:
            refused += 1
        else:
            assert read.rows.equals(table.rows) and read.provenance == table.provenance, f"bit {place} changed what is read"
    assert refused > len(places) / 2


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99, 0.9999])
def test_a_truncated_table_is_refused(table: Table, share: float) -> None:
    content = PATH.read_bytes()
    PATH.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(InputError, match=f"^{PATH}: damaged, or not a Parquet file: .+"):
        Table.read(PATH)


DAMAGED = "damaged: its rows or provenance are not those that were written"
OTHER_VERSION = "its columns are those of another version of the harness"


def sealed(table: Table, change: Callable[[dict[str, Any]], Any]) -> None:
    """Write the rows at PATH with other words in their seal."""
    seal = json.loads(pq.read_table(PATH).schema.metadata[KEY])
    pq.write_table(table.rows.replace_schema_metadata({KEY: json.dumps(change(seal)).encode()}), PATH)


def put(table: Table) -> None:
    """Have this at PATH, whatever it is."""
    PATH.write_bytes(table.content())


def folder(_: Table) -> None:
    PATH.unlink()
    PATH.mkdir()


STRANGERS: dict[str, tuple[Callable[[Table], Any], str]] = {
    "text": (lambda _: PATH.write_text("cell,trial\n1,2\n"), "damaged, or not a Parquet file: "),
    "empty": (lambda _: PATH.write_bytes(b""), "damaged, or not a Parquet file: "),
    "Parquet": (lambda _: pq.write_table(pa.table({"x": [1]}), PATH), "a Parquet file, but not a table of this harness"),
    "other provenance": (
        lambda t: sealed(t, lambda seal: seal | {"provenance": seal["provenance"] | {"commit": "0"}}),
        DAMAGED,
    ),
    "other digest": (lambda t: sealed(t, lambda seal: seal | {"digest": "0" * 64}), DAMAGED),
    "no digest": (lambda t: sealed(t, lambda seal: {"provenance": seal["provenance"]}), DAMAGED),
    "no provenance": (
        lambda t: sealed(t, lambda seal: {"digest": seal["digest"]}),
        "its provenance is not that of a run: kind",
    ),
    "no seal": (lambda t: sealed(t, lambda seal: "hello"), "damaged, or not a Parquet file: "),
    "no column": (lambda t: put(Table(t.rows.drop_columns(["wrong"]), t.provenance)), OTHER_VERSION),
    "other kind": (lambda t: put(Table(t.rows, t.provenance | {"kind": "guesses"})), OTHER_VERSION),
    "nothing": (lambda _: PATH.unlink(), "no such table"),
    "a folder": (folder, "cannot be read: Is a directory"),
}


@pytest.mark.parametrize(("have", "reason"), STRANGERS.values(), ids=STRANGERS)
def test_what_is_not_a_table_of_ours_is_named_and_refused(table: Table, have: Callable[[Table], Any], reason: str) -> None:
    have(table)
    with pytest.raises(InputError) as error:
        Table.read(PATH)
    message = str(error.value)
    assert message.startswith(f"{PATH}: {reason}") and "\n" not in message


@pytest.mark.parametrize("name", ["a=1", "with space", "[x]", "ünï"])
def test_the_folder_of_a_table_says_nothing_about_its_rows(table: Table, name: str) -> None:
    folder = Path(name)
    folder.mkdir()
    table.write(folder / "small.parquet")
    assert Table.read(folder / "small.parquet").rows.equals(table.rows)


CONTRADICTIONS = {
    "misclassified = wrong + bottoms + m − answered": {"wrong": 49},
    "misclassification_rate = misclassified / m": {"misclassification_rate": 0.123},
    "wrong + bottoms ≤ answered ≤ m": {"wrong": 51, "bottoms": 0, "misclassified": 51, "misclassification_rate": 51 / 50},
    "halted_at = answered where that is less than m, else null": {"halted_at": 5},
    "stable_failed ≤ misclassified, and ≤ m − unstable": {"stable_failed": 50},
    "max_mistakes ≤ m": {"max_mistakes": 51, "share_of_3B": 0.0, "unstable": 0},
    "share_of_3B = unstable / (3 max_mistakes), null where that is null or 0": {"share_of_3B": 0.987},
    "s = ⌊n/k⌋": {"s": 1},
    "vacuous just where bound is null": {"bound": None, "vacuous": False},
}
"""By the rule, what breaks it in a row of a trial with an answer to every query."""


@pytest.mark.parametrize(("rule", "change"), CONTRADICTIONS.items(), ids=CONTRADICTIONS)
def test_rows_that_contradict_themselves_are_neither_written_nor_read(table: Table, rule: str, change: dict[str, Any]) -> None:
    before, rows = PATH.read_bytes(), table.rows.to_pylist()
    place = next(i for i, row in enumerate(rows) if row["halted_at"] is None and not row["vacuous"])
    rows[place] |= change
    wrong = Table(tabulated(rows, "answers"), table.provenance)
    with pytest.raises(CannotRunError, match=rf"^{PATH} is not written, as its rows contradict themselves: {escape(rule)} is"):
        wrong.write(PATH)
    assert PATH.read_bytes() == before
    put(wrong)
    with pytest.raises(InputError, match=rf"^{PATH}: not the table of a run: {escape(rule)} is not so in a row$"):
        Table.read(PATH)


def test_every_rule_is_kept_by_what_the_trials_count() -> None:
    """Also where there are ⊥s, an early halt and wrong labels: rows as a trial gives them."""
    names = ["A_binClas", "noisy_majority", "majority", "single_learner"]
    cells = [
        Cell(m=200, n=4 * 10**7, distribution="hard"),
        Cell(m=200, n=10**9),
        Cell(m=100, T=3.0, concept="ensemble", distribution="split", learner="none"),
    ]
    rows = [row for cell in cells for trial in range(3) for row in KIND.rows(cell, names, 1, trial)]
    assert {row["halted_at"] is None for row in rows} == {bool(row["bottoms"]) for row in rows} == {True, False}
    assert impossible(tabulated(rows, "answers"), kinds()["answers"]) is None


def test_rows_come_in_the_order_of_the_spec_and_none_is_lost() -> None:
    text = "".join(f"{key}: {value}\n" for key, value in SMALL.items()) + "trials: 9\n"
    sweep = Sweep(Path("small.yaml"), {"trials": "9"}, text.replace("trials: 4\n", ""))
    rows = [row for cell in sweep.cells for trial in range(9) for row in sweep.kind.rows(cell, sweep.spec.mechanisms, 7, trial)]
    shuffled = tabulated([rows[i] for i in np.random.default_rng(1).permutation(len(rows))], "answers")
    places = [(row["cell"], row["trial"], row["mechanism"]) for row in in_order(sweep, shuffled).to_pylist()]
    assert places == [(row["cell"], row["trial"], row["mechanism"]) for row in rows]


def test_the_rows_of_a_cell_have_the_same_parameters(table: Table) -> None:
    rows = table.rows.to_pylist()
    rows[-1] |= {"beta": 0.06}
    with pytest.raises(CannotRunError, match="rows of one cell have different parameters"):
        Table(tabulated(rows, "answers"), table.provenance).write(PATH)


def full(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("where", ["write", "sync", "rename"])
def test_a_full_disk_leaves_the_old_table_and_no_scraps(table: Table, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    before, files = PATH.read_bytes(), set(PATH.parent.iterdir())
    with monkeypatch.context() as disk:
        if where == "write":
            disk.setattr("harness.sweep.table.table.write_groups", full)
        elif where == "sync":
            disk.setattr(os, "fsync", full)
        else:
            disk.setattr(os, "replace", full)
        with pytest.raises(CannotRunError, match=f"^{PATH} cannot be written: No space left on device; what was there is unt"):
            Table(table.rows.slice(0, 1), table.provenance).write(PATH)
    assert PATH.read_bytes() == before and set(PATH.parent.iterdir()) == files
    assert Table.read(PATH).rows.equals(table.rows)


def test_a_folder_that_is_not_there_is_an_error_of_one_line(table: Table) -> None:
    with pytest.raises(CannotRunError, match=r"^nowhere/small\.parquet cannot be written: No such file or directory"):
        table.write(Path("nowhere/small.parquet"))


def test_a_table_that_was_judged_goes_to_other_processes_as_it_was_read() -> None:
    """What claims have asked of its cells is kept beside them by parts of claims, which need not be anything that pickles."""
    root = Path(__file__).parents[2]
    stored = stored_in(root / "results", Sweep(root / "experiments/quickstart.yaml"))
    judge([stored.evidence])
    there = pickle.loads(pickle.dumps(stored.table))
    assert "cells" in vars(stored.table) and there.digest == stored.table.digest
