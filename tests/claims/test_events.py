"""The bounds that a claim names for one trial are its event: one of them is broken exactly where the trial has failed."""

import json
from typing import Any

import pandas as pd
import pytest
from harness.claims.claim import CellClaim
from hypothesis import assume, given
from hypothesis import strategies as st

from harness.claims import claims

M = 40
SETTING = {
    "cell": "c0ffee",
    "mechanism": "A_binClas",
    "trial": 0,
    "distribution": "agreement",
    "distribution_parameters": json.dumps({"right": 1.0}),
    "concept": "ensemble",
    "constants": "BTT18",
    "k_scale": 1.0,
    "vacuous": False,
    "V": 1,
    "m": M,
    "n": 10**6,
    "k": 30,
    "s": 10**4,
    "eps": 40.0,
    "delta": 1e-6,
    "gamma": 0.0,
}

counts = st.integers(0, M)
rows = st.fixed_dictionaries(
    {
        "beta": st.sampled_from([0.05, 0.3]),
        "alpha": st.sampled_from([0.001, 0.05, 0.2]),
        "T": st.sampled_from([1.0, 2.5, 10.0]),
        "halted_at": st.none() | st.integers(1, M - 1),
        "bottoms": counts,
        "misclassified": counts,
        "stable_failed": st.integers(0, 2),
        "unstable": counts | st.integers(0, 9),
        "max_mistakes": st.integers(0, 3),
        "fresh_error": st.floats(0, 1),
        "error": st.floats(0, 1),
        "spent_upper": st.floats(30, 50),
    }
)

ABOUT_CELLS = {name: claim for name, claim in claims().items() if isinstance(claim, CellClaim)}


def frame(row: dict[str, Any]) -> pd.DataFrame:
    derived = {"bound": row["T"] / M, "misclassification_rate": row["misclassified"] / M, "T_target": row["T"]}
    return pd.DataFrame([SETTING | row | derived])


@pytest.mark.parametrize("name", ABOUT_CELLS)
@given(row=rows)
def test_a_trial_fails_exactly_where_one_of_the_bounds_is_broken(name: str, row: dict[str, Any]) -> None:
    claim, trial = ABOUT_CELLS[name], frame(row)
    assume(not claim.vacuous(trial.iloc[0]))
    parts = claim.event(trial)
    assert parts
    assert any(part.broken for part in parts) == bool(claim.failed(trial).iloc[0])


def test_theorem_3_2_names_its_three_conditions_with_their_numbers() -> None:
    row = {"T": 2.5, "halted_at": 30, "bottoms": 2, "misclassified": 12, "beta": 0.05, "alpha": 0.01}
    parts = ABOUT_CELLS["BTT18:T3.2"].event(frame(row))
    assert [(part.quantity, part.measured, part.most, part.broken) for part in parts] == [
        ("unanswered", 10, 0, True),
        ("bottoms", 2, 2.5, False),
        ("misclassification_rate", 0.3, 2.5 / M, True),
    ]
