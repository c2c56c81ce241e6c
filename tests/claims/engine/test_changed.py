"""Claims at changed constants: what is judged as another claim, what is not touched, and what is then expected."""

from typing import TYPE_CHECKING

import pandas as pd
import pytest

from harness.claims.engine.changed import as_printed, by_change, touching
from harness.claims.registry import claims
from harness.report.show import exit_code
from harness.report.verdicts import Evidence, judge
from harness.sweep.table.cells import Cells
from harness.theory.factors import PRINTED, ConstantValues

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

STABLE: dict[str, str | None] = {
    "concept": "ensemble",
    "distribution": "agreement",
    "learner": None,
    "n": "1e5",
    "T": "3",
    "m": "100",
    "beta": "0.25",
    "trials": "300",
    "mechanisms": "[A_binClas, noisy_majority]",
    "claims": '["BTT18:T3.2-k", "baselines:noisy_majority-k"]',
    "figure": "{plot: failures, x: T, y: stable_failed, panels: [constants]}",
}


@pytest.mark.parametrize(
    ("name", "mechanism", "change"),
    [
        ("BTT18", "A_binClas", ""),
        ("BTT18 with c_k = 10", "A_binClas", "c_k = 10"),
        ("BTT18 with c_k = 10", "majority", "c_k = 10"),
        ("BTT18 with c_k = 10", "noisy_majority", ""),
        ("BTT18 with c_k = 10", "single_learner", ""),
        ("BTT18 with c_majority = 3", "noisy_majority", "c_majority = 3"),
        ("BTT18 with c_majority = 3", "A_binClas", ""),
        ("BTT18 with c_k = 10", "A_OQR", ""),
        ("BTT18 with c_oqr = 10", "A_OQR", "c_oqr = 10"),
        ("BTT18 with c_k = 10", "A_Priv", "c_k = 10"),
        ("BTT18 with c_k = 10", "non_private", ""),
    ],
)
def test_a_change_touches_what_reads_the_constant(name: str, mechanism: str, change: str) -> None:
    assert str(touching(name, mechanism)) == change


def test_rows_are_seen_as_those_of_the_set_that_was_changed() -> None:
    frame = pd.DataFrame({"constants": ["BTT18", "BTT18 with c_k = 10"] * 2, "mechanism": ["A_binClas"] * 2 + ["gaussian"] * 2})
    parts = {str(change): part.frame for change, part in by_change(Cells(frame.assign(cell=["a", "b"] * 2)))}
    assert [len(parts[change]) for change in ("", "c_k = 10")] == [3, 1]
    assert set(pd.concat(parts.values())["constants"]) == {"BTT18"}
    assert as_printed(frame.iloc[1])["constants"] == "BTT18" and as_printed(frame.iloc[0]) is not None


def test_a_claim_with_a_change_is_the_same_event_with_nothing_expected() -> None:
    claim = claims()["BTT18:T3.2-k"]
    changed = claim.with_change(ConstantValues((("c_k", 10.0),)))
    assert changed.id == "BTT18:T3.2-k with c_k = 10" and changed.expected is None
    assert changed.decider is claim.decider and changed.where == claim.where
    assert claim.with_change(PRINTED) is claim


@pytest.mark.usefixtures("quick_figures")
def test_too_small_a_constant_is_refuted_and_a_larger_one_holds(project: "Project", harness: "Harness") -> None:
    """At c_k = 4 two thirds of the votes do not reach w. The printed claim keeps its rows; the baseline is not touched."""
    sets = "{from: BTT18, c_k: [4, 20, printed]}"
    said = harness("run", project.spec(**STABLE | {"constants": sets}), "--serial")
    assert said.code == 0
    for line in ("BTT18:T3.2-k with c_k = 4 ", "BTT18:T3.2-k with c_k = 20 ", "BTT18:T3.2-k  "):
        found = next(each for each in said.out.splitlines() if each.startswith(line))
        assert found.rstrip().endswith("refuted" if " 4 " in line else "holds")
    assert "baselines:noisy_majority-k is not touched by c_k = 4 or by c_k = 20" in said.out
    assert "BTT18:T3.2-k with c_k = 4 refuted: harness replay small/" in said.out
    command = said.out.split("BTT18:T3.2-k with c_k = 4 refuted: harness ")[1].splitlines()[0].split()
    replayed = harness(*command)
    assert replayed.code == 0 and "BTT18:T3.2-k with c_k = 4" in replayed.out
    checked = harness("check", "experiments/small.yaml")
    assert checked.code != 1 and "k with c_k = 4 is" not in checked.out  # nobody has said what to expect


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_an_option_asks_the_same_of_a_spec(project: "Project", harness: "Harness") -> None:
    said = harness("run", project.spec(**STABLE), "--serial", "--with", "c_k=4", "--with", "c_lam=8")
    assert "BTT18:T3.2-k with c_lam = 8, c_k = 4  " in said.out
    assert "untested" not in said.out and "made with" not in said.out
    again = harness("check", "experiments/small.yaml")
    assert again.code == 2 and "--with c_k=4 --with c_lam=8" in again.err


def test_a_question_that_is_undecided_ends_with_3_and_no_other() -> None:
    claim = claims()["BTT18:T3.2-k"]
    row = {"cell": "0", "mechanism": "A_binClas", "constants": "BTT18 with c_k = 10", "concept": "ensemble", "k_scale": 1.0}
    row |= {"distribution": "agreement", "distribution_parameters": '{"right": 0.6666666666666666}', "beta": 0.25}
    for failures, trials, outcome, code in ((2, 10, "undecided", 3), (10, 1000, "holds", 0), (900, 1000, "refuted", 0)):
        frame = pd.DataFrame([row | {"trial": i, "stable_failed": int(i < failures)} for i in range(trials)])
        (finding,) = judge([Evidence("e", "answers", Cells(frame), [claim.id])])
        assert (finding.claim.id, finding.outcome) == (f"{claim.id} with c_k = 10", outcome)
        assert finding.as_expected and exit_code([finding], []) == code


@pytest.mark.parametrize(("c_lam", "outcome"), [(64, "holds"), (8, "undecided"), (0.01, "refuted")])
def test_privacy_is_refuted_by_an_event_and_by_nothing_else(c_lam: float, outcome: str) -> None:
    """With a quarter of λ's 32 the accountant does not certify ε, and no event at hand shows more than ε."""
    from harness.trials.privacy import KIND, PrivacyCell

    cell = PrivacyCell(eps=1, m=100, T=10)
    rows = [each for name in ("printed", f"printed with c_lam = {c_lam:g}") for each in KIND.rows(cell, [name], 0, 0)]
    found = judge([Evidence("e", "privacy", Cells(pd.DataFrame(rows)), ["BTT18:T3.1"])])
    assert [(each.claim.id, each.outcome) for each in found] == [
        ("BTT18:T3.1", "holds"),
        (f"BTT18:T3.1 with c_lam = {c_lam:g}", outcome),
    ]
