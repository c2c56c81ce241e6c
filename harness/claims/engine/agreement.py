"""Deciding what audits show: whether counts agree with exact numbers, and whether more is spent than is said."""

from dataclasses import dataclass
from math import exp, inf, log
from typing import ClassVar

import numpy as np
import pandas as pd
import scipy

from harness.audits.measure import lower_end
from harness.claims.engine.claim import Decider, Kind
from harness.claims.engine.verdict import NEAR, Outcome, Verdict, half_refuted

NEARLY = 1 / NEAR  # the audit must reach this share of the exact number to say anything


@dataclass(frozen=True)
class EpsilonAgreement(Decider):
    """Decides whether an event's ε by its counts, with Clopper–Pearson intervals, agrees with its ε by exact probabilities.

    refuted: the interval misses the exact number. holds: its lower end comes near it.
    """

    kind: ClassVar[Kind] = "probability"
    by_cell: ClassVar[bool] = True
    trials = "audit"

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        first, runs = rows.iloc[0], int(rows["runs"].sum())
        here = clopper_pearson(int(rows["hits"].sum()), runs, error / 2)
        there = clopper_pearson(int(rows["hits_neighbour"].sum()), runs, error / 2)
        delta = float(first["delta"])
        low, high = least_eps(here[0], there[1], delta), least_eps(here[1], there[0], delta)
        exact = least_eps(float(first["p"]), float(first["q"]), delta)
        outcome: Outcome = "refuted" if not low <= exact <= high else "holds" if low >= NEARLY * exact else "undecided"
        return Verdict(
            claim=claim,
            outcome=outcome,
            cell=str(first["cell"]),
            mechanism=str(first["mechanism"]),
            where=f"{first['mechanism']}, ε = {first['eps']:g}",
            measured=low,
            bound=exact,
            error=error,
            challenged=low * NEAR > exact,
        )


@dataclass(frozen=True)
class SpendsNoMore(Decider):
    """Decides whether the largest lower end for ε of a cell's audits, all right at once, is within what is said to be spent.

    refuted: it is more. holds: it is not, in these audits, which is no proof of privacy.
    """

    kind: ClassVar[Kind] = "probability"
    by_cell: ClassVar[bool] = True
    trials = "audit"

    @property
    def quantity(self) -> str:
        return "lower"

    @property
    def columns(self) -> tuple[str, ...]:
        return "hits", "hits_neighbour", "judged", "claimed", "delta"

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        first = rows.iloc[0]
        hits, others, judged = (rows[name].to_numpy(float) for name in ("hits", "hits_neighbour", "judged"))
        lower = lower_end(hits, judged, others, judged, float(first["delta"]), error / len(rows))
        worst, claimed = int(np.argmax(lower)), float(first["claimed"])
        measured = float(lower[worst])
        refuted = measured > claimed
        return Verdict(
            claim=claim,
            outcome="refuted" if refuted else "holds",
            cell=str(first["cell"]),
            mechanism=str(first["mechanism"]),
            where=f"{first['mechanism']}, ε = {first['eps']:g}, m = {first['m']}",
            trials=len(rows),
            failures=int((lower > claimed).sum()),
            measured=measured,
            bound=claimed,
            stands=measured,
            error=error,
            failed_trial=int(rows["trial"].iloc[worst]) if refuted else None,
            challenged=refuted or half_refuted(measured, claimed),
        )


def clopper_pearson(hits: int, runs: int, error: float) -> tuple[float, float]:
    """The exact interval of a probability, from `hits` of `runs`: it misses with probability at most `error`."""
    low = float(scipy.stats.beta.ppf(error / 2, hits, runs - hits + 1)) if hits else 0.0
    high = float(scipy.stats.beta.isf(error / 2, hits + 1, runs - hits)) if hits < runs else 1.0
    return low, high


def least_eps(p: float, q: float, delta: float) -> float:
    """The least ε' ≥ 0 with p ≤ e^{ε'} q + δ, for an event of chances p and q on two neighbours."""
    if p - delta <= q:
        return 0.0
    return log((p - delta) / q) if q > exp(-700) else inf
