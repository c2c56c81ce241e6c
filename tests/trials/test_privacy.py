"""The kind of trial that computes what is spent."""

from math import log, sqrt

import pytest
from pydantic import ValidationError

from harness.theory.constants import calibrations
from harness.trials import kinds
from harness.trials.privacy import PrivacyCell

CALIBRATIONS = calibrations()


def test_a_row_holds_what_was_claimed_and_what_is_spent() -> None:
    cell = PrivacyCell(eps=1, m=1000, T=10)
    rows = kinds()["privacy"].rows(cell, list(CALIBRATIONS), 1, 0)
    assert [row["mechanism"] for row in rows] == list(CALIBRATIONS)
    for row in rows:
        assert (row["cell"], row["eps"], row["delta"], row["m"], row["T"]) == (cell.identity, 1.0, 1e-6, 1000, 10.0)
        assert 0 < row["spent_lower"] <= row["spent_upper"]
    printed, tight = rows[0], next(row for row in rows if row["mechanism"] == "tight")
    assert printed["lam"] == pytest.approx(sqrt(320 * log(2e6)))
    assert printed["w"] == pytest.approx(2 * printed["lam"] * log(2e9))
    assert tight["spent_upper"] == pytest.approx(1, rel=1e-6)


def test_nothing_in_it_is_random() -> None:
    cell, run = PrivacyCell(eps=2, m=100, T=3), kinds()["privacy"].run
    first, second = run(cell, ["printed"], 1, 0)[0], run(cell, ["printed"], 99, 7)[0]
    assert first | {"seconds": 0} == second | {"seconds": 0}


@pytest.mark.parametrize("field", [{"eps": 0.05}, {"eps": 20}, {"T": 0.5}, {"T": 1e6}, {"delta": 0.5}, {"m": 0}, {"n": 5}])
def test_settings_beyond_the_stated_tolerances_are_refused(field: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        PrivacyCell.model_validate({"eps": 1, "m": 100, "T": 10} | field)
