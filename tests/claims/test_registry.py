"""Every claim is found by its id, in the file that its id names, and what theory alone decides comes out as expected."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness import claims as room
from harness.claims.engine import Certain, Claim, Limit, Probability, among, overall
from harness.claims.registry import claims
from harness.registry import PartError
from harness.report.show import foretold
from harness.report.verdicts import Evidence, judge
from harness.sweep.cells import Cells
from harness.sweep.work import needed
from harness.trials import kinds
from tests.support.guests import guest

if TYPE_CHECKING:
    from tests.support.project import Project

ROOM = Path(room.__file__).parent
HOMES = {
    name: path
    for path in ROOM.glob("*/*.py")
    for claim in getattr(sys.modules.get(f"harness.claims.{path.parent.name}.{path.stem}"), "CLAIMS", ())
    for name in [claim.id]
} if claims() else {}  # fmt: skip
every_claim = pytest.mark.parametrize("name", list(claims()))


def test_no_claim_is_lost() -> None:
    assert len(claims()) == len(HOMES) > 80
    assert set(HOMES) == set(claims())


@every_claim
def test_where_a_claim_lives_is_readable_from_its_id(name: str) -> None:
    """BTT18a:C4.1-labels is in btt18a/c4_1.py or in a file whose name goes on from there; what no paper has is in ours."""
    paper, _, place = name.partition(":")
    if place and not paper.islower():
        theorem = re.split("-", place)[0].lower().replace(".", "_")
        assert HOMES[name].parent.name == paper.lower()
        assert re.fullmatch(f"{theorem}(_[a-z]+)?", HOMES[name].stem)
    else:
        assert HOMES[name] == ROOM / "ours" / f"{paper}.py"


@every_claim
def test_a_claim_says_what_it_is(name: str) -> None:
    claim = claims()[name]
    paper = name.partition(":")[0]
    assert claim.source.startswith(("not in the papers: ", f"{paper} "))
    assert claim.statement.rstrip(")").endswith(".")
    assert claim.trials in ("", *kinds())
    assert all(condition.words and condition.columns for condition in claim.where)


@pytest.mark.parametrize("repaired", [name for name in claims() if name.endswith("-repaired")])
def test_a_repaired_claim_holds_beside_one_that_is_printed(repaired: str) -> None:
    assert claims()[repaired].expected == "holds"
    assert repaired.removesuffix("-repaired") in claims()


MADE_UP = ("hundredth", "third", "quarter", "thirds", "tenths", "eight", "ten", "whole", "growth", "averages", "spread")
"""How the ids of false variants end, which no text prints: shares of what suffices, other answers or instances."""


def test_what_is_refuted_says_why_and_names_what_holds_instead() -> None:
    """All but variants of our own, which are false to show that a true claim could have failed."""
    silent = {name for name, claim in claims().items() if claim.expected == "refuted" and not claim.why}
    others = {name for name in silent if name.rpartition("-")[2] not in MADE_UP}
    assert others == {"BCMNUW20:T10-spacing", "BCMNUW20:T13"}
    told = [claim for claim in claims().values() if claim.why]
    assert len(told) >= 30
    for claim in told:
        assert claims()[claim.repair].expected == "holds"
        assert len(re.findall(r"\.(?= |$)", claim.why)) == 2, claim.id
        assert not claim.source.startswith("not in the papers")
        assert not claim.statement.startswith("The same") and not claims()[claim.repair].statement.startswith("The same")


def test_a_repair_that_there_is_not_is_told_with_its_line() -> None:
    false = Claim("MINE:T1", "MINE Theorem 1", "All is well.", Certain((Limit("bottoms", 0),)), expected="refuted",
                  why="It is not. One sees it.", repair="BTT18:T32")  # fmt: skip
    with guest(CLAIMS=false), pytest.raises(PartError, match=r"repair of MINE:T1 is .BTT18:T32.; did you mean .BTT18:T3\.2."):
        claims()


@pytest.mark.parametrize("name", [name for name, claim in claims().items() if claim.kind == "exact" and not claim.trials])
def test_what_theory_alone_decides_comes_out_as_expected(name: str) -> None:
    verdicts = list(claims()[name].computed())
    assert overall(verdict.outcome for verdict in verdicts) == claims()[name].expected
    assert all(verdict.claim == name and verdict.where for verdict in verdicts)


def test_a_claim_of_a_users_file_is_judged_as_any_other(project: "Project") -> None:
    rate = Probability((Limit("misclassification_rate", 0.9),), may_fail=0.5)
    mine = tuple(
        Claim(f"MINE:{name}", "MINE Theorem 1", "The rate is at most nine tenths.", rate, (among("mechanism", name),))
        for name in ("A_binClas", "majority")
    )
    with guest(CLAIMS=mine):
        sweep = project.sweep(claims='["MINE:A_binClas", "MINE:majority"]', trials="100")
        frame = project.run(sweep).table.frame()
        findings = judge([Evidence(sweep.name, sweep.kind.name, Cells(frame), sweep.spec.claims)])
        assert foretold(sweep) == [f"small: MINE:majority will be untested: {findings[1].why}"]
    assert [(finding.claim, finding.outcome) for finding in findings] == [(mine[0], "holds"), (mine[1], "untested")]
    assert findings[1].why == "mechanism is A_binClas or noisy_majority and MINE Theorem 1 is about mechanism = majority"


def test_a_claim_about_trials_that_there_are_not_is_refused_by_its_name() -> None:
    strange = Claim("MINE:T1", "MINE Theorem 1", "It holds.", Certain((Limit("rate", 0.5),), trials="answer"))
    with guest(CLAIMS=strange), pytest.raises(PartError, match="MINE:T1 reads trials of kind 'answer'; did you mean 'answers'"):
        claims()


def test_nothing_that_makes_rows_knows_of_claims_or_reports() -> None:
    assert not [name for name in needed().modules if name.startswith(("harness.claims", "harness.report"))]
