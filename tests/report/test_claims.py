"""One claim is a screen: its hypotheses, its verdict and the decisions that make it; every one where that is asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.report.papers import written

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

CUTOFF = "BTT18:A2-cutoff-repaired"
T32 = "BTT18:T3.2"


@pytest.mark.usefixtures("quick_figures", "theory_untold")
def test_a_claim_shows_its_worst_cases_and_every_one_if_asked(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.report.one_claim.SCREEN", 3)
    changes = {"claims": f'["{CUTOFF}"]', "mechanisms": "[A_binClas]", "learner": "leftmost", "m": "[20, 30, 40, 50]"}
    assert harness("run", project.spec(**changes, figure="{x: m}"), "--serial").code == 0
    few, all_of_them = harness("claims", CUTOFF).out, harness("claims", CUTOFF, "--all").out
    assert few.count(f"\n{CUTOFF}  ") == 3 and "and 1 others" in few
    assert all_of_them.count(f"\n{CUTOFF}  ") == 4 and "others" not in all_of_them
    assert "where: mechanism = A_binClas or A_subSamp" in few


@pytest.mark.usefixtures("quick_figures", "theory_untold")
def test_claims_are_judged_on_the_tables_of_ones_own_specs(project: "Project", harness: "Harness") -> None:
    Path("mine").mkdir()
    Path("mine/rate.yaml").write_text(project.spec().read_text(), encoding="utf-8")
    assert harness("run", "mine/rate.yaml", "--serial", "--out", "mine").code == 0
    said = harness("claims", "mine/rate.yaml", "--out", "mine")
    assert said.code == 0 and said.out.count(f"\n{T32}  ") == 1 and CUTOFF not in said.out
    one = harness("claims", T32, "mine/rate.yaml", "--out", "mine")
    assert one.code == 0 and "(mine/rate.parquet)" in one.out and one.out.count(f"\n{T32}  ") == 4
    assert "verdict: undecided, should hold" in one.out and one.out.count("undecided: about ") == 4
    assert "untested (no experiment asks for it)" in harness("claims", CUTOFF, "mine/rate.yaml", "--out", "mine").out
    two = harness("claims", CUTOFF, T32, "mine/rate.yaml")
    assert (two.code, two.err) == (2, f"error: claims: 2 claims: {CUTOFF}, {T32}; allowed: one, and spec files (.yaml)\n")
    replayed = harness("replay", f"mine/rate.yaml/{project.rows('rate', Path('mine'))['cell'][0]}/0/A_binClas", "--out", "mine")
    assert replayed.code == 0 and "identical to mine/rate.parquet" in replayed.out


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures", "theory_untold")
def test_one_claim_is_judged_on_the_tables_of_its_theorem_alone(project: "Project", harness: "Harness") -> None:
    """Of the other specs not even the cells are looked at: this one could not be run any more."""
    project.run(project.sweep("own", trials="3"))
    project.run(project.sweep("other", trials="3", claims=f'["{CUTOFF}"]'))
    path = project.spec("other", claims=f'["{CUTOFF}"]', mechanisms="[no_such]")
    said = harness("claims", T32)
    assert said.code == 0 and "(results/runs/own.parquet)" in said.out and "other.parquet" not in said.out
    for whole in (("claims", CUTOFF), ("claims",)):
        asked = harness(*whole)
        assert asked.code == 2 and asked.err.startswith(f"error: {path}:") and "no_such" in asked.err, asked


def test_who_wrote_a_paper_is_told_of_those_that_are_here_and_of_no_user_s() -> None:
    assert written("BTT18").startswith("Bassily, Thakkar, Thakurta")
    assert written("SEC") == written("my paper") == ""
