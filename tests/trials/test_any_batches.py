"""Trials of every kind that is drawn in blocks are the same however they are asked for."""

from collections.abc import Sequence
from typing import Any

import pytest

from harness.sweep.run.work import Batch, run_batch
from harness.trials import kinds
from harness.trials.fields import Identified

GIVEN: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "answers": ({"m": 3000, "n": 2 * 10**9}, ("A_binClas", "noisy_majority")),
    "soft_labels": (
        {"n": 3000, "m": 12, "T": 2, "k": 60, "width": 0.25, "eps": 60, "delta": 0.05, "sampling": "poisson"}
        | {"distribution": {"name": "atoms", "masses": [0.5, 0.5], "chances": [0.1, 0.6]}},
        ("A_SL_Quer", "gaussian_mean", "median_exponential"),
    ),
    "stable_queries": (
        {"analyst": "planted", "m": 30, "T": 2, "constants": "k_tight", "k_scale": 0.7},
        ("A_subSamp", "A_OQR", "plurality"),
    ),
    "release": ({"m": 0, "alpha": 0.2, "n": 20_000, "delta": 0.1}, ("gaussian_averages", "gaussian_tree")),
}


@pytest.mark.at_once("release")
@pytest.mark.parametrize("name", GIVEN)
def test_trials_are_the_same_however_they_are_asked_for(name: str) -> None:
    """Whole blocks, cut at their ends, in part, trial by trial as `harness replay` has them, and of one mechanism alone."""
    kind, (given, names) = kinds()[name], GIVEN[name]
    cell: Identified = kind.cell.model_validate(given)
    size = kind.block(cell)
    assert size > 20

    def found(trials: Sequence[int], of: tuple[str, ...] = names) -> dict[tuple[str, int], dict[str, Any]]:
        rows = run_batch(Batch(name, cell, of, trials, 7)).rows.to_pylist()
        return {(row["mechanism"], row["trial"]): row | {"seconds": 0} for row in rows}

    whole = found(range(2 * size))
    assert len(whole) == 2 * size * len(names)
    drawn = [column.name for column in kind.drawn if column.name != "spent"]
    assert len({tuple(row[each] for each in drawn) for row in whole.values()}) > 5
    for some in (range(size - 3, size + 3), (3, 8, size + 1)):
        assert found(some) == {at: whole[at] for at in whole if at[1] in some}
    assert found(range(5), names[-1:]) == {(names[-1], trial): whole[names[-1], trial] for trial in range(5)}
    rows = [row | {"seconds": 0} for row in kind.rows(cell, names, 7, size + 2)]
    assert rows == [whole[each, size + 2] for each in names]
