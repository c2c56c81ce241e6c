"""The exponential mechanism on as many public points as there are queries: its law, and what it is refused."""

import numpy as np
import pytest

from harness.mechanisms.classifying import classifiers
from harness.sweep.run.work import Batch, run_batch
from harness.trials.answers import KIND
from harness.trials.cell import Cell
from tests.support.exponential import drawn_in_full
from tests.support.same_law import assert_same_law
from tests.support.streams import streams

NAME = "exponential_on_m"
OWN = classifiers()[NAME]


def test_its_error_has_the_law_of_full_sampling() -> None:
    """In hundredths, of 2000 runs; fails on a right implementation with probability 1e-9."""
    cell, rng = Cell(n=40, m=20, gamma=0.1), np.random.default_rng(3)
    sampler, plan = cell.sampler(NAME), cell.plan(NAME)
    assert (plan.n, plan.k, plan.s, plan.spent, plan.vacuous) == (40, 1, 40, 1.0, True)
    own = [OWN.error(sampler, plan, cell.task, streams(seed)) for seed in range(2000)]
    full = [drawn_in_full(20, 40, 0.1, 0.5, rng) for _ in range(2000)]
    assert_same_law(*(np.array(each)[:, np.newaxis] * 100 // 1 for each in (own, full)))
    sharper = [drawn_in_full(20, 40, 0.1, 1.0, rng) for _ in range(2000)]
    with pytest.raises(AssertionError):
        assert_same_law(*(np.array(each)[:, np.newaxis] * 100 // 1 for each in (own, sharper)))


@pytest.mark.law
def test_queries_are_answered_wrong_with_the_chance_of_its_error() -> None:
    """Of 1024 trials with 1000 queries: the sum of what is wrong beyond expectation passes 6 deviations with chance 2e-9."""
    cell = Cell(n=300, m=1000)
    rows = run_batch(Batch("answers", cell, (NAME,), range(1024), 5)).rows.to_pylist()
    error, wrong = (np.array([row[name] for row in rows]) for name in ("fresh_error", "misclassified"))
    assert len(np.unique(error)) > 100
    assert abs((wrong - 1000 * error).sum()) < 6 * np.sqrt((1000 * error * (1 - error)).sum())
    assert (wrong == [row["wrong"] for row in rows]).all()
    assert {(row["answered"], row["bottoms"], row["k"], row["halted_at"]) for row in rows} == {(1000, 0, 1, None)}


@pytest.mark.law
def test_beside_it_others_draw_what_they_draw_without() -> None:
    cell = Cell(n=10**9, m=1000)
    both, alone = (KIND.rows(cell, names, 1, 2) for names in (["A_binClas", NAME], ["A_binClas"]))
    for row in (*both, *alone):
        del row["seconds"]
    assert both[0] == alone[0]
    again = KIND.rows(cell, [NAME], 1, 2)[0]
    del again["seconds"]
    assert both[1] == again


@pytest.mark.parametrize(
    ("fields", "key"),
    [({"m": 10**7}, "m"), ({"concept": "arcs", "m": 100}, "distribution")],
)
def test_what_is_refused(fields: dict[str, object], key: str) -> None:
    refusal = KIND.refuse(Cell.model_validate({"n": 10**9} | fields), NAME)
    assert refusal is not None
    assert (refusal.parameter, NAME in refusal.message) == (key, True)


def test_more_than_a_million_public_points_are_refused() -> None:
    for m, refused in ((10**6, False), (10**6 + 1, True)):
        cell = Cell(n=10**7, m=m)
        assert (KIND.refuse(cell, NAME) is not None) == refused
