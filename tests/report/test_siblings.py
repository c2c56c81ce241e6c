"""A theorem's card and line tell what limits it: readings of it, or printed parts, that are refuted."""

import pytest

from harness.claims.engine import Certain, Claim, Limit, Outcome, Verdict
from harness.report.siblings import limited, limits, siblings
from harness.report.verdicts import Finding


def finding(place: str, nature: str, of: str, outcome: Outcome) -> Finding:
    id = f"{'probe:' if nature == 'probe' else ''}MINE:{place}"
    said = Claim(id, "MINE 1", "All is well.", Certain((Limit("wrong", 0),)), nature=nature, of=of)  # type: ignore[arg-type]
    return Finding(said, [(None, Verdict(id, outcome))])


@pytest.fixture
def judged() -> list[Finding]:
    return [
        finding("T1", "printed", "", "holds"),
        finding("T1-one", "reading", "MINE:T1", "refuted"),
        finding("T1-two", "reading", "MINE:T1", "holds"),
        finding("T1-step", "step", "MINE:T1", "refuted"),
        finding("T1-step-repaired", "repair", "MINE:T1-step", "holds"),
        finding("T1-small", "probe", "MINE:T1", "refuted"),
        finding("T2", "printed", "", "refuted"),
    ]


def test_a_theorem_is_limited_by_a_reading_that_fails_and_not_by_a_step_or_a_probe(judged: list[Finding]) -> None:
    assert limited(judged[0], judged) == "but not MINE:T1-one"
    assert [limits(each, judged) for each in judged[1:]] == [[]] * 6
    assert limited(judged[0], judged[:1]) == limited(judged[6], judged) == ""


def test_siblings_are_all_that_belong_to_the_theorem_what_fails_first_and_probes_last(judged: list[Finding]) -> None:
    names = [each.claim.id for each in siblings(judged[4], judged)]
    assert names == ["MINE:T1-one", "MINE:T1-step", "MINE:T1", "MINE:T1-two", "probe:MINE:T1-small"]
    assert siblings(judged[6], judged) == []
