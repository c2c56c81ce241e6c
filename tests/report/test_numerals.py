"""Numbers as people read them."""

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.report import numerals

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
    assert numerals.number(value) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.04, "0.04 s"),
        (89.9, "90 s"),
        (90.0, "1.5 min"),
        (60 * 89.9, "90 min"),
        (5400.0, "1.5 h"),
        (129_599.0, "36 h"),
        (129_600.0, "1.5 days"),
        (86_400 * 30.0, "30 days"),
    ],
)
def test_times_are_in_a_unit_of_their_size_from_one_and_a_half_of_it_on(seconds: float, said: str) -> None:
    assert numerals.duration(seconds) == said


@given(st.floats(1e-90, 1e90))
def test_numbers_say_four_digits_of_what_they_stand_for(value: float) -> None:
    said = numerals.number(value)
    mantissa, dot, power = said.rpartition("·")
    if said.startswith("10") and set(said[2:]) & set("⁻⁰¹²³⁴⁵⁶⁷⁸⁹"):
        mantissa, dot, power = "1", "·", said
    meant = float(mantissa) * 10.0 ** int(power[2:].translate(SUPERSCRIPTS)) if dot else float(said)
    assert isclose(meant, value, rel_tol=6e-4)
    assert len(said) <= 12
