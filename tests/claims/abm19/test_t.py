"""Learning with public data: where it is claimed, privacy by brute force, and that a false variant falls."""

import numpy as np
import pandas as pd
import pytest

from harness.claims.abm19.t import SMALL, excess, one_more
from harness.claims.engine import PROBE
from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from harness.covers.labelled import ListedCover
from tests.support.claims import event

ROW = {"mechanism": "exponential", "concept": "thresholds", "n": 1000, "needed": 1000, "gamma": 0.0, "alpha": 0.1, "beta": 0.05}


def met(name: str, **changes: object) -> bool:
    id = f"{PROBE}ABM19:{name}" if name == "T-hundredth" else f"ABM19:{name}"
    return claims()[id].applies(pd.Series(ROW | changes))


def test_where_each_is_claimed() -> None:
    assert met("T-realizable") and met("T-realizable", mechanism="permute_and_flip") and not met("T")
    assert met("T", gamma=0.1) and not met("T-realizable", gamma=0.1)
    assert not met("T-realizable", n=999) and not met("T-realizable", mechanism="A_Priv")
    assert met("T-hundredth", n=10) and not met("T-hundredth", n=20) and not met("T-hundredth", n=10, concept="stumps")


def test_the_error_is_that_of_the_class_and_alpha() -> None:
    own = event("ABM19:T")
    rows = [pd.DataFrame([ROW | {"gamma": 0.1, "error": error, "trial": 0}]) for error in (0.05, 0.199, 0.201)]
    assert [float(excess(row).item()) for row in rows] == pytest.approx([0, 0.099, 0.101])
    assert [bool(RowsSeen.of(own, row).failed.item()) for row in rows] == [False, False, True]
    assert own.bound(rows[0].iloc[0]) == 0.1 and own.allowed(rows[0].iloc[0]) == pytest.approx(0.15)


def test_half_the_weight_is_private_and_the_whole_is_not() -> None:
    """Over all neighbours: at most ε with e^(−ε·mistakes/2), more than ε at each ε without the half."""
    half, whole = (list(claims()[name].computed()) for name in ("ABM19:T-privacy", "probe:ABM19:T-privacy-whole"))
    assert {verdict.outcome for verdict in half} == {"holds"} and {verdict.outcome for verdict in whole} == {"refuted"}
    assert any(verdict.challenged for verdict in half)


def test_every_example_is_one_place_in_each_coordinate() -> None:
    for of, m in SMALL:
        cover = of.cover(m, np.random.default_rng(1))
        assert isinstance(cover, ListedCover)
        none = np.zeros(cover.law.shape, np.int64)
        single = np.array(list(one_more(cover, none)))
        assert len(np.unique(single.reshape(len(single), -1), axis=0)) == len(single)
        for counts in single:
            assert set(cover.mistakes(counts).tolist()) <= {0, 1}
