"""Thresholds learned from noisy labels: where the least empirical risk lies, and the most mistakes of k thresholds.

Examples are labelled by a target, and each label is flipped with probability 0 < η < 1/2. Number the gaps between
neighbouring examples by how far they are from the one that holds the target: 0, then ±1, ±2, … to the right and left. All
thresholds in a gap have one empirical risk. From one gap to the next, away from the target, it rises by one mistake with
probability 1 − η and falls by one with probability η, independently: a random walk with drift to either side. So the gap of
least risk is near the target, by a law that is the same for any number of examples, and independently of where they lie.

The law, for walks without end. Of the gaps of least risk let the farthest to one side be chosen, the side of ties. It is
number j ≥ 0 on that side if the risk beyond stays above it, which has probability 1 − 2η, and on the way back past the target
never falls below it. Summed over how far above it the risk at the target is (ballot numbers for the way there; from h above,
the walk beyond falls below with probability (η/(1−η))^(h+1)), generating functions give

    P(number j on the side of ties) = (1−2η) P(τ > j + N),
    P(number j+1 on the other side) = η/(1−η) · P(number j on the side of ties).

Here τ is when a walk of steps +1 (probability 1−η) and −1 (η) first reaches +1: P(τ = 2i+1) = C_i q^i (1−η), with the Catalan
numbers C_i and q = η(1−η). N is independent, with P(N ≥ i) = (q/(1−3q))^i.
"""

from functools import cache
from math import ceil, log, sqrt

import numpy as np
import scipy

from harness.arrays import Ints, Reals
from harness.ballots import Queries


def reach(eta: float, missed: float) -> int:
    """An even number of gaps: that of least risk is farther from the target's, on either side, w.p. at most `missed` in (0, 1).

    P(τ > j + N), summed over j ≥ 2i and over what τ > 2i adds below, is at most E[τ; τ > 2i]. With (2i+1) P(τ = 2i+1) ≤
    2(1−η)(4q)^i that is at most 2(1−η)(4q)^i/(1−4q), where 1 − 4q = (1−2η)²; with both sides 2(4q)^i/(1−2η).
    """
    return 2 * ceil(log(missed * (1 - 2 * eta) / 2) / log(4 * eta * (1 - eta)))


def radius(eta: float, missed: float, s: int) -> float:
    """A mass about the target, on either side, in which fewer than `reach` + 1 of s examples lie w.p. at most `missed`.

    Chernoff: Bin(s, μ/s) is at most I with probability at most exp(−(μ−I)²/(2μ)).
    """
    most, deviation = reach(eta, missed), -log(missed)
    return (most + deviation + sqrt(deviation * (deviation + 2 * most))) / s


@cache
def gap_law(eta: float, missed: float) -> Reals:
    """P(the gap of least risk is j from the target's on the side of ties), j < reach(eta, missed), (reach,); from below.

    By leaving out τ > reach.

    With those of j + 1 on the other side they sum to at least 1 − missed.
    """
    q, half = eta * (1 - eta), reach(eta, missed) // 2
    i = np.arange(half - 1)
    first = np.zeros(2 * half)  # P(τ = j + 1) at j
    first[::2] = (1 - eta) * np.cumprod(np.append(1.0, q * (4 * i + 2) / (i + 2)))
    later = np.cumsum(first[::-1])  # P(τ > j), j from the largest down to 0
    shrinks = q / (1 - 3 * q)
    law: Reals = (1 - 2 * eta) * scipy.signal.lfilter([1 - shrinks], [1, -shrinks], later)[::-1]
    law.setflags(write=False)
    return law


def counts_within(a: Reals, s: int, most: int) -> Reals:
    """P(Bin(s, a) = ν) for ν = 0, …, most; (len(a), most + 1). Accurate where s is large and a small, 0 ≤ a < 1, most < s."""
    nu = np.arange(most)
    with np.errstate(divide="ignore"):  # ln 0 at a = 0
        rises = np.log(a / (1 - a))[:, np.newaxis] + np.log((s - nu) / (nu + 1))
    logs = np.concatenate([s * np.log1p(-a)[:, np.newaxis], rises], axis=1)
    within: Reals = np.exp(np.cumsum(logs, axis=1))
    return within


def end_exceeds(law: Reals, a: Reals, s: int) -> Reals:
    """P(the gap of least risk is on the side of ties and its far end beyond a), for distances a; law: of the gap, as `gap_law`.

    The far end is the (j+1)-th example: it is beyond a if at most j lie within. The near end on the other side is there
    the j-th, and has the same law but for the factor η/(1−η).
    """
    at_least = np.cumsum(law[::-1])[::-1]
    exceeds: Reals = counts_within(a, s, len(law) - 1) @ at_least
    return exceeds


def middle_exceeds(zero: float, law: Reals, a: Reals, s: int) -> Reals:
    """P(the middle of the gap of least risk is beyond distance a on one side); gap 0 has probability `zero`, gap j + 1 law[j].

    The middle of gap j > 0 is beyond a if fewer than j examples lie within, or just j and the nearest to a is one of them. Let
    G_j be the probability of the latter. By parts, G_1 = P(0 lie within) − (1−2a)^s, and G_j + G_{j+1} = P(j lie within) for
    j > 0. The middle of gap 0 is beyond a with probability (1−2a)^s/2.
    """
    within = counts_within(a, s, len(law) - 1)
    at_least = np.cumsum(law[::-1])[::-1]
    fewer = within @ at_least
    with np.errstate(divide="ignore"):  # ln 0 from a = 1/2 on
        none = np.exp(s * np.log1p(-np.minimum(2 * a, 1)))
    within[:, 0] -= none
    exceeds: Reals = fewer + scipy.signal.lfilter([1], [1, 1], within, axis=1) @ law + zero * none / 2
    return exceeds


def least_risk_gaps(x: Reals, target: float, eta: float, side: int, rng: np.random.Generator) -> tuple[Reals, Reals]:
    """The ends of the gap of least risk of each chunk, from 0 to 1. x: (chunks, s), sorted; side: of ties, −1 or +1."""
    # Flips are independent of the examples, so those of sorted ones may be drawn in their order.
    labels, s = (x >= target) ^ (rng.random(x.shape) < eta), x.shape[1]
    # A chunk is a column, as sums along short rows are slow; each place adds less to a risk than one mistake, to break ties.
    risk = labels.T.astype(np.min_scalar_type(-s * (s + 2)), order="C")
    risk *= 2 * (s + 1)
    risk -= s + 1 + side
    np.cumsum(risk, axis=0, out=risk)
    gap = -side * np.minimum(risk.min(axis=0), 0) % (s + 1)
    chunk = np.arange(len(x))
    return np.where(gap > 0, x[chunk, gap - 1], 0.0), np.where(gap < s, x[chunk, np.minimum(gap, s - 1)], 1.0)


def most_mistakes(ones: Ints, k: int, queries: Queries) -> Ints:
    """The most mistakes that any one of k thresholds of each trial makes on its queries' own labels, (trials,).

    ones: how many label each query 1.
    """
    trial = np.zeros(len(ones), dtype=np.int64) if queries.trial is None else queries.trial
    contested = np.flatnonzero((ones > 0) & (ones < k))
    contested = contested[np.lexsort((queries.points[contested], trial[contested]))]
    # A gap between contested queries holds a threshold where the votes rise. The last threshold labels all of them 0; one that
    # labels those from r on 1 adds their zeros to its mistakes, and takes away their ones.
    of, votes = trial[contested], ones[contested]
    rises = (np.diff(of, prepend=-1) != 0) | (np.diff(votes, prepend=0) > 0)
    signs = 1 - 2 * queries.truth[contested].astype(np.int64)
    from_each = np.cumsum((signs * queries.sizes[contested])[::-1])[::-1]
    of_later = np.append(from_each, 0)[np.searchsorted(of, of, side="right")]  # those of the trials after its own
    added = np.zeros(queries.trials, dtype=np.int64)  # by the last threshold
    np.maximum.at(added, of[rises], (from_each - of_later)[rises])
    return added + queries.sums(np.where((ones == k) != queries.truth, queries.sizes, 0))
