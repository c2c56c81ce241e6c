"""What kinds of deciders are declared to be."""

import pytest

from harness.claims.engine import (
    Certain,
    Computed,
    ComputedExponents,
    Decider,
    Exact,
    Exponents,
    Growth,
    Law,
    Never,
    Probability,
    Ratio,
)
from harness.claims.engine.agreement import EpsilonAgreement, SpendsNoMore
from harness.claims.engine.capacity import Capacity
from harness.claims.engine.common import Spends
from harness.claims.engine.complexity import Complexity

DECIDERS: dict[type[Decider], tuple[str, bool, bool]] = {
    Certain: ("certain", True, True),
    Exact: ("exact", True, True),
    Spends: ("exact", True, True),
    Probability: ("probability", True, True),
    Never: ("probability", True, True),
    Law: ("probability", True, True),
    EpsilonAgreement: ("probability", True, False),
    SpendsNoMore: ("probability", True, False),
    Exponents: ("rate", False, True),
    Capacity: ("rate", False, True),
    Complexity: ("rate", False, False),
    Growth: ("rate", False, False),
    Ratio: ("rate", False, False),
    Computed: ("exact", False, False),
    ComputedExponents: ("exact", False, False),
}


@pytest.mark.parametrize("decider", DECIDERS)
def test_what_counts_trials_reads_rows_that_stand_for_many_and_what_is_of_a_cell_is_asked_of_each(
    decider: type[Decider],
) -> None:
    assert (decider.kind, decider.by_cell, decider.counts) == DECIDERS[decider]
