"""How often one query is answered wrong or ⊥ by A_binClas, in closed form: with a fresh threshold, from the law of its
votes.
"""

import numpy as np
import scipy

from harness.arrays import Ints, Reals
from harness.theory.fixed_point import CutoffPlan
from harness.theory.privacy.laplace import difference_tail

CERTAIN = 90.0  # so many λ above w a query is answered but for 10⁻¹⁹
REACH = 9.0  # standard deviations of the votes on either side: beyond are less than 10⁻¹⁸
FINE = 64  # votes apart are no more than a standard deviation over this where the sum over all counts would be long


def misclassified(shares: Reals, flips: Reals, plan: CutoffPlan) -> Reals:
    """P(⊥ or a wrong label) of each of some queries, (q,), whose k votes are wrong independently with probability `share`.
    flips: the probabilities with which a query's own label is flipped, (q,).

    The votes are those for the label that is not the best; the query's own label is flipped from that with probability `flips`.
    Distance as printed, max(0, gap − 1), and noise Lap(2λ) against w + Lap(λ). Of very many chunks only one count in so many is
    summed over: absolute error 1e-6.
    """
    k, deviation = plan.k, np.sqrt(plan.k * shares * (1 - shares))
    errors: Reals = np.where(shares < 0.5, flips, 1 - flips)
    unsure = np.flatnonzero(k * np.abs(1 - 2 * shares) - 2 * REACH * deviation - plan.w <= CERTAIN * plan.lam)
    if not len(unsure):
        return errors
    counts = [_counts(k, float(shares[i]), float(deviation[i])) for i in unsure]
    wrong, lengths = np.concatenate(counts), np.array([*map(len, counts)])
    share, flip = np.repeat((shares[unsure], flips[unsure]), lengths, axis=1)
    law: Reals = np.asarray(scipy.stats.binom.pmf(wrong, k, share))
    passes = difference_tail(plan.w - np.maximum(0, np.abs(k - 2 * wrong) - 1).astype(float), plan.lam)
    failed = law * (1 - passes + passes * np.where(2 * wrong < k, flip, 1 - flip))
    begins = np.cumsum(lengths) - lengths
    errors[unsure] = np.add.reduceat(failed, begins) / np.add.reduceat(law, begins)
    return errors


def _counts(k: int, share: float, deviation: float) -> Ints:
    """How many of k votes can be wrong, but for chances that no sum shows; of very many only one in so many."""
    spread, step = REACH * deviation + REACH**2, max(1, int(deviation / FINE))
    return np.arange(max(0, int(k * share - spread)), min(k, int(k * share + spread) + 1) + 1, step)
