"""The text's example: its numbers by the normal law of another library."""

from math import exp, sqrt
from statistics import NormalDist

import pytest

from harness.claims.btt18a.g_example import other_label
from harness.claims.registry import claims
from harness.scores.beyond_c import BeyondC


def test_the_other_label_has_the_probability_of_a_normal_tail() -> None:
    for x, p in zip(BeyondC().asked, BeyondC().truth, strict=True):
        tail = NormalDist(0, sqrt(1 / 8)).cdf(-abs(x))
        assert other_label(float(x)) == pytest.approx(tail, rel=1e-6)
        assert min(p, 1 - p) == pytest.approx(tail, abs=1e-12)


def test_the_bound_is_within_8_times_at_the_edges() -> None:
    """|p₁ − p₀| = 0.9953 against 0.9634; with e⁻⁷ in place of e⁻⁴ it would fall."""
    verdicts = list(claims()["BTT18a:G-example"].computed())
    assert [verdict.outcome for verdict in verdicts] == ["holds", "holds"]
    assert all(verdict.bound == exp(-4) and verdict.measured == pytest.approx(0.002339, abs=1e-6) for verdict in verdicts)
    assert other_label(1.0) > exp(-7)
