"""How hypotheses of error at most p = γ+α have to split their votes to break BTT18 Theorem 3.2, by exact laws.

A query is *missed* where it is ⊥ or answered wrong. Given the hypotheses the m queries are independent, so what counts is the
chance q that one of them is missed at a fresh threshold: more than T are missed with about the chance that Bin(m, q) > T.

From above, for all hypotheses there are. With v of k votes wrong a query is missed with chance f(v), and f(v) ≤ rv/k, but for
what is below 10⁻³⁰, with r = 2/(1 − (w+1)/k): at a distance up to w the votes are that evenly split, and beyond w the chance
to be ⊥ falls as e^{−x/2λ}, faster than v. The share of wrong votes is p on average, so q ≤ rp. And where the threshold is not
fresh it has let queries pass since it was drawn, by which it is the lower: so whatever came before, a query is missed with
chance at most q, and the number of those missed is at most Bin(m, rp). That holds for every k hypotheses of error at most p.

From below, for hypotheses that err in turn on a region, so that each of its points has just v wrong votes of k. Its mass is
pk/v. The first T + 1 queries there are all ⊥ with chance f(v)^(T+1), each at a threshold of its own. (Other queries are
unanimous, and ⊥ with a chance below 10⁻³⁰.)

T = 3B can be read as a real number, which may be below 1; as at least 1; and as rounded up. Where no more than t queries may be
missed, the worst p is the largest with 3B < t + 1, or with 3B = t where it is rounded up.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import exp, lgamma, log, sqrt

import numpy as np
from scipy.stats import binom

from harness.arrays import Ints, Reals
from harness.claims.engine import task_of
from harness.theory.constants import constants
from harness.theory.parameters import Task
from harness.theory.privacy.laplace import difference_tail

EDGES: Mapping[str, Callable[[int], float]] = {
    "real": lambda t: t + 1.0,
    "at-least-one": lambda t: t + 1.0 if t else 0.0,
    "ceiling": float,
}
"""By reading of T = 3B: the largest 3B at which no more than t queries may be missed; 0 where there is none."""

QUERIES = np.unique(np.geomspace(1, 10**4, 60).round().astype(int))
MOST_MISSED = 8  # t up to which the worst split is searched
OFFSETS = np.geomspace(0.5, 60, 40)  # how far below w a distance may be, in λ
BELOW = 1 - 1e-12
CALM = 2.25  # r at ε ≤ 100, δ ≤ 0.2, β ≤ 0.2: there w/k ≤ 2/(34√2) and k ≥ 16
ALONE = 300  # m up to which the law from above is summed one by one
SUMMED = 250  # t up to which it is: beyond, e^(−0.037t)


@dataclass(frozen=True)
class SplitVotes:
    """Hypotheses of error exactly alpha, `wrong` of whose k votes are wrong on each point of a region.

    allowed: how many of m queries may be missed. chance: that more are, from below.
    """

    m: int
    alpha: float
    k: int
    wrong: int
    allowed: int
    chance: float


def per_error(task: Task, T: float) -> float:
    """The factor r, at a cutoff T: a query is missed with chance at most r times the share of its votes that are wrong."""
    printed = constants()["BTT18"]
    return 2 / (1 - (printed.w(task, T) + 1) / printed.whole_k(task, T))


def mean_at(edge: float, L: float | Reals) -> Reals:
    """The mean pm of a hypothesis's mistakes at which 3(pm + √(pm·L/2)) equals `edge`."""
    half = np.asarray(L) / 2
    mean: Reals = ((np.sqrt(half + 4 * edge / 3) - np.sqrt(half)) / 2) ** 2
    return mean


def bottom(k: int, wrong: "int | Ints | Reals", lam: float, w: float) -> Reals:
    """f: the chance that a query is ⊥ at a fresh threshold, if `wrong` of its k votes, at most half, are wrong."""
    return 1 - difference_tail(w - np.maximum(0.0, k - 2.0 * np.asarray(wrong) - 1), lam)


def missed_at_least(m: int, alpha: float, k: int, wrong: "int | Ints | Reals", lam: float, w: float, allowed: int) -> Reals:
    """A lower bound on P(more than `allowed` of m queries are ⊥), if hypotheses err in turn on a region of mass αk/v."""
    mass = np.minimum(1.0, alpha * k / np.asarray(wrong, np.float64))
    chances: Reals = binom.sf(allowed, m, mass) * bottom(k, wrong, lam, w) ** (allowed + 1)
    return chances


def _splits(reading: str, beta: float, eps: float, delta: float) -> Iterator[SplitVotes]:
    printed = constants()["BTT18"]
    for allowed in range(MOST_MISSED):
        edge = EDGES[reading](allowed)
        for m in map(int, QUERIES[QUERIES > allowed] if edge else ()):
            task = task_of(m, beta, eps=eps, delta=delta)
            alpha = float(mean_at(edge, task.L)) / m * BELOW
            lam, w, k = printed.lam(task, edge), printed.w(task, edge), printed.whole_k(task, edge)
            wrong = np.ceil((k - 1 - np.maximum(0.0, w - OFFSETS * lam)) / 2).clip(1)
            chances = missed_at_least(m, alpha, k, wrong, lam, w, allowed)
            best = int(chances.argmax())
            yield SplitVotes(m, alpha, k, int(wrong[best]), allowed, float(chances[best]))


def worst(reading: str, beta: float, eps: float = 1.0, delta: float = 1e-6) -> SplitVotes:
    """The even split of votes that is most likely to miss too many queries, of all m up to 10⁴, t below 8 and α."""
    return max(_splits(reading, beta, eps, delta), key=lambda split: split.chance)


def at_most(reading: str, beta: float, r: float = CALM) -> float:
    """An upper bound on P(more are missed than may be), at every m, α and T = 3B, whatever the k hypotheses of error at most α.

    Each m up to 300 by the binomial law. From there on by the union bound (rpm)^c/c! or Chernoff's, c = t + 1, at the largest
    pm, which is that of the least m. Beyond t = 250 by Chernoff's at pm ≤ c/3.
    """
    largest = (r / 3 * exp(1 - r / 3)) ** (SUMMED + 2)
    for allowed in range(SUMMED + 1):
        edge, c = EDGES[reading](allowed), allowed + 1
        if not edge:
            continue
        m = np.arange(c, ALONE + 1)
        chances: Reals = np.asarray(binom.sf(allowed, m, np.minimum(1.0, r * mean_at(edge, np.log(m / beta)) / m)))
        mean = r * float(mean_at(edge, log(max(ALONE, c) / beta)))
        beyond = min(c * log(mean) - lgamma(c + 1), c - mean + c * log(mean / c))
        largest = max(largest, exp(beyond), float(chances.max(initial=0)))
    return largest


def bernstein(task: Task, p: float) -> float:
    """B by Bernstein's inequality: mp + √(2mpL) + L/3, L = ln(m/β), p being the error of each classifier."""
    return task.m * p + sqrt(2 * task.m * p * task.L) + task.L / 3
