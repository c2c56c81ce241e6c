"""Theorem 10: where it is claimed, its explicit n, and the exponents of n*."""

from typing import Any

import pandas as pd
import pytest

from harness.claims.bcmnuw20.t10 import Exponent, explicit
from harness.claims.registry import claims
from harness.covers.affine_halfspaces import AffineHalfspaceQueries
from harness.theory.constants.bcmnuw20 import PROVED, least, missed_by_any
from tests.support.claims import event

ROW = {"mechanism": "A_PAP", "constants": "BCMNUW20", "cover": "any", "vacuous": False, "eps": 1.0, "alpha": 0.1, "beta": 0.05}


@pytest.mark.parametrize(
    ("changes", "met"),
    [
        ({}, {"T10-two-hundred"}),
        ({"cover": "spacing"}, set()),
        ({"constants": "repaired"}, {"T10-repaired"}),
        ({"constants": "repaired", "cover": "spacing"}, {"T10-repaired"}),
        ({"constants": "proved", "delta": 0.1}, {"T10-proved"}),
        ({"constants": "proved", "eps": 2.0}, set()),
        ({"vacuous": True}, set()),
        ({"mechanism": "PMW"}, set()),
    ],
)
def test_where_each_is_claimed(changes: dict[str, Any], met: set[str]) -> None:
    names = ("T10-two-hundred", "T10-repaired", "T10-proved")
    assert {name for name in names if claims()[f"BCMNUW20:{name}"].applies(pd.Series(ROW | changes))} == met
    assert event("BCMNUW20:T10-two-hundred").bound(pd.Series(ROW)) == 0.1


def test_the_explicit_n_is_that_of_sauers_lemma_twice() -> None:
    """By the classes' own sizes for V = 3, p = 2, which are computed elsewhere and are never more."""
    m = least(lambda m: missed_by_any(m, 0.1 / 4, 3) > 0.025)
    assert m is not None
    size = super(AffineHalfspaceQueries, AffineHalfspaceQueries()).sizes(m)
    n = PROVED.n(size.queries, size.log_cells, 0.05, 0.025, 1.0, 1e-6)
    assert 1 <= explicit(3, 2, 0.1, 0.05, 1.0, 1e-6) / n < 1.05


def sweep(axis: str, slope: float, width: float = 0.02, asked: float = -2.2) -> pd.DataFrame:
    """Searches whose least n falls on a line, with intervals of this width in ln n."""
    values = [0.05, 0.1, 0.2, 0.4]
    rows = [
        {
            "cell": str(i),
            "concept": "thresholds",
            "distribution": "atoms",
            "distribution_parameters": "{}",
            "mechanism": "A_PAP",
            "constants": "BCMNUW20",
            "cover": "spacing",
            "find": "n",
            "alpha": 0.1,
            "p": 1,
            "V": 1,
            "eps": 1.0,
            "error": 1e-8,
            axis: value,
            "low": 1e6 * value**slope * (1 - width),
            "high": 1e6 * value**slope * (1 + width),
            "asked": 1e6 * value**asked,
        }
        for i, value in enumerate(values)
    ]
    return pd.DataFrame(rows).astype({"high": "Float64"})


@pytest.mark.parametrize(
    ("slope", "width", "outcome"),
    [
        (-2.1, 0.02, "holds"),
        (-1.95, 0.02, "holds"),
        (-2.4, 0.02, "refuted"),
        (-1.75, 0.02, "refuted"),
        (-2.1, 0.5, "undecided"),
        (-1.85, 0.05, "undecided"),
    ],
)
def test_an_exponent_is_judged_with_its_interval(slope: float, width: float, outcome: str) -> None:
    """Between the printed −2 and the explicit −2.2, and 1/8 on either side."""
    (rows,) = Exponent().questions(sweep("alpha", slope, width))
    verdict = Exponent().decide("BCMNUW20:T10-exponents", rows, 1e-3)
    assert verdict.outcome == outcome and "printed -2" in verdict.where


def test_nothing_is_decided_without_all_ends_or_at_too_little_error() -> None:
    rows = sweep("eps", -1.0, asked=-1.0)
    (line,) = Exponent().questions(rows)
    assert Exponent().decide("x", line, 1e-3).outcome == "holds"
    assert Exponent().decide("x", line, 1e-9).outcome == "undecided"
    assert Exponent().decide("x", line.assign(high=line["high"].where(line["eps"] < 0.3)), 1e-3).outcome == "undecided"
    assert list(Exponent().questions(rows[:3])) == []


@pytest.mark.parametrize(
    ("slope", "asked", "outcome"),
    [(0.2, 0.2, "holds"), (0.0, 0.2, "refuted"), (0.5, 0.2, "refuted"), (1.5, 1.5, "holds"), (2.0, 2.0, "refuted")],
)
def test_along_V_it_is_as_of_the_explicit_n_and_no_more_than_printed(slope: float, asked: float, outcome: str) -> None:
    """The dimension that grows by more is what the sweep is along: V, of √p no more than a constant here."""
    rows = sweep("V", slope, asked=asked).assign(p=[2, 2, 2, 3])
    (line,) = Exponent().questions(rows)
    verdict = Exponent().decide("BCMNUW20:T10-exponents", line, 1e-3)
    assert (verdict.outcome, set(line["axis"])) == (outcome, {"V"})


def test_a_class_whose_p_grows_by_more_than_its_V_is_swept_along_p() -> None:
    (line,) = Exponent().questions(sweep("p", 0.5, asked=0.5).assign(V=[1, 1.2, 1.4, 1.6]))
    assert set(line["axis"]) == {"p"}
