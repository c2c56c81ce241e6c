"""Numbers and parameters as people read them."""

import json
from math import isclose

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.report import words

SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0"),
        (1, "1"),
        (0.05, "0.05"),
        (5000, "5000"),
        (1234.56, "1235"),
        (10_000, "10⁴"),
        (10**12, "10¹²"),
        (1e-6, "10⁻⁶"),
        (1.2346e-7, "1.235·10⁻⁷"),
        (316_000, "3.16·10⁵"),
        (9999.9, "10⁴"),
        (float("inf"), "∞"),
        (float("nan"), "–"),
    ],
)
def test_numbers_are_short(value: float, said: str) -> None:
    assert words.number(value) == said


@given(st.floats(1e-90, 1e90))
def test_numbers_say_four_digits_of_what_they_stand_for(value: float) -> None:
    said = words.number(value)
    mantissa, dot, power = said.rpartition("·")
    if said.startswith("10") and set(said[2:]) & set("⁻⁰¹²³⁴⁵⁶⁷⁸⁹"):
        mantissa, dot, power = "1", "·", said
    meant = float(mantissa) * 10.0 ** int(power[2:].translate(SUPERSCRIPTS)) if dot else float(said)
    assert isclose(meant, value, rel_tol=6e-4)
    assert len(said) <= 12


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("uniform", {"target": 0.5}, "uniform"),
        ("uniform", {"target": 0.25}, "uniform (target = 0.25)"),
        ("hard", {"c": 0.6931}, "hard (c = 0.693)"),
        ("split", {}, "split"),
    ],
)
def test_a_distribution_is_named_with_what_shapes_it(name: str, parameters: dict[str, float], said: str) -> None:
    row = pd.Series({"distribution": name, "distribution_parameters": json.dumps(parameters), "learner": "midpoint"})
    assert words.parameter(row, "distribution") == said


def test_a_parameter_is_told_with_what_makes_it_plain() -> None:
    row = pd.Series(
        {"n": 10**12, "eps": 0.5, "alpha_target": 0.01, "learner": "midpoint", "sampling": "full", "pac_bound": "class"}
    )
    said = [words.parameter(row, key) for key in ("n", "eps", "alpha_target", "learner", "sampling", "pac_bound")]
    assert said == ["n = 10¹²", "ε = 0.5", "α = 0.01", "midpoint", "full sampling", "class PAC bound"]
