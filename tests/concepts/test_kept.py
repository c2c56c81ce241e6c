"""What is worked out once and kept for all trials cannot be written on."""

from collections.abc import Callable

import numpy as np
import pytest

from harness.concepts.intervals.samplers import ConsistentSampler
from harness.concepts.ladder import wrong_shares
from harness.concepts.noisy_thresholds import gap_law
from harness.covers.missed_atoms import missed_law
from harness.covers.parities import signs
from harness.covers.random_queries import matrix
from harness.scores import Scorer
from harness.scores.beyond_c import BeyondC
from harness.scores.bins import bin_law
from harness.scores.sgd import Sgd

KEPT: dict[str, Callable[[], object]] = {
    "shares of wrong votes": lambda: wrong_shares((0.2, 0.1), (0.0, 0.1), 9),
    "law of gaps": lambda: gap_law(0.1, 1e-6),
    "law of missed atoms": lambda: missed_law(3, 0.1, 9),
    "signs": lambda: signs(3),
    "random queries": lambda: matrix(9, 5, 1),
    "law of bins": lambda: bin_law(9, 0.5, 0.3, False, (0.5,)),
    "estimated means": lambda: Scorer(BeyondC(), Sgd(loss="logistic", steps="sqrt")).means(5),
    "cuts": lambda: ConsistentSampler(3, "leftmost", 0.0).cuts,
    "widths": lambda: ConsistentSampler(3, "leftmost", 0.0).widths,
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_cannot_be_written_on(name: str) -> None:
    kept = KEPT[name]()
    assert isinstance(kept, np.ndarray) and not kept.flags.writeable
