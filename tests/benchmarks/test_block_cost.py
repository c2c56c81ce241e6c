"""A block of trials against a script that draws as many at once from the same law, and does nothing else.

The script is near what numpy can do: a binomial and a Laplace number a trial. A block makes rows of any cell, whose queries
are shared by mechanisms with chunks of their own, so it may take a few times as long; how many times is kept.
"""

from collections.abc import Callable
from dataclasses import asdict
from itertools import count

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.ballots import Ballot
from harness.mechanisms.answering import mechanisms
from harness.trials.answers import KIND
from harness.trials.cell import Cell
from tests.support import plain_numpy
from tests.support.same_law import assert_same_law

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]

NAMES = ("A_binClas", "noisy_majority", "gaussian", "GNMax", "Confident_GNMax")
MANY_LABELS = ("A_subSamp", "GNMax", "Confident_GNMax")  # the first is A_binClas for these
MEASURED = ("bottoms", "wrong", "misclassified", "unstable", "stable_failed", "max_mistakes")

LIMITS = {
    "thresholds-uniform": (3.0, 2.0),
    "thresholds-hard": (2.5, 1.3),
    "cube_stumps-hard": (2.0, 1.3),
    "intervals-uniform": (3.0, 2.7),
}
"""By law, 3 or less; the second with the ε that looks at the votes, as in all rows that do not leave it out."""

every_law = pytest.mark.parametrize(
    ("law", "name"),
    [(law, name) for law in plain_numpy.LAWS for name in (MANY_LABELS if law.startswith("intervals") else NAMES)],
)


def script(
    law: str, name: str, cell: Cell, trials: int, rng: np.random.Generator, accounted: bool = False
) -> dict[str, NDArray[np.number]]:
    """So many trials; accounted: with the ε that looks at the votes."""
    plan = cell.plan(name)
    votes = plain_numpy.LAWS[law](trials, cell.m, plan.k, plan.s, rng)
    by_name = "A_binClas" if name == "A_subSamp" else name
    return plain_numpy.columns(votes, by_name, cell.m, plan.k, numbers_of(cell, name), rng, accounted)


def numbers_of(cell: Cell, name: str) -> dict[str, float]:
    """What the script is told: a mechanism's plan, δ, and how many labels there are."""
    plan = {key: value for key, value in asdict(cell.plan(name)).items() if isinstance(value, float | int)}
    return plan | {"delta": cell.delta, "labels": cell.concept_class.label_count}


def cell_of(law: str, m: int, n: int) -> Cell:
    concept, distribution = law.split("-")
    return Cell.model_validate({"concept": concept, "distribution": distribution, "m": m, "n": n})


@pytest.mark.parametrize("omit", [("eps_data_dependent",), ()], ids=["without ε by votes", "with ε by votes"])
@every_law
def test_a_block_takes_a_few_times_as_long_as_a_script_of_its_law(
    law: str, name: str, omit: tuple[str, ...], takes_at_most: AtMost
) -> None:
    """n = 10¹⁰, m = 1000."""
    if not omit and not name.endswith("GNMax"):
        pytest.skip("it has no such ε")
    cell, rng, numbers = cell_of(law, 1000, 10**10), np.random.default_rng(1), count()
    KIND.run(cell, [name], 1, next(numbers))
    takes_at_most(
        LIMITS[law][0] if omit else LIMITS[law][1],
        lambda: KIND.run(cell, [name], 1, next(numbers), omit),
        lambda: script(law, name, cell, cell.block, rng, not omit),
        40,
    )


@every_law
def test_the_script_draws_from_the_law_of_a_block(law: str, name: str) -> None:
    """20,000 trials where some of 1,000 queries are uncertain. False-failure probability: 1e-9 for each."""
    n = 2 * 10 ** (9 if law.startswith("intervals") else 8)  # below that intervals have blocks of one
    cell, rng = cell_of(law, 1000, n), np.random.default_rng(2)
    trials = 20_000
    ours, drawn = script(law, name, cell, trials, rng), []
    for number in range(-(-trials // cell.block)):
        (found,) = KIND.run(cell, [name], 1, number)
        drawn.append(np.column_stack([np.broadcast_to(found[each], cell.block) for each in MEASURED]))
    assert_same_law(np.column_stack([ours[each] for each in MEASURED]), np.concatenate(drawn)[:trials].astype(np.int64))


@pytest.mark.parametrize("law", plain_numpy.LAWS)
@pytest.mark.parametrize("name", ["GNMax", "Confident_GNMax"])
def test_the_script_accounts_by_the_votes_as_a_block_does(law: str, name: str) -> None:
    """200 trials where some of 1,000 queries are uncertain: to 1%, as a block rounds the leads of votes down to σ/256."""
    cell, rng = cell_of(law, 1000, 2 * 10 ** (9 if law.startswith("intervals") else 8)), np.random.default_rng(3)
    plan, labels = cell.plan(name), cell.concept_class.label_count
    votes = plain_numpy.with_the_others(plain_numpy.LAWS[law](200, cell.m, plan.k, plan.s, rng), cell.m)
    counts = np.zeros((labels, len(votes.wrong)), np.int64)
    counts[0], counts[1] = plan.k - votes.wrong, votes.wrong
    truth = np.zeros(len(votes.wrong), np.int8)
    ballot = Ballot(counts, plan.k, truth, votes.size, trial=votes.trial, trials=200)
    answers = mechanisms()[name].answer_block(ballot, plan, cell.task, rng)
    bottoms = np.zeros_like(votes.size) if answers.bottoms is None else answers.bottoms
    spent = plain_numpy.spent_by_votes(name, votes, bottoms, cell.m, plan.k, numbers_of(cell, name))
    assert len(np.unique(spent)) > 1
    assert np.abs(spent / np.asarray(answers.eps_data_dependent) - 1).max() < 0.01
