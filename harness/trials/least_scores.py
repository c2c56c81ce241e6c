"""How small a constant of scores can be: the least at which a claimed event still fails with at most its claimed probability.

Of privacy both ends are computed: the least at which the accountant certifies (ε, δ), and the largest at which an event shows
that it is not kept.
"""

from collections.abc import Mapping
from math import floor, inf
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import BaseModel

from harness.arrays import Bools
from harness.mechanisms.scoring import scorings
from harness.refusal import Refusal
from harness.theory.constants.btt18a_scores import ScoreConstants, score_constants
from harness.theory.factors import Changeable, set_named
from harness.theory.privacy.scores import score_spent_lower, score_spent_upper
from harness.trials.columns import BETA, DELTA, EPS, K, M, N, T
from harness.trials.kind import Columns, Kind, Measure, Row
from harness.trials.least import CONSTANT, FOUND, RULES, SEARCH, Sought, event_column, least, private
from harness.trials.rules import at_least, null_with
from harness.trials.scores_cell import NAMES
from harness.trials.seeds import BlockStreams
from harness.trials.soft_labels import SETTING, WIDTH, SoftLabelsCell, measured_in
from harness.trials.soft_labels import refuse as refuse_scores

EVENTS = {
    "agreed": "all with 2k/3 in a bin answered",
    "stable": "all d-stable histograms answered",
    "within": "all scores within the bound",
    "private": "(ε, δ)-DP",
}
READ = {"stable": ("c_d", "c_log"), "private": ("c_lam", "c_w", "c_m")}
"""The constants that alone say something of an event."""


class LeastScoresCell(Sought, SoftLabelsCell, frozen=True):
    """A cell of a search for a constant of scores, which is to be as small as it can be on an instance.

    event: what must not fail more often than claimed. `agreed`, every query of whose predictions two thirds share a bin is
    answered, but for β; `stable`, every one whose histogram is d-stable, on so few chunks that two thirds make it just that;
    `within`, every query is answered, and within the bound of Theorem 5.14; `private`, the run is (ε, δ)-DP.
    """

    hashed_as: ClassVar[str] = "LeastScoresCell"

    instance_of: ClassVar[type[BaseModel]] = SoftLabelsCell

    event: Literal["agreed", "stable", "within", "private"] = "agreed"

    @classmethod
    def sets(cls) -> Mapping[str, Changeable]:
        return score_constants()

    def following(self, constants: str) -> Row:
        if self.event != "stable":
            return {}
        return {"k": just_stable(set_named(constants, score_constants()).stable(self.task))}


def just_stable(d: float) -> int:
    """The least k at which two thirds of the predictions in a bin make a histogram whose distance, k/3 − 1, is above d."""
    return 3 * (floor(d) + 2)


def fails(event: str, trials: Columns, bound: float | None) -> Bools:
    """Whether the event fails in each trial, (trials,). trials: the measured columns. bound: the plan's bound on the error."""
    if event == "within":
        near = trials["error"] <= (inf if bound is None else bound)
        return np.asarray(~near | (trials["bottoms"] + trials["unanswered"] > 0))
    failed = trials["first_failed"] + trials["either_failed"] if event == "stable" else trials["agreed_failed"]
    return np.asarray(failed > 0)


def measure(cell: LeastScoresCell, streams: BlockStreams) -> Measure:
    """Searches in one trial for the least constant of each mechanism of scores."""
    return lambda name: _searched(cell, name, streams)


def _searched(cell: LeastScoresCell, name: str, streams: BlockStreams) -> Row:
    def broken(tried: SoftLabelsCell, count: int, indices: range) -> Bools:
        failed, bound = [], tried.plan(name).bound
        for start in indices[:: tried.block]:
            trials = measured_in(tried, min(tried.block, indices.stop - start), streams.run(tried.identity, cell.budget, start))
            failed.append(fails(cell.event, trials(name), bound))
        return np.concatenate(failed)

    row, enough = _ends(cell) if cell.event == "private" else least(cell, broken, cell.beta)
    return row | {"k": enough.plan(name).k if enough is not None else None}


def _ends(cell: LeastScoresCell) -> tuple[Row, Any]:
    """By the accountant and by an event, for `event: private`."""

    def constants(value: float) -> ScoreConstants:
        return set_named(cell.with_constant(value).constants, score_constants())

    return private(
        cell,
        lambda value: score_spent_upper(constants(value), cell.task, sharp=True),
        lambda value: score_spent_lower(constants(value), cell.task),
    )


def refuse(cell: LeastScoresCell, name: str) -> Refusal | None:
    """Why a constant of scores cannot be searched for: k does not follow from it, or what keeps the mechanism from running.
    Or None.
    """
    if name != "A_SL_Quer":
        return Refusal(f"the constants are in nothing that {name} promises; allowed: A_SL_Quer", "mechanisms")
    allowed = READ.get(cell.event)
    if allowed is not None and cell.constant not in allowed:
        return Refusal(f"{cell.constant} says nothing of event: {cell.event}; allowed: {', '.join(allowed)}", "constant")
    if cell.event != "stable" and cell.constant == "c_d":
        return Refusal(f"c_d says nothing of event: {cell.event}; allowed: event: stable", "constant")
    if cell.event == "within" and cell.plan(name).bound is None:
        return Refusal(f"the bound is vacuous: {cell.plan(name).reason}; allowed: n at which it is not", "n")
    return refuse_scores(cell.with_constant(cell.stated), name)


KIND = Kind(
    name="least_scores",
    cell=LeastScoresCell,
    subjects=lambda: list(scorings()),
    columns=(
        *NAMES,
        CONSTANT,
        event_column(EVENTS),
        *(N, M, T.but(role="parameter", meaning="queries that may have no stable histogram", caption=True), EPS, DELTA, BETA),
        *SETTING,
        WIDTH,
        *SEARCH,
        *FOUND,
        K.but(role="measured", meaning="chunks at the least value that is enough", null=True),
    ),
    refuse=refuse,
    measure=measure,
    resolved=lambda cell, name: {"width": cell.plan(name).width, "printed": cell.stated},
    rules=(*RULES, null_with("k", "high"), at_least("k", 1)),
)
