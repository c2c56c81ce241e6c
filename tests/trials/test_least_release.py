"""How small a constant of release can be: on an atom whose mass says when PMW updates, and what is refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from harness.mechanisms.release import releases
from harness.mechanisms.release.pmw import PMW
from harness.theory.constants.bcmnuw20 import DR14
from harness.trials import least
from harness.trials.kind import Row
from harness.trials.least_release import KIND, LeastReleaseCell, refuse

ATOM: dict[str, Any] = {
    "concept": "thresholds",
    "distribution": {"name": "atoms", "total": 0.06, "first": 0.005},
    "alpha": 0.1,
    "beta": 0.25,
    "m": 0,
    "constant": "c_n",
    "budget": 200,
}


def found(**changes: Any) -> Row:
    cell = LeastReleaseCell(**ATOM | changes)
    assert refuse(cell, "PMW") is None
    (row,) = KIND.rows(cell, ["PMW"], 1, 0)
    assert set(row) == set(KIND.table)
    return row


@pytest.mark.law
def test_the_printed_200_is_too_small_and_the_repaired_constant_more_than_enough() -> None:
    """PMW updates once its threshold, DR14/c_n of α² or less, is below the atom's share: c_n has to rise for that."""
    printed = found()
    assert printed["printed"] == 200 < printed["low"] < printed["high"] < 600 and printed["over"] < 1
    assert printed["n"] == pytest.approx(
        releases()["PMW"].needed(LeastReleaseCell(**ATOM).sizes, cell_at(printed["high"])), abs=1
    )
    repaired = found(constants="repaired")
    assert repaired["printed"] == DR14 * 144 and 2 < repaired["over"] < 5


def test_a_constant_without_a_guarantee_is_not_enough() -> None:
    """Calibrated PMW says no n where c_share is below some value, however few runs fail there."""
    cell = LeastReleaseCell(**ATOM | {"constant": "c_share", "constants": "repaired"})
    assert refuse(cell, "PMW_calibrated") is None and cell.with_constant(1.0).needed(releases()["PMW_calibrated"]) is None
    (row,) = KIND.rows(cell, ["PMW_calibrated"], 1, 0)
    assert 1 < row["low"] < row["high"] <= cell.stated and row["n"] > 10**6


def cell_at(value: float) -> Any:
    return LeastReleaseCell(**ATOM).with_constant(value).on_cover


def test_an_instance_without_mass_says_nothing() -> None:
    row = found(distribution={"name": "atoms", "total": 0.001, "first": 0.0005}, budget=400)
    assert (row["low"], row["needed"], row["challenged"]) == (0, None, False)


@pytest.mark.law
def test_a_handful_of_updates_is_enough_and_none_is_not() -> None:
    """c = 4 ln|X̃|/α'² is 212,000 at the provable n; an atom on a line of forty cells takes about a dozen."""
    row = found(constants="repaired", constant="c_updates")
    assert 0 < row["low"] < row["high"] < 0.01 and row["challenged"]


def test_both_ends_of_the_noise_are_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(least, "HALVINGS", 10)
    cell = LeastReleaseCell(**ATOM | {"alpha": 0.9, "constant": "c_sigma", "event": "private"})
    assert refuse(cell, "PMW") is None
    (row,) = KIND.rows(cell, ["PMW"], 1, 0)
    mechanism, n = PMW(), row["n"]
    plans = {end: mechanism.resolved(cell.sizes, cell.with_constant(row[end]).on_cover, n) for end in ("low", "high")}
    assert plans["low"].shown(n, 1e-6) > 1 and plans["high"].spent(n, 1e-6) <= 1 + 1e-6
    assert plans["high"].shown(n, 1e-6) < plans["high"].spent(n, 1e-6)
    assert 0.1 < row["low"] < row["high"] < 10


def test_what_cannot_be_searched_is_refused() -> None:
    for name, constant, said in (("PMW", "c_eta", "allowed: c_sigma"), ("gaussian_averages", "c_sigma", "allowed: PMW, A_PAP")):
        private = refuse(LeastReleaseCell(**ATOM | {"event": "private", "constant": constant}), name)
        assert private is not None and said in private.message
    refusal = refuse(LeastReleaseCell(**ATOM | {"n": 10**6}), "PMW")
    assert refusal is not None and refusal.parameter == "n" and "the constants have no say in it" in refusal.message
    with pytest.raises(ValidationError, match="no constant 'c_k' of BCMNUW20"):
        LeastReleaseCell(**ATOM | {"constant": "c_k"})
