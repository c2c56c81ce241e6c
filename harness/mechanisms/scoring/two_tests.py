"""The loop of A_SL-Quer (BTT18a Algorithms 6 and 8): two tests a query, the second where the first fails.

A first test that fails has its threshold redrawn at once, for the second one. If that passes, the threshold stays in effect
for the next queries, and c rises by 1; if it fails too the answer is ⊥, the threshold is redrawn again, and c rises by 2. So
what follows a first test that failed is decided by draws of that query alone: whether it is ⊥, and which threshold it leaves
in effect. The loop is that of sparse vector, with first tests for queries, where each candidate owns the threshold that it
would leave and says what it would cost.
"""

from dataclasses import dataclass

import numpy as np

from harness.arrays import Bools, Ints, Reals
from harness.mechanisms.above_threshold import reveal, scan, settle, share_of_time
from harness.mechanisms.noise import binomial, laplace


@dataclass(frozen=True)
class Passed:
    """How many queries of each type, (q,): pass the first test, pass the second, are ⊥, and are not reached."""

    first: Ints
    second: Ints
    bottoms: Ints
    unanswered: Ints


def two_tests(first: Ints, second: Ints, sizes: Ints, lam: float, w: float, cutoff: int, rng: np.random.Generator) -> Passed:
    """Run the loop on sizes[i] queries with distances first[i] and second[i], all (q,), in random order.

    lam, w: λ and w, in votes. cutoff: the loop runs while c ≤ cutoff. The cost does not grow with the number of queries, but
    with how many first tests fail, or might.
    """
    types, c = len(sizes), 0
    in_effect, run = w + laplace(lam, 1, rng), np.zeros(types, np.int64)
    left, failed, bottoms = sizes, np.zeros(types, np.int64), np.zeros(types, np.int64)
    unanswered = np.zeros(types, np.int64)
    while True:
        share = float(share_of_time(first, left, lam, w, in_effect, run)[0])
        arriving = left if share == 1 else binomial(left, share, rng)
        left = left - arriving
        outcomes: list[Bools] = []

        def redraw(type_: Ints, outcomes: list[Bools] = outcomes) -> Reals:
            """What a first test that fails leads to: the threshold that is left in effect; notes whether the answer is ⊥."""
            again, noisy = w + laplace(lam, len(type_), rng), second[type_] + laplace(2 * lam, len(type_), rng)
            owned, bottom = second_test(noisy, again, w + laplace(lam, len(type_), rng))
            outcomes.append(bottom)
            return owned

        found = reveal(first, arriving, in_effect, lam, redraw, rng, run)
        bottom = np.concatenate(outcomes)[found.drawn]
        settled = settle(found.noisy, float(in_effect[0]), found.owned, len(found.noisy))
        spent = c + np.cumsum(1 + bottom[settled])
        settled = settled[: int(np.searchsorted(spent, cutoff, side="right")) + 1]
        failed += found.counted(settled, types)
        bottoms += found.counted(settled[bottom[settled]], types)
        c = int(spent[len(settled) - 1]) if len(settled) else c
        if c > cutoff:
            last = int(settled[-1])
            quiet = arriving - found.counted(slice(None), types)
            unanswered = left + binomial(quiet, 1 - float(found.when[last]), rng) + found.counted(slice(last + 1, None), types)
        if c > cutoff or not left.any():
            return Passed(sizes - unanswered - failed, failed - bottoms, bottoms, unanswered)
        in_effect = found.owned[settled[-1:]] if len(settled) else in_effect


def second_test(noisy: Reals, again: Reals, after: Reals) -> tuple[Reals, Bools]:
    """The threshold that each query leaves in effect if its first test fails, and whether it is ⊥, (queries,).

    noisy: its second distance with noise. again: the threshold that is drawn for its second test. after: the one drawn after ⊥.
    """
    bottom: Bools = noisy <= again
    return np.where(bottom, after, again), bottom


@dataclass(frozen=True)
class Noise:
    """All that m queries in a given order may draw: (m,) each, but for the first threshold.

    dist: what is added to first and second distances. again, after: thresholds drawn for the second test, and after ⊥.
    """

    threshold: float
    first_dist: Reals
    second_dist: Reals
    again: Reals
    after: Reals


def in_order(first: Ints, second: Ints, noise: Noise, cutoff: int) -> tuple[Ints, Ints]:
    """The loop on given noise in a given order: the indices of queries whose first test fails, and of those that are ⊥.

    After the last of the former the run halts if it has raised c above the cutoff; the queries behind it are unanswered.
    """
    owned, bottom = second_test(second + noise.second_dist, noise.again, noise.after)

    def redraw(indices: Ints) -> Reals:
        return owned[indices]

    failed = scan(first + noise.first_dist, noise.threshold, redraw, len(first))
    spent = np.cumsum(1 + bottom[failed])
    failed = failed[: int(np.searchsorted(spent, cutoff, side="right")) + 1]
    return failed, failed[bottom[failed]]
