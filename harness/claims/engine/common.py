"""Hypotheses, events and claims that the theorems of several papers share, in the columns of the kinds of trial."""

from dataclasses import dataclass, replace
from math import log
from typing import Any, Self

import pandas as pd

from harness.claims.engine.claim import Claim
from harness.claims.engine.complexity import Complexity
from harness.claims.engine.conditions import (
    Condition,
    agnostic,
    among,
    parameters,
    promised,
    realizable,
    shaped,
    unset,
)
from harness.claims.engine.event_seen import EventSeen
from harness.claims.engine.events import TOLERANCE, Exact, Never, Probability
from harness.claims.engine.exponents import Powers
from harness.claims.engine.limits import Amount, Limit, times
from harness.claims.engine.verdict import Verdict

ANSWERED = Never((Limit("stable_failed", 0),))
"""Every query that is as stable as the claim asks is answered right, when at most T others are not; but for a chance of β."""


SYNTHETIC = ("exact_error", "ensemble")
"""Classes of which nothing is learned."""


def printed(mechanism: str, constants: str) -> tuple[Condition, ...]:
    """The conditions that a mechanism runs at the constants of its own text, k included."""
    return among("mechanism", mechanism), among("constants", constants), among("k_scale", 1)


def printed_cutoff(mechanism: str, constants: str) -> tuple[Condition, ...]:
    """The conditions that a mechanism runs at its text's constants with T = 3B.
    Where T is set directly, claims on stable queries speak.
    """
    return *printed(mechanism, constants), unset("T_target", "T = 3B")


def stable_votes(
    mechanism: str, constants: str, distribution: str = "agreement", right: float = 2 / 3, k_scale: float = 1
) -> tuple[Condition, ...]:
    """The conditions that votes are set directly: on all but T queries a share `right` of them is for the true label."""
    return (
        among("concept", "ensemble"),
        among("mechanism", mechanism),
        among("distribution", distribution),
        shaped("distribution", "right", right),
        among("constants", constants),
        among("k_scale", k_scale),
    )


def rate_within(betas: int) -> Probability:
    """The decider of whether, but for betas·β, no run halts early, at most T answers are ⊥ and at most T are wrong."""
    rate = Limit("misclassification_rate", "bound", unit=lambda first: 1 / float(first["m"]))
    return Probability(
        (rate, Limit("unanswered", 0, of=_unanswered, reads=("m", "halted_at")), Limit("bottoms", "T")),
        may_fail=times(betas, "beta"),
    )


def _unanswered(rows: pd.DataFrame) -> "pd.Series[float]":
    """Queries left when a run halts early."""
    return (rows["m"] - rows["halted_at"].astype(float)).fillna(0.0)


def promising(mechanism: str, constants: str = "BTT18", noisy: bool = False) -> tuple[Condition, ...]:
    """The conditions that a mechanism's bound is not vacuous at these constants, and that labels are noisy, or that none is."""
    return among("mechanism", mechanism), among("constants", constants), agnostic() if noisy else realizable(), promised()


def fixed_instance() -> Condition:
    """The condition that examples are drawn by one law whatever n, m and ε are.
    Where the law is sized by s, a rate in V/s is there by construction.
    """

    def fixed(first: pd.Series) -> bool:
        return first["concept"] not in SYNTHETIC and "c" not in parameters(first, "distribution")

    return Condition("an instance that does not move with s", ("concept", "distribution_parameters"), fixed)


def hard_at_every_size() -> Condition:
    """The condition that the instance splits votes on mass of order V/s, or √(γV/s), whatever s is."""

    def hard(first: pd.Series) -> bool:
        one_sided = first["learner"] in ("leftmost", "rightmost") and first["gamma"] == 0
        return bool(first["distribution"] == "ladder" or (first["distribution"] == "uniform" and one_sided))

    columns = ("distribution", "learner", "gamma")
    return Condition("a ladder, or uniform thresholds learned from one side", columns, hard)


def decided_by_mean() -> Condition:
    """The condition that the learner's error, and not its deviation, makes B: fewer queries say nothing of the rate in m."""

    def enough(first: pd.Series) -> bool:
        return bool((first["gamma"] + first["alpha"]) * first["m"] >= log(first["m"] / first["beta"]))

    return Condition("(γ+α)m ≥ ln(m/β)", ("gamma", "alpha", "m", "beta"), enough)


def learned(mechanism: str, constants: str = "BTT18") -> tuple[Condition, ...]:
    """The conditions that a private learner runs at its own constants, on at least as many examples as its theorem asks for."""
    enough = Condition("n ≥ what it asks for", ("n", "needed"), lambda first: bool(first["n"] >= first["needed"]))
    return *printed(mechanism, constants), enough


def confident() -> Condition:
    """The condition that β is no more than α, the error that is claimed."""
    return Condition("beta ≤ alpha", ("beta", "alpha"), lambda first: bool(first["beta"] <= first["alpha"]))


def fifteen_alpha(first: pd.Series) -> float:
    """The error 7γ + 15α, from a cell's γ and α."""
    return float(7 * first["gamma"] + 15 * first["alpha"])


def error_within(most: Amount, betas: int = 3) -> Probability:
    """The decider of whether the classifier that a private learner outputs errs at most `most`, but for betas·β."""
    return Probability((Limit("error", most, trivial=1.0),), "learner", may_fail=times(betas, "beta"))


def learns(
    id: str,
    source: str,
    statement: str,
    *,
    by: str,
    where: Condition,
    constants: str = "BTT18",
    within: Amount = fifteen_alpha,
    betas: int = 3,
    **more: Any,
) -> Claim:
    """The claim that, but for betas·β, a private learner's classifier errs at most `within`, β being no more than α.

    by: the mechanism. more: as a claim has it.
    """
    hypotheses = (*learned(by, constants), where, confident())
    return Claim(id, source, statement, where=hypotheses, decider=error_within(within, betas), **more)


def suffices(
    id: str,
    source: str,
    statement: str,
    *,
    by: str,
    powers: Powers,
    constants: str = "BTT18",
    noisy: bool = False,
    **more: Any,
) -> Claim:
    """The claim that n*, the least n at which a mechanism learns, is at most its fixed point's. powers: of the printed rate."""
    where = promising(by, constants, noisy)
    return Claim(id, source, statement, where=where, decider=Complexity(powers), **more)


@dataclass(frozen=True)
class Spends(Exact):
    """Decides whether a certified upper bound on the ε that is spent is within ε, for a set of constants as it is.

    Where a constant was changed and the bound is more than ε, only an event that shows more than ε to be spent refutes it.
    by_event: whether that is so.
    """

    by_event: bool = False

    @property
    def changed(self) -> Self:
        return replace(self, by_event=True)

    @property
    def reads_any(self) -> bool:
        return True

    def verdict(self, claim: str, seen: EventSeen, error: float) -> Verdict:
        verdict = super().verdict(claim, seen, error)
        if verdict.outcome != "refuted" or not self.by_event:
            return verdict
        shown = seen.number(lambda piece: (piece.rows["spent_lower"] > piece.rows["eps"]).to_numpy(bool))
        return verdict if shown else replace(verdict, outcome="undecided")


def spends_eps() -> Exact:
    """The decider of whether a certified upper bound on the ε of a whole run of ⌊T⌋ + 1 epochs is at most ε, at the given δ."""
    return Spends((Limit("spent_upper", "eps", factor=1 + TOLERANCE),), "privacy")
