"""What a trial of soft labels costs: not more with n, nor with m."""

from collections.abc import Callable
from typing import Any

from harness.trials.soft_labels import KIND, SoftLabelsCell
from tests.support.ratios import AtMost

ATOMS = {"name": "atoms", "masses": [0.49, 0.49, 0.02], "chances": [0.0137, 0.9863, 0.517]}


def trials(count: int, **changes: Any) -> Callable[[], object]:
    """So many blocks of A_SL-Quer at the k that is printed, what is known of a cell included after the first."""
    given: dict[str, Any] = {"distribution": ATOMS, "sampling": "poisson", "hard": 1, "constants": "repaired", "width": 0.1}
    cell = SoftLabelsCell(**given | changes)
    KIND.rows(cell, ["A_SL_Quer"], 1, 0)
    return lambda: [KIND.run(cell, ["A_SL_Quer"], 1, block) for block in range(count)]


def test_a_trial_costs_the_same_at_any_n(takes_at_most: AtMost) -> None:
    takes_at_most(1.5, trials(40, n=10**12), trials(40, n=10**9), 5)


def test_a_trial_costs_the_same_at_any_m(takes_at_most: AtMost) -> None:
    """A thousand queries and a thousand million: k and w grow with ln m alone."""
    takes_at_most(1.5, trials(40, n=10**12, m=10**9), trials(40, n=10**12, m=1000), 5)
