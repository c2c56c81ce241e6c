"""What a whole sweep in one process takes, from its spec to the closed table, against its trials drawn alone."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from harness.sweep.run.estimate import estimate
from harness.trials.answers import KIND
from tests.benchmarks.conftest import seconds
from tests.support.project import Here
from tests.support.ratios import PATIENCE

if TYPE_CHECKING:
    from tests.support.project import Project

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]

TRIALS = 200_000
README: dict[str, str | None] = {"n": "1e12", "m": "1000", "learner": "leftmost", "trials": str(TRIALS), "figure": "{x: m}"}
README |= {"mechanisms": "[A_binClas]"}


COUNTED = README | {"rows": "counted", "trials": "400_000"}


LIMITS = {"counted": 2.0, "each": 6.0}
"""By `rows`. With a row for each trial that is mostly what is written and digested twice: in parts, and as the
table. Five times was the aim; where draws are fast and digests are not it is 5.4 to 5.5."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("rows", LIMITS)
def test_a_table_takes_a_few_times_as_long_as_its_trials(rows: str, project: "Project", takes_at_most: AtMost) -> None:
    """The README's question; the first batch is run twice, to see whether the same rows come of it.

    All trials are drawn as often as the limit says, so that both take about as long, and a busy machine slows both alike.
    """
    times = int(LIMITS[rows])
    sweep = project.sweep(**README, rows=rows)
    (cell,), names = sweep.cells, sweep.spec.mechanisms
    blocks = range(-(-TRIALS // KIND.block(cell)))
    takes_at_most(
        LIMITS[rows] / times,
        lambda: project.run(sweep, fresh=True),
        lambda: [KIND.run(cell, names, sweep.spec.seed, block) for _ in range(times) for block in blocks],
        3,
    )


@pytest.mark.timeout(900)
def test_counted_rows_take_about_as_long_as_is_forecast(project: "Project") -> None:
    """The README's question, to a factor of 2: few trials tell what hundreds of thousands take."""
    sweep = project.sweep(**COUNTED)
    for _ in range(PATIENCE):
        found = estimate(sweep, project.store(sweep), Here(None), True, 1)  # type: ignore[arg-type]
        assert found is not None
        forecast, took = found.seconds, seconds(lambda: project.run(sweep, fresh=True))
        print(f"forecast {forecast:.2f} s, took {took:.2f} s")
        if took / 2 <= forecast <= 2 * took:
            break
    assert took / 2 <= forecast <= 2 * took
