"""What a run spends, computed: no randomness, so one trial a cell says it all."""

from typing import Annotated, ClassVar

from pydantic import Field

from harness.theory.constants import calibrations
from harness.theory.factors import set_named
from harness.theory.privacy.spent import spent_lower, spent_upper
from harness.trials.columns import DELTA, EPS, Column, M, T
from harness.trials.fields import Identified, Probability, Real, Whole
from harness.trials.kind import Kind, Measure, Row
from harness.trials.rules import no_more
from harness.trials.seeds import BlockStreams


class PrivacyCell(Identified, frozen=True):
    """A cell of exact privacy: the (ε, δ) that is claimed of a run over m queries with cutoff T."""

    hashed_as: ClassVar[str] = "PrivacyCell"

    eps: Annotated[Real, Field(ge=0.1, le=10)]
    delta: Annotated[Probability, Field(ge=1e-9, le=0.1)] = 1e-6
    m: Annotated[Whole, Field(ge=1, le=10**7)]
    T: Annotated[Real, Field(ge=1, le=10**5)]

    @property
    def claimed(self) -> tuple[float, float, int, float]:
        """(ε, δ, m, T), as calibrations take them."""
        return self.eps, self.delta, self.m, self.T


def measure(cell: PrivacyCell, streams: BlockStreams) -> Measure:
    """Computes in one trial a lower bound on the ε that a run spends, for a calibration by name.
    spent_lower ≤ the least ε' at which the run is (ε', δ)-DP ≤ spent_upper.
    """
    return lambda name: {"spent_lower": spent_lower(set_named(name, calibrations()), *cell.claimed)}


def resolved(cell: PrivacyCell, name: str) -> Row:
    """The λ and w of a calibration and an upper bound on the ε that it spends, by column, before any trial.

    A lower bound on that ε is what trials measure.
    """
    calibration = set_named(name, calibrations())
    return {
        "lam": calibration.lam(*cell.claimed),
        "w": calibration.w(*cell.claimed),
        "sensitivity": calibration.distance.sensitivity,
        "spent_upper": spent_upper(calibration, *cell.claimed),
    }


KIND = Kind(
    name="privacy",
    cell=PrivacyCell,
    subjects=lambda: list(calibrations()),
    columns=(
        *(EPS, DELTA, T.but(role="parameter")),
        Column("lam", "real", "plan", "noise scale", "λ", unit="votes"),
        Column("w", "real", "plan", "threshold before noise", "w", unit="votes"),
        Column("spent_lower", "real", "claimed", "ε below which the run is certainly not (ε, δ)-DP"),
        Column("spent_upper", "real", "claimed", "ε at which the run is certainly (ε, δ)-DP"),
        M,
        Column("sensitivity", "whole", "plan", "how far one changed vote moves the distance", unit="votes"),
    ),
    measure=measure,
    resolved=resolved,
    sets=calibrations,
    rules=(no_more("spent_lower", "spent_upper"),),
)
