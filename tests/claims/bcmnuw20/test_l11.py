"""Lemma 11 on rows made by hand."""

import pandas as pd

from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from tests.support.claims import event

ROW = {
    "cell": "c",
    "mechanism": "public_averages",
    "trial": 0,
    "concept": "thresholds",
    "alpha": 0.2,
    "beta": 0.1,
    "radius": 0.04,
}


def test_a_cover_is_missed_beyond_a_quarter_of_alpha_with_half_of_beta() -> None:
    for name in ("BCMNUW20:L11", "BCMNUW20:L11-spacing"):
        first = pd.Series(ROW)
        assert event(name).bound(first) == 0.05 and event(name).allowed(first) == 0.05
        rows = [pd.DataFrame([ROW | {"radius": radius}]) for radius in (0.05, 0.0501)]
        assert [RowsSeen.of(event(name), row).failed.item() for row in rows] == [False, True]


def test_each_is_about_its_own_m() -> None:
    def met(name: str, **changes: object) -> bool:
        return claims()[name.replace("L11", "BCMNUW20:L11")].applies(pd.Series(ROW | changes))

    assert met("L11", cover="any", m=100, m_needed=100) and not met("L11", cover="any", m=99, m_needed=100)
    assert not met("L11", cover="spacing", m=100, m_needed=100) and met("L11-spacing", cover="spacing", m=100, m_needed=100)
    assert met("probe:L11-spacing-third", cover="spacing", m=33, m_needed=100)
    assert not met("probe:L11-spacing-third", cover="spacing", m=40, m_needed=100)
    assert not met("probe:L11-spacing-third", cover="spacing", m=33, m_needed=100, concept="intervals")
