"""The comparison with the lower bound, run: where each statement is made, and what would have made it fall."""

from functools import cache
from typing import Any

import pandas as pd
import pytest

from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from harness.trials import kinds
from tests.support.claims import event

KIND = kinds()["tracing_scores"]


@cache
def row(name: str, **changes: Any) -> pd.DataFrame:
    """A trial of a mechanism on a cell."""
    return pd.DataFrame(KIND.run(KIND.cell.model_validate({"n": 10_000} | changes), [name], 5, 0))


@pytest.mark.parametrize(
    ("claim", "name", "changes", "fails"),
    [
        ("BTT18a:S5-tracing", "A_SL_Quer", {}, False),
        ("BTT18a:S5-tracing", "A_SL_Quer", {"biases": "spread"}, False),
        ("BTT18a:S5-tracing-answers", "A_SL_Quer", {}, False),
        ("probe:BTT18a:S5-tracing-averages", "mean", {}, True),
        ("probe:BTT18a:S5-tracing-spread", "A_SL_Quer", {"biases": "spread"}, True),
    ],
)
def test_what_a_trial_says(claim: str, name: str, changes: dict[str, Any], fails: bool) -> None:
    frame = row(name, **changes)
    assert claims()[claim].applies(frame.iloc[0])
    assert RowsSeen.of(event(claim), frame).failed.tolist() == [fails]


@pytest.mark.parametrize(
    ("claim", "changes"),
    [("", {"times": 0.5}), ("-answers", {"n": 2000}), ("-answers", {"biases": "spread"})],
)
def test_where_nothing_is_said(claim: str, changes: dict[str, Any]) -> None:
    assert not claims()[f"BTT18a:S5-tracing{claim}"].applies(row("A_SL_Quer", **changes).iloc[0])


def test_of_constants_that_are_not_certified_nothing_is_said() -> None:
    assert not claims()["BTT18a:S5-tracing"].applies(row("A_SL_Quer").assign(spent=None).iloc[0])
    assert not claims()["BTT18a:S5-tracing"].applies(row("A_SL_Quer").assign(spent=1.1).iloc[0])


def test_with_a_quarter_of_the_chunks_not_all_are_answered() -> None:
    """The false variant without n ≥ k."""
    answers = event("BTT18a:S5-tracing-answers")
    assert RowsSeen.of(answers, row("A_SL_Quer", n=2000)).broken.all()


@pytest.mark.parametrize(("named", "outcome"), [(0, "holds"), (1, "refuted")])
def test_a_named_row_in_every_trial_is_more_than_privacy_allows(named: int, outcome: str) -> None:
    frame = pd.concat([row("A_SL_Quer").assign(cell="a", trial=i, named_private=named) for i in range(80)])
    assert event("BTT18a:S5-tracing").decide("x", frame, 1e-6).outcome == outcome
