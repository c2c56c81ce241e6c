"""The data dictionary, and tables for other programs. About ten seconds."""

import csv
import io
import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.report.console import Terminal
from harness.sweep.table import table as tables
from harness.sweep.table.schema import schema, tabulated
from harness.sweep.table.table import Table
from harness.trials import kinds
from tests.bad_input.mutations import NASTY

if TYPE_CHECKING:
    from tests.support.project import Harness, Project, Said

TABLE = kinds()["answers"].table
KEYS = ["kind", "name", "type", "role", "symbol", "unit", "null", "meaning"]


@pytest.fixture
def ran(project: "Project") -> Table:
    """The small sweep's table, fresh in results/runs."""
    return project.run(project.sweep()).table


def read_back(text: bytes) -> pa.Table:
    """CSV as a program reads it that knows the types: an empty cell is null, and an empty text is in quotes."""
    types = {field.name: field.type for field in schema("answers")}
    how = pa.csv.ConvertOptions(
        column_types=types, strings_can_be_null=True, quoted_strings_can_be_null=False, null_values=[""]
    )
    lines = pa.csv.ParseOptions(newlines_in_values=True)
    return pa.csv.read_csv(io.BytesIO(text), convert_options=how, parse_options=lines).cast(schema("answers"))


def test_the_dictionary_of_an_experiment_has_a_line_a_column(project: "Project", harness: "Harness") -> None:
    for name in (project.spec().stem, str(project.spec())):
        said = harness("columns", name)
        assert (said.code, said.err) == (0, "")
        title, head, *lines = said.out.rstrip().splitlines()
        assert title.strip() == "columns of trials of kind answers"
        assert head.split() == KEYS[1:]
        for line, column in zip(lines, TABLE.values(), strict=True):
            assert line.split()[:3] == [column.name, column.type, column.role]
            assert column.unit in line and column.symbol in line and line.rstrip().endswith(column.meaning)


@pytest.mark.law
def test_without_a_name_it_is_of_every_kind_of_trial_and_needs_no_experiment(project: "Project", harness: "Harness") -> None:
    said = harness("columns")
    assert (said.code, said.err) == (0, "")
    assert [line.split()[-1] for line in said.out.splitlines() if line.startswith("columns of")] == list(kinds())
    listed = json.loads(harness("columns", "--json").out)
    assert [(each["kind"], each["name"]) for each in listed] == [
        (name, key) for name, kind in kinds().items() for key in kind.table
    ]


def test_the_dictionary_as_json_is_a_list_of_flat_objects(project: "Project", harness: "Harness") -> None:
    project.spec()
    listed = json.loads(harness("columns", "small", "--json").out)
    assert [list(each) for each in listed] == [[*KEYS, "null_is"]] * len(TABLE)
    lam = next(each for each in listed if each["name"] == "lam")
    meaning = TABLE["lam"].meaning
    values = ["answers", "lam", "real", "plan", "λ", "votes", True, meaning]
    assert lam == dict(zip(KEYS, values, strict=True)) | {"null_is": None}
    null_is = {each["name"]: each["null_is"] for each in listed if each["null_is"]}
    assert null_is["share_of_3B"] == "best" and null_is["max_mistakes"] == "worst"  # no mistakes; and none are known
    shown = {line.split()[0]: line for line in harness("columns", "small").out.splitlines() if line}
    assert all(f" {told} " in shown[name] for name, told in null_is.items())


@pytest.mark.parametrize("command", ["columns", "table"])
def test_an_unknown_name_is_told_the_nearest(command: str, project: "Project", harness: "Harness") -> None:
    project.spec()
    said = harness(command, "smal")
    assert (said.code, said.out) == (2, "")
    assert said.err == "error: no experiment 'smal'; did you mean 'small'? allowed: small\n"
    assert harness(command, "../small").code == 2


def test_a_table_that_is_not_there_is_none(project: "Project", harness: "Harness") -> None:
    spec = project.spec()
    for words in (["table", "small"], ["table", "small", "--csv"]):
        said = harness(*words)
        assert (said.code, said.out) == (4, "")
        assert said.err == f"error: nothing was measured for {spec}; `harness check {spec} --run` runs what is missing\n"


def test_without_csv_it_says_what_the_table_is_and_shows_its_first_rows(ran: Table, harness: "Harness") -> None:
    said = harness("table", "small")
    assert (said.code, said.err) == (0, "")
    title, head, *lines = said.out.rstrip().splitlines()
    assert title.strip() == f"results/runs/small.parquet: 32 rows of trials of kind answers, fingerprint {ran.fingerprint}"
    assert head.split() == ["name", "row", "1", "row", "2", "row", "3", "unit", "meaning"]
    assert [line.split()[0] for line in lines if line[0] != " "] == list(TABLE)
    shown = {line.split()[0]: line.split()[1:4] for line in lines}
    assert shown["mechanism"] == ["A_binClas", "noisy_majority", "A_binClas"]
    assert shown["n"] == ["1,000,000,000"] * 3 and shown["vacuous"] == ["false"] * 3


def test_csv_reads_back_bit_for_bit(ran: Table, harness: "Harness") -> None:
    said = harness("table", "small", "--csv")
    assert (said.code, said.err) == (0, "")
    assert read_back(said.out.encode()).equals(ran.rows)
    heading, first, *_ = said.out.splitlines()
    assert heading == ",".join(f'"{name}"' for name in ran.rows.column_names)
    assert '"thresholds","{}","uniform","{""target"":0.5}","leftmost"' in first and ",false," in first and ",," in first


REALS = st.floats(width=64, allow_nan=False)
TEXTS = st.sampled_from(NASTY) | st.text(max_size=20) | st.just("")


@given(st.lists(st.tuples(REALS, st.none() | REALS, TEXTS, st.none() | st.integers(0, 2**62), st.booleans()), max_size=5))
def test_any_number_and_any_text_read_back_as_they_were(
    values: list[tuple[float, float | None, str, int | None, bool]],
) -> None:
    """In Python's own reader too, which knows no types: reals bit for bit."""
    columns = ("eps", "w", "learner", "halted_at", "vacuous")
    row = {
        name: {"text": "", "json": "{}", "whole": 1, "real": 0.5, "truth": True}[column.type] for name, column in TABLE.items()
    }
    rows = tabulated([row | dict(zip(columns, each, strict=True)) for each in values], "answers")
    content = b"".join(Table(rows, {}).csv())
    assert read_back(content).equals(rows)
    lines = list(csv.DictReader(io.StringIO(content.decode(), newline="")))
    for line, (real, other, text, whole, truth) in zip(lines, values, strict=True):
        assert struct.pack("d", float(line["eps"])) == struct.pack("d", real)
        assert line["w"] == "" if other is None else struct.pack("d", float(line["w"])) == struct.pack("d", other)
        assert line["learner"] == text
        assert line["halted_at"] == ("" if whole is None else str(whole)) and line["vacuous"] == str(truth).lower()


def test_a_table_of_any_size_is_made_a_piece_at_a_time(ran: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = b"".join(ran.csv())
    monkeypatch.setattr(tables, "PIECE", 5)
    pieces = list(ran.csv())
    assert [piece.count(b"\n") for piece in pieces] == [1, 5, 5, 5, 5, 5, 5, 2]
    assert b"".join(pieces) == whole


@pytest.mark.usefixtures("quick_figures")
def test_it_is_the_fresh_table_or_the_committed_one_as_it_was_run(project: "Project", harness: "Harness") -> None:
    """Also one that was made with other settings than the spec's."""
    spec = project.spec()
    assert harness("run", spec, "--serial", "--set", "n=2e9", "--out", "else where").code == 0
    assert harness("run", spec, "--serial").code == 0
    Path("results/runs/small.parquet").rename("results/small.parquet")

    def ns(said: "Said") -> set[str]:
        assert (said.code, said.err) == (0, "")
        return {line["n"] for line in csv.DictReader(io.StringIO(said.out))}

    assert ns(harness("table", "small", "--csv", "--out", "else where")) == {"2000000000"}
    assert ns(harness("table", "small", "--csv")) == {"1000000000"}
    assert "results/small.parquet: 32 rows" in harness("table", "small").out


@pytest.mark.law
def test_of_a_run_that_was_stopped_it_is_the_rows_that_are_there_in_their_order(
    project: "Project", harness: "Harness", ran: Table
) -> None:
    store = project.store(project.sweep())
    Path("results/runs/small.parquet").unlink()
    with store.locked():
        for start in (16, 0):
            store.add(ran.rows.slice(start, 8))
            store.flush()
    told = "small: stopped at 8 of 16 trials, or still running; shown is what is there\n"
    said = harness("table", "small", "--csv")
    assert (said.code, said.err) == (0, told)
    there = pa.concat_tables([ran.rows.slice(0, 8), ran.rows.slice(16, 8)])
    assert read_back(said.out.encode()).equals(there)
    said = harness("table", "small")
    assert (said.code, said.err) == (0, "") and said.out.startswith(told) and ": 16 rows of" in said.out


@pytest.mark.process
def test_a_program_that_has_read_enough_may_go(ran: Table, project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    rows = pa.concat_tables(
        [ran.rows.set_column(2, ran.rows.schema.field("trial"), pa.array(range(at, at + 32))) for at in range(0, 3200, 32)]
    )
    Table(rows, ran.provenance).write(Path("results/runs/small.parquet"))
    command = [sys.executable, "-m", "harness", "table", "small", "--csv"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline().startswith(b'"cell","mechanism"')
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_on_a_terminal_rows_are_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Elsewhere they are what they are."""
    terminal = Terminal()
    terminal.data([b'"\x1b[31m"\n', "ε\n".encode()])
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    terminal.data([b'"\x1b[31m"\n', "ε\n".encode()])
    assert capsys.readouterr().out == '"\x1b[31m"\nε\n"\\x1b[31m"\nε\n'
