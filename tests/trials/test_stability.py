"""Trials of stability: they measure what closed forms say, are pure, and refuse what cannot be measured."""

from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from pydantic import ValidationError

from harness.scores.replacement import Pairs
from harness.trials.stability import KIND, StabilityCell, coins, refuse, resolved

LEAK = {"name": "atoms", "masses": [0.4, 0.3], "chances": [0.3, 0.5]}


def squares(measure: str, trials: int = 30, **given: Any) -> tuple[float, float]:
    """The mean over trials of the mean squared change, and its standard error."""
    cell = StabilityCell(**{"s": 40, "pairs": 400} | given)
    found = np.array([KIND.rows(cell, [measure], 1, trial)[0]["mean_square"] for trial in range(trials)])
    return float(found.mean()), float(found.std(ddof=1) / np.sqrt(trials))


@pytest.mark.law
@pytest.mark.parametrize("learner", ["means", {"name": "sgd", "eta": 0.3}, {"name": "sgd", "eta": 0.3, "order": "permuted"}])
@pytest.mark.parametrize("distribution", ["atoms", LEAK], ids=["alone", "leak"])
def test_replaced_examples_move_a_score_as_the_closed_form_says(learner: Any, distribution: Any) -> None:
    """Within 6.5 standard errors: Student's t of 30 trials is beyond with probability below 1e-6."""
    cell = StabilityCell(s=40, learner=learner, distribution=distribution)
    mean, error = squares("on_average", learner=learner, distribution=distribution)
    assert cell.closed is not None
    assert abs(mean - cell.closed**2) < 6.5 * error < 0.5 * mean


def test_without_their_weights_they_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places near the end count most for constant steps, and are drawn too often."""
    drawn = Pairs.drawn

    def unweighted(*given: Any) -> Pairs:
        found = drawn(*given)
        return Pairs(found.points, found.labels, found.j, np.ones_like(found.weights))

    monkeypatch.setattr(Pairs, "drawn", unweighted)
    closed = StabilityCell(s=40, learner="sgd").closed
    mean, error = squares("on_average", learner="sgd")
    assert closed is not None and mean - closed**2 > 6.5 * error


def test_a_changed_label_moves_the_score_of_one_atom_as_far_as_any_pair_can() -> None:
    """Means: 1/n'; constant steps: √(Σ η²(1 − η)^(2i)/n'), whatever the other examples are."""
    mean, error = squares("uniform", learner="means")
    assert abs(mean - 1 / 40**2) < 6.5 * error
    mean, error = squares("uniform", learner={"name": "sgd", "eta": 0.3})
    assert abs(mean - np.sum(0.3**2 * 0.7 ** (2 * np.arange(40))) / 40) < 6.5 * error
    assert StabilityCell(s=9, learner={"name": "sgd", "eta": 0.3, "gamma": 0.5}).hardest
    assert not StabilityCell(s=9, learner={"name": "sgd", "steps": "inverse", "gamma": 0.5}).hardest  # steps beyond 1
    assert StabilityCell(s=9).hardest and not StabilityCell(s=9, distribution=LEAK).hardest
    assert not StabilityCell(s=9, learner={"name": "sgd", "loss": "logistic"}).hardest


def test_coins_move_single_scores_and_not_their_mean() -> None:
    """The gap over its standard error is about a standard normal number; beyond 6.5 with probability below 1e-6."""
    cell = StabilityCell(s=40, pairs=200, learner={"name": "sgd", "order": "permuted"})
    rows = [KIND.rows(cell, ["coins"], 1, trial)[0] for trial in range(20)]
    assert all(0 < row["gap_error"] and row["gap"] < 6.5 * row["gap_error"] for row in rows)
    still = KIND.rows(StabilityCell(s=40), ["coins"], 1, 0)[0]
    assert (still["gap"], still["gap_error"]) == (0, 0)


def test_rows_are_pure_and_have_every_column() -> None:
    cell, names = StabilityCell(s=20, learner={"name": "sgd", "order": "permuted"}), ["uniform", "coins", "on_average"]
    together = [{**row, "seconds": 0} for row in KIND.rows(cell, names, 7, 3)]
    alone = [{**KIND.rows(cell, [name], 7, 3)[0], "seconds": 0} for name in reversed(names)][::-1]
    assert together == alone
    assert all(
        set(row) == set(KIND.table) and KIND.parameters(cell, row["mechanism"]).items() <= row.items() for row in together
    )
    assert [row["change"] is None for row in together] == [False, True, False]
    assert KIND.rows(cell, names, 8, 3)[0]["change"] != together[0]["change"]


def test_a_cell_is_the_same_however_it_is_written() -> None:
    short = StabilityCell(s=9, learner="sgd", distribution="beyond_c")
    long = StabilityCell(s="9e0", learner={"name": "sgd", "eta": "1e-1"}, distribution={"name": "beyond_c"}, sampling="full")
    assert short.identity == long.identity != StabilityCell(s=9, learner={"name": "sgd", "eta": 0.2}).identity


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"learner": "sdg"}, "no learner 'sdg'; did you mean 'sgd'? allowed: "),
        ({"learner": {"name": "sgd", "step": "sqrt"}}, "unknown key; did you mean 'steps'?"),
        ({"learner": {"name": "sgd", "steps": "root"}}, "Input should be 'constant', 'sqrt' or 'inverse'"),
        (
            {"distribution": {"name": "atoms", "masses": [0.7, 0.7], "chances": [0, 1]}},
            "the masses add up to 1.4; allowed: at most 1",
        ),
        ({"distribution": {"name": "atoms", "masses": [0.7]}, "learner": "proba"}, "no learner 'proba'"),
        ({"learner": {"sklearn": "svm.SVR"}}, "no classifier 'SVR' in sklearn.svm"),
    ],
)
def test_bad_cells_are_told_what_is_allowed(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        StabilityCell(s=9, **given)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sampling": "sufficient"}, "sampling 'sufficient' draws no examples that could be replaced; allowed: full"),
        ({"query": 1}, "query 1 of 1 points; allowed: below 1"),
        ({"pairs": 10**5, "s": 10**4}, "100000 pairs of s = 10000 examples would be held; allowed: at most 3355"),
        ({"distribution": "beyond_c"}, "means has one weight an atom, and beyond_c has none; allowed: atoms"),
    ],
)
def test_what_cannot_be_measured_is_refused(given: dict[str, Any], said: str) -> None:
    refusal = refuse(StabilityCell(**{"s": 9} | given), "on_average")
    assert refusal is not None and refusal.message == said


def test_a_gap_is_between_mean_scores_at_the_point_by_either_coin_on_the_same_chunks() -> None:
    """With the standard error of the mean of what they differ by."""
    scores = np.array([[[9.0, 0.5], [9.0, 0.25], [9.0, 1.0], [9.0, 0.75]], [[2.0, 0.25], [3.0, 0.5], [4.0, 0.75], [5.0, 0.5]]])
    cell = Mock(pairs=4, s=3, query=1)
    cell.distribution.examples.side_effect = lambda rng, size, *rest: (np.zeros(size), np.zeros(size, np.int8))
    cell.learner.fit.side_effect = list(scores)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pairs, "drawn", lambda *given: Mock())
        found = coins(cell, np.random.default_rng(1))
    apart = [0.25, -0.25, 0.25, 0.25]
    assert found == {"gap": pytest.approx(0.125), "gap_error": pytest.approx(np.std(apart, ddof=1) / 2)}
    one, other = (call.args[3] for call in cell.learner.fit.call_args_list)
    assert len(one) == len(other) == 4 and len({*one}) == len({*other}) == 1 and one[0] != other[0]


@pytest.mark.parametrize("s", [9, 40])
def test_a_score_may_be_four_alpha_root_two_s_from_its_mean(s: int) -> None:
    """Of means α² is 2p(1 − p)/s², of one atom of chance p: a label among s is another with chance 2p(1 − p)."""
    cell = StabilityCell(s=s, distribution={"name": "atoms", "masses": [1.0], "chances": [0.3]})
    row = resolved(cell, "on_average")
    assert row["chance"] == 0.3 and row["radius"] == pytest.approx(4 * np.sqrt(0.42) / s * np.sqrt(2 * s))
