"""`harness verify`: rows made again are those of the table, a wrong one in the sample is named, and the chance to find one is
the hypergeometric law."""

import json
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.report.verify import SURE, Verified, share_of
from harness.sweep.errors import InputError
from harness.sweep.table.schema import tabulated
from harness.sweep.table.table import Table
from tests.support.doctored import settled

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

OPTIONS = ("--results", "results/runs", "--json")


def made(project: "Project", harness: "Harness", **changes: str | None) -> Path:
    spec = project.spec(**changes)
    assert harness("run", spec, "--serial").code == 0
    return spec


def entry(said: Any) -> dict[str, Any]:
    (found,) = json.loads(said.out)
    return dict(found)


@pytest.mark.at_once("counted")
@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize(
    "changes",
    [{}, {"trials": "40", "rows": "counted"}, {"omit": "[fresh_error]"}, {"trials": "{until: decided, max: 300}"}],
    ids=["each", "counted", "one left empty", "until decided"],
)
def test_all_rows_of_a_table_come_out_again(project: "Project", harness: "Harness", changes: dict[str, str]) -> None:
    made(project, harness, **changes)
    said = harness("verify", "small", "--sample", "100%", *OPTIONS)
    found = entry(said)
    assert said.code == 0 and found["rows"] == found["again"] == found["identical"] > 0 and not found["wrong"]
    assert found["least_found"] == 1 and found["found_if_1_percent"] == 1


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_wrong_row_in_the_sample_is_named_with_its_replay(project: "Project", harness: "Harness") -> None:
    made(project, harness)
    path = Path("results/runs/small.parquet")
    table = Table.read(path)
    rows = table.rows.to_pylist()
    rows[5] = settled(rows[5] | {"wrong": rows[5]["wrong"] + 1})
    Table(tabulated(rows, "answers"), table.provenance).write(path)
    said = harness("verify", "small", "--sample", "1", "--results", "results/runs")
    where = f"small/{rows[5]['cell']}/{rows[5]['trial']}/{rows[5]['mechanism']}"
    assert (
        said.code == 1
        and f"another wrong, misclassified, misclassification_rate comes out: harness replay {where}"
        in said.out.replace("\n", " ")
    )
    found = [entry(harness("verify", "small", "--sample", "50%", "--seed", str(seed), *OPTIONS)) for seed in range(12)]
    assert all(each["again"] == 16 for each in found)
    assert {len(each["wrong"]) for each in found} == {0, 1}  # found by half of the samples; by all or none: 2⁻¹¹


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_the_same_seed_takes_the_same_rows(project: "Project", harness: "Harness") -> None:
    made(project, harness)
    once, again, other = (
        harness("verify", "small", "--sample", "0.2", "--seed", seed, *OPTIONS).out for seed in ("7", "7", "8")
    )
    assert once == again and json.loads(other)[0]["seed"] == 8
    drawn = {entry(harness("verify", "small", *OPTIONS))["seed"] for _ in range(3)}
    assert len(drawn) > 1


@pytest.mark.parametrize(("rows", "again"), [(6, 1), (6, 3), (6, 6), (8, 2)])
def test_the_chance_to_find_wrong_rows_is_that_of_all_samples(rows: int, again: int) -> None:
    """By counting every sample, whichever rows are wrong."""
    found = Verified("small", rows, again, again, 0, ())
    samples = [set(each) for each in combinations(range(rows), again)]
    for wrong in range(rows + 1):
        hit = sum(bool(sample & {*range(wrong)}) for sample in samples)
        assert found.chance_seen(wrong) == pytest.approx(hit / len(samples))
    assert found.chance_seen(found.least) >= SURE > (found.chance_seen(found.least - 1) if found.least > 1 else 0)


@pytest.mark.parametrize(("said", "share"), [("1%", 0.01), ("0.5%", 0.005), ("100%", 1), ("0.25", 0.25), (".5", 0.5)])
def test_a_share_is_read(said: str, share: float) -> None:
    assert share_of(said) == pytest.approx(share)


@pytest.mark.parametrize("said", ["0", "0%", "101%", "1.5", "-1%", "one", "", "1e-3", "1 %%"])
def test_what_is_no_share_is_told(said: str) -> None:
    with pytest.raises(InputError, match="is no share of rows; allowed: above 0 and at most 1, such as 1% or "):
        share_of(said)


def test_where_there_is_no_table_nothing_is_verified(project: "Project", harness: "Harness") -> None:
    said = harness("verify")
    assert said.code == 4 and "there is nothing to verify: no tables in results/" in said.err
