"""All verdicts of a check share one error."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from harness.claims.engine import Verdict
from harness.claims.registry import claims
from harness.report.defaults import FAMILYWISE_ERROR
from harness.report.verdicts import Evidence, Finding, judge
from harness.sweep.table.cells import Cells

if TYPE_CHECKING:
    from tests.support.project import Project

T32, CERTAIN, COMPUTED = "BTT18:T3.2", "BTT18:L3.3", "BTT18:T3.2-rate"


def frame(project: "Project", name: str = "small", trials: int = 3, **changes: str | None) -> pd.DataFrame:
    return project.run(project.sweep(name, trials=str(trials), **changes)).table.frame()


def evidence(table: pd.DataFrame, names: Sequence[str] = (T32,), experiment: str = "small", kind: str = "answers") -> Evidence:
    return Evidence(experiment, kind, Cells(table), names)


def verdicts(findings: Sequence[Finding]) -> list[Verdict]:
    return [verdict for finding in findings for _, verdict in finding.verdicts]


def grown(table: pd.DataFrame, times: int) -> pd.DataFrame:
    """The same trials many times over, under indices of their own."""
    return pd.concat([table.assign(trial=table["trial"] + 1000 * copy) for copy in range(times)], ignore_index=True)


def test_the_error_is_split_evenly_over_all_cells_of_all_tables(project: "Project") -> None:
    one, two = frame(project), frame(project, "other", m="[20, 50, 80]", n="1e10")
    for tables, cells in (([one], 4), ([one, two], 10)):
        judged = judge([evidence(table, experiment=str(at)) for at, table in enumerate(tables)], 0.01)
        assert [verdict.error for verdict in verdicts(judged)] == [pytest.approx(0.01 / cells)] * cells
    assert sum(verdict.error for verdict in verdicts(judge([evidence(one), evidence(two)]))) == pytest.approx(FAMILYWISE_ERROR)


def test_what_is_vacuous_or_not_random_is_reported_and_takes_no_share(project: "Project") -> None:
    table = frame(project, n="[4e5, 1e11]", m="50", figure="{x: n, panels: [learner]}")
    judged = judge([evidence(table, [T32, COMPUTED])], 0.01)
    by_claim = {finding.claim.id: [verdict for _, verdict in finding.verdicts] for finding in judged}
    shares = {verdict.outcome: verdict.error for verdict in by_claim[T32]}
    assert sorted(verdict.outcome for verdict in by_claim[T32]) == ["undecided"] * 2 + ["vacuous"] * 2
    assert shares == {"undecided": pytest.approx(0.005), "vacuous": 0.0}
    assert by_claim[COMPUTED] and all(verdict.error == 0 and verdict.trials == 0 for verdict in by_claim[COMPUTED])


def test_a_claim_is_asked_only_of_tables_that_list_it_and_hold_its_kind_of_trial(project: "Project") -> None:
    table = frame(project)
    assert verdicts(judge([evidence(table, names=())])) == []
    (finding,) = judge([evidence(table), evidence(table, names=(), experiment="silent")])
    assert {place for place, _ in finding.verdicts} == {"small"}
    (finding,) = judge([evidence(table, kind="dice")])
    assert (finding.outcome, finding.verdicts, finding.decisive) == ("untested", [], None)


@pytest.mark.usefixtures("theory_untold")
def test_findings_come_in_the_order_of_the_registry_one_for_each_claim_asked_for(project: "Project") -> None:
    table = frame(project)
    assert [finding.claim.id for finding in judge([evidence(table)], names=claims())] == list(claims())
    known = [name for name in claims() if name in (COMPUTED, T32)]
    assert [finding.claim.id for finding in judge([evidence(table, [T32, COMPUTED])])] == known
    assert [finding.claim.id for finding in judge([evidence(table, [COMPUTED, T32])])] == known


@pytest.mark.at_once("0-1-undecided", "1-100-refuted", "0-100-holds")
@pytest.mark.parametrize(
    ("broken", "times", "outcome"), [(0, 1, "undecided"), (0, 100, "holds"), (1, 100, "refuted"), (1, 1, "undecided")]
)
def test_many_trials_settle_a_claim_and_few_do_not(project: "Project", broken: int, times: int, outcome: str) -> None:
    """In one of four cells every trial fails, or none does; 3 trials leave all open and 300 settle all."""
    table = grown(frame(project), times)
    if broken:
        cell = table["cell"].iloc[0]
        table.loc[table["cell"] == cell, "misclassification_rate"] = 1.0
    (finding,) = judge([evidence(table)])
    assert finding.outcome == outcome and finding.as_expected == (outcome == "holds")
    assert finding.challenged == (outcome == "refuted")
    assert finding.untried == (outcome == "holds") == (finding.label == "holds, untried")
    decisive = finding.decisive
    assert decisive is not None and decisive.outcome == outcome
    if outcome == "refuted":
        assert (decisive.cell, decisive.failures, decisive.failed_trial) == (table["cell"].iloc[0], 300, 0)
        assert decisive.lower is not None and decisive.claimed is not None and decisive.lower > decisive.claimed == 0.1


def test_the_decisive_verdict_is_the_one_with_the_least_slack() -> None:
    claim = claims()[T32]

    def verdict(outcome: str, measured: float, bound: float | None) -> tuple[str, Verdict]:
        return "x", Verdict(claim=T32, outcome=outcome, measured=measured, bound=bound)  # type: ignore[arg-type]

    finding = Finding(claim, [verdict("holds", 0.1, 0.4), verdict("holds", 0.3, 0.6), verdict("vacuous", 0.5, None)])
    assert finding.outcome == "holds" and finding.decisive == finding.verdicts[1][1]
    finding = Finding(claim, [verdict("holds", 0.1, 0.4), verdict("refuted", 0.9, 0.6)], spared=True)
    assert (finding.outcome, finding.decisive, finding.as_expected) == ("refuted", finding.verdicts[1][1], False)


def test_verdicts_of_theory_are_taken_where_they_are_given() -> None:
    (found,) = judge([], names=["BTT18a:L2.4"], theory=lambda _: {"BTT18a:L2.4": [Verdict("BTT18a:L2.4", "undecided")]})
    assert found.outcome == "undecided" != judge([], names=["BTT18a:L2.4"])[0].outcome
