"""The constants of release: what is printed, what DR14 gives, and the explicit m."""

from math import comb, e, log, sqrt

import pytest

from harness.claims.bcmnuw20 import l7_proved
from harness.mechanisms.release.numeric_sparse import PmwPlan
from harness.theory.constants.bcmnuw20 import DR14, PRINTED, PROVED, REPAIRED, known_least, labellings, least, missed_by_any


def test_the_n_of_lemma_7_is_the_printed_one() -> None:
    queries, cells, alpha, beta, eps, delta = 50, log(300), 0.07, 0.02, 0.6, 1e-5
    n = 200 * sqrt(cells * log(2 / delta)) * (log(queries) + log(128 * cells / (alpha**2 * beta))) / (eps * alpha**2)
    assert PRINTED.n(queries, cells, alpha, beta, eps, delta) == pytest.approx(n)


def test_200_is_what_is_left_without_the_factor_3_the_range_and_sampling() -> None:
    assert 0.9 < 4 * DR14 / 200 < 1 and PRINTED.share == 2
    assert REPAIRED.factor == pytest.approx(6805, abs=1) and REPAIRED.share == 3 * 2 * 2


def test_the_proved_constants_are_those_that_the_proof_is_of() -> None:
    words = l7_proved.__doc__ or ""
    assert f" {PROVED.factor:g}, with α' = α/{PROVED.share:g};" in words and (PROVED.noise, PROVED.inner) == (1, 128)


def test_what_stands_inside_the_logarithm_is_a_constant_of_its_own_or_dr14s() -> None:
    for constants in (PRINTED, PROVED):
        assert [each.name for each in constants.factors[:3]] == ["c_n", "c_share", "c_inner"]
        assert "c_inner" in constants.factors[0].formula
    assert "c_inner" not in [each.name for each in REPAIRED.factors]
    assert "32 c_share² ln|X̃|" in REPAIRED.factors[0].formula and "c_inner" not in REPAIRED.factors[0].formula


def test_a_changed_constant_of_lemma_7_is_the_only_one_that_changes() -> None:
    share, factor, inner = (PRINTED.changed({name: 7.0}) for name in ("c_share", "c_n", "c_inner"))
    assert (share.share, share.factor, share.inner) == (7.0, 200, 128) and share.name == "BCMNUW20 with c_share = 7"
    assert (factor.share, factor.factor, factor.inner) == (2, 7.0, 128)
    assert (inner.share, inner.factor, inner.inner) == (2, 200, 7.0)
    assert PRINTED.changed({"c_eta": 7.0}).n(50, 6.0, 0.1, 0.05, 1.0, 1e-6) == PRINTED.n(50, 6.0, 0.1, 0.05, 1.0, 1e-6)
    repaired = REPAIRED.changed({"c_share": 7.0})
    assert (repaired.share, repaired.factor, repaired.inner) == (7.0, REPAIRED.factor, None)


@pytest.mark.parametrize("alpha", [0.3, 0.1, 0.01])
@pytest.mark.parametrize(("queries", "cells"), [(2, log(2)), (100, log(5000)), (10**6, 700.0)])
def test_at_the_repaired_n_pmw_is_as_accurate_as_dr14_asks(alpha: float, queries: int, cells: float) -> None:
    """α' ≥ (2 + 32√2) √(ln|X| ln(2/δ)) (ln|Q| + ln(32 ln|X|/(α'²β)))/(α'εn), and the threshold is then at most 2α'."""
    beta, eps, delta = 0.05, 1.0, 1e-6
    n = REPAIRED.n(queries, cells, alpha, beta, eps, delta)
    accuracy = alpha / 12
    inner = log(queries) + log(32 * cells / (accuracy**2 * beta / 2))
    assert DR14 * sqrt(cells * log(2 / delta)) * inner / (accuracy * eps * n) <= accuracy * (1 + 1e-9)
    plan = PmwPlan.of(queries, cells, int(n) + 1, accuracy, beta / 2, eps, delta)
    assert 1.8 * accuracy < plan.threshold < 2 * accuracy
    assert 8 * log(4 * queries / beta) / alpha**2 <= n


def test_where_privacy_costs_nothing_the_sample_alone_asks_for_n() -> None:
    """8 ln(2|H̃|/(β/2))/α² where half of β is the sample's; none of it is as printed."""
    repaired, printed = (each.n(50, log(300), 0.07, 0.02, 1e9, 1e-5) for each in (REPAIRED, PRINTED))
    assert repaired == pytest.approx(8 * log(2 * 50 / 0.01) / 0.07**2)
    assert 0 < printed < 1


def test_at_the_printed_n_the_threshold_hides_nearly_twice_the_error() -> None:
    n = PRINTED.n(6, 6 * log(2), 0.1, 0.05, 1.0, 1e-6)
    plan = PmwPlan.of(6, 6 * log(2), int(n) + 1, 0.05, 0.05, 1.0, 1e-6)
    assert n == pytest.approx(2.43e6, rel=0.01) and 1.75 < 2 * plan.threshold / 0.1 < 1.89


def test_labellings_are_sauers_sum() -> None:
    assert labellings(10, 3) == 1 + 10 + comb(10, 2) + comb(10, 3) <= (e * 10 / 3) ** 3
    assert labellings(3, 5) == 8


@pytest.mark.parametrize(("V", "alpha"), [(1, 0.1), (4, 0.01), (20, 0.3)])
def test_the_explicit_m_is_the_least(V: int, alpha: float) -> None:
    m = least(lambda m: missed_by_any(m, alpha / 4, V) > 0.025)
    assert m is not None

    def bound(m: int) -> float:
        return float(2 * (2 * e * m / V) ** (2 * V) * 2 ** (-alpha * m / 8))

    assert bound(m) <= 0.025 < bound(m - 1)
    assert all(missed_by_any(each, alpha / 4, V) > 0.025 for each in (1, V, 2 * V, m // 3, m // 2))
    assert missed_by_any(V - 1, alpha / 4, V) == missed_by_any(V, alpha / 4, V) == 1.0


def test_the_least_number_is_found_or_said_to_be_missing() -> None:
    for at in (1, 2, 3, 1000, 1025):
        assert least(at.__gt__) == at
    assert least(lambda n: True, most=100) is None
    assert least(lambda n: n < 8, most=8) == 8 and least(lambda n: n <= 8, most=8) is None
    assert known_least(lambda n: n < 5) == 5
    with pytest.raises(OverflowError, match="more examples or points are needed"):
        known_least(lambda n: True)


def test_no_more_labellings_are_told_than_a_float_has() -> None:
    assert labellings(1000, 1000) == 2.0**1000 == labellings(1001, 1001) == labellings(5000, 6000)
