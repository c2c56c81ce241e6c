"""What a run of A_SL-Quer spends, computed: no randomness, so one trial a cell says it all."""

from math import inf
from typing import Annotated, ClassVar

from pydantic import Field

from harness.theory.constants.btt18a_scores import ScoreTask, score_constants
from harness.theory.factors import set_named
from harness.theory.privacy.scores import query_leak, run_leak, score_spent_lower, score_spent_upper
from harness.trials.columns import DELTA, EPS, Column, M, T
from harness.trials.fields import Identified, Probability, Real, Whole
from harness.trials.kind import Kind, Measure, Row
from harness.trials.rules import no_more
from harness.trials.seeds import BlockStreams

BETA = 0.05  # neither λ nor w depends on it


class SoftLabelPrivacyCell(Identified, frozen=True):
    """A cell of A_SL-Quer's exact privacy: the (ε, δ) that is claimed of a run over m queries with cutoff T."""

    hashed_as: ClassVar[str] = "SoftLabelPrivacyCell"

    eps: Annotated[Real, Field(ge=0.1, le=10)]
    delta: Annotated[Probability, Field(ge=1e-9, le=0.1)] = 1e-6
    m: Annotated[Whole, Field(ge=1, le=10**7)]
    T: Annotated[Real, Field(ge=1, le=10**5)]

    @property
    def task(self) -> ScoreTask:
        """The task of scores whose privacy is computed."""
        return ScoreTask(self.m, self.T, self.eps, self.delta, BETA)


def measure(cell: SoftLabelPrivacyCell, streams: BlockStreams) -> Measure:
    """Computes in one trial the ε that a run with a set of constants spends at least."""

    def spent(name: str) -> Row:
        lower = score_spent_lower(set_named(name, score_constants()), cell.task)
        return {"spent_lower": lower if lower < inf else None}

    return spent


def resolved(cell: SoftLabelPrivacyCell, name: str) -> Row:
    """The noise of a set of constants for scores, a lower bound on its δ and an upper one on its ε, by column.

    A lower bound on that ε is what trials measure.
    """
    constants, task = set_named(name, score_constants()), cell.task
    upper = score_spent_upper(constants, task)
    return {
        "lam": constants.lam(task),
        "w": constants.w(task),
        "epochs": constants.epochs(task),
        "leak_query": query_leak(constants, task),
        "leak_run": run_leak(constants, task),
        "spent_upper": upper if upper < inf else None,
    }


KIND = Kind(
    name="soft_label_privacy",
    cell=SoftLabelPrivacyCell,
    subjects=lambda: list(score_constants()),
    columns=(
        *(EPS, DELTA, M, T.but(role="parameter")),
        Column("lam", "real", "plan", "noise scale", "λ", unit="votes"),
        Column("w", "real", "plan", "threshold before noise", "w", unit="votes"),
        Column("epochs", "whole", "plan", "noisy thresholds that a run can use", unit="epochs"),
        Column("leak_query", "real", "claimed", "chance that a test at distance 0 passes: a δ at every ε"),
        Column("leak_run", "real", "claimed", "δ that a whole run spends at least, at every ε"),
        Column("spent_lower", "real", "claimed", "ε below which the run is certainly not (ε, δ)-DP; none is enough", null=True),
        Column("spent_upper", "real", "claimed", "ε at which the run is certainly (ε, δ)-DP; none is known", null=True),
    ),
    measure=measure,
    resolved=resolved,
    sets=score_constants,
    rules=(no_more("leak_query", "leak_run"), no_more("spent_lower", "spent_upper")),
)
