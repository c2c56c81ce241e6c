"""The claims on least constants: intervals that are elsewhere, or wider, refute them."""

import pandas as pd
import pytest

from harness.claims.engine import Certain
from harness.claims.ours.least import CLAIMS

BY_ID = {claim.id: claim for claim in CLAIMS}
AT = {"eps": 1.0, "delta": 1e-6, "m": 10**5, "beta": 0.05}
K = AT | {
    "m": 1000,
    "T_target": 10.0,
    "beta": 0.25,
    "constant": "c_k",
    "event": "answered",
    "constants": "k_tight",
    "printed": 3.0,
    "low": 2.95,
    "high": 2.99,
}
W = AT | {
    "T_target": 100.0,
    "constant": "c_w",
    "event": "private",
    "constants": "BTT18",
    "printed": 2.0,
    "low": 1.38599,
    "high": 1.386,
}
LAM = W | {"constant": "c_lam", "printed": 32.0, "low": 1.6, "high": 3.2, "T_target": 1000.0}


@pytest.mark.parametrize(
    ("name", "row", "holds"),
    [
        ("least:k", K, True),
        ("least:k", K | {"high": 3.02}, False),
        ("least:k", K | {"low": 2.9}, False),
        ("least:w", W, True),
        ("least:w", W | {"low": 1.3}, False),
        ("least:lambda", LAM, True),
        ("least:lambda", LAM | {"high": 4.0}, False),
    ],
)
def test_an_interval_is_judged_by_both_its_ends(name: str, row: dict[str, object], holds: bool) -> None:
    claim, rows = BY_ID[name], pd.DataFrame([row])
    assert isinstance(claim.decider, Certain) and claim.applies(rows.iloc[0])
    assert any(bounded.broken for bounded in claim.decider.of_trial(rows)) is not holds


@pytest.mark.parametrize("name", ["least:k-range", "least:k-quarter", "least:lambda-range"])
def test_what_is_said_of_a_range_is_computed(name: str) -> None:
    verdicts = list(BY_ID[name].decider.computed(name))
    assert verdicts and {each.outcome for each in verdicts} == {"holds"}


@pytest.mark.parametrize(("name", "column", "value"), [("least:k", "m", 10**6), ("least:w", "T_target", 10.0)])
def test_what_a_table_shows_is_said_for_its_setting_alone(name: str, column: str, value: float) -> None:
    row = {"least:k": K, "least:w": W}[name] | {column: value}
    assert not BY_ID[name].applies(pd.Series(row))
