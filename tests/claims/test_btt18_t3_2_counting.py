"""The proof's bounds on the mistakes, and Lemma 3.3 after them: on rows made by hand, and by the laws they are about."""

from math import ceil, log, sqrt

import numpy as np
import pandas as pd
import pytest
from harness.claims.btt18_t3_2_mistakes import Counting, NoHypothesisErrsMore, NoHypothesisErrsMoreRepaired
from scipy.stats import binom

GOOD = {
    "cell": "c0ffee",
    "concept": "exact_error",
    "mechanism": "A_binClas",
    "vacuous": True,
    "trial": 0,
    "m": 10_000,
    "k": 100,
    "eps": 1.0,
    "delta": 1e-6,
    "beta": 0.05,
    "gamma": 0.0,
    "alpha": 0.01,
    "max_mistakes": 100,
    "unstable": 0,
}
L = log(10_000 / 0.05)
PRINTED, BERNSTEIN = 100 + sqrt(100 * L / 2), 100 + sqrt(2 * 100 * L) + L / 3


def rows(**columns: object) -> pd.DataFrame:
    """One row, or as many as a column has values."""
    length = max([len(value) for value in columns.values() if isinstance(value, list)], default=1)
    return pd.DataFrame(GOOD | columns, index=range(length))


@pytest.mark.parametrize(
    ("claim", "most"),
    [(NoHypothesisErrsMore(), PRINTED), (NoHypothesisErrsMoreRepaired(), BERNSTEIN)],
    ids=["printed", "repaired"],
)
def test_a_trial_fails_where_some_hypothesis_errs_more_than_the_bound(claim: NoHypothesisErrsMore, most: float) -> None:
    frame = rows(max_mistakes=[0, int(most), ceil(most), 10_000])
    assert claim.failed(frame).tolist() == [False, False, True, True]
    assert [claim.event(frame.iloc[[i]])[0].broken for i in range(4)] == [False, False, True, True]


@pytest.mark.parametrize("beta", [0.05, 1e-6])
@pytest.mark.parametrize(("m", "alpha", "k"), [(100, 0.01, 10), (10_000, 0.01, 10), (10_000, 0.5, 10), (1000, 0.1, 10**9)])
def test_the_repaired_bound_holds_for_k_independent_hypotheses_by_the_binomial_law(
    m: int, alpha: float, k: int, beta: float
) -> None:
    first = rows(m=m, alpha=alpha, k=k, beta=beta).iloc[0]
    one = binom.sf(int(NoHypothesisErrsMoreRepaired().bound(first)), m, alpha)
    assert -np.expm1(k * np.log1p(-one)) <= beta


def test_the_printed_bound_fails_even_for_one_hypothesis_by_the_binomial_law() -> None:
    """About (β/m)^(1/4) in place of β/m."""
    one = binom.sf(int(PRINTED), 10_000, 0.01)
    assert 0.1 * (0.05 / 10_000) ** 0.25 < one < (0.05 / 10_000) ** 0.25
    assert -np.expm1(100 * np.log1p(-one)) > 0.05


@pytest.mark.parametrize(
    ("changes", "asked"), [({}, 1), ({"concept": "thresholds"}, 0), ({"mechanism": "majority"}, 0)], ids=str
)
def test_the_bounds_are_decided_on_hypotheses_of_exact_error(changes: dict[str, object], asked: int) -> None:
    for claim in (NoHypothesisErrsMore(), NoHypothesisErrsMoreRepaired()):
        assert len(list(claim.questions(rows(**changes)))) == asked


def test_the_lemma_is_broken_by_as_many_queries_as_3B() -> None:
    """Fewer than B/ξ = 3B queries; at B = 0 none has a wrong vote, and the strict inequality is let pass."""
    claim, frame = Counting(), rows(max_mistakes=[5, 5, 5, 0, 0], unstable=[14, 15, 16, 0, 1])
    assert claim.failed(frame).tolist() == [False, True, True, False, True]
    assert [claim.event(frame.iloc[[i]])[0].broken for i in range(5)] == [False, True, True, False, True]
    assert claim.decide(frame, 0.0).outcome == "refuted"
    assert claim.decide(frame.iloc[[0, 3]], 0.0).outcome == "holds"


def test_the_lemma_holds_on_any_votes() -> None:
    """Brute force: wrong votes of 30 classifiers on 40 queries at all densities, against the rows they make."""
    rng = np.random.default_rng(0)
    wrong = rng.random((500, 30, 40)) < rng.random((500, 1, 1)) * rng.random((500, 1, 40))
    most, unstable = wrong.sum(axis=2).max(axis=1), (3 * wrong.sum(axis=1) > 30).sum(axis=1)
    assert unstable.max() > 20
    assert not Counting().failed(rows(max_mistakes=most.tolist(), unstable=unstable.tolist())).any()
