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
from harness.mechanisms.above_threshold import after_the_last, reveal, scan, settle_runs, share_of_time
from harness.mechanisms.noise import binomial, laplace


@dataclass(frozen=True)
class Passed:
    """How many queries of each type, (…, q): pass A_SL-Quer's first test, pass the second, are ⊥, and are not reached."""

    first: Ints
    second: Ints
    bottoms: Ints
    unanswered: Ints


def two_tests(first: Ints, second: Ints, sizes: Ints, lam: float, w: float, cutoff: int, rng: np.random.Generator) -> Passed:
    """Runs A_SL-Quer's loop on sizes[i] queries at distances first[i], second[i], (q,) or (trials, q), in random order.

    lam, w: λ and w, in votes. cutoff: the loop runs while c ≤ cutoff. The cost does not grow with the number of queries, but
    with how many first tests fail, or might.
    """
    first, second, left = first.ravel(), second.ravel(), sizes.flatten()
    trials = left.size // sizes.shape[-1]
    run, c, in_effect = np.repeat(np.arange(trials), sizes.shape[-1]), np.zeros(trials, np.int64), w + laplace(lam, trials, rng)
    failed, bottoms, unanswered = (np.zeros_like(left) for _ in range(3))
    types = np.arange(len(left))  # of the trials that go on
    while len(types):
        of, near = run[types], second[types]
        share = share_of_time(first[types], left[types], lam, w, in_effect, of)
        arriving = left[types] if (share == 1).all() else binomial(left[types], share[of], rng)
        left[types] -= arriving
        outcomes: list[Bools] = []

        def redraw(type_: Ints, near: Ints = near, outcomes: list[Bools] = outcomes) -> Reals:
            """What a first test that fails leads to: the threshold that is left in effect; notes whether the answer is ⊥."""
            again, noisy = w + laplace(lam, len(type_), rng), near[type_] + laplace(2 * lam, len(type_), rng)
            owned, bottom = second_test(noisy, again, w + laplace(lam, len(type_), rng))
            outcomes.append(bottom)
            return owned

        candidates = reveal(first[types], arriving, in_effect, lam, redraw, rng, of)
        by_run, bottom = of[candidates.type], np.concatenate(outcomes)[candidates.drawn]
        settled = settle_runs(candidates.noisy, by_run, in_effect, candidates.owned, np.full(trials, len(by_run)))
        settled, spent = until_halted(settled, by_run[settled], 1 + bottom[settled], c, cutoff)
        failed[types] += candidates.counted(settled, len(types))
        bottoms[types] += candidates.counted(settled[bottom[settled]], len(types))
        c[by_run[settled]], in_effect[by_run[settled]] = spent, candidates.owned[settled]  # of several the last
        halted = np.flatnonzero(c[of] > cutoff)
        if len(halted):
            unanswered[types[halted]] = left[types[halted]] + after_the_last(candidates, settled, arriving, of, halted, rng)
        types = types[((c <= cutoff) & (np.bincount(of, left[types], trials) > 0))[of]]
    counts = (sizes.ravel() - unanswered - failed, failed - bottoms, bottoms, unanswered)
    return Passed(*(each.reshape(sizes.shape) for each in counts))


def until_halted(failed: Ints, run: Ints, cost: Ints, c: Ints, cutoff: int) -> tuple[Ints, Ints]:
    """The failed first tests of each trial up to the one at which c passes the cutoff and the loop halts, and c after each.

    run, cost: the trial of each, and by how much it raises c. c: of each trial, (trials,), before them.
    """
    total = np.cumsum(cost)
    before = np.append(0, total)[np.searchsorted(run, run)]  # of the trials before that of each
    spent = c[run] + total - before
    kept = spent - cost <= cutoff
    return failed[kept], spent[kept]


def second_test(noisy: Reals, again: Reals, after: Reals) -> tuple[Reals, Bools]:
    """The threshold that each query leaves in effect where its first test failed, and whether the query is ⊥, (queries,).

    noisy: its second distance with noise. again: the threshold that is drawn for its second test. after: the one drawn after ⊥.
    """
    bottom: Bools = noisy <= again
    return np.where(bottom, after, again), bottom


@dataclass(frozen=True)
class TwoTestNoise:
    """All noise of A_SL-Quer's loop on m queries in a given order: (m,) each, but for the first threshold.

    dist: what is added to first and second distances. again, after: thresholds drawn for the second test, and after ⊥.
    """

    threshold: float
    first_dist: Reals
    second_dist: Reals
    again: Reals
    after: Reals


def in_order(first: Ints, second: Ints, noise: TwoTestNoise, cutoff: int) -> tuple[Ints, Ints]:
    """A_SL-Quer's loop on given noise, in order: the indices of queries whose first test fails, and of those that are ⊥.

    After the last of the former the run halts if it has raised c above the cutoff; the queries behind it are unanswered.
    """
    owned, bottom = second_test(second + noise.second_dist, noise.again, noise.after)

    def redraw(indices: Ints) -> Reals:
        return owned[indices]

    failed = scan(first + noise.first_dist, noise.threshold, redraw, len(first))
    spent = np.cumsum(1 + bottom[failed])
    failed = failed[: int(np.searchsorted(spent, cutoff, side="right")) + 1]
    return failed, failed[bottom[failed]]
