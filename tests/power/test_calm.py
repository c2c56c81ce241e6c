"""The checks are calm: a correct run seldom ends in a false verdict, however many runs there are.

200 runs of four experiments at as many seeds. Each has claims that are true, and claims that are not: a false verdict is
`refuted` for one of the former and `holds` for one of the latter. What makes it hard to stay calm: the law of A_OQR is exact, so
the true probability is the claimed one; k_tight fails with probability 0.047 where 0.05 is claimed; and T3.2-B, with 0.051 for
0.05, is only just false.
"""

from typing import TYPE_CHECKING

import pytest
from scipy.stats import binom

from harness.report.verdicts import Evidence, judge

if TYPE_CHECKING:
    from tests.power.conftest import Broken, Measure

SEEDS = 200
RUN = {
    "epochs": {"k_scale": "0.3", "trials": "48"},
    "utility_transition": {"T": "1", "beta": "0.05", "k_scale": "[0.9, 1]", "trials": "48"},
    "mistakes": {"learner": "identical", "alpha": "0.02", "trials": "48"},
    "cutoff": {"T": "1", "trials": "2"},
}


@pytest.fixture(scope="module")
def runs(measure: "Measure") -> list[list[Evidence]]:
    """What a check would judge, for each seed."""
    return [[measure(name, seed=str(seed), **changes) for name, changes in RUN.items()] for seed in range(SEEDS)]


def test_the_mistakes_are_a_claim_that_is_only_just_false() -> None:
    """B = 2 + √(2 ln(100/0.05)/2) = 4.76 mistakes in 100 queries at α = 0.02."""
    assert 0.05 < binom.sf(4, 100, 0.02) < 0.051


@pytest.mark.parametrize("level", [1e-9, 1e-3, 0.1])
def test_no_more_runs_end_in_a_false_verdict_than_the_level_allows(
    level: float, runs: list[list[Evidence]], broken: "Broken"
) -> None:
    """At 1e-9 none, at the default 1e-3 at most 5, at 0.1 at most 44: more has probability at most 3e-7 for each of the three."""
    false = sum(bool(broken(judge(run, level))) for run in runs)
    assert false <= binom.isf(3e-7, SEEDS, level)
