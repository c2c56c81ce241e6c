"""The factor of queries answered over advanced composition, on made-up sweeps whose factor has a closed form."""

from math import inf
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from harness.claims.engine.capacity import answered, common_targets
from harness.claims.registry import claims

CLAIM = claims()["BTT18:AC-queries"]
M = np.geomspace(1e3, 1e7, 9).round()
# Rates with which the number of queries answered at rate α is 1e8·α (ours) and 1e14·α² (the baseline).
MECHANISMS = ("A_binClas", "noisy_majority")


def table(exponent: float = 1.0, trials: int = 4, spread: float = 0.0, seed: int = 0, **changes: Any) -> pd.DataFrame:
    """One row a trial; rates vary by a relative standard deviation of `spread`; our rate goes as m^exponent."""
    rng = np.random.default_rng(seed)
    rows = []
    for mechanism in MECHANISMS:
        for m in M:
            rate = np.sqrt(m) / 1e7 if mechanism == "noisy_majority" else 1e-5 * (m / 1e3) ** exponent
            for trial in range(trials):
                seen = rate * float(rng.gamma(spread**-2, spread**2)) if spread else rate
                row = {"mechanism": mechanism, "m": m, "trial": trial, "misclassification_rate": seen, "misclassified": 1000}
                rows.append(row | {"alpha": 20 * rate, "n": 10**10, "gamma": 0.0, "cell": f"{m:g}"} | changes)
    names = dict.fromkeys(("concept", "distribution", "distribution_parameters", "learner", "constants"), "x")
    return pd.DataFrame(rows).assign(**names, eps=1.0, delta=1e-6, beta=0.05)


def test_queries_answered_at_a_rate_invert_a_power_law_and_end_with_the_sweep() -> None:
    targets = np.array([1e-6, 2e-5, 3e-4, 1.0])
    np.testing.assert_allclose(answered(M, M / 1e8, targets), [np.nan, 2e3, 3e4, np.nan])
    # A rate that falls by chance is passed over: the largest m with no more than the target anywhere before it.
    assert answered(np.array([10.0, 20, 40]), np.array([1.0, 4, 2]), np.array([4.0]))[0] == pytest.approx(40)


def test_targets_are_those_that_both_sweeps_reach() -> None:
    targets = common_targets(np.array([1e-5, 1e-3]), np.array([1e-4, 1e-2]))
    assert 1e-4 < targets.min() < targets.max() < 1e-3
    assert not len(common_targets(np.array([1.0, 2.0]), np.array([3.0, 4.0])))


def test_a_factor_that_grows_as_one_over_alpha_has_the_exponent_minus_one() -> None:
    (rows,) = CLAIM.questions(table(spread=1e-6))
    verdict = CLAIM.decide(rows, 1e-6)
    assert verdict.outcome == "holds"
    assert verdict.measured == pytest.approx(-1, abs=1e-4)
    assert "exponent -1.00" in verdict.where and "the fixed point's -1.00" in verdict.where


@pytest.mark.parametrize(("exponent", "outcome"), [(1.0, "holds"), (0.8, "holds"), (0.45, "refuted"), (0.3, "refuted")])
def test_the_verdict_is_the_sign_of_the_exponent(exponent: float, outcome: str) -> None:
    """Our number of queries goes as α^(1/exponent), the baseline's as α²: the factor falls in α where 1/exponent < 2."""
    (rows,) = CLAIM.questions(table(exponent, spread=1e-3, trials=50))
    verdict = CLAIM.decide(rows, 1e-6)
    assert verdict.outcome == outcome


def test_with_too_much_noise_it_is_undecided_and_with_no_error_allowed_it_always_is() -> None:
    (rows,) = CLAIM.questions(table(spread=2.0, trials=3, exponent=0.6, seed=5))
    assert CLAIM.decide(rows, 1e-6).outcome == "undecided"
    (rows,) = CLAIM.questions(table(spread=1e-6))
    verdict = CLAIM.decide(rows, 0)
    assert verdict.outcome == "undecided" and verdict.measured == inf


def test_the_interval_covers_the_exponent_at_its_level() -> None:
    """The upper end is below −1 in at most 5 % of tables; 400 of them, and a right interval fails with probability < 1e-6."""
    below = 0
    for seed in range(400):
        (rows,) = CLAIM.questions(table(spread=0.3, trials=40, seed=seed))
        measured = CLAIM.decide(rows, 0.1).measured
        assert measured is not None
        below += measured < -1
    assert binom.sf(below - 1, 400, 0.05) > 1e-6


@pytest.mark.parametrize("changes", [{"misclassified": 1}, {"mechanism": "A_binClas"}], ids=str)
def test_nothing_is_asked_where_too_few_errors_were_seen_or_a_mechanism_lacks(changes: dict[str, Any]) -> None:
    assert list(CLAIM.questions(table(**changes))) == []


def test_sweeps_of_other_constants_or_n_are_other_questions() -> None:
    frame = pd.concat([table(), table().assign(constants="y"), table(n=10**9)])
    assert len(list(CLAIM.questions(frame))) == 3
