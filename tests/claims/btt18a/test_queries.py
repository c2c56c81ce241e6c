"""The claims about queries that are asked one after another: what makes a trial fail, and where they apply."""

from typing import Any

import pandas as pd
import pytest

from harness.claims.registry import claims


def frame(**given: Any) -> pd.DataFrame:
    """200 rows of one cell in which nothing went wrong, but for what is given."""
    row: dict[str, Any] = {"cell": "c", "mechanism": "A_OQR", "analyst": "modes", "constants": "BTT18a", "k_scale": 1.0}
    row |= {"T": 2.0, "beta": 0.05, "right": 0.8, "unstable": 2, "stable_failed": 0, "lost": 0}
    return pd.DataFrame([row | {"trial": trial} for trial in range(200)]).assign(**given)


def outcome(name: str, rows: pd.DataFrame) -> str:
    """The verdict on the one question that the rows ask; empty where they ask none."""
    claim = claims()[name if ":" in name else f"BTT18a:{name}"]
    found = [claim.decide(each, 1e-3).outcome for each in claim.questions(rows)]
    return found[0] if found else ""


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("C3.9-queries", {}),
        ("C3.9-least", {"constants": "k_tight", "mechanism": "A_subSamp"}),
        ("probe:BTT18a:C3.9-least-nine-tenths", {"constants": "k_tight", "k_scale": 0.9, "analyst": "planted"}),
    ],
)
def test_stable_queries_that_are_not_answered_refute_unless_too_many_are_unstable(name: str, given: dict[str, Any]) -> None:
    often = [int(trial % 4 == 0) for trial in range(200)]
    assert outcome(name, frame(**given)) == "holds"
    assert outcome(name, frame(**given, stable_failed=often)) == "refuted"
    excused = [3 if failed else 2 for failed in often]
    assert outcome(name, frame(**given, stable_failed=often, unstable=excused)) == "holds"


def test_likely_queries_that_are_not_answered_x_f_refute() -> None:
    given: dict[str, Any] = {"mechanism": "A_subSamp"}
    assert outcome("T3.11-queries", frame(**given)) == "holds"
    assert outcome("T3.11-queries", frame(**given, lost=[int(trial % 4 == 0) for trial in range(200)])) == "refuted"


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("T3.11-queries", {"mechanism": "A_subSamp", "right": 0.74}),
        ("T3.11-queries", {"mechanism": "A_subSamp", "right": None}),
        ("T3.11-queries", {"mechanism": "A_OQR"}),
        ("C3.9-queries", {"constants": "tight"}),
        ("C3.9-queries", {"k_scale": 0.9}),
        ("C3.9-least", {}),
        ("probe:BTT18a:C3.9-least-nine-tenths", {"constants": "k_tight", "k_scale": 0.9}),
    ],
)
def test_where_a_hypothesis_is_not_met_nothing_is_asked(name: str, given: dict[str, Any]) -> None:
    assert outcome(name, frame(**given)) == ""
