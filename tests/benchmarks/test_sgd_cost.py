"""What scores cost: full sampling of SGD little more than its arithmetic, and exact laws nothing in n."""

from collections.abc import Callable

import numpy as np
import pytest

from harness.scores import Scorer
from harness.scores.atoms import ScoreAtoms
from harness.scores.means import LabelMeans
from harness.scores.sgd import Sgd
from tests.support.ratios import AtMost


@pytest.mark.parametrize("d", [2, 20])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_full_sampling_of_sgd_is_within_4_times_of_its_arithmetic(d: int, loss: str, takes_at_most: AtMost) -> None:
    """k = 5,000 chunks of 300 examples: one k × d update a step, with all examples drawn before the clock starts."""
    k, s, rng = 5000, 300, np.random.default_rng(1)
    instance = ScoreAtoms(masses=(0.9 / (d - 1),) * (d - 1), chances=(0.4,) * (d - 1))
    scorer = Scorer(instance, Sgd(loss=loss, steps="sqrt", eta=0.5), "full")
    x, y = rng.random((k, d)), rng.random(k)

    def arithmetic() -> None:
        w = np.zeros((k, d))
        for t in range(1, s + 1):
            z = np.einsum("kd,kd->k", w, x)
            pull = (z if loss == "squared" else 1 / (1 + np.exp(-z))) - y
            w -= (0.5 / t**0.5 * pull)[:, np.newaxis] * x

    takes_at_most(4.0, lambda: scorer.predictions(rng, s, k), arithmetic, 3)


@pytest.mark.parametrize("q", [1.0, 0.5])
def test_means_at_a_thousand_times_the_n_take_as_long(q: float, takes_at_most: AtMost) -> None:
    """n = 10¹² against n = 10⁹ at k = 2·10⁴, in bins of width 1/50: within a factor 1.5 once a cell's law is known."""
    k, edges = 20_000, np.arange(1, 50)[np.newaxis] / 50
    scorer, rng = Scorer(ScoreAtoms(masses=(q,)), LabelMeans(), "sufficient"), np.random.default_rng(1)

    def trials(n: int) -> Callable[[], object]:
        return lambda: [scorer.counts(rng, n // k, k, edges) for _ in range(20)]

    takes_at_most(1.5, trials(10**12), trials(10**9), 20)
