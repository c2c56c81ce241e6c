"""The page of errata: by cause, the worst first, each with its quotations, what was found today, and what holds instead."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from harness.claims.engine import Certain, Claim, Erratum, Limit, Outcome, Quote, Severity, Verdict
from harness.claims.registry import claims, errata
from harness.report.errata import Errata, assembled, markdown
from harness.report.verdicts import Finding
from tests.support.guests import guest

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

WHY = "One sees it at once."


def claim(id: str, **said: object) -> Claim:
    return Claim(f"MINE:{id}", "MINE Theorem 1", f"All of {id} is well.", Certain((Limit("wrong", 0),)), **said)  # type: ignore[arg-type]


def erratum(id: str, severity: Severity, **said: object) -> Erratum:
    quotes = (Quote("MINE §1, p. 1", f"{id} is printed"), Quote("MINE §2, p. 3", f"{id} again"))
    return Erratum(id, f"On {id}", severity, quotes, WHY, "3 > 2", "2 is enough.", "It is a slip.", **said)  # type: ignore[arg-type]


CLAIMS = (
    claim("T1", expected="refuted", why=WHY),
    claim("T1-repaired", nature="repair", of="MINE:T1"),
    claim("T2-one", nature="reading", of="MINE:T1", expected="refuted", why=WHY),
    claim("T2-two", nature="reading", of="MINE:T1"),
)
ERRATA = (
    erratum("a-slip", "slip of the pen"),
    erratum("a-cause", "conclusion false", claims=("MINE:T1",), repairs=("MINE:T1-repaired",), script="a_cause"),
)


def finding(one: Claim, outcome: Outcome) -> Finding:
    return Finding(one, [(None, Verdict(one.id, outcome, where="ε = 1", measured=0.375, bound=0.25))])


@pytest.fixture
def judged() -> Iterator[list[Finding]]:
    outcomes: tuple[Outcome, ...] = ("refuted", "undecided", "refuted", "holds")
    with guest(CLAIMS=CLAIMS, ERRATA=ERRATA):
        yield [finding(one, outcome) for one, outcome in zip(CLAIMS, outcomes, strict=True)]


def test_an_entry_is_a_cause_with_what_was_found_of_its_claims(judged: list[Finding]) -> None:
    found = assembled(judged, [], {}, ["MINE"])
    assert [each.erratum.id for each in found.causes] == ["a-cause", "a-slip"]  # the worst first
    assert found.counted == "1 conclusion false, 1 slip of the pen"
    (shown,) = found.causes[0].shown
    assert (shown.number, shown.command) == ("ε = 1: 0.375, where the statement allows 0.25", "harness claims MINE:T1")
    said = markdown(found)
    for part in (
        "### On a-cause (conclusion false)",
        "“a-cause is printed” (MINE §1, p. 1)",
        "“a-cause again” (MINE §2, p. 3)",
        "3 \\> 2 (`tests/errata/a_cause.py`)",
        "ε = 1: 0.375, where the statement allows 0.25 (`MINE:T1`: refuted; `harness claims MINE:T1`)",
        "All of T1-repaired is well. (`MINE:T1-repaired`: undecided)",
        "**The authors might answer.** It is a slip.",
    ):
        assert part in said
    assert said.index("On a-cause") < said.index("On a-slip")


def test_the_command_of_a_counterexample_is_its_replay(judged: list[Finding]) -> None:
    found = assembled(judged, [], {"MINE:T1": "harness replay x/y/0/z"})
    assert [each.shown[0].command for each in found.causes if each.erratum.id == "a-cause"] == ["harness replay x/y/0/z"]


def test_a_reading_that_fails_stands_apart_and_one_that_holds_nowhere(judged: list[Finding]) -> None:
    found = assembled(judged, [], {}, ["MINE"])
    assert [each.finding.claim.id for each in found.readings] == ["MINE:T2-one"]
    said = markdown(Errata([], found.readings))
    assert "## Readings that fail" in said and "`MINE:T2-one`: refuted" in said and "T2-two" not in said


@pytest.mark.usefixtures("quick_figures", "theory_untold")
def test_the_command_has_every_erratum_and_no_probe(project: "Project", harness: "Harness") -> None:
    harness("run", project.spec(), "--serial")
    said = harness("claims", "--errata")
    assert (said.code, said.err) == (0, "")
    assert said.out.count("\n### ") >= len(errata()) and "probe:" not in said.out
    for each in errata().values():
        assert all(f"`{id}`: " in said.out for id in each.claims if id in claims())
    assert harness("claims", "BTT18:T3.2", "--errata").code == 2
