"""Trials of soft labels: exact law against full sampling, what is refused, and that n and k cost nothing."""

from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from pydantic import ValidationError

from harness.mechanisms.scoring import Answered, scorings
from harness.mechanisms.scoring.histograms import Histograms
from harness.trials.soft_labels import KIND, STABLE, SoftLabelsCell, measured, refuse, stable
from tests.mechanisms.scoring.test_two_tests import p_value

SMALL: dict[str, Any] = {
    "n": 300, "m": 12, "T": 2, "hard": 2, "k": 60, "width": 0.25, "eps": 60, "delta": 0.05, "nu": 0.02,
    "distribution": {"name": "atoms", "masses": [0.5, 0.5], "chances": [0.1, 0.6]},
}  # fmt: skip
ERROR = 1e-7


def told(cell: SoftLabelsCell, trials: int, seed: int) -> list[tuple[int, ...]]:
    """What is compared, jointly: ⊥s, answers of the shifted partition, and the largest error."""
    found: list[tuple[int, ...]] = []
    for trial in range(trials):
        (row,) = KIND.rows(cell, ["A_SL_Quer"], seed, trial)
        error = -1 if row["error"] is None else round(8 * row["error"])
        found.append((min(row["bottoms"], 3), min(row["second"], 3), error))
    return found


def test_the_exact_law_is_that_of_full_sampling() -> None:
    """Joint two-sample test of 400 trials each; a false failure has probability 1e-7. Another width or p shows."""
    full = told(SoftLabelsCell(**SMALL, sampling="full"), 400, 1)
    assert p_value(told(SoftLabelsCell(**SMALL, sampling="sufficient"), 400, 2), full) > ERROR
    other = {**SMALL, "distribution": {**SMALL["distribution"], "chances": [0.1, 0.5]}}
    assert p_value(told(SoftLabelsCell(**other, sampling="sufficient"), 400, 3), full) < ERROR


def test_a_row_has_what_its_kind_declares_and_trials_repeat() -> None:
    from harness.trials import kinds

    kind = kinds()["soft_labels"]
    cell = SoftLabelsCell(n=10**9)
    names = list(scorings())
    first, again = KIND.rows(cell, names, 1, 0), KIND.rows(cell, names, 1, 0)
    for row, other in zip(first, again, strict=True):
        assert set(row) == set(kind.table)
        assert {key: value for key, value in row.items() if key != "seconds"} == {
            key: value for key, value in other.items() if key != "seconds"
        }
    own = next(row for row in first if row["mechanism"] == "A_SL_Quer")
    assert own["error"] <= own["bound"] and all(own[name] is not None for name in STABLE)
    assert all(row[name] is None for row in first if row["mechanism"] != "A_SL_Quer" for name in STABLE)


@pytest.mark.parametrize(
    ("changes", "parameter"),
    [
        ({"n": 1000}, "n"),
        ({"hard": 3, "m": 9}, "hard"),
        ({"learner": "agreement"}, "distribution"),
        ({"learner": "first_label", "distribution": {"name": "atoms", "masses": [0.5, 0.5], "chances": [0.1, 0.5]}}, "learner"),
    ],
)
def test_what_cannot_run_says_why(changes: dict[str, Any], parameter: str) -> None:
    refusal = refuse(SoftLabelsCell(**({"n": 10**9} | changes)), "A_SL_Quer")
    assert refusal is not None and refusal.parameter == parameter and "allowed" in refusal.message


def test_bins_are_refused_just_above_as_many_as_a_trial_counts() -> None:
    """Half-bins of eight points are 2^20 at γ = 2^−16, and 16 more at the next smaller γ; noisy averages have none."""
    eight = {"n": 10**10, "distribution": {"name": "atoms", "masses": [1 / 8] * 8, "chances": [0.2] * 8}}
    most, beyond = (SoftLabelsCell(**eight, width=1 / bins) for bins in (1 << 16, (1 << 16) + 1))
    refusal = refuse(beyond, "A_SL_Quer")
    assert refusal is not None and refusal.parameter == "width" and "1,048,592 half-bins" in refusal.message
    assert refuse(most, "A_SL_Quer") is None and refuse(beyond, "mean") is None


@pytest.mark.parametrize("changes", [{"constants": "BTT18"}, {"rule": "open"}, {"width": 0.6}, {"nu": 0.7}, {"T": 0}])
def test_what_no_cell_has(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SoftLabelsCell(**({"n": 10**9} | changes))


def test_widths_follow_from_the_rule() -> None:
    """Means at p = ½ on one atom: α = √½/n', the rate is 2/n', and an estimate is a little above the closed form."""
    small = {"n": 4000 * 16706, "nu": 0.0}
    alphas = {rule: SoftLabelsCell(**small, rule=rule).alpha(4000) for rule in ("closed", "rate", "estimate")}
    assert alphas["closed"] == pytest.approx(0.5**0.5 / 4000) and alphas["rate"] == 2 / 4000
    assert alphas["estimate"] is not None and 1 < alphas["estimate"] * 4000 / 0.5**0.5 < 1.5
    assert SoftLabelsCell(**small, rule="estimate").alpha(10**6) is None
    wide = SoftLabelsCell(n=10**9, width=0.3).plan("A_SL_Quer")
    assert wide.width == 1 / 3 and wide.bound == pytest.approx(1 / 6)
    narrow = SoftLabelsCell(n=10**9, width=0.01).plan("A_SL_Quer")
    assert narrow.bound is None and "narrower" in str(narrow.reason)


def test_each_query_may_have_bins_of_its_own() -> None:
    cell = SoftLabelsCell(n=10**10, distribution={"name": "atoms", "masses": [0.5, 0.5], "chances": [0.03, 0.97]})
    mechanism: Any = scorings()["A_SL_Quer"]
    plan, rng = cell.plan("A_SL_Quer"), np.random.default_rng(0)
    found = mechanism.by_widths(plan, cell.scorer, np.array([5, 10]), np.array([40, 60]), rng, rng)
    assert found.first.tolist() == [40, 60] and found.low == pytest.approx([0.1, 0.95])


def test_an_error_is_from_the_mean_on_chunks_and_an_excess_from_that_on_all_examples() -> None:
    """A chunk of five hardly ever has an example of the rare point, and says ½ there. False-failure probability: 1e-60.

    The mean of 200,000 scores is further than 0.02 from its own with chance 2 exp(−2·200,000·0.02²).
    """
    atoms = {"name": "atoms", "masses": [0.98, 0.02], "chances": [0.1, 0.9]}
    (row,) = KIND.rows(
        SoftLabelsCell.model_validate({"n": 10**6, "k": 200_000, "m": 1000, "distribution": atoms}), ["mean"], 1, 0
    )
    assert row["s"] == 5 and row["error"] < 0.02 < 0.2 < row["excess"]


def test_stable_queries_without_a_score_are_counted_by_the_partition_that_they_are_stable_on() -> None:
    """60 predictions in one bin; on either side of an edge between two; and spread over all. Counted by hand."""
    halves = np.array([[[40, 20, 0, 0, 0, 0, 0, 0], [0, 30, 30, 0, 0, 0, 0, 0], [8, 8, 8, 8, 7, 7, 7, 7]]])
    sizes, first, second = (np.array([each]) for each in ([10, 20, 5], [9, 3, 1], [0, 15, 2]))
    none = np.zeros((1, 3))
    answered = Answered(none, none, first, second, sizes - first - second, 0 * sizes, Histograms(halves, np.full(3, 4)))
    cell, plan = Mock(), Mock(k=60)
    cell.asked.constants.stable.return_value = 4.0
    found = {name: int(np.ravel(value)[0]) for name, value in stable(cell, plan, sizes, answered).items()}
    assert found == {
        "short": 20 + 5,
        "first_failed": 10 - 9,
        "second_failed": 20 - 15,
        "either_failed": 20 - (3 + 15),
        "split": 5,
        "agreed_failed": (10 - 9) + (20 - (3 + 15)),
    }


def test_a_histogram_is_stable_beyond_the_distance_of_the_theorem_and_not_at_it() -> None:
    """Of 10 queries by the plain partition, with 60 of 60 in a bin; of 20 others by the shifted one, none having a score."""
    halves = np.array([[[40, 20, 0, 0, 0, 0, 0, 0], [0, 30, 30, 0, 0, 0, 0, 0]]])
    sizes, none, nowhere = np.array([[10, 20]]), np.zeros((1, 2), np.int64), np.zeros((1, 2))
    answered = Answered(nowhere, nowhere, none, none, sizes, none, Histograms(halves, np.full(2, 4)))
    assert answered.seen is not None
    distance = float(answered.seen.plain.distance[0, 0])
    assert distance == answered.seen.shifted.distance[0, 1] > 0
    for d, short, first, second in ((distance, 30, 0, 0), (distance - 0.5, 20, 10, 20)):
        cell = Mock()
        cell.asked.constants.stable.return_value = d
        found = stable(cell, Mock(k=60), sizes, answered)
        assert [int(np.ravel(found[name])[0]) for name in ("short", "first_failed", "second_failed")] == [short, first, second]


def test_queries_are_unsure_from_nu_up_to_one_less_it() -> None:
    cell, answered = Mock(nu=0.25), Mock(seen=None)
    cell.scorer.means.return_value = np.array([0.2, 0.25, 0.5, 0.75, 0.8])
    found = measured(cell, Mock(), np.array([[1, 2, 4, 8, 16], [5, 0, 0, 0, 5]]), answered)
    assert found["unsure"].tolist() == [14, 0] and all(found[name] is None for name in STABLE)


@pytest.mark.parametrize("of", [(20, 20, 10, 10), (10, 20, 20, 10)])
def test_two_thirds_in_a_bin_of_either_partition_are_enough_and_one_less_is_not(of: tuple[int, ...]) -> None:
    """Of 60 in half-bins: two make a bin, from the first on or from the second."""
    one, nowhere, sizes = np.ones((1, 2), np.int64), np.zeros((1, 2)), np.array([[3, 5]])
    fewer = (of[0], of[1] - 1, of[2], of[3] + 1)
    halves = np.array([[[*of, 0, 0, 0, 0], [*fewer, 0, 0, 0, 0]]])
    answered = Answered(nowhere, nowhere, one, 0 * one, sizes - one, 0 * one, Histograms(halves, np.full(2, 4)))
    cell = Mock()
    cell.asked.constants.stable.return_value = 4.0
    found = stable(cell, Mock(k=60), sizes, answered)
    assert (int(np.ravel(found["split"])[0]), int(np.ravel(found["agreed_failed"])[0])) == (5, 3 - 1)
