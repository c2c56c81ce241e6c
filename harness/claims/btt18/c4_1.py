"""BTT18 Claim 4.1: the error of the private classifier h_priv on one fresh query.

err(h_priv) is not seen itself: a trial estimates it by its mean over the m queries, without bias. A trial fails when the
estimate passes half the bound. Where err(h_priv) passes the bound, the estimate stays below half of it with probability at
most exp(−m·bound/8) (Chernoff), below (αβ) under the claim's hypothesis on m, so hardly any failure is missed; and the test is
stricter than the claim. So it refutes where the estimate passes one and a half times the bound, which an error within the bound
makes it do with probability at most exp(−m·bound/10), below (αβ) likewise; in between it is undecided.

The proof's last inequality is a claim of its own, at m = 4 ln(1/(αβ))/α, and false from γ ≈ 5α on. Its root is the one that B/m
of Theorem 3.2 has; with α+γ under the fraction line, as the claim's own display seems to have it, it is false at γ = 0 too. The
claim itself survives by Markov's inequality: more than a third of the votes are wrong on mass at most 3(α+γ). Nor does any h_j
err as little as α, as the proof's first line has it, where γ > α.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import log, nan, sqrt

import pandas as pd

from harness.claims.engine import Claim, Computed, Condition, Limit, Number, Probability, Quote, at_most, printed_cutoff, times
from harness.claims.engine.event_seen import EventSeen
from harness.claims.engine.verdict import Verdict


def least_m(alpha: float, beta: float) -> float:
    """The least m of Claim 4.1's hypothesis, 4 ln(1/(αβ))/α."""
    return 4 * log(1 / (alpha * beta)) / alpha


def seven_alpha(first: pd.Series) -> float:
    """The error 3γ + 7α, from a cell's γ and α."""
    return float(3 * first["gamma"] + 7 * first["alpha"])


def _markov(first: pd.Series) -> float:
    return float(3 * (first["gamma"] + first["alpha"]))


@dataclass(frozen=True)
class Estimated(Probability):
    """Decides by estimates, with a first limit stricter than claimed; only what breaks `beyond` times that limit can refute."""

    beyond: float = 3.0

    def verdict(self, claim: str, seen: EventSeen, error: float) -> Verdict:
        verdict = super().verdict(claim, seen, error)
        if verdict.outcome != "refuted":
            return verdict
        surely = seen.number(lambda rows: rows.beyond(self.beyond) | rows.broken)
        refuted = self.ruling(surely, seen.trials, seen.allowed, error)[0] == "refuted"
        return verdict if refuted else replace(verdict, outcome="undecided")


def fresh_error_within(most: Callable[[pd.Series], float]) -> Probability:
    """The decider of whether estimates of err(h_priv) are within `most` but for 2β, where the own bound is not vacuous."""

    def promised(first: pd.Series) -> float:
        return nan if first["vacuous"] else most(first)

    return Estimated((Limit("fresh_error", promised, factor=0.5, trivial=1.0),), may_fail=times(2, "beta"))


def enough_queries(words: str, least: Callable[[float, float], float]) -> tuple[Condition, ...]:
    """The conditions that β ≤ α < 1 and that m is at least `least` of α and β. words: those of the second."""
    return (
        Condition("beta ≤ alpha < 1", ("beta", "alpha"), lambda first: bool(first["beta"] <= first["alpha"] < 1)),
        Condition(words, ("m", "alpha", "beta"), lambda first: bool(first["m"] >= least(first["alpha"], first["beta"]))),
    )


def _last_inequality() -> Iterator[Number]:
    for alpha, ratio in ((0.01, 1.0), (0.01, 6.0), (0.001, 10.0)):
        beta = alpha
        m, gamma = least_m(alpha, beta), ratio * alpha
        left = beta + 3 * (alpha + gamma + sqrt((alpha + gamma) * log(m / beta) / (2 * m)))
        yield Number(f"α = β = {alpha:g}, γ = {ratio:g}α", left, 3 * gamma + 7 * alpha)


def _best_of_the_class() -> Iterator[Number]:
    """The least error of any hypothesis, which is γ, against α."""
    for gamma, alpha in ((0.4, 0.1), (0.1, 0.01)):
        yield Number(f"err(h_j) at least, γ = {gamma:g}, α = {alpha:g}", gamma, alpha)


WHERE = (*printed_cutoff("A_binClas", "BTT18"), *enough_queries("m ≥ 4 ln(1/(αβ))/α", least_m))

CLAIMS = (
    Claim(
        "BTT18:C4.1",
        "BTT18 Claim 4.1",
        "Let β ≤ α and m ≥ 4 ln(1/(αβ))/α. Then with probability at least 1 − 2β over the training set, "
        "err(h_priv) ≤ 3γ + 7α, where h_priv answers a single query, a ⊥ counting as a fair coin.",
        where=WHERE,
        decider=fresh_error_within(seven_alpha),
        quote=Quote(
            "BTT18 §4, p. 7 (Claim 4.1)",
            "Let 0 < β ≤ α < 1, and m ≥ 4 log(1/αβ)/α. Suppose that Θ in A_binClas (Algorithm 2) is an (α, β/k, "
            "n/k)-(agnostic) PAC learner for the hypothesis class H. Then, with probability at least 1 − 2β (over the "
            "randomness of the private training set D, and the randomness in A_binClas), we have err(h_priv; D) ≤ 3γ + 7α = "
            "O(γ + α), where γ = min_{h∈H} err(h; D).",
        ),
    ),
    Claim(
        "BTT18:C4.1-repaired",
        "BTT18 Claim 4.1, repaired",
        "With ε ≤ 10, T ≥ 1, β ≤ α and m ≥ 4 ln(1/(αβ))/α: with probability at least 1 − 2β over the training set, "
        "err(h_priv) ≤ 3(α + γ), by Markov's inequality.",
        where=(*WHERE, at_most("eps", 10)),
        decider=fresh_error_within(_markov),
        nature="repair",
        of="BTT18:C4.1-step",
        proof=(
            "Let no h_j err on more than γ + α, which fails with probability at most β. At a fresh "
            "query the share of wrong votes is γ + α in the mean at most, so above 2/5 with probability at most 5(γ + α)/2 "
            "(Markov). With a share of 2/5 at most the distance is k/5 − 1, which at the printed k is above w + 2λ ln(2m/3β), "
            "so that the answer is right but for β/m, and β/m ≤ α/4 as β ≤ α and m ≥ 4/α."
        ),
    ),
    Claim(
        "BTT18:C4.1-step",
        "BTT18 Claim 4.1, proof",
        "β + 3(α + γ + √((α+γ) ln(m/β)/(2m))) ≤ 3γ + 7α for β ≤ α and m ≥ 4 ln(1/(αβ))/α.",
        decider=Computed(_last_inequality),
        expected="refuted",
        why=(
            "The deviation √((α+γ) ln(m/β)/(2m)) grows with γ, and m is chosen by α alone: from γ ≈ 5α on it is more than "
            "what is left of 7α. The claim itself holds, by Markov's inequality."
        ),
        nature="step",
        of="BTT18:C4.1",
        quote=Quote(
            "BTT18 §4, p. 8 (Claim 4.1, proof)",
            "E[v_t] = E[(1/m) Σ_{t=1}^m v_t] < β + 3(α + γ + √(log(m/β)/(2m(α+γ)))) ≤ 7α + 3γ.",
        ),
    ),
    Claim(
        "BTT18:C4.1-alpha",
        "BTT18 Claim 4.1, proof, its first line",
        "Where Θ is an agnostic PAC learner, with probability at least 1 − β err(h_j) ≤ α for all j.",
        decider=Computed(_best_of_the_class),
        expected="refuted",
        nature="step",
        of="BTT18:C4.1",
        quote=Quote(
            "BTT18 §4, p. 7 (Claim 4.1, proof)",
            "First, note that w.p. ≥ 1 − β (over the randomness of the input dataset D), for all j ∈ [k], we have err(h_j; D) "
            "≤ α.",
        ),
        why="No hypothesis of the class errs less than γ. Definition 2.1 gives γ + α, and what follows uses that.",
    ),
)
