"""The calculator of soft labels."""

import pytest

import harness
from harness.report.console import Terminal
from harness.sweep.errors import InputError


def test_it_says_what_the_theorem_has_and_what_an_average_costs() -> None:
    found = harness.plan_scores(n=10**9).json
    assert (found["k"], found["s"], found["vacuous"]) == (16706, 59858, False)
    assert found["width"] == 1 / 11 and found["bound"] == 1 / 22  # 16α√(2n') + ν = 0.0854 at α = √½/n'
    assert found["spent"] is None and found["alternatives"]["gaussian_mean"]["spent"] == pytest.approx(1)
    assert 10_000 < found["gaussian_n"] < 30_000
    console = Terminal()
    with console.capture() as shown:
        console.print(harness.plan_scores(n=10**9))
    assert "16,706" in shown.get() and "Gaussian noise promise that error from n =" in shown.get()


def test_where_it_is_vacuous_it_says_why() -> None:
    least = harness.plan_scores(n=19_000_000).json
    assert not least["vacuous"] and harness.plan_scores(n=18_000_000).json["vacuous"]
    found = harness.plan_scores(n=10**7, m=100).json
    assert found["vacuous"] and "wider than ½" in found["reason"] and found["gaussian_n"] is None


def test_bad_numbers_name_the_option() -> None:
    with pytest.raises(InputError, match="--nu"):
        harness.plan_scores(n=10**9, nu=0.9)
    with pytest.raises(InputError, match="--V"):
        harness.plan_scores(n=10**9, V=3)
