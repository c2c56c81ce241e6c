"""A refusal that names a limit begins just beyond it: what is as large as that is taken, and one more is not."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.analysts import Analyst, QuerySite
from harness.analysts.boundary import BoundarySearch
from harness.analysts.descent import Descent
from harness.analysts.features import Features
from harness.analysts.lasso import LassoFeatures
from harness.analysts.modes import Modes
from harness.mechanisms.release import releases
from harness.refusal import Refusal
from harness.report.standing import on_its_own_plan
from harness.scores import HELD
from harness.trials.answers import KIND
from harness.trials.release import ReleaseCell
from harness.trials.release import refuse as refuse_release
from harness.trials.release_complexity import ReleaseSearch
from harness.trials.stability import StabilityCell
from harness.trials.stability import refuse as refuse_stability
from harness.trials.stable_cell import StableCell
from harness.trials.tracing import TracingCell
from harness.trials.tracing import refuse as refuse_attack

Refused = Callable[[int], Refusal | None]


def asked(analyst: Analyst, full: bool = True) -> Refused:
    """By the examples of the one chunk there is."""
    return lambda s: analyst.refuse(QuerySite(m=10, k=1, s=s, unstable=1, full=full))


def chunks(k: int) -> Refusal | None:
    """By the chunks of a plan."""
    cell = StableCell(m=10)
    cell._plans["A_subSamp"] = replace(cell.plan("A_subSamp"), n=k, k=k, s=1)
    return cell.refuse("A_subSamp")


def released(name: str, key: str, **setting: Any) -> Refused:
    return lambda value: refuse_release(ReleaseCell.model_validate({"alpha": 0.1, key: value} | setting), name)


def pairs(count: int) -> Refusal | None:
    """By the pairs of the longest chunks there are."""
    return refuse_stability(StabilityCell(s=HELD // 4, pairs=count), "uniform")


def attacked(n: int) -> Refusal | None:
    """By private rows beside a thousand public ones."""
    return refuse_attack(TracingCell(p=10**5, alpha=0.1, n=n, m=1000), "all_averages")


CASES: dict[str, tuple[Refused, int, str]] = {
    "pairs of chunks": (pairs, 16, f"s = {HELD // 4} examples would be held; allowed: at most 16"),
    "rows of an attack": (attacked, 99_000, "rows of p = 100,000 would be drawn one by one"),
    "boundary in full": (asked(BoundarySearch()), 10**7, "would be drawn"),
    "descent in full": (asked(Descent()), 10**7, "would be drawn"),
    "modes in full": (asked(Modes()), 10**7, "would be drawn"),
    "features in full": (asked(Features(d=10)), 10**6, "would be drawn"),
    "features by their law": (asked(Features(d=10), full=False), 10**10, "allowed: s ≤ 1e"),
    "lasso": (asked(LassoFeatures(d=10)), 10**6, "would be drawn"),
    "chunks": (chunks, 10**7, "chunks; allowed: k ≤ 1e"),
    "private points in full": (released("gaussian_averages", "n", m=10, sampling="full"), 10**8, "would be drawn one by one"),
    "private points": (released("gaussian_averages", "n", m=10), 10**15, "needs n = 1e+15; allowed: n ≤ 1e15"),
    "public points": (released("public_averages", "m"), 10**7, "public points of thresholds would be drawn"),
    "public bits": (released("public_averages", "m", concept="cube_stumps", p=1000), 10**6, "of cube_stumps would be drawn"),
    "queries of a cover": (released("public_averages", "m"), 2 * 10**6 - 1, "would make |H̃| up to"),
}


@pytest.mark.parametrize("of", CASES)
def test_what_is_as_large_as_is_allowed_is_taken_and_one_more_is_not(of: str) -> None:
    refused, limit, words = CASES[of]
    within, beyond = refused(limit), refused(limit + 1)
    assert within is None or words not in within.message
    assert beyond is not None and words in beyond.message


def test_a_search_among_points_that_are_drawn_one_by_one_ends_where_they_are_refused() -> None:
    assert ReleaseSearch(alpha=0.1, m=10, find="n", sampling="full").most() == 10**8


def test_a_search_for_public_points_ends_where_so_many_can_no_longer_be_drawn() -> None:
    """With 10⁵ bits each; on thresholds at the most that is ever tried. The other of n and m is the cell's own."""

    def of(**changes: Any) -> ReleaseSearch:
        return ReleaseSearch.model_validate({"alpha": 0.3, "find": "m", "n": 10, "beta": 0.2} | changes)

    wide = of(concept="cube_stumps", p=10**5)
    most = wide.most()
    fits, exceeds = (
        wide.model_copy(update={"m": m}).refuse(releases()["exact_averages"], 10) for m in (most, int(1.1 * most) + 1)
    )
    assert of().most() == 10**5 and 1 < most < 10**5 and fits is None and exceeds is not None
    assert of().both(7) == (10, 7) and ReleaseSearch(alpha=0.3, m=5).both(7) == (7, 5)


def test_of_fewer_chunks_than_a_theorem_has_nothing_is_promised() -> None:
    (promise,) = KIND.promises
    heads = pd.DataFrame({"T_target": [np.nan, np.nan], "k_scale": [1.0, 0.99]})
    assert on_its_own_plan(heads, promise).tolist() == [True, False]
