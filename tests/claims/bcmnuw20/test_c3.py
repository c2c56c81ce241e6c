"""Claim 3, Fact 4 and Remark 9: the numbers that decide them."""

import numpy as np

from harness.claims.bcmnuw20.c3 import shattered, small_covers
from harness.claims.registry import claims


def test_the_dimension_by_brute_force() -> None:
    assert shattered(np.array([[0, 0], [0, 1], [1, 0], [1, 1]], bool)) == 2
    assert shattered(np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0]], bool)) == 1
    assert shattered(np.tri(5, 4, -1, dtype=bool)) == 1
    assert shattered(np.ones((1, 4), bool)) == 0


def test_tables_are_of_distinct_queries_and_cells() -> None:
    for where, _, cover in small_covers((1, 2, 4)):
        table = cover.table()
        assert table.shape == (cover.queries, round(np.exp(cover.log_cells))), where
        assert len(np.unique(table, axis=0)) == cover.queries
        assert len(np.unique(table, axis=1).T) == table.shape[1]


def test_all_classes_are_asked_about() -> None:
    said = " ".join(verdict.where for verdict in claims()["BCMNUW20:C3"].computed())
    for name in ("thresholds", "intervals", "interval_unions", "stumps", "halfspaces", "affine_halfspaces", "cube_stumps"):
        assert name in said
    assert all(verdict.measured is not None and verdict.measured < 1 for verdict in claims()["BCMNUW20:Rem9"].computed())
