"""Section 5's claims on soft labels: what would have made each fall, and false variants of them, which do."""

from dataclasses import replace
from math import ceil, log
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.claims.btt18a.c5_10 import tails
from harness.claims.btt18a.l5 import _misses, _stable, missed
from harness.claims.btt18a.s5 import example, strength
from harness.claims.btt18a.t5_4 import corners, queries
from harness.claims.btt18a.t5_14 import scores_near, stable_answered
from harness.claims.engine import Computed, Number
from harness.claims.engine.event_seen import RowsSeen
from harness.claims.registry import claims
from harness.theory.constants.btt18a_scores import PRINTED, REPAIRED, TIGHT, single_chunks
from harness.trials import kinds
from tests.support.claims import event

TWO = {"name": "atoms", "masses": [0.5, 0.5], "chances": [0.6, 0.6]}
BASE: dict[str, Any] = {"distribution": TWO, "n": 10**12, "m": 200, "T": 6, "hard": 6, "beta": 0.05}


def rows(trials: int = 1, **changes: Any) -> pd.DataFrame:
    """A table of trials of A_SL-Quer on one cell."""
    kind = kinds()["soft_labels"]
    cell = kind.cell.model_validate(BASE | changes)
    return pd.DataFrame([row for trial in range(trials) for row in kind.rows(cell, ["A_SL_Quer"], 5, trial)])


def failures(claim: str, frame: pd.DataFrame) -> int:
    """In how many trials it fails, where it applies. claim: its id, or what comes after the paper in it."""
    id = claim if claim in claims() else f"BTT18a:{claim}"
    assert claims()[id].applies(frame.iloc[0]), id
    return int(RowsSeen.of(event(id), frame).failed.sum())


def outcomes(numbers: list[Number]) -> set[str]:
    return {verdict.outcome for verdict in Computed(lambda: numbers).computed("x")}


def test_half_of_the_unstable_queries_halt_the_printed_loop() -> None:
    shape = {"learner": {"name": "agreement", "share": 1}, "width": 0.1}
    assert failures("T5.6", rows(3, constants="BTT18a", **shape)) == 3
    assert failures("T5.6-repaired", rows(3, constants="repaired", **shape)) == 0
    halting = rows(3, constants="BTT18a", **shape)
    assert (halting["bottoms"] == 4).all() and (halting["unanswered"] > 0).any()  # c = 8 > 6 after the fourth
    one_more = rows(3, constants="repaired", hard=7, **shape)
    assert not claims()["BTT18a:T5.6-repaired"].applies(one_more.iloc[0])


def test_a_histogram_just_short_of_stable_gets_its_own_midpoint() -> None:
    short = {"learner": {"name": "agreement", "share": 1, "rest": "shifted", "lean": 0.3}, "width": 0.1}
    assert failures("T5.6-shifted", rows(2, constants="BTT18a", **short)) == 2
    assert failures("T5.6-shifted-repaired", rows(2, constants="repaired", **short)) == 0
    tied = {"learner": {"name": "agreement", "share": 1, "rest": "shifted", "lean": 0}, "width": 0.1}
    assert failures("T5.6-shifted", rows(2, constants="BTT18a", **tied)) == 0


def test_on_a_bins_edge_the_answer_is_further_than_printed() -> None:
    edge = {"learner": {"name": "first_label", "bins": 10}, "hard": 1, "T": 1}
    printed, repaired = rows(2, constants="BTT18a", **edge), rows(2, constants="repaired", **edge)
    assert failures("T5.14", printed) == 2 and failures("T5.14-repaired", repaired) == 0
    assert (printed["width"] == 0.1).all() and printed["error"].iloc[0] == pytest.approx(0.05 + 0.39 * 0.08 / (32 * 0.24**0.5))
    assert failures("T5.14-repaired", repaired.assign(bottoms=1)) == 2
    means = {"learner": "means", "distribution": {**TWO, "chances": [0.01, 0.99]}, "hard": 0}
    assert failures("T5.14", rows(2, constants="BTT18a", **means)) == 0


@pytest.mark.parametrize("changes", [{"hard": None}, {"rule": "rate"}, {"n": 10**7}, {"k_scale": 0.9}, {"hard": 7}])
def test_where_the_main_theorem_does_not_speak(changes: dict[str, Any]) -> None:
    edge: dict[str, Any] = {"learner": {"name": "first_label", "bins": 10}, "constants": "BTT18a"}
    assert claims()["BTT18a:T5.14"].applies(rows(**edge).iloc[0])
    first = rows(**edge | changes).iloc[0]
    if changes.get("n"):  # the width there is 1/bins at every n: so few examples make it too few chunks only
        assert first["k"] <= 10**7
    else:
        assert not claims()["BTT18a:T5.14"].applies(first)


def test_k_tight_suffices_and_nine_tenths_do_not() -> None:
    """200 trials each: at k_tight at most β may fail, and 0.9 of it fails nearly always."""
    shape = {"learner": "agreement", "width": 0.1, "constants": "k_tight", "beta": 0.25}
    assert failures("T5.14-k", rows(100, **shape)) <= 0.25 * 100 + 25  # six standard deviations
    assert failures("probe:BTT18a:T5.14-k-nine-tenths", rows(20, k_scale=0.9, **shape)) >= 15
    assert TIGHT.k_scale == 1.0


def test_the_corollary_with_half_its_constant_is_refuted() -> None:
    assert outcomes(list(tails(lambda beta: ceil(72 * log(1 / beta))))) == {"holds"}
    assert "refuted" in outcomes(list(tails(lambda beta: ceil(36 * log(1 / beta)))))


def test_the_lemma_with_a_quarter_of_its_k_is_refuted() -> None:
    assert outcomes(list(_misses(1.0))) == {"holds"}
    assert "refuted" in outcomes(list(_misses(0.4)))


def test_the_lemmas_chance_is_that_of_the_code() -> None:
    """Against the tests as they are run, where it shows. A false failure has probability below 1e-6."""
    lam, w = 3.0, 12.0
    k, runs, rng = ceil(0.3 * single_chunks(lam, w, 0.05)), 20_000, np.random.default_rng(1)
    inside = rng.binomial(k, 0.75, runs)
    gap = 2 * inside - k
    noisy = np.maximum(gap - 1, 0) + rng.laplace(0, 2 * lam, runs)
    hits = int(((gap <= 0) | (noisy <= w + rng.laplace(0, lam, runs))).sum())
    chance = missed(k, lam, w)
    assert 0.05 < chance < 0.95 and abs(hits - runs * chance) < 5.2 * (runs * chance * (1 - chance)) ** 0.5


def test_one_query_leaks_more_than_delta_up_to_a_ninth_of_its_inverse() -> None:
    """At δ = 10⁻⁶ for the first five m, up to 10⁵; at δ = 0.1 for m = 1."""
    beyond = [number.measured > number.bound for number in queries(PRINTED)]
    assert beyond == [True] * 5 + [False] + [True] + [False] * 5
    assert outcomes(list(queries(REPAIRED))) == {"holds"}
    assert "refuted" in outcomes(list(queries(replace(REPAIRED, threshold=1.2))))


def test_the_repaired_run_is_private_at_the_corners_and_with_less_threshold_or_noise_it_is_not() -> None:
    assert outcomes(list(corners(REPAIRED))) == {"holds"}
    assert "refuted" in outcomes(list(corners(PRINTED)))
    assert "refuted" in outcomes(list(corners(replace(REPAIRED, threshold=1.5))))


def test_utility_at_the_corners_falls_with_three_quarters_near_or_a_threshold_four_times_as_high() -> None:
    assert outcomes(list(scores_near(REPAIRED))) == outcomes(list(stable_answered(REPAIRED))) == {"holds"}
    assert "refuted" in outcomes(list(scores_near(REPAIRED, 0.75)))
    assert "refuted" in outcomes(list(stable_answered(replace(REPAIRED, threshold=8.0))))


def test_two_thirds_in_one_bin_are_stable_below_a_third_and_not_at_it() -> None:
    assert outcomes(list(_stable(0))) == {"refuted"} and outcomes(list(_stable(1))) == {"holds"}


def test_the_privacy_of_a_run_falls_where_nothing_is_certified() -> None:
    row = {"mechanism": "repaired", "eps": 1.0, "delta": 1e-6, "spent_upper": 0.8, "leak_run": 1e-9}
    repaired = event("BTT18a:T5.4-repaired")
    assert not RowsSeen.of(repaired, pd.DataFrame([row])).failed.any()
    assert RowsSeen.of(repaired, pd.DataFrame([row | {"spent_upper": None}])).failed.all()
    assert RowsSeen.of(repaired, pd.DataFrame([row | {"leak_run": 2e-6}])).failed.all()
    assert RowsSeen.of(repaired, pd.DataFrame([row | {"spent_upper": 1.01}])).failed.all()


def test_spread_answers_are_strong_and_those_of_the_example_are_not() -> None:
    assert strength((np.arange(1600) + 0.5) / 1600) == pytest.approx(1)
    assert strength(example(0)) == 0 < strength(example(160))
