"""The errata are made of the registry: a printed statement, why it does not hold, the number, and what holds instead."""

from typing import TYPE_CHECKING

import pytest

from harness.claims.engine import Outcome, Verdict
from harness.claims.registry import claims
from harness.report.errata import errata, markdown
from harness.report.verdicts import Finding

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

PRINTED = "BTT18:T3.1-dist"


def finding(id: str, outcome: Outcome, measured: float | None = None, bound: float | None = None) -> Finding:
    return Finding(claims()[id], [(None, Verdict(id, outcome, where="ε = 1", measured=measured, bound=bound))])


def test_an_erratum_has_the_number_the_command_and_the_verdict_of_its_repair() -> None:
    judged = [finding(PRINTED, "refuted", measured=0.375, bound=0.25), finding(f"{PRINTED}-repaired", "undecided")]
    (found,) = errata(judged, [], {})
    assert (found.number, found.command) == ("ε = 1: 0.375, where the statement allows 0.25", f"harness claims {PRINTED}")
    said = markdown([found])
    assert said.count("\n## BTT18\n") == said.count("\n### BTT18 Theorem 3.1, proof; Algorithm 2 line 6\n") == 1
    for line in ("(`BTT18:T3.1-dist`: refuted)", "(`BTT18:T3.1-dist-repaired`: undecided)", claims()[PRINTED].why):
        assert line in said
    (found,) = errata(judged, [], {PRINTED: "harness replay x/y/0/z"})
    assert found.command == "harness replay x/y/0/z"


def test_what_holds_as_printed_and_false_variants_of_our_own_are_no_errata() -> None:
    judged = [finding("BTT18:T3.1", "holds"), finding("probe:BTT18:L3.3-nine-tenths", "refuted")]
    assert not list(errata(judged, [], {}))


@pytest.mark.usefixtures("quick_figures")
def test_the_command_has_every_claim_that_says_why(project: "Project", harness: "Harness") -> None:
    harness("run", project.spec(), "--serial")
    said = harness("claims", "--errata")
    assert (said.code, said.err) == (0, "")
    for claim in claims().values():
        assert (f"(`{claim.id}`: " in said.out) or not claim.why
    assert harness("claims", "BTT18:T3.2", "--errata").code == 2
