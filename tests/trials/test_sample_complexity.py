"""Learners and searches as trials: rows, refusals, and an n* that has a closed form."""

from math import ceil, log
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from harness.concepts.black_box import BlackBox
from harness.sweep.table.schema import tabulated
from harness.transfer import private_learners
from harness.trials.learner import KIND as LEARNED
from harness.trials.learner import LearnerCell
from harness.trials.learner import refuse as refuse_learner
from harness.trials.sample_complexity import KIND as SEARCHED
from harness.trials.sample_complexity import SearchCell, refuse, resolved, searched
from harness.trials.seeds import BlockStreams, stream
from tests.support.learnable import learnable

LEARNER = LearnerCell.model_validate({"alpha": 0.05, "distribution": {"name": "uniform", "target": 0.3}})
SEARCH = SearchCell(alpha=0.05, target="alpha", error=0.05, budget=100)


@pytest.mark.law
def test_the_interval_covers_the_closed_form_of_a_learner_without_privacy() -> None:
    """The leftmost threshold errs more than α when no example is within α of the target: (1 − α)^n ≤ 3β from n* on.

    100 searches, each of which may miss with probability 0.05: more than 19 misses have probability 1.1e-7.
    """
    n_star = ceil(log(0.15) / log(1 - 0.05))
    rows = [
        searched(SEARCH, private_learners()["non_private"], BlockStreams(SEARCH.identity, 1, trial)) for trial in range(100)
    ]
    misses = sum(not row["n_low"] < n_star <= row["n_high"] for row in rows)
    assert binom.sf(19, 100, 0.05) < 1e-6
    assert misses <= 19
    assert sum(row["n_high"] / row["n_low"] < 10 for row in rows) > 75


@pytest.mark.law
def test_the_sharp_n_star_of_a_private_learner_is_where_chunks_are_large_enough() -> None:
    """Leftmost thresholds: the labels turn at ln 2/s, so n* is about k ln 2/α, here within the finite-s law and coins."""
    cell = SearchCell(alpha=0.01, target="alpha")
    (row,) = SEARCHED.rows(cell, ["A_Priv"], 1, 0)
    plan = private_learners()["A_Priv"].run(cell.problem, row["n_high"], lambda purpose: np.random.default_rng(1)).plan
    assert plan is not None
    assert abs(plan.s / (log(2) / 0.01) - 1) < 0.1
    assert row["n_high"] < 1.2 * row["n_low"]
    assert row["n_high"] < row["needed"]


@pytest.mark.at_once("non_private", "public_alone", "noisy_descent", "exponential_few", "output_perturbation")
@pytest.mark.parametrize("name", private_learners())
def test_rows_have_the_columns_of_their_kind_and_are_functions_of_cell_and_seed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.transfer.training.MOST_EXAMPLES", 10_000)  # so few runs show nothing at any n
    short = SEARCH.model_copy(update={"alpha": 0.3, "budget": 20})
    for kind, cell in ((LEARNED, learnable(name, LEARNER)), (SEARCHED, learnable(name, short))):
        (row,), (again,) = kind.rows(cell, [name], 1, 0), kind.rows(cell, [name], 1, 0)
        assert tabulated([row], kind.name).num_rows == 1
        assert set(row) == set(kind.table)
        assert {**row, "seconds": 0} == {**again, "seconds": 0}
        if kind is LEARNED:  # the ends of a sharp n* are the same whatever the runs
            (other,) = kind.rows(cell, [name], 2, 0)
            assert {**row, "seconds": 0} != {**other, "seconds": 0}


@pytest.mark.at_once("learner")
@pytest.mark.parametrize("kind", ["learner", "sample_complexity"])
def test_no_two_private_learners_draw_the_same_numbers(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor one of them for two purposes: whatever the streams are called, each is one purpose's alone."""
    asked: list[float] = []

    def told(*names: Any) -> np.random.Generator:
        asked.append(stream(*names).random())
        return stream(*names)

    monkeypatch.setattr("harness.trials.seeds.stream", told)
    drawn: dict[str, set[float]] = {}
    for name in private_learners() if kind == "learner" else ("non_private", "A_Priv_erm", "A_Priv_erm_noisy_majority"):
        asked.clear()
        if kind == "learner":
            LEARNED.rows(learnable(name, LEARNER), [name], 1, 0)
            assert len(set(asked)) == len(asked)
        else:  # points of the grid below 50 may be the same n
            SEARCHED.rows(SEARCH, [name], 1, 0)
        drawn[name] = set(asked)
        assert drawn[name]
    assert len(set().union(*drawn.values())) == sum(map(len, drawn.values()))


def test_a_bound_is_claimed_from_the_needed_n_on_and_where_it_is_not_trivial() -> None:
    needed = private_learners()["A_Priv"].needed(LEARNER.problem)
    rows = {n: LEARNED.rows(LearnerCell(alpha=0.05, n=n), ["A_Priv"], 1, 0)[0] for n in (needed, needed - 1)}
    assert rows[needed]["bound"] == pytest.approx(0.75)
    assert rows[needed - 1]["vacuous"]
    (trivial,) = LEARNED.rows(LearnerCell(alpha=0.07), ["A_Priv"], 1, 0)
    assert trivial["bound"] is None  # 15α > 1
    assert trivial["n"] == trivial["needed"]


def test_what_cannot_be_run_is_refused_with_the_parameter_at_fault() -> None:
    cases = [
        (refuse, SearchCell(alpha=0.05, gamma=0.1), "A_Priv_pac", "gamma", "without noise"),
        (refuse, SearchCell(alpha=0.05, beta=0.4), "A_Priv", "beta", "allowed: beta < 1/3"),
        (refuse, SearchCell(alpha=0.05, beta=1 / 3), "A_Priv", "beta", "allowed: beta < 1/3"),
        (refuse, SearchCell(alpha=1e-9), "A_Priv", "alpha", "allowed: n ≤ 1e+18"),
        (refuse, SearchCell(alpha=1e-5, concept="stumps"), "A_Priv", "alpha", "public points; allowed: at most 5e+07"),
        (refuse, SearchCell(alpha=0.05, concept="halfspaces", V=5, sampling="full"), "A_Priv", "distribution", "another"),
        (refuse, SearchCell(alpha=0.05, concept="stumps", gamma=0.1), "A_Priv_estimated", "mechanisms", "sets aside"),
        (refuse_learner, LearnerCell(alpha=0.05, concept="stumps", n=10**12), "non_private", "n", "allowed: at most 5e+07"),
    ]  # fmt: skip
    for refusing, cell, name, key, said in cases:
        refusal = refusing(cell, name)  # type: ignore[operator]
        assert refusal is not None
        assert refusal.parameter == key
        assert said in refusal.message
    black_box = LearnerCell(alpha=0.05, learner=BlackBox(estimator="tree.DecisionTreeClassifier"), sampling="full", n=100)
    refusal = refuse_learner(black_box, "A_Priv")
    assert refusal is not None and refusal.parameter == "learner"


def test_a_search_beyond_any_n_says_so() -> None:
    """No public points can make up for labels at α = 0.05 when the target is far below what m points can show."""
    cell = SearchCell(alpha=0.05, target="alpha", budget=100)
    (row,) = SEARCHED.rows(cell, ["A_Priv_erm"], 1, 0)
    assert row["n_high"] is None or row["n_high"] > row["n_low"]
    assert (row["n_star"] is None) == (row["n_high"] is None)


@pytest.mark.parametrize(("alpha", "gamma", "vacuous"), [(0.05, 0.0, False), (0.1, 0.0, True), (0.05, 0.05, True)])
def test_a_search_is_for_nothing_where_the_theorem_claims_an_error_of_one_or_more(
    alpha: float, gamma: float, vacuous: bool
) -> None:
    """Which is 15α, or 7γ + 15α; α + γ itself is always less."""
    cell = SearchCell(alpha=alpha, gamma=gamma)
    row = resolved(cell, "A_Priv")
    assert row["largest_error"] == pytest.approx(7 * gamma + 15 * alpha) and row["vacuous"] == vacuous
    own = resolved(SearchCell(alpha=alpha, gamma=gamma, target="alpha"), "A_Priv")
    assert own["largest_error"] == pytest.approx(gamma + alpha) and not own["vacuous"]
