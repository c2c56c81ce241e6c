"""The steps of BTT18 Theorem 3.2's proof: the cutoff T = 3B, the number k of chunks, and the mistakes B of every hypothesis.

*The cutoff*, and how much of it hypotheses that err together use up. With the printed k a query is answered though nearly half
of its votes are wrong. At k_tight a query with a share 0.41 of wrong votes is ⊥. Hypotheses of error exactly α, spread evenly,
are wrong by that share on mass 2.44α, and where αm is far above ln(m/β) that is more than 2B/m and less than 3B/m. Where αm is
small and β too, T = 3B is not enough (`BTT18:T3.2-at-least-one`): so the claim is for β from 0.05 on.

*The chunks* that stable queries need, with the votes set directly. The printed k is far more than enough, so no simulation can
make its claim fail. k_tight suffices (`theory.least.answered` has the proof), and the union bound over the m queries is nearly
attained: where it was tried, a tenth less does not.

*The mistakes.* The bound is decided on hypotheses of error exactly α, where the learners' own failures play no part: they err
on mass 1/s, which is what they were built to do, and the plan's α is the same number. Chernoff's bound has 3 or 2 where the
proof has 1/2. The repair is Bernstein's inequality, and a union over the k hypotheses where there are more of them than
queries.

With the repair, the proof's first step is decided on learners: their α is the bound of one at confidence β/k, not β. With β in
place of β/k nearly every trial has a learner beyond α, and the most mistakes of any show it.
"""

from collections.abc import Iterator
from itertools import product
from math import log, sqrt

import numpy as np
import pandas as pd
from scipy.stats import binom

from harness.claims.btt18.t3_2 import ByLaw
from harness.claims.engine import (
    ANSWERED,
    Amount,
    Claim,
    Computed,
    Condition,
    Exact,
    Limit,
    Number,
    Probability,
    Quote,
    among,
    known,
    printed_cutoff,
    promised,
    rate_within,
    realizable,
    stable_votes,
    task_of,
    times,
    unset,
)
from harness.theory.constants import constants
from harness.theory.constants.btt18 import mistakes

ORDINARY = Condition("β at least 0.05", ("beta",), lambda first: bool(first["beta"] >= 0.05))
SPREAD = (among("concept", "arcs"), ORDINARY, *printed_cutoff("A_binClas", "k_tight"))


def _three_times(first: pd.Series) -> float:
    """3B, written out: where the theory errs the claim must not follow."""
    mean = float(first["gamma"] + first["alpha"]) * int(first["m"])
    return 3 * (mean + sqrt(mean * log(int(first["m"]) / float(first["beta"])) / 2))


def _off(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["T"] / max(1.0, _three_times(rows.iloc[0])) - 1).abs()


def _against_tight() -> Iterator[Number]:
    """k_tight, written out, against the printed k, where δ is the smaller of δ and β/2 and where it is not."""
    cases = ((1000, 10.0, 1e-6, 0.05), (1, 1.0, 0.1, 1e-40), (1000, 10.0, 0.1, 1e-150), (10, 3.5, 1e-60, 0.5))
    for m, T, delta, beta in cases:
        lam = sqrt(32 * T * log(2 / delta))
        tight = 3 * (2 * lam * (log(2 * m / delta) + log(2 * m / (3 * beta))) + 1)
        for name in ("BTT18", "BTT18a"):
            where = f"{name}, m = {m}, T = {T:g}, δ = {delta:g}, β = {beta:g}"
            yield Number(where, tight, constants()[name].k(task_of(m, beta, delta=delta), T))


CONDITION = Quote(
    "BTT18 §3.1, p. 6 (proof of Theorem 3.2)",
    "observe that to satisfy the distance to instability condition (in Theorem 2.5) for the remaining m − 3B queries, it would "
    "suffice to have k/3 ≥ 32 log(4mT/min(δ, β/2)) √(2T log(2/δ))/ε (taking into account the noise in the threshold passed to "
    "A_stab in Step 8 of A_binClas). This condition on k is satisfied by the setting of k in A_binClas.",
)

PLACE = "BTT18 §3, pp. 5–6 (Theorem 3.2, proof)"
LEARNERS = Quote(
    PLACE,
    "First, notice that Θ is an (α, β/k, n/k)-agnostic PAC learner, hence w.p. ≥ 1 − β, the misclassification rate of h_j for "
    "all j ∈ [k] is at most γ + α.",
)
CHERNOFF = Quote(
    PLACE,
    "So, by the standard Chernoff’s bound, with probability at least 1 − β none of the h_j’s misclassify more than "
    "(γ + α)m + √((γ + α)m log(m/β)/2) ≜ B queries in Q.",
)

EXACT = (among("concept", "exact_error"), among("mechanism", "A_binClas"))


def chernoff(first: pd.Series) -> float:
    """B of a cell, as printed."""
    return mistakes(task_of(int(first["m"]), float(first["beta"]), float(first["gamma"])), float(first["alpha"]))


def bernstein(first: pd.Series) -> float:
    """B of a cell by Bernstein's inequality: mp + √(2mpL) + L/3, p = γ+α."""
    mean = float(first["gamma"] + first["alpha"]) * int(first["m"])
    L = log(max(int(first["m"]), int(first["k"])) / float(first["beta"]))
    return mean + sqrt(2 * mean * L) + L / 3


def _corners() -> Iterator[Number]:
    """P(some of k h_j errs more) by the binomial law and the union over them, against β, in the worst of many m, k and p."""
    for beta in (1e-10, 1e-4, 0.05, 0.2, 0.9):
        largest = 0.0
        for m, k in product((1, 10, 1000, 10**6), (1, 100, 10**7)):
            p = np.geomspace(1e-9, 1, 60)
            L = log(max(m, k) / beta)
            most = np.floor(m * p + np.sqrt(2 * m * p * L) + L / 3)
            largest = max(largest, float(np.max(k * binom.sf(most, m, p))))
        yield Number(f"P(some h_j errs on more than the bound), m from 1 to 10⁶, k from 1 to 10⁷, β = {beta:g}", largest, beta)


def _no_more_than(most: Amount, betas: int = 1) -> Probability:
    """max_j (mistakes of h_j) keeps to a bound."""
    return Probability((Limit("max_mistakes", most, unit=1),), may_fail=times(betas, "beta"))


def _tail(first: pd.Series) -> float:
    """c, where a learned threshold errs more than a with probability (1 − ca)^s, up to the ends of [0, 1]."""
    return 2.0 if first["learner"] == "midpoint" else 1.0


def _most_by_law(first: pd.Series) -> float:
    """What the worst of k thresholds keeps to but for 2β: ln(k/β)/(cs), and Bernstein for all of them."""
    k, s, m, beta = (float(first[name]) for name in ("k", "s", "m", "beta"))
    mean, L = m * log(k / beta) / (_tail(first) * s), log(max(m, k) / beta)
    return mean + sqrt(2 * mean * L) + L / 3


def _least_by_law(first: pd.Series) -> float:
    """What the worst reaches but for 2β: (1 − e^{−cas})^k ≤ β at a = ln(k/ln(1/β))/(cs), and Chernoff for that one."""
    k, s, m, beta = (float(first[name]) for name in ("k", "s", "m", "beta"))
    mean = m * log(k / log(1 / beta)) / (_tail(first) * s)
    return mean - sqrt(2 * mean * log(1 / beta))


def _short_of_law(rows: pd.DataFrame) -> "pd.Series[float]":
    return (_least_by_law(rows.iloc[0]) - rows["max_mistakes"].astype(float)).clip(lower=0.0)


CLAIMS = (
    Claim(
        "BTT18:T3.2-T",
        "BTT18 Theorem 3.2: T = 3B",
        "The cutoff that runs keep to is 3((γ+α)m + √((γ+α) m ln(m/β)/2)), at the α of the plan.",
        where=(
            among("constants", "BTT18", "k_tight"),
            among("mechanism", "A_binClas"),
            unset("T_target", "T = 3B"),
            promised(),
        ),
        decider=Exact((Limit("T off 3B", 1e-9, of=_off, reads=("T", "gamma", "alpha", "m", "beta")),)),
        check="self-check",
        quote=Quote(
            "BTT18 §3.1, p. 5 (Theorem 3.2)",
            "we set the cutoff parameter as T = 3((γ + α)m + √((γ + α)m log(m/β)/2)).",
        ),
    ),
    Claim(
        "BTT18:T3.2-spread",
        "not in the papers: BTT18 Theorem 3.2, with k as small as its own argument allows",
        "With k_tight for the printed k, β ≥ 0.05, and hypotheses of error exactly α that are wrong together on as many "
        "queries as can be: with probability at least 1 − 2β no early halt, at most T = 3B answers ⊥, and a misclassification "
        "rate of at most T/m.",
        where=SPREAD,
        decider=rate_within(betas=2),
        nature="ours",
    ),
    Claim(
        "probe:BTT18:T3.2-spread-two-thirds",
        "not in the papers: that 2B is too small for T in BTT18 Theorem 3.2",
        "The same with at most 2B answers ⊥. (False at k_tight where αm is far above ln(m/β).)",
        where=SPREAD,
        decider=Probability((Limit("bottoms", lambda first: _three_times(first) * 2 / 3, unit=1),), may_fail=times(2, "beta")),
        expected="refuted",
        nature="probe",
        of="BTT18:T3.2-spread",
    ),
    Claim(
        "BTT18:T3.2-k",
        "BTT18 Algorithm 2 and Theorem 3.2, proof",
        "With k = 34√2 λ ln(4mT/min(δ,β/2)), if on at least m − T queries at least 2k/3 votes agree, then with probability "
        "at least 1 − β A_binClas answers all of these with that label.",
        where=stable_votes("A_binClas", "BTT18"),
        decider=ANSWERED,
        nature="step",
        of="BTT18:T3.2",
        quote=CONDITION,
    ),
    Claim(
        "BTT18:T3.2-k-repaired",
        "not in the papers: BTT18 Theorem 3.2, with k as small as its own argument allows",
        "For every m, T, ε, δ and β < 2/3: with a* = w + 2λ ln(2m/(3β)), k = 3(a* + 1) suffices in place of the printed k: if "
        "on at least m − T queries at least 2k/3 votes agree, then with probability at least 1 − β A_binClas answers all of "
        "these with that label.",
        where=stable_votes("A_binClas", "k_tight"),
        decider=ANSWERED,
        nature="ours",
    ),
    Claim(
        "BTT18:T3.2-k-any",
        "not in the papers: BTT18 Algorithm 2, k = 34√2 λ ln(4mT/min(δ, β/2)); BTT18a Algorithm 4",
        "The printed k is at least k_tight whichever of δ and β/2 is the smaller: with δ or β/2 alone for the minimum it falls "
        "below it where the other is far smaller.",
        decider=Computed(_against_tight),
        nature="ours",
    ),
    Claim(
        "probe:BTT18:T3.2-k-nine-tenths",
        "not in the papers: that k_tight is nearly necessary",
        "The same with 0.9 · k_tight. (False where m = 1000, δ = 10⁻⁶, β = 0.25.)",
        where=stable_votes("A_binClas", "k_tight", k_scale=0.9),
        decider=ANSWERED,
        expected="refuted",
        nature="probe",
        of="BTT18:T3.2-k-repaired",
    ),
    Claim(
        "BTT18:T3.2-B",
        "BTT18 Theorem 3.2, proof",
        "Where err(h_j) ≤ γ+α for all j, with probability at least 1 − β no h_j misclassifies more than "
        "B = (γ+α)m + √((γ+α) m ln(m/β)/2) of the m queries.",
        where=EXACT,
        decider=_no_more_than(chernoff),
        expected="refuted",
        why=(
            "Chernoff's bound has a 3 or a 2 under the root, and the proof has 1/2. For one hypothesis the chance to pass B "
            "is therefore about (β/m)^(1/4), not β/m."
        ),
        nature="step",
        of="BTT18:T3.2",
        quote=CHERNOFF,
    ),
    Claim(
        "BTT18:T3.2-B-repaired",
        "BTT18 Theorem 3.2, proof, repaired",
        "Where err(h_j) ≤ p = γ+α for all j, with probability at least 1 − β no h_j misclassifies more than "
        "mp + √(2mpL) + L/3 of the m queries, L = ln(max(m, k)/β) (Bernstein).",
        where=EXACT,
        decider=ByLaw(_no_more_than(bernstein).limits, numbers=_corners),
        nature="repair",
        of="BTT18:T3.2-B",
        proof=(
            "Bernstein's inequality for a count of variance at most mp: P(count > mp + √(2mpx) + x/3) ≤ e^−x. With x = L "
            "that is β/max(m, k) for each h_j, and there are k of them. Any m, k, p and β in (0, 1)."
        ),
    ),
    Claim(
        "BTT18:T3.2-learners",
        "BTT18 Theorem 3.2, proof: Θ is an (α, β/k, n/k)-agnostic PAC learner",
        "With probability at least 1 − 2β no one of the k learned h_j misclassifies more than mp + √(2mpL) + L/3 of the m "
        "queries, p = γ+α, L = ln(max(m, k)/β): all k errors are at most γ+α but for β, and Bernstein's bound holds for all "
        "of them but for another β.",
        where=(
            among("mechanism", "A_binClas"),
            Condition("hypotheses that are learned", ("concept",), lambda first: first["concept"] != "exact_error"),
            Condition("alpha < 1", ("alpha",), lambda first: bool(first["alpha"] < 1)),
            known("max_mistakes"),
        ),
        decider=_no_more_than(bernstein, betas=2),
        nature="repair",
        of="BTT18:T3.2-B",
        quote=LEARNERS,
        proof="Each of the k learners fails with probability at most β/k, so none does but for β; then T3.2-B-repaired.",
    ),
    Claim(
        "BTT18:T3.2-learners-law",
        "not in the papers: the law of the worst of the k learners of BTT18 Theorem 3.2, on uniform thresholds",
        "A learned threshold errs on more than a with probability (1 − ca)^s, c = 1 for the extremal learners and 2 for the "
        "midpoint. So but for 4β the worst of k misclassifies between mq − √(2mq ln(1/β)), q = ln(k/ln(1/β))/(cs), and "
        "mp + √(2mpL) + L/3 of the m queries, p = ln(k/β)/(cs), L = ln(max(m, k)/β): the midpoint's PAC bound ln(2/q)/s is "
        "twice as much.",
        where=(
            among("mechanism", "A_binClas"),
            among("concept", "thresholds"),
            among("distribution", "uniform"),
            realizable(),
            Condition(
                "s ≥ 10 ln(k/β)", ("s", "k", "beta"), lambda first: bool(first["s"] >= 10 * log(first["k"] / first["beta"]))
            ),
            known("max_mistakes"),
        ),
        decider=Probability(
            (
                Limit("max_mistakes", _most_by_law, unit=1),
                Limit(
                    "mistakes short of the law", 0, of=_short_of_law, reads=("max_mistakes", "k", "s", "m", "beta", "learner")
                ),
            ),
            may_fail=times(4, "beta"),
        ),
        check="self-check",
        nature="ours",
    ),
)
