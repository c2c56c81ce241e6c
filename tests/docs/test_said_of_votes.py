"""What the pages say of mechanisms that label by votes is what the calculators say."""

import re

import pytest

from harness.api import crossovers
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.per_bottom import PerBottom
from harness.theory.constants import constants
from harness.theory.parameters import Task
from tests.support.pages import section
from tests.test_readme import number, told

LOOPS = ("A_binClas", "gaussian_sparse_vector", "exponential_sparse_vector")


def worth(mechanism: str, m: int) -> float | None:
    """The error of a learner below which it is worth it against Gaussian noise on every vote."""
    found = crossovers(m=m, constants="tight").every
    (alpha,) = (each.alpha for each in found if (each.mechanism, each.baseline) == (mechanism, "gaussian"))
    return alpha


@pytest.mark.law
def test_when_the_loop_with_other_noise_is_worth_it() -> None:
    said = told(section("When is it worth it?"))
    many, some, times, plain = re.findall(
        r"below an error of (\S+) at m = 10⁶ \((\S+) at 1,000\), which is (\d+) times as large as the (\S+) above", said
    )[0]
    assert number(many) == pytest.approx(worth("gaussian_sparse_vector", 10**6), rel=0.03)
    assert number(some) == pytest.approx(worth("gaussian_sparse_vector", 1000), rel=0.03)
    assert number(plain) == pytest.approx(worth("A_binClas", 10**6), rel=0.03)
    assert number(times) == pytest.approx(number(many) / number(plain), abs=0.5)
    at_some, at_few = re.findall(
        r"does below (\S+) at 1,000 queries, and it is the one that does at 100 queries, below (\S+):", said
    )[0]
    assert number(at_some) == pytest.approx(worth("exponential_sparse_vector", 1000), rel=0.03)
    assert number(at_few) == pytest.approx(worth("exponential_sparse_vector", 100), rel=0.03)
    assert worth("gaussian_sparse_vector", 100) is worth("A_binClas", 100) is None


def test_which_loop_needs_fewest_chunks() -> None:
    said = (
        "with T = 1 or 2 it needs the fewest chunks of the three, and from T = 30 on the Gaussian one does, for m from 10² to"
    )
    assert f"{said} 10⁶" in told(section("When is it worth it?"))
    for m in (10**power for power in range(2, 7)):
        for T, fewest in ((1, LOOPS[2]), (2, LOOPS[2]), *((T, LOOPS[1]) for T in (30, 60, m // 2, m) if 30 <= T <= m)):
            task = Task(m, 1.0, 1e-6, 0.05, 0.0, lambda s, q: 0.0)
            assert min(LOOPS, key=lambda name: chunks(name, task, T)) == fewest, (m, T)


def chunks(name: str, task: Task, T: int) -> int:
    mechanism = mechanisms()[name]
    assert isinstance(mechanism, PerBottom)
    return mechanism.at(constants()["tight"]).whole_k(task, float(T))
