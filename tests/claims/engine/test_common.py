"""What several papers' theorems share: where they speak, and how often they may fail."""

from typing import Any

import pandas as pd
import pytest

from harness.claims.engine.common import decided_by_mean, error_within, learns, promising, stable_votes, suffices
from harness.claims.engine.conditions import met, realizable
from harness.claims.engine.limits import amount

TWO_THIRDS = {
    "concept": "ensemble",
    "mechanism": "A_binClas",
    "distribution": "agreement",
    "distribution_parameters": '{"right": 0.6666666666666666}',
    "constants": "BTT18",
    "k_scale": 1.0,
}


@pytest.mark.parametrize(
    ("more", "change"),
    [
        ({"right": 1}, {"distribution_parameters": '{"right": 1.0}'}),
        ({"distribution": "coin"}, {"distribution": "coin"}),
        ({"k_scale": 0.9}, {"k_scale": 0.9}),
    ],
)
def test_votes_are_two_thirds_right_at_the_constants_own_k_unless_it_is_said_otherwise(
    more: dict[str, Any], change: dict[str, Any]
) -> None:
    plain, other = stable_votes("A_binClas", "BTT18"), stable_votes("A_binClas", "BTT18", **more)
    own, changed = pd.Series(TWO_THIRDS), pd.Series(TWO_THIRDS | change)
    assert met(plain, own) == len(plain) and met(other, changed) == len(other)
    assert met(plain, changed) < len(plain) and met(other, own) < len(other)


def test_what_suffices_is_said_of_labels_without_noise_at_the_printed_constants_unless_it_is_said_otherwise() -> None:
    texts: dict[str, Any] = {"id": "PAPER:T1", "source": "PAPER Theorem 1", "statement": "So many are enough.", "by": "ours"}
    plain, noisy = suffices(**texts, powers={"V": 1.0}), suffices(**texts, powers={"V": 1.0}, noisy=True)
    words = ["mechanism = ours", "constants = BTT18", "gamma = 0", "a bound that is not vacuous"]
    assert [each.words for each in plain.where] == [each.words for each in promising("ours")] == words
    assert [each.words for each in noisy.where] == [*words[:2], "gamma > 0", words[3]]
    learned = learns(**texts, where=realizable())
    words = ["mechanism = ours", "constants = BTT18", "k_scale = 1", "n ≥ what it asks for", "gamma = 0", "beta ≤ alpha"]
    assert [each.words for each in learned.where] == words
    first = pd.Series(TWO_THIRDS | {"mechanism": "ours", "n": 5, "needed": 5, "gamma": 0.0, "beta": 0.01, "alpha": 0.01})
    for change, applies in (({}, True), ({"n": 4}, False), ({"beta": 0.02}, False), ({"gamma": 0.1}, False)):
        assert learned.applies(pd.Series({**first, **change})) == applies
    assert learned.decider.bound(first) == pytest.approx(0.15)  # type: ignore[attr-defined]


def test_a_learner_may_fail_three_times_as_often_as_beta_and_an_error_of_1_says_nothing() -> None:
    first = pd.Series({"beta": 0.01})
    assert amount(error_within(0.5).may_fail, first) == pytest.approx(0.03)
    assert amount(error_within(0.5, betas=1).may_fail, first) == 0.01
    assert error_within(0.999).bound(first) == 0.999 and error_within(1.0).bound(first) is None
    assert error_within(0.5).trials == "learner"


@pytest.mark.parametrize(
    ("alpha", "m", "beta", "enough"),
    [(0.01, 1000, 0.05, True), (0.01, 900, 0.05, False), (0.005, 1000, 0.05, False), (0, 1, 1, True)],
)
def test_the_mean_decides_where_gamma_and_alpha_times_m_are_a_logarithm_at_least(
    alpha: float, m: int, beta: float, enough: bool
) -> None:
    """ln(1000/0.05) is 9.9."""
    split = {"gamma": alpha / 4, "alpha": 3 * alpha / 4, "m": m, "beta": beta}
    assert decided_by_mean().meets(pd.Series(split)) == enough
