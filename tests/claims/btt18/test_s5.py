"""Section 5's remark on surrogate losses, on rows made by hand."""

from typing import Any

import numpy as np
import pandas as pd

from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from tests.support.claims import event

REMARK = "BTT18:S5"
ERROR = 1e-6


def rows(**columns: Any) -> pd.DataFrame:
    """As many as the first column has values; β = 0.25, so half of the trials may fail."""
    trials = len(next(iter(columns.values())))
    fixed = {"cell": "c0ffee", "mechanism": "A_binClas", "trial": range(trials), "T": 24.0, "beta": 0.25, "alpha": np.inf}
    return pd.DataFrame(fixed | columns)


def test_it_counts_more_than_3B_queries_misclassified_where_T_is_3B() -> None:
    """Of 3B = 24 queries 24 may be; B = 0 lets none be; of B = 9 nothing is said, as T is below 27."""
    frame = rows(max_mistakes=[8, 8, 0, 0, 9], misclassified=[24, 25, 0, 1, 100])
    assert RowsSeen.of(event(REMARK), frame).failed.tolist() == [False, True, False, True, False]


def test_it_falls_where_learners_carry_over_four_times_what_they_err() -> None:
    """A mechanism that is wrong on 4B queries in seven trials of ten; with 2.9B in as many it holds."""
    often = np.arange(400) % 10 < 7
    verdicts = [
        claims()[REMARK].decide(rows(max_mistakes=np.full(400, 8), misclassified=np.where(often, wrong, 2)), ERROR).outcome
        for wrong in (32, 23)
    ]
    assert verdicts == ["refuted", "holds"]


def test_it_is_about_learners_without_a_pac_bound() -> None:
    frame = rows(max_mistakes=[8], misclassified=[3])
    assert claims()[REMARK].applies(frame.iloc[0])
    assert not claims()[REMARK].applies(frame.assign(alpha=0.01).iloc[0])
