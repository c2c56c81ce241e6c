"""BTT18a Lemmas 5.8 and 5.13: how far a score is from its mean, and what that makes of one query.

*Lemma 5.13*: a query of ν-weak quality. Its mean is within ν of 0 or 1, and what is within 4α√(2n') of it lies in the outermost
bin. Decided where each prediction does with probability exactly 3/4 and all others share one bin, which is the worst that Lemma
5.8 lets happen; the chance is a sum over a binomial. The stability gives more, 63/64 by Chebyshev's inequality over coins and
data at once, and with that the lemma's k is enough at ε = 100 too, where it is below its proof's 72 ln(2/β'). The lemma's last
sentence fails by equality: the answer is γ/2, which is ν' itself, where Definition 5.12 asks for less.

*Lemma 5.8*: how far a score is from its mean, by on-average stability. Its proof loses a factor of 4: it splits ¼ between the
coins and the data, and Markov's inequality on the coins is not needed, because Chebyshev's holds on average over them. With E
Var(h | coins) ≤ α²n'/2 (Steele 1986), α√(2n') is twice the standard deviation.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import ceil, sqrt

import numpy as np
import pandas as pd
import scipy

from harness.claims.engine import Claim, Computed, Limit, Number, Probability, Quote, among, known
from harness.theory.constants.btt18a_scores import PRINTED, REPAIRED, ScoreTask, single_chunks
from harness.theory.privacy.laplace import difference_tail

SETTINGS = ((0.1, 1000, 1.0), (1.0, 1, 1.0), (1.0, 1000, 1.0), (1.0, 10**6, 100.0), (10.0, 1000, 1.0))
BETAS = (0.05, 1e-9)
CORNERS = (
    (100.0, 1, 1.0, 0.2),
    (100.0, 1, 1.0, 1e-10),
    (100.0, 10**6, 1.0, 0.2),
    (30.0, 1, 1.0, 0.1),
    (100.0, 1000, 1000.0, 0.2),
)
"""ε, m, T and δ where k is small."""

L5_13 = Quote(
    "BTT18a §5 (Lemma 5.13)",
    "Set k = 3(√5 λ log(2/β′) + w), where λ and w are the input parameters defined in A_PrvLearn. […] Then, w.p. at least "
    "1−β′, the output classifier H_Priv of A_PrvLearn satisfies |H_Priv(x) − E_D̂[h_D̂(x)]| ≤ 8α√(2n′) + ν/2.",
)
LAST = Quote(
    "BTT18a §5 (Lemma 5.13, last sentence)",
    "Consequently, A_PrvLearn has (ν′, β′)-strong quality for x, where ν′ = 8α√(2n′) + ν/2.",
)
STABLE = Quote(
    "BTT18a §5 (Lemma 5.13, proof)",
    "at least 2k/3 points of S lie in either the leftmost or the rightmost interval of P^γ. Hence, Hist_S^γ is a k/3-stable "
    "histogram (see Definition 5.5).",
)


def missed(k: int, lam: float, w: float, near: float = 0.75) -> float:
    """P(the first test fails or has the wrong bin): k predictions are in the right one w.p. `near`, the rest in one other."""
    inside = np.arange(k + 1)
    gap = 2 * inside - k
    fails = np.where(gap > 0, difference_tail(np.maximum(gap - 1.0, 0) - w, lam), 1.0)
    return float(scipy.stats.binom.pmf(inside, k, near) @ fails)


def _misses(share: float) -> Iterator[Number]:
    for constants in (PRINTED, REPAIRED):
        for eps, m, T in SETTINGS:
            task = ScoreTask(m, T, eps, 1e-6, 0.05)
            lam, w = constants.lam(task), constants.w(task)
            for beta in BETAS:
                k = ceil(share * single_chunks(lam, w, beta))
                where = (
                    f"P(not the outermost midpoint), w of {constants.name}, ε = {eps:g}, m = {m:,}, T = {T:g}, β' = {beta:g}"
                )
                yield Number(where, missed(k, lam, w), beta)
    for eps, m, T, delta in CORNERS:
        task = ScoreTask(m, T, eps, delta, 0.05)
        lam, w = PRINTED.lam(task), PRINTED.w(task)
        for beta in (0.2, 0.05, 1e-10):
            k = ceil(share * single_chunks(lam, w, beta))
            where = (
                f"P(not the outermost midpoint), 63/64 near, ε = {eps:g}, m = {m:,}, T = {T:g}, δ = {delta:g}, β' = {beta:g}"
            )
            yield Number(where, missed(k, lam, w, 63 / 64), beta)


def _strong(strict: bool) -> Iterator[Number]:
    """How often a score is not within ν' of 0 where it is the outermost midpoint: always or never, by exact fractions."""
    for bins, nu in ((10, Fraction(1, 50)), (50, Fraction(1, 100)), (4, Fraction(0))):
        reach = (Fraction(1, bins) - nu) / 2  # 8α√(2n')
        answer, most = Fraction(1, 2 * bins), reach + nu / 2
        outside = answer >= most if strict else answer > most
        words = "not below" if strict else "above"
        yield Number(f"P(the score is {words} ν'), γ = 1/{bins}, ν = {float(nu):g}, β' = 0.05", float(outside), 0.05)


def _stable(less: int) -> Iterator[Number]:
    """How often a histogram with just 2k/3 in one bin and the others in another is not d-stable, d = k/3 − less."""
    for k in (6, 30, 3000):
        gap, d = 2 * k // 3 - k // 3, Fraction(k, 3) - less
        stable = max(1, gap) > d  # Definition 5.5
        yield Number(f"histograms that are not d-stable, k = {k}, d = k/3 − {less}", float(not stable), 0.0)


MEASURED = (among("mechanism", "on_average"), known("closed"))
"""Trials of learners of which α is known: with a larger one the lemma says less."""


def within(constant: float) -> Probability:
    """The decider of whether a score is beyond constant·α√(2n') of its mean with probability at most ¼."""

    def most(first: pd.Series) -> float:
        return constant * float(first["closed"]) * sqrt(2 * first["s"])

    return Probability((Limit("deviation", most, trivial=1.0),), "stability", may_fail=0.25)


L5_8 = Quote(
    "BTT18a §5 (Lemma 5.8)",
    "Let B be α-on-average stable (soft-label) classification learner. […] Then, for any fixed x ∈ X, we have P_{r∼R, "
    "D̂∼Dⁿ′}[|h_D̂^(r)(x) − E_D̂[h_D̂^(r)](x)| ≤ 4α√(2n′)] ≥ 3/4, where the probability is taken over both the random "
    "coins r of B and the dataset D̂.",
)


CLAIMS = (
    Claim(
        "BTT18a:L5.13",
        "BTT18a Lemma 5.13",
        "With k = 3(√5 λ ln(2/β') + w) and γ = 16α√(2n') + ν, a query of ν-weak quality is answered within 8α√(2n') + ν/2 of "
        "its mean w.p. at least 1 − β'. Decided where 3/4 of the predictions are expected within 4α√(2n') of the mean for ε "
        "up to 10, and 63/64, the least that Definition 5.7 allows, for ε up to 100.",
        decider=Computed(partial(_misses, 1.0)),
        quote=L5_13,
    ),
    Claim(
        "BTT18a:L5.13-stable",
        "BTT18a Lemma 5.13, proof",
        "A histogram with at least 2k/3 of k predictions in one bin is k/3-stable.",
        decider=Computed(partial(_stable, 0)),
        expected="refuted",
        nature="step",
        of="BTT18a:L5.13",
        quote=STABLE,
        why=(
            "Definition 5.5 asks for a gap of more than d. With just 2k/3 in one bin and the others in one it is k/3, and the"
            " distance that is tested is k/3 − 1."
        ),
    ),
    Claim(
        "BTT18a:L5.13-stable-repaired",
        "BTT18a Lemma 5.13, proof, repaired",
        "A histogram with at least 2k/3 of k predictions in one bin is d-stable for every d below k/3, and its distance in "
        "Algorithm 8 is at least k/3 − 1.",
        decider=Computed(partial(_stable, 1)),
        nature="repair",
        of="BTT18a:L5.13-stable",
        proof="Any other bin has at most k/3, so that the gap is at least k/3 and the distance, gap − 1, at least k/3 − 1.",
    ),
    Claim(
        "BTT18a:L5.13-strong",
        "BTT18a Lemma 5.13, its last sentence",
        "A_PrvLearn has (ν', β')-strong quality for such a query, ν' = 8α√(2n') + ν/2: w.p. at least 1 − β' its score is "
        "below ν' or above 1 − ν'.",
        decider=Computed(partial(_strong, True)),
        expected="refuted",
        quote=LAST,
        why="The score is the midpoint of the outermost bin, which is ν' itself. Definition 5.12 asks for less than ν'.",
    ),
    Claim(
        "BTT18a:L5.13-strong-repaired",
        "BTT18a Lemma 5.13, its last sentence, repaired",
        "A_PrvLearn has (ν', β')-strong quality for such a query, ν' = 8α√(2n') + ν/2: w.p. at least 1 − β' its score is "
        "at most ν' or at least 1 − ν'.",
        decider=Computed(partial(_strong, False)),
        check="identity",
        nature="repair",
        of="BTT18a:L5.13-strong",
        proof="The answer is the midpoint of the outermost bin, γ/2 = 8α√(2n') + ν/2 = ν' or 1 − ν', where the lemma has it.",
    ),
    Claim(
        "BTT18a:L5.8",
        "BTT18a Lemma 5.8",
        "Where Θ is α-on-average stable, P(|h(x) − E h(x)| ≤ 4α√(2n')) ≥ 3/4 at every x.",
        where=MEASURED,
        decider=within(4.0),
        quote=L5_8,
    ),
    Claim(
        "BTT18a:L5.8-sharp",
        "not in the papers: Lemma 5.8 with a quarter of its constant",
        "Where Θ is α-on-average stable, P(|h(x) − E h(x)| ≤ α√(2n')) ≥ 3/4 at every x: 1 is enough in place of 4, by "
        "Chebyshev's inequality alone.",
        where=MEASURED,
        decider=within(1.0),
        nature="ours",
    ),
)
