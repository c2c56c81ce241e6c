"""What a verdict says."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["holds", "refuted", "undecided", "vacuous", "untested"]
NEAR = 2.0  # a claim is challenged where the same claim with its bound divided by this is refuted

ROUNDING = 1e-9  # relative, of the computer's arithmetic


@dataclass(frozen=True)
class Verdict:
    """A claim judged on one set of rows.

    cell, mechanism: where; None where the theory alone decides, or a whole sweep. where: the same in words, if the cell alone
    does not tell. failures of trials, with [lower, upper] the confidence sequence of the failure probability and claimed what
    the claim allows; None for claims without one. error: the chance that this verdict is false. measured, bound: the quantity
    that the claim bounds from above. stands: the least bound with which the claim would still hold on these rows, the strongest
    statement of its form that they let stand; None where no bound would. resolution: the least measurement above zero that a
    trial could show. failed_trial: the first trial that failed. challenged: whether a claim somewhat stronger than this one is
    refuted by the same rows, at the same error: the one with half the bound, or with half of the chance to fail; of a power or
    a law, its false neighbours. A claim that holds and that no rows challenge is untried: nothing here could break it.
    """

    claim: str
    outcome: Outcome
    cell: str | None = None
    mechanism: str | None = None
    where: str = ""
    trials: int = 0
    failures: int = 0
    lower: float | None = None
    upper: float | None = None
    claimed: float | None = None
    measured: float | None = None
    resolution: float = 0.0
    bound: float | None = None
    stands: float | None = None
    error: float = 0.0
    failed_trial: int | None = None
    challenged: bool = False

    @property
    def slack(self) -> float | None:
        """How many times larger the verdict's bound is than what was measured; at least so many when that was zero.

        None if vacuous, or where the bound is below 0: one of a logarithm may be.
        """
        if self.bound is None or self.measured is None or self.bound < 0:
            return None
        size = max(self.measured, self.resolution)
        return self.bound / size if size else None


def half_refuted(measured: float, bound: float) -> bool:
    """Whether a measured number is more than half of a bound, by more than rounding; of a bound of 0 there is no half."""
    return measured * NEAR > bound * (1 + ROUNDING) > 0


def overall(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome of a claim from those of its verdicts: one refutation refutes it, and undecided anywhere is undecided."""
    different = set(outcomes)
    order: tuple[Outcome, ...] = ("refuted", "undecided", "holds", "vacuous")
    return next((outcome for outcome in order if outcome in different), "untested")
