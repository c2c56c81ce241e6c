"""Theorem 14: exponents that are judged with their intervals, and the attack's false positives."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from harness.claims.bcmnuw20.t14 import PUBLIC, ROWS, ReachExponents, ReachFactor, any_named
from harness.claims.engine import Form
from harness.claims.registry import claims
from harness.sweep.table.table import Table

FIXED: dict[str, Any] = {"mechanism": "rounded_averages", "biases": "narrow", "tail": "exact", "c": 0.25, "error": 1e-6}
CLAIM = "BCMNUW20:T14-reach"


def reached(axis: str, power: float, width: float = 0.15) -> pd.DataFrame:
    """Searches whose n is a power of one axis over z₁ − z₂, with intervals of this width in ln n."""
    values = [0.0625, 0.09, 0.125, 0.18, 0.25] if axis == "alpha" else [1e5, 2e5, 4e5, 8e5, 16e5]
    rows: list[dict[str, Any]] = []
    for i, value in enumerate(values):
        n = bare = (2000 if axis == "alpha" else 1) * (value / values[-1]) ** power * (1 if axis == "alpha" else 2000)
        for _ in range(60):
            n = 2 * bare / (norm.isf(1 / n**2) - norm.isf(1 / (n - 1)))
        own = {"p": 1e6, "alpha": 0.25, axis: value, "find": "n", "m": 1, "n": None, "cell": str(i)}
        rows.append(FIXED | own | {"low": n * np.exp(-width) - 1, "high": n * np.exp(width) - 1})
    return pd.DataFrame(rows).astype({"high": "Float64"})


@pytest.mark.parametrize(
    ("axis", "power", "width", "outcome"),
    [
        ("p", 0.5, 0.1, "holds"),
        ("alpha", -1.0, 0.1, "holds"),
        ("p", 0.75, 0.1, "refuted"),
        ("p", 0.25, 0.1, "refuted"),
        ("alpha", -1.25, 0.1, "refuted"),
        ("alpha", -2.0, 0.1, "refuted"),
        ("alpha", -0.5, 0.1, "refuted"),
        ("p", 0.5, 1.0, "undecided"),
    ],
)
def test_an_exponent_is_judged_without_its_logarithm_and_with_its_interval(
    axis: str, power: float, width: float, outcome: str
) -> None:
    (rows,) = ReachExponents(ROWS, "n").questions(reached(axis, power, width))
    verdict = claims()[CLAIM].decide(rows, 1e-3)
    assert verdict.outcome == outcome, verdict.where
    assert claims()[CLAIM].decide(rows, 1e-9).outcome == "undecided"


@pytest.mark.parametrize("experiment", ["tracing_threshold_alpha", "tracing_threshold_alpha_moved"])
def test_what_was_measured_along_alpha_speaks_against_other_powers(experiment: str) -> None:
    """Of averages as they are, and of those that are moved to hide rows: 1/α holds, and powers off by a half are refuted."""
    frame = Table.read(Path(__file__).parents[3] / f"results/{experiment}.parquet").frame()
    (rows,) = ReachExponents(ROWS, "n").questions(frame)
    assert claims()[CLAIM].decide(rows, 1e-6).outcome == "holds"
    for power in (-2.0, -1.5, -0.5, 0.0):
        false = ReachExponents(Form({"alpha": power}, ReachFactor()), "n")
        assert false.decide(CLAIM, rows, 1e-6).outcome == "refuted"


def test_without_an_upper_end_nothing_is_decided() -> None:
    rows = reached("p", 0.5)
    (line,) = ReachExponents(ROWS, "n").questions(rows.assign(high=rows["high"].where(rows["p"] < 1e6)))
    assert claims()[CLAIM].decide(line, 1e-3).outcome == "undecided"
    assert list(ReachExponents(ROWS, "n").questions(rows[:3])) == []


@pytest.mark.parametrize(("power", "outcome"), [(-2.0, "holds"), (-1.5, "refuted"), (-2.5, "refuted")])
def test_the_exponent_of_t(power: float, outcome: str) -> None:
    alpha = np.array([0.25, 0.18, 0.125, 0.09, 0.0625])
    at = pd.DataFrame({"alpha": alpha, "p": 4096 * (0.25 / alpha) ** 2, "n": 20 * (0.25 / alpha) ** 2})
    m = 8 * (alpha / 0.25) ** power
    level = np.exp(PUBLIC.logarithms.typical(at.assign(mean=m, mechanism="rounded_averages")))
    m *= level / level[0]
    rows = at.assign(**FIXED, find="m", low=m * 0.9, high=m * 1.1, cell=range(5)).astype({"high": "Float64"})
    (line,) = ReachExponents(PUBLIC, "m").questions(rows)
    assert claims()["BCMNUW20:T14-t"].decide(line, 1e-3).outcome == outcome


def test_false_positives_of_independent_rows() -> None:
    first = pd.Series({"outsiders": 7000, "rate": 1e-4, "tail": "exact"})
    assert any_named(first) == pytest.approx(1 - (1 - 1e-4) ** 7000)
    law, bound = claims()["BCMNUW20:T14-false"], claims()["BCMNUW20:T14-false-chernoff"]
    assert law.applies(first) and not bound.applies(first)
    assert bound.applies(first.replace("exact", "chernoff")) and not law.applies(first.replace(7000, 0))
