"""`harness check` computes again what follows from a spec: exit code 1 where a table says another k, T, λ, w, bound or ε.

The rows are changed with all that follows from them, and the table is sealed again, so that no rule and no digest sees it.
"""

import json
from math import floor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.report.grids import value
from harness.report.recomputed import SHOWN
from harness.sweep.plugins import unload
from harness.sweep.table.table import Table
from tests.support.doctored import ONE, Row, doctor

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

SPEC, ALONE = "experiments/small.yaml", "--no-reference"
WIDER = ONE | {"m": "[20, 30]"}
FAULTS: dict[str, tuple[str, Any]] = {
    "k rounded down": ("k", lambda row: row["k"] - 1),
    "k of another beta": ("k", lambda row: floor(0.9 * row["k"])),
    "w without m": ("w", lambda row: 0.7 * row["w"]),
    "T moved": ("T", lambda row: row["T"] + 1),
    "half the noise": ("lam", lambda row: row["lam"] / 2),
    "a bound of another plan": ("bound", lambda row: 2 * row["bound"]),
    "no bound": ("bound", lambda row: None),
    "alpha in its last digits": ("alpha", lambda row: row["alpha"] * (1 + 1e-6)),
    "n of another cell": ("n", lambda row: row["n"] - 1),
    "another eps": ("eps", lambda row: 2 * row["eps"]),
    "constants that no claim of the spec is about": ("constants", lambda row: "BTT18a"),
    "another learner": ("learner", lambda row: "midpoint"),
    "twice the epsilon spent": ("spent", lambda row: 2 * row["spent"]),
}
pytestmark = pytest.mark.usefixtures("quick_figures")


@pytest.mark.at_once("k rounded down", "half the noise")
@pytest.mark.parametrize(("column", "change"), FAULTS.values(), ids=FAULTS)
def test_1_when_a_plan_in_the_table_is_not_that_of_the_spec(
    project: "Project", harness: "Harness", column: str, change: Any
) -> None:
    project.run(project.sweep(**WIDER))
    assert harness("check", SPEC, ALONE).code == 0
    before = project.rows().iloc[0][column]
    doctor(project, lambda row: row | {column: change(row)} if row["m"] == 20 else row)
    said = harness("check", SPEC, ALONE)
    told = [line for line in " ".join(said.out.split()).split("small/") if f": {column} is " in line]
    assert said.code == 1 and len(told) == 1
    assert told[0].startswith(f"{project.sweep(**WIDER).cells[0].identity[:8]}/*/A_binClas: {column} is ")
    assert f" in the table, and the spec comes to {value(before)} " in told[0]


def test_each_place_is_told_once_with_what_to_do(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**WIDER))
    doctor(project, lambda row: row | {"k": row["k"] - 1, "n": row["n"] - 7})
    said = " ".join(harness("check", SPEC, ALONE).out.split())
    assert said.count("in the table, and the spec comes to") == SHOWN
    assert f"and so in {2 * 3 - SHOWN} more columns of mechanisms and cells of small" in said  # k, n and s = ⌊n/k⌋
    assert "results/runs/small.parquet is not as any run of this program makes it; " in said
    assert f"; `harness run {SPEC} --fresh` makes it anew" in said


FALSIFIED = {
    "k one less": lambda row: row | {"k": row["k"] - 1},
    "tighter bounds": lambda row: row | {"bound": 0.99 * row["bound"]},
    "a tenth less w": lambda row: row | {"w": 0.9 * row["w"]},
}


@pytest.mark.at_once("k one less")
@pytest.mark.usefixtures("theory_untold")
@pytest.mark.parametrize("change", FALSIFIED.values(), ids=FALSIFIED)
def test_of_a_table_that_is_refused_nothing_else_is_said(project: "Project", harness: "Harness", change: Any) -> None:
    """Neither a verdict nor how it compares, alone or among others, whose verdicts stay."""
    project.run(project.sweep(**ONE | {"claims": '["BTT18:T3.2", "BTT18:T3.2-k"]'}))
    project.run(project.sweep("other", **ONE))
    for name in ("small", "other"):
        harness("accept", name)
    doctor(project, change)
    for words, others in ((("check", SPEC), 0), (("check",), 1)):
        said = harness(*words, "--json")
        told = json.loads(said.out)
        assert said.code == 1 and any("small.parquet is not as any run" in note for note in told["notes"])
        assert not any("small" in (verdict["experiment"] or "") for verdict in told["verdicts"])
        assert sum(verdict["experiment"] == "other" for verdict in told["verdicts"]) == others
        assert [each["experiment"] for each in told["compared"]] == ["other"] * others
        text, told_alone = harness(*words).out, "BTT18:T3.2-k "  # the claim that no other spec lists
        assert "small.parquet is not as any run" in " ".join(text.split())
        assert told_alone not in text and ("holds" in text) == bool(others)


def test_one_row_of_many_is_enough(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    doctor(project, lambda row: row | {"w": row["w"] / 2} if row["trial"] == 149 else row)
    assert harness("check", SPEC, ALONE).code == 1


def test_a_table_that_other_code_made_says_so(project: "Project", harness: "Harness") -> None:
    """By the same seed of other code: where that is no change of the plan, nothing is told."""
    project.run(project.sweep(**ONE))
    older(project)
    assert harness("check", SPEC, ALONE).code == 0
    doctor(project, lambda row: row | {"k": row["k"] - 1})
    said = harness("check", SPEC, ALONE)
    assert said.code == 1 and "results/runs/small.parquet was made with another code, numpy; `harness run" in said.out


def older(project: "Project") -> None:
    """Have the table say that other versions made it."""
    table = project.table()
    made = table.provenance["makes"] | {"code": "0" * 16, "numpy": "1.0"}
    Table(table.rows, table.provenance | {"makes": made}).write(Path("results/runs/small.parquet"))


def test_a_committed_table_is_told_with_how_it_is_replaced(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    harness("accept", "small")
    Path("results/runs/small.parquet").unlink()
    doctor(project, lambda row: row | {"T": row["T"] + 1}, out=Path("results"))
    said = " ".join(harness("check", SPEC, ALONE).out.split())
    assert f"results/small.parquet is not as any run of this program makes it; `harness run {SPEC} --fresh`," in said
    assert f"then `harness accept {SPEC}`, makes it anew" in said


def test_a_summary_and_json_do_not_hide_it(project: "Project", harness: "Harness") -> None:
    project.run(project.sweep(**ONE))
    doctor(project, lambda row: row | {"k": row["k"] - 1})
    said = harness("check", SPEC, ALONE, "--json", "--summary", "page.md")
    assert said.code == 1 and ": k is " in said.err and any(": k is " in each for each in json.loads(said.out)["notes"])
    assert "the spec comes to" in Path("page.md").read_text(encoding="utf-8")


MINE = '''
"""A mechanism of one's own: Gaussian noise."""

from harness.mechanisms.answering.gaussian import MECHANISM as GAUSSIAN


class Mine(type(GAUSSIAN)):
    name = key = "mine"
    legend = "mine"


MECHANISM = Mine()
'''


@pytest.mark.law
def test_a_table_of_a_plugin_elsewhere_is_looked_at_alike(project: "Project", harness: "Harness") -> None:
    Path("mine.py").write_text(MINE, encoding="utf-8")
    project.spec(**ONE | {"mechanisms": "[A_binClas, mine]"})
    words = ("--plugin", "mine.py")
    try:
        assert harness(*words, "run", SPEC, "--out", "there", "--serial").code == 0
        assert harness(*words, "check", SPEC, ALONE, "--out", "there").code == 0
        doctor(project, moved, out=Path("there"))
        said = harness(*words, "check", SPEC, ALONE, "--out", "there")
        assert said.code == 1 and "/*/mine: sigma is " in said.out
        assert f"`harness --plugin mine.py run {SPEC} --fresh --out there` makes it anew" in " ".join(said.out.split())
    finally:
        unload("mine")


def moved(row: Row) -> Row:
    return row | {"sigma": row["sigma"] / 2} if row["mechanism"] == "mine" else row


def test_what_cannot_be_computed_again_is_named(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the plan of a plugin's part raises."""
    sweep = project.sweep(**ONE)
    project.run(sweep)

    def raising(cell: object, name: str) -> Row:
        raise ZeroDivisionError("float division by zero")

    monkeypatch.setitem(vars(sweep.kind), "parameters", raising)  # it is frozen
    said = harness("check", SPEC, ALONE)
    cell = sweep.cells[0].identity
    what = f"A_binClas in cell {cell} cannot be computed again: ZeroDivisionError: float division by zero"
    assert (said.code, said.err) == (2, f"error: results/runs/small.parquet: {what}\n")
