"""All constants of BTT18 together as small as the others allow: what is kept, and what it saves.

The privacy is certified by the sharper of two accountants, and the utility proved with T from the shortfall of Bin(m, γ+α).
What it saves is computed at the same guarantee: the same T/m, ε, δ and β.
"""

from collections.abc import Iterator
from math import exp, log

import scipy

from harness.claims.engine import (
    ANSWERED,
    Claim,
    Computed,
    Number,
    among,
    at_most,
    printed_cutoff,
    rate_within,
    spends_eps,
    stable_votes,
    task_of,
)
from harness.mechanisms.answering import mechanisms
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import plan_for_alpha

OURS = "not in the papers: BTT18 Theorem 3.2 with every constant as small as the others allow"
SIZES = ((1000, 0.1), (10**5, 0.02), (10**6, 0.01), (10**8, 0.01))
"""Queries, and the rate T/m that is guaranteed."""


def examples(name: str, m: int, rate: float) -> int:
    """The n at which a set of constants guarantees a misclassification rate on m queries, for thresholds on the line."""
    constants_set, task = constants()[name], task_of(m, 0.05, pac_bound=pac.thresholds_consistent)
    alpha = exp(scipy.optimize.brentq(lambda x: constants_set.T(task, exp(x)) - rate * m, log(1e-12), log(rate)))
    return plan_for_alpha(constants_set, task, alpha).n


def _saved(rival: str, times: float) -> Iterator[Number]:
    for m, rate in SIZES:
        where = f"n of lean over n of {rival}, m = {m:,}, T/m = {rate:g}, ε = 1, δ = 10⁻⁶, β = 0.05"
        yield Number(where, examples("lean", m, rate) / examples(rival, m, rate), 1 / times)


def _fewer_chunks(alpha: float) -> Iterator[Number]:
    """k against that of the best baseline at a learner's error where BTT18 and tight need more."""
    lean = constants()["lean"]
    for m in (10**6, 10**7, 10**8):
        task = task_of(m, 0.05)
        gaussian = mechanisms()["gaussian"].plan(lean, task, 1).k
        yield Number(
            f"k of lean over k of Gaussian noise, m = {m:,}, α = {alpha:g}", lean.k(task, lean.T(task, alpha)) / gaussian, 1
        )


CLAIMS = (
    Claim(
        "lean:T3.2",
        OURS,
        "With T = 3B, B the mean of the largest β/2 of the values of Bin(m, γ+α), and λ, w and k of `lean`: with probability "
        "at least 1 − 2β A_binClas answers all m queries without halting, with at most T answers ⊥, and its "
        "misclassification rate, ⊥ counted as an error, is at most T/m.",
        where=printed_cutoff("A_binClas", "lean"),
        decider=rate_within(betas=2),
        nature="ours",
    ),
    Claim(
        "lean:k",
        OURS,
        "With the λ, w and k = 6(a* + 1) of `lean`, a* for β/2: if on at least m − T queries at least 2k/3 votes agree, then "
        "with probability at least 1 − β A_binClas answers all of these with that label.",
        where=stable_votes("A_binClas", "lean"),
        decider=ANSWERED,
        nature="ours",
    ),
    Claim(
        "probe:lean:k-nine-tenths",
        OURS,
        "The same with 0.9 of that k. (False at the m, T and β tried.)",
        where=stable_votes("A_binClas", "lean", k_scale=0.9),
        decider=ANSWERED,
        expected="refuted",
        nature="probe",
        of="lean:k",
    ),
    Claim(
        "lean:private",
        OURS,
        "With the λ and w of `lean`, A_binClas is (ε, δ)-DP.",
        where=(among("mechanism", "lean"), at_most("eps", 10)),
        decider=spends_eps(),
        check="self-check",
        nature="ours",
    ),
    Claim(
        "lean:examples",
        OURS,
        "At m = 1000, 10⁵, 10⁶ and 10⁸ with T/m = 0.1, 0.02, 0.01 and 0.01, on thresholds at ε = 1, δ = 10⁻⁶ and β = 0.05, "
        "`lean` needs at most a twentieth of the private examples that the printed constants of BTT18 need.",
        decider=Computed(lambda: _saved("BTT18", 20)),
        nature="ours",
    ),
    Claim(
        "lean:crossover",
        OURS,
        "At a learner's error of 10⁻³, ε = 1, δ = 10⁻⁶ and β = 0.05, `lean` needs no more chunks than Gaussian noise on every "
        "answer, for 10⁶, 10⁷ and 10⁸ queries.",
        decider=Computed(lambda: _fewer_chunks(1e-3)),
        nature="ours",
    ),
    Claim(
        "probe:lean:crossover-ten",
        OURS,
        "The same at an error of 10⁻². (False: Gaussian noise needs fewer there.)",
        decider=Computed(lambda: _fewer_chunks(1e-2)),
        expected="refuted",
        nature="probe",
        of="lean:crossover",
    ),
)
