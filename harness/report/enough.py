"""How many trials would decide what is undecided: an estimate by the same test, from the share of them that failed so far."""

from math import ceil, inf, log10

from harness.claims.engine import Probability, Verdict
from harness.claims.engine.claim import Decider

MOST = 1e10  # more trials than anybody will run


def enough(decider: Decider, verdict: Verdict) -> float | None:
    """The number of trials after which an undecided verdict would be decided, if as large a share of them failed as did so far.

    decider: of the verdict's claim. Infinite where no number would do, as the share is what is allowed. None where the verdict
    is not undecided, or where not single trials decide, or no error is allowed, so that none do.
    """
    allowed = verdict.bound if verdict.claimed is None else verdict.claimed
    if (
        verdict.outcome != "undecided"
        or not isinstance(decider, Probability)
        or not verdict.trials * verdict.error
        or allowed is None
    ):
        return None
    low, high = float(verdict.trials), 2.0 * verdict.trials
    while not _decided(decider, verdict, allowed, high):
        low, high = high, 2 * high
        if low > MOST:
            return inf
    while high - low > max(1.0, 0.01 * low):
        middle = (low + high) / 2
        low, high = (low, middle) if _decided(decider, verdict, allowed, middle) else (middle, high)
    return high


def told_enough(trials: float) -> str:
    """A sentence on how many trials would decide: the number is an estimate, so it is rounded up to two digits."""
    if trials == inf:
        return "no number of trials would decide: the rate is at its allowance"
    unit = 10.0 ** max(0, int(log10(trials)) - 1)
    return f"about {ceil(trials / unit) * unit:,.0f} trials would decide"


def _decided(decider: Probability, verdict: Verdict, allowed: float, trials: float) -> bool:
    """Whether so many trials would be enough."""
    count = round(trials)
    failures = round(verdict.failures / verdict.trials * count)
    return decider.ruling(failures, count, allowed, verdict.error)[0] != "undecided"
