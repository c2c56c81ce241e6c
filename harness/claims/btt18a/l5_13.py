"""BTT18a Lemma 5.13: one query of ν-weak quality.

Its mean is within ν of 0 or 1, and what is within 4α√(2n') of it lies in the outermost bin. Decided where each prediction does
with probability exactly 3/4 and all others share one bin, which is the worst that Lemma 5.8 lets happen; the chance is a sum
over a binomial. The lemma's last sentence fails by equality: the answer is γ/2, which is ν' itself, where Definition 5.12 asks
for less.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import ceil

import numpy as np
import scipy

from harness.claims.engine import Claim, Computed, Number
from harness.theory.constants.btt18a_scores import PRINTED, REPAIRED, ScoreTask, single_chunks
from harness.theory.privacy.laplace import difference_tail

SETTINGS = ((0.1, 1000, 1.0), (1.0, 1, 1.0), (1.0, 1000, 1.0), (1.0, 10**6, 100.0), (10.0, 1000, 1.0))
BETAS = (0.05, 1e-9)


def missed(k: int, lam: float, w: float) -> float:
    """P(the first test does not pass with the bin that has each of k predictions with probability 3/4, the others in one)."""
    inside = np.arange(k + 1)
    gap = 2 * inside - k
    fails = np.where(gap > 0, difference_tail(np.maximum(gap - 1.0, 0) - w, lam), 1.0)
    return float(scipy.stats.binom.pmf(inside, k, 0.75) @ fails)


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


def _strong(strict: bool) -> Iterator[Number]:
    """How often a score is not within ν' of 0 where it is the outermost midpoint: always or never, by exact fractions."""
    for bins, nu in ((10, Fraction(1, 50)), (50, Fraction(1, 100)), (4, Fraction(0))):
        reach = (Fraction(1, bins) - nu) / 2  # 8α√(2n')
        answer, most = Fraction(1, 2 * bins), reach + nu / 2
        outside = answer >= most if strict else answer > most
        said = "not below" if strict else "above"
        yield Number(f"P(the score is {said} ν'), γ = 1/{bins}, ν = {float(nu):g}, β' = 0.05", float(outside), 0.05)


CLAIMS = (
    Claim(
        "BTT18a:L5.13",
        "BTT18a Lemma 5.13",
        "With k = 3(√5 λ ln(2/β') + w) and γ = 16α√(2n') + ν, a query of ν-weak quality is answered within 8α√(2n') + ν/2 of "
        "its mean w.p. at least 1 − β'. Decided where 3/4 of the predictions are expected within 4α√(2n') of the mean.",
        decider=Computed(partial(_misses, 1.0)),
    ),
    Claim(
        "BTT18a:L5.13-strong",
        "BTT18a Lemma 5.13, its last sentence",
        "A_PrvLearn has (ν', β')-strong quality for such a query, ν' = 8α√(2n') + ν/2: w.p. at least 1 − β' its score is "
        "below ν' or above 1 − ν'.",
        decider=Computed(partial(_strong, True)),
        expected="refuted",
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
    ),
)
