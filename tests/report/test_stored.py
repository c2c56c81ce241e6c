"""Fresh tables beside the committed reference, and what `harness check` makes of the two. About two seconds."""

import json
import re
from collections import Counter
from math import comb
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Any

import pytest

from harness.report.defaults import RESULTS
from harness.report.guard import committed
from harness.report.stored import gather
from harness.sweep.files import content, reading
from harness.sweep.table.schema import tabulated
from harness.sweep.table.table import Table
from tests.support.doctored import settled

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

# Every vote is split, so every trial has ⌊T⌋ + 1 ⊥s: two claims that five trials decide.
CUTOFF = {
    "concept": "ensemble",
    "distribution": "split",
    "learner": None,
    "n": None,
    "m": "100",
    "T": "[1, 3.5]",
    "trials": "20",
    "mechanisms": "[A_binClas]",
    "claims": '["BTT18:A2-cutoff", "BTT18:A2-cutoff-repaired"]',
    "figure": "{x: T, y: bottoms}",
}
REFERENCE = RESULTS / "small.parquet"


@pytest.fixture
def reference(project: "Project") -> Table:
    """An experiment with a fresh table, and the same as the committed reference."""
    outcome = project.run(project.sweep(**CUTOFF))
    copyfile("results/runs/small.parquet", REFERENCE)
    return outcome.table


def rewrite(table: Table, path: Path, keep: int = 10**6, code: str | None = None, **columns: Any) -> None:
    """Store the first rows of a table with columns changed: a value for all rows, or a function of the old one.

    What follows from these is changed with them.
    """
    rows = [
        settled(row | {name: value(row[name]) if callable(value) else value for name, value in columns.items()})
        for row in table.rows.to_pylist()[:keep]
    ]
    makes = table.provenance["makes"] | ({} if code is None else {"code": code})
    Table(tabulated(rows, "answers"), table.provenance | {"makes": makes}).write(path)


@pytest.mark.at_once("check experiments/small.yaml")
@pytest.mark.usefixtures("reference", "quick_figures", "theory_untold")
@pytest.mark.parametrize(
    "command", ["check experiments/small.yaml", "figures small", "table small --csv", "claims BTT18:A2-cutoff"]
)
def test_a_table_is_opened_once_on_its_way_through_a_command(
    command: str, harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is its spec where only a claim is asked for, which chooses among all specs."""
    opened = Counter[str]()
    of_path = reading.regular_descriptor

    def counted(path: Path, *more: Any) -> int:
        opened[path.name] += 1
        return of_path(path, *more)

    for module in (reading, content):
        monkeypatch.setattr(module, "regular_descriptor", counted)
    assert harness(*command.split()).code in (0, 1)
    assert opened["small.parquet"] == (2 if command.startswith("check") else 1)  # the fresh one and the reference
    assert opened["small.yaml"] == 1


def test_a_fresh_table_as_good_as_the_reference_passes(reference: Table, harness: "Harness") -> None:
    said = harness("check", "experiments/small.yaml")
    assert said.code == 0, said.err
    assert re.search(r"^small +40 +0 +identical$", said.out, re.MULTILINE)


def test_a_committed_table_is_its_own_reference_and_compared_with_nothing(
    reference: Table, project: "Project", harness: "Harness"
) -> None:
    runs, sweep = Path("results/runs"), project.sweep(**CUTOFF)
    assert [committed(each) for folder in (runs, Path("nowhere"), RESULTS) for each in gather([sweep], folder)] == [0, 1, 1]
    Path("results/runs/small.parquet").unlink()
    said = harness("check", "experiments/small.yaml")
    assert said.code == 0 and "no fresh table in results/runs/ of small: judged on the committed one" in said.out
    for out in ("nowhere", "results"):
        said = harness("check", "experiments/small.yaml", "--out", out)
        assert said.code == 4 and re.search(r"^small +0 +0 +compared nothing$", said.out, re.MULTILINE)


def test_one_changed_number_breaks_the_reference_where_the_versions_are_the_same(reference: Table, harness: "Harness") -> None:
    cell = reference.rows["cell"][0].as_py()
    rewrite(reference, REFERENCE, halted_at=lambda answered: answered + (answered == 2))
    said = harness("check", "experiments/small.yaml")
    assert said.code == 1
    expected = f"broken in small/{cell[:8]}/0/A_binClas: answered 2, reference 3 though all that makes rows is the same"
    assert expected in said.out


@pytest.mark.at_once("worse")
@pytest.mark.parametrize(
    ("wrong", "code", "says"),
    [(5, 1, "changed for the better"), (0, 0, "identical"), (None, 1, "changed for the worse")],
    ids=["better", "same", "worse"],
)
def test_other_versions_may_be_neither_better_nor_worse(
    wrong: int | None, code: int, says: str, reference: Table, harness: "Harness"
) -> None:
    if wrong is None:  # what was right is now wrong: the reference keeps its zeros
        rewrite(reference, Path("results/runs/small.parquet"), wrong=5)
        rewrite(reference, REFERENCE, code="another")
    else:
        rewrite(reference, REFERENCE, code="another", wrong=wrong)
    said = harness("check", "experiments/small.yaml")
    assert said.code == code, said.err
    assert says in said.out
    cells = dict.fromkeys(reference.rows["cell"].to_pylist())
    for cell in cells:
        assert (f"{says} in small/{cell[:8]}/*/A_binClas: mean wrong" in said.out) == (says != "identical")
    assert ("where that is meant, `harness accept small`" in said.out) == (says != "identical")


@pytest.mark.law
def test_the_error_of_the_check_is_that_of_its_tests(reference: Table, harness: "Harness") -> None:
    """20 zeros against 20 fives have p = 2/C(40, 20)."""
    rewrite(reference, REFERENCE, code="another", wrong=5)
    (tests,) = re.findall(r"^(\d+) two-sample tests?", harness("check", "experiments/small.yaml").out, re.MULTILINE)
    needed = int(tests) * 2 / comb(40, 20)
    assert "changed for the better in" in harness("check", "experiments/small.yaml", "--error", str(1.01 * needed)).out
    said = harness("check", "experiments/small.yaml", "--error", str(0.99 * needed))
    assert said.code == 4
    assert "too few trials for any change to show in 2 of 2 places: 20 against 20" in said.err


@pytest.mark.at_once("k")
@pytest.mark.parametrize("column", ["T", "lam", "w", "k"])
def test_other_versions_may_not_compute_anything_else(column: str, reference: Table, harness: "Harness") -> None:
    """Whichever way it goes: with T = 6B for 3B every run would keep to it."""
    for factor in (2, 0.5):
        changed: dict[str, Any] = {column: lambda value, factor=factor: type(value)(factor * value)}
        rewrite(reference, REFERENCE, code="another", **changed)
        said = harness("check", "experiments/small.yaml")
        assert said.code == 1
        assert said.out.count(f"changed in small/{reference.rows['cell'][0].as_py()[:8]}/*/A_binClas: {column} ") == 1


@pytest.mark.at_once("fresh")
@pytest.mark.parametrize("of", ["fresh", "reference"])
def test_a_missing_trial_is_told(of: str, reference: Table, harness: "Harness") -> None:
    rewrite(reference, REFERENCE if of == "reference" else Path("results/runs/small.parquet"), keep=39)
    said = harness("check", "experiments/small.yaml")
    lacks = {"fresh": "fewer trials than the reference: 19 of 20 of ", "reference": "the reference has 39 of 40 trials that "}
    assert said.code == 3 and f"small: {lacks[of]}" in said.out
    to_do = {"fresh": "`harness run experiments/small.yaml`", "reference": "`harness accept small`"}
    assert to_do[of] in said.out


@pytest.mark.law
def test_a_reference_that_is_not_covered_fails_the_check(reference: Table, harness: "Harness") -> None:
    gone = reference.rows["cell"][0].as_py()
    rewrite(reference, REFERENCE, cell=lambda cell: "f" * 16 if cell == gone else cell)
    said = harness("check", "experiments/small.yaml")
    assert said.code == 3
    assert "small: fewer cells than the reference: 1 of 2, without such as ffffffff" in said.out
    rewrite(reference, REFERENCE, cell=lambda cell: cell[::-1])
    said = harness("check", "experiments/small.yaml")
    assert said.code == 4
    assert "no row of the reference" in said.err


def test_a_broken_claim_comes_before_a_comparison_of_nothing(reference: Table, harness: "Harness") -> None:
    rewrite(reference, REFERENCE, cell=lambda cell: cell[::-1])
    rewrite(reference, Path("results/runs/small.parquet"), bottoms=0)
    assert harness("check", "experiments/small.yaml").code == 1


def test_json_is_alone_on_stdout(reference: Table, harness: "Harness") -> None:
    rewrite(reference, REFERENCE, halted_at=5)
    said = harness("check", "experiments/small.yaml", "--json")
    assert said.code == 1
    assert {verdict["claim"] for verdict in json.loads(said.out)["verdicts"]} == {"BTT18:A2-cutoff", "BTT18:A2-cutoff-repaired"}
    assert "broken in small/" in said.err
