"""Sample complexity, measured: the least n at which a construction's error keeps to a target with probability 1 − 3β."""

from functools import cache
from math import inf
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from harness.arrays import Bools
from harness.refusal import Refusal
from harness.transfer import PrivateLearner, private_learners
from harness.trials.columns import TV_BUDGET, VACUOUS, Column, M
from harness.trials.concept_cell import MAX_N
from harness.trials.fields import Probability, Whole, kept
from harness.trials.interval import BUDGET, ERROR, HIGH, LOW, RUNS, Interval, Runs
from harness.trials.kind import Kind, Measure, Price, Row
from harness.trials.learner import NEEDED, PARAMETERS, Learned, most_examples
from harness.trials.rules import Rule
from harness.trials.search import Search, SearchBudget
from harness.trials.seeds import BlockStreams

CHEAP = 10_000
PATIENCE = SearchBudget(hope=1.5, growth=0.25, stride=8, wide=16)  # intervals are as narrow as without it, for half the runs


class SearchCell(Learned, frozen=True):
    """A cell of a search for the least n at which a private learner errs at most its target.

    target: `theorem`, the error that a construction's own theorem claims, such as 7γ + 15α; or `alpha`, γ + α itself. error:
    the chance that the interval misses n*. budget: runs at any one n.
    """

    hashed_as: ClassVar[str] = "SearchCell"

    target: Literal["theorem", "alpha"] = "theorem"
    error: Probability = 1e-8
    budget: Annotated[Whole, Field(ge=1, le=10**6)] = 2000

    def largest_error(self, learner: PrivateLearner) -> float:
        """The target."""
        return learner.claimed(self.problem) if self.target == "theorem" else self.gamma + self.alpha


def measure(cell: SearchCell, streams: BlockStreams) -> Measure:
    """Searches in one trial for each private learner's n*: it is in (n_low, n_high], but for a chance `error`.

    n_star is the geometric middle, null with n_high where no n up to the largest is enough.
    """
    return lambda name: searched(cell, private_learners()[name], streams)


def searched(cell: SearchCell, learner: PrivateLearner, streams: BlockStreams) -> Row:
    """Searches for one private learner's least n: the columns of its interval."""
    runs, plan_row, tv_budgets = Runs(streams, f"{learner.key}/"), resolved(cell, learner.name), [0.0]

    def failures(n: int, indices: range) -> Bools:
        at_once = learner.at_once(cell.problem, n)
        parts = [indices[start : start + at_once] for start in range(0, len(indices), at_once)]
        done = [run for part in parts for run in learner.runs(cell.problem, n, len(part), cache(runs.streams(n, part.start)))]
        tv_budgets.extend(run.tv_budget for run in done)
        return np.array([run.error for run in done]) > float(plan_row["largest_error"])

    most = int(min(MAX_N, most_examples(learner, cell)))
    search = Search(failures, 3 * cell.beta, most, cell.error, cell.budget, patience=PATIENCE)
    first = most if learner.most_examples == inf else most // CHEAP  # where examples are drawn, few are tried first
    interval = search.find(min(plan_row["needed"], first))
    return INTERVAL.of(interval) | {"tv_budget": max(tv_budgets)}


@kept
def resolved(cell: SearchCell, name: str) -> Row:
    """The columns of what a private learner's theorem asks for, and of the error that it is to keep.

    m is the number of public points, null where there are none or n sets it.
    """
    learner = private_learners()[name]
    target = cell.largest_error(learner)
    return {
        "largest_error": target,
        "needed": learner.needed(cell.problem),
        "m": learner.points(cell.problem),
        "vacuous": target >= 1,
    }


def refuse(cell: SearchCell, name: str) -> Refusal | None:
    """Why a private learner's n* cannot be searched for on a cell: 3β is no chance of failure, or what `Learned` refuses.
    Or None.
    """
    if 3 * cell.beta >= 1:
        return Refusal(f"failures at a rate of 3β = {3 * cell.beta:g} would be allowed; allowed: beta < 1/3", "beta")
    return cell.refuse(private_learners()[name])


INTERVAL = Interval("n_star", "n_low", "n_high")
EXAMPLES = "examples"
TARGETS = {"theorem": "to its theorem's error", "alpha": "to α itself"}
COLUMNS = (
    *PARAMETERS,
    Column("target", "text", "parameter", "error to be kept", phrases=TARGETS),
    BUDGET,
    NEEDED,
    LOW.but(name="n_low", meaning="the largest n shown to be too small", unit=EXAMPLES),
    RUNS,
    M.but(role="plan", meaning="public points that are labelled", unit="points", null=True),
    HIGH.but(name="n_high", meaning="the least n shown to be enough", unit=EXAMPLES),
    Column("largest_error", "real", "claimed", "error that is to be kept"),
    ERROR.but(meaning="chance that the interval misses n*"),
    TV_BUDGET,
    Column("n_star", "real", "measured", "examples needed,", "n*", EXAMPLES, null=True, worse=True),
    VACUOUS,
)

RULES = (
    *INTERVAL.rules,
    Rule("vacuous just where largest_error ≥ 1", ("vacuous", "largest_error"), lambda none, most: (none > 0) == (most >= 1)),
)

KIND = Kind(
    name="sample_complexity",
    cell=SearchCell,
    subjects=lambda: list(private_learners()),
    columns=COLUMNS,
    refuse=refuse,
    measure=measure,
    resolved=resolved,
    rules=RULES,
    price=Price("n_star", "n_low", "n_high", asked="needed", base="non_private"),
)
