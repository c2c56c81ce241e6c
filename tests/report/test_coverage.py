"""No statement of a paper without an entry: what is named is there, and each claim and erratum about a text has its place."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from harness.claims.engine import Passage
from harness.claims.registry import claims, errata
from harness.registry import PartError
from harness.report.coverage import answered, counted, places
from tests.support.guests import guest

if TYPE_CHECKING:
    from tests.support.project import Harness

PAPERS = ("BTT18", "BTT18a", "BCMNUW20")
NUMBERED = {
    "BTT18": [
        *("Definition 2.1", "Definition 2.2", "Definition 2.3", "Theorem 2.4", "Theorem 2.5", "Theorem 3.1", "Theorem 3.2"),
        *("Lemma 3.3", "Theorem 3.4", "Theorem 3.5", "Claim 4.1", "Theorem 4.2", "Theorem 4.3"),
        *(f"Algorithm {i}" for i in (1, 2, 3)),
        *(f"Remark {i}" for i in (1, 2, 3)),
        *(f"Informal Theorem 1.{i}" for i in (1, 2)),
    ],
    "BTT18a": [
        *(
            "Definitions 2.1 and 2.2",
            "Definition 2.3",
            "Lemma 2.4",
            "Definition 2.5",
            "Lemma 2.6",
            "Theorem 2.7",
            "Theorem 2.8",
        ),
        *("Definition 3.1", "Theorem 3.2", "Lemma 3.3", "Lemma 3.4", "Theorem 3.5", "Theorem 3.6", "Lemma 3.7", "Lemma 3.8"),
        *("Corollary 3.9", "Corollary 3.10", "Theorem 3.11", "Corollary 4.1", "Lemma 4.2", "Theorem 4.3", "Theorem 4.4"),
        *(
            "Claim 4.5",
            "Theorem 4.6",
            "Theorem 4.7",
            "Definition 5.1",
            "Definitions 5.2 and 5.3",
            "Theorem 5.4",
            "Definition 5.5",
        ),
        *(
            "Theorem 5.6",
            "Definition 5.7",
            "Lemma 5.8",
            "Definition 5.9",
            "Corollary 5.10",
            "Definition 5.11",
            "Definition 5.12",
        ),
        *("Lemma 5.13", "Theorem 5.14", "Theorem 2", "Remark 1"),
        *(f"Algorithm {i}" for i in range(1, 9)),
        *(f"Informal Theorem 1.{i}" for i in (1, 2)),
    ],
    "BCMNUW20": [
        *(
            "Definition 1",
            "Definition 2",
            "Claim 3",
            "Fact 4",
            "Definition 5",
            "Definition 6",
            "Lemma 7",
            "Definition 8",
            "Remark 9",
        ),
        *("Theorem 10", "Lemma 11", "Definition 12", "Theorem 13", "Theorem 14", "Theorem 15", "Definition 16", "Lemma 17"),
        *("Lemma 18", "Algorithm 1", "Algorithm 2", "Algorithm 3"),
    ],
}
"""All that has a number in each text."""


def named() -> set[str]:
    return {id for each in places().values() for id in each.claims}


def of_a_text() -> list[str]:
    """What is printed in one of the papers, or a step there."""
    return [id for id, claim in claims().items() if claim.paper in PAPERS and claim.nature in ("printed", "step")]


def has_its_place(id: str) -> bool:
    """Whether a claim is named, or the theorem that it is a part of, or the claim that it belongs to."""
    of = claims()[id].of
    return id in named() or id.partition("-")[0] in named() or (bool(of) and has_its_place(of))


@pytest.mark.parametrize("paper", PAPERS)
def test_all_that_has_a_number_in_a_text_has_a_place(paper: str) -> None:
    own = [each.place for each in places().values() if each.paper == paper]
    for number in NUMBERED[paper]:
        assert any(place.endswith(f"({number})") for place in own), number
    assert all(place.startswith((f"{paper} §", f"{paper}, ")) for place in own)


def test_what_is_named_can_be_found_and_every_claim_about_a_text_has_its_place() -> None:
    assert {each.paper for each in places().values()} == set(PAPERS)
    assert [id for id in of_a_text() if not has_its_place(id)] == []


def test_every_erratum_has_its_place() -> None:
    told = {id for each in places().values() for id in each.errata}
    for id, erratum in errata().items():
        assert id in told or (erratum.claims and all(map(has_its_place, erratum.claims))), id


def test_a_place_that_names_what_there_is_not_is_told_with_its_line() -> None:
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"claims": ("BTT18:T32",)}, r"MINE §1 names .BTT18:T32.; did you mean .BTT18:T3\.2."),
        ({"errata": ("fewer-than-non",)}, r"MINE §1 names .fewer-than-non.; did you mean .fewer-than-none."),
        ({"parts": ("harness.theory.pac.none",)}, r"MINE §1 names .harness\.theory\.pac\.none."),
    ]
    for wrong, said in wrongs:
        with guest(COVERAGE=Passage("MINE §1", "All is well.", **wrong)), pytest.raises(PartError, match=said):
            places()


def test_a_place_says_what_answers_for_it_or_why_nothing_has_to() -> None:
    assert answered(Passage("MINE §1", "So.", claims=("A:B",), parts=("harness.theory.pac",))) == "A:B; harness.theory.pac"
    assert answered(Passage("MINE §1", "So.", reason="It is a definition.")) == "It is a definition."
    wrongs: list[dict[str, Any]] = [{}, {"claims": ("A:B",), "reason": "So."}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="wants claims, errata or parts, or else a reason"):
            Passage("MINE §1", "So.", **wrong)


def test_the_command_has_every_place_and_counts_them(harness: "Harness") -> None:
    said = harness("claims", "--coverage", "--json")
    assert [row["place"] for row in json.loads(said.out)] == list(places())
    said = harness("claims", "--coverage")
    assert all(line in said.out for line in counted())
    assert harness("claims", "--coverage", "--errata").code == harness("claims", "BTT18:T3.2", "--coverage").code == 2
