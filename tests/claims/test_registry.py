"""Every claim is found by its id, in the file that its id names, and what theory alone decides comes out as expected."""

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness import claims as room
from harness.claims.engine import PROBE, Certain, Claim, Erratum, Limit, Probability, Quote, among, overall
from harness.claims.registry import claims, errata
from harness.registry import PartError
from harness.report.show import foretold
from harness.report.verdicts import Evidence, judge
from harness.sweep.run.work import needed
from harness.sweep.table.cells import Cells
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
    """BTT18a:T5.14-k is in btt18a/t5_14.py, and where there is none in t5.py, or t.py: its section's, or all of its letter.

    Or in a file whose name goes on from there. What no paper has is in ours.
    """
    paper, _, place = name.removeprefix(PROBE).partition(":")
    if place and not paper.islower():
        theorem = re.split("-", place)[0].lower().replace(".", "_")
        assert HOMES[name].parent.name == paper.lower()
        files = theorem, theorem.partition("_")[0], theorem.rstrip("_0123456789")
        home = next((file for file in files if HOMES[name].with_name(f"{file}.py").exists()), theorem)
        assert re.fullmatch(f"{home}(_[a-z]+)?", HOMES[name].stem)
    else:
        assert HOMES[name] == ROOM / "ours" / f"{paper}.py"


@every_claim
def test_a_claim_says_what_it_is(name: str) -> None:
    claim = claims()[name]
    paper = claim.paper
    assert claim.source.startswith(("not in the papers: ", f"{paper} "))
    assert claim.statement.rstrip(")").endswith(".")
    assert claim.trials in ("", *kinds())
    assert all(condition.words and condition.columns for condition in claim.where)


def test_each_nature_says_what_it_owes() -> None:
    """A repair, step, reading or probe belongs to a claim; what is refuted is no repair, and says why unless it is a probe."""
    for claim in claims().values():
        assert claim.quote or claim.nature not in ("printed", "step"), claim.id
        assert bool(claim.of) or claim.nature in ("printed", "ours", "probe"), claim.id
        assert claim.nature != "repair" or claim.expected == "holds", claim.id
        assert claim.nature != "probe" or claim.expected == "refuted", claim.id
        assert bool(claim.why) == (claim.expected == "refuted" and claim.nature != "probe"), claim.id


def test_what_is_in_a_paper_quotes_it_and_what_is_in_none_is_ours_or_a_probe() -> None:
    for claim in claims().values():
        assert claim.quote is not None or claim.nature not in ("printed", "step"), claim.id
        assert claim.in_a_paper or claim.nature in ("ours", "probe"), claim.id


def test_what_fails_of_a_text_is_an_erratum_or_a_reading() -> None:
    """What is printed, or a step of a printed proof, and is refuted, stands under a cause; and nothing else does."""
    listed = {id for erratum in errata().values() for id in erratum.claims}
    failing = {id for id, claim in claims().items() if claim.expected == "refuted" and claim.nature in ("printed", "step")}
    assert listed == failing
    assert all(claims()[id].expected == "holds" for erratum in errata().values() for id in erratum.repairs)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"nature": "theorem"}, "is said to be 'theorem'; allowed: printed, step, reading, repair, probe, ours"),
        ({"nature": "probe"}, "of nature probe; a probe's id begins with probe:, and no other"),
        ({"id": "probe:MINE:T1"}, "of nature printed; a probe's id begins with probe:, and no other"),
        ({"nature": "ours"}, "is ours, and its source does not begin with 'not in the papers'"),
        ({"proof": "One sees it."}, "has a proof, and is no repair"),
        ({"why": "One sees it."}, "says why it does not hold, and is expected to be holds"),
        ({"check": "theorem"}, "is a 'theorem'; allowed: identity, self-check"),
    ],
)
def test_a_claim_that_contradicts_itself_is_refused(wrong: dict[str, Any], said: str) -> None:
    right: dict[str, Any] = {
        "id": "MINE:T1",
        "source": "MINE Theorem 1",
        "statement": "All is well.",
        "decider": Certain((Limit("wrong", 0),)),
    }
    Claim(**right)
    with pytest.raises(ValueError, match=re.escape(said)):
        Claim(**(right | wrong))


def test_a_claim_that_belongs_to_none_that_there_is_is_told_with_its_line() -> None:
    false = Claim("MINE:T1-repaired", "MINE Theorem 1", "All is well.", Certain((Limit("bottoms", 0),)), nature="repair",
                  of="BTT18:T32")  # fmt: skip
    with (
        guest(CLAIMS=false),
        pytest.raises(PartError, match=r"MINE:T1-repaired is a repair of .BTT18:T32.; did you mean .BTT18:T3\.2."),
    ):
        claims()


def test_an_erratum_names_claims_that_there_are_and_leaves_nothing_out() -> None:
    said: dict[str, Any] = dict.fromkeys(("title", "why", "counterexample", "holds", "answer"), "All is well.")
    quotes = (Quote("MINE §1, p. 1", "All is well."),)
    strange = Erratum("mine", severity="slip of the pen", quotes=quotes, claims=("BTT18:T32",), **said)
    assert replace(strange, quotes=(*quotes, Quote("YOURS §2", "All is well."))).paper == "MINE"
    with guest(ERRATA=strange), pytest.raises(PartError, match=r"erratum mine names .BTT18:T32.; did you mean .BTT18:T3\.2."):
        errata()
    wrongs: list[dict[str, Any]] = [{"severity": "bad"}, {"quotes": ()}, {"answer": " "}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="the erratum mine"):
            Erratum(**({"id": "mine", "severity": "slip of the pen", "quotes": quotes, **said} | wrong))


DEAR = ("BTT18:T3.5-exponents-few", "BTT18:T3.2-repaired", "BTT18a:D2.3-coins", "BTT18:T3.2-ordinary-beta")
"""Of half the time together, of more than a hundred."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.law if name in DEAR else ())
        for name, claim in claims().items()
        if claim.kind == "exact" and not claim.trials
    ],
)
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
