"""BTT18a Corollary 5.10: 2k/3 of the predictions are near their mean, where each is with probability at least 3/4.

The chance that fewer are is largest where each is near with probability exactly 3/4, and is then a binomial tail: no sampling.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import ceil

import scipy

from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.constants.btt18a_scores import near_chunks

BETAS = (0.5, 0.05, 1e-3, 1e-6, 1e-12)


def tails(chunks: Callable[[float], int]) -> Iterator[Number]:
    """Compares with β' P(Bin(k, 3/4) < 2k/3), at the k = chunks(β') that is said to be enough."""
    for beta in BETAS:
        k = chunks(beta)
        fewer = float(scipy.stats.binom.cdf(ceil(2 * k / 3) - 1, k, 0.75))
        yield Number(f"P(Bin(k, 3/4) < 2k/3), k = {k:,}, β' = {beta:g}", fewer, beta)


CLAIMS = (
    Claim(
        "BTT18a:C5.10",
        "BTT18a Corollary 5.10",
        "With k ≥ 72 ln(1/β'), w.p. at least 1 − β' at least 2k/3 of the predictions are within 4α√(2n') of their mean. By "
        "Lemma 5.8 each is with probability at least 3/4; decided where that is all.",
        decider=Computed(partial(tails, near_chunks)),
        quote=Quote(
            "BTT18a §5 (Corollary 5.10)",
            "In Algorithm A_PrvLearn, let B be an α-on-average stable learner with consistent randomization. Let x ∈ X, "
            "β′ ∈ (0, 1), and S = {h_1(x), …, h_k(x)}. If the sample-splitting parameter k ≥ 72 log(1/β′), then "
            "|{v ∈ S : |v − E_D̂[h_D̂]| ≤ 4α√(2n′)}| ≥ 2k/3 w.p. at least 1−β′.",
        ),
    ),
)
