"""The plans of all that answers with scores, written a second time: chunks, noise, what is promised, and why nothing is."""

from functools import partial
from itertools import accumulate, pairwise
from math import ceil, exp, inf, log, sqrt
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.stats import norm

from harness.arrays import Ints, Reals
from harness.mechanisms.scoring import ScorePlan, ScoreRequest, promised, scorings
from harness.scores import Scorer
from harness.scores.atoms import ScoreAtoms
from harness.scores.means import LabelMeans
from harness.theory.constants.btt18a_scores import REPAIRED, ScoreTask, whole_width
from harness.theory.privacy.composition import compose_pure, pure_share
from harness.theory.privacy.gaussian import gaussian_eps

SCORER = Scorer(ScoreAtoms(), LabelMeans(), "sufficient")
TASK = ScoreTask(700, 2.0, 0.8, 1e-5, 0.03)


def asked(n: int = 10**10, chunks: int | None = None, width: float | None = None, nu: float = 0.02) -> ScoreRequest:
    return ScoreRequest(TASK, REPAIRED, n, nu, SCORER.stability, SCORER.means, width, chunks)


def unknown(n: int = 10**10) -> ScoreRequest:
    """Of a learner whose α is not known."""
    return ScoreRequest(TASK, REPAIRED, n, 0.02, lambda s: None, SCORER.means)


def plan(name: str, of: ScoreRequest) -> ScorePlan:
    return scorings()[name].plan(of)


def test_the_deviation_is_bernsteins() -> None:
    s, k, log_ = 50, 900, log(4 * 700 / 0.03)
    variance = (SCORER.stability(s) or 0) ** 2 * s / 2
    assert asked().deviation(s, k) == pytest.approx(sqrt(2 * variance * log_ / k) + 2 * log_ / (3 * k), rel=1e-12)
    assert unknown().deviation(s, k) == inf


def test_a_bound_is_promised_where_it_says_something() -> None:
    assert promised(0.1, 10, 10) == (0.1, None) and promised(0.49999, 11, 10)[0] == 0.49999
    assert promised(0.1, 9, 10) == (None, "n = 9 is less than k = 10: there is not one example a chunk")
    assert promised(inf, 10, 10) == (None, "α is not known of this learner")
    assert promised(0.5, 10, 10) == (None, "the bound on the error is 0.5, and an answer of ½ errs by no more than that")


def test_the_median_has_as_many_chunks_as_its_utility_needs() -> None:
    share = pure_share(0.8, 700, 1e-5)
    short = 2 / share * log(2 * 1024 * 700 / 0.03)
    k = ceil(6 * short) + 1
    assert k > ceil(72 * log(2 * 700 / 0.03))
    found = plan("median_exponential", asked())
    assert (found.k, found.s, found.width, found.reason) == (k, 10**10 // k, 1 / 1024, None)
    alpha = SCORER.stability(found.s)
    assert alpha is not None and found.alpha == alpha
    assert found.bound == pytest.approx(4 * sqrt(2) * alpha * sqrt(found.s) + 0.5 / 1024, rel=1e-12)
    assert found.noise == {"share": share} and found.spent == compose_pure(share, 700, 1e-5)
    assert plan("median_exponential", asked(chunks=ceil(6 * short))).bound is not None
    few = plan("median_exponential", asked(chunks=ceil(6 * short) - 1))
    assert few.bound is None and few.reason == f"k = {few.k} is not more than {6 * short:.4g}"
    assert plan("median_exponential", unknown()).reason == "α is not known of this learner"
    rich = ScoreRequest(ScoreTask(700, 2.0, 1e5, 1e-5, 0.03), REPAIRED, 10**10, 0.02, SCORER.stability, SCORER.means)
    assert plan("median_exponential", rich).k == ceil(72 * log(2 * 700 / 0.03))


def test_a_median_is_drawn_with_the_weights_of_the_exponential_mechanism() -> None:
    """All predictions in one cell: each other cell falls short by k/2 at least. The frequency of that cell is the softmax's."""
    found = plan("median_exponential", asked(chunks=40))

    class OneCell:
        types = 1

        def counts(self, rng: np.random.Generator, s: int, k: int, edges: Reals, trials: int | None = None) -> Ints:
            counts = np.zeros((1, edges.shape[1] + 1), np.int64)
            counts[0, 700] = k
            return counts

    share, queries = 0.3, 200_000
    one_cell: Any = OneCell()
    drawn = ScorePlan(n=found.n, k=40, s=found.s, noise={"share": share})
    answered = scorings()["median_exponential"].answer(
        drawn,
        one_cell,
        np.array([1]),
        np.random.default_rng(0),
        np.random.default_rng(1),
    )
    assert answered.low[0] == answered.high[0] and (answered.low[0] * 1024) % 1 == 0.5

    class Chances:
        def multinomial(self, sizes: Ints, chances: Reals) -> Any:
            self.chances = chances
            return np.asarray(chances > 1.5 / 1024) | (np.arange(1024) == 3)

    spy: Any = Chances()
    spread = scorings()["median_exponential"].answer(
        drawn,
        one_cell,
        np.array([queries]),
        np.random.default_rng(0),
        spy,
    )
    weight = exp(-share / 2 * 20)
    expected = np.where(np.arange(1024) == 700, 1.0, weight) / (1 + 1023 * weight)
    assert spy.chances[0] == pytest.approx(expected, rel=1e-9)
    assert (spread.low[0], spread.high[0]) == (3.5 / 1024, 700.5 / 1024)


def test_a_cell_of_a_median_is_worth_as_near_as_its_ranks_come_to_the_middle() -> None:
    """By all ranks that its points have among 40 predictions, of two queries at once."""
    counts = np.zeros((2, 1024), np.int64)
    counts[0, [10, 500, 900]], counts[1, [0, 1023]] = (9, 20, 11), (33, 7)
    scorer, noise = Mock(types=2), Mock()
    scorer.counts.return_value, noise.multinomial.return_value = counts, np.eye(2, 1024)
    drawn = ScorePlan(n=40, k=40, s=1, noise={"share": 0.3})
    scorings()["median_exponential"].answer(drawn, scorer, np.array([1, 1]), np.random.default_rng(0), noise)
    for own, chances in zip(counts.tolist(), noise.multinomial.call_args.args[1], strict=True):
        ends = [0, *accumulate(own)]
        ranks = [range(begin, end + 1) for begin, end in pairwise(ends)]
        weights = np.array([exp(-0.3 / 2 * min(abs(rank - 20) for rank in each)) for each in ranks])
        assert chances == pytest.approx(weights / weights.sum(), rel=1e-12)


def test_noise_on_averages_is_as_much_as_m_of_them_need() -> None:
    found = plan("gaussian_mean", asked(chunks=50_000))
    sigma = found.noise["sigma"]
    assert gaussian_eps(sqrt(700) / (50_000 * sigma), 1e-5) == pytest.approx(0.8, rel=1e-9) and found.spent == pytest.approx(
        0.8
    )
    far = norm.isf(0.03 / (4 * 700))
    assert found.bound == pytest.approx(far * sigma + asked().deviation(found.s, 50_000), rel=1e-9)
    assert (found.k, found.s, found.alpha) == (50_000, 200_000, SCORER.stability(200_000))
    assert (
        plan("gaussian_mean", asked(n=400, chunks=500)).reason
        == "n = 400 is less than k = 500: there is not one example a chunk"
    )
    assert plan("gaussian_mean", unknown()).bound is None


def test_the_average_without_noise_has_the_chunks_of_the_histograms() -> None:
    found = plan("mean", asked())
    assert found.k == REPAIRED.k(TASK) == plan("A_SL_Quer", asked()).k
    assert found.bound == asked().deviation(found.s, found.k) and found.noise == {}
    assert plan("mean", asked(n=5, chunks=7)).alpha is None


def test_the_histograms_promise_half_a_bin_where_all_is_met() -> None:
    found = plan("A_SL_Quer", asked(n=10**12))
    alpha = SCORER.stability(found.s)
    assert alpha is not None
    needed = 16 * alpha * sqrt(2 * found.s) + 0.02
    assert found.width == whole_width(needed) and found.width >= needed
    assert found.bound == pytest.approx(found.width / 2 + REPAIRED.beyond * alpha * sqrt(2 * found.s), rel=1e-9)
    assert found.noise == {"lam": REPAIRED.lam(TASK), "w": REPAIRED.w(TASK), "cutoff": REPAIRED.cutoff(TASK)}
    own = plan("A_SL_Quer", asked(n=10**12, width=0.25))
    assert own.width == 0.25 and own.bound == pytest.approx(0.125 + REPAIRED.beyond * alpha * sqrt(2 * found.s), rel=1e-9)
    assert plan("A_SL_Quer", asked(n=10**12, width=needed)).bound is not None
    narrow = plan("A_SL_Quer", asked(n=10**12, width=0.99 * needed))
    assert narrow.bound is None and str(narrow.reason).startswith("bins of width")
    fewer = plan("A_SL_Quer", asked(n=10**12, chunks=found.k - 1))
    assert fewer.bound is None and fewer.reason == f"k = {found.k - 1} is less than the {found.k} chunks that are asked for"
    assert plan("A_SL_Quer", asked(n=10**12, chunks=found.k)).bound is not None
    wide = plan("A_SL_Quer", asked(n=10**12, nu=0.6))
    assert wide.width == 0.5 and wide.bound is None and "none wider than ½" in str(wide.reason)
    assert plan("A_SL_Quer", asked(n=10)).reason == f"n = 10 is less than k = {found.k}: there is not one example a chunk"
    none = plan("A_SL_Quer", unknown())
    assert (none.width, none.bound, none.reason) == (0.5, None, "α is not known of this learner")


@pytest.mark.parametrize("eps", [0.25, 2.0])
def test_a_plan_keeps_to_what_is_certified_but_for_rounding(eps: float) -> None:
    for spent, kept in ((0.5 * eps, True), (eps * (1 + 1e-6), True), (eps * (1 + 1.1e-6), False), (2 * eps, False)):
        assert ScorePlan(n=1, k=1, s=1, accounting=partial(float, spent)).keeps_to(eps) == kept
    assert ScorePlan(n=1, k=1, s=1).spent == inf


def test_plans_of_the_same_numbers_are_equal_however_they_are_accounted_for() -> None:
    one, other = (ScorePlan(n=1, k=1, s=1, accounting=partial(float, spent)) for spent in (1, 2))
    assert one == other == ScorePlan(n=1, k=1, s=1) != ScorePlan(n=2, k=1, s=1) and "accounting" not in repr(one)
