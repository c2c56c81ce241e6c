"""What a claim refuses to be, and what it says of cells that it is not about."""

from typing import Any

import pandas as pd
import pytest

from harness.claims.btt18.ac import AC
from harness.claims.engine import Certain, Claim, Exponents, Limit, among, at_most, known
from harness.sweep.errors import InputError
from harness.sweep.table.cells import Cells
from harness.theory.factors import PRINTED
from tests.support.asked import rows_of

GOOD: dict[str, Any] = {
    "id": "PAPER:T1",
    "source": "PAPER Theorem 1, with a proof",
    "statement": "The rate is at most one half.",
    "decider": Certain((Limit("rate", 0.5),)),
    "where": (among("mechanism", "ours"), among("k_scale", 1), at_most("eps", 5)),
}


def cells(**columns: Any) -> list[pd.Series]:
    frame = pd.DataFrame({"mechanism": "ours", "k_scale": 1.0, "eps": 1.0} | columns, index=range(4))
    return [frame.iloc[i] for i in range(len(frame))]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "Theorem 1"}, "a claim's id is PAPER:PLACE, such as BTT18:T3.2, not 'Theorem 1'"),
        ({"id": ""}, "a claim's id is"),
        ({"source": " "}, "the claim PAPER:T1 has no source"),
        ({"statement": ""}, "the claim PAPER:T1 has no statement"),
        ({"decider": 3}, "the claim PAPER:T1 wants a decider, and conditions in `where`"),
        ({"where": ("k_scale = 1",)}, "the claim PAPER:T1 wants a decider, and conditions in `where`"),
        ({"expected": "true"}, "the claim PAPER:T1 is expected to be 'true'; allowed: holds, refuted"),
        ({"why": "It is more."}, "the claim PAPER:T1 says why it does not hold, and is expected to be holds"),
        ({"breaks": (among("eps", 1),)}, "the claim PAPER:T1 says where it breaks, and is expected to be holds"),
        ({"nature": "said"}, "the claim PAPER:T1 is said to be 'said'; allowed: printed, step, reading"),
        ({"check": "sum"}, "the claim PAPER:T1 is a 'sum'; allowed: identity, self-check"),
        ({"proof": "By counting."}, "the claim PAPER:T1 has a proof, and is no repair"),
        ({"nature": "probe"}, "the claim PAPER:T1 is of nature probe; a probe's id begins with probe:, and no other"),
        ({"nature": "ours"}, "the claim PAPER:T1 is ours, and its source does not begin with 'not in the papers'"),
    ],
)
def test_a_claim_that_does_not_say_what_it_is_cannot_be_made(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Claim(**GOOD | change)


def test_a_claim_stands_in_its_paper_or_says_what_it_is_about() -> None:
    printed, ours = (
        Claim(**GOOD),
        Claim(**GOOD | {"source": "not in the papers: that this is tight", "id": "probe:T1", "nature": "probe"}),
    )
    assert (printed.in_a_paper, printed.place, printed.paper) == (True, GOOD["source"], "PAPER")
    assert (ours.in_a_paper, ours.place, ours.paper) == (False, "that this is tight", "T1")
    assert (printed.kind, printed.trials, printed.by_cell) == ("certain", "answers", True)
    assert printed.columns == ("mechanism", "k_scale", "eps", "rate")
    assert (printed.expected, printed.nature, printed.change) == ("holds", "printed", PRINTED)


def test_a_claim_that_breaks_on_some_instances_is_spared_where_none_is_there() -> None:
    """Its hypotheses and where it breaks are met by one and the same cell, or it is expected to hold."""
    breaking = Claim(**GOOD | {"expected": "refuted", "breaks": (at_most("rate", 0.2),)})
    for rate, eps, spared in ((0.2, 1.0, False), (0.3, 1.0, True), (0.2, 7.0, True)):
        there = Cells(
            pd.DataFrame({"cell": ["c", "d"], "mechanism": "ours", "trial": 0, "k_scale": 1.0, "eps": eps, "rate": [0.9, rate]})
        )
        assert breaking.spares(there) == spared and not Claim(**GOOD).spares(there)


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({}, ""),
        ({"k_scale": [0.5, 0.5, 1, 2]}, ""),
        ({"k_scale": 0.294}, "k_scale is 0.294 and PAPER Theorem 1 is about k_scale = 1"),
        ({"k_scale": [0.5, 0.6, 0.5, 0.6]}, "k_scale is 0.5 or 0.6 and PAPER Theorem 1 is about k_scale = 1"),
        ({"k_scale": [2, 3, 4, 5]}, "k_scale is 2, 3 or another and PAPER Theorem 1 is about k_scale = 1"),
        ({"mechanism": "theirs", "eps": 9.0}, "mechanism is theirs and PAPER Theorem 1 is about mechanism = ours"),
        ({"eps": 9.0, "k_scale": [1, 1, 2, 2]}, "eps is 9 and PAPER Theorem 1 is about eps ≤ 5"),
        (
            {"mechanism": ["a", "ours"] * 2, "k_scale": [1, 4, 1, 5]},
            "k_scale is 4 or 5 and PAPER Theorem 1 is about k_scale = 1",
        ),
    ],
)
def test_the_cells_that_come_nearest_say_what_keeps_the_claim_from_applying(columns: dict[str, Any], why: str) -> None:
    claim = Claim(**GOOD)
    assert claim.unmet(cells(**columns)) == why
    assert any(claim.applies(first) for first in cells(**columns)) == (not why)


def test_what_is_not_known_before_a_run_is_taken_to_be_met() -> None:
    claim = Claim(**GOOD | {"where": (known("max_mistakes"), *GOOD["where"])})
    assert claim.unmet(cells()) == "" and claim.unmet(cells(eps=7.0)) == "eps is 7 and PAPER Theorem 1 is about eps ≤ 5"
    assert claim.unmet([]) == ""


def test_a_claim_that_is_in_no_paper_goes_by_its_id() -> None:
    claim = Claim(**GOOD | {"source": "not in the papers: that this is tight"})
    assert claim.unmet(cells(eps=7.0)) == "eps is 7 and PAPER:T1 is about eps ≤ 5"


@pytest.mark.parametrize(
    ("change", "name"), [({"where": (among("k_scal", 1),)}, "k_scal"), ({"decider": Certain((Limit("rat", 0.5),))}, "rat")]
)
def test_a_column_that_a_table_does_not_have_is_told_with_the_nearest(change: dict[str, Any], name: str) -> None:
    frame = pd.DataFrame({"cell": ["c"], "mechanism": ["ours"], "trial": [0], "k_scale": [1.0], "eps": [1.0], "rate": [0.1]})
    with pytest.raises(InputError, match=f"the claim PAPER:T1: no column '{name}'; did you mean '{name}"):
        list(Claim(**GOOD | change).questions(frame))


def test_what_is_asked_of_cells_is_the_same_whoever_asks() -> None:
    claim, other = Claim(**GOOD), Claim(**GOOD | {"id": "PAPER:T2", "where": (among("eps", 7.0),)})
    frame = pd.DataFrame({"cell": ["c", "d"], "mechanism": "ours", "trial": 0, "k_scale": 1.0, "eps": [1.0, 7.0], "rate": 0.1})
    rows = Cells(frame)
    (one,), (two,) = claim.questions(rows), other.questions(rows)
    assert claim.questions(rows)[0] is one and claim.questions(frame)[0] is not one
    assert (rows_of(one)["cell"].item(), rows_of(two)["cell"].item()) == ("c", "d")


def test_decided_is_every_question_decided_and_none_asked_is_that_too() -> None:
    claim, columns = Claim(**GOOD), {"mechanism": "ours", "trial": [0, 1], "k_scale": 1.0, "eps": 1.0, "rate": 0.1}
    frame = pd.DataFrame({"cell": "c"} | columns)
    assert list(claim.decisions(frame, 1e-6)) == [True] and claim.decided(frame, 1e-6)
    assert list(claim.decisions(frame.assign(eps=7.0), 1e-6)) == [] and claim.decided(frame.assign(eps=7.0), 1e-6)
    assert Claim(**GOOD | {"decider": Exponents(AC)}).decider.lacking.startswith("no sweep along n, m, V or eps has 4 points")
